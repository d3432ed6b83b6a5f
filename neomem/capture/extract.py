"""What a language model reads in a text: entities, relations, time, importance, kind.

Its answer is checked against the text; what does not hold is left out with a reason. A reason
names the place in the answer and repeats none of it. Nothing here can pin a memory.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from neomem.models import prompts
from neomem.ports import EntityType, LanguageModel
from neomem.text import normalise

Kind = Literal["fact", "preference", "decision", "event", "lesson", "other"]
Share = Annotated[float, Field(ge=0, le=1)]
Words = Annotated[str, Field(min_length=1, max_length=200)]
Time = Annotated[str, Field(max_length=40)] | None
Discard = Callable[[str], None]

_PERIOD = re.compile(r"(\d{4})(?:-(\d{2}))?")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_WORD = re.compile(r"[\W_]+")
_DECEMBER = 12


class _Shape(BaseModel):
    """A part of the answer: nothing converted, nothing added."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class EntityAnswer(_Shape):
    """An entity as the model gives it."""

    name: Words
    type: EntityType
    aliases: Annotated[list[Words], Field(max_length=10)] = []
    subject: bool = False
    confidence: Share


class RelationAnswer(_Shape):
    """A relation as the model gives it."""

    source: Words
    target: Words
    type: Words
    confidence: Share
    valid_from: Time = None
    valid_until: Time = None
    qualifier: Annotated[str, Field(max_length=200)] | None = None


