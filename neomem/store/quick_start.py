"""A start-up cache for the local server, prepared once in the background: it halves the start.

Java records which classes a server loads and how they are used while a throw-away store is made,
migrated and stopped, and writes that down for every later start. The cache fits one Java and one
set of jars; when either changes, another is made.
"""

import asyncio
import json
import logging
import os
import sys
import tempfile
from pathlib import Path

from filelock import FileLock, Timeout

from neomem.sections import Neo4jSettings, ServerSettings
from neomem.store import detached, migrate
from neomem.store.graph import Graph
from neomem.store.java import Java
from neomem.store.local_home import Home
from neomem.store.local_server import Installation, LocalServer

log = logging.getLogger(__name__)

# Recording is slow, and it steps aside for everything else on the machine.
_PATIENT = ServerSettings(start_timeout=600, stop_timeout=600)
_ANY_SPACE = migrate.EmbeddingSpace(model="none", dimensions=384, language="english")


async def prepare(installation: Installation) -> bool:
    """Make the cache unless it is there or somebody else is at it; tell whether it is there."""
    installation.caches.mkdir(parents=True, exist_ok=True)
    lock = FileLock(installation.caches / "quick-start.lock")
    try:
        with lock.acquire(blocking=False):
            if not installation.cache.exists():
                await _record(installation)
    except Timeout:
        log.info("the start-up cache is being prepared by another process")
    return installation.cache.exists()


def prepare_in_background(installation: Installation) -> None:
    """Make the cache in a process of its own, which outlives this one."""
    installation.caches.mkdir(parents=True, exist_ok=True)
    order = installation.caches / "quick-start.json"
    order.write_text(_to_json(installation), encoding="utf-8")
    command = [sys.executable, "-m", __name__, order]
    detached.start(command, installation.caches, order.with_suffix(".log"))


async def _record(installation: Installation) -> None:
    with tempfile.TemporaryDirectory(dir=installation.caches, prefix="recording-") as folder:
        server = LocalServer(Home(Path(folder)), _PATIENT)
        draft = Path(folder) / "draft.aot"
        async with server.lock():
            try:
                running = await server.start(installation, record=draft)
                address = server.address(running)
                async with await Graph.open(address, Neo4jSettings()) as graph:
                    await migrate.apply(graph, _ANY_SPACE)
            finally:
                await server.stop()
        if not draft.exists():
            log.warning("Java wrote no start-up cache; starts stay as they are")
            return
        draft.replace(installation.cache)
    # Another environment may have its own Java and cache; of more than two, the old ones go.
    made = sorted(installation.caches.glob("neo4j-*.aot"), key=lambda file: file.stat().st_mtime)
    for outdated in made[:-2]:
        outdated.unlink()


def _to_json(installation: Installation) -> str:
    return json.dumps(
        {
            "java": [str(installation.java.home), installation.java.version],
            "jars": [str(jar) for jar in installation.jars],
            "caches": str(installation.caches),
        }
    )


def _from_json(text: str) -> Installation:
    data = json.loads(text)
    home, version = data["java"]
    return Installation(
        Java(Path(home), version), [Path(jar) for jar in data["jars"]], Path(data["caches"])
    )


def main() -> None:
    """Prepare the cache of the installation that a file describes, out of everyone's way."""
    logging.basicConfig(level=logging.INFO)
    os.nice(19)
    asyncio.run(prepare(_from_json(Path(sys.argv[1]).read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
