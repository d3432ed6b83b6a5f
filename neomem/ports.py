"""What neomem asks of models, in its own words; the doors that answer are in `models/`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

Vector = NDArray[np.float32]
Answer = TypeVar("Answer", bound=BaseModel)

EntityType = Literal[
    "person",
    "organisation",
    "place",
    "product",
    "work",
    "group",
    "event",
    "handle",
    "code",
    "other",
]


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to remember, and what came before it: read along, but not part of its vector."""

    text: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """A span of a text that reads like a name, as the embedder saw it in passing."""

    start: int
    end: int
    type: EntityType
    confidence: float


@dataclass(frozen=True, slots=True)
class Embedding:
    """A vector of unit length, and what was noticed on the way to it."""

    vector: Vector
    cut: int = 0
    """Characters at the end of the text that were beyond the model's limit."""
    names: tuple[Name, ...] | None = None
    """Names in the text; None from a model that does not look for them."""


def halves(alone: Vector, in_context: Vector | None) -> bytes:
    """Return a memory's vectors as they are kept to be compared: in half precision, one by one."""
    both = (alone,) if in_context is None else (alone, in_context)
    return np.concatenate(both).astype("<f2").tobytes()


def similarity(cosine: float, floor: float) -> float:
    """Return a cosine on the one scale: 0 for unrelated texts, 1 for the same."""
    return min(max((cosine - floor) / (1 - floor), 0.0), 1.0)


class Embedder(Protocol):
    """Turns texts into vectors; questions and passages may need different treatment."""

    @property
    def model(self) -> str:
        """The name a store remembers."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        ...

    @property
    def floor(self) -> float:
        """Cosine of unrelated texts, from which similarity is counted."""
        ...

    @property
    def reads_context(self) -> bool:
        """Whether a passage's context makes a difference."""
        ...

    async def embed_question(self, text: str) -> Embedding:
        """Return the vector of a question."""
        ...

    async def embed_passages(self, passages: Sequence[Passage]) -> list[Embedding]:
        """Return the vectors of passages, in their order."""
        ...

    async def close(self) -> None:
        """Give back threads, memory and connections."""
        ...


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens a language model has read and written so far."""

    read: int = 0
    written: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.read + other.read, self.written + other.written)


class LanguageModel(Protocol):
    """Answers in a given shape. What it is given as data is never part of its orders."""

    @property
    def model(self) -> str:
        """Its name."""
        ...

    @property
    def usage(self) -> Usage:
        """What it has cost since it was opened."""
        ...

    async def ask(self, instructions: str, data: str, shape: type[Answer]) -> Answer:
        """Follow the instructions on the data; ModelAnswerInvalid when the shape is missed."""
        ...

    async def ask_sure(
        self, instructions: str, data: str, shape: type[Answer]
    ) -> tuple[Answer, float | None]:
        """Ask, and tell how likely the model found its words: e to the mean log, None if unsaid."""
        ...

    async def close(self) -> None:
        """Give back connections."""
        ...


@dataclass(frozen=True, slots=True)
class Known:
    """An entity the agent's graph has already."""

    name: str
    type: EntityType = "other"
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """An entity in a text: where it stands, and whether the text is about it."""

    name: str
    type: EntityType
    start: int
    end: int
    confidence: float
    subject: bool = False


class EntityFinder(Protocol):
    """Finds the names in texts."""

    def knowing(self, known: Iterable[Known]) -> "EntityFinder":
        """Return a finder that also finds these, however they are written."""
        ...

    def find(self, text: str, names: Sequence[Name] | None = None) -> list[Found]:
        """Return the entities of a text in order, none overlapping; `names` are the embedder's."""
        ...
