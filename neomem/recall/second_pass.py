"""The second pass: all evidence of a candidate into the probability that it answers."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from neomem.recall.features import FEATURES, Matrix


@dataclass(frozen=True, slots=True)
class Logistic:
    """A weight for each feature that counts, and what is left when none speaks."""

    bias: float
    weights: Mapping[str, float]

    def __call__(self, evidence: Matrix) -> NDArray[np.float64]:
        """Return a probability for each row."""
        weights = np.array([self.weights.get(name, 0.0) for name in FEATURES])
        return 1 / (1 + np.exp(-(evidence @ weights + self.bias)))

    def spoken(self, row: NDArray[np.float64]) -> dict[str, float]:
        """Return what each feature adds to a candidate's odds; what adds nothing is left out."""
        return {
            name: float(value * self.weights[name])
            for name, value in zip(FEATURES, row, strict=True)
            if name in self.weights and value
        }


BY_HAND = Logistic(
    bias=-6.0,
    weights={
        "fused": 4.0,
        "similarity": 3.0,
        "context similarity": 2.0,
        "bm25": 1.0,
        "coverage": 1.5,
        "entities": 0.5,
        "hits": 0.5,
        "subject": 0.3,
        "beside similarity": 0.5,
    },
)
"""Weights set by hand, for embedders that nobody has fitted weights for."""
