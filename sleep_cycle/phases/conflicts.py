"""Two statements of the same thing: the newer replaces the older, and both stay in history.

A text that says one thing and no more is replaced as a whole: it holds until the newer one began.
A turn says many things; the newer one only amends it, which recall goes by when it orders them.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from neomem.recall.features import ROLES
from neomem.store import queries
from neomem.store.graph import Row
from sleep_cycle.edits import changed
from sleep_cycle.phase import Change, Closing, Decided, Edge, Night, Phase, memory
from sleep_cycle.relations import ONE_AT_A_TIME
from sleep_cycle.statements import amends, brings_news, contradicts, figures, value

UNSETTLED = queries.load("sleep/unsettled")
SAID_NEAR = queries.load("sleep/said_near")
RELATIONS = queries.load("sleep/open_relations")

_PAGE = 500
_NEIGHBOURS = 30
_KINDS = ("fact", "preference", "decision", "event", "lesson", "other", "turn")


@dataclass(frozen=True, slots=True)
class Stated:
    """A memory that was not looked at, with what is near it; or relations of one subject."""

    id: str
    row: Row | None = None
    near: tuple[Row, ...] = ()
    relations: tuple[Row, ...] = ()


async def find(night: Night) -> AsyncIterator[list[Stated]]:
    """Yield what states something, with what may say otherwise; then relations that exclude."""
    async for page in night.pages(UNSETTLED, _PAGE, kinds=list(_KINDS)):
        stating = [row for row in page if await asyncio.to_thread(_states, row)]
        near: dict[str, list[Row]] = {}
        if stating:
            ids = [row["id"] for row in stating]
            rows = await night.read(SAID_NEAR, ids=ids, kinds=list(_KINDS), limit=_NEIGHBOURS)
            for row in rows:
                near.setdefault(row["of"], []).append(row)
        told = {row["id"] for row in stating}
        yield [
            Stated(row["id"], row if row["id"] in told else None, tuple(near.get(row["id"], ())))
            for row in page
        ]
    async for page in night.pages(RELATIONS, _PAGE, types=sorted(ONE_AT_A_TIME)):
        yield [Stated(row["id"], relations=tuple(row["relations"])) for row in page]


def _states(row: Row) -> bool:
    text = row["text"]
    return value(text, row["speaker"]) is not None or bool(figures(text))


async def decide(night: Night, found: Sequence[Stated]) -> Decided:
    """Let the newer replace or amend the older; what is in doubt stays side by side."""
    changes = await asyncio.to_thread(_changes, night, found)
    looked = [each.id for each in found if not each.relations]
    return Decided(changes, {"Memory": looked})


def _changes(night: Night, found: Sequence[Stated]) -> list[Change]:
    changes: list[Change] = []
    busy: set[str] = set()
    for each in found:
        if each.relations:
            changes += closings(each.relations)
        elif each.row is not None:
            change = _replaced(night, each.row, each.near)
            if change and not busy & {*change.expects}:
                busy |= {*change.expects}
                changes.append(change)
            # These only join: one older turn may be amended by many, and a newer one amend many.
            changes += _amended(each.row, each.near)
    return changes


def _when(row: Row) -> tuple[datetime, str, datetime, str]:
    return row["event_at"], row["turn_order"] or "", row["created_at"], row["id"]


def _comparable(one: Row, other: Row) -> bool:
    """Tell whether both were said by the same one, and it is known which came later."""
    known = (one["event_at"], one["turn_order"] or one["created_at"]) != (
        other["event_at"],
        other["turn_order"] or other["created_at"],
    )
    return one["speaker"] == other["speaker"] and known and one["id"] != other["id"]


def _replaced(night: Night, row: Row, near: Sequence[Row]) -> Change | None:
    """Return the change that lets the newer of two whole statements replace the older."""
    mine = value(row["text"], row["speaker"])
    if mine is None:
        return None
    for other in near:
        theirs = value(other["text"], other["speaker"])
        if theirs is None or not _comparable(row, other):
            continue
        older, newer = sorted((row, other), key=_when)
        if contradicts(*((mine, theirs) if newer is row else (theirs, mine))):
            return _supersede(night, newer, older, " ".join(sorted(mine.subject)))
    return None


def _supersede(night: Night, newer: Row, older: Row, subject: str) -> Change:
    ends = max(older["valid_from"], newer["event_at"])
    return Change(
        action="supersede",
        about=older["id"],
        why="a newer statement gives another value",
        evidence={"of": subject, "by": newer["id"]},
        expects={older["id"]: older["version"], newer["id"]: newer["version"]},
        edits=(changed(older["id"], valid_until=min(ends, older["valid_until"])),),
        edges=(
            Edge(
                "SUPERSEDES",
                memory(newer["id"]),
                memory(older["id"]),
                {"reason": "another value", "at": night.now},
            ),
        ),
    )


def _amended(row: Row, near: Sequence[Row]) -> list[Change]:
    """Return the changes that note that a text gives another figure than older ones did."""
    mine = figures(row["text"])
    # An assistant's figures are examples and advice.
    advises = ROLES.get((row["speaker"] or "").casefold()) == "assistant"
    if row["kind"] != "turn" or advises or not mine or not brings_news(row["text"]):
        return []
    return [
        _amend(row, other, *found)
        for other in near
        if other["kind"] == "turn" and _comparable(row, other) and _when(other) < _when(row)
        if (found := amends(mine, figures(other["text"])))
    ]


def _amend(row: Row, older: Row, sure: float, of: str) -> Change:
    return Change(
        action="amend",
        about=older["id"],
        why="a newer turn gives another figure",
        evidence={"of": of, "by": row["id"], "alike": sure},
        expects={older["id"]: older["version"], row["id"]: row["version"]},
        edges=(Edge("AMENDS", memory(row["id"]), memory(older["id"]), {"confidence": sure}),),
    )


def closings(relations: Sequence[Row]) -> list[Change]:
    """Close all but the newest of relations that cannot hold at the same time.

    Those that began at the same moment are left alone: nobody can tell which came later.
    """
    ordered = sorted(relations, key=lambda each: (each["valid_from"], each["id"]))
    return [
        Change(
            action="close",
            about=older["source"],
            why="a newer relation of the same kind began",
            evidence={"type": older["type"], "was": older["target"], "is": newer["target"]},
            closes=(Closing(older["id"], older["source"], newer["valid_from"]),),
        )
        for older, newer in pairwise(ordered)
        if older["target"] != newer["target"] and older["valid_from"] < newer["valid_from"]
    ]


PHASE = Phase("conflicts", find, decide)
