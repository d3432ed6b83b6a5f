"""Texts into what a model takes: what is read, pooled, cut, and what goes together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from neomem.ports import Embedding, Passage, Vector
from neomem.text import clean

INPUTS = {"input_ids", "token_type_ids", "attention_mask"}
BATCH_TOKENS = 256  # more is slower on a CPU: the layers no longer fit its caches (docs/models.md)


class Encoding(Protocol):
    """What a tokenizer says of one text."""

    @property
    def ids(self) -> list[int]:
        """Numbers of its tokens."""
        ...

    @property
    def type_ids(self) -> list[int]:
        """Which of two sentences each belongs to."""
        ...

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """Where each stands in the text."""
        ...

    @property
    def special_tokens_mask(self) -> list[int]:
        """Which are the model's own marks."""
        ...


@dataclass(frozen=True, slots=True)
class Tokens:
    """One input of a model."""

    ids: list[int]
    type_ids: list[int]
    own: slice
    """The text's own tokens: those that are pooled when there is context, and may be names."""
    spans: list[tuple[int, int]]
    """Where each own token stands in the text."""
    text: str
    in_context: bool
    cut: int


def joined(prefix: str, passage: Passage) -> tuple[str, int]:
    """Return what the model reads, and where the text itself begins in it."""
    before = f"{prefix}{clean(passage.context)} " if passage.context else prefix
    return before + clean(passage.text), len(before)


def fit(encoding: Encoding, prefix: int, begin: int, passage: Passage, limit: int) -> Tokens:
    """Cut an input to a model's limit: context from its left, then the text from its right.

    `prefix` and `begin` are where context and text begin in what was tokenized.
    """
    # The tokenizer makes each of its lists anew whenever it is asked for one.
    special, offsets = encoding.special_tokens_mask, encoding.offsets
    ids, types = encoding.ids, encoding.type_ids
    count = len(special)
    body = [index for index in range(count) if not special[index]]
    lead = [index for index in range(count) if special[index] and (not body or index < body[0])]
    trail = [index for index in range(count) if special[index] and body and index > body[-1]]
    head = [index for index in body if offsets[index][1] <= prefix]
    context = [index for index in body if prefix < offsets[index][1] <= begin]
    text = [index for index in body if offsets[index][1] > begin]

    room = max(limit - len(lead) - len(trail) - len(head), 1)
    kept = text[:room]
    context = context[max(len(context) - (room - len(kept)), 0) :]
    cut = len(passage.text) - (offsets[kept[-1]][1] - begin) if len(kept) < len(text) else 0
    order = [*lead, *head, *context, *kept, *trail]
    first = len(lead) + len(head) + len(context)
    return Tokens(
        ids=[ids[index] for index in order],
        type_ids=[types[index] for index in order],
        own=slice(first, first + len(kept)),
        spans=[(max(offsets[i][0] - begin, 0), offsets[i][1] - begin) for i in kept],
        text=clean(passage.text),
        in_context=bool(passage.context and kept),
        cut=cut,
    )


def batches(lengths: Sequence[int], *, alone: bool, tokens: int = BATCH_TOKENS) -> list[list[int]]:
    """Put texts of like length together, longest first, so that little is computed in vain."""
    result: list[list[int]] = []
    for index in sorted(range(len(lengths)), key=lambda index: (-lengths[index], index)):
        if result and not alone and lengths[result[-1][0]] * (len(result[-1]) + 1) <= tokens:
            result[-1].append(index)
        else:
            result.append([index])
    return result


def arrays(batch: Sequence[Tokens]) -> dict[str, np.ndarray]:
    """Return the inputs a BERT-like model may ask for, padded to the longest."""
    shape = len(batch), max(len(tokens.ids) for tokens in batch)
    ids, types, mask = (np.zeros(shape, np.int64) for _ in range(3))
    for row, tokens in enumerate(batch):
        width = len(tokens.ids)
        ids[row, :width], types[row, :width], mask[row, :width] = tokens.ids, tokens.type_ids, 1
    return {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}


def pool(hidden: np.ndarray, tokens: Tokens, pooling: str) -> Vector:
    """Make one vector of unit length: of all tokens, or in context of the text's own."""
    if tokens.in_context:
        vector = hidden[tokens.own].mean(axis=0)
    elif pooling == "first":
        vector = hidden[0]
    else:
        vector = hidden[: len(tokens.ids)].mean(axis=0)
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12), dtype=np.float32)


def in_order(batch: Sequence[list[int]], found: Sequence[list[Embedding]]) -> list[Embedding]:
    """Put what came back in batches into the order it was asked in."""
    pairs: Iterator[tuple[int, Embedding]] = (
        pair
        for row, result in zip(batch, found, strict=True)
        for pair in zip(row, result, strict=True)
    )
    return [embedding for _, embedding in sorted(pairs, key=lambda pair: pair[0])]
