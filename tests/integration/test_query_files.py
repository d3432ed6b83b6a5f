"""Every query file, explained by the real server: it plans, and nothing in it is outdated."""

from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from neomem.store import queries
from neomem.store.graph import Graph
from tests.shape.test_cypher_files import QUERY_FILES, name_of

STATEMENTS = [
    *(queries.load(name_of(file)) for file in QUERY_FILES),
    *(statement for migration in queries.migrations() for statement in migration.statements),
]


PAGES = [
    query
    for query in STATEMENTS
    if {"after", "limit"} <= query.parameters and query.name != "sleep/open_relations"
]


async def explained(graph: Graph, query: queries.Query) -> neo4j.ResultSummary:
    password = graph.address.password
    auth = (graph.address.user, password.get_secret_value()) if password else None
    driver = neo4j.AsyncGraphDatabase.driver(graph.address.uri, auth=auth)
    async with driver, driver.session(database="neo4j") as session:
        # Missing parameters are only a notice under EXPLAIN.
        result = await session.run("EXPLAIN " + query.text)
        return await result.consume()


@pytest.mark.parametrize("query", STATEMENTS, ids=lambda query: f"{query.name}")
async def test_the_server_understands_it_without_a_deprecation_notice(query, graph: Graph):
    notices = (await explained(graph, query)).gql_status_objects

    assert [n.status_description for n in notices if n.raw_classification == "DEPRECATION"] == []


@pytest.mark.parametrize("query", PAGES, ids=lambda query: f"{query.name}")
async def test_a_page_ends_where_it_is_full_instead_of_sorting_all_that_is_left(query, graph):
    def operators(plan: dict[str, Any]) -> Iterator[str]:
        yield plan["operatorType"].partition("@")[0]
        for child in plan.get("children", ()):
            yield from operators(child)

    plan = (await explained(graph, query)).plan
    assert plan

    steps = list(operators(plan))
    assert {"Limit", "ExhaustiveLimit"} & set(steps)
    assert not {"Sort", "Top", "PartialTop"} & set(steps)
