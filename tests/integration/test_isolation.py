"""No command of one agent shows or changes what is another's."""

import json
import re
from collections.abc import AsyncIterator
from uuid import uuid4

import numpy as np
import pytest

from neomem.capture import capture
from neomem.cli import main
from neomem.errors import QueryFailed
from neomem.model import Draft
from neomem.store import queries
from neomem.store.graph import Graph, Row
from neomem.store.queries import Query
from tests.conftest import REMOVE
from tests.integration.aimed_queries import AIMED, LATER, NOW, TELLING, aimed, filled
from tests.integration.test_capture import tools  # noqa: F401 - a fixture
from tests.shape.test_cypher_files import QUERY_FILES, name_of
from tests.support import cypher

MINE, TEXT = "ops-1", "The vault stands behind the green door."
OTHERS = "ops"  # a name that full text would take for a part of the other


ABOUT_THE_SERVER = {"up", "down", "status", "logs", "doctor", "migrate", "reembed"}
ABOUT_NO_MEMORIES = ABOUT_THE_SERVER | {"config", "install", "completion"}
OF_ITS_OWN_AGENT = {"demo"}
PROCESSES = {"serve", "mcp", "hook"}  # tests of the service hold them to one agent
OF_ONE_AGENT = [
    query
    for query in (queries.load(name_of(file)) for file in QUERY_FILES)
    if {"agent", "agents"} & query.parameters
]
ALL_OF = cypher(
    "MATCH (n {agent: $agent}) WITH n ORDER BY elementId(n) RETURN labels(n) AS labels,"
    " properties(n) AS properties, COLLECT { MATCH (n)-[r]-(o) RETURN type(r) + toString("
    " coalesce(o.id, o.key)) + toString(elementId(startNode(r))) AS edge ORDER BY edge } AS edges"
)


def test_every_command_keeps_agents_apart(neomem, tmp_path):
    captured = json.loads(neomem("capture", TEXT, "--agent", MINE, "--json").stdout)
    own = json.loads(neomem("capture", "Mine.", "--agent", OTHERS, "--json").stdout)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("A note.\n")
    (tmp_path / "TASKS.md").write_text("# Active Tasks\n")
    exported, brought = tmp_path / "out.jsonl", tmp_path / "mine.jsonl"
    neomem("export", str(brought), "--agent", MINE)
    calls = {
        "capture": ["Something else."],
        "ingest": [str(tmp_path / "notes")],
        "recall": ["Where does the vault stand?"],
        "get": [captured["id"]],
        "list": ["--state", "all"],
        "forget": [captured["id"], "--yes"],
        "restore": [captured["id"]],
        "pin": [captured["id"]],
        "supersede": [captured["id"], own["id"]],
        "tasks": ["--file", str(tmp_path / "TASKS.md")],
        "entities": [],
        "sleep": [],
        "stats": [],
        "export": [str(exported)],
        "import": [str(brought)],
        "browse": ["memory", captured["id"]],
    }

    assert calls.keys() == set(main.commands) - ABOUT_NO_MEMORIES - OF_ITS_OWN_AGENT - PROCESSES
    for name, arguments in calls.items():
        done = neomem(name, *arguments, "--agent", OTHERS, "--json")

        assert "Traceback" not in done.stderr, name
        assert "green door" not in done.stdout + done.stderr, name
        if name in {"get", "forget", "restore", "pin", "supersede", "import", "browse"}:
            assert done.returncode != 0, name

    assert "green door" not in exported.read_text()
    kept = json.loads(neomem("get", captured["id"], "--agent", MINE, "--json").stdout)
    assert (kept["text"], kept["live"], kept["pinned"]) == (TEXT, True, False)


@pytest.fixture
async def other(graph: Graph) -> AsyncIterator[str]:
    """A second agent."""
    name = f"test-{uuid4()}"
    yield name
    await graph.write(REMOVE, agent=name)


async def asked(graph: Graph, query: Query, /, **parameters: object) -> list[Row]:
    """Rows of a query, vectors as lists, which can be compared; one that is refused has none."""
    try:
        rows = await graph.write(query, **parameters)
    except QueryFailed:
        return []
    return [{name: _listed(value) for name, value in row.items()} for row in rows]


def _listed(value: object) -> object:
    return value.tolist() if isinstance(value, np.ndarray) else value


def test_every_query_of_one_agent_is_aimed_at_another():
    names = {query.name for query in OF_ONE_AGENT}

    assert names == AIMED.keys() | LATER
    assert not AIMED.keys() & LATER
    assert AIMED.keys() >= TELLING.keys()


@pytest.mark.parametrize(
    "query", [each for each in OF_ONE_AGENT if each.name in AIMED], ids=lambda query: query.name
)
async def test_no_query_shows_or_changes_what_is_anothers(query, tools, agent, other):  # noqa: F811
    graph, reads = tools.graph, not re.search(r"\b(MERGE|CREATE|SET|DELETE|REMOVE)\b", query.text)
    theirs = await filled(tools, agent, "xylograph")
    await capture(tools, [Draft(text="Mine.")], agent=other, manner="ingest", now=NOW)
    before = await graph.read(ALL_OF, agent=agent)

    shown = await asked(graph, query, **aimed(theirs, query.name, other, query.parameters))
    after = await graph.read(ALL_OF, agent=agent)
    own = await asked(graph, query, **aimed(theirs, query.name, agent, query.parameters))
    changed = await graph.read(ALL_OF, agent=agent)
    await graph.write(REMOVE, agent=agent)
    without = await asked(graph, query, **aimed(theirs, query.name, other, query.parameters))

    assert after == before
    assert "xylograph" not in str([row | {"given": None} for row in shown])
    assert own != shown or changed != after  # the aim was good
    if reads and query.name not in TELLING:
        assert shown == without
