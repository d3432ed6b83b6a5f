"""Engines for tests of recall: fake vectors that pass for the store's, settings of one's own."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from neomem.capture.known import KnownNames
from neomem.config import Config
from neomem.engine import Engine
from neomem.model import Answer, Draft
from neomem.models.spacy import SpacyFinder
from neomem.ports import Embedder, EntityFinder, LanguageModel
from neomem.recall.recording import Recorder
from neomem.sections import CaptureSettings, RecallSettings
from neomem.sleep_settings import SleepSettings
from neomem.store.fit import Fit
from neomem.store.graph import Graph
from neomem.tasks import TaskReader
from neomem.testing import FakeEmbedder
from tests.support import cypher

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
PATIENT: dict[str, Any] = {"signal_timeout": 20}
"""On a busy machine a signal may take longer than anybody would wait."""

ENTITY = cypher(
    "MERGE (e:Entity {key: $key}) SET e.agent = $agent, e.name = $name, e.lane = $lane,"
    " e.aliases = $aliases"
)
SET = cypher("MATCH (m:Memory {agent: $agent, id: $id}) SET m += $properties")


@cache
def finder() -> EntityFinder:
    """The finder of names, opened once for all tests."""
    return SpacyFinder.open("english")


def engine_on(
    graph: Graph,
    *,
    embedder: Embedder | None = None,
    capture: CaptureSettings | None = None,
    sleep: SleepSettings | None = None,
    language_model: LanguageModel | None = None,
    **recall: Any,
) -> Engine:
    """An engine on a graph, with settings of recall by name."""
    embedder = embedder or FakeEmbedder(dimensions=384, model="e5-small-v2")
    settings = RecallSettings(**(PATIENT | recall))
    return Engine(
        graph=graph,
        embedder=embedder,
        language_model=language_model,
        config=Config(
            recall=settings,
            capture=capture or CaptureSettings(),
            sleep=sleep or SleepSettings(),
        ),
        fit=Fit(graph, embedder),
        names=KnownNames(finder, 100),
        tasks=TaskReader(),
        recorder=Recorder(graph),
    )


async def told(engine: Engine, agent: str, *drafts: Draft | str) -> list[str]:
    """Capture texts; return their ids."""
    done = [await engine.capture(draft, agent=agent) for draft in drafts]
    assert {each.outcome for each in done} == {"stored"}
    return [each.id or "" for each in done]


def ids(answer: Answer) -> list[str]:
    """The ids of the hits, best first."""
    return [hit.id for hit in answer.hits]


def texts(answer: Answer) -> list[str]:
    """The texts of the hits, best first."""
    return [hit.text for hit in answer.hits]
