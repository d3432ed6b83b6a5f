"""What hooks tell the service: a prompt is coming, something was said, a session begins."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Annotated, Literal

import regex
from pydantic import Field

from neomem.capture.event_time import read_date
from neomem.capture.transcripts import Turn, detect, read
from neomem.capture.turns import as_draft
from neomem.config import Config
from neomem.engine import Engine
from neomem.model import Draft
from neomem.recall import recall
from neomem.recall.request import Request
from neomem.service.block import block
from neomem.service.given import Given
from neomem.service.inputs import Count, Input, Name, Position, Question, Text
from neomem.service.metrics import Metrics

_NO_BUDGET = 10**9
_MOST_EXTRA = 50
"""Hits asked for beyond the limit, in place of those the session knows."""
_PATTERN_SECONDS = 0.2

Place = Annotated[str, Field(max_length=4096)]


class Said(Input):
    """A turn as an agent tells it."""

    text: Text
    role: Literal["user", "assistant"] | None = None
    speaker: Name | None = None
    id: Name | None = Field(default=None, description="tells it apart: sent again, it is kept once")
    position: Position | None = None
    said: Name | None = Field(default=None, description="when, in any common form")


class Happened(Input):
    """Where something happened."""

    session: Name | None = Field(default=None, description="nothing is repeated within one")
    folder: Place | None = Field(default=None, description="the agent's working folder")
    transcript: Place | None = Field(default=None, description="the file of the session")


class Prompted(Happened):
    """A prompt is about to be answered, and what is remembered is asked for."""

    event: Literal["recall"]
    prompt: Question


class Spoken(Happened):
    """Something was said: turns, or lines of a transcript that begin with the line `first`."""

    event: Literal["capture"]
    turns: Annotated[tuple[Said, ...], Field(max_length=1000)] = ()
    lines: Annotated[tuple[str, ...], Field(max_length=100_000)] = ()
    first: Count = 1


class Begun(Happened):
    """A session begins; afresh, its agent no longer sees what it was given."""

    event: Literal["start"]
    afresh: bool = False


Event = Annotated[Prompted | Spoken | Begun, Field(discriminator="event")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a hook is answered."""

    context: str | None = None
    """A block for the agent to read."""
    memories: tuple[str, ...] = ()
    """Ids of the hits in it."""
    captured: dict[str, int] = field(default_factory=dict[str, int])
    """How many turns were stored, dropped, known already …"""
    skipped: bool = False
    """Whether settings say to leave this alone."""


class Hooks:
    """Answers events; knows what each session was given."""

    def __init__(self, config: Config, metrics: Metrics) -> None:
        self._config, self._metrics = config, metrics
        self._settings = config.hooks
        self._given = Given(config.hooks.session_hours * 3600)
        self._prompts = [regex.compile(each) for each in config.hooks.skip_prompts]
        self._sessions = [regex.compile(each) for each in config.hooks.skip_sessions]

    async def tell(self, engine: Engine, agent: str, event: Prompted | Spoken | Begun) -> Told:
        """Do what an event asks for."""
        if self._skips(event):
            return Told(skipped=True)
        match event:
            case Prompted():
                return await self._remembered(engine, agent, event)
            case Spoken():
                return Told(captured=await self.capture(engine, agent, [event]))
            case Begun(session=str(session), afresh=True):
                self._given.forget((agent, session))
            case _:
                pass  # what it was for is done: the service is awake
        return Told()

    async def capture(self, engine: Engine, agent: str, events: Sequence[Spoken]) -> dict[str, int]:
        """Store what was said; count what became of it."""
        heard = [each for event in events if not self._skips(event) for each in drafts_of(event)]
        drafts = [each for each in heard if not _matches(self._prompts, each.text)]
        tally = await engine.capture_many(
            drafts, agent=agent, manner="automatic", total=len(drafts)
        )
        self._metrics.stored(tally.outcomes)
        return tally.outcomes

    async def _remembered(self, engine: Engine, agent: str, event: Prompted) -> Told:
        session = (agent, event.session) if event.session else None
        known = self._given.of(session) if session else frozenset[str]()
        request = Request(
            question=event.prompt,
            agent=agent,
            limit=self._settings.limit + min(len(known), _MOST_EXTRA),
            budget=_NO_BUDGET,
            min_score=self._settings.min_score,
            hide_finished=self._settings.hide_finished,
        )
        answer = await recall(engine.recall_tools, request, datetime.now(UTC))
        self._metrics.answered(answer.missing)
        told = block(answer, known, limit=self._settings.limit, budget=self._settings.budget)
        if told is None:
            return Told()
        if session:
            self._given.add(session, told.given)
        if self._config.recall.record:
            engine.recorder.note([(hit.memory.agent, hit.id) for hit in told.hits])
        return Told(context=told.text, memories=tuple(hit.id for hit in told.hits))

    def _skips(self, event: Prompted | Spoken | Begun) -> bool:
        places = filter(None, (event.session, event.folder, event.transcript))
        if any(_matches(self._sessions, place) for place in places):
            return True
        return isinstance(event, Prompted) and _matches(self._prompts, event.prompt)


def drafts_of(event: Spoken) -> list[Draft]:
    """Return what was said as drafts; lines that are no turns are left out."""
    turns = [_draft(each, event.session) for each in event.turns]
    form = detect(event.lines)
    if form is None:
        return turns
    found = (each for each in read(event.lines, form, event.session) if isinstance(each, Turn))
    placed = (replace(each, position=each.position + event.first - 1) for each in found)
    return [*turns, *(as_draft(each, source="hook") for each in placed)]


def _draft(said: Said, session: str | None) -> Draft:
    moment = read_date(said.said)
    return Draft(
        text=said.text,
        said_at=moment.at if moment else None,
        said=said.said if said.said and moment is None else None,
        source="hook",
        session=session,
        speaker=said.speaker or said.role,
        external_id=said.id,
        position=said.position,
    )


def _matches(patterns: "list[regex.Pattern[str]]", text: str) -> bool:
    """Tell whether a pattern is in a text; one that takes too long is not."""
    for pattern in patterns:
        try:
            if pattern.search(text, timeout=_PATTERN_SECONDS):
                return True
        except TimeoutError:
            continue
    return False
