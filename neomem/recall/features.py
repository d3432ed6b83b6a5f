"""All that is known of the candidates as numbers: one row a candidate, one column a feature."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from neomem.recall import terms
from neomem.recall.evidence import Candidate, Voice
from neomem.recall.signals import similarity

Matrix = NDArray[np.float64]

VOICES = ("alone", "in context", "words", "context", "as written", "entities", "hits")
FEATURES = (
    *(f"rank {name}" for name in VOICES),
    "similarity",
    "context similarity",
    "bm25",
    "bm25 share",
    "entities",
    "hits",
    "coverage",
    "fused",
    "beside similarity",
    "beside bm25",
    "session",
    "subject",
    "question",
    "time",
    "length",
)

_RANK = 10.0
"""Ranks count as k / (k + rank): near 1 for the first, 0 for what a voice did not name."""
_BM25 = 12.0
"""A BM25 score that counts half."""
_LONG = 400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What features need to know of the question."""

    text: str
    terms: tuple[str, ...]
    entities: frozenset[str]
    floor: float


def features(
    asked: Asked,
    candidates: Mapping[str, Candidate],
    voices: Sequence[Voice],
    fused: Mapping[str, float],
) -> Matrix:
    """Return the evidence, in the order of the candidates and of FEATURES."""
    order = list(candidates)
    at = {name: index for index, name in enumerate(order)}
    column = {name: np.zeros(len(order)) for name in FEATURES}
    for each in voices:
        _listen(each, at, column)
    raw = _raw_bm25(voices, at)
    column["bm25"] = raw / (raw + _BM25)
    column["similarity"] = _similarities([c.cosine for c in candidates.values()], asked.floor)
    inside = [
        c.cosine if c.context_cosine is None else c.context_cosine for c in candidates.values()
    ]
    column["context similarity"] = _similarities(inside, asked.floor)
    column["fused"] = np.array([fused.get(name, 0.0) for name in order])
    _conversation(candidates, at, column)
    _form(asked, list(candidates.values()), column)
    return np.stack([column[name] for name in FEATURES], axis=1)


def _listen(each: Voice, at: Mapping[str, int], column: Mapping[str, NDArray[np.float64]]) -> None:
    ranks, scores = column.get(f"rank {each.name}"), column.get(each.name)
    if each.name == "words":
        scores = column["bm25 share"]
    for heard in each.hits:
        index = at.get(heard.id)
        if index is None:
            continue
        if ranks is not None:
            ranks[index] = _RANK / (_RANK + heard.rank)
        if scores is not None:
            scores[index] = heard.score


def _raw_bm25(voices: Sequence[Voice], at: Mapping[str, int]) -> NDArray[np.float64]:
    raw = np.zeros(len(at))
    for each in voices:
        if each.name == "words":
            for heard in each.hits:
                if heard.id in at:
                    raw[at[heard.id]] = heard.raw or 0.0
    return raw


def _similarities(cosines: Sequence[float | None], floor: float) -> NDArray[np.float64]:
    return np.array([0.0 if each is None else similarity(each, floor) for each in cosines])


def _conversation(
    candidates: Mapping[str, Candidate],
    at: Mapping[str, int],
    column: Mapping[str, NDArray[np.float64]],
) -> None:
    """Fill in what the turns beside a candidate, and its session, say for it."""
    mass: dict[str, float] = {}
    fused = column["fused"]
    for index, each in enumerate(candidates.values()):
        for name in (each.before, each.after):
            other = at.get(name) if name else None
            if other is not None:
                for mine, theirs in (
                    ("beside similarity", "similarity"),
                    ("beside bm25", "bm25 share"),
                ):
                    column[mine][index] = max(column[mine][index], column[theirs][other])
        if each.session:
            mass[each.session] = mass.get(each.session, 0.0) + fused[index]
    most = max(mass.values(), default=0.0)
    for index, each in enumerate(candidates.values()):
        if each.session and most > 0:
            column["session"][index] = mass[each.session] / most


def _form(
    asked: Asked, candidates: Sequence[Candidate], column: Mapping[str, NDArray[np.float64]]
) -> None:
    """Fill in what the texts themselves look like."""
    when = terms.asks_when(asked.text)
    for index, each in enumerate(candidates):
        column["subject"][index] = not asked.entities.isdisjoint(each.about)
        column["coverage"][index] = terms.coverage(asked.terms, each.text)
        column["question"][index] = terms.is_question(each.text)
        column["time"][index] = when and terms.has_time(each.text)
        column["length"][index] = math.log1p(len(each.text) / _LONG)
