"""neomem's own Neo4j from end to end: its files fetched, the server started, the schema made."""

import asyncio
import threading

from neomem.config import Config, ambient_java_home
from neomem.errors import GraphError, QueryFailed
from neomem.models import artifacts, choose
from neomem.progress import Notify, Progress, silent
from neomem.store import health, java, migrate, quick_start
from neomem.store.graph import Address, Graph
from neomem.store.local_home import Home
from neomem.store.local_server import Installation, LocalServer, Running

SERVER_FILES = ("neo4j", "neo4j-browser")
_PATIENCE = 2
"""Seconds that a server which is to be stopped anyway has to say how it is."""


def server(config: Config) -> LocalServer:
    """Return the local server of this configuration, running or not."""
    return LocalServer(Home(config.home), config.server)


def installation(config: Config) -> Installation:
    """Return where Java and the jars are; `install` brings them."""
    jars = [path for name in SERVER_FILES for path in artifacts.paths(name, config.cache)]
    found = java.find(config.server.java_home, ambient_java_home())
    return Installation(found, jars, config.cache / "java")


def embedding_space(config: Config) -> migrate.EmbeddingSpace:
    """Return what a new store is made for."""
    return migrate.EmbeddingSpace(
        model=config.embedder.model,
        dimensions=config.embedder.dimensions,
        language=config.language,
    )


async def install(config: Config, notify: Notify = silent, *, thorough: bool = False) -> None:
    """Fetch the files of the server and of the embedder; `thorough` reads those that are there."""
    names = (*SERVER_FILES, *choose.locked_names(config))
    stop = threading.Event()
    try:
        await asyncio.to_thread(
            artifacts.install,
            names,
            config.cache,
            config.artifacts,
            notify,
            thorough=thorough,
            stop=stop,
        )
    except asyncio.CancelledError:
        stop.set()
        raise


async def up(config: Config, notify: Notify = silent) -> Running:
    """Return the server, running and with today's schema; do whatever is needed for that."""
    local = server(config)
    async with local.lock():
        found = local.find()
        if not found:
            await install(config, notify)
        files = installation(config)
        if not found:
            notify(Progress("Starting Neo4j"))
        running = await local.start(files)
        async with await Graph.open(local.address(running), config.neo4j) as graph:
            await migrate.apply(graph, embedding_space(config), notify)
    if not found and config.server.quick_start and files.has_cache and not files.cache.exists():
        quick_start.prepare_in_background(files)
    return running


async def down(config: Config) -> bool:
    """Stop the server; tell whether there was one."""
    local = server(config)
    async with local.lock():
        return await local.stop(kill=await _broken(local, config))


async def _broken(local: LocalServer, config: Config) -> bool:
    """Tell whether the server has given up, as it does on a full disk.

    Stopped cleanly it would then end its log with what it could not write before, and never read it
    again; killed, it forgets that half of a transaction, which nobody was told is kept.
    """
    running = local.find()
    if not running or not running.ready:
        return False
    try:
        async with (
            asyncio.timeout(_PATIENCE),
            await Graph.open(local.address(running), config.neo4j) as graph,
        ):
            await health.components(graph)
    except QueryFailed:
        return True
    except (GraphError, TimeoutError):  # gone already, busy, or of another password
        return False
    return False


async def address(config: Config, notify: Notify = silent) -> Address:
    """Return where to connect; a server that is not running is brought up first."""
    local = server(config)
    running = local.find()
    if not running or not running.ready:
        running = await up(config, notify)
    return local.address(running)
