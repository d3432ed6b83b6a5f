"""Every query file, explained by the real server: it plans, and nothing in it is outdated."""

import neo4j
import pytest

from neomem.store import queries
from neomem.store.graph import Graph
from tests.shape.test_cypher_files import QUERY_FILES, name_of

STATEMENTS = [
    *(queries.load(name_of(file)) for file in QUERY_FILES),
    *(statement for migration in queries.migrations() for statement in migration.statements),
]


@pytest.mark.parametrize("query", STATEMENTS, ids=lambda query: f"{query.name}")
async def test_the_server_understands_it_without_a_deprecation_notice(query, graph: Graph):
    password = graph.address.password
    auth = (graph.address.user, password.get_secret_value()) if password else None
    driver = neo4j.AsyncGraphDatabase.driver(graph.address.uri, auth=auth)

    async with driver, driver.session(database="neo4j") as session:
        # Missing parameters are only a notice under EXPLAIN.
        result = await session.run("EXPLAIN " + query.text)
        summary = await result.consume()

    notices = summary.gql_status_objects
    assert [n.status_description for n in notices if n.raw_classification == "DEPRECATION"] == []
