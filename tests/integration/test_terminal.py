"""The command line on a terminal: colours only there, tables no wider than it, completion."""

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
import termios
from pathlib import Path

import pytest

from tests.conftest import environment

NEOMEM = Path(sysconfig.get_path("scripts")) / "neomem"
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]m")
STYLE = re.compile(r"\x1b\[[0-9;]*[a-zA-Z]")


def on_a_terminal(*command: str, columns: int = 80, **variables: str) -> str:
    """What a command shows to a person whose terminal is so wide."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    kept = {
        name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS"}
    }
    with subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**kept, "TERM": "xterm-256color", **variables},
    ):
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux says so when the last writer has gone
                break
            if not part:
                break
            shown += part
    os.close(ours)
    return shown.decode()


@pytest.fixture
def change(tmp_path):
    """A command that shows a change, in colour where there are colours."""
    file = tmp_path / "settings.json"
    return (sys.executable, "-m", "neomem", "install", "mcp", "--dry-run", "--file", str(file))


def test_colours_are_for_terminals_and_for_those_who_want_them(change):
    coloured = on_a_terminal(*change)
    plain = on_a_terminal(*change, NO_COLOR="1")
    piped = subprocess.run(change, capture_output=True, text=True, check=True)

    assert COLOUR.search(coloured)
    assert not COLOUR.search(plain)
    assert "\x1b" not in piped.stdout + piped.stderr
    assert '"mcpServers"' in coloured
    assert '"mcpServers"' in plain


@pytest.mark.parametrize("columns", [40, 100])
def test_a_table_is_no_wider_than_the_terminal(columns):
    rows = [["01a1e915-be52-7b13-8f68", "fact", "Ada lives in Lisbon. " * 9, "x" * 150]]
    script = (
        "from neomem.cli import output\n"
        f"output.print_table(['id', 'kind', 'memory', 'why'], {rows})"
    )

    shown = STYLE.sub("", on_a_terminal(sys.executable, "-c", script, columns=columns))

    lines = shown.splitlines()
    assert max(map(len, lines)) <= columns
    assert shown.count("x") == 150
    assert shown.count("Lisbon.") == 9


def complete(words: str, shell: str = "bash") -> list[str]:
    """What the shell is offered for the last of the words."""
    result = subprocess.run(
        [NEOMEM],
        env={
            **os.environ,
            "_NEOMEM_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(words.count(" ")),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.partition(",")[2] for line in result.stdout.splitlines()]


def test_commands_options_and_choices_are_completed():
    assert complete("neomem re") == ["reembed", "recall", "restore"]
    assert complete("neomem install cl") == ["claude-code"]
    assert "--dry-run" in complete("neomem install --")
    assert complete("neomem recall --preset open") == ["openclaw"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_takes_its_script(shell):
    script = subprocess.run(
        [NEOMEM, "completion", shell], capture_output=True, text=True, check=True
    ).stdout

    assert f"_NEOMEM_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
def test_bash_completes_with_what_was_printed():
    script = (
        f'PATH="{NEOMEM.parent}:$PATH"; eval "$(neomem completion bash)";'
        " COMP_WORDS=(neomem supers); COMP_CWORD=1; _neomem_completion neomem;"
        ' echo "${COMPREPLY[@]}"'
    )

    shown = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)

    assert shown.stdout == "supersede\n"


def test_help_fits_a_narrow_terminal_too(private_config):
    shown = on_a_terminal(
        *(sys.executable, "-m", "neomem", "recall", "--help"),
        columns=60,
        **environment(private_config),
    )

    # An option and its choices are one word, which is not broken.
    assert all(len(line) <= 60 or "[" in line for line in STYLE.sub("", shown).splitlines())
