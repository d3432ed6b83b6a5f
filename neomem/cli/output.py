"""How answers, progress and log lines look: stdout is the answer, stderr is talk."""

import difflib
import json
import logging
import re
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    SpinnerColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.progress import Progress as Bars
from rich.table import Table

from neomem.progress import Notify, Progress

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_STANDARD = set(vars(logging.makeLogRecord({})))


def print_json(answer: object) -> None:
    """Print an answer for programs."""
    sys.stdout.write(json.dumps(answer, default=_plain, ensure_ascii=False, indent=2) + "\n")


def print_text(text: str) -> None:
    """Print an answer for people, as it is."""
    console = Console(soft_wrap=True, highlight=False, markup=False, emoji=False)
    console.print(_harmless(text))


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, talk: bool = False
) -> None:
    """Print a table that fits the terminal; as talk, it goes to stderr."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*map(_harmless, row))
    Console(stderr=talk, highlight=False, markup=False, emoji=False).print(table)


def diff(name: str, before: bytes | None, after: bytes | None) -> list[str]:
    """Return the lines that tell two states of a file apart; None is a file that is not there."""
    old, new = ((text or b"").decode(errors="replace").splitlines() for text in (before, after))
    names = ("/dev/null" if text is None else name for text in (before, after))
    return list(difflib.unified_diff(old, new, next(names), next(names), lineterm=""))


def print_diff(name: str, before: bytes | None, after: bytes | None, *, talk: bool) -> None:
    """Print what changes in a file, green and red on a terminal; as talk, it goes to stderr."""
    console = Console(stderr=talk, soft_wrap=True, highlight=False, markup=False, emoji=False)
    colours = {"+": "green", "-": "red"}
    for line in diff(name, before, after):
        console.print(_harmless(line), style=colours.get(line[:1]))


def _harmless(text: str) -> str:
    """Return text without characters that give orders to a terminal."""
    return _CONTROL.sub("\ufffd", text)


def print_pairs(pairs: Mapping[str, object]) -> None:
    """Print names and values, one a line; what is not known is left out."""
    known = {name: value for name, value in pairs.items() if value is not None}
    width = max(map(len, known), default=0)
    for name, value in known.items():
        print_text(f"{name:<{width}}  {value}")


def size(count: int | None) -> str | None:
    """Return bytes in words."""
    return None if count is None else f"{count / 1e6:,.1f} MB"


@contextmanager
def progress() -> Generator[Notify]:
    """Draw progress on stderr: a bar on a terminal, a line per step elsewhere."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield _Lines(console)
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Bars(*columns, TimeElapsedColumn(), console=console, transient=True) as bars:
        task = bars.add_task("", total=None)

        def notify(event: Progress) -> None:
            total = event.total or None
            bars.update(task, description=_label(event), completed=event.done, total=total)

        yield notify


class _Lines:
    """A line when a step begins, for logs and pipes."""

    def __init__(self, console: Console) -> None:
        self._console, self._last = console, ""

    def __call__(self, event: Progress) -> None:
        if event.step != self._last:
            self._last = event.step
            self._console.print(f"{_label(event)} …")


def _label(event: Progress) -> str:
    return f"{event.step} ({size(event.total)})" if event.unit == "bytes" else event.step


def configure_logging(verbose: int, log_format: str) -> None:
    """Send log lines to stderr, warnings and worse unless asked for more."""
    handler = logging.StreamHandler()
    plain = logging.Formatter("%(levelname)s %(name)s: %(message)s")
    handler.setFormatter(_JsonLines() if log_format == "json" else plain)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    levels = [logging.WARNING, logging.INFO, logging.DEBUG]
    for ours in ("neomem", "sleep_cycle"):
        logging.getLogger(ours).setLevel(levels[min(verbose, 2)])


class _JsonLines(logging.Formatter):
    """One JSON object a line, with the fields given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON."""
        extra = {key: value for key, value in vars(record).items() if key not in _STANDARD}
        return json.dumps(
            {
                "time": datetime.fromtimestamp(record.created).astimezone().isoformat(),
                "level": record.levelname.lower(),
                "logger": record.name,
                "message": record.getMessage(),
                **extra,
            },
            default=_plain,
        )


def _plain(value: object) -> Any:  # noqa: ANN401 - whatever JSON can hold
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in JSON")
