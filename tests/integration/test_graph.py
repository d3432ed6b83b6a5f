"""The door to Neo4j, on the real one."""

import asyncio
from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from neomem.config import Config
from neomem.errors import GraphError, GraphUnavailable, QueryFailed
from neomem.sections import Neo4jSettings
from neomem.store import health
from neomem.store.graph import Address, Graph
from tests.support import cypher

CREATE = cypher("CREATE (n:Probe {agent: $agent, number: $number}) RETURN n.number AS number")
NUMBERS = cypher("MATCH (n:Probe {agent: $agent}) RETURN n.number AS number ORDER BY number")


async def test_what_was_written_is_read(graph, agent):
    await graph.write(CREATE, agent=agent, number=7)

    assert await graph.read(NUMBERS, agent=agent) == [{"number": 7}]


async def test_a_batch_commits_as_it_goes_and_is_seen_by_the_next_read(graph, agent):
    batch = cypher(
        "UNWIND range(1, 50) AS i CALL (i) { CREATE (:Probe {agent: $agent, number: i}) }"
        " IN TRANSACTIONS OF 10 ROWS"
    )

    await graph.batch(batch, agent=agent)

    assert len(await graph.read(NUMBERS, agent=agent)) == 50


async def test_a_failed_write_leaves_nothing(graph, agent):
    half = cypher("CREATE (:Probe {agent: $agent, number: 1}) WITH 1 AS x RETURN x / 0 AS y")

    with pytest.raises(QueryFailed):
        await graph.write(half, agent=agent)

    assert await graph.read(NUMBERS, agent=agent) == []


@pytest.mark.parametrize("parameters", [{}, {"agent": "a", "number": 1, "more": 2}])
async def test_parameters_must_match_the_file_exactly(graph, parameters):
    with pytest.raises(TypeError, match="parameters do not match"):
        await graph.read(CREATE, **parameters)


async def test_times_come_back_as_plain_datetimes(graph):
    rows = await graph.read(cypher("RETURN datetime('2026-05-01T12:00:00Z') AS at"))

    assert rows == [{"at": datetime(2026, 5, 1, 12, tzinfo=UTC)}]


async def test_times_inside_maps_and_lists_come_back_as_plain_datetimes_too(graph):
    at = "datetime('2026-05-01T12:00:00Z')"
    rows = await graph.read(cypher(f"RETURN {{at: {at}, all: [{{at: {at}}}], n: [1.5]}} AS memory"))

    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert rows == [{"memory": {"at": noon, "all": [{"at": noon}], "n": [1.5]}}]


async def test_a_query_carries_its_name_for_those_who_watch_the_server(graph):
    rows = await graph.read(
        cypher("SHOW TRANSACTIONS YIELD metaData RETURN metaData.query AS name")
    )

    assert {"name": "test"} in rows


async def test_a_query_that_takes_too_long_is_stopped(graph, config):
    hasty = config.neo4j.model_copy(update={"query_timeout": 0.2})
    endless = cypher(
        "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b) AS s"
    )

    async with await Graph.open(graph.address, hasty) as impatient:
        with pytest.raises(QueryFailed) as caught:
            await impatient.read(endless)

    assert caught.value.hint == "raise neo4j.query_timeout"


async def test_a_refused_query_names_its_file(graph):
    with pytest.raises(QueryFailed, match=r"^test: "):
        await graph.read(cypher("RETURN nonsense()"))


async def test_a_wrong_password_is_refused_without_repeating_it(graph):
    wrong = Address(graph.address.uri, graph.address.user, SecretStr("wrong-secret"))

    with pytest.raises(GraphError, match="refused the user name or password") as caught:
        await Graph.open(wrong, Neo4jSettings())

    assert not isinstance(caught.value, GraphUnavailable)
    assert "wrong-secret" not in str(caught.value)


@pytest.mark.parametrize(
    "uri", ["bolt://127.0.0.1:1", "neo4j://127.0.0.1:1", "bolt+s://no-such-host.invalid:7687"]
)
async def test_a_host_that_does_not_answer_is_said_to_be_unavailable(uri):
    impatient = Neo4jSettings(connect_timeout=1)

    with pytest.raises(GraphUnavailable) as caught:
        await Graph.open(Address(uri, "neo4j", SecretStr("x")), impatient)

    assert caught.value.hint


async def test_a_program_that_is_no_neo4j_is_said_to_be_unavailable():
    async def gibberish(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(gibberish, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        with pytest.raises(GraphError):
            await Graph.open(
                Address(f"bolt://127.0.0.1:{port}", "neo4j", SecretStr("x")),
                Neo4jSettings(connect_timeout=2),
            )


async def test_a_database_that_does_not_exist_names_the_setting(graph, config):
    elsewhere = config.neo4j.model_copy(update={"database": "nowhere"})

    async with await Graph.open(graph.address, elsewhere) as lost:
        with pytest.raises(GraphError) as caught:
            await lost.read(cypher("RETURN 1 AS one"))

    assert caught.value.hint == "check neo4j.database"


async def test_routing_addresses_see_their_own_writes(graph, agent, config: Config):
    routed = Address(
        graph.address.uri.replace("bolt://", "neo4j://"), graph.address.user, graph.address.password
    )

    async with await Graph.open(routed, config.neo4j) as cluster:
        for number in range(20):
            await cluster.write(CREATE, agent=agent, number=number)
            assert len(await cluster.read(NUMBERS, agent=agent)) == number + 1


async def test_reads_may_not_write(graph, agent):
    with pytest.raises(QueryFailed):
        await graph.read(CREATE, agent=agent, number=1)


async def test_the_server_tells_what_it_is(graph):
    components = await health.components(graph)

    assert components.version.startswith("2026.")
    assert components.edition in {"community", "enterprise"}
    assert abs((datetime.now(UTC) - components.now).total_seconds()) < 60


async def test_a_broken_address_is_a_plain_error():
    with pytest.raises(GraphError):
        await Graph.open(Address("gopher://x", "neo4j", None), Neo4jSettings())
