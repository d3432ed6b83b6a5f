"""Names and relations that capture did not see: known by now, plainly stated, read by a model."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from neomem.capture.extract import ExtractionAnswer, checked
from neomem.capture.rows import ROLES
from neomem.model import FOREVER
from neomem.models import prompts
from neomem.ports import EntityFinder, Found
from neomem.recall.terms import STOP_WORDS
from neomem.store import queries
from neomem.store.graph import Row
from neomem.text import entity_key, fingerprint, lane, ordinary_words
from sleep_cycle.known import known
from sleep_cycle.phase import Change, Decided, Edge, Night, Phase, entity, memory
from sleep_cycle.relations import Relation, relations

UNREAD = queries.load("sleep/unread")

_PAGE = 200
_LONGEST = 8000
_OPENING = 1500
"""Characters that an embedder reads: what a long answer names after that, it is hardly about."""
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Read:
    """What was read in a memory: names with their types and confidence, and relations."""

    row: Row
    names: tuple[tuple[str, str, float, bool], ...]
    relations: tuple[Relation, ...]
    by_model: bool = False


async def find(night: Night) -> AsyncIterator[list[Row]]:
    """Yield memories that were not read again since they were captured."""
    async for page in night.pages(UNREAD, _PAGE):
        yield page


async def decide(night: Night, found: Sequence[Row]) -> Decided:
    """Join each memory to what it names, and entities to each other; new names need a model."""
    finder = await night.engine.names.of(night.engine.graph, night.agent)
    read = await asyncio.to_thread(_read, finder, found)
    if night.judge.there:
        read = [await _with_model(night, each) for each in read]
    rows = await known(night, (name for each in read for name in _named(each)))
    keys = {key: row["now"] for key, row in rows.items()}
    changes = [change for each in read if (change := _change(night, each, keys))]
    return Decided(changes, {"Memory": [row["id"] for row in found]})


def _read(finder: EntityFinder, found: Sequence[Row]) -> list[Read]:
    return [_by_rule(row, finder.find(row["text"][:_LONGEST])) for row in found]


def _by_rule(row: Row, found: Sequence[Found]) -> Read:
    """Take what a text plainly names; whom it is about, capture has judged with the embedder."""
    speaker, text = row["speaker"], row["text"][:_LONGEST]
    person = speaker if speaker and speaker.casefold() not in ROLES else None
    plain = [each for each in found if plainly(each, text)]
    early = (each for each in plain if each.end <= _OPENING)
    names = tuple((each.name, each.type, each.confidence, False) for each in early)
    return Read(row, names, tuple(relations(text, person, plain)))


def plainly(found: Found, text: str) -> bool:
    """Tell whether a name stands there as the graph writes it, and reads like one.

    Capture takes a heading such as "Tips" or "In Porto" for a name now and then; a graph that joins
    every text with such words to it leads recall astray.
    """
    words = [word.casefold() for word in _WORD.findall(found.name)]
    return (
        text[found.start : found.end] == found.name
        and not ordinary_words().issuperset(words)
        and words[0] not in STOP_WORDS
    )


def _named(each: Read) -> set[str]:
    ends = {name for one in each.relations for name in (one.source, one.target)}
    return {name for name, *_ in each.names} | ends


async def _with_model(night: Night, each: Read) -> Read:
    """Add what a model reads, as far as it stands in the text."""
    row = each.row
    text = row["text"][:_LONGEST]
    answer = await night.judge.ask(prompts.extract(row["event_at"]), text, ExtractionAnswer)
    if answer is None:
        return each
    held = checked(answer, text, row["event_at"].tzinfo)
    names = tuple((e.name, e.type, e.confidence, e.subject) for e in held.entities)
    more = tuple(Relation(r.source, r.type, r.target, r.confidence) for r in held.relations)
    return Read(row, (*each.names, *names), (*each.relations, *more), by_model=True)


def _change(night: Night, each: Read, known: dict[str, str]) -> Change | None:
    """Return what is new of a reading; by rule alone, only entities the graph has are joined."""
    agent, row = night.agent, each.row
    made: dict[str, dict[str, Any]] = {}

    def key_of(name: str, type_: str = "other") -> str | None:
        key = entity_key(agent, name)
        if key in known:
            return known[key]
        if each.by_model:
            made[key] = _entity(key, name, type_, agent)
            return key
        return None

    named = [(key_of(name, type_), sure, about) for name, type_, sure, about in each.names]
    edges: dict[tuple[str, str], Edge] = {}
    for key, sure, about in named:
        for type_ in ("MENTIONS", *(("ABOUT",) if about else ())):
            if key and key not in row[type_.lower()]:
                place = memory(row["id"]), entity(key)
                edges[type_, key] = Edge(type_, *place, {"confidence": sure})
    joined = [
        _relates(row, one, source, target)
        for one in each.relations
        if (source := key_of(one.source)) and (target := key_of(one.target)) and source != target
    ]
    fresh = [edge for edge in joined if edge.properties["id"] not in row["relations"]]
    if not edges and not fresh:
        return None
    used = {edge.end[1] for edge in edges.values()} | {
        k for e in fresh for k in (e.start[1], e.end[1])
    }
    return Change(
        action="join",
        about=row["id"],
        why=f"names {len(edges)} more, states {len(fresh)} relations",
        evidence={"by": "model" if each.by_model else "rule"},
        expects={row["id"]: row["version"]},
        entities=tuple(made[key] for key in sorted(made) if key in used),
        edges=(*(edges[place] for place in sorted(edges)), *fresh),
    )


def _entity(key: str, name: str, type_: str, agent: str) -> dict[str, Any]:
    properties = {"name": name, "type": type_, "lane": lane(agent), "aliases": list[str]()}
    return {"key": key, "properties": {**properties, "sleep_entities": True}}


def _relates(row: Row, one: Relation, source: str, target: str) -> Edge:
    return Edge(
        "RELATES",
        entity(source),
        entity(target),
        {
            "id": fingerprint(row["id"], source, one.type, target),
            "type": one.type,
            "confidence": one.confidence,
            "valid_from": row["valid_from"],
            "valid_until": FOREVER,
            "memory": row["id"],
        },
    )


PHASE = Phase("extract", find, decide)
