"""Answers of an endpoint: the shape it is told to give, and what is taken for one.

Complaints name places and problems, never what stood there: that may be a memory.
"""

import math
import re
from typing import Any, cast

import numpy as np
from pydantic import BaseModel, ValidationError

from neomem.errors import ModelAnswerInvalid
from neomem.ports import Answer, Vector

# Not understood by every server; a shape checks them itself.
_UNSENT = {"title", "default", "minLength", "maxLength"}
_FENCED = re.compile(r"```(?:json)?(.*)```", re.DOTALL | re.IGNORECASE)
_SHOWN = 5


class VectorItem(BaseModel):
    """A vector, and which text it belongs to; some servers rely on the order instead."""

    embedding: list[float]
    index: int | None = None


class Vectors(BaseModel):
    """What is used of an answer to embeddings."""

    data: list[VectorItem]


class Message(BaseModel):
    """What a model said, or that it would not."""

    content: str | None = None
    refusal: str | None = None


class Choice(BaseModel):
    """A message, and why it ends where it ends."""

    message: Message
    finish_reason: str | None = None
    logprobs: Any = None
    """Of its tokens; not every server's are of one shape, and an answer is good without them."""


class TokenWeight(BaseModel):
    """How likely a model found a token: the logarithm of a probability."""

    logprob: float


class Weights(BaseModel):
    """How likely a model found its words."""

    content: list[TokenWeight]


class Tokens(BaseModel):
    """What a request has cost, as far as the server tells."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Completion(BaseModel):
    """What is used of an answer to a chat."""

    choices: list[Choice]
    usage: Tokens | None = None


def validate(shape: type[Answer], text: str | bytes, name: str) -> Answer:
    """Read JSON that `name` gave as a shape."""
    try:
        return shape.model_validate_json(text)
    except ValidationError as error:
        found = [_problem(entry["loc"], entry["type"]) for entry in error.errors()]
        more = ["…"] if len(found) > _SHOWN else []
        raise ModelAnswerInvalid(
            f"{name} gave an answer that is no {shape.__name__}: "
            + "; ".join(found[:_SHOWN] + more)
        ) from None


def _problem(place: tuple[int | str, ...], kind: str) -> str:
    # The name of a field we do not know is the model's own words.
    known = place[:-1] if kind == "extra_forbidden" else place
    return ": ".join(filter(None, [".".join(map(str, known)), kind]))


def unit_vectors(answer: Vectors, count: int, dimensions: int, name: str) -> Vector:
    """Return one vector of unit length for each of `count` texts, in their order."""
    items = answer.data
    if len(items) != count:
        raise ModelAnswerInvalid(f"{name} gave {len(items)} vectors for {count} texts")
    places = [at if item.index is None else item.index for at, item in enumerate(items)]
    if sorted(places) != list(range(count)):
        raise ModelAnswerInvalid(f"{name} does not say which vector is whose")
    for item in items:
        length = len(item.embedding)
        if length != dimensions:
            raise ModelAnswerInvalid(
                f"{name} gave a vector of length {length}, not {dimensions}",
                hint=f"if {length} is the model's length, set embedder.dimensions to {length}",
            )
    vectors = np.empty((count, dimensions))
    vectors[places] = [item.embedding for item in items]
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise ModelAnswerInvalid(f"{name} gave a vector without a direction: zero, NaN or Inf")
    return (vectors / lengths).astype(np.float32)


def json_in(completion: Completion, name: str) -> str:
    """Return the JSON a model gave, without the thinking or the fences around it."""
    if not completion.choices:
        raise ModelAnswerInvalid(f"{name} gave no answer")
    choice = completion.choices[0]
    text = (choice.message.content or "").strip()
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise ModelAnswerInvalid(f"{name} refused to answer")
    if choice.finish_reason == "length":
        raise ModelAnswerInvalid(
            f"{name} stopped in the middle of its answer",
            hint="its context is full: give it a larger one, or a shorter text",
        )
    if not text:
        raise ModelAnswerInvalid(f"{name} gave an empty answer")
    if text.startswith("{"):
        return text
    text = text.rpartition("</think>")[2]
    fenced = _FENCED.search(text)
    return (fenced[1] if fenced else text).strip()


def likelihood(completion: Completion) -> float | None:
    """Return e to the mean log-probability of an answer's tokens; None where it is not told."""
    try:
        weights = Weights.model_validate(completion.choices[0].logprobs)
    except ValidationError:
        return None
    told = [token.logprob for token in weights.content]
    mean = sum(told) / len(told) if told else math.nan
    return None if math.isnan(mean) else math.exp(min(mean, 0.0))


def strict_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a shape: every field required, no other allowed."""
    return _strict(shape.model_json_schema())


def _strict(node: Any) -> Any:  # noqa: ANN401 - JSON is whatever it is
    if isinstance(node, list):
        return [_strict(item) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    schema = cast("dict[str, Any]", node)
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    strict: dict[str, Any] = {
        key: {name: _strict(value) for name, value in inner.items()}
        if key in {"properties", "$defs"}
        else _strict(inner)
        for key, inner in schema.items()
        if key not in _UNSENT
    }
    if "properties" in strict:
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict
