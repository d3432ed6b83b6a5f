"""The vectors of memories, new or kept: of a text alone, and in the context of what came before."""

from collections.abc import Sequence
from dataclasses import dataclass

from neomem.model import Kind
from neomem.ports import Embedder, Embedding, Passage

_IN_CONTEXT = {"turn", "chunk"}


@dataclass(frozen=True, slots=True)
class Reading:
    """A memory as an embedder reads it."""

    text: str
    kind: Kind
    context: str = ""


async def embed(
    embedder: Embedder, readings: Sequence[Reading]
) -> list[tuple[Embedding, Embedding | None]]:
    """Return of each the vector alone, and in context where that makes a difference."""
    inside = [
        index
        for index, each in enumerate(readings)
        if each.context and embedder.reads_context and each.kind in _IN_CONTEXT
    ]
    passages = [Passage(each.text) for each in readings]
    passages += [Passage(readings[index].text, readings[index].context) for index in inside]
    embeddings = await embedder.embed_passages(passages)
    in_context = dict(zip(inside, embeddings[len(readings) :], strict=True))
    return [(embeddings[index], in_context.get(index)) for index in range(len(readings))]
