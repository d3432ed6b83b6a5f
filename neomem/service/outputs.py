"""What the service answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from neomem.model import Answer, Captured, Hit, Kind, Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A memory as an agent reads it: what it says, where that stands, how well it answers."""

    id: str
    text: str
    score: float | None = None
    """In 0..1; none for what is pinned."""
    kind: Kind | None = None
    date: datetime | None = None
    """When it happened."""
    title: str | None = None
    speaker: str | None = None
    session: str | None = None
    path: str | None = None
    line_from: int | None = None
    line_to: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What is remembered on a question, best first."""

    question: str
    agent: str
    model: str
    """The embedder the store was made with."""
    pinned: tuple[Snippet, ...] = ()
    hits: tuple[Snippet, ...] = ()
    tokens: int = 0
    left_out: int = 0
    """Hits the token budget had no room for."""
    hidden: int = 0
    """Hits that belong to finished tasks."""
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    """Signals that were left out, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllCaptured:
    """What became of each text, in order."""

    captured: tuple[Captured, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """The memories that were live before."""

    forgotten: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Whether the service can answer, and for whom."""

    ready: bool
    problem: str | None
    """Why it cannot."""
    agent: str
    model: str
    version: str
    pid: int
    uptime: float
    """Seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What went wrong, and what to do next."""

    kind: str
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An answer that is none."""

    error: Fault


def recalled(answer: Answer, model: str) -> Recalled:
    """Return an answer without its reasons."""
    files = [Snippet(id=file.id, text=file.text, path=file.path) for file in answer.pinned_files]
    return Recalled(
        question=answer.question,
        agent=answer.agent,
        model=model,
        pinned=(*files, *map(snippet, answer.pinned)),
        hits=tuple(map(found, answer.hits)),
        tokens=answer.tokens,
        left_out=answer.left_out,
        hidden=answer.hidden,
        missing=answer.missing,
    )


def found(hit: Hit) -> Snippet:
    """Return a hit as it is read."""
    return replace(snippet(hit.memory, round(hit.score, 4)), text=hit.text)


def snippet(memory: Memory, score: float | None = None) -> Snippet:
    """Return a memory as it is read."""
    return Snippet(
        id=memory.id,
        text=memory.text,
        score=score,
        kind=memory.kind,
        date=memory.event_at,
        title=memory.title,
        speaker=memory.speaker,
        session=memory.session,
        path=memory.path,
        line_from=memory.line_from,
        line_to=memory.line_to,
    )
