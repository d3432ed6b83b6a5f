"""The warm service over HTTP: a real process, asked as programs ask it."""

import stat

import pytest

from neomem.engine import connect
from tests.integration.serving import apart, asking, serving

SECRET = "aws_secret_access_key=" + "wJalrXUtnFEMI/K7MDENG" * 2


@pytest.fixture(scope="module")
async def served(graph, config, tmp_path_factory):
    """One service for all, which lets callers choose their agent."""
    mine = apart(graph, config, tmp_path_factory.mktemp("served"))
    async with serving(mine, NEOMEM_SERVICE__CHOOSE_AGENT="true") as found:
        yield found


async def test_what_is_captured_is_recalled_explained_read_counted_and_forgotten(served, agent):
    captured = await served.post("capture", text="Ada moved to Lisbon in May.", agent=agent)
    name = captured.json()["id"]
    recalled = (await served.post("recall", question="Where does Ada live?", agent=agent)).json()
    explained = (await served.post("explain", question="Where does Ada live?", agent=agent)).json()
    read = (await served.client.get(f"/v1/memories/{name[:13]}", params={"agent": agent})).json()
    counted = (await served.client.get("/v1/stats", params={"agent": agent})).json()
    forgotten = await served.post("forget", ids=[name], agent=agent)
    after = (await served.post("recall", question="Where does Ada live?", agent=agent)).json()

    assert captured.json()["outcome"] == "stored"
    assert [hit["id"] for hit in recalled["hits"]] == [name]
    assert recalled["hits"][0]["text"] == "Ada moved to Lisbon in May."
    assert 0 < recalled["hits"][0]["score"] <= 1
    assert recalled["model"] == "e5-small-v2"
    assert {"vector", "bm25"} <= {said["signal"] for said in explained["hits"][0]["said"]}
    assert (read["id"], read["live"]) == (name, True)
    assert "embedding" not in read
    assert counted["memories"] == 1
    assert forgotten.json() == {"forgotten": [name]}
    assert after["hits"] == []


async def test_turns_are_stored_in_one_go_and_kept_once_however_often_they_are_sent(served, agent):
    turns = [
        {"text": f"We sail on day {n} of June.", "session": "s", "speaker": "Ada", "position": n}
        for n in range(1, 6)
    ]

    first = (await served.post("captures", memories=turns, agent=agent)).json()["captured"]
    second = (await served.post("captures", memories=turns, agent=agent)).json()["captured"]

    assert [each["outcome"] for each in first] == ["stored"] * 5
    assert [each["outcome"] for each in second] == ["duplicate"] * 5
    assert [each["id"] for each in first] == [each["id"] for each in second]


async def test_automatic_capture_drops_small_talk_and_masks_secrets(served, agent):
    texts = ["ok, thanks!", f"Note for deployments in Lisbon: {SECRET}"]
    memories = [{"text": text} for text in texts]

    refused = await served.post("captures", memories=memories, agent=agent)
    taken = await served.post("captures", memories=memories, automatic=True, agent=agent)

    assert refused.status_code == 400
    assert "secret" in refused.json()["error"]["message"]
    assert "wJalr" not in refused.text
    dropped, masked = taken.json()["captured"]
    assert (dropped["outcome"], masked["outcome"]) == ("dropped", "stored")
    assert masked["masked"]


async def test_lines_of_ingested_folders_are_read_and_of_no_others(served, graph, agent, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "guide.md").write_text("# Guide\n\nUse port 8123.\nNever 80.\n")
    (tmp_path / "secret.md").write_text("not yours")
    async with connect(served.config) as memory:
        await memory.ingest(tmp_path / "notes", agent=agent)

    async def lines(path, **more):
        asked = {"path": str(path), "agent": agent, **more}
        return await served.client.get("/v1/lines", params=asked)

    read = await lines("guide.md", **{"from": 3, "lines": 1})
    outside = await lines(tmp_path / "secret.md")
    upwards = await lines("../secret.md")

    assert read.json()["text"] == "Use port 8123."
    assert (outside.status_code, upwards.status_code) == (404, 404)


