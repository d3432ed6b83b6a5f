"""What is known of the memories that may answer: who named them, how high, and what they are."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from neomem.model import Kind, Scope, Signal

SIGNALS: tuple[Signal, ...] = ("vector", "bm25", "graph")


@dataclass(frozen=True, slots=True)
class Heard:
    """One memory in a voice: its score in 0..1 and its rank from 1; equals share a rank."""

    id: str
    score: float
    rank: float
    raw: float | None = None
    """The score as the search gave it, where that is another."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One ranked list of a signal, best first, and how much of the signal's weight it has."""

    signal: Signal
    name: str
    hits: tuple[Heard, ...]
    share: float = 1.0
    sure: float = 1.0
    """How much it can say of any memory, in 0..1; its scores have that in them."""


class Named(NamedTuple):
    """An entity that a memory names: its key and name, and how many memories name it."""

    key: str
    name: str
    degree: int


class Ties(NamedTuple):
    """What a memory is joined to."""

    session: str | None
    before: str | None
    after: str | None
    about: tuple[str, ...]
    joined: tuple[tuple[str, str], ...]
    amends: tuple[str, ...]
    sums_up: tuple[str, ...]


def ties(told: Iterable[tuple[str, bool, str]]) -> Ties:
    """Read relationships, each told by its type, whether it begins here, and the other end."""
    ends: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
    for kind, outgoing, other in told:
        ends[kind, outgoing].append(other)
    get, nothing = ends.get, (None,)
    return Ties(
        session=get(("IN_SESSION", True), nothing)[0],
        before=get(("NEXT", False), nothing)[0],
        after=get(("NEXT", True), nothing)[0],
        about=tuple(get(("ABOUT", True), ())),
        joined=tuple((kind, other) for kind, way in _JOINING for other in get((kind, way), ())),
        amends=tuple(get(("AMENDS", True), ())),
        sums_up=tuple(get(("SUMMARISES", True), ())),
    )


_JOINING = tuple((kind, way) for kind in ("LINKS", "SIMILAR") for way in (True, False))


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that may answer, with all that scoring looks at."""

    id: str
    text: str
    kind: Kind = "other"
    scope: Scope = "user"
    event_at: float = 0.0
    """Seconds since the epoch, as all ages are counted."""
    evergreen: bool = False
    pinned: bool = False
    lasting: bool = False
    trust: float = 1.0
    authority: float = 0.5
    retrievals: int = 0
    decay_rate: float | None = None
    task_id: str | None = None
    path: str | None = None
    title: str | None = None
    speaker: str | None = None
    turn_order: str | None = None
    """Of a turn: sorts it among all that was said."""
    created_at: float = 0.0
    session: str | None = None
    before: str | None = None
    after: str | None = None
    """The turns beside it."""
    about: tuple[str, ...] = ()
    """Keys of the entities it is about."""
    names: tuple[Named, ...] = ()
    """Of the best candidates: the entities they name."""
    joined: tuple[tuple[str, str], ...] = ()
    """Memories it is joined to, and how: linked by its author, or alike."""
    amends: tuple[str, ...] = ()
    """Older memories that it gives another figure for, as sleep has found, and their summaries."""
    cosine: float | None = None
    """To the question; none while the vector signal is silent."""
    context_cosine: float | None = None
    feedback_cosine: float | None = None
    """To the middle of the memories nearest to the question."""


def voice(
    signal: Signal,
    name: str,
    scores: Mapping[str, float],
    *,
    share: float = 1.0,
    sure: float = 1.0,
    raw: Mapping[str, float] | None = None,
) -> Voice:
    """Rank scores: best first, equals at the mean of their places, so that none wins by its id."""
    heard = {key: sure * score for key, score in scores.items()}
    ordered = sorted(heard.items(), key=lambda item: (-item[1], item[0]))
    return Voice(signal, name, tuple(_heard(ordered, raw or {})), share, sure)


def _heard(ordered: list[tuple[str, float]], raw: Mapping[str, float]) -> Iterable[Heard]:
    start = 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and ordered[end][1] == ordered[start][1]:
            end += 1
        rank = (start + 1 + end) / 2
        yield from (Heard(name, score, rank, raw.get(name)) for name, score in ordered[start:end])
        start = end


def session_shares(
    candidates: Mapping[str, Candidate], scores: Mapping[str, float]
) -> dict[str, float]:
    """Return how much of what was found is of each candidate's session, of the fullest 1."""
    mass: dict[str, float] = {}
    for name, each in candidates.items():
        if each.session:
            mass[each.session] = mass.get(each.session, 0.0) + scores.get(name, 0.0)
    most = max(mass.values(), default=0.0)
    return {
        name: mass[each.session] / most
        for name, each in candidates.items()
        if each.session and most > 0
    }
