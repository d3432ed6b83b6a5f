"""Nights in which something goes wrong: sleepers, clocks, models, phases, people."""

import asyncio
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from typing import cast

import httpx2
import neo4j
import psutil
import pytest

from neomem.errors import LeaseHeld
from neomem.model import Draft
from neomem.sleep_settings import SleepSettings
from neomem.store.graph import Graph
from sleep_cycle import NAMES, cycle, history, show, sleep, undo
from tests.conftest import environment
from tests.integration.doomed import ended, started
from tests.integration.recall_engine import NOW, engine_on, ids, told
from tests.integration.sleeping import (
    LATER,
    actions,
    as_if_never_slept,
    busy,
    canonical,
    edges,
    night,
    picture,
    remember,
    turns,
)
from tests.integration.test_endpoint import Endpoint, endpoint  # noqa: F401 - a fixture
from tests.integration.test_keeping_commands import run  # noqa: F401 - a fixture
from tests.integration.test_sleep_kills import memories, woken  # noqa: F401 - a fixture
from tests.support import cypher
from tests.unit.test_openai import Handler, Server, a_model, error, said, weighed

AHEAD = cypher(
    "MERGE (l:SleepLease {agent: $agent})"
    " SET l.token = 'x', l.holder = 'x', l.milliseconds = 60000,"
    " l.taken_at = datetime.realtime() + duration('P1D'),"
    " l.expires_at = datetime.realtime() + duration('P1DT1M')"
)
PATIENCE = 120


class Gate:
    """A model that thinks until it is let go, and then has no opinion."""

    def __init__(self) -> None:
        self.asked, self.go = asyncio.Event(), asyncio.Event()
        self.model = a_model(Server(cast("Handler", self.answer)), timeout=PATIENCE)

    async def answer(self, _: httpx2.Request) -> httpx2.Response:
        self.asked.set()
        await self.go.wait()
        return said("")


async def never(_: httpx2.Request) -> None:
    await asyncio.Event().wait()


# --------------------------------------------------------------------------------- two sleepers


async def test_of_two_sleepers_one_works_and_the_other_leaves(graph, memories):  # noqa: F811
    agent, gate = memories.agent, Gate()
    await as_if_never_slept(graph, agent)
    engine = busy(graph, memories.folder)

    first = asyncio.create_task(night(replace(engine, language_model=gate.model), agent, now=LATER))
    await asyncio.wait_for(gate.asked.wait(), PATIENCE)
    with pytest.raises(LeaseHeld, match=f"process {os.getpid()} on"):
        await night(engine, agent, now=LATER)
    with pytest.raises(LeaseHeld):
        await undo(graph, agent, (await history(graph, agent))[0]["id"])
    gate.go.set()
    slept = await first

    assert slept.changes == memories.number == len(await show(graph, agent, slept.run or ""))
    assert await picture(graph, agent) == memories.after
    await undo(graph, agent, slept.run or "")
    assert await canonical(graph, agent) == memories.before


@pytest.mark.parametrize("moment", ["before", "written"])
async def test_a_sleeper_that_stood_still_is_replaced_and_writes_no_more(
    config,
    graph,
    memories,  # noqa: F811
    moment,
):
    agent = memories.agent
    await as_if_never_slept(graph, agent)
    fate = memories.fate("compact", moment, lease=1.0, signal=signal.SIGSTOP)

    sleeper = await started(config, fate)
    try:
        await _stopped(sleeper)
        slept = await woken(graph, memories)
        after = await picture(graph, agent)
    finally:
        sleeper.send_signal(signal.SIGCONT)
    end = await ended(sleeper)

    assert (end.code, end.out) == (6, "")
    assert "Traceback" not in end.err
    assert after == await picture(graph, agent) == memories.after
    assert [(row["id"], row["status"]) for row in await history(graph, agent)] == [
        (slept.run, "finished")
    ]
    assert (await undo(graph, agent, slept.run or "")).changes == memories.number
    assert await canonical(graph, agent) == memories.before


async def test_a_sleeper_that_stands_still_in_a_write_holds_the_lease(config, graph, agent):
    hasty = config.neo4j.model_copy(update={"query_timeout": 1})
    auth = (graph.address.user, graph.address.password.get_secret_value())
    async with (
        neo4j.AsyncGraphDatabase.driver(graph.address.uri, auth=auth) as driver,
        driver.session() as session,
        await Graph.open(graph.address, hasty) as other,
    ):
        await graph.write(AHEAD, agent=agent)
        standing = await session.begin_transaction(timeout=60)
        await standing.run("MATCH (l:SleepLease {agent: $agent}) SET l.x = 1", agent=agent)

        with pytest.raises(LeaseHeld, match="somebody writes"):
            await sleep(engine_on(other), agent=agent)


