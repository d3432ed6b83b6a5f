"""One request to the service over its unix socket, and the answer."""

import json
import os
import socket
import time

from neomem_hook import home as files
from neomem_hook.plain import Event, an_object, loads

_PIECE = 65536
_LARGEST = 4_000_000  # bytes of an answer


class NotRunning(Exception):
    """Nobody listens."""


class Failed(Exception):
    """The service did not do it, and may do it another time."""


class Refused(Exception):
    """The service will never do it: what was sent cannot be used."""


def ask(home: str, event: Event, seconds: float) -> Event:
    """Return what the service answers to an event within so many seconds."""
    body = json.dumps(event).encode()
    head = (
        f"POST /v1/hook HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {_token(home)}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n"
    )
    raw = _exchange(home, head.encode() + body, time.monotonic() + seconds)
    status, answer = _read(raw)
    if status == 200:  # noqa: PLR2004 - http.HTTPStatus takes milliseconds to load
        return answer
    reason = f"{status} {(an_object(answer.get('error')) or {}).get('message', '')}"
    raise (Refused if status in {400, 404, 413} else Failed)(reason)


def _token(home: str) -> str:
    try:
        with open(os.path.join(home, files.TOKEN), encoding="ascii") as stream:
            return stream.read().strip()
    except FileNotFoundError:
        raise NotRunning("it never ran here") from None


def _exchange(home: str, request: bytes, deadline: float) -> bytes:
    answer = b""
    with socket.socket(socket.AF_UNIX) as link:
        try:
            _connect(link, home, deadline)
            link.sendall(request)
            while piece := _receive(link, deadline):
                answer += piece
                if len(answer) > _LARGEST:
                    raise Failed("the answer is too long")
        except TimeoutError:
            raise Failed("no answer in time") from None
        except OSError as error:
            raise Failed(f"the connection broke: {error.strerror}") from None
    return answer


def _connect(link: socket.socket, home: str, deadline: float) -> None:
    folder, name = os.path.split(os.path.join(home, files.SOCKET))
    link.settimeout(max(deadline - time.monotonic(), 0.001))
    try:
        os.chdir(folder)  # a socket's path may have some hundred characters only
        link.connect(name)
    except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
        raise NotRunning("no service is running") from None


def _receive(link: socket.socket, deadline: float) -> bytes:
    link.settimeout(max(deadline - time.monotonic(), 0.001))
    return link.recv(_PIECE)


def _read(raw: bytes) -> tuple[int, Event]:
    head, _, body = raw.partition(b"\r\n\r\n")
    try:
        return int(head.split(None, 2)[1]), loads(body)
    except (ValueError, IndexError):
        raise Failed("the answer cannot be read") from None
