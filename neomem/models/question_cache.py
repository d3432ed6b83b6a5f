"""Vectors of recent questions: the same one is computed once, even when asked twice at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from neomem.ports import Embedding

Compute = Callable[[str], Awaitable[Embedding]]


@dataclass(slots=True)
class _Running:
    """A computation under way, and how many wait for it."""

    task: asyncio.Task[Embedding]
    waiting: int = 0


class QuestionCache:
    """Keeps the `size` questions asked last; one that failed is not kept."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: OrderedDict[str, Embedding] = OrderedDict()
        self._running: dict[str, _Running] = {}

    async def get(self, text: str, compute: Compute) -> Embedding:
        """Return what is known, join who is already asking, or compute."""
        if text in self._known:
            self._known.move_to_end(text)
            return self._known[text]
        running = self._running.get(text)
        if running is None or running.task.done():
            running = _Running(asyncio.create_task(self._compute(text, compute)))
            self._running[text] = running
        running.waiting += 1
        try:
            return await asyncio.shield(running.task)
        finally:
            running.waiting -= 1
            if not running.waiting:
                self._end(text, running)

    async def _compute(self, text: str, compute: Compute) -> Embedding:
        embedding = await compute(text)
        embedding.vector.flags.writeable = False  # shared from here on
        self._known[text] = embedding
        while len(self._known) > self._size:
            self._known.popitem(last=False)
        return embedding

    def _end(self, text: str, running: _Running) -> None:
        # Nobody waits any more: a result nobody wants is not computed to the end.
        running.task.cancel()
        if self._running.get(text) is running:
            del self._running[text]
