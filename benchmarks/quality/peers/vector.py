"""Vector search alone, and exact."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.quality.dataset import Dataset, Question
from benchmarks.quality.peers.common import FIRST, ids, told, vectors
from neomem.engine import Engine
from neomem.ports import Vector


@dataclass(frozen=True)
class _Group:
    ids: list[str]
    vectors: Vector


class ExactVector:
    """The cosine of the question with every text of its group."""

    name = "vector"

    def __init__(self, engine: Engine, _folder: Path) -> None:
        self._embedder = engine.embedder
        self._groups: dict[str, _Group] = {}

    async def load(self, dataset: Dataset) -> None:
        """Embed each group."""
        for group, drafts in dataset.texts.items():
            texts = [told(draft) for draft in drafts]
            self._groups[group] = _Group(ids(drafts), await vectors(self._embedder, texts))

    async def ask(self, question: Question) -> list[str]:
        """Return what is nearest; vectors have unit length."""
        group = self._groups[question.group]
        asked = await self._embedder.embed_question(question.text)
        nearest = np.argsort(-(group.vectors @ asked.vector), kind="stable")[:FIRST]
        return [group.ids[place] for place in nearest]

    async def close(self) -> None:
        """Do nothing: all is in memory."""
