"""What long work says while it runs; the command line decides how to draw it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of long work, and how far it is when that can be counted."""

    step: str
    done: int = 0
    total: int = 0
    unit: Literal["steps", "bytes"] = "steps"


Notify = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Say nothing: the default for callers who do not watch."""
