"""Memories near others by their vectors, each pair once a run, for the phases that compare."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from neomem.ports import similarity
from neomem.store import queries
from neomem.store.graph import Row
from sleep_cycle.phase import Night

UNCOMPARED = queries.load("sleep/uncompared")
NEAR = queries.load("sleep/near")

_PAGE = 200


@dataclass(frozen=True, slots=True)
class Near:
    """A memory that was not compared before, and what is near it."""

    id: str
    version: int
    others: tuple["Other", ...]
    """Most alike first."""


@dataclass(frozen=True, slots=True)
class Other:
    """A memory near another."""

    id: str
    version: int
    similarity: float
    joined: bool
    """Whether the two are SIMILAR already: a run that was broken off looks at some twice."""


async def near(
    night: Night, phase: str, *, kinds: Sequence[str], least: float, most: int
) -> AsyncIterator[list[Near]]:
    """Yield what is new to a phase, page by page, with those at least so alike."""
    floor = night.engine.embedder.floor
    seen: set[tuple[str, str]] = set()
    async for page in night.pages(UNCOMPARED, _PAGE, mark=f"sleep_{phase}", kinds=list(kinds)):
        rows = await night.read(
            NEAR, ids=[row["id"] for row in page], kinds=list(kinds), limit=most + 1
        )
        others: dict[str, list[Other]] = {row["id"]: [] for row in page}
        for row in sorted(rows, key=_order):
            pair = min(row["id"], row["near"]), max(row["id"], row["near"])
            alike = similarity(2 * row["score"] - 1, floor)
            if row["id"] != row["near"] and alike >= least and pair not in seen:
                seen.add(pair)
                others[row["id"]].append(
                    Other(row["near"], row["version"], alike, joined=row["joined"])
                )
        yield [Near(row["id"], row["version"], tuple(others[row["id"]][:most])) for row in page]


def _order(row: Row) -> tuple[str, float, str]:
    return row["id"], -row["score"], row["near"]
