"""Starting the service when it is not there: a process of its own that outlives the hook."""

import os
import sys
import time

from neomem_hook import home as files

_PATIENCE = 60.0  # seconds in which a start is not tried again
_LARGEST_LOG = 1_000_000
# What a service may know of an agent's environment: neomem's settings, where things are, and the
# way out; no keys of others.
_PASSED = ("PATH", "HOME", "TMPDIR", "TZ", "LANG", "JAVA_HOME", "VIRTUAL_ENV", "SSL_CERT_FILE")
_PREFIXES = ("NEOMEM_", "XDG_", "LC_")


def start(home: str) -> bool:
    """Start the service of a home; tell whether this call did, and not another a moment ago."""
    files.private_folder(home)
    for folder in ("run", "logs"):
        files.private_folder(os.path.join(home, folder))
    if not _first(os.path.join(home, files.STARTING)):
        return False
    import subprocess

    with open(_log(home), "ab") as talk:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "neomem", "serve"],
            cwd=home,
            env={**_environment(), "NEOMEM_HOME": home},
            stdin=subprocess.DEVNULL,
            stdout=talk,
            stderr=talk,
            start_new_session=True,
        )
    process.returncode = 0  # else Python warns that it still runs, which is the point
    return True


def _first(marker: str) -> bool:
    """Take the right to start: one hook of many at a time has it."""
    try:
        if time.time() - os.path.getmtime(marker) < _PATIENCE:
            return False
        os.unlink(marker)
    except OSError:  # nobody has it
        pass
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def _log(home: str) -> str:
    path = os.path.join(home, files.SERVICE_LOG)
    if os.path.exists(path) and os.path.getsize(path) > _LARGEST_LOG:
        os.replace(path, f"{path}.1")
    return path


def _environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()  # noqa: TID251 - passed on, not read
        if name in _PASSED or name.startswith(_PREFIXES) or name.lower().endswith("_proxy")
    }
