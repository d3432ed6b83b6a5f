"""Folders and transcripts into drafts; a changed file replaces its own chunks.

Several runs may read one folder at once. A chunk is archived only if it was there before a look
that found the file as this run has read it: what another run has read since is not touched.
"""

import asyncio
import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from itertools import chain, islice
from pathlib import Path

from neomem.capture import Tools, capture, chunks, file_links, folders, transcripts
from neomem.capture.bulk import Tally, capture_many
from neomem.capture.chunks import Chunk
from neomem.capture.file_links import FileLink
from neomem.capture.later_links import LaterLinks
from neomem.capture.masking import mask_lines, plain_lines
from neomem.capture.reading import Unreadable, opened
from neomem.capture.transcripts import Format, Problem
from neomem.capture.turns import as_draft
from neomem.errors import InputError, NotFound
from neomem.model import Captured, Draft
from neomem.progress import Notify, Progress, silent
from neomem.store import queries
from neomem.text import clean, lane

FILE_PATHS = queries.load("capture/file_paths")
FILE_CHUNKS = queries.load("capture/file_chunks")
RETIRE_CHUNKS = queries.load("capture/retire_chunks")

_MARKDOWN = {".md", ".markdown", ".mdx"}
_TRANSCRIPTS = {".jsonl", ".ndjson", ".txt", ".log"}
_BLOCK = 1 << 20
_BATCHES = 16  # of a transcript, after which links to what came later are made
_ATTEMPTS = 5  # to read a file that is being written


@dataclass(slots=True)
class Ingested:
    """What became of a folder or file."""

    files: int = 0
    tally: Tally = field(default_factory=Tally)
    retired: int = 0
    """Chunks archived because their file changed or is gone."""
    linked: int = 0
    """Links between Markdown files that lead to one that is there."""
    unlinked: int = 0
    """Links of transcripts to an id that is not there."""
    undated: int = 0
    """Turns whose date could not be read; it is kept as text."""
    problems: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def problem(self, file: Path, reason: str) -> None:
        """Note what could not be read, and where."""
        self.problems.setdefault(clean(str(file)), []).append(reason)


@dataclass(slots=True, kw_only=True)
class _Run:
    tools: Tools
    root: Path
    agent: str
    now: datetime
    notify: Notify
    later: LaterLinks
    result: Ingested = field(default_factory=Ingested)
    links: list[FileLink] = field(default_factory=list[FileLink])


@dataclass(frozen=True, slots=True)
class _Source:
    """A Markdown file as it was read: its state, its text without secrets, its chunks."""

    state: str
    text: str
    masked: bool
    chunks: Sequence[Chunk]


async def ingest(
    tools: Tools, path: Path, *, agent: str, now: datetime, notify: Notify = silent
) -> Ingested:
    """Capture a Markdown file, a transcript, or a folder of them; again, only what is new.

    It is registered, so that the agent can read its lines back.
    """
    root = _root(path)
    later = LaterLinks(tools, agent, now)
    run = _Run(tools=tools, root=root, agent=agent, now=now, notify=notify, later=later)
    files = sorted(_files(run))
    if not files and not await tools.graph.read(FILE_PATHS, agent=agent, root=str(root)):
        raise InputError(
            f"{path}: nothing in it that can be ingested",
            hint="Markdown (.md) and transcripts (.jsonl, .txt) are read",
        )
    await folders.register(tools.graph, agent, root, now)
    for number, file in enumerate(files, start=1):
        notify(Progress("Ingesting", number - 1, len(files)))
        run.result.files += 1
        await (_markdown if file.suffix.lower() in _MARKDOWN else _transcript)(run, file)
    notify(Progress("Ingesting", len(files), len(files)))
    await _retire_gone(run)
    run.result.unlinked = await later.finish()
    run.result.linked = await file_links.join(tools.graph, agent, run.links)
    return run.result


def _root(path: Path) -> Path:
    root = folders.real(path)
    if not root.exists():
        raise NotFound(f"{path}: no such file or folder")
    return root


def _files(run: _Run) -> Iterator[Path]:
    """Yield what can be read below a folder; links out of it are not followed."""
    root = run.root
    for file in [root] if root.is_file() else root.rglob("*"):
        hidden = any(part.startswith(".") for part in file.relative_to(root).parts)
        if hidden or file.suffix.lower() not in _MARKDOWN | _TRANSCRIPTS or not file.is_file():
            continue
        if clean(str(file)) != str(file):
            run.result.problem(file, "has a name that is no UTF-8 text")
        elif file.resolve().is_relative_to(root):
            yield file


async def _markdown(run: _Run, file: Path) -> None:
    captured: list[Captured] = []
    for _ in range(_ATTEMPTS):
        source = await asyncio.to_thread(_read, run, file)
        if source is None:
            return
        captured = await _captured(run, [_draft(file, chunk) for chunk in source.chunks])
        ids = {each.id for each in captured if each.id}
        present = await _present(run, str(file))
        same = await asyncio.to_thread(_state, run, file) == source.state
        if same and ids <= present:  # else it was written, or another run read it, meanwhile
            await _retire(run, sorted(present - ids))
            pairs = zip(source.chunks, captured, strict=True)
            kept = [(chunk, each.id) for chunk, each in pairs if each.id]
            run.links += file_links.found_in(source.text, file, run.root, kept)
            run.result.tally.masked += source.masked
            break
    else:
        run.result.problem(file, "changes while it is read; run it again")
    run.result.tally.add(captured)


