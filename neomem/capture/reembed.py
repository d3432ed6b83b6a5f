"""Every memory read anew by another embedder; stopped at any point, it goes on from there.

The old vectors are taken away first, so that at no time two embedders' are mixed, and what is
still to do is whatever has no vector.
"""

from dataclasses import dataclass
from typing import Any

from neomem.capture import Tools
from neomem.capture.prepare import as_read
from neomem.capture.vectors import Reading, embed
from neomem.ports import halves
from neomem.progress import Notify, Progress, silent
from neomem.store import migrate, queries
from neomem.store.graph import Row, packed

CLEAR = queries.load("capture/reembed_clear")
COUNT = queries.load("capture/reembed_count")
LACKING = queries.load("capture/reembed_lacking")
STORE = queries.load("capture/reembed_store")

_PAGE = 5000


@dataclass(frozen=True, slots=True)
class Reembedded:
    """What a store's vectors are of now, and how many memories have just got theirs."""

    model: str
    dimensions: int
    memories: int


async def reembed(tools: Tools, *, notify: Notify = silent) -> Reembedded:
    """Give every memory that has none a vector; another embedder's are taken away before."""
    graph = tools.graph
    space = tools.embedder.model, tools.embedder.dimensions
    now = await migrate.vectors(graph)
    if now is None or not now.are_of(*space):
        await migrate.leave_space(graph, *space)
        await _clear(tools, notify)
        await migrate.enter_space(graph, *space, notify)
    else:
        await migrate.make_vector_indexes(graph, tools.embedder.dimensions, notify)
    tools.fit.forget()
    memories = await _fill(tools, notify)
    await migrate.finish_space(graph, *space)
    tools.fit.forget()
    return Reembedded(*space, memories)


async def _clear(tools: Tools, notify: Notify) -> None:
    after, cleared = "", 0
    while after is not None:
        notify(Progress("Removing the old vectors", cleared))
        (row,) = await tools.graph.write(CLEAR, after=after, limit=_PAGE, **_space(tools))
        after, cleared = row["last"], cleared + row["cleared"]


async def _fill(tools: Tools, notify: Notify) -> int:
    """Embed what has no vector, until a look from the first to the last finds nothing more."""
    total, stored, seen = (await tools.graph.read(COUNT))[0]["lacking"], 0, True
    while seen:
        after, seen = "", False
        while page := await _page(tools, after):
            seen, after = True, page[-1]["id"]
            stored += await _store(tools, page)
            notify(Progress("Embedding", stored, max(total, stored)))
    return stored


async def _page(tools: Tools, after: str) -> list[Row]:
    return await tools.graph.read(LACKING, after=after, limit=tools.settings.batch)


async def _store(tools: Tools, page: list[Row]) -> int:
    readings = [Reading(_read(row), row["kind"], row["context"]) for row in page]
    made = await embed(tools.embedder, readings)
    rows = [
        {
            "id": row["id"],
            "version": row["version"],
            "embedding": packed(alone.vector),
            "halves": halves(alone.vector, inside.vector if inside else None),
        }
        for row, (alone, inside) in zip(page, made, strict=True)
    ]
    done = await tools.graph.write(STORE, rows=rows, **_space(tools))
    if not done:  # somebody has begun to re-embed for yet another embedder
        await tools.fit.require_now()
    return sum(row["stored"] for row in done)


def _read(row: Row) -> str:
    return as_read(row["text"], kind=row["kind"], title=row["title"], turn_order=row["turn_order"])


def _space(tools: Tools) -> dict[str, Any]:
    return {"model": tools.embedder.model, "dimensions": tools.embedder.dimensions}