async def test_what_cannot_be_used_is_named_with_what_to_do(served, agent):
    answers = {
        "unknown": await served.client.get("/v1/memories/01234567-0000"),
        "missing": await served.post("recall"),
        "wrong": await served.post("recall", question="?", limit="many", min_score=2),
        "unheard": await served.post("recall", question="?", colour="red"),
        "empty": await served.post("capture", text="   "),
        "no json": await served.client.post(
            "/v1/recall", content=b"{", headers={"Content-Type": "application/json"}
        ),
        "a form": await served.client.post("/v1/recall", data={"question": "?"}),
        "no path": await served.client.get("/v1/nothing"),
        "no way": await served.client.get("/v1/recall"),
    }

    assert {name: answer.status_code for name, answer in answers.items()} == {
        "unknown": 404,
        "missing": 400,
        "wrong": 400,
        "unheard": 400,
        "empty": 400,
        "no json": 400,
        "a form": 415,
        "no path": 404,
        "no way": 405,
    }
    assert all(answer.json()["error"]["message"] for answer in answers.values())
    assert all(answer.json()["error"]["hint"] for answer in answers.values())
    message = answers["wrong"].json()["error"]["message"]
    assert "limit: " in message
    assert "min_score: " in message
    assert "many" not in message


async def test_nobody_is_let_in_without_the_token(served):
    async with asking(served.config, "") as nobody, asking(served.config, "wrong") as stranger:
        answers = [
            await client.get(path)
            for client in (nobody, stranger)
            for path in ("/health", "/metrics", "/openapi.json", "/v1/stats")
        ]

    assert {answer.status_code for answer in answers} == {401}
    assert {answer.headers["www-authenticate"] for answer in answers} == {"Bearer"}
    assert served.token not in "".join(answer.text for answer in answers)
    for file in (served.home / "token", served.socket):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_other_names_for_this_machine_and_web_pages_are_turned_away(served):
    async def status(**headers):
        return (await served.client.get("/health", headers=headers)).status_code

    assert await status(Host="localhost:9999") == 200
    assert await status(Host="127.0.0.1") == 200
    assert await status(Host="[::1]:80") == 200
    assert await status(Host="rebound.example.org") == 403
    assert await status(Host="localhost.example.org") == 403
    assert await status(Host="127.0.0.1.example.org:80") == 403
    assert await status(Host="[") == 403
    assert await status(Host="localhost", Origin="http://localhost") == 200
    assert await status(Host="localhost", Origin="http://localhost:3000") == 403
    assert await status(Host="localhost", Origin="https://example.org") == 403
    assert await status(Host="localhost", Origin="null") == 403


async def test_no_page_is_told_that_it_may_ask(served):
    asked = await served.client.options(
        "/v1/recall",
        headers={"Origin": "http://localhost", "Access-Control-Request-Method": "POST"},
    )

    assert asked.status_code == 405
    assert not [name for name in asked.headers if name.startswith("access-control")]


async def test_figures_count_requests_latencies_and_outcomes(served, agent):
    await served.post("capture", text="Boats are counted here.", agent=agent)
    before = await served.figures()
    await served.post("capture", text="Boats are counted here.", agent=agent)
    await served.post("capture", agent=agent)
    after = await served.figures()

    def grown(name):
        return after.get(name, 0) - before.get(name, 0)

    assert grown('neomem_requests_total{operation="capture",status="200"}') == 1
    assert grown('neomem_requests_total{operation="capture",status="400"}') == 1
    assert grown('neomem_captured_total{outcome="duplicate"}') == 1
    assert grown('neomem_request_seconds_count{operation="capture"}') == 2
    quantiles = [
        after[f'neomem_request_seconds{{operation="capture",quantile="{share}"}}']
        for share in (0.5, 0.95, 0.99)
    ]
    assert 0 < quantiles[0] <= quantiles[1] <= quantiles[2]
    assert after["neomem_resident_memory_bytes"] > 1e6


async def test_health_tells_for_whom_and_with_what(served):
    health = (await served.client.get("/health")).json()

    assert health["ready"] is True
    assert health["problem"] is None
    assert (health["agent"], health["model"]) == ("default", "e5-small-v2")
    assert health["pid"] == served.process.pid


async def test_the_description_names_every_path(served):
    described = (await served.client.get("/openapi.json")).json()

    assert described["openapi"].startswith("3.1.")
    assert described["security"] == [{"token": []}]
    assert set(described["paths"]) == {
        *("/v1/recall", "/v1/explain", "/v1/capture", "/v1/captures", "/v1/memories/{id}"),
        *("/v1/lines", "/v1/forget", "/v1/stats", "/v1/hook"),
        *("/health", "/metrics", "/openapi.json"),
    }
