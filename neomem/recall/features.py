"""All that is known of the candidates as numbers: one row a candidate, one column a feature."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from neomem.recall import terms
from neomem.recall.evidence import Candidate, Voice
from neomem.recall.signals import similarity

Matrix = NDArray[np.float64]
Column = NDArray[np.float64]

VOICES = ("alone", "in context", "words", "context", "as written", "entities", "hits")
FEATURES = (
    *(f"rank {name}" for name in VOICES),
    "fused",
    "fused against best",
    "similarity",
    "similarity against best",
    "context similarity",
    "context similarity against best",
    "best similarity",
    "bm25",
    "bm25 against best",
    "entities",
    "hits",
    "coverage",
    "rare coverage",
    "similarity before",
    "similarity after",
    "bm25 beside",
    "coverage beside",
    "answers a question",
    "session",
    "subject",
    "other subject",
    "question",
    "time",
    "number",
    "short",
    "assistant",
)
"""What is weighed: ranks in the voices, likeness and words (also against the best candidate), the
graph, the turns beside it, and what the text itself looks like."""

_RANK = 10.0
"""Ranks count as k / (k + rank): near 1 for the first, 0 for what a voice did not name."""
_BM25 = 12.0
"""A BM25 score that counts half."""
_SHORT = 60.0
"""Characters of a text that counts half as short; beyond some hundred, length says nothing."""
_HOW_MANY = re.compile(r"\bhow (?:many|much|often|old|long|far)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|dozen|couple)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What features need to know of the question."""

    text: str
    terms: tuple[str, ...]
    entities: frozenset[str]
    floor: float


def talk(candidate: Candidate) -> Literal["user", "assistant"] | None:
    """Tell who speaks where a person talks to an assistant; None anywhere else."""
    return _ROLES.get((candidate.speaker or "").casefold())


_ROLES: dict[str, Literal["user", "assistant"]] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "agent": "assistant",
}


def features(
    asked: Asked,
    candidates: Mapping[str, Candidate],
    voices: Sequence[Voice],
    fused: Mapping[str, float],
) -> Matrix:
    """Return the evidence, in the order of the candidates and of FEATURES."""
    order = list(candidates)
    at = {name: index for index, name in enumerate(order)}
    column: dict[str, Column] = {name: np.zeros(len(order)) for name in FEATURES}
    column["fused"] += [fused.get(name, 0.0) for name in order]
    for each in voices:
        _listen(each, at, column)
    each_candidate = list(candidates.values())
    _likeness(asked, each_candidate, column)
    _words(asked, each_candidate, column)
    _form(asked, each_candidate, column)
    _conversation(each_candidate, at, column)
    column["fused against best"] = _against_best(column["fused"])
    return np.stack([column[name] for name in FEATURES], axis=1)


def _listen(each: Voice, at: Mapping[str, int], column: Mapping[str, Column]) -> None:
    ranks, scores = column[f"rank {each.name}"], column.get(_SCORES.get(each.name, ""))
    for heard in each.hits:
        index = at.get(heard.id)
        if index is None:
            continue
        ranks[index] = _RANK / (_RANK + heard.rank)
        if scores is not None:
            scores[index] = heard.score
        if each.name == "words" and heard.raw:
            column["bm25"][index] = heard.raw / (heard.raw + _BM25)


_SCORES = {"words": "bm25 against best", "entities": "entities", "hits": "hits"}


def _likeness(asked: Asked, each: Sequence[Candidate], column: dict[str, Column]) -> None:
    alone = _similarities([one.cosine for one in each], asked.floor)
    both = [one.cosine if one.context_cosine is None else one.context_cosine for one in each]
    inside = _similarities(both, asked.floor)
    column["similarity"], column["context similarity"] = alone, inside
    column["best similarity"] = np.maximum(alone, inside)
    if len(each):
        column["similarity against best"] = alone - alone.max()
        column["context similarity against best"] = inside - inside.max()


def _similarities(cosines: Sequence[float | None], floor: float) -> Column:
    return np.array([0.0 if each is None else similarity(each, floor) for each in cosines])


def _against_best(scores: Column) -> Column:
    best = scores.max(initial=0.0)
    return scores / best if best > 0 else scores


def _words(asked: Asked, each: Sequence[Candidate], column: Mapping[str, Column]) -> None:
    """Fill in how much of the question a text has; what few candidates have counts more."""
    if not asked.terms:
        return
    has = [frozenset(terms.matched(asked.terms, one.text)) for one in each]
    rare = {
        term: math.log((len(each) + 1) / (sum(term in one for one in has) + 0.5))
        for term in asked.terms
    }
    whole = math.fsum(rare.values())
    for index, one in enumerate(has):
        column["coverage"][index] = len(one) / len(asked.terms)
        column["rare coverage"][index] = math.fsum(rare[term] for term in one) / whole


def _form(asked: Asked, each: Sequence[Candidate], column: Mapping[str, Column]) -> None:
    """Fill in what the texts themselves look like, and whom they are about."""
    when, number = terms.asks_when(asked.text), bool(_HOW_MANY.search(asked.text))
    for index, one in enumerate(each):
        named = not asked.entities.isdisjoint(one.about)
        column["subject"][index] = named
        column["other subject"][index] = bool(asked.entities and one.about) and not named
        column["question"][index] = terms.is_question(one.text)
        column["time"][index] = when and terms.has_time(one.text)
        column["number"][index] = number and bool(_NUMBER.search(one.text))
        column["short"][index] = _SHORT / (_SHORT + len(one.text))
        column["assistant"][index] = talk(one) == "assistant"


def _conversation(
    each: Sequence[Candidate], at: Mapping[str, int], column: Mapping[str, Column]
) -> None:
    """Fill in what the turns beside a candidate, and its session, say for it."""
    for index, one in enumerate(each):
        before = at.get(one.before) if one.before else None
        after = at.get(one.after) if one.after else None
        if before is not None:
            column["similarity before"][index] = column["context similarity"][before]
            column["answers a question"][index] = column["question"][before]
        if after is not None:
            column["similarity after"][index] = column["similarity"][after]
        for mine, theirs in _BESIDE:
            beside = [column[theirs][other] for other in (before, after) if other is not None]
            column[mine][index] = max(beside, default=0.0)
    _sessions(each, column)


_BESIDE = (("bm25 beside", "bm25 against best"), ("coverage beside", "rare coverage"))


def _sessions(each: Sequence[Candidate], column: Mapping[str, Column]) -> None:
    """Fill in how much of all that was found is of a candidate's session."""
    mass: dict[str, float] = {}
    for one, score in zip(each, column["fused"], strict=True):
        if one.session:
            mass[one.session] = mass.get(one.session, 0.0) + float(score)
    most = max(mass.values(), default=0.0)
    for index, one in enumerate(each):
        if one.session and most > 0:
            column["session"][index] = mass[one.session] / most
