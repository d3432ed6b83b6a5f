"""Start, find and stop a Neo4j of our own: one Java process per home, whoever asks for it."""

import asyncio
import hashlib
import logging
import os
import re
import signal
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from neomem.errors import GraphUnavailable
from neomem.sections import ServerSettings
from neomem.store import detached
from neomem.store.graph import Address
from neomem.store.java import Java
from neomem.store.local_home import HOST, USER, Home, Ports, writable

log = logging.getLogger(__name__)

_MAIN = "org.neo4j.server.Neo4jCommunity"
_OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
_POLL = 0.05
_ATTEMPTS = 5
_COMPLAINT = r" ERROR |^Error|^Exception in thread|^Caused by: "
_CLASH = "Address already in use"


@dataclass(frozen=True, slots=True)
class Running:
    """A local server that is up, or on its way."""

    pid: int
    started_at: datetime
    ports: Ports
    ready: bool

    @property
    def uri(self) -> str:
        """The address for drivers."""
        return f"bolt://{HOST}:{self.ports.bolt}"

    @property
    def browser(self) -> str:
        """The address for people."""
        return f"http://{HOST}:{self.ports.http}/browser/"


@dataclass(frozen=True, slots=True)
class Installation:
    """What it takes to run a server: a Java, the jars, and a place for the start-up cache."""

    java: Java
    jars: Sequence[Path]
    caches: Path

    def flags(self, settings: ServerSettings) -> list[str]:
        """Return the arguments for Java itself."""
        opened = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in _OPENED]
        unsafe = ["--sun-misc-unsafe-memory-access=allow"] if self.java.major > 23 else []  # noqa: PLR2004
        return [
            "-XX:+UseG1GC",
            "-Xms64m",
            f"-Xmx{settings.heap}",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-OmitStackTraceInFastThrow",
            *opened,
            "--enable-native-access=ALL-UNNAMED",
            *unsafe,
            "-Dfile.encoding=UTF-8",
            "-Dlog4j2.disable.jmx=true",
            *settings.java_options,
            "-cp",
            os.pathsep.join(map(str, self.jars)),
        ]

    @property
    def has_cache(self) -> bool:
        """Whether this Java can keep loaded classes between starts (JEP 514)."""
        return self.java.major >= 25  # noqa: PLR2004

    @property
    def cache(self) -> Path:
        """The start-up cache; it fits one Java and one set of jars, so its name says which."""
        facts = [str(self.java.home), self.java.version, _MAIN]
        facts += [f"{jar}:{jar.stat().st_mtime_ns}" for jar in self.jars]
        key = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
        return self.caches / f"neo4j-{key}.aot"


