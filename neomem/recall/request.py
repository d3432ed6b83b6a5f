"""What is asked of a recall, checked and completed from the settings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from neomem.errors import InputError
from neomem.model import DEFAULT_AGENT, SHARED_AGENT, Fusion, Kind, Preset, Signal
from neomem.recall.presets import PRESETS
from neomem.recall.presets import Preset as Ranking
from neomem.recall.within import Within
from neomem.sections import RecallSettings
from neomem.text import session_key

_MOST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A question, and how it is to be answered; what is None is as the settings say."""

    question: str
    agent: str = DEFAULT_AGENT
    limit: int | None = None
    budget: int | None = None
    """Tokens of the whole answer."""
    session: str | None = None
    """Only what was said in this session."""
    since: datetime | None = None
    until: datetime | None = None
    """Only what happened then or later, and before then."""
    as_of: datetime | None = None
    """What held then, not now."""
    kinds: Sequence[Kind] = ()
    signals: Sequence[Signal] | None = None
    fusion: Fusion | None = None
    preset: Preset | None = None
    min_score: float | None = None
    hide_finished: bool | None = None
    diversity: float | None = None
    expand: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How one question is answered, nothing left open."""

    within: Within
    limit: int
    budget: int | None
    width: int
    signals: tuple[Signal, ...]
    fusion: Fusion
    ranking: Ranking | None
    """Of another system; None for neomem's own."""
    min_score: float
    hide_finished: bool
    diversity: float
    expand: int
    beside_floor: float
    """What a neighbour has to score."""


def plan(request: Request, settings: RecallSettings, now: datetime) -> Plan:
    """Complete a request; what cannot be meant is InputError."""
    _check(request)
    ranking = PRESETS.get(request.preset or settings.preset)
    usual = ranking.limit if ranking and request.limit is None else settings.limit
    limit = min(usual if request.limit is None else request.limit, _MOST)
    width = max(settings.width, settings.width_per_hit * limit)
    signals: tuple[Signal, ...] = tuple(dict.fromkeys(request.signals or settings.signals))
    diversity = settings.diversity if request.diversity is None else request.diversity
    expand = settings.expand if request.expand is None else request.expand
    min_score = settings.min_score if request.min_score is None else request.min_score
    if ranking:
        signals = _of_ranking(ranking, signals)
        diversity, expand = ranking.diversity or 1.0, 0
    return Plan(
        within=_within(request, settings, now),
        limit=limit,
        budget=settings.budget if request.budget is None else request.budget,
        width=max(ranking.candidates(limit), 1) if ranking else min(width, _widest(limit)),
        signals=signals,
        fusion=request.fusion or settings.fusion,
        ranking=ranking,
        min_score=min_score,
        hide_finished=(
            settings.hide_finished if request.hide_finished is None else request.hide_finished
        ),
        diversity=diversity,
        expand=expand,
        beside_floor=max(settings.expand_floor, min_score),
    )


def _of_ranking(ranking: Ranking, asked: Sequence[Signal]) -> tuple[Signal, ...]:
    """Return the signals another system has, of those asked for."""
    both: tuple[Signal, ...] = tuple(each for each in ranking.signals if each in asked)
    if not both:
        has, wanted = " and ".join(ranking.signals), " or ".join(asked)
        raise InputError(f"the preset {ranking.name} has no {wanted}: it ranks by {has}")
    return both


def _widest(limit: int) -> int:
    return max(200, limit)


def _within(request: Request, settings: RecallSettings, now: datetime) -> Within:
    shared = settings.include_shared and request.agent != SHARED_AGENT
    session = request.session
    return Within(
        agents=(request.agent, SHARED_AGENT) if shared else (request.agent,),
        as_of=request.as_of or now,
        past=request.as_of is not None,
        kinds=tuple(request.kinds),
        since=request.since,
        until=request.until,
        session=None if session is None else session_key(request.agent, session),
    )


def _check(request: Request) -> None:
    problems = [*_wrong_numbers(request), *_wrong_times(request), *_wrong_names(request)]
    if problems:
        raise InputError("\n".join(problems))


def _wrong_numbers(request: Request) -> Iterator[str]:
    for name in ("limit", "budget", "expand"):
        number = getattr(request, name)
        if number is not None and number < 0:
            yield f"{name} is {number}; it is 0 or more"
    for name in ("min_score", "diversity"):
        share = getattr(request, name)
        if share is not None and not 0 <= share <= 1:
            yield f"{name} is {share}; it is between 0 and 1"


def _wrong_times(request: Request) -> Iterator[str]:
    since, until = request.since, request.until
    naive = [
        name
        for name in ("since", "until", "as_of")
        if (moment := getattr(request, name)) is not None and moment.tzinfo is None
    ]
    yield from (f"{name} needs a time zone" for name in naive)
    if not naive and since and until and since >= until:
        yield "since is not before until"


def _wrong_names(request: Request) -> Iterator[str]:
    for name, given, known in (
        ("kind", request.kinds, get_args(Kind)),
        ("signal", request.signals or (), get_args(Signal)),
        ("fusion", filter(None, [request.fusion]), get_args(Fusion)),
        ("preset", filter(None, [request.preset]), get_args(Preset)),
    ):
        yield from (
            f"{one!r} is no {name}: {', '.join(known)}" for one in given if one not in known
        )
