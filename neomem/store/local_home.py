"""The folder of the local server: configuration, password, ports. Safe to prepare again and again.

home/
├── password          made once, readable by its owner only
├── conf/neo4j.conf   written anew at every start; the ports in it are the ones remembered
├── data/             Neo4j's own; `.unfinished` beside its content until the first start succeeded
├── logs/             Neo4j's own, and console.log
└── run/              pid, start lock, arguments for Java
"""

import hashlib
import os
import re
import secrets
import shutil
import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from neomem.errors import GraphError, GraphUnavailable, InstallError
from neomem.sections import ServerSettings
from neomem.store import queries

HOST = "127.0.0.1"
USER = "neo4j"

# Where the search for free ports begins; far from Neo4j's own, which another server may want.
_FIRST_BOLT, _FIRST_HTTP, _TRIES = 17687, 17474, 200


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the server listens on loopback."""

    bolt: int
    http: int


@dataclass(frozen=True, slots=True)
class Home:
    """The files of one local server."""

    root: Path

    @property
    def password_file(self) -> Path:
        """The generated password."""
        return self.root / "password"

    @property
    def conf(self) -> Path:
        """The server's configuration."""
        return self.root / "conf" / "neo4j.conf"

    @property
    def data(self) -> Path:
        """The store."""
        return self.root / "data"

    @property
    def logs(self) -> Path:
        """What the server writes down."""
        return self.root / "logs"

    @property
    def run(self) -> Path:
        """What belongs to the running server."""
        return self.root / "run"

    @property
    def unfinished(self) -> Path:
        """Stands there from the making of a store until its first start has succeeded."""
        return self.data / ".unfinished"

    def make(self) -> None:
        """Make the folder itself, closed to other users, and the place of the start lock."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.run.mkdir(exist_ok=True)

    def prepare(self, settings: ServerSettings) -> Ports:
        """Make what is missing, choose ports, write the configuration. The server must be down."""
        with writable(self.root):
            self.make()
            if self.unfinished.exists():
                # Nobody has ever been let into this store, so nothing can be lost.
                shutil.rmtree(self.data)
            for folder in (self.conf.parent, self.logs, self.root / "import"):
                folder.mkdir(exist_ok=True)
            if not self._has_store():
                self.data.mkdir(exist_ok=True)
                self.unfinished.touch()
                self._make_login()
            elif not self.password_file.exists():
                self._make_login()
            ports = self._choose_ports(settings)
            _write_private(self.conf, _configuration(ports, settings))
            return ports

    def password(self) -> SecretStr:
        """Return the password of the local server."""
        try:
            text = self.password_file.read_text(encoding="utf-8").strip()
        except OSError:
            text = ""
        if not text:
            raise GraphError(
                f"the local server's password is missing from {self.password_file}",
                hint="run `neomem down` and `neomem up`: a new one is made, the memories stay",
            )
        return SecretStr(text)

    def ports(self) -> Ports | None:
        """Return the ports the configuration names, if there is one."""
        try:
            text = self.conf.read_text(encoding="utf-8")
        except OSError:
            return None
        found = dict(
            re.findall(r"^server\.(bolt|http)\.listen_address=.*:(\d+)$", text, re.MULTILINE)
        )
        return Ports(int(found["bolt"]), int(found["http"])) if len(found) == 2 else None  # noqa: PLR2004

    def size(self) -> int:
        """Return the bytes the store takes."""
        total = 0
        for folder, _, names in os.walk(self.data):
            for name in names:
                try:
                    total += (Path(folder) / name).stat().st_size
                except OSError:  # deleted by the server meanwhile
                    continue
        return total

    def finish(self) -> None:
        """Note that the store has been started once."""
        self.unfinished.unlink(missing_ok=True)

    def _has_store(self) -> bool:
        return (self.data / "databases").exists()

    def _make_login(self) -> None:
        """Make a password and have Neo4j take it: its system database, the users, begins anew."""
        password = secrets.token_urlsafe(32)
        for folder in ("databases", "transactions"):
            shutil.rmtree(self.data / folder / "system", ignore_errors=True)
        initial = self.data / "dbms" / "auth.ini"
        initial.parent.mkdir(parents=True, exist_ok=True)
        _write_private(initial, _auth_line(password))
        _write_private(self.password_file, password + "\n")  # last: without it, all is done again

    def _choose_ports(self, settings: ServerSettings) -> Ports:
        kept = self.ports()
        return Ports(
            _port("server.bolt_port", settings.bolt_port, kept and kept.bolt, _FIRST_BOLT),
            _port("server.http_port", settings.http_port, kept and kept.http, _FIRST_HTTP),
        )


@contextmanager
def writable(root: Path) -> Generator[None]:
    """Say plainly when the home cannot be written to."""
    try:
        yield
    except OSError as error:
        raise InstallError(
            f"cannot write to {root}: {error.strerror}",
            hint="set NEOMEM_HOME to a folder you may write to",
        ) from error


def is_free(port: int) -> bool:
    """Tell whether nothing listens on a loopback port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _port(setting: str, wanted: int | None, kept: int | None, first: int) -> int:
    if wanted:
        if is_free(wanted):
            return wanted
        raise GraphUnavailable(
            f"port {wanted} is taken by another program",
            hint=f"stop that program, or change {setting} (left out, a free port is chosen)",
        )
    candidates = [kept] if kept else []
    for port in [*candidates, *range(first, first + _TRIES)]:
        if is_free(port):
            return port
    raise GraphUnavailable(
        f"no free port between {first} and {first + _TRIES}", hint=f"set {setting}"
    )


