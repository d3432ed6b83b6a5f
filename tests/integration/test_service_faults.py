"""The service, its Neo4j, or both are killed; agents never notice, and nothing said is lost."""

import asyncio
import json
import os
import signal
from dataclasses import dataclass, field

import pytest
from httpx import ConnectError, ReadError

from neomem import local
from neomem.config import Config
from neomem.engine import connect
from neomem.sections import Neo4jSettings
from neomem.service import process
from neomem.service.spool import Spool
from neomem_hook import home as files
from tests.conftest import QUIET
from tests.integration.serving import PATIENCE, HookRun, asking, hook, serving, until_ready
from tests.support import cypher

GRACE = "Grace's boat lies in Porto."
TEXTS = cypher("MATCH (m:Memory {agent: $agent}) RETURN m.text AS text")


async def texts(config: Config) -> list[str]:
    async with connect(config) as memory:
        return [row["text"] for row in await memory.graph.read(TEXTS, agent="default")]


def kill_server(config: Config) -> None:
    running = local.server(config).find()
    if running:
        os.kill(running.pid, signal.SIGKILL)


def kill_service(config: Config) -> None:
    try:
        facts = json.loads((config.home / "run" / "service.json").read_text())
        os.kill(facts["pid"], signal.SIGKILL)
    except (FileNotFoundError, ProcessLookupError, ValueError):
        return  # it is down already, or not up yet


async def test_while_neo4j_cannot_be_reached_all_wait_and_hooks_are_silent(cache, tmp_path):
    nowhere = Neo4jSettings(uri="bolt://127.0.0.1:1")
    config = Config(cache=cache, home=tmp_path / "home", server=QUIET, neo4j=nowhere)
    said = {"event": "capture", "turns": [{"text": "We chose Postgres for the queue."}]}

    async with serving(config, ready=False, NEOMEM_SERVICE__TIMEOUT="2") as served:
        asked = await served.post("recall", question="What did we choose?")
        recalled = await served.told({"event": "recall", "prompt": "What did we choose?"})
        captured = await served.told(said)
        async with asyncio.timeout(PATIENCE):
            while not (health := (await served.client.get("/health")).json())["problem"]:
                await asyncio.sleep(0.05)

    assert asked.status_code in {503, 504}
    assert asked.json()["error"]["hint"]
    assert health["ready"] is False
    assert "no Neo4j answers at bolt://127.0.0.1:1" in health["problem"]
    assert (recalled.code, recalled.out, recalled.err) == (0, "", "")
    assert captured.answer == {"spooled": True}
    assert len(list((config.home / files.SPOOL).glob("*.json"))) == 1


async def test_a_local_neo4j_that_was_killed_is_brought_back(private_config):
    async with serving(private_config, NEOMEM_NEO4J__RETRY_TIME="1") as served:
        before = await served.post("capture", text="Ada's boat lies in Lisbon.")
        kill_server(private_config)
        async with asyncio.timeout(2 * PATIENCE):
            refused = []
            while (answer := await served.post("capture", text=GRACE)).status_code != 200:
                refused.append((answer.status_code, answer.json()["error"]))
        found = (await served.post("recall", question="Whose boat lies in Lisbon?")).json()
        alive = served.process.returncode

    assert before.json()["outcome"] == "stored"
    assert alive is None
    assert [each for each in refused if each[0] not in {503, 504}] == []
    assert "Ada's boat lies in Lisbon." in [hit["text"] for hit in found["hits"]]


@dataclass
class Sent:
    """What agents have said, and what their hooks told them of it."""

    runs: list[HookRun] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Texts that were acknowledged, or put by."""
    acknowledged: int = 0
    stop: bool = False

    async def agent(self, config: Config, name: int) -> None:
        """Say something and ask something, again and again."""
        number = 0
        while not self.stop:
            number += 1
            text = f"Agent {name} moored boat {number} in berth {1000 * name + number}."
            turn = {"role": "user", "text": text, "id": f"{name}-{number}"}
            said = {"event": "capture", "session": f"s{name}", "turns": [turn]}
            captured = await hook(config, said)
            answer = json.loads(captured.out or "{}")
            if answer.get("captured") or answer.get("spooled"):
                self.kept.append(f"user: {text}")
            self.acknowledged += bool(answer.get("captured"))
            asked = {"event": "recall", "prompt": f"Where is boat {number}?", "session": f"s{name}"}
            self.runs += [captured, await hook(config, asked)]
            await asyncio.sleep(0.5)


@pytest.mark.slow
@pytest.mark.parametrize("victims", ["service", "server", "both"])
async def test_kills_during_load_lose_nothing_that_was_acknowledged(private_config, victims):
    sent = Sent()
    await local.up(private_config)
    await hook(private_config, {"event": "start"})  # has a service started
    try:
        await ready(private_config)
        agents = [asyncio.create_task(sent.agent(private_config, name)) for name in range(3)]
        for _ in range(4):
            enough = sent.acknowledged + 5
            async with asyncio.timeout(10 * PATIENCE):
                while sent.acknowledged < enough:
                    await asyncio.sleep(0.1)
            if victims != "server":
                kill_service(private_config)
            if victims != "service":
                kill_server(private_config)
        sent.stop = True
        await asyncio.gather(*agents)
        await hook(private_config, {"event": "start"})
        await ready(private_config)
        await drained(private_config)
    finally:
        sent.stop = True
        await process.stop(private_config)

    stored = await texts(private_config)
    assert {(run.code, run.err) for run in sent.runs} == {(0, "")}
    assert sent.acknowledged >= 20
    assert set(sent.kept) <= set(stored)
    assert len(stored) == len(set(stored))


async def ready(config: Config) -> None:
    """Wait for a service that hooks have started; a hook may have to start it again."""
    async with asyncio.timeout(5 * PATIENCE):
        while True:
            try:
                async with asking(config) as client:
                    await until_ready(client)
                    return
            except (OSError, ConnectError, ReadError):
                await asyncio.sleep(0.5)


async def drained(config: Config) -> None:
    async with asyncio.timeout(5 * PATIENCE):
        while Spool(config.home, lambda _: asyncio.sleep(0)).waiting():
            await asyncio.sleep(0.2)
