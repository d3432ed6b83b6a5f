"""What is running, in figures."""

from dataclasses import dataclass
from datetime import UTC, datetime

import psutil

from neomem import local
from neomem.config import Config, redact
from neomem.sections import LOCAL
from neomem.store import health
from neomem.store.graph import Address, Graph
from neomem.store.local_server import Running


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A Neo4j, ours or another's; what only ours can tell is None for others.

    Times in seconds, sizes in bytes.
    """

    running: bool
    uri: str
    version: str | None = None
    edition: str | None = None
    browser: str | None = None
    pid: int | None = None
    ports: dict[str, int] | None = None
    uptime: int | None = None
    memory: int | None = None
    store_size: int | None = None
    home: str | None = None
    password_file: str | None = None


async def status(config: Config) -> Status:
    """Look at the configured Neo4j; a local server is not started for it."""
    if config.neo4j.uri != LOCAL:
        components = await _components(Address.of(config.neo4j), config)
        return Status(
            running=True,
            uri=redact(config.neo4j.uri),
            version=components.version,
            edition=components.edition,
        )
    server = local.server(config)
    running = server.find()
    if not running or not running.ready:
        return Status(running=False, uri=LOCAL, home=str(config.home))
    components = await _components(server.address(running), config)
    return Status(
        running=True,
        uri=running.uri,
        version=components.version,
        edition=components.edition,
        browser=running.browser,
        pid=running.pid,
        ports={"bolt": running.ports.bolt, "http": running.ports.http},
        uptime=int((datetime.now(UTC) - running.started_at).total_seconds()),
        memory=_memory(running),
        store_size=server.home.size(),
        home=str(config.home),
        password_file=str(server.home.password_file),
    )


async def _components(address: Address, config: Config) -> health.Components:
    async with await Graph.open(address, config.neo4j) as graph:
        return await health.components(graph)


def _memory(running: Running) -> int | None:
    try:
        return psutil.Process(running.pid).memory_info().rss
    except psutil.Error:
        return None
