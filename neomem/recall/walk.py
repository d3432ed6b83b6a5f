"""The graph signal: from entities to memories, through what these name to more of them.

Pure but for `Walker`, which asks Neo4j for one step at a time.
"""

import asyncio
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from neomem.recall import terms
from neomem.recall.within import Within
from neomem.store import queries
from neomem.store.graph import Graph, Row
from neomem.text import entity_key, lane, normalise, ordinary_words

SEEDS = queries.load("recall/seeds")
SEEDS_ALIKE = queries.load("recall/seeds_alike")
MEMORIES_OF = queries.load("recall/memories_of")
ENTITIES_OF = queries.load("recall/entities_of")
ONWARD = queries.load("recall/onward")
RELATED = queries.load("recall/related")

_WORD = re.compile(r"\w+(?:['.&/+-]\w+)*")
_LONGEST_NAME = 4
"""Words of a question that may be one name."""
_BY_WORDS, _BY_LIKENESS = 0.8, 0.6
"""How certain it is that an entity is meant, when it was not recognised as a name."""
_MENTION = 0.8
"""What naming is worth beside being about."""
_STEP = 0.8
"""What a step from entity to entity costs."""
_ONWARD = 60
"""Memories that are walked on from."""
_PER_ENTITY = 300
_RELATIONS = 20


