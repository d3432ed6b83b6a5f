"""All that is known of the candidates as numbers: one row a candidate, one column a feature."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from neomem.ports import similarity
from neomem.recall import terms
from neomem.recall.evidence import Candidate, Voice, session_shares
from neomem.recall.form import Form, asks_how_many, date_named, falls_on, form

Matrix = NDArray[np.float64]
Column = NDArray[np.float64]

VOICES = ("alone", "in context", "second look", "words", "as written", "entities", "hits")
FEATURES = (
    *(f"rank {name}" for name in VOICES),
    "fused",
    "fused against best",
    "similarity",
    "similarity against best",
    "context similarity",
    "context similarity against best",
    "best similarity",
    "feedback",
    "feedback against best",
    "second look",
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
    "coverage with turns beside",
    "coverage with turns around",
    "coverage with turns before",
    "answers a question",
    "answers a like question",
    "session",
    "session similarity",
    "session similarity against best",
    "subject",
    "other subject",
    "question",
    "time",
    "month asked for",
    "day asked for",
    "number",
    "of self",
    "to other",
    "names",
    "reacts",
    "short",
    "length",
    "length up to a limit",
    "assistant",
)
"""What is weighed: ranks in the voices, likeness and words (also against the best candidate), the
graph, the turns beside it and its session, and what the text itself looks like."""

_RANK = 10.0
"""Ranks count as k / (k + rank): near 1 for the first, 0 for what a voice did not name."""
_BM25 = 12.0
"""A BM25 score that counts half."""
_SHORT = 60.0
"""Characters of a text that counts half as short; beyond some hundred, length says nothing."""
_LONG = 3.0
"""Times the median length from which a text is as long as any."""
_BEST_OF_SESSION = 3
"""Candidates whose mean likeness stands for their session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What features need to know of the question."""

    text: str
    terms: tuple[str, ...]
    entities: frozenset[str]
    floor: float
    strangers: tuple[str, ...] = ()
    """The names in the question, where the graph knows none of them."""


def talk(candidate: Candidate) -> Literal["user", "assistant"] | None:
    """Tell who speaks where a person talks to an assistant; None anywhere else."""
    return ROLES.get((candidate.speaker or "").casefold())


ROLES: dict[str, Literal["user", "assistant"]] = {
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
    if not candidates:
        return np.zeros((0, len(FEATURES)))
    order = list(candidates)
    at = {name: index for index, name in enumerate(order)}
    column: dict[str, Column] = {name: np.zeros(len(order)) for name in FEATURES}
    column["fused"] += [fused.get(name, 0.0) for name in order]
    column["fused against best"] = _against_best(column["fused"])
    for each in voices:
        _listen(each, at, column)
    every = list(candidates.values())
    beside = [_beside(one, every, at) for one in every]
    _likeness(asked, every, column)
    _words(asked, every, beside, column)
    _form(asked, every, column)
    _conversation(beside, column)
    _sessions(candidates, fused, column)
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


_SCORES = {
    "words": "bm25 against best",
    "second look": "second look",
    "entities": "entities",
    "hits": "hits",
}


@dataclass(frozen=True, slots=True)
class Beside:
    """Where the turns around a candidate stand among the candidates, as far as they do."""

    before: int | None = None
    after: int | None = None
    earlier: int | None = None
    later: int | None = None
    """Two turns away."""


def _beside(one: Candidate, every: Sequence[Candidate], at: Mapping[str, int]) -> Beside:
    before, after = at.get(one.before or ""), at.get(one.after or "")
    return Beside(
        before,
        after,
        None if before is None else at.get(every[before].before or ""),
        None if after is None else at.get(every[after].after or ""),
    )


def _likeness(asked: Asked, every: Sequence[Candidate], column: dict[str, Column]) -> None:
    alone = _similarities([one.cosine for one in every], asked.floor)
    both = [one.cosine if one.context_cosine is None else one.context_cosine for one in every]
    inside = _similarities(both, asked.floor)
    fed = _similarities([one.feedback_cosine for one in every], asked.floor)
    column["similarity"], column["context similarity"], column["feedback"] = alone, inside, fed
    column["best similarity"] = np.maximum(alone, inside)
    for name in ("similarity", "context similarity", "feedback"):
        column[f"{name} against best"] = column[name] - column[name].max()


def _similarities(cosines: Sequence[float | None], floor: float) -> Column:
    return np.array([0.0 if each is None else similarity(each, floor) for each in cosines])


def _against_best(scores: Column) -> Column:
    best = scores.max(initial=0.0)
    return scores / best if best > 0 else scores


def _words(
    asked: Asked,
    every: Sequence[Candidate],
    beside: Sequence[Beside],
    column: Mapping[str, Column],
) -> None:
    """Fill in how much of the question a text has; what few candidates have counts more."""
    if not asked.terms:
        return
    has = [frozenset(terms.matched(asked.terms, one.text)) for one in every]
    rare = {
        term: math.log((len(every) + 1) / (sum(term in one for one in has) + 0.5))
        for term in asked.terms
    }
    whole = math.fsum(rare.values())

    def covered(*indexes: int | None) -> float:
        found = frozenset[str]().union(*(has[each] for each in indexes if each is not None))
        return math.fsum(rare[term] for term in found) / whole

    for index, around in enumerate(beside):
        column["coverage"][index] = len(has[index]) / len(asked.terms)
        column["rare coverage"][index] = covered(index)
        near = (index, around.before, around.after)
        column["coverage with turns beside"][index] = covered(*near)
        column["coverage with turns around"][index] = covered(*near, around.earlier, around.later)
        column["coverage with turns before"][index] = covered(index, around.before, around.earlier)


def _form(asked: Asked, every: Sequence[Candidate], column: Mapping[str, Column]) -> None:
    """Fill in what the texts themselves look like, and whom they are about."""
    when, number = terms.asks_when(asked.text), asks_how_many(asked.text)
    date = date_named(asked.text)
    forms = [form(one.text, one.speaker) for one in every]
    usual = float(np.median([each.length for each in forms])) or 1.0
    for index, (one, looks) in enumerate(zip(every, forms, strict=True)):
        named = not asked.entities.isdisjoint(one.about)
        month, day = falls_on(one.event_at, date) if date else (False, False)
        values = {
            "subject": named,
            "other subject": bool(asked.entities and one.about) and not named,
            "question": looks.asks,
            "time": when and looks.time,
            "month asked for": month,
            "day asked for": day,
            "number": number and looks.number,
            "of self": looks.of_self,
            "to other": looks.to_other,
            "names": looks.names,
            "reacts": looks.reacts,
            "assistant": talk(one) == "assistant",
            **_length(looks, usual),
        }
        for name, value in values.items():
            column[name][index] = value


def _length(looks: Form, usual: float) -> dict[str, float]:
    """Return a text's length in itself, and against what is usual here."""
    times = max(looks.length, 1) / usual
    return {
        "short": _SHORT / (_SHORT + looks.length),
        "length": math.log(times),
        "length up to a limit": min(times, _LONG),
    }


