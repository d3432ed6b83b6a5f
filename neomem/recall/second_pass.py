"""The second pass: all evidence of a candidate into the probability that it answers."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from neomem.recall import terms
from neomem.recall.evidence import Candidate
from neomem.recall.features import FEATURES, ROLES, Matrix, talk

_OF_AN_ASSISTANT = re.compile(rf"(?im)^(?:{'|'.join(ROLES)}): ")
"""How a summary of a talk with an assistant tells who said what."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """A weight for each feature that counts, and what is left when none speaks."""

    bias: float
    weights: Mapping[str, float]
    bridge: float = 0.0
    """What it adds to the odds to be about something that a hit names beyond doubt."""

    def odds(self, evidence: Matrix) -> NDArray[np.float64]:
        """Return the logarithm of the odds of each row."""
        return evidence @ np.array([self.weights.get(name, 0.0) for name in FEATURES]) + self.bias

    def spoken(self, row: NDArray[np.float64]) -> dict[str, float]:
        """Return what each feature adds to a candidate's odds; what adds nothing is left out."""
        return {
            name: float(value * self.weights[name])
            for name, value in zip(FEATURES, row, strict=True)
            if name in self.weights and value
        }


@dataclass(frozen=True, slots=True)
class SecondPass:
    """Weights by what a candidate is, since each kind of talk has habits of its own."""

    people: Logistic
    """Turns of people talking to each other, and summaries of them."""
    assistant: Logistic
    """Turns of a person and an assistant, and summaries of them."""
    texts: Logistic
    """What stands alone: facts, chunks of files."""
    statements: Logistic | None = None
    """The same, when what is said to the memory asks nothing: there is no next step to it."""

    def asked(self, question: str) -> "SecondPass":
        """Return the weights for a question, or for what is none."""
        if self.statements is None or terms.is_question(question):
            return self
        return replace(self, texts=self.statements)

    def __call__(self, candidates: Sequence[Candidate], evidence: Matrix) -> NDArray[np.float64]:
        """Return for each candidate how probably it answers."""
        own = [self._of(each) for each in candidates]
        odds = np.zeros(len(candidates))
        for logistic in (self.people, self.assistant, self.texts):
            odds = np.where([each is logistic for each in own], logistic.odds(evidence), odds)
        return 1 / (1 + np.exp(-odds))

    def spoken(self, candidate: Candidate, row: NDArray[np.float64]) -> dict[str, float]:
        """Return what each feature adds to a candidate's odds."""
        return self._of(candidate).spoken(row)

    def bridge(self, candidate: Candidate) -> float:
        """Return what it adds to a candidate's odds that a hit leads to it."""
        return self._of(candidate).bridge

    def _of(self, candidate: Candidate) -> Logistic:
        if candidate.kind == "summary" and candidate.session:
            told = talk(candidate) or _OF_AN_ASSISTANT.search(candidate.text)
            return self.assistant if told else self.people
        if candidate.kind != "turn":
            return self.texts
        return self.assistant if talk(candidate) else self.people


_HAND = Logistic(
    bias=-6.0,
    weights={
        "fused": 4.0,
        "similarity": 3.0,
        "context similarity": 2.0,
        "bm25": 1.0,
        "rank as written": 1.5,
        "rare coverage": 1.5,
        "rank entities": 0.5,
        "subject": 0.3,
        "similarity before": 0.3,
    },
    bridge=3.0,
)
BY_HAND = SecondPass(_HAND, _HAND, _HAND)
"""Weights set by hand, for embedders that nobody has fitted weights for."""


@cache
def of_embedder(model: str) -> SecondPass:
    """Return the weights that were fitted for an embedder, or those set by hand."""
    file = resources.files("neomem.recall") / "weights" / f"{model}.json"
    if "/" in model or not file.is_file():
        return BY_HAND
    fitted = json.loads(file.read_text(encoding="utf-8"))
    parts = (field.name for field in fields(SecondPass))
    return SecondPass(**{name: Logistic(**fitted[name]) for name in parts if name in fitted})
