"""What every test may ask for: a real Neo4j, an agent of its own, a home to break."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as drawing

from neomem import config as settings
from neomem import local, sections
from neomem.config import Config
from neomem.sections import LOCAL
from neomem.store import migrate, quick_start
from neomem.store.graph import Address, Graph
from neomem.store.local_home import Home
from neomem.store.local_server import LocalServer
from tests.support import cypher

MARKED = cypher("MATCH (t:TestStore) RETURN count(t) AS marks")
COUNT = cypher("MATCH (n) RETURN count(n) AS nodes")
MARK = cypher("MERGE (:TestStore)")
REMOVE = cypher("MATCH (n {agent: $agent}) DETACH DELETE n")


# Nothing fails because the machine is busy.
drawing.register_profile("neomem", deadline=None, suppress_health_check=[HealthCheck.too_slow])
drawing.load_profile("neomem")
PATIENT = sections.RecallSettings(signal_timeout=60, embed_timeout=60)

# The developer's own cache folder, so that nothing is fetched twice; no other setting of theirs.
CACHE = Config().cache
# For servers that live for seconds: Java's second compiler would cost more than it saves.
BRIEF = ("-XX:TieredStopAtLevel=1",)
QUIET = sections.ServerSettings(quick_start=False)


@pytest.fixture(scope="session", autouse=True)
def _own_environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        kept = ("NEOMEM_TEST_", "NEOMEM_REQUIRE_")
        theirs = {"JAVA_HOME", "COLUMNS"}
        for name in list(os.environ):
            if name in theirs or (name.startswith("NEOMEM_") and not name.startswith(kept)):
                patch.delenv(name)
        yield


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tests talk to this machine only, and ask no name server about others."""
    connect, resolve = socket.socket.connect, socket.getaddrinfo

    def loopback_only(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and not sections.is_loopback(str(address[0])):
            raise OSError(f"tests do not talk to {address[0]}")
        connect(self, address)  # type: ignore[arg-type]

    def no_names(host: object, *rest: object, **more: object) -> object:
        if host is not None and not sections.is_loopback(str(host)):
            raise socket.gaierror(f"tests do not look for {host}")
        return resolve(host, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", loopback_only)
    monkeypatch.setattr(socket, "getaddrinfo", no_names)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let children hear Ctrl-C even where the tests run in the background, which is deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def cache() -> Path:
    """The cache folder with the server's and the model's files in it."""
    asyncio.run(local.install(Config(cache=CACHE)))
    return CACHE


@pytest.fixture
def private_config(cache: Path, tmp_path: Path) -> Iterator[Config]:
    """Settings for a local server of the test's own, stopped and removed afterwards."""
    brief = QUIET.model_copy(update={"java_options": BRIEF})
    config = Config(cache=cache, home=tmp_path / "home", server=brief)
    yield config
    stop(config)


def stop(config: Config) -> None:
    """End a throw-away server, whatever state a test has left it in."""
    running = local.server(config).find()
    if running:
        os.kill(running.pid, 9)


@pytest.fixture(scope="session")
async def config(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Config]:
    """Settings of the one Neo4j all tests share: given, our own, or a container."""
    given = os.environ.get("NEOMEM_TEST_NEO4J_URI")
    if given:
        yield Config(
            cache=CACHE,
            recall=PATIENT,
            neo4j=sections.Neo4jSettings(
                uri=given,
                user=os.environ.get("NEOMEM_TEST_NEO4J_USER", "neo4j"),
                password=os.environ.get("NEOMEM_TEST_NEO4J_PASSWORD"),  # type: ignore[arg-type]
            ),
        )
        return
    try:
        store = tmp_path_factory.mktemp("store")
        mine = Config(cache=CACHE, home=store, server=QUIET, recall=PATIENT)
        await local.install(mine)
        # Many tests start a server of their own: worth the wait, and itself a test.
        while not await quick_start.prepare(local.installation(mine)):
            await asyncio.sleep(1)  # another process is at it, perhaps since `make run`
        await local.up(mine)
    except settings.ConfigError:
        raise
    except Exception as error:  # noqa: BLE001 - no local server here: a container may do
        async for container in _container(error):
            yield container
        return
    yield mine
    await local.down(mine)


async def _container(reason: Exception) -> AsyncIterator[Config]:
    try:
        from testcontainers.community.neo4j import Neo4jContainer

        with Neo4jContainer("neo4j:2026.08.1-community", password="neomem-tests") as container:
            yield Config(
                cache=CACHE,
                recall=PATIENT,
                neo4j=sections.Neo4jSettings(
                    uri=container.get_connection_url(),
                    password="neomem-tests",  # type: ignore[arg-type]
                ),
            )
    except Exception as error:  # noqa: BLE001 - whatever Docker says, there is no server
        message = f"no Neo4j for tests: local server: {reason}; container: {error}"
        if os.environ.get("NEOMEM_REQUIRE_NEO4J"):
            pytest.fail(message)
        pytest.skip(message)


@pytest.fixture(scope="session")
async def graph(config: Config) -> AsyncIterator[Graph]:
    """A connection to the shared store, which must be empty or marked as one for tests."""
    here = config.neo4j.uri == LOCAL
    address = await local.address(config) if here else Address.of(config.neo4j)
    async with await Graph.open(address, config.neo4j) as graph:
        await migrate.apply(graph, local.embedding_space(config))
        marked = (await graph.read(MARKED))[0]["marks"]
        nodes = (await graph.read(COUNT))[0]["nodes"]
        bookkeeping = len(await migrate.applied(graph)) + 1
        if not marked and nodes > bookkeeping:
            pytest.exit("this store holds data and is not marked as one for tests", returncode=3)
        await graph.write(MARK)
        yield graph


@pytest.fixture
async def agent(graph: Graph) -> AsyncIterator[str]:
    """A name nobody else uses; what belongs to it is removed afterwards."""
    name = f"test-{uuid4()}"
    yield name
    await graph.write(REMOVE, agent=name)


@pytest.fixture
def private_server(private_config: Config) -> LocalServer:
    """The server that belongs to `private_config`; not started."""
    return LocalServer(Home(private_config.home), private_config.server)


@pytest.fixture
def neomem(private_config: Config) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command line as a user would, on the test's own home."""

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "neomem", *arguments],
            env=environment(private_config, **variables),
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )

    return run


def environment(config: Config, **variables: str) -> dict[str, str]:
    """The variables of a user whose home, cache and server are the test's."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("NEOMEM_")},
        **_elsewhere(config.neo4j),
        "NEOMEM_HOME": str(config.home),
        "NEOMEM_CACHE": str(config.cache),
        "NEOMEM_SERVER__QUICK_START": "false",
        "NEOMEM_SERVER__JAVA_OPTIONS": json.dumps(config.server.java_options),
        "NEOMEM_RECALL__SIGNAL_TIMEOUT": str(PATIENT.signal_timeout),
        "NEOMEM_RECALL__EMBED_TIMEOUT": str(PATIENT.embed_timeout),
        **variables,
    }


def _elsewhere(neo4j: sections.Neo4jSettings) -> dict[str, str]:
    """What names a server that is not the local one."""
    if neo4j.uri == LOCAL:
        return {}
    return {
        "NEOMEM_NEO4J__URI": neo4j.uri,
        "NEOMEM_NEO4J__USER": neo4j.user,
        "NEOMEM_NEO4J__PASSWORD": neo4j.password.get_secret_value() if neo4j.password else "",
    }