def _conversation(beside: Sequence[Beside], column: Mapping[str, Column]) -> None:
    """Fill in what the turns beside a candidate say for it."""
    for index, around in enumerate(beside):
        if around.before is not None:
            before = column["context similarity"][around.before]
            asks = column["question"][around.before]
            column["similarity before"][index] = before
            column["answers a question"][index] = asks
            column["answers a like question"][index] = asks * before
        if around.after is not None:
            column["similarity after"][index] = column["similarity"][around.after]
        near = [other for other in (around.before, around.after) if other is not None]
        for mine, theirs in _BESIDE:
            column[mine][index] = max((column[theirs][other] for other in near), default=0.0)


_BESIDE = (("bm25 beside", "bm25 against best"), ("coverage beside", "rare coverage"))


def _sessions(
    candidates: Mapping[str, Candidate], fused: Mapping[str, float], column: Mapping[str, Column]
) -> None:
    """Fill in what a session as a whole says for what was said in it."""
    shares = session_shares(candidates, fused)
    alike: dict[str, list[float]] = {}
    for one, likeness in zip(candidates.values(), column["best similarity"], strict=True):
        if one.session:
            alike.setdefault(one.session, []).append(float(likeness))
    means = {name: _mean_of_best(values) for name, values in alike.items()}
    best = max(means.values(), default=0.0)
    for index, (name, one) in enumerate(candidates.items()):
        if one.session:
            column["session"][index] = shares.get(name, 0.0)
            column["session similarity"][index] = means[one.session]
            column["session similarity against best"][index] = means[one.session] - best


def _mean_of_best(values: Sequence[float]) -> float:
    first = sorted(values, reverse=True)[:_BEST_OF_SESSION]
    return math.fsum(first) / len(first)
