"""What `neomem browse` shows, asked of the real server; the browser itself is a slow test."""

import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from neo4j.graph import Node, Path

from neomem import browser, keeping
from neomem.sections import LOCAL
from tests.integration.aimed_queries import AIMED, NOW, filled
from tests.integration.test_capture import tools  # noqa: F401 - a fixture
from tests.integration.test_keeping_commands import run  # noqa: F401 - a fixture
from tests.support import cypher

LISTS = sorted(browser.VIEWS)
PICTURES = ("memory", "entity", "recall")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(texts=["'", "\\", "\\u0027", "\\\\u0027 + x", "\\\\'", "\u2028'; RETURN 1 //"])
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=20))
async def test_the_server_reads_a_literal_as_the_text_it_was_made_of(graph, texts):
    (row,) = await graph.read(cypher(f"RETURN {browser.literal(texts)} AS texts"))

    assert row["texts"] == texts


def parts(value: object) -> Iterator[object]:
    """A value and all that is in it."""
    yield value
    inner = value.nodes if isinstance(value, Path) else value
    if isinstance(inner, list | tuple):
        for each in inner:
            yield from parts(each)


async def rows_of(tools, theirs, view):  # noqa: F811
    query = browser.VIEWS.get(view) or getattr(browser, view.upper())
    return await tools.graph.read(query, agent=theirs.agent, **AIMED[f"browser/{view}"](theirs))


@pytest.mark.parametrize("view", LISTS)
async def test_lists_are_plain_values_without_vectors(tools, agent, view):  # noqa: F811
    rows = await rows_of(tools, await filled(tools, agent, "xylograph"), view)

    assert rows
    assert "xylograph" in str(rows)
    for value in (part for row in rows for column in row.values() for part in parts(column)):
        assert not isinstance(value, Node | float) or value == rows[0].get("alike")


@pytest.mark.parametrize("view", PICTURES)
async def test_pictures_are_made_of_memories_and_names_of_one_agent(tools, agent, view):  # noqa: F811
    rows = await rows_of(tools, await filled(tools, agent, "xylograph"), view)

    nodes = [
        part
        for row in rows
        for column in row.values()
        for part in parts(column)
        if isinstance(part, Node)
    ]
    labels = {label for node in nodes for label in node.labels}
    assert {node["agent"] for node in nodes} == {agent}
    assert {"Memory", "Entity"} <= labels <= {"Memory", "Entity", "Session", "Task"}


async def test_the_last_sleep_is_shown_even_when_it_changed_nothing(graph, agent):
    await graph.write(
        cypher("CREATE (:SleepRun {id: randomUUID(), agent: $agent, started_at: $now})"),
        agent=agent,
        now=NOW,
    )

    (row,) = await graph.read(browser.SLEEP, agent=agent)

    assert row["run"]
    assert row["action"] is None


@pytest.fixture
def local_only(config):
    if config.neo4j.uri != LOCAL:
        pytest.skip("links are to the local server's Browser")


async def test_a_memory_an_entity_and_an_answer_have_their_links(
    run,  # noqa: F811
    tools,  # noqa: F811
    agent,
    local_only,
):
    theirs = await filled(tools, agent, "xylograph")
    asked = ("--agent", agent, "--print")

    memory = await run("browse", "memory", theirs.fact[:23], *asked)
    entity = await run("browse", "entity", "XylographVille", *asked)
    recall = await run("browse", "recall", "Where is the key of xylographville?", *asked)
    every = await run("browse", "--agent", agent, "--json")

    assert theirs.fact in memory.stdout
    assert "XylographVille" in entity.stdout
    assert theirs.fact in recall.stdout
    assert json.loads(every.stdout)["links"].keys() == set(LISTS)
    for shown in (memory, entity, recall):
        assert shown.exit_code == 0
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/browser/\?\S+\n", shown.stdout)
        assert "user neo4j, password in " in shown.stderr


async def test_what_is_not_there_is_said_before_anything_opens(run, graph, agent, local_only):  # noqa: F811
    entity = await run("browse", "entity", "Nobody", "--agent", agent)
    recall = await run("browse", "recall", "Who?", "--agent", agent)
    lacking = await run("browse", "memory", "--agent", agent)
    more = await run("browse", "recent", "x", "--agent", agent)

    assert (entity.exit_code, recall.exit_code) == (8, 8)
    assert "has no entity Nobody" in entity.stderr
    assert (lacking.exit_code, more.exit_code) == (2, 2)
    assert entity.stdout + recall.stdout == ""


async def test_no_password_is_ever_in_a_link(run, config, agent, local_only):  # noqa: F811
    from neomem import local

    shown = await run("browse", "--agent", agent)
    password = local.server(config).home.password().get_secret_value()

    assert password not in shown.stdout + shown.stderr
    assert shown.stdout.count("http://") == len(LISTS)


async def test_a_conflict_shows_both_sides_and_the_reason(graph, agent, tools):  # noqa: F811
    theirs = await filled(tools, agent, "xylograph")
    await keeping.supersede(graph, agent, theirs.fact, theirs.chunk, reason="moved", now=NOW)

    rows = await graph.read(browser.CONFLICTS, agent=agent)

    assert {row["reason"] for row in rows} == {"xylograph", "moved"}
    assert {row["before_id"] for row in rows} == {theirs.turn, theirs.fact}
