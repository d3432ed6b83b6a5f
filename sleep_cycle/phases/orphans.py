"""Entities that no live memory uses: set aside while an archived one does, and deleted after."""

from collections.abc import AsyncIterator, Sequence

from neomem.store import queries
from neomem.store.graph import Row
from neomem.text import lane
from sleep_cycle.phase import Change, Decided, Edit, Night, Phase, entity

ORPHANS = queries.load("sleep/orphans")

_PAGE = 1000


async def find(night: Night) -> AsyncIterator[list[Row]]:
    """Yield entities whose state is not what their memories say."""
    async for page in night.pages(ORPHANS, _PAGE):
        yield page


async def decide(night: Night, found: Sequence[Row]) -> Decided:
    """Delete, set aside, or bring back."""
    return Decided([_change(night, row) for row in found])


def _change(night: Night, row: Row) -> Change:
    key = row["id"]
    if row["live"]:
        back = Edit("Entity", key, {"retired_at": None, "lane": lane(night.agent)})
        return Change(action="bring back", about=key, why="a live memory names it", edits=(back,))
    if row["archived"]:
        aside = {"retired_at": night.now, "lane": lane(night.agent, live=False)}
        why = "only archived memories name it"
        return Change(action="set aside", about=key, why=why, edits=(Edit("Entity", key, aside),))
    return Change(action="delete", about=key, why="no memory names it", deletes=(entity(key),))


PHASE = Phase("orphans", find, decide)
