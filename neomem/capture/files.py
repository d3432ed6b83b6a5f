"""Folders and transcripts into drafts; a changed file replaces its own chunks."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from pathlib import Path

from neomem.capture import Tools, capture, chunks, transcripts
from neomem.capture.bulk import Tally, capture_many
from neomem.capture.event_time import read_date
from neomem.capture.transcripts import Format, Problem, Turn
from neomem.errors import InputError, NotFound
from neomem.model import Draft
from neomem.progress import Notify, Progress, silent
from neomem.store import queries
from neomem.text import lane

FILE_PATHS = queries.load("capture/file_paths")
RETIRE_CHUNKS = queries.load("capture/retire_chunks")

_MARKDOWN = {".md", ".markdown", ".mdx"}
_TRANSCRIPTS = {".jsonl", ".ndjson", ".txt", ".log"}
_BLOCK = 1 << 20
_LARGEST_MARKDOWN = 20 << 20


@dataclass(slots=True)
class Ingested:
    """What became of a folder or file."""

    files: int = 0
    tally: Tally = field(default_factory=Tally)
    retired: int = 0
    """Chunks archived because their file changed or is gone."""
    undated: int = 0
    """Turns whose date could not be read; it is kept as text."""
    problems: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def problem(self, file: Path, reason: str) -> None:
        """Note what could not be read, and where."""
        self.problems.setdefault(str(file), []).append(reason)


async def ingest(
    tools: Tools, path: Path, *, agent: str, now: datetime, notify: Notify = silent
) -> Ingested:
    """Capture a Markdown file, a transcript, or a folder of them; again, only what is new."""
    root, files = _below(path)
    result = Ingested()
    for number, file in enumerate(files, start=1):
        notify(Progress("Ingesting", number - 1, len(files)))
        result.files += 1
        if file.suffix.lower() in _MARKDOWN:
            await _markdown(tools, file, agent, now, result)
        else:
            await _transcript(tools, file, agent, now, result, notify)
    notify(Progress("Ingesting", len(files), len(files)))
    await _gone(tools, root, files, agent, now, result)
    return result


def _below(path: Path) -> tuple[Path, list[Path]]:
    root = path.expanduser().resolve()
    if not root.exists():
        raise NotFound(f"{path}: no such file or folder")
    files = sorted(_files(root))
    if not files:
        raise InputError(
            f"{path}: nothing in it that can be ingested",
            hint="Markdown (.md) and transcripts (.jsonl, .txt) are read",
        )
    return root, files


def _files(root: Path) -> Iterator[Path]:
    """Yield what can be read below a folder; links out of it are not followed."""
    wanted = _MARKDOWN | _TRANSCRIPTS
    if root.is_file():
        if root.suffix.lower() in wanted:
            yield root
        return
    for file in root.rglob("*"):
        hidden = any(part.startswith(".") for part in file.relative_to(root).parts)
        if hidden or file.suffix.lower() not in wanted or not file.is_file():
            continue
        if file.resolve().is_relative_to(root):
            yield file


async def _markdown(tools: Tools, file: Path, agent: str, now: datetime, result: Ingested) -> None:
    text = _text(file, result)
    if text is None:
        return
    drafts = list(_chunks(file, text))
    ids: list[str] = []
    step = tools.settings.batch
    for start in range(0, len(drafts), step):
        captured = await capture(
            tools, drafts[start : start + step], agent=agent, manner="ingest", now=now
        )
        result.tally.add(captured)
        ids += [each.id for each in captured if each.id]
    await _retire(tools, str(file), ids, agent, now, result)


def _text(file: Path, result: Ingested) -> str | None:
    try:
        if file.stat().st_size > _LARGEST_MARKDOWN:
            result.problem(file, "larger than a text is")
            return None
        return file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        result.problem(file, "cannot be read as UTF-8 text")
        return None


def _chunks(file: Path, text: str) -> Iterator[Draft]:
    dated = chunks.dated(file.name)
    for chunk in chunks.split(text):
        headings = " > ".join(chunk.headings)
        yield Draft(
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


async def _transcript(
    tools: Tools, file: Path, agent: str, now: datetime, result: Ingested, notify: Notify
) -> None:
    with file.open("rb") as stream:
        lines = transcripts.lines(iter(lambda: stream.read(_BLOCK), b""))
        first = [line for _, line in zip(range(50), lines, strict=False)]
    form = transcripts.detect(first, file.name)
    if form is None:
        result.problem(file, "no transcript that can be recognised")
        return
    with file.open("rb") as stream:
        lines = transcripts.lines(iter(lambda: stream.read(_BLOCK), b""))
        drafts = _turns(lines, form, file, result)
        tally = await capture_many(
            tools, drafts, agent=agent, manner="ingest", now=now, notify=notify
        )
    result.tally.merge(tally)


def _turns(lines: Iterator[str], form: Format, file: Path, result: Ingested) -> Iterator[Draft]:
    session = file.stem if form is Format.NAMED else None
    for each in transcripts.read(lines, form, session):
        if isinstance(each, Problem):
            result.problem(file, f"line {each.line_number}: {each.reason}")
        else:
            yield _draft(each, result)


def _draft(turn: Turn, result: Ingested) -> Draft:
    moment = read_date(turn.said)
    result.undated += turn.said is not None and moment is None
    return Draft(
        text=transcripts.spoken(turn),
        kind=turn.kind,  # pyright: ignore[reportArgumentType] - one of the kinds, or none
        title=turn.title,
        said_at=moment.at if moment else None,
        said=turn.said if turn.said and moment is None else None,
        importance=turn.importance,
        about=turn.about,
        links=turn.links,
        source="transcript",
        session=turn.session,
        speaker=turn.speaker or turn.role,
        external_id=turn.external_id,
        position=turn.position,
    )


async def _gone(
    tools: Tools, root: Path, files: list[Path], agent: str, now: datetime, result: Ingested
) -> None:
    present = {str(file) for file in files}
    for row in await tools.graph.read(FILE_PATHS, agent=agent, root=str(root)):
        if row["path"] not in present:
            await _retire(tools, row["path"], [], agent, now, result)


async def _retire(
    tools: Tools, path: str, kept: list[str], agent: str, now: datetime, result: Ingested
) -> None:
    rows = await tools.graph.write(
        RETIRE_CHUNKS, agent=agent, path=path, kept=kept, lane=lane(agent, live=False), now=now
    )
    result.retired += rows[0]["retired"]
