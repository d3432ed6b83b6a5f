"""The rankings of the systems neomem replaces, as named settings to compare with."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from neomem.model import Scope
from neomem.recall import evidence, fusion
from neomem.recall.adjust import recency, summary_quality
from neomem.recall.evidence import Candidate, Heard, Signal, Voice

Scoring = Callable[
    [Sequence[Voice], Mapping[str, Candidate], Mapping[Signal, float], float], dict[str, float]
]
"""Voices, what is known of every memory in them, the question's weights, now → scores."""

_PAIR: tuple[Signal, ...] = ("vector", "bm25")
_PAIR_WEIGHTS: Mapping[Signal, float] = {"vector": 0.7, "bm25": 0.3}

_LIBRAVDB_DECAY: Mapping[Scope, float] = {"session": 1e-4, "user": 1e-5, "global": 2e-6}
"""λ per second."""
_LIBRAVDB_SCOPE: Mapping[Scope, float] = {"session": 1.0, "user": 0.6, "global": 0.3}

_NEO4J_FLOOR = 0.1
_NEO4J_SCALED_FROM = 0.01
"""The best score from which on all are divided by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A reference system's ranking."""

    name: str
    signals: tuple[Signal, ...]
    limit: int
    score: Scoring
    multiplier: int
    most: int | None = None
    """Candidates of a voice, however many are asked for."""
    all_terms: bool = False
    """A text must have every term of the question."""
    diversity: float | None = None
    """MMR's weight of relevance; none leaves the order as it is."""

    def candidates(self, limit: int) -> int:
        """Return how many memories each voice names when `limit` are asked for."""
        wanted = self.multiplier * limit
        return wanted if self.most is None else min(self.most, wanted)


def _openclaw(
    voices: Sequence[Voice],
    candidates: Mapping[str, Candidate],
    _weights: Mapping[Signal, float],
    now: float,
) -> dict[str, float]:
    """Score .7 · cosine + .3 / (1 + rank of the text), halved every 30 days in dated files."""
    mixed = fusion.linear(
        _only(voices, _PAIR),
        _PAIR_WEIGHTS,
        by_rank=frozenset({"bm25"}),
        as_is=frozenset({"vector"}),
    )
    return {name: score * _file_age(candidates[name], now) for name, score in mixed.items()}


def _file_age(candidate: Candidate, now: float) -> float:
    dated = candidate.path is not None and not candidate.evergreen
    return recency(now - candidate.event_at, 30.0) if dated else 1.0


def _libravdb(
    voices: Sequence[Voice],
    candidates: Mapping[str, Candidate],
    _weights: Mapping[Signal, float],
    now: float,
) -> dict[str, float]:
    """Score (.7 · cosine + .2 · e^(-λ·seconds) + .1 · scope) · summary quality."""
    return {
        heard.id: _libravdb_score(heard, candidates[heard.id], now)
        for voice in _only(voices, ("vector",))
        for heard in voice.hits
    }


def _libravdb_score(heard: Heard, candidate: Candidate, now: float) -> float:
    seconds = max(0.0, now - candidate.event_at)
    fresh = math.exp(-_LIBRAVDB_DECAY[candidate.scope] * seconds)
    parts = (0.7 * heard.score, 0.2 * fresh, 0.1 * _LIBRAVDB_SCOPE[candidate.scope])
    return math.fsum(parts) * summary_quality(candidate.decay_rate)


def _memory_neo4j(
    voices: Sequence[Voice],
    candidates: Mapping[str, Candidate],
    weights: Mapping[Signal, float],
    _now: float,
) -> dict[str, float]:
    """Score by confidence RRF with k 60 over Neo4j's cosines, the best made 1 unless it is weak."""
    said = [
        _on_neo4j_scale(voice, candidates) if voice.signal == "vector" else voice
        for voice in voices
    ]
    fused = fusion.confidence_rrf(said, weights, k=60.0)
    best = max(fused.values(), default=0.0)
    if best < _NEO4J_SCALED_FROM:
        return fused
    return {name: score / best for name, score in fused.items()}


def _on_neo4j_scale(voice: Voice, candidates: Mapping[str, Candidate]) -> Voice:
    """Score by (1 + cosine) / 2 and rank anew: below 0 the voice itself knows no differences."""
    scores = {heard.id: (1 + _cosine(heard, candidates[heard.id])) / 2 for heard in voice.hits}
    kept = {name: score for name, score in scores.items() if score >= _NEO4J_FLOOR}
    return evidence.voice(voice.signal, voice.name, kept, share=voice.share)


def _cosine(heard: Heard, candidate: Candidate) -> float:
    return heard.score if candidate.cosine is None else candidate.cosine


def _ruvbot(
    voices: Sequence[Voice],
    _candidates: Mapping[str, Candidate],
    _weights: Mapping[Signal, float],
    _now: float,
) -> dict[str, float]:
    return fusion.rrf(_only(voices, _PAIR), k=60.0)


def _ruvbot_linear(
    voices: Sequence[Voice],
    _candidates: Mapping[str, Candidate],
    _weights: Mapping[Signal, float],
    _now: float,
) -> dict[str, float]:
    return fusion.linear(_only(voices, _PAIR), _PAIR_WEIGHTS)


def _ruvbot_weighted(
    voices: Sequence[Voice],
    _candidates: Mapping[str, Candidate],
    _weights: Mapping[Signal, float],
    _now: float,
) -> dict[str, float]:
    return fusion.weighted(_only(voices, _PAIR), _PAIR_WEIGHTS, bonus=0.1)


def _only(voices: Sequence[Voice], signals: tuple[Signal, ...]) -> list[Voice]:
    return [voice for voice in voices if voice.signal in signals]


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="openclaw",
            signals=_PAIR,
            limit=6,
            score=_openclaw,
            multiplier=4,
            most=200,
            all_terms=True,
            diversity=0.7,
        ),
        Preset(
            name="libravdb", signals=("vector",), limit=10, score=_libravdb, multiplier=4, most=200
        ),
        Preset(
            name="memory-neo4j",
            signals=evidence.SIGNALS,
            limit=5,
            score=_memory_neo4j,
            multiplier=4,
            most=200,
        ),
        Preset(name="ruvbot", signals=_PAIR, limit=10, score=_ruvbot, multiplier=3),
        Preset(name="ruvbot-linear", signals=_PAIR, limit=10, score=_ruvbot_linear, multiplier=3),
        Preset(
            name="ruvbot-weighted", signals=_PAIR, limit=10, score=_ruvbot_weighted, multiplier=3
        ),
    )
}
