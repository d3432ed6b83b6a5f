"""Services for tests: real processes, on a home of their own and the Neo4j all tests share."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from neomem.config import Config
from neomem.sections import LOCAL, Neo4jSettings
from neomem.store.graph import Graph
from tests.conftest import QUIET, environment

PATIENCE = 120
# On a busy machine everything may take longer than anybody would wait.
PATIENT = {
    "NEOMEM_HOOKS__TIMEOUT": "100",
    "NEOMEM_HOOKS__CAPTURE_TIMEOUT": "100",
    "NEOMEM_SERVICE__TIMEOUT": "100",
}


@dataclass
class Served:
    """A running service, and how to ask it."""

    config: Config
    process: asyncio.subprocess.Process
    client: httpx.AsyncClient
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.config.home

    @property
    def socket(self) -> Path:
        return self.home / "run" / "service.sock"

    @property
    def token(self) -> str:
        return (self.home / "token").read_text().strip()

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self.client.post(f"/v1/{path}", json=body)

    async def figures(self) -> dict[str, float]:
        """The metrics, by their names with labels."""
        text = (await self.client.get("/metrics")).text
        lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    async def told(self, event: dict[str, Any]) -> "HookRun":
        return await hook(self.config, event, **self.variables)


@dataclass(frozen=True)
class HookRun:
    """One run of the hook."""

    code: int
    out: str
    err: str

    @property
    def answer(self) -> dict[str, Any]:
        return json.loads(self.out)


async def hook(config: Config, event: object, *options: str, **variables: str) -> HookRun:
    """Run the hook as an agent would, in a process of its own."""
    given = event if isinstance(event, str) else json.dumps(event)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "neomem_hook", *options),
        env=environment(config, **variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(given.encode()), PATIENCE)
    return HookRun(process.returncode or 0, out.decode(), err.decode())


def apart(graph: Graph, config: Config, home: Path) -> Config:
    """Settings with a home of one's own on the Neo4j that all tests share."""
    address = graph.address
    shared = Neo4jSettings(uri=address.uri, user=address.user, password=address.password)
    neo4j = shared if config.neo4j.uri == LOCAL else config.neo4j
    return Config(cache=config.cache, home=home, server=QUIET, neo4j=neo4j)


@asynccontextmanager
async def serving(
    config: Config, *options: str, ready: bool = True, **variables: str
) -> AsyncIterator[Served]:
    """Run a service, by default until it can answer; killed at the end if it still runs."""
    process = await started(config, *options, **variables)
    try:
        await listening(config, process)
        async with asking(config) as client:
            served = Served(config, process, client, variables)
            if ready:
                await until_ready(client)
            yield served
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL if not ready else signal.SIGTERM)
        await asyncio.wait_for(process.wait(), PATIENCE)


async def started(config: Config, *options: str, **variables: str) -> asyncio.subprocess.Process:
    config.home.mkdir(parents=True, exist_ok=True)
    with (config.home / "talk.log").open("ab") as talk:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "neomem", "-v", "serve", *options),
            env=environment(config, **(PATIENT | variables)),
            stdin=subprocess.DEVNULL,
            stdout=talk,
            stderr=talk,
        )


async def listening(config: Config, process: asyncio.subprocess.Process) -> None:
    """Wait until a service has opened its socket."""
    async with asyncio.timeout(PATIENCE):
        while _announced(config) != process.pid:
            assert process.returncode is None, (config.home / "talk.log").read_text()
            await asyncio.sleep(0.02)


def _announced(config: Config) -> int | None:
    try:
        return json.loads((config.home / "run" / "service.json").read_text())["pid"]
    except (FileNotFoundError, ValueError):
        return None


def asking(config: Config, token: str | None = None) -> httpx.AsyncClient:
    """A client with the token, or another."""
    token = (config.home / "token").read_text().strip() if token is None else token
    return httpx.AsyncClient(
        transport=httpx.AsyncHTTPTransport(uds=str(config.home / "run" / "service.sock")),
        base_url="http://localhost",
        headers={"Authorization": f"Bearer {token}"} if token else {},
        timeout=PATIENCE,
    )


async def until_ready(client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(PATIENCE):
        while not (await client.get("/health")).json()["ready"]:
            await asyncio.sleep(0.05)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
