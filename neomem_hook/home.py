"""Where neomem's home is, and the files in it that hook and service share."""

import os
import sys

TOKEN = "token"  # noqa: S105 - a file's name
SOCKET = os.path.join("run", "service.sock")
LIMITS = os.path.join("run", "hook.json")
STARTING = os.path.join("run", "service.starting")
BREAKER = os.path.join("run", "hook.breaker")
SERVICE_LOG = os.path.join("logs", "service.log")
LOG = os.path.join("logs", "hook.log")
SPOOL = "spool"
POSITIONS = os.path.join("spool", "positions")

_MAC = "Library/Application Support"


def find(given: str | None = None) -> str:
    """Return the home as neomem's settings have it: given, by environment, by file, the user's."""
    named = given or os.environ.get("NEOMEM_HOME") or _in_settings()  # noqa: TID251 - too small to load neomem.config
    return os.path.abspath(os.path.expanduser(named or _users("XDG_DATA_HOME", ".local/share")))


def private_folder(path: str) -> str:
    """Return a folder, made for its owner alone if need be."""
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path


def write_private(path: str, text: str) -> None:
    """Write all of it or nothing, for the owner's eyes only."""
    draft = f"{path}.{os.getpid()}.draft"
    number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(number, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(draft, path)


def _in_settings() -> str | None:
    """Return `home` of the settings file; of all settings, the only one needed to find the rest."""
    given = os.environ.get("NEOMEM_CONFIG")  # noqa: TID251 - as above
    file = given or os.path.join(_users("XDG_CONFIG_HOME", ".config"), "config.yaml")
    try:
        with open(os.path.expanduser(file), encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("home:"):
                    return line[5:].partition(" #")[0].strip().strip("'\"") or None
    except (OSError, UnicodeDecodeError):
        return None
    return None


def _users(variable: str, usual: str) -> str:
    folder = os.environ.get(variable, "").strip()  # noqa: TID251 - as above
    usual = _MAC if sys.platform == "darwin" else usual
    return os.path.join(folder or os.path.join(os.path.expanduser("~"), usual), "neomem")
