"""Bring a store's schema up to date: numbered files, each applied once, none changed afterwards."""

import asyncio
import logging
import re
from dataclasses import asdict, dataclass
from typing import Any

from neomem.errors import EmbedderMismatch, MigrationDrift, MigrationError, SchemaOutdated
from neomem.progress import Notify, Progress, silent
from neomem.store import health, queries
from neomem.store.graph import Graph
from neomem.store.queries import Migration, Query

log = logging.getLogger(__name__)

APPLIED_MIGRATIONS = queries.load("store/applied_migrations")
RECORD_MIGRATION = queries.load("store/record_migration")
EMBEDDING_SPACE = queries.load("store/embedding_space")
RECORD_EMBEDDING_SPACE = queries.load("store/record_embedding_space")
LEAVE_EMBEDDING_SPACE = queries.load("store/leave_embedding_space")
ENTER_EMBEDDING_SPACE = queries.load("store/enter_embedding_space")
FINISH_EMBEDDING_SPACE = queries.load("store/finish_embedding_space")
DROP_INDEX = queries.load("store/drop_index")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSpace:
    """The embedder and language a store was made with."""

    model: str
    dimensions: int
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """Whose a store's vectors are, at any moment."""

    space: EmbeddingSpace
    becoming: tuple[str, int] | None
    """The model and dimensions the store is being emptied for; nobody may write vectors then."""
    unfinished: bool
    """Whether memories still wait for their vectors, so that a search would miss them."""

    def are_of(self, model: str, dimensions: int) -> bool:
        """Tell whether an embedder may write its vectors beside these."""
        own = self.space.model, self.space.dimensions
        return own == (model, dimensions) and self.becoming is None


async def applied(graph: Graph) -> dict[int, dict[str, Any]]:
    """Migrations this store has had, by number; only reads."""
    return {row["number"]: row for row in await graph.read(APPLIED_MIGRATIONS)}


async def pending(graph: Graph) -> list[Migration]:
    """Migrations this store still needs; only reads, and refuses a store it does not understand."""
    known = {migration.number: migration for migration in queries.migrations()}
    done = await applied(graph)
    for number, row in done.items():
        if number not in known:
            raise MigrationError(
                f"the store has migration {row['name']}, which this neomem does not know",
                hint="it was written by a newer neomem: upgrade this one",
            )
        if row["checksum"] != known[number].checksum:
            raise MigrationDrift(
                f"{row['name']} was changed after it had been applied to this store",
                hint="restore the file; a new change needs a new migration file",
            )
    return [migration for migration in queries.migrations() if migration.number not in done]


async def check(graph: Graph) -> None:
    """Refuse a store whose schema is older than this neomem; nothing is migrated by surprise."""
    missing = await pending(graph)
    if missing:
        names = ", ".join(migration.name for migration in missing)
        raise SchemaOutdated(
            f"the store at {graph.address} lacks {names}", hint="run `neomem migrate`"
        )


async def apply(graph: Graph, space: EmbeddingSpace, notify: Notify = silent) -> list[Migration]:
    """Apply what is pending and wait for the indexes; a crash in the middle means: run it again.

    A new store takes the given embedding space; one that has its own keeps it.
    """
    missing = await pending(graph)
    for done, migration in enumerate(missing):
        notify(Progress(f"Migrating: {migration.name}", done, len(missing)))
        await _apply(graph, migration, space)
        log.info("migrated", extra={"migration": migration.name})
    if missing:
        await _indexes_online(graph, notify)
    return missing


async def _apply(graph: Graph, migration: Migration, space: EmbeddingSpace) -> None:
    values: dict[str, object] = {}
    if any(statement.parameters for statement in migration.statements):
        # Remembered before the first index that depends on it, so that both always agree.
        recorded = (await graph.write(RECORD_EMBEDDING_SPACE, **asdict(space)))[0]
        values = {"dimensions": recorded["dimensions"], "analyzer": recorded["language"]}
    for statement in migration.statements:
        # Neo4j refuses schema and data in one transaction, so each statement runs alone.
        await graph.write(statement, **{name: values[name] for name in statement.parameters})
    await graph.write(
        RECORD_MIGRATION,
        number=migration.number,
        name=migration.name,
        checksum=migration.checksum,
    )


async def _indexes_online(graph: Graph, notify: Notify) -> None:
    while True:
        states = await health.indexes(graph)
        failed = [index.name for index in states if index.state == "FAILED"]
        if failed:
            raise MigrationError(
                f"Neo4j could not build {', '.join(failed)}", hint="see the server's debug.log"
            )
        building = [index for index in states if index.state != "ONLINE"]
        if not building:
            return
        notify(Progress("Building indexes", int(min(i.percent for i in building)), 100))
        await asyncio.sleep(0.1)


async def embedding_space(graph: Graph) -> EmbeddingSpace | None:
    """Return what the store was made with, or None before its first migration."""
    found = await vectors(graph)
    return found.space if found else None


async def vectors(graph: Graph) -> Vectors | None:
    """Return whose the store's vectors are, or None before its first migration."""
    rows = await graph.read(EMBEDDING_SPACE)
    if not rows:
        return None
    row = rows[0]
    model, dimensions = row.pop("becoming_model"), row.pop("becoming_dimensions")
    return Vectors(
        unfinished=row.pop("unfinished"),
        becoming=None if model is None else (model, dimensions),
        space=EmbeddingSpace(**row),
    )


async def leave_space(graph: Graph, model: str, dimensions: int) -> None:
    """Begin to change the embedder: nobody writes or searches vectors until the old are gone."""
    await graph.write(LEAVE_EMBEDDING_SPACE, model=model, dimensions=dimensions)
    for name in _vector_indexes():
        await graph.write(DROP_INDEX, name=name)


async def enter_space(graph: Graph, model: str, dimensions: int, notify: Notify = silent) -> None:
    """Make the vector indexes anew and let the new embedder write: the old vectors are gone."""
    await make_vector_indexes(graph, dimensions, notify)
    if not await graph.write(ENTER_EMBEDDING_SPACE, model=model, dimensions=dimensions):
        raise EmbedderMismatch(
            f"another process has begun to re-embed the store at {graph.address}",
            hint="let it finish; `neomem doctor` shows for which embedder",
        )


async def finish_space(graph: Graph, model: str, dimensions: int) -> None:
    """Say that every memory has its vectors."""
    await graph.write(FINISH_EMBEDDING_SPACE, model=model, dimensions=dimensions)


async def make_vector_indexes(graph: Graph, dimensions: int, notify: Notify = silent) -> None:
    """Make the vector indexes as the migrations left them, if one is missing."""
    if {*_vector_indexes()} <= {index.name for index in await health.indexes(graph)}:
        return
    for statement in _statements():
        if any(re.search(rf"\b{name}\b", statement.text) for name in _vector_indexes()):
            given = {"dimensions": dimensions} if statement.parameters else {}
            await graph.write(statement, **given)
    await _indexes_online(graph, notify)


def _vector_indexes() -> tuple[str, ...]:
    return queries.index_names("VECTOR")


def _statements() -> list[Query]:
    return [each for migration in queries.migrations() for each in migration.statements]
