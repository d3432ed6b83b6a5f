"""Many ranked lists become one: ways to add up what the voices say of each memory."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from neomem.recall.evidence import Heard, Signal, Voice


def confidence_rrf(
    voices: Sequence[Voice], weights: Mapping[Signal, float], k: float = 15.0
) -> dict[str, float]:
    """Sum weight · share · score / (k + rank); a signal without a weight says nothing."""
    parts: defaultdict[str, list[float]] = defaultdict(list)
    for voice in voices:
        weight = weights.get(voice.signal, 0.0) * voice.share
        for heard in voice.hits:
            parts[heard.id].append(weight * heard.score / (k + heard.rank))
    return _sums(parts)


def rrf(voices: Sequence[Voice], k: float = 60.0) -> dict[str, float]:
    """Sum 1 / (k + rank): every voice counts the same, whatever its scores."""
    parts: defaultdict[str, list[float]] = defaultdict(list)
    for voice in voices:
        for heard in voice.hits:
            parts[heard.id].append(1 / (k + heard.rank))
    return _sums(parts)


def linear(
    voices: Sequence[Voice],
    weights: Mapping[Signal, float],
    by_rank: AbstractSet[Signal] = frozenset(),
    as_is: AbstractSet[Signal] = frozenset(),
) -> dict[str, float]:
    """Mix the signals by weights made to sum to 1; the result is in 0..1.

    A signal's scores are divided by the best of their voice, those in `by_rank` are 1 / (1 + rank
    from 0), those in `as_is` stay; of several voices the best word counts.
    """
    total = math.fsum(weights.values())
    parts: defaultdict[str, list[float]] = defaultdict(list)
    for signal, said in _best_words(voices, by_rank, as_is).items():
        weight = weights.get(signal, 0.0) / total if total else 0.0
        for name, score in said.items():
            parts[name].append(weight * score)
    return {name: min(1.0, score) for name, score in _sums(parts).items()}


def weighted(
    voices: Sequence[Voice], weights: Mapping[Signal, float], bonus: float = 0.1
) -> dict[str, float]:
    """Return `linear` with a bonus for what at least two weighted signals found, at most 1."""
    finders: defaultdict[str, set[Signal]] = defaultdict(set)
    for voice in voices:
        if voice.signal in weights:
            for heard in voice.hits:
                finders[heard.id].add(voice.signal)
    return {
        name: min(1.0, score + bonus) if len(finders[name]) > 1 else score
        for name, score in linear(voices, weights).items()
    }


def ranking(scores: Mapping[str, float]) -> list[str]:
    """Return the memories best first; ties fall to the id."""
    return sorted(scores, key=lambda name: (-scores[name], name))


def _sums(parts: Mapping[str, list[float]]) -> dict[str, float]:
    """Add up exactly, so that the order of the voices changes nothing."""
    return {name: math.fsum(terms) for name, terms in parts.items()}


def _best_words(
    voices: Sequence[Voice], by_rank: AbstractSet[Signal], as_is: AbstractSet[Signal]
) -> dict[Signal, dict[str, float]]:
    said: defaultdict[Signal, dict[str, float]] = defaultdict(dict)
    for voice in voices:
        best = 1.0 if voice.signal in as_is else max((h.score for h in voice.hits), default=0.0)
        words = said[voice.signal]
        for heard in voice.hits:
            score = 1 / heard.rank if voice.signal in by_rank else _share(heard, best)
            words[heard.id] = max(score, words.get(heard.id, 0.0))
    return said


def _share(heard: Heard, best: float) -> float:
    return heard.score / best if best > 0 else 0.0
