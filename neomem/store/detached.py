"""Processes that outlive the one that starts them."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from neomem.config import server_environment

_started: set[int] = set()


def start(command: Sequence[str | Path], folder: Path, output: Path) -> int:
    """Start a command in a folder and a session of its own, its talk in a file; return its pid."""
    with output.open("wb") as stream:
        process = subprocess.Popen(  # noqa: S603 - commands of our own making, no shell
            command,
            cwd=folder,
            env=server_environment(),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    process.returncode = 0  # else Python warns that it still runs, which is the point
    _started.add(process.pid)
    return process.pid


def collect(pid: int) -> None:
    """Take note of the end of a process we started, which would linger as a zombie otherwise.

    Other children of this program are its own affair.
    """
    if pid in _started and os.waitpid(pid, os.WNOHANG)[0]:
        _started.remove(pid)
