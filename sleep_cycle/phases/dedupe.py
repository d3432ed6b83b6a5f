"""Near duplicates become one: the newest complete text stays, with all that the others had."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from neomem.capture import COMPARED
from neomem.capture.duplicates import may_say_the_same, say_the_same
from neomem.store import queries
from neomem.store.graph import Row
from sleep_cycle.edits import archive
from sleep_cycle.near import Near, near
from sleep_cycle.phase import Change, Decided, Edge, Edit, Night, Phase, entity, memory

WHOLE = queries.load("sleep/whole")

_NEIGHBOURS = 10
_COMPLETE = 0.8
"""Of the longest text's length that a complete one has."""


@dataclass(frozen=True, slots=True)
class Alike:
    """A memory that was not looked at, and the group of those that may say the same."""

    id: str
    group: tuple[Row, ...]
    similarity: dict[str, float]
    """Of pairs, as `smaller id larger id`."""


async def find(night: Night) -> AsyncIterator[list[Alike]]:
    """Yield memories in groups of those that are very near each other."""
    settings = night.settings
    least = settings.ask_duplicate if night.judge.there else settings.duplicate
    pages = near(night, "dedupe", kinds=COMPARED, least=least, most=_NEIGHBOURS)
    async for page in pages:
        wanted = sorted({i for each in page if each.others for i in _ids(each)})
        rows = {row["id"]: row for row in await night.read(WHOLE, ids=wanted)} if wanted else {}
        yield list(_groups(page, rows))


def _ids(each: Near) -> list[str]:
    return [each.id, *(other.id for other in each.others)]


def _groups(page: Sequence[Near], rows: dict[str, Row]) -> Iterable[Alike]:
    """Join what is near; each memory of a page is in exactly one group, often alone."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    scores: dict[str, float] = {}
    for each in page:
        root(each.id)
        for other in each.others:
            parent[max(root(each.id), root(other.id))] = min(root(each.id), root(other.id))
            scores[_pair(each.id, other.id)] = other.similarity
    members: dict[str, list[str]] = {}
    for name in sorted(parent):
        members.setdefault(root(name), []).append(name)
    for each in page:
        group = members.pop(root(each.id), [])
        whole = tuple(rows[name] for name in group if name in rows) if len(group) > 1 else ()
        yield Alike(each.id, whole, scores)


def _pair(one: str, other: str) -> str:
    return f"{min(one, other)} {max(one, other)}"


async def decide(night: Night, found: Sequence[Alike]) -> Decided:
    """Merge what says the same as the one that stays; near is not enough, and doubt keeps."""
    changes: list[Change] = []
    for each in found:
        if len(each.group) > 1:
            changes += await _merged(night, each)
    return Decided(changes, {"Memory": [each.id for each in found]})


async def _merged(night: Night, alike: Alike) -> list[Change]:
    """Return a merge for each text that several say, until nobody is left to compare."""
    changes: list[Change] = []
    left = sorted(alike.group, key=lambda row: (row["created_at"], row["id"]), reverse=True)
    while len(left) > 1:
        kept = survivor(left)
        rest = [row for row in left if row is not kept]
        same = [row for row in rest if await _same(night, kept, row, alike)]
        if same:
            changes.append(merge(night, kept, same, alike))
        left = [row for row in rest if row not in same]
    return changes


def survivor(rows: Sequence[Row]) -> Row:
    """Return the newest complete text; rows come newest first."""
    longest = max(len(row["text"]) for row in rows)
    return next(row for row in rows if len(row["text"]) >= _COMPLETE * longest)


async def _same(night: Night, kept: Row, other: Row, alike: Alike) -> bool:
    if say_the_same(kept["text"], other["text"]):
        # Members of a group that were not compared directly are as near as the group's edges.
        score = alike.similarity.get(_pair(kept["id"], other["id"]), night.settings.duplicate)
        if score >= night.settings.duplicate:
            return True
    return await _opinion(night, kept["text"], other["text"])


class Opinion(BaseModel):
    """What a model says of two texts: null is doubt."""

    model_config = ConfigDict(extra="forbid", strict=True)

    same: bool | None


async def _opinion(night: Night, one: str, other: str) -> bool:
    if not night.judge.there or not may_say_the_same(one, other):
        return False
    data = f"One:\n{one[:4000]}\n\nOther:\n{other[:4000]}"
    answer = await night.judge.ask(_QUESTION, data, Opinion)
    return answer is not None and answer.same is True


_QUESTION = (
    "Two notes of one memory. `same` is true only if they state exactly the same, with no number, "
    "date, name, negation or detail of one missing from the other or different in it; false if "
    "not; null when you are not sure. Answer as JSON."
)


def merge(night: Night, kept: Row, others: Sequence[Row], alike: Alike) -> Change:
    """Return the change that archives the others and gives what they had to the one that stays."""
    both = [kept, *others]
    edges = [
        Edge(
            type_,
            memory(kept["id"]),
            entity(key) if label == "Entity" else memory(key),
            {"confidence": sure} if sure else {},
        )
        for row in others
        for type_, label, key, sure in row["links"]
        if key != kept["id"]
    ]
    edges += [
        Edge(
            "SUPERSEDES",
            memory(kept["id"]),
            memory(row["id"]),
            {"reason": "says the same", "at": night.now},
        )
        for row in others
    ]
    unique = {(edge.type, edge.end): edge for edge in reversed(edges)}
    return Change(
        action="merge",
        about=kept["id"],
        why=f"{len(others)} said the same",
        evidence={
            row["id"]: round(alike.similarity.get(_pair(kept["id"], row["id"]), 0.0), 4)
            for row in others
        },
        expects={row["id"]: row["version"] for row in both},
        edits=(
            united(kept, both),
            *(archive(row, night.agent, night.now) for row in others),
        ),
        edges=tuple(unique[each] for each in sorted(unique, key=str)),
    )


def united(kept: Row, rows: Sequence[Row]) -> Edit:
    """Return what the one that stays takes over: the earliest date, the strongest marks, counts."""
    values: dict[str, Any] = {
        "event_at": min(row["event_at"] for row in rows),
        "valid_from": min(row["valid_from"] for row in rows),
        "importance": max(row["importance"] for row in rows),
        "lasting": any(row["lasting"] for row in rows),
        "last_retrieved_at": max(
            (row["last_retrieved_at"] for row in rows if row["last_retrieved_at"]), default=None
        ),
        "last_seen_at": max(
            (row["last_seen_at"] for row in rows if row["last_seen_at"]), default=None
        ),
    }
    others = [row for row in rows if row is not kept]
    return Edit(
        "Memory",
        kept["id"],
        {name: value for name, value in values.items() if value != kept[name]},
        {
            "version": 1,
            "seen": sum(row["seen"] for row in others),
            "retrievals": sum(row["retrievals"] for row in others),
        },
    )


PHASE = Phase("dedupe", find, decide)
