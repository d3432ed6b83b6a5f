"""The doctor on real patients."""

import dataclasses

from neomem import doctor
from neomem.config import Config
from neomem.sections import Neo4jSettings
from neomem.status import status
from neomem.store import queries
from tests.conftest import CACHE


def outside(graph, **changes) -> Config:
    """The shared server as somebody else's, reached by its address."""
    return Config(
        cache=CACHE,
        neo4j=Neo4jSettings(
            uri=graph.address.uri,
            user=graph.address.user,
            password=changes.pop("password", graph.address.password),
            **changes,
        ),
    )


async def test_an_outside_server_is_examined_without_looking_for_java(graph, cache):
    checks = {check.name: check for check in await doctor.examine(outside(graph))}

    assert {check.state for check in checks.values()} == {"ok"}
    assert "java" not in checks
    assert "indexes" in checks


async def test_a_wrong_password_fails_the_server_check_and_the_rest_is_still_there(graph, cache):
    checks = {check.name: check for check in await doctor.examine(outside(graph, password="no"))}

    assert checks["server"].state == "failed"
    assert "NEOMEM_NEO4J__PASSWORD" in str(checks["server"].hint)
    assert checks["models"].state == "ok"


async def test_drift_fails_the_schema_check(graph, cache, monkeypatch):
    first, *rest = queries.migrations()
    changed = dataclasses.replace(first, checksum="another")
    monkeypatch.setattr(queries, "migrations", lambda: (changed, *rest))

    checks = {check.name: check for check in await doctor.examine(outside(graph))}

    assert checks["schema"].state == "failed"
    assert "was changed" in checks["schema"].detail


async def test_the_status_of_an_outside_server_has_what_it_tells(graph):
    now = await status(outside(graph))

    assert now.running
    assert now.version
    assert now.pid is None
