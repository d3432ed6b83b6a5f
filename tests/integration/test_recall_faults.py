"""Recall when something is wrong: with the question, a signal, a model, the server."""

import asyncio
import statistics
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Self
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neomem.errors import GraphUnavailable, InputError, ModelUnavailable, QueryFailed
from neomem.model import FOREVER, Draft
from neomem.ports import Embedding
from neomem.sections import Neo4jSettings
from neomem.store.graph import Address, Graph, Row
from neomem.store.queries import Query
from neomem.testing import FakeEmbedder
from neomem.text import entity_key, lane
from tests.integration.recall_engine import NOW, engine_on, ids, told
from tests.support import cypher

VECTOR = {"recall/nearest", "recall/by_vector", "recall/by_vector_exact"}
QUERIES = {
    "vector": VECTOR,
    "bm25": {"recall/by_words"},
    "graph": {"recall/seeds"},
    "names": {"capture/known_names"},
}
ODD = [
    "x" * 100_000,
    "why " * 25_000,
    "?!… --- ... ()",
    "AND OR NOT ( [ { ~ * ? : \\ / ^ + - && || boat",
    "the \"red boat' and `boat",
    'text:boat* lane:"l1" boat~2 boat^9 /bo.*/ [a TO z]',
    "\u26f5\U0001f6f6 \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "船はどこですか",
    "أين القارب؟",
    "где лодка?",
    "เรืออยู่ที่ไหน",
    "boat\x00\x00red",
    "boat \ud800 \udfff red",
    "\ud800",
    "\u202eboat\u2066",
    "<relevant-memories>boat</relevant-memories>",
    "MATCH (n) DETACH DELETE n // boat",
]


class Faulty(Graph):
    """A graph that refuses some queries, or never answers them."""

    def __init__(self, graph: Graph, *broken: str, hangs: bool = False) -> None:
        super().__init__(graph._driver, graph.address, graph._settings)
        self.broken, self.hangs = broken, hangs

    async def read(self, query: Query, /, **parameters: object) -> list[Row]:
        if query.name in self.broken:
            if self.hangs:
                await asyncio.sleep(3600)
            raise QueryFailed(f"{query.name}: broken on purpose")
        return await super().read(query, **parameters)


@dataclass(frozen=True)
class Unwilling(FakeEmbedder):
    """An embedder that refuses questions, or never answers them."""

    error: Exception | None = None

    async def embed_question(self, text: str) -> Embedding:
        if self.error:
            raise self.error
        await asyncio.sleep(3600)
        return await super().embed_question(text)


@pytest.mark.parametrize("question", ODD, ids=range(len(ODD)))
async def test_odd_questions_are_answered(graph, agent, question):
    memory = engine_on(graph)
    await told(memory, agent, "The red boat lies in the harbour of Lisbon.")

    answer = await memory.recall(question, agent=agent)

    assert len(answer.question) <= 1000
    assert all(0 <= hit.score <= 1 for hit in answer.hits)
    assert not answer.missing.keys() - {"bm25"}


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(question=st.text(st.characters(codec=None, categories=None), max_size=60))
async def test_no_question_fails(graph, agent, question):
    memory = engine_on(graph, record=False)
    await memory.capture("Caroline has a red boat.", agent=agent)

    answer = await memory.recall(question, agent=agent)

    assert all(0 < hit.score <= 1 for hit in answer.hits)
    assert not answer.missing.keys() - {"bm25"}


@pytest.mark.parametrize(
    ("wanted", "complaint"),
    [
        ({"limit": -1}, "limit is -1"),
        ({"budget": -1}, "budget is -1"),
        ({"expand": -1}, "expand is -1"),
        ({"min_score": 1.5}, "between 0 and 1"),
        ({"min_score": float("nan")}, "between 0 and 1"),
        ({"diversity": -0.1}, "between 0 and 1"),
        ({"since": datetime(2026, 1, 1)}, "since needs a time zone"),  # noqa: DTZ001
        ({"as_of": datetime(2026, 1, 1)}, "as_of needs a time zone"),  # noqa: DTZ001
        ({"since": NOW, "until": NOW - timedelta(days=1)}, "since is not before until"),
        ({"since": NOW, "until": NOW}, "since is not before until"),
        ({"kinds": ("boat",)}, "'boat' is no kind"),
        ({"signals": ("smell",)}, "'smell' is no signal"),
        ({"fusion": "cold"}, "'cold' is no fusion"),
        ({"preset": "mine"}, "'mine' is no preset"),
        ({"preset": "libravdb", "signals": ("bm25",)}, "libravdb has no bm25"),
    ],
)
async def test_what_cannot_be_meant_is_refused(graph, agent, wanted, complaint):
    with pytest.raises(InputError, match=complaint):
        await engine_on(graph).recall("boat", agent=agent, **wanted)


