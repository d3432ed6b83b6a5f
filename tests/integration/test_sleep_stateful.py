"""Random days and nights on the real server: what is pinned stays, nights end, undo is exact."""

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any, ClassVar
from uuid import uuid4

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from neomem.model import Draft, Kind
from neomem.sleep_settings import SleepSettings
from neomem.store.graph import Graph
from sleep_cycle import sleep, undo
from tests.conftest import REMOVE
from tests.integration.recall_engine import NOW, engine_on
from tests.integration.sleeping import canonical, remember, turns
from tests.support import cypher

TEXTS = (
    "In May Ada visited Porto by train.",
    "Ada visited Porto by train in May.",
    "Ada visited Porto by train in June.",
    "The staging port is 8081.",
    "The staging port is 9090.",
    "Ada Byron lives in Boston.",
    "Ada Byron moved to Lisbon.",
    "Ada keeps bees on the roof of her house.",
    "Ada keeps bees on the roof of the school.",
    "Please call the bank on Monday.",
)
NAMES = ("Open AI", "OpenAI", "Grace", "The Beatles", "Beatles")
KINDS: tuple[Kind, ...] = ("fact", "preference", "other")
PINNED = cypher(
    "MATCH (m:Memory {agent: $agent, pinned: true})"
    " RETURN m {.*, retrievals: null, last_retrieved_at: null} AS memory,"
    " COLLECT { MATCH (m)-[r]-() RETURN elementId(r) ORDER BY elementId(r) } AS edges ORDER BY m.id"
)


class Days(RuleBasedStateMachine):
    """Rules wait for their answers in a loop of their own; hypothesis knows no other way."""

    loop: ClassVar[asyncio.AbstractEventLoop]
    graph: ClassVar[Graph]
    memories = Bundle("memories")

    def wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(work)

    @initialize()
    def begin(self) -> None:
        self.agent = f"test-{uuid4()}"
        self.now = NOW
        small = SleepSettings(compact_size=3, compact_least=2, purge_days=300)
        self.engine = engine_on(self.graph, sleep=small, record=False)
        self.nights: list[tuple[str, str]] = []
        """Runs that nothing has come after, with what was there before each."""

    def teardown(self) -> None:
        self.wait(self.graph.write(REMOVE, agent=self.agent))

    @rule(
        target=memories,
        text=st.sampled_from(TEXTS),
        name=st.sampled_from(NAMES),
        kind=st.sampled_from(KINDS),
    )
    def capture(self, text: str, name: str, kind: Kind) -> str:
        self.nights.clear()
        draft = Draft(text=text, about=(name,), kind=kind, said_at=self.now)
        return self.wait(remember(self.engine, self.agent, draft, now=self.now))[0]

    @rule(session=st.integers(0, 2), count=st.integers(1, 5), start=st.integers(0, 9))
    def talk(self, session: int, count: int, start: int) -> None:
        self.nights.clear()
        texts = [TEXTS[(start + at) % len(TEXTS)] for at in range(count)]
        drafts = turns(*texts, session=f"{session}-{start}", ago=20)
        self.wait(remember(self.engine, self.agent, *drafts, now=self.now))

    @rule(memory=memories, pinned=st.sampled_from(["yes", "no"]))
    def pin(self, memory: str, pinned: str) -> None:
        if self.wait(self.engine.get(memory, agent=self.agent)).live:
            self.nights.clear()
            self.wait(self.engine.pin(memory, pinned=pinned == "yes", agent=self.agent))

    @rule(memory=memories)
    def forget(self, memory: str) -> None:
        if not self.wait(self.engine.get(memory, agent=self.agent)).pinned:
            self.nights.clear()
            self.wait(self.engine.forget([memory], agent=self.agent))

    @rule(question=st.sampled_from(TEXTS))
    def recall(self, question: str) -> None:
        answer = self.wait(self.engine.recall(question, agent=self.agent, limit=3))
        assert {memory.id for memory in answer.pinned}.isdisjoint(hit.id for hit in answer.hits)

    @rule(days=st.sampled_from([0.0, 1.0, 40.0, 400.0]))
    def night(self, days: float) -> None:
        self.now += timedelta(days=days)
        before = self.wait(canonical(self.graph, self.agent))
        pinned = self.wait(self.graph.read(PINNED, agent=self.agent))

        slept = self.wait(sleep(self.engine, agent=self.agent, now=self.now))
        again = self.wait(sleep(self.engine, agent=self.agent, now=self.now))

        assert slept.failed == again.failed == []
        assert again.changes == 0
        assert self.wait(self.graph.read(PINNED, agent=self.agent)) == pinned
        self.nights.append((slept.run or "", before))

    @rule()
    def take_back(self) -> None:
        while self.nights:
            run, before = self.nights.pop()
            self.wait(undo(self.graph, self.agent, run))
            assert self.wait(canonical(self.graph, self.agent)) == before

    @invariant()
    def what_is_pinned_is_live(self) -> None:
        for row in self.wait(self.graph.read(PINNED, agent=self.agent)):
            assert row["memory"]["live"]


async def test_days_and_nights(graph):
    def run() -> None:
        Days.loop = asyncio.new_event_loop()
        Days.graph = Days.loop.run_until_complete(Graph.open(graph.address, graph._settings))
        few = settings(max_examples=8, stateful_step_count=14, deadline=None)
        try:
            run_state_machine_as_test(Days, settings=few)
        finally:
            Days.loop.run_until_complete(Days.graph.close())
            Days.loop.close()

    await asyncio.to_thread(run)