@dataclass(frozen=True, slots=True)
class Reached:
    """A place in the graph: how certain the way to it is, what it is worth, and the way."""

    confidence: float
    weight: float
    path: str
    subject: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a walk ends."""

    depth: int = 1
    firing: float = 0.3
    hub: int = 2000


@dataclass(frozen=True, slots=True)
class Step:
    """Entities that a walk has come to, and rows that lead on to the memories about them."""

    entities: dict[str, Reached]
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Walker:
    """Asks for the next step of a walk."""

    graph: Graph
    within: Within
    limits: Limits

    async def seeds(self, question: str, names: Sequence[str]) -> dict[str, Reached]:
        """Return the entities a question names: by key, and else by likeness."""
        agents = self.within.agents
        given = {normalise(name) for name in names}
        keys = {
            entity_key(agent, phrase): 1.0 if phrase in given else _BY_WORDS
            for agent in agents
            for phrase in {*given, *phrases(question)}
        }
        rows = await self.graph.read(SEEDS, agents=list(agents), keys=sorted(keys))
        found = {
            row["key"]: Reached(keys[row["asked"]], keys[row["asked"]], row["name"])
            for row in sorted(rows, key=lambda row: keys[row["asked"]])
        }
        met = {row["asked"] for row in rows}
        unmet = [
            name for name in given if not any(entity_key(agent, name) in met for agent in agents)
        ]
        return found | await self._alike(unmet, found) if unmet else found

    async def _alike(
        self, names: Sequence[str], found: Mapping[str, Reached]
    ) -> dict[str, Reached]:
        query = terms.fuzzy_name_query([lane(agent) for agent in self.within.agents], names)
        if not query:
            return {}
        rows = await self.graph.read(
            SEEDS_ALIKE, agents=list(self.within.agents), query=query, limit=2 * len(names)
        )
        return {
            row["key"]: Reached(_BY_LIKENESS, _BY_LIKENESS, row["name"])
            for row in rows
            if row["key"] not in found
        }

    async def walk(self, seeds: Mapping[str, Reached]) -> dict[str, Reached]:
        """Return the memories that entities lead to, over as many steps as the limits allow."""
        if not seeds:
            return {}
        fired, passed = dict(seeds), set(seeds)
        here = arrive(fired, await self._memories_of(fired, about_only=False))
        reached = dict(here)
        for _ in range(self.limits.depth):
            step, related = await asyncio.gather(
                self.onward(starting_points(here), passed), self._related(fired)
            )
            fired = {
                key: place
                for key, place in weightiest(chain(step.entities.items(), related.items())).items()
                if key not in passed and place.confidence >= self.limits.firing
            }
            if not fired:
                break
            passed |= set(fired)
            unseen = fired.keys() - step.entities.keys()
            more = await self._memories_of(unseen, about_only=True) if unseen else []
            here = arrive(fired, chain(step.rows, more))
            join(reached, here)
        return reached

    async def onward(self, memories: Mapping[str, Reached], passed: Collection[str]) -> Step:
        """Return the entities that memories name, but for those passed, and what is about each."""
        if not memories:
            return Step({}, [])
        rows = await self.graph.read(
            ONWARD,
            ids=sorted(memories),
            passed=sorted(passed),
            hub=self.limits.hub,
            limit=_PER_ENTITY,
            **self.within.parameters,
        )
        named = (row | {"id": id_, "confidence": sure} for row in rows for id_, sure in row["ways"])
        about = [
            {**row, "id": id_, "confidence": sure, "about": True}
            for row in rows
            for id_, sure in row["memories"]
        ]
        return Step(leave(memories, named, self.limits.hub), about)

    async def _memories_of(self, entities: Collection[str], *, about_only: bool) -> list[Row]:
        return await self.graph.read(
            MEMORIES_OF,
            entities=sorted(entities),
            about=about_only,
            hub=self.limits.hub,
            limit=_PER_ENTITY,
            **self.within.parameters,
        )

    async def named_by(self, relevance: Mapping[str, float]) -> dict[str, float]:
        """Return the entities that hits name and are not about, and how much each counts."""
        rows = await self.graph.read(
            ENTITIES_OF, agents=list(self.within.agents), ids=sorted(relevance)
        )
        return bridges(relevance, rows, self.limits.hub)

    async def _related(self, entities: Mapping[str, Reached]) -> dict[str, Reached]:
        rows = await self.graph.read(
            RELATED,
            agents=list(self.within.agents),
            entities=sorted(entities),
            as_of=self.within.as_of,
            limit=_RELATIONS,
        )
        return relate(entities, rows)


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


def arrive(
    entities: Mapping[str, Reached], rows: Iterable[Mapping[str, Any]]
) -> dict[str, Reached]:
    """Walk from entities to memories; a memory reached from several is worth more."""
    ways: dict[str, dict[str, Reached]] = {}
    for row in rows:
        start = entities.get(row["key"])
        if start is None:
            continue
        kind = 1.0 if row["about"] else _MENTION
        sure = start.confidence * row["confidence"] * kind
        weight = start.weight * row["confidence"] * kind * damped(row["degree"])
        verb = "about" if row["about"] else "named in"
        place = Reached(sure, weight, f"{start.path} → {verb}", subject=bool(row["about"]))
        there = ways.setdefault(row["id"], {})
        if row["key"] not in there or weight > there[row["key"]].weight:
            there[row["key"]] = place
    return {name: together(there.values()) for name, there in ways.items()}


def together(places: Iterable[Reached]) -> Reached:
    """Return several ways to one place as one: the best of them, with the weight of all."""
    ordered = sorted(places, key=lambda place: (-place.weight, place.path))
    doubt = math.prod(1 - min(place.weight, 1.0) for place in ordered)
    best = ordered[0]
    subject = any(place.subject for place in ordered)
    return Reached(max(p.confidence for p in ordered), 1 - doubt, best.path, subject)


def join(reached: dict[str, Reached], more: Mapping[str, Reached]) -> None:
    """Add places; one reached before keeps its way and gains weight."""
    for name, place in more.items():
        there = reached.get(name)
        reached[name] = together([there, place]) if there else place


def starting_points(reached: Mapping[str, Reached]) -> dict[str, Reached]:
    """Return the memories to walk on from: those about an entity, the weightiest."""
    about = [(name, place) for name, place in reached.items() if place.subject]
    about.sort(key=lambda item: (-item[1].weight, item[0]))
    return dict(about[:_ONWARD])


def leave(
    memories: Mapping[str, Reached], rows: Iterable[Mapping[str, Any]], hub: int
) -> dict[str, Reached]:
    """Walk from memories to the entities they name; hubs are not walked through."""
    return weightiest(_named(memories, rows, hub))


def _named(
    memories: Mapping[str, Reached], rows: Iterable[Mapping[str, Any]], hub: int
) -> Iterator[tuple[str, Reached]]:
    for row in rows:
        if row["degree"] <= hub:
            start = memories[row["id"]]
            path = f"{start.path} {row['id']} → names {row['name']}"
            yield row["key"], _onward(start, row["confidence"], path)


def bridges(
    relevance: Mapping[str, float], rows: Iterable[Mapping[str, Any]], hub: int
) -> dict[str, float]:
    """Return what hits lead to: entities they name, by the best of them, damped by degree."""
    found: dict[str, float] = {}
    for row in rows:
        if row["degree"] <= hub and not row["about"]:
            much = relevance[row["id"]] * damped(row["degree"])
            found[row["key"]] = max(much, found.get(row["key"], 0.0))
    return found


def relate(
    entities: Mapping[str, Reached], rows: Iterable[Mapping[str, Any]]
) -> dict[str, Reached]:
    """Walk from entities to those they stand in a relation to."""
    starts = ((entities[row["from"]], row) for row in rows)
    return weightiest(
        (row["key"], _onward(at, row["confidence"], f"{at.path} → {row['type']} {row['name']}"))
        for at, row in starts
    )


def _onward(start: Reached, confidence: float, path: str) -> Reached:
    return Reached(start.confidence * confidence, start.weight * confidence * _STEP, path)


def weightiest(ways: Iterable[tuple[str, Reached]]) -> dict[str, Reached]:
    """Return the places that ways lead to, each by the weightiest; of equals, by the first."""
    chosen: dict[str, Reached] = {}
    for key, place in ways:
        if key not in chosen or place.weight > chosen[key].weight:
            chosen[key] = place
    return chosen
