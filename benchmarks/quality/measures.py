"""Figures of merit, and how sure they are."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

Gold = Mapping[str, float]


def ndcg(found: Sequence[str], gold: Gold, at: int = 10) -> float:
    """Return nDCG: gains of what was found, by place, against the best order there could be."""
    gained = sum(
        gold.get(name, 0.0) / math.log2(place + 2) for place, name in enumerate(found[:at])
    )
    ideal = sorted(gold.values(), reverse=True)[:at]
    best = sum(gain / math.log2(place + 2) for place, gain in enumerate(ideal))
    return gained / best if best else 0.0


def recall(found: Sequence[str], gold: Gold, at: int) -> float:
    """Return the share of the gold that is among the first."""
    return len(set(found[:at]) & set(gold)) / len(gold)


def mrr(found: Sequence[str], gold: Gold) -> float:
    """Return one over the place of the first that is gold."""
    return next((1 / place for place, name in enumerate(found, start=1) if name in gold), 0.0)


MEASURES: dict[str, Callable[[Sequence[str], Gold], float]] = {
    "ndcg@10": ndcg,
    "recall@2": lambda found, gold: recall(found, gold, 2),
    "recall@5": lambda found, gold: recall(found, gold, 5),
    "recall@10": lambda found, gold: recall(found, gold, 10),
    "mrr": mrr,
}


def auroc(answerable: Sequence[float], unanswerable: Sequence[float]) -> float:
    """Return how often a score of the first kind is above one of the second; ties count half."""
    joined = np.concatenate([np.asarray(answerable), np.asarray(unanswerable)])
    order = joined.argsort(kind="stable")
    ranks = np.empty(len(joined))
    ranks[order] = np.arange(1, len(joined) + 1)
    for value in np.unique(joined):
        same = joined == value
        ranks[same] = ranks[same].mean()
    n, m = len(answerable), len(unanswerable)
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * m))


def bootstrap(values: Sequence[float], rounds: int = 1000) -> tuple[float, float]:
    """Return the interval that holds the mean in 95 of 100 draws."""
    drawn = np.random.default_rng(0).choice(np.asarray(values), (rounds, len(values)))
    low, high = np.percentile(drawn.mean(axis=1), [2.5, 97.5])
    return float(low), float(high)
