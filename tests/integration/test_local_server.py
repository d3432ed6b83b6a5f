"""A Neo4j of our own, and everything that can befall it. Each test has its own home."""

import asyncio
import json
import os
import shutil
import signal
import socket
import stat
import sys
import threading
import urllib.request
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest

from neomem import local
from neomem.config import Config
from neomem.engine import connect
from neomem.errors import GraphError, GraphUnavailable, InstallError, SchemaOutdated
from neomem.store import java, local_home
from neomem.store.graph import Graph
from neomem.store.local_home import Home
from neomem.store.local_server import Installation, LocalServer
from tests.conftest import QUIET, environment
from tests.support import cypher

WRITE = cypher("CREATE (:Acknowledged {number: $number})")
NUMBERS = cypher("MATCH (a:Acknowledged) RETURN a.number AS number ORDER BY number")


async def numbers(config: Config) -> list[int]:
    async with connect(config) as memory:
        return [row["number"] for row in await memory.graph.read(NUMBERS)]


async def test_its_life_from_nothing_to_a_clean_stop(private_config, private_server):
    running = await local.up(private_config)
    async with connect(private_config) as memory:
        await memory.graph.write(WRITE, number=1)
    command_line = psutil.Process(running.pid).cmdline()
    page = urllib.request.urlopen(running.browser).read()
    stopped = await local.down(private_config)

    assert stopped
    assert private_server.find() is None
    assert not await local.down(private_config)
    assert b"neo4j" in page.lower()
    password = private_server.home.password().get_secret_value()
    assert stat.S_IMODE(private_server.home.password_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(private_server.home.root.stat().st_mode) == 0o700
    assert not any(password in argument for argument in command_line)
    assert password not in private_server.home.conf.read_text()
    assert await numbers(private_config) == [1]  # connecting has started it again
    assert private_server.find().ports == running.ports  # and the ports were remembered


async def test_it_listens_on_loopback_only(private_config):
    running = await local.up(private_config)

    listening = {
        connection.laddr.ip
        for connection in psutil.Process(running.pid).net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }

    assert listening <= {"127.0.0.1", "::ffff:127.0.0.1"}
    assert listening


@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.slow)])
async def test_every_acknowledged_write_survives_kills_in_a_row(private_config, kills):
    hasty = private_config.neo4j.model_copy(update={"retry_time": 0.1})
    private_config = private_config.model_copy(update={"neo4j": hasty})
    acknowledged: list[int] = []

    async def write_until_it_dies(pid: int) -> None:
        async with connect(private_config) as memory:
            while psutil.pid_exists(pid):
                number = len(acknowledged)
                await memory.graph.write(WRITE, number=number)
                acknowledged.append(number)

    for kill in range(kills):
        running = await local.up(private_config)
        writer = asyncio.create_task(write_until_it_dies(running.pid))
        enough = len(acknowledged) + 20 + 7 * kill
        while len(acknowledged) < enough and not writer.done():
            await asyncio.sleep(0.005)
        os.kill(running.pid, signal.SIGKILL)
        with pytest.raises(GraphError):
            await asyncio.wait_for(writer, 60)

    stored = await numbers(private_config)
    # One write more than acknowledged may have got through before each kill, never one fewer.
    assert set(acknowledged) <= set(stored)
    assert len(acknowledged) >= kills * 20


async def test_two_commands_at_once_end_with_one_server(private_config, private_server):
    commands = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "neomem", "up", "--json"),
            env=environment(private_config),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        for _ in range(3)
    ]
    outputs = [await command.communicate() for command in commands]

    pids = {json.loads(out)["pid"] for out, _ in outputs}
    ours = [p.pid for p in psutil.process_iter() if private_server._is_ours(p.pid)]
    assert [command.returncode for command in commands] == [0, 0, 0]
    assert len(pids) == 1
    assert len(ours) == 1


async def test_a_stale_pid_means_nothing(private_config, private_server):
    Home(private_config.home).prepare(private_config.server)
    private_server._pid_file.write_text(str(os.getpid()))

    assert private_server.find() is None


async def test_a_lost_pid_file_does_not_start_a_second_server(private_config, private_server):
    running = await local.up(private_config)
    private_server._pid_file.unlink()

    again = await local.up(private_config)

    assert again.pid == running.pid


async def test_a_remembered_port_that_is_taken_is_given_up(private_config, private_server):
    first = Home(private_config.home).prepare(private_config.server)
    with socket.create_server(("127.0.0.1", first.bolt)):
        running = await local.up(private_config)
        async with connect(private_config) as memory:
            await memory.graph.write(WRITE, number=1)

    assert running.ports.bolt != first.bolt
    assert private_server.home.ports() == running.ports


