"""Pinned files: read anew whenever they are asked for, whole, through the same guard."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from neomem.capture import folders, guard
from neomem.capture.guard import Pattern
from neomem.capture.masking import mask_lines, plain_lines
from neomem.capture.reading import Unreadable, opened
from neomem.errors import InputError, NotFound
from neomem.sections import CaptureSettings
from neomem.store import queries
from neomem.store.graph import Graph
from neomem.tokens import estimate

PIN_FILE = queries.load("capture/pin_file")
UNPIN_FILE = queries.load("capture/forget_pinned_file")

_LONGEST_CHARACTER = 4  # bytes of UTF-8


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    """A pinned file as it reads now, with secrets masked."""

    path: str
    text: str = ""
    tokens: int = 0
    problem: str | None = None
    """Why there is no text: the file is gone, is no text, or gives orders to a model."""


async def pinned_files(
    graph: Graph, agent: str, settings: CaptureSettings, patterns: Sequence[Pattern] = ()
) -> tuple[ReadFile, ...]:
    """Read the files of `capture.pinned_files` and those the agent has pinned, each once."""
    own = [each.path for each in await folders.registered(graph, agent) if each.pinned_at]
    return await read_pinned(own, settings, patterns)


async def read_pinned(
    own: Sequence[Path], settings: CaptureSettings, patterns: Sequence[Pattern] = ()
) -> tuple[ReadFile, ...]:
    """Read the files of `capture.pinned_files` and some more, each once."""
    if not own and not settings.pinned_files:
        return ()
    return await asyncio.to_thread(_read_all, own, settings, tuple(patterns))


async def pin_file(  # noqa: PLR0913 - what is pinned, by whom, beside what
    graph: Graph,
    agent: str,
    path: Path,
    *,
    settings: CaptureSettings,
    beside: Mapping[str, int],
    now: datetime,
    patterns: Sequence[Pattern] = (),
) -> ReadFile:
    """Pin a file, so that every answer has it; `beside` are the tokens of pinned memories, by id.

    Files and memories together may have as many tokens as `capture.pinned_budget` says.
    """
    real = folders.real(path)
    file = await asyncio.to_thread(_read, real, settings.max_characters, tuple(patterns))
    if file.problem:
        raise InputError(f"{path} {file.problem}", hint="nothing was pinned")
    pinned = await pinned_files(graph, agent, settings, patterns)
    others = [each for each in pinned if each.path != file.path]
    used = sum(beside.values()) + sum(each.tokens for each in others)
    budget = settings.pinned_budget
    if len(others) == len(pinned) and used + file.tokens > budget:
        raise InputError(
            f"what is pinned would have {used + file.tokens} tokens, {used} of them pinned already;"
            f" the budget is {budget}",
            hint="`neomem list --state pinned` shows memories, `neomem pin --off` lets one go",
        )
    rows = await graph.write(
        PIN_FILE,
        agent=agent,
        key=folders.folder_key(agent, real),
        path=str(real),
        seen=[*beside, *(each.path for each in others), str(real)],
        now=now,
    )
    if not rows[0]["agreed"]:
        raise InputError("others are pinning at the same time", hint="try again")
    return file


async def unpin_file(graph: Graph, agent: str, path: Path) -> str:
    """Let a pinned file go, whether or not it is still there; return its path."""
    key = folders.folder_key(agent, folders.real(path))
    rows = await graph.write(UNPIN_FILE, agent=agent, key=key)
    if not rows:
        raise NotFound(
            f"{path} is not pinned by hand", hint="files of capture.pinned_files are let go there"
        )
    return rows[0]["path"]


def _read_all(
    own: Sequence[Path], settings: CaptureSettings, patterns: tuple[Pattern, ...]
) -> tuple[ReadFile, ...]:
    # A link in the settings is the user's own and is followed; pinned ones are real paths already.
    configured = [Path(os.path.realpath(path)) for path in settings.pinned_files]
    paths = dict.fromkeys([*configured, *own])
    return tuple(_read(path, settings.max_characters, patterns) for path in paths)


def _read(path: Path, longest: int, patterns: tuple[Pattern, ...]) -> ReadFile:
    largest = _LONGEST_CHARACTER * longest
    try:
        with opened(path, path, largest) as stream:
            text = plain_lines(stream.read(largest).decode("utf-8-sig")).strip("\n")
    except Unreadable as error:
        return ReadFile(path=str(path), problem=str(error) if path.exists() else "is not there")
    except (OSError, UnicodeDecodeError):
        return ReadFile(path=str(path), problem="is no UTF-8 text")
    if "\0" in text or len(text) > longest:
        problem = "is no text" if "\0" in text else f"has more than {longest:,} characters"
        return ReadFile(path=str(path), problem=problem)
    masked, problem = _guarded(text, patterns)
    if problem:
        return ReadFile(path=str(path), problem=problem)
    return ReadFile(path=str(path), text=masked, tokens=estimate(masked))


@lru_cache(maxsize=64)
def _guarded(text: str, patterns: tuple[Pattern, ...]) -> tuple[str, str | None]:
    """Return the text with secrets masked, and why it may not be used, if so.

    A file is read every time, which costs nothing beside this: so it is never an old one.
    """
    verdict = guard.scan(text, patterns)
    if verdict.orders:
        families = ", ".join(sorted({each.family for each in verdict.orders}))
        return "", f"gives orders to a model ({families})"
    if verdict.timed_out:
        return "", f"could not be judged in time ({', '.join(verdict.timed_out)})"
    return mask_lines(text, patterns), None
