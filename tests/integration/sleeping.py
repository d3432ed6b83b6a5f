"""Nights for tests: memories of a given age, a store as text, an engine that sleeps."""

import json
import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from neomem import capture
from neomem.engine import Engine
from neomem.model import Draft
from neomem.store import transfer
from neomem.store.graph import Graph
from sleep_cycle import Slept, sleep
from tests.integration.recall_engine import NOW
from tests.support import cypher

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
