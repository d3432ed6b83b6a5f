"""All that is known of the candidates as numbers: one row a candidate, one column a feature."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from neomem.ports import similarity
from neomem.recall import terms
from neomem.recall.evidence import Candidate, Voice, session_shares
from neomem.recall.form import asks_how_many, date_named, falls_on, form

Matrix = NDArray[np.float64]
Column = NDArray[np.float64]
Places = NDArray[np.int64]

VOICES = ("alone", "second look", "words", "as written", "entities")
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
    "bm25",
    "bm25 against best",
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
    around = _around(every, at)
    _likeness(asked, every, column)
    if all(each.name != "second look" for each in voices):
        # Where none was made, the first stands for it: no candidate is the worse for that.
        column["rank second look"] = column["rank alone"]
    _words(asked, every, around, column)
    _form(asked, every, column)
    _conversation(around, column)
    _sessions(candidates, fused, column)
    return np.stack([column[name] for name in FEATURES], axis=1)


def _listen(each: Voice, at: Mapping[str, int], column: Mapping[str, Column]) -> None:
    known = [(at[heard.id], heard) for heard in each.hits if heard.id in at]
    if not known or each.name not in VOICES:
        return
    places = [place for place, _ in known]
    ranks = [each.sure * _RANK / (_RANK + heard.rank) for _, heard in known]
    column[f"rank {each.name}"][places] = ranks
    if each.name == "words":
        raw = np.array([heard.raw or 0.0 for _, heard in known])
        column["bm25"][places] = raw / (raw + _BM25)
        column["bm25 against best"][places] = [heard.score for _, heard in known]


@dataclass(frozen=True, slots=True)
class Around:
    """Where the turns around the candidates stand; one that is no candidate stands at the end."""

    before: Places
    after: Places
    earlier: Places
    later: Places
    """Two turns away."""


def _around(every: Sequence[Candidate], at: Mapping[str, int]) -> Around:
    nowhere = len(every)
    before = np.array([*(at.get(one.before or "", nowhere) for one in every), nowhere])
    after = np.array([*(at.get(one.after or "", nowhere) for one in every), nowhere])
    return Around(before[:-1], after[:-1], before[before[:-1]], after[after[:-1]])


def _with_nowhere(column: Column) -> Column:
    """Return a column that has a value for a turn that is no candidate."""
    return np.append(column, 0.0)


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
    asked: Asked, every: Sequence[Candidate], around: Around, column: dict[str, Column]
) -> None:
    """Fill in how much of the question a text has; what few candidates have counts more."""
    if not asked.terms:
        return
    has = np.zeros((len(every) + 1, len(asked.terms)), dtype=bool)
    for index, one in enumerate(every):
        found = terms.matched(asked.terms, one.text)
        if found:
            has[index] = [term in found for term in asked.terms]
    own = has[:-1]
    rare = np.log((len(every) + 1) / (own.sum(axis=0) + 0.5))

    def covered(found: NDArray[np.bool_]) -> Column:
        return found @ rare / rare.sum()

    beside = own | has[around.before] | has[around.after]
    column["rare coverage"] = covered(own)
    column["coverage with turns beside"] = covered(beside)
    column["coverage with turns around"] = covered(beside | has[around.earlier] | has[around.later])
    column["coverage with turns before"] = covered(own | has[around.before] | has[around.earlier])


def _form(asked: Asked, every: Sequence[Candidate], column: dict[str, Column]) -> None:
    """Fill in what the texts themselves look like, and whom they are about."""
    forms = [form(one.text, one.speaker) if one.kind in _TALK else _NO_FORM for one in every]
    named = np.array([not asked.entities.isdisjoint(one.about) for one in every])
    known = np.array([bool(asked.entities and one.about) for one in every])
    told: dict[str, Sequence[float] | NDArray[Any]] = {
        "subject": named,
        "other subject": known & ~named,
        "question": [each.asks for each in forms],
        "of self": [each.of_self for each in forms],
        "to other": [each.to_other for each in forms],
        "names": [each.names for each in forms],
        "reacts": [each.reacts for each in forms],
        "assistant": [talk(one) == "assistant" for one in every],
        "short": [_SHORT / (_SHORT + len(one.text)) for one in every],
    }
    if terms.asks_when(asked.text):
        told["time"] = [each.time for each in forms]
    if asks_how_many(asked.text):
        told["number"] = [each.number for each in forms]
    date = date_named(asked.text)
    if date:
        months, days = zip(*(falls_on(one.event_at, date) for one in every), strict=True)
        told |= {"month asked for": months, "day asked for": days}
    column.update({name: np.array(values, dtype=float) for name, values in told.items()})


_TALK = frozenset({"turn", "summary"})
_NO_FORM = form("")
"""Of texts that stand alone the form is not weighed: it misled from one set of them to another."""


def _conversation(around: Around, column: dict[str, Column]) -> None:
    """Fill in what the turns beside a candidate say for it."""
    before = _with_nowhere(column["context similarity"])[around.before]
    asks = _with_nowhere(column["question"])[around.before]
    column["similarity before"] = before
    column["answers a question"] = asks
    column["answers a like question"] = asks * before
    column["similarity after"] = _with_nowhere(column["similarity"])[around.after]
    for mine, theirs in _BESIDE:
        said = _with_nowhere(column[theirs])
        column[mine] = np.maximum(said[around.before], said[around.after])


_BESIDE = (("bm25 beside", "bm25 against best"), ("coverage beside", "rare coverage"))


def _sessions(
    candidates: Mapping[str, Candidate], fused: Mapping[str, float], column: dict[str, Column]
) -> None:
    """Fill in what a session as a whole says for what was said in it."""
    shares = session_shares(candidates, fused)
    alike: dict[str, list[float]] = {}
    for one, likeness in zip(candidates.values(), column["best similarity"].tolist(), strict=True):
        if one.session:
            alike.setdefault(one.session, []).append(likeness)
    means = {name: _mean_of_best(values) for name, values in alike.items()}
    best = max(means.values(), default=0.0)
    of_session = [means.get(one.session or "", best) for one in candidates.values()]
    column["session"] = np.array([shares.get(name, 0.0) for name in candidates])
    column["session similarity against best"] = np.array(of_session) - best
    column["session similarity"] = np.array(
        [means.get(one.session or "", 0.0) for one in candidates.values()]
    )


def _mean_of_best(values: Sequence[float]) -> float:
    first = sorted(values, reverse=True)[:_BEST_OF_SESSION]
    return math.fsum(first) / len(first)
