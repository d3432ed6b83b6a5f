"""The service as a process: one a home, on a unix socket, until it is told to stop or idle."""

import asyncio
import json
import logging
import os
import secrets
import signal
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from filelock import FileLock, Timeout

from neomem.config import Config
from neomem.errors import InstallError, NeomemError
from neomem.service.app import build
from neomem.service.core import Service
from neomem.service.door import Door
from neomem.service_settings import HookSettings
from neomem.store.local_home import HOST, Home, writable
from neomem_hook import home as files
from neomem_hook.limits import Limits

log = logging.getLogger(__name__)

_LONGEST_STOP = 60.0
_POLL = 0.05
_FACTS = "run/service.json"
_LOCK = "run/service.lock"


class AlreadyRunning(NeomemError):
    """The service of this home is running already."""


async def serve(config: Config) -> None:
    """Serve until told to stop, or until nobody has asked for a while."""
    with _alone(config), _listening(config) as sockets:
        service = Service(config)
        door = build(service, token(config.home))
        server = _Server(
            uvicorn.Config(
                door,
                log_config=None,
                access_log=False,
                lifespan="on",
                ws="none",
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=int(config.service.timeout) + 1,
            )
        )
        _announce(config, sockets)
        watching = asyncio.create_task(_stop_when_idle(server, door, config.service.idle_minutes))
        try:
            with _signals(server):
                await server.serve(sockets=sockets)
        finally:
            watching.cancel()
            (config.home / _FACTS).unlink(missing_ok=True)


async def stop(config: Config) -> bool:
    """Ask the running service to end, and wait for it; tell whether there was one."""
    lock = FileLock(config.home / _LOCK)
    pid = _pid(config.home)
    if pid is None or not _held(lock):
        return False
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + config.service.timeout + _LONGEST_STOP
    while _held(lock):
        if time.monotonic() > deadline:
            raise NeomemError(f"the service {pid} does not stop", hint="see its log; kill it")
        await asyncio.sleep(_POLL)
    return True


def token(home: Path) -> str:
    """Return the secret callers must know; made once, for its owner's eyes only."""
    file = home / files.TOKEN
    with writable(home):
        try:
            number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            kept = file.read_text(encoding="ascii").strip()
            if kept:
                return kept
            number = os.open(file, os.O_WRONLY | os.O_TRUNC)
        made = secrets.token_urlsafe(32)
        with os.fdopen(number, "w", encoding="ascii") as stream:
            stream.write(made + "\n")
    return made


class _Server(uvicorn.Server):
    """Uvicorn, which would end the process by the signal it was given; we have to tidy up."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals to us."""
        yield


@contextmanager
def _signals(server: uvicorn.Server) -> Generator[None]:
    """Let running requests end at the first signal; give up at the second."""

    def heard() -> None:
        server.force_exit = server.should_exit
        server.should_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, heard)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


@contextmanager
def _alone(config: Config) -> Generator[None]:
    """Be the only service of this home."""
    home = Home(config.home)
    with writable(home.root):
        home.make()
        home.logs.mkdir(exist_ok=True)
        lock = FileLock(config.home / _LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise AlreadyRunning(hint="`neomem serve --stop` ends it") from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _listening(config: Config) -> Generator[list[socket.socket]]:
    """Open the sockets; what a killed service has left is in nobody's use."""
    path = config.home / files.SOCKET
    path.unlink(missing_ok=True)
    with writable(config.home):
        sockets = [_unix(path)]
    if config.service.port is not None:
        sockets.append(_tcp(config.service.port))
    try:
        yield sockets
    finally:
        for each in sockets:
            each.close()
        path.unlink(missing_ok=True)


def _unix(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    here, mask = Path.cwd(), os.umask(0o177)
    try:
        os.chdir(path.parent)  # a socket's path may have some hundred characters only
        listener.bind(path.name)
        listener.listen()
    finally:
        os.chdir(here)
        os.umask(mask)
    return listener


def _tcp(port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise InstallError(
            f"port {port} cannot be used: {error.strerror}", hint="choose another service.port"
        ) from error
    return listener


def _announce(config: Config, sockets: list[socket.socket]) -> None:
    """Write down who serves, and for hooks how long they are to wait."""
    port = sockets[1].getsockname()[1] if len(sockets) > 1 else None
    facts = {"pid": os.getpid(), "port": port, "agent": config.service.agent}
    files.write_private(str(config.home / _FACTS), json.dumps(facts))
    files.write_private(str(config.home / files.LIMITS), json.dumps(_limits(config.hooks)))
    (config.home / files.STARTING).unlink(missing_ok=True)
    where = f"http://{HOST}:{port} and " if port else ""
    log.info("serving %s on %s%s", config.service.agent, where, config.home / files.SOCKET)


def _limits(settings: HookSettings) -> Limits:
    return {
        "timeout": settings.timeout,
        "capture_timeout": settings.capture_timeout,
        "start_wait": settings.start_wait,
        "failures": settings.failures,
        "pause": settings.pause,
        "spool_bytes": settings.spool_bytes,
    }


async def _stop_when_idle(server: uvicorn.Server, door: Door, minutes: float) -> None:
    while minutes:
        left = 60 * minutes - (time.monotonic() - door.last)
        if left <= 0 and not door.inside:
            log.info("stopping: nobody asked for %g minutes", minutes)
            server.should_exit = True
            return
        await asyncio.sleep(max(left, 1.0))


def _held(lock: FileLock) -> bool:
    """Tell whether another process has a lock."""
    try:
        with lock.acquire(blocking=False):
            return False
    except Timeout:
        return True


def _pid(home: Path) -> int | None:
    try:
        return int(json.loads((home / _FACTS).read_text(encoding="utf-8"))["pid"])
    except (OSError, ValueError, KeyError):
        return None