@dataclass(frozen=True, slots=True)
class LocalServer:
    """The server of one home. Start and stop it while holding its lock."""

    home: Home
    settings: ServerSettings = field(default_factory=ServerSettings)

    @asynccontextmanager
    async def lock(self) -> AsyncGenerator[None]:
        """Let one process at a time start or stop the server; the others wait."""
        with writable(self.home.root):
            self.home.make()
            lock = FileLock(self.home.run / "start.lock")
        while True:
            try:
                lock.acquire(blocking=False)
                break
            except Timeout:
                await asyncio.sleep(_POLL)
        try:
            yield
        finally:
            lock.release()

    def find(self) -> Running | None:
        """Return the running server, if there is one; a stale pid means nothing."""
        ports = self.home.ports()
        process = self._recorded() or self._searched() if ports else None
        if not process or not ports:
            return None
        try:
            started_at = datetime.fromtimestamp(process.create_time(), UTC)
        except psutil.Error:  # it ended this moment
            return None
        return Running(process.pid, started_at, ports, _pid_in(self._ready_file) == process.pid)

    def address(self, running: Running) -> Address:
        """Return where to connect, with the generated password."""
        return Address(running.uri, USER, self.home.password())

    async def start(self, installation: Installation, *, record: Path | None = None) -> Running:
        """Return the server once it answers; start it if need be.

        `record` makes it write a start-up cache there when it stops.
        """
        for _ in range(_ATTEMPTS):
            try:
                return await self._start_once(installation, record)
            except GraphUnavailable:
                # Somebody may have taken a port after we had looked; others are chosen then.
                if not self._lost_its_port():
                    raise
        return await self._start_once(installation, record)

    async def stop(self, *, kill: bool = False) -> bool:
        """Stop the server cleanly, or by force after a while; tell whether there was one."""
        running = self.find()
        if not running:
            return False
        _signal(running.pid, signal.SIGKILL if kill else signal.SIGTERM)
        deadline = time.monotonic() + self.settings.stop_timeout
        while self._is_ours(running.pid):
            if time.monotonic() > deadline:
                log.warning("the local server did not stop in time and was killed")
                _signal(running.pid, signal.SIGKILL)
            await asyncio.sleep(_POLL)
        self._pid_file.unlink(missing_ok=True)
        self._ready_file.unlink(missing_ok=True)
        return True

    @property
    def console(self) -> Path:
        """What the server printed since its last start."""
        return self.home.logs / "console.log"

    async def _start_once(self, installation: Installation, record: Path | None) -> Running:
        running = self.find() or self._spawn(installation, record)
        await self._ready(running.pid)
        self.home.finish()
        self._ready_file.write_text(str(running.pid), encoding="ascii")
        return replace(running, ready=True)

    @property
    def _pid_file(self) -> Path:
        return self.home.run / "neomem.pid"

    @property
    def _ready_file(self) -> Path:
        return self.home.run / "ready.pid"

    @property
    def _home_argument(self) -> str:
        return f"--home-dir={self.home.root}"

    def _recorded(self) -> psutil.Process | None:
        pid = _pid_in(self._pid_file)
        return psutil.Process(pid) if pid and self._is_ours(pid) else None

    def _searched(self) -> psutil.Process | None:
        """Look through all processes: the pid file may be lost while the server runs."""
        return next((p for p in psutil.process_iter() if self._is_ours(p.pid)), None)

    def _is_ours(self, pid: int) -> bool:
        detached.collect(pid)
        try:
            return self._home_argument in psutil.Process(pid).cmdline()
        except psutil.Error:
            return False

    def _spawn(self, installation: Installation, record: Path | None) -> Running:
        ports = self.home.prepare(self.settings)
        with writable(self.home.root):
            if self.console.exists():
                self.console.replace(self.console.with_suffix(".log.1"))
            arguments = self.home.run / "java.args"
            flags = installation.flags(self.settings) + self._cache_flags(installation, record)
            arguments.write_text("\n".join(map(_quoted, flags)), encoding="utf-8")
            command = [
                installation.java.command,
                f"@{arguments}",
                _MAIN,
                self._home_argument,
                f"--config-dir={self.home.conf.parent}",
                "--console-mode",
            ]
            pid = detached.start(command, self.home.root, self.console)
            self._pid_file.write_text(str(pid), encoding="ascii")
        log.info("starting the local server", extra={"pid": pid})
        return Running(pid, datetime.now(UTC), ports, ready=False)

    def _cache_flags(self, installation: Installation, record: Path | None) -> list[str]:
        if record:
            return [f"-XX:AOTCacheOutput={record}"]
        if installation.has_cache and installation.cache.exists():
            # A cache Java refuses costs a warning, not the start.
            return [f"-XX:AOTCache={installation.cache}"]
        return []

    async def _ready(self, pid: int) -> None:
        deadline = time.monotonic() + self.settings.start_timeout
        while True:
            if not self._is_ours(pid):
                raise GraphUnavailable(
                    f"the local server stopped while starting: {self._last_words()}",
                    hint="see `neomem logs` and `neomem doctor`",
                )
            ports = self.home.ports()
            if ports and _listens(pid, ports):
                return
            if time.monotonic() > deadline:
                raise GraphUnavailable(
                    "the local server does not answer in time",
                    hint="see `neomem logs`; `neomem down` ends it; server.start_timeout is longer",
                )
            await asyncio.sleep(_POLL)

    def _lost_its_port(self) -> bool:
        fixed = self.settings.bolt_port or self.settings.http_port
        return not fixed and any(_CLASH in line for line in self._printed())

    def _last_words(self) -> str:
        lines = self._printed()
        complaints = [line for line in lines if re.search(_COMPLAINT, line)]
        return (complaints or lines or ["it said nothing"])[-1].strip()

    def _printed(self) -> list[str]:
        try:
            return self.console.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []


def _pid_in(file: Path) -> int | None:
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _listens(pid: int, ports: Ports) -> bool:
    """Whether this very process has opened both ports; Bolt opens when the databases are up.

    Asking the port itself could reach another server that was given the same one.
    """
    try:
        connections = psutil.Process(pid).net_connections("tcp")
    except psutil.Error:
        return False
    open_ports = {c.laddr.port for c in connections if c.status == psutil.CONN_LISTEN}
    return {ports.bolt, ports.http} <= open_ports


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        log.debug("already gone", extra={"pid": pid})


def _quoted(argument: str) -> str:
    """Write an argument for a Java argument file, where backslash and quote need escaping."""
    return '"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"'
