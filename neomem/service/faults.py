"""Errors as HTTP knows them: a status by kind, a message, what to do next."""

import logging
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from neomem.errors import (
    GraphError,
    GraphUnavailable,
    InputError,
    ModelUnavailable,
    NeomemError,
    NotFound,
)
from neomem.service.outputs import Failure, Fault

log = logging.getLogger(__name__)

_MOST_PROBLEMS = 20


class Refused(NeomemError):
    """The service does not let this caller do that."""

    def __init__(self, status: int, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status


class Starting(GraphUnavailable):
    """The service is not ready yet."""


STATUSES: Sequence[tuple[type[NeomemError], int]] = (
    (NotFound, 404),
    (InputError, 400),
    (GraphError, 503),
    (ModelUnavailable, 503),
    (NeomemError, 500),
)


def of(error: Exception) -> tuple[int, Failure]:
    """Return the status and the words for an error; what is our own fault is logged, not told."""
    if isinstance(error, NeomemError):
        status = next(status for kind, status in STATUSES if isinstance(error, kind))
        status = error.status if isinstance(error, Refused) else status
        return status, failure(type(error).__name__, str(error), error.hint)
    if isinstance(error, ValidationError):
        return 400, failure("InputError", problems(error), "openapi.json says what is taken")
    if isinstance(error, TimeoutError):
        return 504, failure("Timeout", "it took too long", "ask for less, or set service.timeout")
    log.error("a request failed", exc_info=error)
    return 500, failure("InternalError", "something in neomem went wrong", "see the service's log")


def failure(kind: str, message: str, hint: str | None = None) -> Failure:
    """Return an error as it is sent."""
    return Failure(error=Fault(kind=kind, message=message, hint=hint))


def problems(error: ValidationError) -> str:
    """Return what is wrong with an input, by place, without repeating it."""
    found = error.errors(include_input=False, include_url=False, include_context=False)
    told = [f"{_place(item['loc'])}: {item['msg']}" for item in found[:_MOST_PROBLEMS]]
    more = len(found) - len(told)
    return "\n".join([*told, *([f"and {more} more"] if more else [])])


def _place(location: tuple[Any, ...]) -> str:
    return ".".join(map(str, location)) or "the request"