async def _stopped(process: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(PATIENCE):
        while psutil.Process(process.pid).status() != psutil.STATUS_STOPPED:
            assert process.returncode is None
            await asyncio.sleep(0.05)


async def test_a_change_that_was_passed_over_leaves_the_others_in_order(graph, agent):
    gate = Gate()
    hasty = engine_on(graph, sleep=SleepSettings(seconds=0.001), language_model=gate.model)
    earlier = NOW - timedelta(hours=1)  # its change comes first
    (pinned,) = await remember(hasty, agent, "Ada Byron lives in Boston.", now=earlier)
    await remember(
        hasty,
        agent,
        "Grace Hopper lives in Paris.",
        Draft(text="The port is 8081.", said_at=NOW - timedelta(days=9)),
        Draft(text="The port is 9090.", said_at=NOW),
    )
    only = ["extract", "conflicts"]

    asleep = asyncio.create_task(night(hasty, agent, only=only))
    await asyncio.wait_for(gate.asked.wait(), PATIENCE)
    await hasty.pin(pinned, agent=agent)
    before = await canonical(graph, agent)
    gate.go.set()
    first = await asleep
    rest = await night(engine_on(graph), agent, only=only)

    assert (first.changes, first.phases[0].passed) == (1, 1)
    assert (rest.run, rest.changes) == (first.run, 2)
    assert [each["number"] for each in await show(graph, agent, "last")] == [2, 3]
    await undo(graph, agent, "last")
    assert await canonical(graph, agent) == before


# ---------------------------------------------------------------------------------------- clocks


async def test_a_clock_that_was_set_back_or_ahead_does_no_harm(graph, memories):  # noqa: F811
    agent, engine = memories.agent, busy(graph, memories.folder)
    await as_if_never_slept(graph, agent)
    await graph.write(AHEAD, agent=agent)  # a lease from before the server's clock was set back

    slept = await night(engine, agent, now=LATER)
    after = await canonical(graph, agent)
    back = [
        await night(engine, agent, now=now)
        for now in (LATER - timedelta(hours=1), NOW, NOW - timedelta(days=4000))
    ]
    far = await night(engine, agent, now=LATER + timedelta(days=4000), only=["guard"])

    assert [each.changes for each in (*back, far)] == [0, 0, 0, 0]
    assert await canonical(graph, agent) == after
    undone = await undo(graph, agent, "last")
    assert (undone.run, undone.changes) == (slept.run, memories.number)
    assert await canonical(graph, agent) == memories.before


# ---------------------------------------------------------------------------------------- models


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(said("I think it is Ada."), id="nonsense"),
        pytest.param(said('{"lasting": 7, "same": "yes", "summary": []}'), id="another shape"),
        pytest.param(never, id="too slow"),
        pytest.param(httpx2.ConnectError("refused"), id="not there"),
        pytest.param(error(500), id="broken"),
    ],
)
async def test_a_night_with_a_useless_model_is_a_night_without_one(
    graph,
    memories,  # noqa: F811
    answer,
):
    agent, server = memories.agent, Server(answer)
    await as_if_never_slept(graph, agent)
    model = a_model(server, timeout=1, attempts=1)

    slept = await night(busy(graph, memories.folder, language_model=model), agent, now=LATER)

    assert len(server.requests) == 3  # then it is left alone
    assert await picture(graph, agent) == memories.after
    await undo(graph, agent, slept.run or "")
    assert await canonical(graph, agent) == memories.before


async def test_a_model_is_asked_until_its_tokens_are_used_up(graph, memories):  # noqa: F811
    agent, server = memories.agent, Server(said("Pardon?"))
    await as_if_never_slept(graph, agent)
    engine = busy(graph, memories.folder, language_model=a_model(server), tokens=50)

    slept = await night(engine, agent, now=LATER)

    assert len(server.requests) == 2  # of 35 tokens each
    assert sum(each.tokens for each in slept.phases) == 70
    assert await picture(graph, agent) == memories.after
    await undo(graph, agent, slept.run or "")


@pytest.mark.parametrize("told", [weighed(-0.5, -0.1, -0.3), None])
async def test_a_models_summary_is_as_sure_as_its_words(graph, agent, told):
    server = Server(said('{"summary": "They agree on blue."}', logprobs=told))
    engine = engine_on(graph, language_model=a_model(server))
    texts = ("Shall we paint it?", "Blue, I think.", "Blue it is.", "And white.")
    plain = await remember(engine_on(graph), agent, *turns(*texts))

    slept = await night(engine, agent, only=["compact"])

    (summary,) = (await engine.recall("What do they agree on?", agent=agent)).hits
    assert slept.changes == 1
    assert set(summary.sources) == set(plain)
    assert summary.memory.text.endswith("They agree on blue.")
    sure = summary.memory.confidence or 0
    assert (sure == pytest.approx(math.exp(-0.3))) is bool(told)
    assert 0 < sure <= 1
    assert summary.memory.decay_rate == pytest.approx(1 - sure)


