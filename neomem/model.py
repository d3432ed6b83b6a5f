"""What neomem speaks of: memories as they are asked for, as they are kept, as they are found."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Literal, Self

Kind = Literal[
    "fact", "preference", "decision", "event", "lesson", "turn", "chunk", "summary", "other"
]
Scope = Literal["session", "user", "global"]
Outcome = Literal["stored", "duplicate", "near duplicate", "quarantined", "dropped"]

DEFAULT_AGENT = "default"
SHARED_AGENT = "shared"
FOREVER = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""The end of what has none: the vector index cannot filter on null."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A text somebody wants remembered, with whatever is known about it.

    With a session it is a turn, told apart by `external_id` or `position`; without, a memory.
    """

    text: str
    kind: Kind | None = None
    title: str | None = None
    said_at: datetime | None = None
    said: str | None = None
    """The date as it was written, when it could not be read."""
    importance: float | None = None
    authority: float | None = None
    about: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    source: str = "api"
    trust: float = 1.0
    expires_at: datetime | None = None
    session: str | None = None
    speaker: str | None = None
    external_id: str | None = None
    position: int | None = None
    context: str = ""
    path: str | None = None
    line_from: int | None = None
    line_to: int | None = None
    evergreen: bool = False

    def __post_init__(self) -> None:
        for name in ("said_at", "expires_at"):
            moment = getattr(self, name)
            if moment is not None and moment.tzinfo is None:
                raise ValueError(f"{name} needs a time zone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What became of a draft."""

    outcome: Outcome
    id: str | None = None
    """Of the memory that holds the text now; none when it was dropped."""
    reason: str | None = None
    """Why it was quarantined or dropped, without repeating it."""
    masked: tuple[str, ...] = ()
    """Families of secrets that were replaced by a mark."""
    cut: int = 0
    """Characters the embedder did not read."""
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory as it is kept."""

    id: str
    agent: str
    text: str
    kind: Kind
    scope: Scope
    importance: float
    authority: float
    created_at: datetime
    event_at: datetime
    valid_from: datetime
    valid_until: datetime
    live: bool
    version: int = 1
    context: str = ""
    title: str | None = None
    pinned: bool = False
    lasting: bool = False
    evergreen: bool = False
    source: str = "api"
    trust: float = 1.0
    quarantined: bool = False
    event_until: datetime | None = None
    said: str | None = None
    archived_at: datetime | None = None
    expires_at: datetime | None = None
    retrievals: int = 0
    last_retrieved_at: datetime | None = None
    seen: int = 1
    last_seen_at: datetime | None = None
    task_id: str | None = None
    speaker: str | None = None
    session: str | None = None
    path: str | None = None
    line_from: int | None = None
    line_to: int | None = None
    confidence: float | None = None
    decay_rate: float | None = None
    method: str | None = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """Read a row whose column `memory` is a map of a memory's properties."""
        kept = row["memory"]
        known = {field.name for field in fields(cls)}
        return cls(
            **{name: value for name, value in kept.items() if name in known and value is not None}
        )
