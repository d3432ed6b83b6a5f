"""Lines of files read back, from registered folders only.

A path is refused in the same words whether it lies outside or does not exist. What is opened is
reached from the registered folder part by part, following no link, so that a link put in the way
between the look and the opening leads nowhere.
"""

import asyncio
import os
import re
import stat
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, NamedTuple

from neomem.capture import folders
from neomem.capture.guard import Pattern
from neomem.capture.masking import MARGIN, mask_lines
from neomem.errors import InputError, NotFound
from neomem.sections import CaptureSettings
from neomem.store.graph import Graph
from neomem.text import clean

_PIECE = 1 << 14  # characters of a line read at a time
_ID = re.compile(r"[0-9a-fA-F]{8}[0-9a-fA-F-]*")
_SHOWN = 200

# Not waiting for the other end of a pipe; names some systems do not have are left out.
_FLAGS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _FLAGS


class Unreadable(Exception):
    """Why a file cannot be read, in words that go on after its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Lines of a file, counted from 1, with secrets masked."""

    path: str
    line_from: int
    line_to: int
    """Below `line_from` when there are no such lines."""
    text: str
    more: bool = False
    """Whether the file goes on."""
    note: str | None = None
    """What a reader should know: that the file ends before, that a line is cut."""


class _Window(NamedTuple):
    """A stretch of whole lines, what surrounds it, and how many lines there are up to its end."""

    before: str
    inside: str
    after: str
    total: int


def names_a_file(given: str) -> bool:
    """Tell a path from a memory's id: it has a separator or a dot, or is the name of a file here.

    What looks like an id is one; `./` before it makes it a path.
    """
    if _ID.fullmatch(given):
        return False
    return any(mark in given for mark in (".", "/", os.sep)) or os.path.isfile(given)  # noqa: PTH113 - says no to what cannot be a name


async def get_lines(  # noqa: PLR0913 - whose, where, which, and how it is read
    graph: Graph,
    agent: str,
    path: str,
    *,
    settings: CaptureSettings,
    start: int = 1,
    lines: int | None = None,
    patterns: Sequence[Pattern] = (),
) -> Lines:
    """Return lines of a file in an agent's registered folders, `start` the first of them.

    Without `lines`, all that follow, as far as one answer goes (`capture.max_characters`).
    """
    if start < 1 or (lines is not None and lines < 1):
        raise InputError("lines are counted from 1, and one is the fewest")
    known = [each.path for each in await folders.registered(graph, agent)]

    def read() -> Lines:
        folder, real = locate(path, known, _here())
        return read_lines(
            folder,
            real,
            start=start,
            count=lines,
            longest=settings.max_characters,
            largest=settings.largest_file,
            patterns=patterns,
        )

    try:
        return await asyncio.to_thread(read)
    except Unreadable as error:
        raise InputError(f"{_shown(path)} {error}") from None


def locate(given: str, known: Sequence[Path], here: Path) -> tuple[Path, Path]:
    """Return the registered folder a file is in, and its real path.

    A relative path is looked for from `here`, when that is in a registered folder, else from every
    registered folder.
    """
    try:
        path = Path(given).expanduser()
    except RuntimeError:
        raise _refused(given) from None
    if not given.strip() or "\0" in given or ".." in path.parts:
        raise _refused(given)
    inside = any(here.is_relative_to(folder) for folder in known)
    bases = [here] if inside or path.is_absolute() else []
    found = _found(path, bases, known)
    if not found and not path.is_absolute():
        bases = [folder if folder.is_dir() else folder.parent for folder in known]
        found = _found(path, bases, known)
    if not found:
        raise _refused(given)
    if len(found) > 1:
        raise InputError(
            f"{_shown(given)} is in {len(found)} registered folders", hint="give the whole path"
        )
    real, folder = found.popitem()
    return folder, real


def read_lines(  # noqa: PLR0913 - a place, a range and their limits
    folder: Path,
    real: Path,
    *,
    start: int,
    count: int | None,
    longest: int,
    largest: int,
    patterns: Sequence[Pattern] = (),
) -> Lines:
    """Read at most `count` lines from `start` on, and at most `longest` characters of them.

    Lines are counted as chunks count them. Secrets are masked, those too that begin before the
    lines or end after them. Unreadable when it is no text of at most `largest` bytes.
    """
    with opened(folder, real, largest) as stream:
        text = TextIOWrapper(stream, encoding="utf-8-sig")
        try:
            window = _window(_pieces(text), start, count, longest)
        finally:
            text.detach()
    return _answer(str(real), window, start, longest, patterns)


