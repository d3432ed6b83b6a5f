"""What a Neo4j says of itself: version, edition, clock, indexes."""

from dataclasses import dataclass
from datetime import datetime

from neomem.store import queries
from neomem.store.graph import Graph

COMPONENTS = queries.load("store/components")
INDEXES = queries.load("store/indexes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """The server's version and edition, and what time it thinks it is."""

    version: str
    edition: str
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """An index and how far it is built."""

    name: str
    type: str
    state: str
    percent: float


async def components(graph: Graph) -> Components:
    """Ask the server what it is."""
    return Components(**(await graph.read(COMPONENTS))[0])


async def indexes(graph: Graph) -> list[Index]:
    """Ask for the state of every index."""
    return [Index(**row) for row in await graph.read(INDEXES)]