def _read(run: _Run, file: Path) -> _Source | None:
    settings = run.tools.settings
    try:
        raw = _raw(run, file)
        whole = plain_lines(raw.decode("utf-8-sig"))
    except Unreadable as error:
        run.result.problem(file, str(error))
        return None
    except UnicodeDecodeError:
        run.result.problem(file, "cannot be read as UTF-8 text")
        return None
    # Masked before it is split: half a secret would no longer be known for one.
    text = mask_lines(whole, run.tools.patterns)
    pieces = chunks.split(text, size=settings.chunk_tokens, overlap=settings.chunk_overlap)
    return _Source(_fingerprint(raw), text, text != whole, pieces)


def _raw(run: _Run, file: Path) -> bytes:
    try:
        with opened(run.root, folders.real(file), run.tools.settings.largest_file) as stream:
            return stream.read(run.tools.settings.largest_file)
    except OSError:
        raise Unreadable("cannot be read") from None


def _state(run: _Run, file: Path) -> str | None:
    try:
        return _fingerprint(_raw(run, file))
    except Unreadable:
        return None


def _fingerprint(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _draft(file: Path, chunk: Chunk) -> Draft:
    dated = chunks.dated(file.name)
    headings = " > ".join(chunk.headings)
    return Draft(
        text=chunk.text,
        kind="chunk",
        title=headings or file.stem,
        context="\n".join(filter(None, (headings, chunk.context))),
        source="file",
        path=str(file),
        line_from=chunk.line_from,
        line_to=chunk.line_to,
        said_at=datetime.combine(dated, time(), UTC) if dated else None,
        evergreen=dated is None,
    )


async def _captured(run: _Run, drafts: Sequence[Draft]) -> list[Captured]:
    captured: list[Captured] = []
    step = run.tools.settings.batch
    for start in range(0, len(drafts), step):
        part = drafts[start : start + step]
        captured += await capture(run.tools, part, agent=run.agent, manner="ingest", now=run.now)
    return captured


async def _transcript(run: _Run, file: Path) -> None:
    try:
        with opened(run.root, folders.real(file)) as stream:
            lines = transcripts.lines(iter(lambda: stream.read(_BLOCK), b""))
            form = transcripts.detect(list(islice(lines, 50)), file.name)
        if form is None:
            run.result.problem(file, "no transcript that can be recognised")
            return
        with opened(run.root, folders.real(file)) as stream:
            lines = transcripts.lines(iter(lambda: stream.read(_BLOCK), b""))
            await _spoken(run, _turns(lines, form, file, run.result))
    except (Unreadable, OSError) as error:
        run.result.problem(file, str(error) if isinstance(error, Unreadable) else "cannot be read")


async def _spoken(run: _Run, turns: Iterator[Draft]) -> None:
    drafts = run.later.noting(turns)
    size = _BATCHES * run.tools.settings.batch
    for first in drafts:
        part = chain([first], islice(drafts, size - 1))
        tally = await capture_many(
            run.tools, part, agent=run.agent, manner="ingest", now=run.now, notify=run.notify
        )
        run.result.tally.merge(tally)
        await run.later.resolve()


def _turns(lines: Iterator[str], form: Format, file: Path, result: Ingested) -> Iterator[Draft]:
    session = file.stem if form is Format.NAMED else None
    for each in transcripts.read(lines, form, session):
        if isinstance(each, Problem):
            result.problem(file, f"line {each.line_number}: {each.reason}")
        else:
            draft = as_draft(each, source="transcript")
            result.undated += draft.said is not None
            yield draft


async def _retire_gone(run: _Run) -> None:
    for row in await run.tools.graph.read(FILE_PATHS, agent=run.agent, root=str(run.root)):
        if _is_gone(row["path"], run.root):
            present = await _present(run, row["path"])
            if _is_gone(row["path"], run.root):  # again after that look: what comes now stays
                await _retire(run, sorted(present))


def _is_gone(path: str, root: Path) -> bool:
    """Tell whether a file is no longer in its folder; not when that cannot be told."""
    try:
        real = Path(os.path.realpath(path, strict=True))
        return not real.is_relative_to(root) or not real.is_file()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


async def _present(run: _Run, path: str) -> set[str]:
    rows = await run.tools.graph.read(FILE_CHUNKS, agent=run.agent, path=path)
    return {row["id"] for row in rows}


async def _retire(run: _Run, ids: Sequence[str]) -> None:
    if ids:
        rows = await run.tools.graph.write(
            RETIRE_CHUNKS, agent=run.agent, ids=ids, lane=lane(run.agent, live=False), now=run.now
        )
        run.result.retired += rows[0]["retired"]
