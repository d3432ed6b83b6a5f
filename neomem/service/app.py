"""The ASGI app: every operation a route, MCP beside them, the door before all."""

import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from pydantic import TypeAdapter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from neomem.service import faults, mcp_server, openapi
from neomem.service.answers import JSON, answer
from neomem.service.core import Service
from neomem.service.door import Door
from neomem.service.events import Event, Told
from neomem.service.openapi import Described
from neomem.service.operations import OPERATIONS, Operation
from neomem.service.outputs import Health

_EVENT: TypeAdapter[Any] = TypeAdapter(Event)
_TOLD = TypeAdapter(Told)
_HEALTH = TypeAdapter(Health)

Handler = Callable[[Request], Awaitable[Response]]


def build(service: Service, token: str) -> Door:
    """Return the app, behind its door."""
    settings = service.config.service
    agents = mcp_server.over_http(service, settings.max_body)

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncGenerator[None]:
        async with service.running(), agents.run():
            yield

    described = openapi.describe([*map(_described, OPERATIONS), *_others()], version("neomem"))
    routes = [
        *(_route(service, operation) for operation in OPERATIONS),
        Route("/v1/hook", _timed(service, "hook", _hook(service)), methods=["POST"]),
        Route("/mcp", StreamableHTTPASGIApp(agents), methods=["POST"]),
        Route("/health", _health(service), methods=["GET"]),
        Route("/metrics", _metrics(service), methods=["GET"]),
        Route("/openapi.json", _description(described), methods=["GET"]),
    ]
    app = Starlette(
        routes=routes, lifespan=running, exception_handlers={HTTPException: _no_such_route}
    )
    app.router.redirect_slashes = False
    door = Door(app, token=token, settings=settings, metrics=service.metrics)
    service.metrics.gauge("requests_inside", lambda: door.inside)
    service.metrics.gauge("spooled_events", lambda: len(service.spool.waiting()))
    return door


def _route(service: Service, operation: Operation) -> Route:
    async def handle(request: Request) -> Response:
        if operation.method == "GET":
            values = {**request.query_params, **request.path_params}
            asked = operation.takes.model_validate(values)
        else:
            asked = operation.takes.model_validate_json(await _json(request), strict=True)
        return answer(200, await service.do(operation, asked), operation.gives)

    handler = _timed(service, operation.name, handle)
    return Route(operation.path, handler, methods=[operation.method])


def _hook(service: Service) -> Handler:
    async def handle(request: Request) -> Response:
        event = _EVENT.validate_json(await _json(request), strict=True)
        return answer(200, await service.tell(event), _TOLD)

    return handle


def _timed(service: Service, name: str, handle: Handler) -> Handler:
    """Let a request end in an answer whatever happens, and note how it went."""

    async def timed(request: Request) -> Response:
        begun = time.perf_counter()
        try:
            response = await handle(request)
        except Exception as error:  # noqa: BLE001 - the last line of a request
            response = answer(*faults.of(error))
        service.metrics.request(name, response.status_code, time.perf_counter() - begun)
        return response

    return timed


async def _json(request: Request) -> bytes:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != JSON:
        raise faults.Refused(415, "the body is not JSON", hint=f"send Content-Type: {JSON}")
    return await request.body()


def _health(service: Service) -> Handler:
    async def handle(_: Request) -> Response:
        return answer(200, service.health(), _HEALTH)

    return handle


def _metrics(service: Service) -> Handler:
    async def handle(_: Request) -> Response:
        return PlainTextResponse(service.metrics.prometheus())

    return handle


def _description(described: dict[str, Any]) -> Handler:
    async def handle(_: Request) -> Response:
        return JSONResponse(described)

    return handle


async def _no_such_route(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = {404: "there is no such path", 405: "the path is not asked that way"}
    failure = faults.failure("NoSuchRoute", words.get(status, "no"), "openapi.json has them all")
    response = answer(status, failure)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


def _described(operation: Operation) -> Described:
    return Described(
        name=operation.name,
        method=operation.method,
        path=operation.path,
        summary=operation.summary,
        takes=TypeAdapter(operation.takes),
        gives=operation.gives,
    )


def _others() -> list[Described]:
    return [
        Described(
            name="hook",
            method="POST",
            path="/v1/hook",
            summary="An event of an agent: a prompt to come, turns that were said, a beginning.",
            takes=_EVENT,
            gives=_TOLD,
        ),
        Described(
            name="health",
            method="GET",
            path="/health",
            summary="Whether the service can answer.",
            gives=_HEALTH,
        ),
        Described(
            name="metrics",
            method="GET",
            path="/metrics",
            summary="Figures in the text form of Prometheus.",
            media="text/plain; charset=utf-8",
        ),
        Described(
            name="openapi",
            method="GET",
            path="/openapi.json",
            summary="This description.",
            gives=TypeAdapter(dict[str, Any]),
        ),
    ]