# ---------------------------------------------------------------------------------------- phases


async def test_a_phase_that_fails_is_named_and_done_the_next_night(
    run,  # noqa: F811
    graph,
    agent,
    monkeypatch,
):
    bees = ("Ada keeps bees on the roof of her house.", "Ada keeps bees on the roof of the school.")
    lasting = [Draft(text=each, kind="preference") for each in bees]
    engine = engine_on(graph)
    await remember(engine, agent, *lasting, Draft(text="A ticket.", expires_at=NOW))

    async def broken(*_: object) -> None:
        raise RuntimeError("no bees, please")

    with monkeypatch.context() as patch:
        bad = [replace(p, decide=broken) if p.name == "links" else p for p in cycle.PHASES]
        patch.setattr(cycle, "PHASES", tuple(bad))
        slept = await sleep(engine, agent=agent, now=NOW)
        command = await run("sleep", "--agent", agent, "-q")
    again = await night(engine, agent)

    assert slept.failed == ["links"]
    assert [each.phase for each in slept.phases] == list(NAMES)
    assert actions(slept)["decay"] == {"archive": 1}
    assert (command.exit_code, command.stdout) == (6, "")
    assert f"failed: {agent}: links: RuntimeError: no bees, please" in command.stderr
    assert "Traceback" not in command.stderr
    assert actions(again) == {"links": {"join": 1}}
    assert len(await edges(graph, agent, "SIMILAR")) == 1


# ---------------------------------------------------------------------------------------- people


@pytest.mark.usefixtures("interruptible")
async def test_a_night_that_a_person_breaks_off_goes_on_where_it_was(
    config,
    graph,
    agent,
    endpoint: Endpoint,  # noqa: F811
):
    def think(_: BaseHTTPRequestHandler) -> None:
        endpoint.ended.wait()

    endpoint.fault = think  # the night waits for a model, and we for the night
    engine = engine_on(graph)
    office, models = "They have an office there.", "Their models are large."
    await remember(
        engine,
        agent,
        Draft(text=office, about=("Open AI",)),
        Draft(text=models, about=("OpenAI",)),
        Draft(text="A ticket.", expires_at=NOW),
    )
    before = await canonical(graph, agent)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "neomem", "sleep", "--agent", agent),
        env=environment(
            config,
            NEOMEM_OPENAI__BASE_URL=f"http://127.0.0.1:{endpoint.port}/v1",
            NEOMEM_OPENAI__LANGUAGE_MODEL="talker",
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE):
        while not endpoint.requests:
            assert process.returncode is None
            await asyncio.sleep(0.05)

    process.send_signal(signal.SIGINT)
    end = await ended(process)
    (broken_off,) = await history(graph, agent)
    rest = await night(engine, agent)  # at once: the lease was given back

    assert (end.code, end.out) == (130, "")
    assert end.err.splitlines()[-1] == "interrupted; run it again to go on"
    assert "Traceback" not in end.err
    assert (broken_off["status"], broken_off["changes"]) == ("running", 1)
    assert rest.run == broken_off["id"]
    assert rest.changes > 1
    await undo(graph, agent, rest.run or "")
    assert await canonical(graph, agent) == before


async def test_capture_and_recall_go_on_while_a_night_is_under_way(graph, memories):  # noqa: F811
    agent, gate = memories.agent, Gate()
    await as_if_never_slept(graph, agent)
    engine = busy(graph, memories.folder, language_model=gate.model, purge_days=None)
    awake = engine_on(graph)

    asleep = asyncio.create_task(night(engine, agent, now=LATER))
    await asyncio.wait_for(gate.asked.wait(), PATIENCE)
    new, note = await told(awake, agent, "Grace moored the ketch in Faro.", "Buy varnish.")
    found = await awake.recall("Where is the ketch?", agent=agent)
    await awake.forget([note], agent=agent)
    under_way = not asleep.done()
    gate.go.set()
    slept = await asleep

    assert under_way
    assert new in ids(found)
    assert (await awake.get(new, agent=agent)).live
    assert not (await awake.get(note, agent=agent)).live
    assert new in ids(await awake.recall("Where is the ketch?", agent=agent))
    await undo(graph, agent, slept.run or "")
    await awake.purge([new, note], agent=agent)
