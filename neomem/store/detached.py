"""Processes that outlive the one that starts them."""

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from neomem.config import server_environment


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
    return process.pid


def collect(pid: int) -> None:
    """Take note of the end of a child, which would linger as a zombie otherwise."""
    with suppress(ChildProcessError):  # started by another process, or collected before
        os.waitpid(pid, os.WNOHANG)
