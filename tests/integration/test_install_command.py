"""`neomem install` as a user meets it: a settings file in a home of the test's own."""

import json
import subprocess
import sys

import pytest

from tests.conftest import environment

BEFORE = '{\n    "model": "large"\n}\n'


@pytest.fixture
def settings(tmp_path):
    file = tmp_path / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(BEFORE)
    file.chmod(0o640)
    return file


def test_it_shows_the_change_keeps_a_copy_and_brings_every_byte_back(neomem, settings, tmp_path):
    home = {"HOME": str(tmp_path)}
    looked = neomem("install", "claude-code", "--dry-run", **home)
    untouched = settings.read_text()
    done = neomem("install", "claude-code", "--yes", **home)
    mode = settings.stat().st_mode & 0o777
    installed = json.loads(settings.read_text())
    again = neomem("install", "claude-code", **home)
    undone = neomem("install", "claude-code", "--uninstall", "--yes", "--json", **home)

    assert untouched == BEFORE
    assert '+                        "command": "' in looked.stdout
    assert "neomem-hook" in looked.stdout
    assert done.stdout.startswith(f"changed    {settings}\n")
    assert "\x1b" not in done.stdout + done.stderr
    assert installed.keys() == {"model", "hooks"}
    assert mode == 0o640
    assert again.stdout == f"{settings}: nothing to do\n"
    assert json.loads(undone.stdout)["changed"] is True
    assert settings.read_text() == BEFORE
    assert list(settings.parent.iterdir()) == [settings]


@pytest.mark.parametrize(("answer", "changed"), [("n\n", False), ("y\n", True), ("", False)])
def test_it_asks_first(private_config, settings, answer, changed):
    result = subprocess.run(
        [sys.executable, "-m", "neomem", "install", "mcp", "--file", settings],
        env=environment(private_config),
        input=answer,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert "Change it? [y/N]" in result.stderr
    assert '+    "mcpServers": {' in result.stderr
    assert (settings.read_text() != BEFORE) is changed
    assert (result.returncode == 0) is changed


def test_a_link_stays_a_link(neomem, settings, tmp_path):
    link = tmp_path / "linked.json"
    link.symlink_to(settings)

    neomem("install", "mcp", "--file", str(link), "--yes")

    assert link.is_symlink()
    assert "neomem" in settings.read_text()


def test_broken_settings_are_refused_and_left_alone(neomem, settings):
    settings.write_bytes(b'{"a": ')
    broken = neomem("install", "mcp", "--file", str(settings), "--yes")
    settings.write_bytes(b'{"a": "\xff"}')
    binary = neomem("install", "mcp", "--file", str(settings), "--yes")
    nowhere = neomem("install", "mcp", "--file", str(settings / "below"), "--yes")

    assert (broken.returncode, binary.returncode, nowhere.returncode) == (8, 8, 8)
    assert f"error: {settings}, line 1, column 7: a value is expected" in broken.stderr
    assert "hint: nothing was changed" in broken.stderr
    assert "is not UTF-8" in binary.stderr
    assert "cannot read" in nowhere.stderr
    assert settings.read_bytes() == b'{"a": "\xff"}'
