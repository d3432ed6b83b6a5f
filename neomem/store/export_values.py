"""Properties as an export has them: exact, and with nothing in them that tells whose they are."""

import base64
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from neomem.errors import NeomemError
from neomem.text import fingerprint, lane, session_key

_KEYS = ("dedupe_key", "dedupe_key_kept")
_LANE = "lane"
_MARKS = "sleep_"
_LARGEST = 2**63
VECTORS = ("embedding", "halves", "context_embedding")
"""Properties that an embedder has made; the last in older exports only."""


def own_key(agent: str, neutral: str) -> str:
    """Return the key of an agent's entity, session or task."""
    return session_key(agent, neutral)


def neutral_key(agent: str, key: str) -> str:
    """Return a key without what stands for its agent."""
    prefix = session_key(agent, "")
    if not key.startswith(prefix):
        raise NeomemError(f"the key {key!r} is of another form than this neomem's")
    return key.removeprefix(prefix)


def pack(agent: str, properties: Mapping[str, Any], *, embeddings: bool) -> dict[str, Any]:
    """Return properties as they are exported: no marks of sleep, no agent."""
    packed: dict[str, Any] = {}
    for name, value in properties.items():
        if value is None or name == "agent" or name.startswith(_MARKS):
            continue
        if name in VECTORS:
            if embeddings:
                packed[name] = _pack_vector(value)
        elif name in _KEYS:
            if value == fingerprint(agent, properties.get("identity") or ""):
                packed[name] = {"$fingerprint": "identity"}
        else:
            packed[name] = _pack_owned(agent, name, value)
    return packed


def _pack_owned(agent: str, name: str, value: object) -> object:
    if name.endswith("_key"):
        return {"$own": neutral_key(agent, str(value))}
    if name == _LANE:
        return {"$lane": str(value)[:1]}
    if isinstance(value, list):
        return [_pack(name, item) for item in cast("list[object]", value)]
    return _pack(name, value)


def _pack(name: str, value: object) -> object:
    if isinstance(value, datetime) and value.tzinfo:
        moment = value.astimezone(UTC).replace(tzinfo=None)
        return {"$time": moment.isoformat(timespec="microseconds") + "Z"}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": str(value)}
    if isinstance(value, str | int | float):
        return value
    raise NeomemError(f"the property {name} is a {type(value).__name__}, which has no place here")


def _pack_vector(value: Any) -> dict[str, str]:  # noqa: ANN401 - numbers, or bytes
    """Return the embedding by its 32-bit numbers, and what is kept in half precision as it is."""
    halves = isinstance(value, bytes)
    exact = value if halves else np.asarray(value, "<f4").tobytes()
    return {"$f16" if halves else "$f32": base64.b64encode(exact).decode("ascii")}


def unpack(agent: str, packed: object, dimensions: int) -> dict[str, Any]:
    """Return properties as they are kept, embeddings as arrays; a ValueError says what is wrong."""
    if not isinstance(packed, dict):
        raise ValueError("has no properties")  # noqa: TRY004 - damage, not wrong use
    given = cast("dict[str, object]", packed)
    source = _Source(agent, str(given.get("identity") or ""), dimensions)
    properties: dict[str, Any] = {}
    for name, value in given.items():
        if not name.isidentifier() or name == "agent":
            raise ValueError("has a property of an odd name")
        # What says whose a record is comes from the agent it is imported for, never from the file.
        if (name.endswith("_key") or name == _LANE) and isinstance(value, str):
            raise ValueError(f"has a {name} of an unknown form")
        properties[name] = _unpack(source, value)
    return properties


@dataclass(frozen=True, slots=True)
class _Source:
    """What marked values are made from."""

    agent: str
    identity: str
    dimensions: int


def _unpack(source: _Source, value: object) -> object:
    if isinstance(value, list):
        items = [_unpack(source, item) for item in cast("list[object]", value)]
        if len({type(item) for item in items}) > 1 or any(isinstance(i, list) for i in items):
            raise ValueError("has a list of different things")
        return items
    if isinstance(value, dict):
        tag, content = next(iter(cast("dict[str, object]", value).items()), ("", None))
        if len(cast("dict[str, object]", value)) != 1 or tag not in _MARKED:
            raise ValueError("has a value of an unknown form")
        return _MARKED[tag](source, str(content))
    small = not isinstance(value, int) or -_LARGEST <= value < _LARGEST
    if not isinstance(value, str | int | float) or not small:
        raise ValueError("has a value of an unknown form")
    return value


def _time(_: _Source, text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("has a time that is none") from None
    if moment.tzinfo != UTC:
        raise ValueError("has a time that is not in UTC")
    return moment


def _float(_: _Source, text: str) -> float:
    if text not in {"nan", "inf", "-inf"}:
        raise ValueError("has a number that is none")
    return float(text)


def _vector(source: _Source, text: str) -> NDArray[np.float32]:
    vector = _numbers(text, "<f4")
    if len(vector) != source.dimensions:
        raise ValueError(f"has an embedding that is not of {source.dimensions} numbers")
    return vector


def _halves(source: _Source, text: str) -> bytes:
    kept = _numbers(text, "<f2")
    if len(kept) not in {source.dimensions, 2 * source.dimensions}:
        raise ValueError(
            f"has halves that are not of {source.dimensions} numbers, or twice as many"
        )
    return kept.tobytes()


def _numbers(text: str, kind: str) -> NDArray[Any]:
    try:
        numbers = np.frombuffer(base64.b64decode(text, validate=True), kind)
    except ValueError:
        raise ValueError("has an embedding that is none") from None
    if not np.isfinite(numbers).all():
        raise ValueError("has an embedding with what is no number")
    return numbers


def _lane(source: _Source, letter: str) -> str:
    return lane(source.agent, live=letter == "l")


# Properties cannot be maps in Neo4j, so a map with one of these as its only key is a mark.
_MARKED: Mapping[str, Callable[[_Source, str], object]] = {
    "$time": _time,
    "$float": _float,
    "$f32": _vector,
    "$f16": _halves,
    "$own": lambda source, text: own_key(source.agent, text),
    "$lane": _lane,
    "$fingerprint": lambda source, _: fingerprint(source.agent, source.identity),
}
