"""Values as HTTP answers."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter
from starlette.responses import Response

JSON = "application/json"


def answer(status: int, value: object, shape: TypeAdapter[Any] | None = None) -> Response:
    """Return a value as JSON."""
    headers = {"cache-control": "no-store"}
    if status == 401:  # noqa: PLR2004 - what the standard asks of a refusal
        headers["www-authenticate"] = "Bearer"
    if status in {429, 503}:
        headers["retry-after"] = "1"
    body = (shape or shape_of(type(value))).dump_json(value)
    return Response(body, status, headers, media_type=JSON)


@cache
def shape_of(kind: type) -> TypeAdapter[Any]:
    """Return how values of a kind are written; making that out takes a while, once."""
    return TypeAdapter(kind)
