"""A line in a person's crontab, told from theirs by a mark; the text in, the text out."""

import re
import shlex
import subprocess
from collections.abc import Sequence

from neomem.errors import InputError, SleepError

_MARK = "# neomem sleep"
_OURS = re.compile(rf"\d+ \d+ \* \* \* .*  {_MARK}\s*")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")  # as cron has lines: nothing else ends one
_SECONDS = 20


def line(command: Sequence[str], at: str) -> str:
    """Return the line that runs a command every night at a time such as 03:30."""
    found = _TIME.fullmatch(at.strip())
    if not found:
        raise InputError(f"{at!r} is no time of day", hint="as in 03:30")
    # cron reads a per cent sign as the end of the line.
    words = shlex.join(command).replace("%", r"\%")
    return f"{int(found[2])} {int(found[1])} * * * {words}  {_MARK}"


def added(crontab: str, new: str) -> str:
    """Return a crontab with our line, once, at its end; other lines stay as they are."""
    rest = removed(crontab)
    end = "" if not rest or rest.endswith("\n") else "\n"
    return f"{rest}{end}{new}\n"


def removed(crontab: str) -> str:
    """Return a crontab without our line."""
    return "".join(each for each in _LINE.findall(crontab) if not _OURS.fullmatch(each))


def read() -> str:
    """Return the person's crontab; an empty one when there is none."""
    answer = _crontab("-l")
    if answer.returncode and "no crontab" not in answer.stderr:
        raise SleepError(f"crontab -l: {answer.stderr.strip()}")
    return "" if answer.returncode else answer.stdout


def write(text: str) -> None:
    """Replace the person's crontab."""
    answer = _crontab("-", text)
    if answer.returncode:
        raise SleepError(f"crontab refused: {answer.stderr.strip()}", hint="nothing was changed")


def _crontab(argument: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run crontab; its text may be in any encoding, and comes back as it was."""
    try:
        done = subprocess.run(  # noqa: S603 - a fixed program, our own text
            ["crontab", argument],  # noqa: S607 - the person's own
            input=text.encode(errors="surrogateescape"),
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SleepError(
            f"crontab cannot be run: {error}",
            hint="docs/sleep.md has a systemd timer and other ways",
        ) from error
    out, err = (each.decode(errors="surrogateescape") for each in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)