def _write_private(file: Path, text: str) -> None:
    """Write all of it or nothing, for the owner's eyes only."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(file)


def _auth_line(password: str) -> str:
    """Return the line Neo4j's own tool would write for the first user, salted and hashed.

    Written by us, the password never stands on a command line.
    """
    salt, iterations = secrets.token_bytes(32), 1024
    digest = salt + password.encode()
    for _ in range(iterations):
        digest = hashlib.sha256(digest).digest()
    return f"{USER}:SHA-256,{digest.hex()},{salt.hex()},{iterations}:\n"


def _configuration(ports: Ports, settings: ServerSettings) -> str:
    return "\n".join(
        [
            "# Written by neomem at every start: change settings in neomem's own configuration.",
            f"server.default_listen_address={HOST}",
            f"server.bolt.listen_address={HOST}:{ports.bolt}",
            f"server.bolt.advertised_address={HOST}:{ports.bolt}",
            f"server.http.listen_address={HOST}:{ports.http}",
            f"server.http.advertised_address={HOST}:{ports.http}",
            "server.http.x_forward.enabled=false",
            "server.https.enabled=false",
            f"server.memory.pagecache.size={settings.page_cache}",
            "db.query.default_language=CYPHER_25",
            "# Without it, Browser calls a memory by whatever number it finds first.",
            f"browser.post_connect_cmd=style {queries.style()}",
            "# Nobody is told that this server exists.",
            "dbms.usage_report.enabled=false",
            "client.allow_telemetry=false",
            "server.fleet_discovery.enabled=false",
            "dbms.fleet_manager.enabled=false",
            "dbms.security.allow_csv_import_from_file_urls=false",
            "# A small store stays small: half a gigabyte of logs would be laid out in advance.",
            "db.tx_log.preallocate=false",
            "db.tx_log.rotation.size=32m",
            "db.tx_log.rotation.retention_policy=64m size",
            "# A stop takes half a second instead of ten, a start half a second less.",
            "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration=0s",
            "internal.dbms.dump_diagnostics=false",
            "# Every part of a vector index is searched by itself: few parts, as large as can be.",
            "internal.dbms.index.vector.merge_policy=TIERED",
            "internal.dbms.index.vector.post_population_compaction=FULL",
            "",
        ]
    )
