"""`TASKS.md`, where an agent keeps its tasks: read, and changed a line at a time.

Whatever neomem does not know in the file stays as it is, to the byte. A file that cannot be read
means no tasks and a `problem` to report: it must not keep anybody from remembering.
"""

import os
import re
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple, cast

from neomem import markdown
from neomem.errors import NeomemError
from neomem.task_times import moment, written_moment
from neomem.text import clean

Status = Literal["in_progress", "awaiting_input", "blocked", "done", "stale"]
Field = Literal[
    "status", "started", "updated", "completed", "details", "current_step", "blocked_on"
]

_LARGEST = 5_000_000
_CACHED = 60
_UNTOUCHED = timedelta(hours=24)

_TIGHT = re.compile(r"^( {0,3}#{1,6})(?=[^#\s])")
_SECTION = re.compile(r"(?:active|(?P<finished>completed))(?:\s+tasks)?\s*:?", re.IGNORECASE)
_TASK = re.compile(r"(~~)?\s*TASK\s*-\s*([0-9]{1,9})(?![0-9])(.*)", re.IGNORECASE)
_FIELD = re.compile(
    r"""
    \s* (?: (?:[-*+]\s*+)? (?:\*\*|__) \s*+ | [-*+]\s++ )
    (?P<name> status | started | (?:last[ _]+)?updated | completed | details
            | current[ _]+step | blocked[ _]+on ) \s*
    (?: : \s* (?:\*\*|__) | (?:\*\*|__) \s* : | : ) [ \t]*
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SPACES = re.compile(r"[ _]+")
_TIMES: tuple[Field, ...] = ("started", "updated", "completed")
_STATUS = re.compile(
    r"""
    \W* (?: (?P<in_progress> in[\s_-]*progress ) | (?P<awaiting_input> awaiting[\s_-]*input )
          | (?P<blocked> blocked ) | (?P<done> done | completed? ) | (?P<stale> stale ) ) \b
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task as the file has it; times keep the zone they were written in."""

    id: str
    title: str
    status: Status = "in_progress"
    completed: bool = False
    started: datetime | None = None
    updated: datetime | None = None
    completed_at: datetime | None = None
    details: str = ""
    current_step: str = ""
    blocked_on: str = ""
    lines: tuple[int, int] = (0, 0)
    """First and last line in the file, counted from 1."""


@dataclass(frozen=True, slots=True)
class TaskFile:
    """The tasks of a file in order, and its lines with their ends."""

    tasks: tuple[Task, ...] = ()
    lines: tuple[str, ...] = ()
    zone: tzinfo = UTC
    """Of times that are written without one."""
    problem: str | None = None
    """Why a file that is there could not be read."""

    @property
    def active(self) -> tuple[Task, ...]:
        """Tasks that are not completed."""
        return tuple(task for task in self.tasks if not task.completed)

    @property
    def finished(self) -> tuple[Task, ...]:
        """Tasks that are completed."""
        return tuple(task for task in self.tasks if task.completed)

    def written(self) -> str:
        """Return the text of the file."""
        return "".join(self.lines)

    def changed(self, task_id: str, field: Field, value: str | datetime) -> "TaskFile":
        """Return the file with one field of a task set: its line is rewritten, or added."""
        task = next((task for task in self.tasks if task.id == task_id.upper()), None)
        if task is None:
            raise NeomemError(f"the task file has no {task_id}")
        words = value if isinstance(value, str) else written_moment(value)
        words = " ".join(clean(words).split())
        lines = list(self.lines)
        fields = list(_fields(lines, *task.lines))
        found = next((each for each in fields if each.name == field), None)
        if found:
            before, end = lines[found.at][: found.start], _end(lines[found.at])
            lines[found.at] = before + " " * (not before[-1].isspace()) + words + end
        else:
            last = max((each.at for each in fields), default=task.lines[0] - 1)
            end = _end(lines[last]) or "\n"
            lines[last] = lines[last].removesuffix(end) + end
            lines.insert(last + 1, f"- **{field.replace('_', ' ').title()}:** {words}{end}")
        return parse("".join(lines), zone=self.zone)


class _Head(NamedTuple):
    at: int
    level: int
    title: str


class _Found(NamedTuple):
    name: Field
    at: int
    start: int


def parse(text: str, *, zone: tzinfo = UTC) -> TaskFile:
    """Return the tasks in a text; times without a zone are in `zone`."""
    lines = markdown.lines(text)
    heads = [*_heads(lines), _Head(len(lines), 0, "")]
    tasks: list[Task] = []
    finished = False
    for head, following in pairwise(heads):
        task = _TASK.fullmatch(head.title)
        if task and head.level > 1:
            tasks.append(_task(lines, (head.at, following.at), task, zone, finished=finished))
            continue
        section = _SECTION.fullmatch(head.title)
        if section or head.level == 1:
            finished = bool(section and section["finished"])
    return TaskFile(tuple(tasks), tuple(lines), zone)


def _heads(lines: Sequence[str]) -> Iterator[_Head]:
    """Yield the headings of sections and tasks; a smaller one inside a task is part of it."""
    inside = 0
    for at in _open_lines(lines, 0, len(lines)):
        found = markdown.heading(_TIGHT.sub(r"\1 ", lines[at].removeprefix("\ufeff"), count=1))
        if not found:
            continue
        level, title = found
        is_task = level > 1 and _TASK.fullmatch(title)
        if is_task or level == 1 or _SECTION.fullmatch(title) or level <= inside:
            yield _Head(at, level, title)
            inside = level if is_task else 0


def _open_lines(lines: Sequence[str], start: int, end: int) -> Iterator[int]:
    """Yield the lines that are neither code nor comment: a template in the file is no task."""
    at = start
    while at < end:
        after = markdown.enclosed(lines, at)
        if after == at:
            yield at
        at = max(after, at + 1)


def _task(
    lines: Sequence[str],
    span: tuple[int, int],
    head: re.Match[str],
    zone: tzinfo,
    *,
    finished: bool,
) -> Task:
    start, end = span
    while not lines[end - 1].strip():
        end -= 1
    fields: dict[Field, str] = {}
    for name, at, begin in _fields(lines, start + 1, end):
        fields.setdefault(name, lines[at][begin:].strip())
    title = head[3].lstrip(" \t:\uff1a.\u2013\u2014-")
    struck = title.endswith("~~") and (bool(head[1]) or title.startswith("~~"))
    written = _STATUS.match(fields.get("status", ""))
    status = cast("Status", written.lastgroup) if written else "in_progress"
    completed = finished or struck or status == "done"
    times = {name: moment(fields.get(name, ""), zone) for name in _TIMES}
    return Task(
        id=f"TASK-{head[2]}",
        title=title.replace("~~", "").strip(" \t:"),
        status="done" if completed and not written else status,
        completed=completed,
        started=times["started"],
        updated=times["updated"],
        completed_at=times["completed"],
        details=fields.get("details", ""),
        current_step=fields.get("current_step", ""),
        blocked_on=fields.get("blocked_on", ""),
        lines=(start + 1, end),
    )


def _fields(lines: Sequence[str], start: int, end: int) -> Iterator[_Found]:
    for at in _open_lines(lines, start, end):
        found = _FIELD.match(lines[at])
        if found:
            name = _SPACES.sub("_", found["name"].lower()).removeprefix("last_")
            yield _Found(cast("Field", name), at, found.end())


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def the_active(tasks: Iterable[Task]) -> Task | None:
    """Return the task being worked on when there is exactly one; one marked stale is not."""
    active = [task for task in tasks if not task.completed and task.status != "stale"]
    return active[0] if len(active) == 1 else None


def stale(task: Task, now: datetime) -> bool:
    """Tell whether nobody has touched an open task for more than 24 hours, or it is marked so."""
    touched = task.updated or task.started
    if task.completed:
        return False
    if task.status == "stale" or touched is None:
        return task.status == "stale"
    # A date alone may mean any moment of that day.
    day = timedelta(days=1) if touched.time() == datetime.min.time() else timedelta()
    return now - touched > _UNTOUCHED + day


def read(path: Path, *, zone: tzinfo | None = None) -> TaskFile:
    """Read a task file; times without a zone are in `zone`, by default this machine's."""
    try:
        text = _text(path)
    except FileNotFoundError:
        return TaskFile()
    except OSError as error:
        return TaskFile(problem=f"{path} cannot be read: {error.strerror}")
    except ValueError as reason:
        return TaskFile(problem=f"{path} is {reason}")
    return parse(text, zone=zone or datetime.now(UTC).astimezone().tzinfo or UTC)


def _text(path: Path) -> str:
    """Return the text of a file, or say in a ValueError what it is instead."""
    if path.exists() and not path.is_file():  # opening a pipe would wait for ever
        raise ValueError("not a file")
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError(f"larger than {_LARGEST // 1_000_000} MB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ValueError("not a UTF-8 text")
    return text


def write(path: Path, file: TaskFile) -> None:
    """Write a task file, all of it or nothing; its mode stays, and a link stays a link."""
    if file.problem:
        raise NeomemError(f"nothing is written over what was not read: {file.problem}")
    try:
        place = path.resolve()
        mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else 0o644
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
        draft = Path(name)
        try:
            with os.fdopen(handle, "wb") as target:
                target.write(file.written().encode("utf-8"))
                target.flush()
                os.fsync(target.fileno())
            draft.chmod(mode)
            draft.replace(place)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise NeomemError(f"{path} cannot be written: {error.strerror}") from error


class TaskReader:
    """Reads task files, and for a minute not again while a file's time and size are the same."""

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, zone: tzinfo | None = None
    ) -> None:
        self._clock = clock
        self._zone = zone
        self._known: dict[Path, tuple[float, tuple[int, int], TaskFile]] = {}

    def read(self, path: Path) -> TaskFile:
        """Return the tasks of a file; none, and perhaps a problem, when it cannot be read."""
        try:
            found = path.stat()
        except OSError:
            return read(path, zone=self._zone)
        state = found.st_mtime_ns, found.st_size
        at, known, file = self._known.get(path, (0.0, None, TaskFile()))
        if known != state or self._clock() - at >= _CACHED:
            file = read(path, zone=self._zone)
            self._known[path] = self._clock(), state, file
        return file
