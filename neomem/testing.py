"""Fakes for tests: deterministic, small, and honest about what they are."""

import json
import math
import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from neomem.errors import ModelAnswerInvalid
from neomem.ports import Answer, Embedding, Passage, Usage

_WORD = re.compile(r"\w+")
_TRIGRAM_WEIGHT = 0.25
_CONTEXT_WEIGHT = 0.25


@dataclass(frozen=True, slots=True)
class FakeEmbedder:
    """Vectors of hashed words and trigrams: texts that share words are similar.

    The same in every process and on every platform; synonyms are strangers to it.
    """

    dimensions: int = 64
    model: str = "fake"
    floor: float = 0.0
    reads_context: bool = True

    async def embed_question(self, text: str) -> Embedding:
        """Return the vector of a question: that of a passage without context."""
        return self._embed(Passage(text))

    async def embed_passages(self, passages: Sequence[Passage]) -> list[Embedding]:
        """Return the vectors of passages, each moved a little by its context."""
        return [self._embed(passage) for passage in passages]

    async def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def _embed(self, passage: Passage) -> Embedding:
        vector = self._hashed(passage.text)
        if passage.context:
            vector = _unit(vector + _CONTEXT_WEIGHT * self._hashed(passage.context))
        return Embedding(vector.astype(np.float32))

    def _hashed(self, text: str) -> NDArray[np.float64]:
        lower = text.lower()
        words = Counter(_WORD.findall(lower))
        # Marked, so that a word of three letters is not taken for one.
        trigrams = Counter(f"\0{lower[at : at + 3]}" for at in range(len(lower)))
        sums = np.zeros(self.dimensions)
        for features, weight in ((words, 1.0), (trigrams, _TRIGRAM_WEIGHT)):
            for feature, count in features.items():
                digest = blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest()
                place, sign = divmod(int.from_bytes(digest, "little"), 2)
                sums[place % self.dimensions] += weight * count * (1 if sign else -1)
        return _unit(sums)


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    length = math.sqrt(math.fsum(value * value for value in vector.tolist()))
    if length:
        return vector / length
    first = np.zeros_like(vector)  # nothing said is a direction too
    first[0] = 1
    return first


@dataclass(frozen=True, slots=True)
class Asked:
    """One call of a language model."""

    instructions: str
    data: str
    shape: type[BaseModel]


Queued = BaseModel | Mapping[str, object] | str | Exception


class FakeLanguageModel:
    """Gives the queued answers in turn, whatever is asked, and remembers what was.

    An exception is raised; anything else is read as the shape that was asked for.
    """

    model = "fake"

    def __init__(self, answers: Iterable[Queued] = ()) -> None:
        self.answers = deque(answers)
        self.asked: list[Asked] = []
        self.usage = Usage()
        self.likelihood: float | None = None
        """What it says of its words."""

    async def ask_sure(
        self, instructions: str, data: str, shape: type[Answer]
    ) -> tuple[Answer, float | None]:
        """Return the next answer, and how likely it is said to be."""
        return await self.ask(instructions, data, shape), self.likelihood

    async def ask(self, instructions: str, data: str, shape: type[Answer]) -> Answer:
        """Return the next answer in the shape asked for."""
        self.asked.append(Asked(instructions, data, shape))
        if not self.answers:
            raise AssertionError(f"no answer is queued for question {len(self.asked)}")
        answer = self.answers.popleft()
        if isinstance(answer, Exception):
            raise answer
        text = _json(answer)
        self.usage += Usage(_tokens(instructions + data), _tokens(text))
        try:
            return shape.model_validate_json(text)
        except ValidationError as error:
            raise ModelAnswerInvalid(f"the queued answer is no {shape.__name__}") from error

    async def close(self) -> None:
        """Do nothing: there is nothing to give back."""


def _json(answer: BaseModel | Mapping[str, object] | str) -> str:
    if isinstance(answer, BaseModel):
        return answer.model_dump_json()
    return answer if isinstance(answer, str) else json.dumps(dict(answer))


def _tokens(text: str) -> int:
    return math.ceil(len(text) / 4)
