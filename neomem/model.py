"""What neomem speaks of: memories as they are asked for, as they are kept, as they are found."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Literal, Self

Kind = Literal[
    "fact", "preference", "decision", "event", "lesson", "turn", "chunk", "summary", "other"
]
Scope = Literal["session", "user", "global"]
Outcome = Literal["stored", "duplicate", "near duplicate", "quarantined", "dropped"]

Signal = Literal["vector", "bm25", "graph"]
Fusion = Literal["evidence", "confidence_rrf", "rrf", "linear", "weighted", "two_pass"]
Preset = Literal[
    "neomem", "openclaw", "libravdb", "memory-neo4j", "ruvbot", "ruvbot-linear", "ruvbot-weighted"
]

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
        """Read a row whose column `memory` is a map of a memory's properties.

        Moments may come as text, as Neo4j writes them: a zone's name may follow the offset.
        """
        kept: dict[str, Any] = {
            name: value
            for name, value in row["memory"].items()
            if name in _KEPT and value is not None
        }
        told = {name: kept[name] for name in _MOMENTS & kept.keys()}
        kept |= {
            name: datetime.fromisoformat(moment.partition("[")[0])
            for name, moment in told.items()
            if isinstance(moment, str)
        }
        return cls(**kept)


_KEPT = frozenset(each.name for each in fields(Memory))
_MOMENTS = frozenset(each.name for each in fields(Memory) if "datetime" in str(each.type))


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one voice of a signal had to say for a memory."""

    signal: str
    voice: str
    rank: float
    score: float
    raw: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory in an answer, and why it is there."""

    memory: Memory
    score: float
    """Relevance times the factors, in 0..1."""
    relevance: float
    """How probably it answers the question."""
    factors: Mapping[str, float]
    said: tuple[Said, ...] = ()
    evidence: Mapping[str, float]
    """What the second pass weighed."""
    terms: tuple[str, ...] = ()
    """Words of the question it has."""
    path: str | None = None
    """The way through the graph that led to it."""
    beside: str | None = None
    """Of a hit that came along with another: that one's id."""
    sources: tuple[str, ...] = ()
    """Of a summary: what it sums up."""
    quote: str | None = None
    """Of a summary: the source nearest to the question, where its own text has not got it."""

    @property
    def id(self) -> str:
        """The memory's."""
        return self.memory.id

    @property
    def text(self) -> str:
        """The memory's, and of a summary what it is quoted for."""
        return "\n".join(filter(None, (self.memory.text, self.quote)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedFile:
    """A file that is in every answer, as it reads now."""

    path: str
    text: str

    @property
    def id(self) -> str:
        """What tells it apart: its path."""
        return self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an agent remembers on a question: the pinned memories, then what was found."""

    question: str
    agent: str
    pinned: tuple[Memory, ...]
    pinned_files: tuple[PinnedFile, ...] = ()
    hits: tuple[Hit, ...] = ()
    question_class: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    ranking: str = "neomem"
    entities: tuple[str, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    """Signals that were left out, and why."""
    tokens: int = 0
    left_out: int = 0
    """Hits the token budget had no room for."""
    hidden: int = 0
    """Hits that belong to finished tasks."""
    steps: Mapping[str, float] = field(default_factory=dict[str, float])
    """Milliseconds of each step."""
