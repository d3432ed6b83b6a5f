"""What the service does not let happen: too much, too often, too many, too long."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from neomem.store.local_home import is_free
from tests.integration.serving import PATIENCE, Served, apart, asking, serving, started


@pytest.fixture
def mine(graph, config, tmp_path):
    """Settings for a service of the test's own."""
    return apart(graph, config, tmp_path / "home")


@asynccontextmanager
async def withheld(served: Served) -> AsyncIterator[asyncio.StreamReader]:
    """A request whose body never comes: it is inside, and nothing can be done for it."""
    reader, writer = await asyncio.open_unix_connection(served.socket)
    writer.write(
        b"POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100\r\nAuthorization: Bearer " + served.token.encode() + b"\r\n\r\n{"
    )
    await writer.drain()
    while (await served.figures())["neomem_requests_inside"] != 1:
        await asyncio.sleep(0.01)
    yield reader
    writer.close()
    await writer.wait_closed()


async def test_the_agent_is_the_services_own_unless_it_lets_callers_choose(mine, agent):
    async with serving(mine, "--agent", agent) as served:
        own = await served.post("capture", text="Boats are mine.", agent=agent)
        unnamed = await served.post("capture", text="Boats are mine.")
        foreign = await served.post("capture", text="Boats are mine.", agent="somebody-else")
        hooked = await served.post("hook", event="recall", prompt="?", agent="somebody-else")

    assert (own.json()["outcome"], unnamed.json()["outcome"]) == ("stored", "duplicate")
    assert (foreign.status_code, hooked.status_code) == (403, 403)
    assert "service.choose_agent" in foreign.json()["error"]["hint"]


async def test_a_body_has_its_limit_whether_it_is_announced_or_not(mine):
    async def unannounced() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b" " * 10_000

    headers = {"Content-Type": "application/json"}
    async with serving(mine, ready=False, NEOMEM_SERVICE__MAX_BODY="20000") as served:
        announced = await served.client.post("/v1/recall", content=b" " * 30_000, headers=headers)
        flowing = await served.client.post("/v1/recall", content=unannounced(), headers=headers)
        agents = await served.client.post("/mcp", content=b" " * 30_000, headers=headers)

    assert (announced.status_code, flowing.status_code, agents.status_code) == (413, 413, 413)
    assert "20,000 bytes" in announced.json()["error"]["message"]


async def test_who_asks_too_often_is_told_to_come_again(mine):
    async with serving(mine, ready=False, NEOMEM_SERVICE__RATE="0.5") as served:
        answers = [await served.client.get("/openapi.json") for _ in range(4)]

    statuses = [answer.status_code for answer in answers]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    assert answers[-1].headers["retry-after"]
    assert "service.rate" in answers[-1].json()["error"]["hint"]


async def test_no_more_than_may_wait_are_let_in_and_looking_is_always_possible(mine):
    async with serving(
        mine, NEOMEM_SERVICE__CONCURRENCY="1", NEOMEM_SERVICE__WAITING="0"
    ) as served:
        async with withheld(served):
            busy = await served.post("recall", question="")
            health = await served.client.get("/health")
        while (await served.figures())["neomem_requests_inside"]:
            await asyncio.sleep(0.01)
        free = await served.post("recall", question="")

    assert (busy.status_code, health.status_code, free.status_code) == (503, 200, 200)
    assert busy.headers["retry-after"]


async def test_a_request_has_its_time_and_the_service_goes_on(mine):
    async with serving(mine, NEOMEM_SERVICE__TIMEOUT="0.5") as served, withheld(served) as reader:
        late = await asyncio.wait_for(reader.readuntil(b"\r\n"), PATIENCE)
        figures = await served.figures()

    assert late.split()[1] == b"504"
    assert figures['neomem_refused_total{reason="504"}'] == 1


async def test_a_loopback_port_is_opened_on_request_and_the_socket_stays(mine):
    port = next(port for port in range(18_700, 18_900) if is_free(port))

    async with serving(mine, "--port", str(port), ready=False) as served:
        headers = {"Authorization": f"Bearer {served.token}"}
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
            over_tcp = await client.get("/health", headers=headers)
            stranger = await client.get("/health")
        over_socket = await served.client.get("/health")

    assert (over_tcp.status_code, stranger.status_code, over_socket.status_code) == (200, 401, 200)


async def test_it_stops_by_itself_when_nobody_asks(mine):
    async with serving(mine, "--idle-minutes", "0.02", ready=False) as served:
        code = await asyncio.wait_for(served.process.wait(), PATIENCE)

    assert code == 0
    assert not served.socket.exists()
    assert "nobody asked" in (mine.home / "talk.log").read_text()


async def test_what_is_being_done_ends_before_the_service_does(mine, graph, agent):
    texts = [{"text": f"Boat {n} lies in berth {n * 7}."} for n in range(100)]

    async with serving(mine, "--agent", agent) as served:
        captured = asyncio.create_task(served.post("captures", memories=texts))
        while (await served.figures())["neomem_requests_inside"] != 1:
            await asyncio.sleep(0.005)
        served.process.send_signal(signal.SIGTERM)
        outcomes = [each["outcome"] for each in (await captured).json()["captured"]]
        code = await asyncio.wait_for(served.process.wait(), PATIENCE)

    assert outcomes == ["stored"] * 100
    assert code == 0
    assert not served.socket.exists()


async def test_what_was_recalled_is_noted_before_the_service_ends(mine, agent):
    async with serving(mine, "--agent", agent) as served:
        boat = (await served.post("capture", text="Ada's boat lies in Lisbon.")).json()["id"]
        await served.post("recall", question="Where is Ada's boat?")
        served.process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(served.process.wait(), PATIENCE)
    async with serving(mine, "--agent", agent) as served:
        memory = (await served.client.get(f"/v1/memories/{boat}")).json()

    assert memory["retrievals"] == 1


async def test_a_home_has_one_service_and_a_killed_one_leaves_no_trouble(mine):
    async with serving(mine, ready=False) as first:
        token = first.token
        second = await started(mine)
        code = await asyncio.wait_for(second.wait(), PATIENCE)
        still = await first.client.get("/health")
        first.process.kill()
        await first.process.wait()
    async with serving(mine, ready=False), asking(mine, token) as client:
        again = await client.get("/health")

    assert code == 1
    assert (still.status_code, again.status_code) == (200, 200)
    assert "is running already" in (mine.home / "talk.log").read_text()


async def test_signals_that_fail_are_counted_by_name(mine, agent):
    async with serving(mine, "--agent", agent, NEOMEM_RECALL__SIGNAL_TIMEOUT="0.0001") as served:
        await served.post("capture", text="Ada's boat lies in Lisbon.")
        answer = (await served.post("recall", question="Where is Ada's boat?")).json()
        figures = await served.figures()

    assert "bm25" in answer["missing"]
    assert figures['neomem_signal_failures_total{signal="bm25"}'] >= 1
