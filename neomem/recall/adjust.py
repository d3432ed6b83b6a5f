"""What a memory is worth beyond its match: age, the quality of a summary, trust, authority."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from neomem.recall import terms
from neomem.recall.evidence import Candidate

DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPass:
    """Settings of the reference's closed form; the three parts of authority sum to 1."""

    floor: float = 0.0
    """θ₁: the least similarity."""
    first: int = 100
    """k₁: how many similar ones are looked at."""
    second: int = 100
    """k₂: how many of them are kept."""
    term_weight: float = 0.3
    """κ: what the question's own words add."""
    recency: float = 1 / 3
    frequency: float = 1 / 3
    authored: float = 1 / 3
    half_life_days: float = 30.0

    def __post_init__(self) -> None:
        parts = (self.recency, self.frequency, self.authored)
        if min(parts) < 0 or not math.isclose(math.fsum(parts), 1.0):
            raise ValueError("recency, frequency and authored must not be negative and sum to 1")
        if not 1 <= self.second <= self.first:
            raise ValueError("second must be at least 1 and at most first")
        if self.term_weight < 0:
            raise ValueError("term_weight must not be negative")


def recency(age_seconds: float, half_life_days: float = 30.0) -> float:
    """Return e^(-λ·age), halved with every half-life; what lies ahead counts as now."""
    return math.exp2(-max(0.0, age_seconds) / (half_life_days * DAY))


def recency_factor(
    candidate: Candidate, now: float, *, half_life_days: float, strength: float
) -> float:
    """Return (1 - strength) + strength · recency; 1 for evergreen and pinned memories."""
    if candidate.evergreen or candidate.pinned:
        return 1.0
    return 1.0 - strength * (1.0 - recency(now - candidate.event_at, half_life_days))


def summary_quality(decay_rate: float | None) -> float:
    """Return 1 - .5 · decay_rate: a summary that lost much counts less, any other memory fully."""
    return 1.0 - 0.5 * _clip(decay_rate or 0.0)


def factors(
    candidate: Candidate, now: float, *, half_life_days: float, strength: float
) -> dict[str, float]:
    """Return by name, each in 0..1, what a memory's relevance is multiplied by."""
    return {
        "recency": recency_factor(candidate, now, half_life_days=half_life_days, strength=strength),
        "summary": summary_quality(candidate.decay_rate),
        "trust": _clip(candidate.trust),
    }


def two_pass(
    candidates: Collection[Candidate],
    similarities: Mapping[str, float],
    question_terms: Sequence[str],
    now: float,
    settings: TwoPass,
) -> dict[str, float]:
    """Score by the reference's form: ω · max(sim, 0) · (1 + κ · coverage) / (1 + κ).

    A candidate without a similarity is not looked at. Each score is in 0..ω, and ω in 0..1.
    """
    known = [one for one in candidates if one.id in similarities]
    most = max((one.retrievals for one in candidates), default=0)
    alike = sorted(known, key=lambda one: (-similarities[one.id], one.id))[: settings.first]
    kappa = settings.term_weight
    scores = {
        one.id: authority(one, most, now, settings)
        * min(1.0, max(0.0, similarities[one.id]))
        * ((1 + kappa * terms.coverage(question_terms, one.text)) / (1 + kappa))
        for one in alike
        if similarities[one.id] >= settings.floor
    }
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return dict(best[: settings.second])


def authority(candidate: Candidate, most: int, now: float, settings: TwoPass) -> float:
    """Return ω in 0..1: recency, retrievals against the `most` of any, and authored authority."""
    fresh = recency_factor(candidate, now, half_life_days=settings.half_life_days, strength=1.0)
    used = math.log1p(candidate.retrievals) / math.log1p(most) if most > 0 else 0.0
    parts = (
        settings.recency * fresh,
        settings.frequency * used,
        settings.authored * _clip(candidate.authority),
    )
    return min(1.0, math.fsum(parts))


def _clip(value: float) -> float:
    return min(1.0, max(0.0, value))
