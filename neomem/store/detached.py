"""Processes that outlive the one that starts them."""

import os
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

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
    _wait_for_its_name(process.pid)
    return process.pid


def _wait_for_its_name(pid: int) -> None:
    """Wait out the moment in which the system does not yet show the new command line."""
    with suppress(psutil.Error):  # it has ended already
        while not psutil.Process(pid).cmdline():
            time.sleep(0.001)


def collect(pid: int) -> None:
    """Take note of the end of a process we started, which would linger as a zombie otherwise.

    Other children of this program are its own affair.
    """
    if pid in _started and os.waitpid(pid, os.WNOHANG)[0]:
        _started.remove(pid)
