"""Voices into scores: the first pass, the second, what a memory is worth beyond its match."""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from neomem.model import Fusion
from neomem.ports import similarity
from neomem.recall import adjust, fusion, presets, terms
from neomem.recall.adjust import TwoPass
from neomem.recall.evidence import Candidate, Signal, Voice, session_shares, voice
from neomem.recall.features import Asked, features
from neomem.recall.second_pass import SecondPass
from neomem.recall.walk import Reached

SHARES = {
    "alone": 0.6,
    "in context": 0.6,
    "second look": 0.6,
    "words": 0.8,
    "as written": 0.4,
    "entities": 0.6,
    "beside": 0.4,
    "session": 0.1,
}
"""How much of its signal's weight each voice has."""

Spoken = Callable[[], dict[str, float]]
"""What each feature added to the odds; asked of the hits alone, since it takes time to tell."""

_STRANGERS = 1.5
"""What it takes from the odds that a question names somebody, and the memory knows none of them."""
_LEND = 0.5
"""Of its first score that a turn lends to those beside it."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its relevance, and what that rests on."""

    candidate: Candidate
    relevance: float
    score: float
    factors: Mapping[str, float] = field(default_factory=dict[str, float])
    spoken: Spoken = dict
    path: str | None = None
    """The way from a better hit, if that spoke for it."""

    @property
    def id(self) -> str:
        """The memory's."""
        return self.candidate.id


@dataclass(frozen=True, slots=True)
class Judged:
    """How probably a candidate answers, and what spoke for it."""

    relevance: float
    spoken: Spoken = dict
    path: str | None = None
    """The way from a better hit, if that spoke for it."""


def shared(each: Voice) -> Voice:
    """Return a voice with its share of the signal's weight."""
    return replace(each, share=SHARES[each.name])


def fused(
    voices: Sequence[Voice],
    weights: Mapping[Signal, float],
    known: Mapping[str, Candidate],
    k: float,
) -> dict[str, float]:
    """Return the first pass in 0..1, where 1 would be first in every voice beyond doubt."""
    first = fusion.confidence_rrf(voices, weights, k)
    every = [*voices, *conversation(first, known)]
    best = math.fsum(weights.get(each.signal, 0.0) * each.share for each in every) / (k + 1)
    whole = fusion.confidence_rrf(every, weights, k)
    return {name: score / best for name, score in whole.items()} if best else whole


def conversation(first: Mapping[str, float], known: Mapping[str, Candidate]) -> list[Voice]:
    """Return what turns say for those beside them, and a session for all that was said in it."""
    top = max(first.values(), default=0.0)
    if not top:
        return []
    lent: dict[str, float] = {}
    for name, each in known.items():
        score = first.get(name, 0.0) / top
        for other in (each.before, each.after):
            if other and other in known:
                lent[other] = max(lent.get(other, 0.0), _LEND * score)
    lent = {name: score for name, score in lent.items() if score > 0}
    return [
        shared(voice("graph", name, scores))
        for name, scores in (("beside", lent), ("session", session_shares(known, first)))
        if scores
    ]


def by_evidence(
    model: SecondPass,
    asked: Asked,
    known: Mapping[str, Candidate],
    voices: Sequence[Voice],
    first: Mapping[str, float],
) -> dict[str, Judged]:
    """Judge the candidates on all their evidence."""
    if not known:
        return {}
    evidence = features(asked, known, voices, first)
    chances = model(list(known.values()), evidence)
    judged = {
        name: Judged(float(chance), partial(model.spoken, known[name], row))
        for name, chance, row in zip(known, chances, evidence, strict=True)
    }
    strangers = terms.key_terms(" ".join(asked.strangers))
    if not strangers:
        return judged
    return {
        name: each
        if terms.matched(strangers, known[name].text)
        else _shifted(each, "of strangers", -_STRANGERS)
        for name, each in judged.items()
    }


def bridged(
    model: SecondPass,
    judged: Mapping[str, Judged],
    known: Mapping[str, Candidate],
    named: Mapping[str, Reached],
) -> dict[str, Judged]:
    """Raise what is about something that the best hits name: the next step of a question."""
    return {name: _bridged(each, model, known[name], named) for name, each in judged.items()}


def _bridged(
    each: Judged, model: SecondPass, candidate: Candidate, named: Mapping[str, Reached]
) -> Judged:
    ways = [named[key] for key in candidate.about if key in named]
    weight = model.bridge(candidate)
    if not ways or not weight:
        return each
    best = max(ways, key=lambda way: way.weight)
    raised = _shifted(each, "bridge", weight * best.weight)
    return replace(raised, path=f"{best.path} → about")


def _shifted(each: Judged, why: str, much: float) -> Judged:
    """Add to the logarithm of the odds."""
    doubt = (1 - each.relevance) / max(each.relevance, sys.float_info.min) * math.exp(-much)
    return Judged(1 / (1 + doubt), lambda: each.spoken() | {why: much})


def by_fusion(  # noqa: PLR0913, PLR0917 - all that the formulas take
    name: Fusion,
    asked: Asked,
    known: Mapping[str, Candidate],
    voices: Sequence[Voice],
    weights: Mapping[Signal, float],
    k: float,
    now: float,
) -> dict[str, Judged]:
    """Judge the candidates by one formula alone."""
    match name:
        case "rrf":
            scores = fusion.rrf(voices, k)
        case "linear":
            scores = fusion.linear(voices, weights)
        case "weighted":
            scores = fusion.weighted(voices, weights)
        case "two_pass":
            alike = {
                each.id: similarity(each.cosine, asked.floor)
                for each in known.values()
                if each.cosine is not None
            }
            scores = adjust.two_pass(known.values(), alike, asked.terms, now, TwoPass())
        case _:
            scores = fused(voices, weights, known, k)
    return {each: Judged(min(score, 1.0)) for each, score in scores.items() if each in known}


def by_preset(
    ranking: presets.Preset,
    voices: Sequence[Voice],
    known: Mapping[str, Candidate],
    weights: Mapping[Signal, float],
    now: float,
) -> list[Scored]:
    """Score as another system would, on the voices it has."""
    heard = [_for_preset(each, known) for each in voices if each.name in _PRESET_VOICES]
    scores = ranking.score(heard, known, weights, now)
    return [
        Scored(known[name], min(scores[name], 1.0), min(scores[name], 1.0))
        for name in fusion.ranking(scores)
    ]


_PRESET_VOICES = {"alone", "words", "entities"}


def _for_preset(each: Voice, known: Mapping[str, Candidate]) -> Voice:
    """Return a voice as the other systems heard it: whole, and cosines as they are."""
    scores = {
        heard.id: max(heard.raw or 0.0, 0.0) if each.signal == "vector" else heard.score
        for heard in each.hits
        if heard.id in known
    }
    return voice(each.signal, each.name, scores)


def adjusted(
    judged: Mapping[str, Judged],
    known: Mapping[str, Candidate],
    now: float,
    *,
    half_life_days: float,
    strength: float,
) -> list[Scored]:
    """Multiply relevance by the factors; return best first, ties by the id."""
    scored: list[Scored] = []
    for name, each in judged.items():
        factors = adjust.factors(known[name], now, half_life_days=half_life_days, strength=strength)
        score = each.relevance * math.prod(factors.values())
        scored.append(Scored(known[name], each.relevance, score, factors, each.spoken, each.path))
    return sorted(scored, key=lambda each: (-each.score, each.id))