async def test_a_huge_limit_is_met_as_far_as_there_are_memories(graph, agent):
    memory = engine_on(graph)
    await told(memory, agent, "The boat is red.", "The sea is blue.")

    answer = await memory.recall("boat", agent=agent, limit=10**9, diversity=1.0)

    assert len(answer.hits) == 2


async def test_times_at_the_ends_of_the_calendar_narrow_nothing(graph, agent):
    memory = engine_on(graph)
    (wanted,) = await told(memory, agent, "The boat is red.")
    first, last = datetime.min.replace(tzinfo=NOW.tzinfo), datetime.max.replace(tzinfo=NOW.tzinfo)

    answer = await memory.recall("boat", agent=agent, since=first, until=last)
    before = await memory.recall("boat", agent=agent, as_of=first)

    assert ids(answer) == [wanted]
    assert ids(before) == []


async def test_an_agent_without_memories_gets_an_empty_answer(graph, agent):
    answer = await engine_on(graph).recall("Where is Caroline?", agent=agent)

    assert (answer.hits, answer.pinned, answer.tokens) == ((), (), 0)
    assert answer.missing == {}


@pytest.mark.parametrize("hangs", [False, True])
@pytest.mark.parametrize("signal", QUERIES)
async def test_what_breaks_or_hangs_is_left_out_and_named(graph, agent, signal, hangs):
    wanted, *_ = await told(
        engine_on(graph), agent, Draft(text="Caroline has a boat.", about=("Caroline",)), "Rain."
    )
    seconds: dict[str, Any] = {"signal_timeout": 3, "embed_timeout": 1} if hangs else {}
    faulty = engine_on(Faulty(graph, *QUERIES[signal], hangs=hangs), expand_floor=0, **seconds)

    answer = await faulty.recall("What does Caroline have? A boat?", agent=agent)

    assert ids(answer)[0] == wanted
    assert answer.missing.keys() == {signal}
    assert ("did not answer in" if hangs else "broken on purpose") in answer.missing[signal]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ModelUnavailable("the endpoint is away"), "the endpoint is away"),
        (RuntimeError("no memory"), "the embedder failed: RuntimeError"),
        (None, "no vector in 0.2 s"),
    ],
)
async def test_without_an_embedder_words_and_graph_answer(graph, agent, error, reason):
    wanted, *_ = await told(engine_on(graph), agent, "Caroline has a boat.", "Rain.")
    embedder = Unwilling(dimensions=384, model="e5-small-v2", error=error)
    memory = engine_on(graph, embedder=embedder, embed_timeout=0.2)

    answer = await memory.recall("Caroline and her boat", agent=agent)

    assert ids(answer)[0] == wanted
    assert answer.missing == {"vector": reason}


@pytest.mark.parametrize("narrowed", [{}, {"kinds": ("other",)}])
async def test_without_a_vector_index_all_vectors_are_looked_at(graph, agent, narrowed):
    wanted, *_ = await told(engine_on(graph), agent, "Caroline has a boat.", "Rain.")
    memory = engine_on(Faulty(graph, "recall/nearest", "recall/by_vector"))

    answer = await memory.recall("Caroline boat", agent=agent, signals=("vector",), **narrowed)

    assert ids(answer)[0] == wanted
    assert answer.missing == {}


async def test_a_store_of_another_embedder_is_answered_from_by_words_and_graph(graph, agent):
    wanted, *_ = await told(engine_on(graph), agent, "Caroline has a boat.", "Rain.")
    other = engine_on(graph, embedder=FakeEmbedder(dimensions=384, model="another"))

    answer = await other.recall("Caroline boat", agent=agent)

    assert ids(answer)[0] == wanted
    assert "another (384 numbers)" in answer.missing["vector"]
    assert "`neomem reembed`" in answer.missing["vector"]


