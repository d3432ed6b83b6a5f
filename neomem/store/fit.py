"""Whether an embedder may write and search a store's vectors; asked now and then, not each time."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from neomem.errors import EmbedderMismatch
from neomem.ports import Embedder
from neomem.store import migrate
from neomem.store.graph import Graph
from neomem.store.migrate import Vectors

_FRESH = 60.0  # seconds; a store re-embedded by another process is noticed that much later
_AGAIN = "`neomem reembed` makes the store's vectors anew; or set embedder.model as it was"


@dataclass(slots=True)
class Fit:
    """One embedder and the vectors of one store."""

    graph: Graph
    embedder: Embedder
    clock: Callable[[], float] = time.monotonic
    _read: tuple[float, Vectors | None] | None = None

    async def mismatch(self) -> str | None:
        """Return why this embedder's vectors may not be written beside those there, or None."""
        vectors = await self._vectors()
        if vectors is None or vectors.are_of(self.embedder.model, self.embedder.dimensions):
            return None
        if vectors.becoming:
            return f"the store's vectors are being removed, to become {_named(*vectors.becoming)}"
        theirs = _named(vectors.space.model, vectors.space.dimensions)
        mine = _named(self.embedder.model, self.embedder.dimensions)
        return f"the store's vectors are of {theirs}, and the embedder is {mine}"

    async def unsearchable(self) -> str | None:
        """Return why a search by meaning would be wrong or miss memories, or None."""
        vectors = await self._vectors()
        reason = await self.mismatch()
        if reason is None and vectors and vectors.unfinished:
            reason = "the store is being re-embedded"
        return reason

    async def require(self) -> None:
        """Refuse an embedder whose vectors may not be written."""
        if reason := await self.mismatch():
            raise EmbedderMismatch(reason, hint=_AGAIN)

    async def require_now(self) -> None:
        """Refuse as `require` does, on a look that is not remembered."""
        self.forget()
        await self.require()

    def forget(self) -> None:
        """Look again the next time."""
        self._read = None

    async def _vectors(self) -> Vectors | None:
        if self._read is None or self.clock() - self._read[0] >= _FRESH:
            self._read = self.clock(), await migrate.vectors(self.graph)
        return self._read[1]


def _named(model: str, dimensions: int) -> str:
    return f"{model} ({dimensions} numbers)"
