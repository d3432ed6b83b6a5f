"""Migrations on a real store: the shared one is migrated, so most of this looks at it again."""

import dataclasses

import pytest

from neomem import local
from neomem.errors import MigrationDrift, MigrationError, SchemaOutdated
from neomem.progress import Progress
from neomem.store import health, migrate, queries
from neomem.store.graph import Graph
from tests.support import cypher

SCHEMA = cypher("SHOW INDEXES YIELD * RETURN name, type, labelsOrTypes, properties, options")
FORGET = cypher("MATCH (m:Migration {number: $number}) DELETE m")
INVENT = cypher("CREATE (:Migration {number: 9999, name: '9999_tomorrow', checksum: 'x'})")


async def test_a_migrated_store_has_every_index_online(graph):
    states = {index.name: index.state for index in await health.indexes(graph)}

    assert set(queries.index_names()) <= set(states)
    assert set(states.values()) == {"ONLINE"}


async def test_migrating_twice_changes_nothing(graph, config):
    before = await graph.read(SCHEMA)

    applied = await migrate.apply(graph, local.embedding_space(config))

    assert applied == []
    assert await graph.read(SCHEMA) == before


async def test_the_vector_index_filters_inside_the_search(graph):
    options = {row["name"]: row for row in await graph.read(SCHEMA)}

    index = options["memory_embedding"]
    assert index["options"]["indexConfig"]["vector.dimensions"] == 384
    filters = {"agent", "live", "kind", "event_at", "valid_from", "valid_until"}
    assert filters <= set(index["properties"])
    assert "memory_context_embedding" not in options


async def test_the_store_remembers_its_embedder(graph, config):
    assert await migrate.embedding_space(graph) == local.embedding_space(config)


async def test_another_embedder_does_not_replace_the_one_recorded(graph, config):
    other = migrate.EmbeddingSpace(model="other", dimensions=3, language="german")
    await graph.write(FORGET, number=4)

    await migrate.apply(graph, other)

    assert await migrate.embedding_space(graph) == local.embedding_space(config)


async def test_a_migration_that_was_interrupted_is_finished_by_the_next_run(graph, config):
    await graph.write(FORGET, number=2)
    events: list[Progress] = []

    with pytest.raises(SchemaOutdated, match="0002_ranges") as caught:
        await migrate.check(graph)
    applied = await migrate.apply(graph, local.embedding_space(config), events.append)

    assert caught.value.hint == "run `neomem migrate`"
    assert [migration.number for migration in applied] == [2]
    assert events[0].step == "Migrating: 0002_ranges"
    await migrate.check(graph)


async def test_a_file_changed_after_it_was_applied_is_drift(graph, monkeypatch):
    first, *rest = queries.migrations()
    changed = dataclasses.replace(first, checksum="another")
    monkeypatch.setattr(queries, "migrations", lambda: (changed, *rest))

    with pytest.raises(MigrationDrift, match="0001_constraints was changed"):
        await migrate.check(graph)


async def test_a_store_of_a_newer_neomem_is_refused(graph: Graph):
    await graph.write(INVENT)
    try:
        with pytest.raises(MigrationError, match="9999_tomorrow") as caught:
            await migrate.check(graph)
    finally:
        await graph.write(FORGET, number=9999)

    assert "upgrade" in str(caught.value.hint)


async def test_an_index_neo4j_cannot_build_stops_the_migration(graph, config, monkeypatch):
    broken = health.Index(name="memory_words", type="FULLTEXT", state="FAILED", percent=0)

    async def failing(_: Graph) -> list[health.Index]:
        return [broken]

    monkeypatch.setattr(health, "indexes", failing)
    await graph.write(FORGET, number=2)

    with pytest.raises(MigrationError, match="could not build memory_words"):
        await migrate.apply(graph, local.embedding_space(config))
