"""What every peer is: something that is given texts, and then asked."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from benchmarks.quality.dataset import Dataset, Question
from neomem.model import Draft
from neomem.ports import Embedder, Passage, Vector

FIRST = 10
"""How many a peer is asked for."""

_AT_ONCE = 128


class Peer(Protocol):
    """A system that answers a question with the texts it ranks first."""

    @property
    def name(self) -> str:
        """What its row is called."""
        ...

    async def load(self, dataset: Dataset) -> None:
        """Take in the texts of every group, apart from each other."""
        ...

    async def ask(self, question: Question) -> list[str]:
        """Return the external ids of the best texts of the question's group, best first."""
        ...

    async def close(self) -> None:
        """Give back connections and files."""
        ...


def package(name: str) -> Any:  # noqa: ANN401 - peers are not installed where types are checked
    """Return a peer's module; ModuleNotFoundError names what is missing."""
    return import_module(name)


def told(draft: Draft) -> str:
    """Return a text as users of a peer would give it: with who says it, or under its title."""
    if draft.speaker:
        return f"{draft.speaker}: {draft.text}"
    return f"{draft.title}. {draft.text}" if draft.title else draft.text


def ids(drafts: Sequence[Draft]) -> list[str]:
    """Return the external ids."""
    return [draft.external_id or "" for draft in drafts]


async def vectors(embedder: Embedder, texts: Sequence[str]) -> Vector:
    """Return the texts' own vectors, a row each: no date, nothing of what came before."""
    rows: list[Vector] = []
    for start in range(0, len(texts), _AT_ONCE):
        part = [Passage(text) for text in texts[start : start + _AT_ONCE]]
        rows += [embedding.vector for embedding in await embedder.embed_passages(part)]
    return np.stack(rows)
