"""Who may come in, how many, how often, with how much, and for how long."""

import asyncio
import hmac
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from neomem.sections import is_loopback
from neomem.service import faults
from neomem.service.answers import answer
from neomem.service.metrics import Metrics
from neomem.service_settings import ServiceSettings

WATCHERS = ("/health", "/metrics")
"""Looking at the service keeps it neither busy nor awake."""


class Bucket:
    """A rate limit: so many a second, and twice as many at once after a pause."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left, self._at = 2 * rate, clock()

    def take(self) -> float:
        """Take one; return the seconds after which to come again, 0 when there was one."""
        now = self._clock()
        self._left = min(2 * self._rate, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return (1 - self._left) / self._rate
        self._left -= 1
        return 0.0


class Door:
    """Lets in who has the token and comes from this machine; keeps order inside."""

    def __init__(
        self, app: ASGIApp, *, token: str, settings: ServiceSettings, metrics: Metrics
    ) -> None:
        self._app, self._metrics, self._settings = app, metrics, settings
        self._token = f"Bearer {token}".encode()
        self._bucket = Bucket(settings.rate)
        self._turn = asyncio.Semaphore(settings.concurrency)
        self.inside = 0
        """Requests worked on or waiting for their turn."""
        self.last = time.monotonic()
        """When the last one came or left."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request and pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            self._check(Headers(scope=scope))
            await self._limited(scope, receive, send)
        except faults.Refused as error:
            self._metrics.refused[str(error.status)] += 1
            await answer(*faults.of(error))(scope, receive, send)

    def _check(self, headers: Headers) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not is_loopback(_host_name(host)):
            raise faults.Refused(403, "the Host header names another machine", hint="use localhost")
        if origin is not None and origin != f"http://{host}":
            raise faults.Refused(403, "a web page may not ask", hint="ask from a program")
        given = headers.get("authorization", "").encode()
        if not hmac.compare_digest(given, self._token):
            raise faults.Refused(
                401,
                "the token is missing or wrong",
                hint="send `Authorization: Bearer` + the token",
            )
        wait = self._bucket.take()
        if wait:
            raise faults.Refused(
                429, "too many requests", hint=f"come again in {wait:.1f} s; service.rate is more"
            )

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in WATCHERS:
            await self._app(scope, receive, send)
            return
        if self.inside >= self._settings.concurrency + self._settings.waiting:
            raise faults.Refused(503, "too many are waiting", hint="come again in a moment")
        self.inside += 1
        self.last = time.monotonic()
        begun = _Begun(send)
        try:
            async with asyncio.timeout(self._settings.timeout):
                body = await _body(scope, receive, self._settings.max_body)
                async with self._turn:
                    await self._app(scope, _replayed(body, receive), begun)
        except TimeoutError as error:
            self._metrics.refused["504"] += 1
            if not begun.sent:
                await answer(*faults.of(error))(scope, receive, send)
        finally:
            self.inside -= 1
            self.last = time.monotonic()


class _Begun:
    """Passes messages on, and knows whether an answer has begun."""

    def __init__(self, send: Send) -> None:
        self._send, self.sent = send, False

    async def __call__(self, message: Message) -> None:
        self.sent = True
        await self._send(message)


async def _body(scope: Scope, receive: Receive, largest: int) -> bytes:
    """Read a request's body, and no more of it than is allowed."""
    announced = Headers(scope=scope).get("content-length", "0")
    body = bytearray()
    more = announced.isdecimal() and int(announced) <= largest
    while more and len(body) <= largest:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if not more and len(body) <= largest:
            return bytes(body)
    raise faults.Refused(
        413, f"a request has at most {largest:,} bytes", hint="send less at once; service.max_body"
    )


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Give the body that was read, then whatever else comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _host_name(host: str) -> str:
    """Return a Host header's name without its port; nothing when it cannot be read."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
