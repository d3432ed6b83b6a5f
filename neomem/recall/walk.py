"""The graph signal: from entities to memories, through what these name to more of them.

Pure but for `Walker`, which asks Neo4j for one step at a time.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from neomem.recall import terms
from neomem.recall.evidence import Named
from neomem.recall.within import Within
from neomem.store import queries
from neomem.store.graph import Graph, Row
from neomem.text import entity_key, lane, normalise, ordinary_words

SEEDS = queries.load("recall/seeds")
ONWARD = queries.load("recall/onward")

_WORD = re.compile(r"\w+(?:['.&/+-]\w+)*")
_LONGEST_NAME = 4
"""Words of a question that may be one name."""
_BY_WORDS, _BY_LIKENESS = 0.8, 0.6
"""How certain it is that an entity is meant, when it was not recognised as a name."""
_MENTION = 0.8
"""What naming is worth beside being about."""
_STEP = 0.8
"""What a step from entity to entity costs."""
_ONWARD = 20
"""Memories that are walked on from."""
_PER_ENTITY = 40
"""Memories an entity may lead to: no voice says more."""
_RELATIONS = 20


@dataclass(frozen=True, slots=True)
class Reached:
    """A place in the graph: how certain the way to it is, what it is worth, and the way."""

    confidence: float
    weight: float
    path: str
    leads: bool = False
    """The walk goes on from here: an entity that stands in a relation, a text about its entity.
    Not a turn: it is about whoever says it, and that leads to all the rest of the talk."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a walk ends."""

    depth: int = 1
    firing: float = 0.3
    hub: int = 2000


class Edge(NamedTuple):
    """From an entity to a memory that is about it, or names it."""

    entity: str
    degree: int
    memory: str
    confidence: float
    about: bool
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Walker:
    """Asks for the next step of a walk."""

    graph: Graph
    within: Within
    limits: Limits

    async def seeds(
        self, question: str, names: Sequence[str]
    ) -> tuple[dict[str, Reached], list[Edge]]:
        """Return the entities a question names, by key and else by likeness, and their memories."""
        agents = self.within.agents
        given = {normalise(name) for name in names}
        keys = {
            entity_key(agent, phrase): 1.0 if phrase in given else _BY_WORDS
            for agent in agents
            for phrase in {*given, *phrases(question)}
        }
        lanes = [lane(agent) for agent in agents]
        queried = {name: terms.fuzzy_name_query(lanes, [name]) for name in sorted(given)}
        rows = await self.graph.read(
            SEEDS,
            keys=sorted(keys),
            names=[
                {"keys": [entity_key(agent, name) for agent in agents], "query": query}
                for name, query in queried.items()
                if query
            ],
            hub=self.limits.hub,
            limit=_PER_ENTITY,
            **self.within.parameters,
        )
        sure = {row["key"]: max(map(keys.__getitem__, row["asked"]), default=0.0) for row in rows}
        seeds = {
            row["key"]: Reached(much, much, row["name"], row["related"])
            for row in rows
            for much in [sure[row["key"]] or _BY_LIKENESS]
        }
        return seeds, [*edges(rows, "naming"), *edges(rows, "about")]

    async def walk(self, seeds: Mapping[str, Reached], found: Iterable[Edge]) -> dict[str, Reached]:
        """Return the memories that entities lead to, over as many steps as the limits allow."""
        if not seeds:
            return {}
        fired, passed = dict(seeds), set(seeds)
        here = arrive(fired, found)
        reached = dict(here)
        for _ in range(self.limits.depth):
            memories = starting_points(here)
            entities = [key for key, place in fired.items() if place.leads]
            if not memories and not entities:
                break
            rows = await self._onward(memories, entities, passed)
            fired = {
                key: place
                for key, place in leave(here, rows, fired).items()
                if place.confidence >= self.limits.firing
            }
            if not fired:
                break
            passed |= set(fired)
            here = arrive(fired, edges(rows, "about"))
            join(reached, here)
        return reached

    async def _onward(
        self,
        memories: Collection[str],
        entities: Collection[str],
        passed: Collection[str],
    ) -> list[Row]:
        return await self.graph.read(
            ONWARD,
            ids=sorted(memories),
            entities=sorted(entities),
            relations=_RELATIONS,
            passed=sorted(passed),
            hub=self.limits.hub,
            limit=_PER_ENTITY,
            **self.within.parameters,
        )


