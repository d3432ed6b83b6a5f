"""The names each agent's graph knows, read now and then rather than for every text."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from neomem.ports import EntityFinder, Known
from neomem.store import queries
from neomem.store.graph import Graph

KNOWN_NAMES = queries.load("capture/known_names")

_FRESH = 60.0  # seconds; capture in another process is noticed that much later


@dataclass(slots=True)
class KnownNames:
    """Entity finders, one an agent, that know the agent's entities."""

    open: Callable[[], EntityFinder]
    limit: int
    clock: Callable[[], float] = time.monotonic
    _finder: EntityFinder | None = None
    _read: dict[str, tuple[float, EntityFinder]] = field(
        default_factory=dict[str, tuple[float, EntityFinder]]
    )

    @property
    def finder(self) -> EntityFinder:
        """The finder that knows no agent's names; made when first used: spaCy is slow to load."""
        if self._finder is None:
            self._finder = self.open()
        return self._finder

    async def of(self, graph: Graph, agent: str) -> EntityFinder:
        """Return the finder of an agent."""
        read_at, finder = self._read.get(agent, (None, self.finder))
        if read_at is None or self.clock() - read_at >= _FRESH:
            rows = await graph.read(KNOWN_NAMES, agent=agent, limit=self.limit)
            known = [Known(row["name"], row["type"], tuple(row["aliases"] or ())) for row in rows]
            finder = self.finder.knowing(known) if known else self.finder
            self._read[agent] = self.clock(), finder
        return finder
