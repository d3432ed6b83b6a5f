"""Files and folders an agent has registered: what it may read back, and which files are pinned."""

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from neomem.errors import InputError
from neomem.store import queries
from neomem.store.graph import Graph
from neomem.text import clean, fingerprint

REGISTER_FOLDER = queries.load("capture/register_folder")
FOLDERS = queries.load("capture/folders")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A file or folder by its real path."""

    path: Path
    registered_at: datetime | None = None
    """When it was first ingested; none when it is only pinned."""
    pinned_at: datetime | None = None


async def register(graph: Graph, agent: str, path: Path, now: datetime) -> None:
    """Let an agent read a file, or all below a folder, from now on."""
    named = written(path)
    await graph.write(
        REGISTER_FOLDER, agent=agent, key=folder_key(agent, path), path=named, now=now
    )


async def registered(graph: Graph, agent: str) -> tuple[Folder, ...]:
    """Return what an agent has registered or pinned, in the order of the paths."""
    rows = await graph.read(FOLDERS, agent=agent)
    return tuple(
        Folder(
            path=Path(row["path"]),
            registered_at=row["registered_at"],
            pinned_at=row["pinned_at"],
        )
        for row in rows
    )


def real(path: Path) -> Path:
    """Return where a path leads, whether or not anything is there; refuse one that is no text."""
    try:
        found = Path(os.path.realpath(path.expanduser()))
    except (RuntimeError, ValueError):
        raise InputError(f"{clean(str(path))}: no path") from None
    written(found)
    return found


def folder_key(agent: str, path: Path) -> str:
    """Return the key of an agent's file or folder."""
    return fingerprint(agent, str(path))


def written(path: Path) -> str:
    """Return a path as text, or refuse one whose bytes are none."""
    if clean(str(path)) != str(path):
        raise InputError(f"{clean(str(path))}: a name that is no UTF-8 text")
    return str(path)
