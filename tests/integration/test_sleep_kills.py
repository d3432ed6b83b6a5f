"""Sleepers and servers killed in every phase: the next run goes on, and undo is still exact."""

import asyncio
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from neomem import local
from neomem.config import Config
from neomem.engine import open_graph
from neomem.errors import LeaseHeld
from neomem.store.graph import Graph
from sleep_cycle import NAMES, Slept, history, show, undo
from tests.conftest import QUIET, REMOVE, stop
from tests.integration.doomed import Fate, Moment, ended, started
from tests.integration.sleeping import (
    LATER,
    as_if_never_slept,
    busy,
    canonical,
    full,
    night,
    picture,
)

MOMENTS: tuple[Moment, ...] = ("started", "before", "writing", "committing", "written", "advanced")


@dataclass
class Undisturbed:
    """Memories, and what a night makes of them when nobody dies."""

    agent: str
    folder: Path
    before: str
    after: list[str]
    changes: list[tuple[Any, ...]]
    number: int

    def fate(self, phase: str, moment: Moment, **more: Any) -> Fate:
        return Fate(self.agent, str(self.folder), phase, moment, **more)


async def undisturbed(graph: Graph, folder: Path) -> Undisturbed:
    """Sleep once over memories that give every phase work, and take it back."""
    agent, engine = f"test-{uuid4()}", busy(graph, folder)
    await full(engine, agent)
    before = await canonical(graph, agent)
    await as_if_never_slept(graph, agent)
    slept = await night(engine, agent, now=LATER)
    assert {each.phase for each in slept.phases if each.changes} == set(NAMES)
    after, changes = await picture(graph, agent), await told(graph, agent, slept)
    await undo(graph, agent, slept.run or "")
    assert await canonical(graph, agent) == before
    return Undisturbed(agent, folder, before, after, changes, slept.changes)


async def told(graph: Graph, agent: str, slept: Slept) -> list[tuple[Any, ...]]:
    """What a run did, by its journal; a summary has another id every time."""
    changes = await show(graph, agent, slept.run or "")
    assert [each["number"] for each in changes] == list(range(1, len(changes) + 1))
    return sorted(
        (each["phase"], each["action"], None if each["action"] == "sum up" else each["about"])
        for each in changes
    )


async def woken(graph: Graph, memories: Undisturbed) -> Slept:
    """Sleep as soon as the lease of the one who died has ended."""
    engine = busy(graph, memories.folder)
    async with asyncio.timeout(120):
        while True:
            try:
                return await night(engine, memories.agent, now=LATER)
            except LeaseHeld:
                await asyncio.sleep(0.2)


async def goes_on(graph: Graph, memories: Undisturbed) -> None:
    """See that a run that was broken off is brought to the same end, once, and can be undone."""
    agent = memories.agent
    (open_run,) = await history(graph, agent)

    slept = await woken(graph, memories)
    changes, after = await told(graph, agent, slept), await picture(graph, agent)
    again = await night(busy(graph, memories.folder), agent, now=LATER)
    taken_back = await undo(graph, agent, slept.run or "")

    assert open_run["status"] == "running"
    assert slept.run == open_run["id"]
    assert (slept.changes, changes) == (memories.number, memories.changes)
    assert after == memories.after
    assert again.changes == 0
    assert taken_back.changes == memories.number
    assert await canonical(graph, agent) == memories.before


# ----------------------------------------------------------------------------------- the sleeper


@pytest.fixture(scope="module")
async def memories(graph, tmp_path_factory) -> AsyncIterator[Undisturbed]:
    found = await undisturbed(graph, tmp_path_factory.mktemp("tasks"))
    yield found
    await graph.write(REMOVE, agent=found.agent)


async def killed(config: Config, graph: Graph, memories: Undisturbed, fate: Fate) -> None:
    await as_if_never_slept(graph, memories.agent)

    sleeper = await ended(await started(config, fate))

    assert (sleeper.code, sleeper.out) == (-signal.SIGKILL, ""), sleeper.err
    await goes_on(graph, memories)


async def test_a_sleeper_killed_in_the_middle_of_a_write_is_gone_on_with(config, graph, memories):
    await killed(config, graph, memories, memories.fate("compact", "writing"))


@pytest.mark.slow
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("phase", NAMES)
async def test_a_sleeper_killed_at_any_moment_is_gone_on_with(
    config, graph, memories, phase, moment
):
    await killed(config, graph, memories, memories.fate(phase, moment))


# ------------------------------------------------------------------------------------ the server


@pytest.fixture(scope="module")
async def server(cache, tmp_path_factory) -> AsyncIterator[tuple[Config, Undisturbed]]:
    """A server that may be killed, started again after each time."""
    config = Config(cache=cache, home=tmp_path_factory.mktemp("home"), server=QUIET)
    await local.up(config)
    try:
        async with await open_graph(config) as graph:
            yield config, await undisturbed(graph, tmp_path_factory.mktemp("tasks"))
    finally:
        stop(config)


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["writing", "committing"])
@pytest.mark.parametrize("phase", NAMES)
async def test_a_night_whose_server_is_killed_says_so_and_goes_on_later(server, phase, moment):
    config, memories = server
    running = await local.up(config)
    async with await open_graph(config) as graph:
        await as_if_never_slept(graph, memories.agent)

    fate = memories.fate(phase, moment, victim=running.pid)
    sleeper = await ended(await started(config, fate))

    assert (sleeper.code, sleeper.out) == (3, "")
    assert "Traceback" not in sleeper.err
    assert "error: " in sleeper.err
    async with await open_graph(config) as graph:
        await goes_on(graph, memories)