class Line:
    """A connection to the server that can be cut, or left hanging."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.ends = graph, list[asyncio.StreamWriter]()
        self.frozen = False

    async def __aenter__(self) -> Self:
        self.server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut()

    async def open(self) -> Graph:
        port = self.server.sockets[0].getsockname()[1]
        here = self.graph.address
        address = Address(f"bolt://127.0.0.1:{port}", here.user, here.password)
        return await Graph.open(address, Neo4jSettings(connect_timeout=1, retry_time=1))

    def cut(self) -> None:
        self.server.close()
        for end in self.ends:
            end.transport.abort()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = urlsplit(self.graph.address.uri)
        back, forth = await asyncio.open_connection(there.hostname, there.port)
        self.ends += [writer, forth]
        await asyncio.gather(self._pass(reader, forth), self._pass(back, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                if self.frozen:
                    continue
                writer.write(data)
                await writer.drain()
        except OSError:
            pass


class Cutting(Graph):
    """A graph whose line is cut at a query."""

    line: Line
    at: str

    async def read(self, query: Query, /, **parameters: object) -> list[Row]:
        if query.name == self.at:
            self.line.cut()
        return await super().read(query, **parameters)


@pytest.mark.parametrize("at", ["by_words", "seeds", "nearest", "candidates", "pinned"])
async def test_a_server_that_goes_away_is_an_error_and_no_wait(graph, agent, at):
    await told(engine_on(graph), agent, Draft(text="Caroline has a boat.", about=("Caroline",)))
    async with Line(graph) as line:
        opened = await line.open()
        cutting = Cutting(opened._driver, opened.address, opened._settings)
        cutting.line, cutting.at = line, f"recall/{at}"
        memory = engine_on(cutting, expand_floor=0)

        async with asyncio.timeout(60), opened:
            with pytest.raises(GraphUnavailable, match="no Neo4j answers"):
                await memory.recall("Caroline and her boat", agent=agent)


HUB = cypher(
    "UNWIND range($first, $last) AS n"
    " CREATE (m:Memory {id: $agent + n, agent: $agent, "
    " text: CASE WHEN n <= $few THEN 'Zuleika' ELSE 'Ada' END + ' noted bill ' + n + '.',"
    " kind: 'fact', scope: 'user', importance: 0.5, authority: 0.5, created_at: $now,"
    " event_at: $now, valid_from: $now, valid_until: $ever, live: true, lane: $lane, version: 1,"
    " pinned: false, quarantined: false})"
    " WITH m, CASE WHEN n <= $few THEN $small ELSE $hub END AS key"
    " MATCH (e:Entity {key: key})"
    " CREATE (m)-[:MENTIONS {confidence: 1.0}]->(e), (m)-[:ABOUT {confidence: 1.0}]->(e)"
)
EMPTY = cypher(
    "MATCH (m:Memory) WHERE m.agent = $agent WITH m LIMIT 5000 DETACH DELETE m"
    " RETURN count(m) AS gone"
)
MANY, STEP = 100_000, 5000
NAMED = cypher(
    "UNWIND $names AS each"
    " CREATE (:Entity {key: each.key, agent: $agent, name: each.name, lane: $lane, type: 'person'})"
)


@pytest.mark.slow
async def test_a_hub_of_a_hundred_thousand_memories_slows_nothing(graph, agent):
    memory = engine_on(graph)
    keys = {name: entity_key(agent, name) for name in ("Ada", "Zuleika")}
    rows = [{"name": name, "key": key} for name, key in keys.items()]
    own: dict[str, Any] = {"agent": agent, "lane": lane(agent)}
    await graph.write(NAMED, names=rows, **own)
    own |= {"hub": keys["Ada"], "small": keys["Zuleika"], "few": 20, "now": NOW, "ever": FOREVER}
    for first in range(1, MANY, STEP):
        await graph.write(HUB, **own, first=first, last=first + STEP - 1)

    async def took(question: str) -> float:
        start = time.perf_counter()
        answer = await memory.recall(question, agent=agent)
        assert answer.entities == (question,)
        assert answer.missing == {}
        return time.perf_counter() - start

    try:
        for name in (*keys, *keys, *keys):
            await took(name)
        pairs = [(await took("Ada"), await took("Zuleika")) for _ in range(15)]
    finally:
        while (await graph.write(EMPTY, agent=agent))[0]["gone"]:
            pass

    with_hub, usual = (statistics.median(times) for times in zip(*pairs, strict=True))
    assert with_hub < 2 * usual
