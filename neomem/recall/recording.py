"""Noting what was recalled: after the answer, in batches, and never in its way."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from neomem.errors import NeomemError
from neomem.store import queries
from neomem.store.graph import Graph

RECORD = queries.load("recall/record")

log = logging.getLogger(__name__)

_DELAY = 0.5  # seconds in which answers are gathered into one write
_MOST = 2000


class Recorder:
    """Counts recalled memories and writes the counts now and then; a failure is only logged.

    The counts steer what sleep lets fade, not how neomem ranks: the found are not found the more.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._waiting: Counter[tuple[str, str]] = Counter()
        self._task: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()

    def note(self, recalled: Sequence[tuple[str, str]]) -> None:
        """Take note of memories, as agent and id; returns at once."""
        self._waiting.update(recalled)
        if recalled and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._later())

    async def close(self) -> None:
        """Write what is waiting."""
        self._hurry.set()
        if self._task:
            await asyncio.gather(self._task, return_exceptions=True)
        await self._write()

    async def _later(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DELAY):
                await self._hurry.wait()
        await self._write()

    async def _write(self) -> None:
        while self._waiting:
            taken = dict(list(self._waiting.items())[:_MOST])
            self._waiting.subtract(taken)
            self._waiting = +self._waiting
            now = datetime.now(UTC)
            rows = [{"id": name, "times": n, "at": now} for (_, name), n in sorted(taken.items())]
            agents = sorted({agent for agent, _ in taken})
            try:
                await self._graph.write(RECORD, agents=agents, rows=rows)
            except NeomemError as error:
                log.warning("recall not recorded", extra={"error": str(error)})
                self._waiting.clear()