@contextmanager
def opened(folder: Path, real: Path, largest: int | None = None) -> Generator[BinaryIO]:
    """Open a regular file below a folder, or the registered file itself; follow no link."""
    try:
        number = _descend(folder, real.relative_to(folder).parts)
    except (OSError, ValueError):
        raise Unreadable("cannot be read") from None
    try:
        _check(os.fstat(number), largest)
    except Unreadable:
        os.close(number)
        raise
    with os.fdopen(number, "rb") as stream:
        yield stream


def _check(found: os.stat_result, largest: int | None) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Unreadable("is a folder" if stat.S_ISDIR(found.st_mode) else "is no plain file")
    if largest is not None and found.st_size > largest:
        raise Unreadable(f"is larger than {largest / 1e6:g} MB")


def _descend(folder: Path, parts: Sequence[str]) -> int:
    if not parts or os.open not in os.supports_dir_fd:
        return os.open(folder.joinpath(*parts), os.O_RDONLY | _FLAGS)
    at = os.open(folder, _FOLDER)
    for part in parts[:-1]:
        try:
            below = os.open(part, _FOLDER, dir_fd=at)
        finally:
            os.close(at)
        at = below
    try:
        return os.open(parts[-1], os.O_RDONLY | _FLAGS, dir_fd=at)
    finally:
        os.close(at)


def _found(path: Path, bases: Sequence[Path], known: Sequence[Path]) -> dict[Path, Path]:
    """Return real paths that exist in registered folders, each with the folder it is in."""
    found: dict[Path, Path] = {}
    for base in bases:
        real = Path(os.path.realpath(base / path))
        folder = next((each for each in known if _holds(each, real)), None)
        if folder and os.path.lexists(real):
            found[real] = folder
    return found


def _holds(folder: Path, real: Path) -> bool:
    """Tell whether a folder has a path that ingest would see: no part below it is hidden."""
    return real.is_relative_to(folder) and not any(
        part.startswith(".") for part in real.relative_to(folder).parts
    )


def _pieces(stream: TextIOWrapper) -> Iterator[str]:
    """Yield lines, long ones in pieces."""
    try:
        while piece := stream.readline(_PIECE):
            if "\0" in piece:
                raise Unreadable("is no text")
            yield piece
    except UnicodeDecodeError:
        raise Unreadable("is no UTF-8 text") from None
    except OSError:
        raise Unreadable("cannot be read") from None


def _window(pieces: Iterator[str], start: int, count: int | None, longest: int) -> _Window:
    before: deque[str] = deque()
    inside: list[str] = []
    after: list[str] = []
    line, kept, held, beyond, piece = 1, 0, 0, 0, "\n"
    for piece in pieces:
        if line < start:
            before.append(piece)
            held += len(piece)
            while held - len(before[0]) >= MARGIN:
                held -= len(before.popleft())
        elif (count is None or line < start + count) and kept <= longest and not after:
            inside.append(piece)
            kept += len(piece)
        else:
            after.append(piece)
            beyond += len(piece)
            if beyond >= MARGIN:
                break
        line += piece.endswith("\n")
    total = line - piece.endswith("\n")
    return _Window("".join(before), "".join(inside), "".join(after), total)


def _answer(
    path: str, window: _Window, start: int, longest: int, patterns: Sequence[Pattern]
) -> Lines:
    before, inside, after, total = window
    if not inside:
        note = f"the file has {total} line{'' if total == 1 else 's'}"
        return Lines(path=path, line_from=start, line_to=start - 1, text="", note=note)
    first = before.count("\n")
    last = first + inside.removesuffix("\n").count("\n") + 1
    rows = mask_lines(before + inside + after, patterns).split("\n")[first:last]
    kept: list[str] = []
    size = 0
    for row in rows:
        size += len(row) + 1
        if kept and size > longest:
            break
        kept.append(row)
    cut = len(kept[0]) > longest
    return Lines(
        path=path,
        line_from=start,
        line_to=start + len(kept) - 1,
        text="\n".join([kept[0][:longest], *kept[1:]]),
        more=bool(after) or len(kept) < len(rows),
        note=f"line {start} is cut after {longest:,} characters" if cut else None,
    )


def _here() -> Path:
    try:
        return Path.cwd()
    except OSError:  # the working folder is gone
        return Path("/")


def _refused(given: str) -> NotFound:
    return NotFound(
        f"{_shown(given)}: no file in the agent's registered folders",
        hint="`neomem ingest` registers a file or folder; hidden files and `..` are not read",
    )


def _shown(given: str) -> str:
    return clean(given)[:_SHOWN]