@pytest.mark.slow
async def test_a_port_lost_between_looking_and_starting_is_replaced(private_config, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as intruder:
        taken = intruder.getsockname()[1]
        look = local_home.is_free
        looks: list[int] = []

        def blind_at_first(port: int) -> bool:
            looks.append(port)
            return len(looks) == 1 or (port != taken and look(port))

        monkeypatch.setattr(local_home, "is_free", blind_at_first)
        monkeypatch.setattr(local_home, "_FIRST_BOLT", taken)
        running = await local.up(private_config)

    assert running.ports.bolt != taken
    assert looks[0] == taken


@pytest.mark.slow
async def test_two_homes_started_at_the_same_moment_do_not_meet(private_config, tmp_path):
    other = private_config.model_copy(update={"home": tmp_path / "other"})
    try:
        await asyncio.gather(local.up(private_config), local.up(other))
        async with connect(private_config) as memory:
            await memory.graph.write(WRITE, number=1)

        assert await numbers(private_config) == [1]
        assert await numbers(other) == []
    finally:
        await local.down(other)


def test_a_port_asked_for_that_is_taken_is_an_error(private_config):
    with socket.create_server(("127.0.0.1", 0)) as intruder:
        taken = intruder.getsockname()[1]
        wanted = private_config.server.model_copy(update={"bolt_port": taken})

        with pytest.raises(GraphUnavailable, match=f"port {taken} is taken") as caught:
            Home(private_config.home).prepare(wanted)

    assert "server.bolt_port" in str(caught.value.hint)


@pytest.mark.slow
async def test_a_server_killed_while_its_store_was_being_made_is_made_again(private_config):
    server = local.server(private_config)
    spawned = server._spawn(local.installation(private_config), None)
    while not (private_config.home / "data" / "databases").exists():
        await asyncio.sleep(0.02)
    os.kill(spawned.pid, signal.SIGKILL)
    unfinished = server.home.unfinished.exists()

    await local.up(private_config)

    assert unfinished
    assert not server.home.unfinished.exists()
    assert await numbers(private_config) == []


async def test_a_command_interrupted_while_starting_leaves_a_server_the_next_one_finds(
    private_config,
):
    server = local.server(private_config)
    spawned = server._spawn(local.installation(private_config), None)

    running = await local.up(private_config)

    assert running.pid == spawned.pid


async def test_a_lost_password_is_replaced_and_the_memories_stay(private_config, private_server):
    await local.up(private_config)
    async with connect(private_config) as memory:
        await memory.graph.write(WRITE, number=1)
    private_server.home.password_file.unlink()

    with pytest.raises(GraphError, match="password is missing") as caught:
        await numbers(private_config)
    await local.down(private_config)

    assert "neomem down" in str(caught.value.hint)
    assert await numbers(private_config) == [1]


def unwritable(tmp_path: Path) -> Path:
    """A folder nobody may write to, root included."""
    if os.geteuid() == 0:
        return Path("/sys")
    tmp_path.chmod(0o500)
    return tmp_path


async def test_a_home_that_may_not_be_written_to_is_named(cache, tmp_path):
    config = Config(cache=cache, home=unwritable(tmp_path) / "neomem")

    with pytest.raises(InstallError, match="cannot write to") as caught:
        await local.up(config)

    assert "NEOMEM_HOME" in str(caught.value.hint)


@pytest.mark.slow
async def test_a_truncated_jar_is_fetched_again_before_the_start(private_config, tmp_path):
    cache = tmp_path / "cache"
    shutil.copytree(private_config.cache / "maven", cache / "maven", copy_function=os.symlink)
    config = private_config.model_copy(
        update={
            "cache": cache,
            "artifacts": private_config.artifacts.model_copy(
                update={"repository": serve(private_config.cache / "maven")}
            ),
        }
    )
    jar = local.installation(config).jars[10]
    jar.unlink()
    jar.write_bytes(b"PK cut short")

    await local.up(config)

    assert jar.stat().st_size > 1000


def serve(folder: Path) -> str:
    """Serve a folder as a Maven repository; ends with the process."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


async def test_a_jar_that_java_cannot_read_is_a_plain_error(private_config, tmp_path):
    broken = tmp_path / "broken.jar"
    broken.write_bytes(b"not a jar")
    server = local.server(private_config)

    with pytest.raises(GraphUnavailable, match="stopped while starting") as caught:
        await server.start(Installation(java.find(None, None), [broken], tmp_path))

    assert "neomem logs" in str(caught.value.hint)


async def test_a_server_that_does_not_come_up_in_time_is_said_so(private_config):
    hasty = private_config.server.model_copy(update={"start_timeout": 0.2})
    server = LocalServer(Home(private_config.home), hasty)

    with pytest.raises(GraphUnavailable, match="does not answer in time"):
        await server.start(local.installation(private_config))


async def test_a_server_that_does_not_stop_in_time_is_killed(private_config, private_server):
    running = await local.up(private_config)
    os.kill(running.pid, signal.SIGSTOP)
    hasty = private_config.server.model_copy(update={"stop_timeout": 0.5})

    stopped = await LocalServer(private_server.home, hasty).stop()

    assert stopped
    assert private_server.find() is None


async def test_it_stops_cleanly_when_the_system_asks(private_config, private_server):
    running = await local.up(private_config)

    os.kill(running.pid, signal.SIGTERM)
    while private_server.find():
        await asyncio.sleep(0.05)

    assert "Stopped." in private_server.console.read_text()


async def test_a_home_with_odd_characters_works_whatever_the_locale(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    config = Config(cache=cache, home=tmp_path / 'a "quoted" größe 記憶', server=QUIET)

    try:
        await local.up(config)
    finally:
        stopped = await local.down(config)

    assert stopped


async def test_connecting_to_an_outdated_schema_names_the_command(private_config):
    await local.up(private_config)
    async with connect(private_config) as memory:
        await memory.graph.write(cypher("MATCH (m:Migration {number: 3}) DELETE m"))

    with pytest.raises(SchemaOutdated, match="0003_fulltext"):
        async with connect(private_config):
            pass
    await local.up(private_config)  # migrates

    async with connect(private_config) as memory:
        assert isinstance(memory.graph, Graph)