def edges(rows: Iterable[Mapping[str, Any]], kind: Literal["about", "naming"]) -> Iterator[Edge]:
    """Return the ways from entities to memories that a step has found."""
    about = kind == "about"
    return (
        Edge(row["key"], row["degree"], memory, confidence, about, *leads)
        for row in rows
        for memory, confidence, *leads in row[kind]
    )


def phrases(question: str) -> set[str]:
    """Return the parts of a question that may name an entity, as entities are keyed."""
    words = [word.removesuffix("'s") for word in _WORD.findall(normalise(question))]
    ordinary = ordinary_words()
    found: set[str] = set()
    for start in range(len(words)):
        for length in range(1, _LONGEST_NAME + 1):
            part = words[start : start + length]
            if len(part) == length and not all(
                word in ordinary or word in terms.STOP_WORDS for word in part
            ):
                found.add(" ".join(part))
    return found


def damped(degree: int) -> float:
    """Return what is left of an entity's word when many memories name it."""
    return 1 / (1 + math.log(max(degree, 1)))


def arrive(entities: Mapping[str, Reached], found: Iterable[Edge]) -> dict[str, Reached]:
    """Walk from entities to memories; a memory reached from several is worth more."""
    ways: dict[str, dict[str, Reached]] = {}
    for edge in found:
        start = entities.get(edge.entity)
        if start is None:
            continue
        kind = edge.confidence * (1.0 if edge.about else _MENTION)
        weight = start.weight * kind * damped(edge.degree)
        there = ways.setdefault(edge.memory, {})
        if edge.entity not in there or weight > there[edge.entity].weight:
            verb = "about" if edge.about else "named in"
            path = f"{start.path} → {verb}"
            there[edge.entity] = Reached(start.confidence * kind, weight, path, edge.leads)
    return {name: together(there.values()) for name, there in ways.items()}


def together(places: Iterable[Reached]) -> Reached:
    """Return several ways to one place as one: the best of them, with the weight of all."""
    ordered = sorted(places, key=lambda place: (-place.weight, place.path))
    if len(ordered) == 1:
        return ordered[0]
    doubt = math.prod(1 - min(place.weight, 1.0) for place in ordered)
    best = ordered[0]
    leads = any(place.leads for place in ordered)
    return Reached(max(p.confidence for p in ordered), 1 - doubt, best.path, leads)


def join(reached: dict[str, Reached], more: Mapping[str, Reached]) -> None:
    """Add places; one reached before keeps its way and gains weight."""
    for name, place in more.items():
        there = reached.get(name)
        reached[name] = together([there, place]) if there else place


def starting_points(reached: Mapping[str, Reached]) -> dict[str, Reached]:
    """Return the memories to walk on from, the weightiest."""
    leading = [(name, place) for name, place in reached.items() if place.leads]
    leading.sort(key=lambda item: (-item[1].weight, item[0]))
    return dict(leading[:_ONWARD])


def leave(
    memories: Mapping[str, Reached],
    rows: Iterable[Mapping[str, Any]],
    entities: Mapping[str, Reached] = MappingProxyType({}),
) -> dict[str, Reached]:
    """Walk to the entities that memories name, and to those that others stand in a relation to."""
    return weightiest(
        (row["key"], _onward(start, confidence, f"{start.path} {step} {row['name']}"))
        for row in rows
        for origin, relation, confidence in row["ways"]
        for start, step in [
            (entities[origin], f"→ {relation}")
            if relation
            else (memories[origin], f"{origin} → names")
        ]
    )


def bridges(
    relevance: Mapping[str, float],
    named: Mapping[str, Iterable[Named]],
    hub: int,
) -> dict[str, Reached]:
    """Return what hits lead to: entities they name, by the best of them, damped by degree."""
    return weightiest(
        (each.key, Reached(much, much * damped(each.degree), f"{name} → names {each.name}"))
        for name, much in relevance.items()
        for each in named.get(name, ())
        if each.degree <= hub
    )


def _onward(start: Reached, confidence: float, path: str) -> Reached:
    return Reached(
        start.confidence * confidence, start.weight * confidence * _STEP, path, leads=True
    )


def weightiest(ways: Iterable[tuple[str, Reached]]) -> dict[str, Reached]:
    """Return the places that ways lead to, each by the weightiest; of equals, by the first."""
    chosen: dict[str, Reached] = {}
    for key, place in ways:
        if key not in chosen or place.weight > chosen[key].weight:
            chosen[key] = place
    return chosen
