"""JSON as it comes, told apart once."""

import json

Event = dict[str, object]


def an_object(value: object) -> Event | None:
    """Return a value if it is a JSON object."""
    return value if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType]


def a_list(value: object) -> list[object] | None:
    """Return a value if it is a JSON array."""
    return value if isinstance(value, list) else None  # pyright: ignore[reportUnknownVariableType]


def loads(text: str | bytes) -> Event:
    """Read a JSON object; anything else is a ValueError."""
    try:
        found = an_object(json.loads(text))
    except RecursionError:
        found = None
    if found is None:
        raise ValueError("it is no JSON object")
    return found
