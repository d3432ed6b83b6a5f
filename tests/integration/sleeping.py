"""Nights for tests: memories of a given age, a store as text, an engine that sleeps."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from neomem import capture
from neomem.capture.guard import compile_extra
from neomem.engine import Engine
from neomem.model import Draft
from neomem.ports import LanguageModel
from neomem.sections import CaptureSettings
from neomem.sleep_settings import SleepSettings
from neomem.store import transfer
from neomem.store.graph import Graph
from sleep_cycle import Slept, sleep
from tests.integration.recall_engine import NOW, engine_on
from tests.support import cypher

LATER = NOW + timedelta(days=200)
"""When what was remembered at NOW is old."""
TASKS = f"""# Completed

## ~~TASK-7: Move the billing service~~
- **Status:** done
- **Completed:** {LATER - timedelta(days=1):%Y-%m-%d %H:%M}
"""

_OUTSIDE = ("header", "trailer")

STATE = cypher(
    "MATCH (m:Memory {agent: $agent}) RETURN m.id AS id, m.text AS text, m.live AS live,"
    " m.lasting AS lasting, m.archived_at IS NOT NULL AS archived, m.quarantined AS quarantined,"
    " m.kind AS kind, m.valid_until.year = 9999 AS open ORDER BY id"
)
EDGES = cypher(
    "MATCH (a:Memory {agent: $agent})-[r]->(b) WHERE type(r) = $type"
    " RETURN a.text AS start, coalesce(b.text, b.name) AS end"
)

KNOWS = cypher(
    "MATCH (e:Entity {agent: $agent}) RETURN e.name AS name, e.aliases AS aliases,"
    " e.retired_at IS NOT NULL AS aside"
)
JOINS = cypher(
    "MATCH (a {agent: $agent})-[r]->(b) WHERE a:Memory OR a:Entity"
    " RETURN type(r) AS kind, r.type AS says, coalesce(a.text, a.name) AS start,"
    " coalesce(b.text, b.name, b.id) AS end, r.valid_until.year = 9999 AS open"
)
FRESH = cypher(
    "CALL () { MATCH (n {agent: $agent}) WHERE n:SleepRun OR n:SleepChange OR n:SleepImage"
    " DETACH DELETE n }"
    " MATCH (n {agent: $agent}) UNWIND keys(n) AS name WITH n, name"
    " WHERE name STARTS WITH 'sleep_' REMOVE n[name]"
)


async def remember(
    engine: Engine, agent: str, *drafts: Draft | str, now: datetime = NOW
) -> list[str]:
    """Capture texts at a time, whatever they are near to; return their ids."""
    given = [Draft(text=each) if isinstance(each, str) else each for each in drafts]
    tools = engine.capture_tools
    begun = await capture.start(tools, given, agent=agent, manner="ingest", now=now)
    done = await capture.finish(tools, begun, agent=agent, now=now, near=False)
    return [each.id or "" for each in done]


async def night(engine: Engine, agent: str, *, now: datetime = NOW, **wanted: Any) -> Slept:
    """Sleep, and see that no phase failed."""
    slept = await sleep(engine, agent=agent, now=now, **wanted)
    assert slept.failed == []
    return slept


async def state(graph: Graph, agent: str) -> dict[str, dict[str, Any]]:
    """What became of every memory, by its text."""
    return {row["text"]: row for row in await graph.read(STATE, agent=agent)}


async def edges(graph: Graph, agent: str, kind: str) -> set[tuple[str, str]]:
    """The edges of one type, by the texts or names they join."""
    rows = await graph.read(EDGES, agent=agent, type=kind)
    return {(row["start"], row["end"]) for row in rows}


async def canonical(graph: Graph, agent: str) -> str:
    """All that an agent has, embeddings included, as text: the same for the same graph."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "all.jsonl"
        await transfer.export_file(graph, agent, file, embeddings=True)
        lines = file.read_text(encoding="utf-8").splitlines()
    # The header says when it was written, the trailer repeats it in a sum.
    return os.linesep.join(
        sorted(line for line in lines if json.loads(line)["record"] not in _OUTSIDE)
    )


def turns(*texts: str, session: str = "s", ago: float = 30, speaker: str = "Ada") -> list[Draft]:
    """A conversation so many days ago."""
    said = NOW - timedelta(days=ago)
    return [
        Draft(text=text, session=session, position=at, said_at=said, speaker=speaker)
        for at, text in enumerate(texts)
    ]


def actions(slept: Slept) -> dict[str, dict[str, int]]:
    """What each phase did that did anything."""
    return {each.phase: each.actions for each in slept.phases if each.actions}


def phases(slept: Slept) -> Sequence[str]:
    """The phases of a run, in order."""
    return [each.phase for each in slept.phases]


async def full(engine: Engine, agent: str) -> None:
    """Something for every phase of a `busy` engine to do, at LATER."""
    plain = engine_on(engine.graph)  # capture knows neither the pattern nor the task
    await remember(
        plain,
        agent,
        "The badge of Ada is ZX-99-PLUM.",
        "TASK-7: running the tests now.",
        "In May Ada visited Porto by train.",
        "Ada visited Porto by train in May.",
        Draft(text="They have an office there.", about=("Open AI",)),
        Draft(text="Their models are large.", about=("OpenAI",)),
        Draft(text="The port is 8081.", said_at=NOW - timedelta(days=9)),
        Draft(text="The port is 9090.", said_at=NOW),
        Draft(text="Ada Byron lives in Boston.", said_at=NOW - timedelta(days=300)),
        Draft(text="Ada keeps bees on the roof of her house.", kind="preference"),
        Draft(text="Ada keeps bees on the roof of the school.", kind="preference"),
        *turns("Shall we paint it?", "Blue, I think.", "Blue it is.", "And white."),
    )
    gone, _ = await remember(
        plain, agent, Draft(text="Old.", about=("Nobody",)), Draft(text="Older.", about=("Grace",))
    )
    await plain.forget([gone], agent=agent)


def busy(
    graph: Graph, folder: Path, *, language_model: LanguageModel | None = None, **settings: Any
) -> Engine:
    """An engine whose night changes something in every phase of what is `full`."""
    file = folder / "TASKS.md"
    file.write_text(TASKS, encoding="utf-8")
    engine = engine_on(
        graph,
        capture=CaptureSettings(tasks_file=file),
        sleep=SleepSettings(**{"compact_size": 3, "purge_days": 1, **settings}),
        language_model=language_model,
    )
    return replace(engine, patterns=(compile_extra("badge", r"ZX-\d\d-[A-Z]+"),))


async def picture(graph: Graph, agent: str) -> list[str]:
    """What an agent has, by texts and names: the same for nights that did the same."""
    memories = [row | {"id": None} for row in await graph.read(STATE, agent=agent)]
    entities = await graph.read(KNOWS, agent=agent)
    joined = await graph.read(JOINS, agent=agent)
    return sorted(json.dumps(row, sort_keys=True) for row in (*memories, *entities, *joined))


async def as_if_never_slept(graph: Graph, agent: str) -> None:
    """Let nights that were undone be forgotten, so that the next does the same again."""
    await graph.write(FRESH, agent=agent)
