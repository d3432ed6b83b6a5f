"""Entities that are one thing under two names: the smaller is merged into the larger, and stays."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from neomem.store import queries
from neomem.store.graph import Row
from sleep_cycle.phase import Change, Decided, Edge, Edit, Night, Phase, entity, memory
from sleep_cycle.same_entity import Named, Pair, candidates, score

NAMED = queries.load("sleep/entity_names")
EVIDENCE = queries.load("sleep/entity_evidence")
JOINED = queries.load("sleep/entity_joined")

_PAGE = 200
_ASK = 0.2
"""How far below sure enough a pair may be that a model is asked about."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair with its evidence, or an entity that nothing is like."""

    key: str
    pair: Pair | None = None
    shared: int = 0
    together: int = 0


async def find(night: Night) -> AsyncIterator[list[Judged]]:
    """Yield pairs worth a look, then all entities as looked at."""
    entities: list[Named] = []
    async for page in night.pages(NAMED, 5000):
        entities += [
            Named(
                row["id"],
                row["name"],
                row["type"],
                tuple(row["aliases"]),
                row["mentions"],
                row["looked"],
            )
            for row in page
        ]
    pairs = candidates(entities)
    for start in range(0, len(pairs), _PAGE):
        part = pairs[start : start + _PAGE]
        asked = [[each.one.key, each.other.key] for each in part]
        rows = await night.read(EVIDENCE, pairs=asked)
        known = {(row["one"], row["other"]): row for row in rows}
        yield [
            Judged(pair.one.key, pair, row["shared"], row["together"])
            for pair in part
            if (row := known.get((pair.one.key, pair.other.key)))
        ]
    fresh = [each.key for each in entities if not each.looked]
    for start in range(0, len(fresh), 5000):
        yield [Judged(key) for key in fresh[start : start + 5000]]


async def decide(night: Night, found: Sequence[Judged]) -> Decided:
    """Merge what is one beyond doubt; an entity takes part in one merge a page."""
    changes: list[Change] = []
    busy: set[str] = set()
    ordered = sorted(found, key=lambda each: (-_sure(each), each.key))
    for each in ordered:
        if each.pair is None or {each.pair.one.key, each.pair.other.key} & busy:
            continue
        if _sure(each) >= night.settings.same_entity or await _opinion(night, each):
            busy |= {each.pair.one.key, each.pair.other.key}
            changes.append(await _merge(night, each))
    return Decided(changes, {"Entity": [each.key for each in found if each.pair is None]})


def _sure(each: Judged) -> float:
    return score(each.pair, each.shared, each.together) if each.pair else 0.0


class Opinion(BaseModel):
    """What a model says of two names: null is doubt."""

    model_config = ConfigDict(extra="forbid", strict=True)

    same: bool | None


async def _opinion(night: Night, each: Judged) -> bool:
    assert each.pair  # noqa: S101 - only pairs are judged
    if _sure(each) < night.settings.same_entity - _ASK:
        return False
    one, other = each.pair.one, each.pair.other
    data = f"{one.name} ({one.type})\n{other.name} ({other.type})\nnamed beside both: {each.shared}"
    answer = await night.judge.ask(_QUESTION, data, Opinion)
    return answer is not None and answer.same is True


_QUESTION = (
    "Two names from one person's notes. `same` is true only if they surely mean the same person, "
    "place, organisation or thing, written differently or misspelt; false if they may be two; null "
    "when you are not sure. Answer as JSON."
)


async def _merge(night: Night, each: Judged) -> Change:
    assert each.pair  # noqa: S101 - only pairs are merged
    one, other = each.pair.one, each.pair.other
    kept, gone = larger(one, other)
    rows = await night.read(JOINED, key=gone.key)
    return merge(kept, gone, rows, each.pair.reason, _evidence(each))


def _evidence(each: Judged) -> dict[str, Any]:
    return {"score": _sure(each), "shared": each.shared, "together": each.together}


def larger(one: Named, other: Named) -> tuple[Named, Named]:
    """Return the one more often named first; of equals, the longer name."""
    ordered = sorted((one, other), key=lambda each: (-each.mentions, -len(each.name), each.key))
    return ordered[0], ordered[1]


def merge(
    kept: Named, gone: Named, joined: Sequence[Row], reason: str, evidence: dict[str, Any]
) -> Change:
    """Return the change that lets one entity stand for another; the other keeps all it has."""
    edges = [
        Edge(
            "MERGED_INTO",
            entity(gone.key),
            entity(kept.key),
            {"reason": reason, **evidence},
        )
    ]
    for row in joined:
        if row["memory"]:
            more = {"confidence": row["confidence"], "merged_from_key": gone.key}
            edges.append(Edge(row["type"], memory(row["memory"]), entity(kept.key), more))
        elif row["entity"] != kept.key:
            ends = entity(kept.key), entity(row["entity"])
            start, end = ends if row["outward"] else ends[::-1]
            edges.append(
                Edge(row["type"], start, end, {**row["properties"], "merged_from_key": gone.key})
            )
    known = {*kept.aliases, kept.name}
    aliases = [*kept.aliases, *(a for a in (gone.name, *gone.aliases) if a not in known)]
    return Change(
        action="merge",
        about=gone.key,
        why=f"the same as {kept.name} by its {reason}",
        evidence=evidence | {"into": kept.key},
        unmerged=(kept.key, gone.key),
        edits=(Edit("Entity", kept.key, {"aliases": aliases}),),
        edges=tuple(edges),
    )


PHASE = Phase("entities", find, decide)