class ExtractionAnswer(_Shape):
    """All that the model is asked for."""

    entities: Annotated[list[EntityAnswer], Field(max_length=50)]
    relations: Annotated[list[RelationAnswer], Field(max_length=50)]
    event_at: Time = None
    event_until: Time = None
    importance: Share
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedEntity:
    """An entity that the text names, by its name or an alias."""

    name: str
    type: EntityType
    aliases: tuple[str, ...] = ()
    subject: bool = False
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedRelation:
    """A fact between two of the entities, each by its name; the type in UPPER_SNAKE."""

    source: str
    target: str
    type: str
    confidence: float
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    qualifier: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What holds of the answer, with times in UTC, and why the rest was left out."""

    entities: tuple[ExtractedEntity, ...] = ()
    relations: tuple[ExtractedRelation, ...] = ()
    event_at: datetime | None = None
    event_until: datetime | None = None
    importance: float = 0.5
    kind: Kind = "other"
    discarded: tuple[str, ...] = ()


async def extract(model: LanguageModel, text: str, *, said_at: datetime) -> Extraction:
    """Ask the model about a text; an answer of another shape is ModelAnswerInvalid."""
    if said_at.tzinfo is None:
        raise ValueError("said_at needs a time zone")
    if not text.strip():
        return Extraction()
    answer = await model.ask(prompts.extract(said_at), text, ExtractionAnswer)
    return checked(answer, text, said_at.tzinfo)


def checked(answer: ExtractionAnswer, text: str, zone: tzinfo) -> Extraction:
    """Return what holds of an answer about a text; times without a zone are in `zone`."""
    discarded: list[str] = []
    entities = _entities(answer.entities, text, discarded.append)
    relations = _relations(answer.relations, entities, zone, discarded.append)
    event_at, event_until = _event(answer, zone, discarded.append)
    return Extraction(
        entities=entities,
        relations=relations,
        event_at=event_at,
        event_until=event_until,
        importance=answer.importance,
        kind=answer.kind,
        discarded=tuple(discarded),
    )


def _entities(
    given: Sequence[EntityAnswer], text: str, discard: Discard
) -> tuple[ExtractedEntity, ...]:
    kept: dict[str, ExtractedEntity] = {}
    words = normalise(text)
    for place, entity in enumerate(given):
        name = normalise(entity.name)
        aliases = {normalise(alias): " ".join(alias.split()) for alias in entity.aliases}
        known = {plain: alias for plain, alias in aliases.items() if plain and plain in words}
        if not name or (name not in words and not known):
            discard(f"entities.{place}: its name is not in the text")
            continue
        if name in kept:
            discard(f"entities.{place}: given before")
            continue
        if len(known) < len(aliases):
            discard(f"entities.{place}: an alias is not in the text")
        known.pop(name, None)
        kept[name] = ExtractedEntity(
            name=" ".join(entity.name.split()),
            type=entity.type,
            aliases=tuple(known.values()),
            subject=entity.subject,
            confidence=entity.confidence,
        )
    return tuple(kept.values())


def _relations(
    given: Sequence[RelationAnswer],
    entities: Sequence[ExtractedEntity],
    zone: tzinfo,
    discard: Discard,
) -> tuple[ExtractedRelation, ...]:
    names = {normalise(alias): entity.name for entity in entities for alias in entity.aliases}
    names |= {normalise(entity.name): entity.name for entity in entities}
    kept: dict[tuple[object, ...], ExtractedRelation] = {}
    for place, relation in enumerate(given):
        try:
            found = _relation(relation, names, zone)
            key = (found.source, found.type, found.target, found.valid_from, found.valid_until)
            if key in kept:
                raise ValueError("given before")  # noqa: TRY301 - one way to leave one out
        except ValueError as reason:
            discard(f"relations.{place}: {reason}")
        else:
            kept[key] = found
    return tuple(kept.values())


def _relation(given: RelationAnswer, names: dict[str, str], zone: tzinfo) -> ExtractedRelation:
    """Return the relation, or say in a ValueError why it does not hold."""
    source, target = names.get(normalise(given.source)), names.get(normalise(given.target))
    kind = relation_type(given.type)
    if source is None or target is None:
        raise ValueError("an end is not among the entities")
    if source == target:
        raise ValueError("both ends are the same")
    if not kind:
        raise ValueError("its type has no letters")
    valid_from, valid_until = moment(given.valid_from, zone), moment(given.valid_until, zone)
    if valid_from and valid_until and valid_until < valid_from:
        raise ValueError("it ends before it begins")
    return ExtractedRelation(
        source=source,
        target=target,
        type=kind,
        confidence=given.confidence,
        valid_from=valid_from,
        valid_until=valid_until,
        qualifier=given.qualifier or None,
    )


def _event(
    answer: ExtractionAnswer, zone: tzinfo, discard: Discard
) -> tuple[datetime | None, datetime | None]:
    try:
        at = moment(answer.event_at, zone)
        until = moment(answer.event_until, zone) or _end(answer.event_at, zone)
    except ValueError as reason:
        discard(f"event_at: {reason}")
        return None, None
    if at is None and until is not None:
        discard("event_until: there is no event_at")
        return None, None
    if at and until and until < at:
        discard("event_until: it ends before it begins")
        return at, None
    return at, until


def moment(written: str | None, zone: tzinfo) -> datetime | None:
    """Return the first moment of an ISO time, date, month or year, in UTC."""
    if not written:
        return None
    period = _PERIOD.fullmatch(written)
    try:
        time = (
            datetime(int(period[1]), int(period[2] or 1), 1, tzinfo=zone)
            if period
            else datetime.fromisoformat(written)
        )
        return (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("a time cannot be read") from None  # without repeating it


def _end(written: str | None, zone: tzinfo) -> datetime | None:
    """Return the moment after a month or a year; None for what is exact to the day."""
    period = _PERIOD.fullmatch(written or "")
    if not period:
        return None
    year, month = int(period[1]), int(period[2] or _DECEMBER)
    following = f"{year + 1:04}" if month == _DECEMBER else f"{year:04}-{month + 1:02}"
    return moment(following, zone)


def relation_type(written: str) -> str:
    """Return a relation's type in UPPER_SNAKE."""
    return _NOT_WORD.sub("_", _HUMP.sub("_", written)).strip("_").upper()
