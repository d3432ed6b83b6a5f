"""A service of a benchmark's own: a throw-away home, memories that say different things."""

import asyncio
import random
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from neomem import local
from neomem.config import Config
from neomem.engine import connect
from neomem.model import Draft
from neomem.sections import ServerSettings
from neomem.service import process

_PEOPLE = "Ada Grace Alan Edsger Barbara Donald Radia Ken Frances John Margaret Tony Mary Leslie"
_THINGS = "boat ledger kettle telescope violin bicycle greenhouse dictionary radio compass"
_PLACES = "Lisbon Porto Bergen Trieste Cork Gdansk Bilbao Ghent Turku Split Bari Malmo"
_DEEDS = "bought sold mended lost painted borrowed hid insured weighed photographed"


def facts(count: int, seed: int = 7) -> Iterator[str]:
    """Yield sentences about people, things and places; no two are the same."""
    chance = random.Random(seed)
    people, things, places, deeds = (words.split() for words in (_PEOPLE, _THINGS, _PLACES, _DEEDS))
    for number in range(count):
        who, what = chance.choice(people), chance.choice(things)
        yield (
            f"{who} {chance.choice(deeds)} the {what} no. {number} in {chance.choice(places)}"
            f" in {chance.randint(1990, 2025)} for {chance.randint(2, 999)} crowns."
        )


def questions(seed: int = 11) -> Iterator[str]:
    """Yield questions such as these facts answer, for ever."""
    chance = random.Random(seed)
    people, things, places = (words.split() for words in (_PEOPLE, _THINGS, _PLACES))
    while True:
        yield (
            f"What did {chance.choice(people)} do with the {chance.choice(things)}"
            f" no. {chance.randint(0, 20000)} in {chance.choice(places)}?"
        )


def settings(home: Path) -> Config:
    """Return the settings of a benchmark: a local server with some room."""
    server = ServerSettings(quick_start=False, heap="1g", page_cache="256m")
    return Config(home=home, server=server)


async def fill(config: Config, count: int) -> None:
    """Capture facts until there are as many as asked for."""
    async with connect(config) as engine:
        there = (await engine.stats()).memories
        drafts = [Draft(text=text, kind="fact") for text in facts(count)][there:]
        if drafts:
            await engine.capture_many(drafts, total=len(drafts))


@asynccontextmanager
async def service(config: Config) -> AsyncGenerator[httpx.AsyncClient]:
    """Run a service until it has answered a question; give a client for it."""
    command = [sys.executable, "-m", "neomem", "serve", "--idle-minutes", "0"]
    variables = {
        "NEOMEM_HOME": str(config.home),
        "NEOMEM_CACHE": str(config.cache),
        "NEOMEM_SERVER__QUICK_START": "false",
        "NEOMEM_SERVER__HEAP": config.server.heap,
        "NEOMEM_SERVICE__AGENT": config.service.agent,
        "NEOMEM_RECALL__RECORD": str(config.recall.record),
        "PATH": "/usr/bin:/bin",
    }
    running = await asyncio.create_subprocess_exec(
        *command, env=variables, stdin=subprocess.DEVNULL
    )
    try:
        while not (config.home / "run" / "service.json").exists():  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)
        async with client(config) as asking:
            while not (await asking.get("/health")).json()["ready"]:  # noqa: ASYNC110 - the same
                await asyncio.sleep(0.1)
            await asking.post("/v1/recall", json={"question": next(questions())})
            yield asking
    finally:
        await process.stop(config)
        await running.wait()
        await local.down(config)


def client(config: Config) -> httpx.AsyncClient:
    """Return a client of a service, with its token."""
    token = process.token(config.home)
    return httpx.AsyncClient(
        transport=httpx.AsyncHTTPTransport(
            uds=str(config.home / "run" / "service.sock"),
            limits=httpx.Limits(max_connections=None),
        ),
        base_url="http://localhost",
        headers={"Authorization": f"Bearer {token}"},
        timeout=120,
    )
