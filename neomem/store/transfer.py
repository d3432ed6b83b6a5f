"""Out of the store into lines and back: all that belongs to one agent, whatever its size."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from neomem.errors import InputError, NeomemError
from neomem.ports import halves
from neomem.progress import Notify, Progress, silent
from neomem.store import migrate, queries
from neomem.store.export_files import beside, opened
from neomem.store.export_format import (
    EDGES,
    LONGEST_LINE,
    NODES,
    Counts,
    Header,
    Keys,
    Lines,
    Reader,
    Record,
)
from neomem.store.export_values import VECTORS, neutral_key, own_key, pack
from neomem.store.graph import Graph, Row, packed
from neomem.text import lane

EXPORT_COUNTS = queries.load("store/export_counts")
EXPORT_NODES = {
    "entity": queries.load("store/export_entities"),
    "session": queries.load("store/export_sessions"),
    "task": queries.load("store/export_tasks"),
    "memory": queries.load("store/export_memories"),
}
EXPORT_EDGES = {
    "memory": queries.load("store/export_memory_edges"),
    "entity": queries.load("store/export_entity_edges"),
}
IMPORT_TAKEN = queries.load("store/import_taken")
IMPORT_NODES = {
    "entity": queries.load("store/import_entities"),
    "session": queries.load("store/import_sessions"),
    "task": queries.load("store/import_tasks"),
    "memory": queries.load("store/import_memories"),
}
IMPORT_EDGES = {
    ("memory", "memory"): queries.load("store/import_memory_links"),
    ("memory", "entity"): queries.load("store/import_mentions"),
    ("memory", "session"): queries.load("store/import_turns"),
    ("memory", "task"): queries.load("store/import_task_tags"),
    ("entity", "entity"): queries.load("store/import_relations"),
}

BATCH = 500
FIRST_PAGE = 16
BATCH_BYTES = 8 * 1024 * 1024

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)

Judge = Callable[[str], str | None]
"""Why a text may not be recalled, or None."""


class Target(Protocol):
    """Takes the bytes of an export."""

    def write(self, data: bytes, /) -> object:
        """Take some more."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What was in a file, and what became of its memories."""

    entities: int
    sessions: int
    tasks: int
    memories: int
    edges: int
    added: int
    """Memories that were not there before."""
    quarantined: int
    """Added ones that the guard would have refused."""
    without_embedding: int
    """Added ones that only words and the graph can find."""


# ---- out ------------------------------------------------------------


async def export_file(
    graph: Graph, agent: str, file: Path, *, embeddings: bool = False, notify: Notify = silent
) -> Counts:
    """Export into a file, which appears when it is whole and only its owner can read."""
    with beside(file) as target:
        return await export(graph, agent, target, embeddings=embeddings, notify=notify)


async def export(
    graph: Graph, agent: str, target: Target, *, embeddings: bool = False, notify: Notify = silent
) -> Counts:
    """Write all that belongs to an agent; the same store gives the same bytes.

    What is captured meanwhile may be in it or not, but no edge without both its ends.
    """
    going = _Export(graph, agent, target, embeddings=embeddings)
    header = await _header(graph, embeddings=embeddings)
    target.write(going.lines.header(header))
    total = await _total(graph, agent)
    ranges: dict[str, list[tuple[str, str]]] = {}
    for kind in NODES:
        ranges[kind] = []
        async for span in going.nodes(kind):
            ranges[kind].append(span)
            notify(Progress("Exporting", sum(asdict(going.lines.counts).values()), total))
    for number, (type_, ends) in enumerate(EDGES.items()):
        notify(Progress("Exporting edges", number, len(EDGES)))
        for span in ranges[ends[0]]:
            await going.edges(type_, span)
    if embeddings and await _header(graph, embeddings=embeddings) != header:
        raise NeomemError("the store was re-embedded meanwhile", hint="export again")
    target.write(going.lines.trailer())
    return going.lines.counts


async def _header(graph: Graph, *, embeddings: bool) -> Header:
    space = await migrate.embedding_space(graph)
    if space is None:
        raise NeomemError("there is no store yet", hint="run `neomem migrate`")
    schema = max(await migrate.applied(graph), default=0)
    return Header(schema=schema, embeddings=embeddings, **asdict(space))


async def _total(graph: Graph, agent: str) -> int:
    counts = (await graph.read(EXPORT_COUNTS, agent=agent, prefix=own_key(agent, "")))[0]
    if strays := counts.pop("strays"):
        raise NeomemError(f"{strays} keys of {agent!r} are of another form than this neomem's")
    return sum(counts.values())


class _Export:
    """One export on its way."""

    def __init__(self, graph: Graph, agent: str, target: Target, *, embeddings: bool) -> None:
        self._graph, self._agent, self._target = graph, agent, target
        self._embeddings = embeddings
        self._written = Keys()
        self.lines = Lines()

    async def nodes(self, kind: str) -> AsyncGenerator[tuple[str, str]]:
        """Write all nodes of a kind; yield the range of keys of each page."""
        prefix = own_key(self._agent, "").removesuffix(":")
        after, limit = "" if kind == "memory" else prefix, FIRST_PAGE
        more = {"embeddings": self._embeddings} if kind == "memory" else {"until": prefix + ";"}
        query = EXPORT_NODES[kind]
        while rows := await self._graph.read(
            query, agent=self._agent, after=after, limit=limit, **more
        ):
            size = sum(self._write(kind, row) for row in rows)
            span = after, rows[-1]["key"]
            after = rows[-1]["key"]
            # Long texts make short pages, so that memory stays bounded.
            limit = min(BATCH, 2 * limit, 1 + BATCH_BYTES * len(rows) // size)
            yield span

    async def edges(self, type_: str, span: tuple[str, str]) -> None:
        """Write the edges of a type that begin in a range, between nodes that are written."""
        from_, to = EDGES[type_]
        rows = await self._graph.read(
            EXPORT_EDGES[from_], agent=self._agent, type=type_, after=span[0], until=span[1]
        )
        for row in rows:
            ends = self._neutral(from_, row["from"]), self._neutral(to, row["to"])
            if (from_, ends[0]) in self._written and (to, ends[1]) in self._written:
                alike = [pack(self._agent, edge, embeddings=False) for edge in row["edges"]]
                for line in self.lines.edges((type_, *ends), alike):
                    self._target.write(line)

    def _write(self, kind: str, row: Row) -> int:
        properties, key = row["properties"], self._neutral(kind, row["key"])
        del properties["id" if kind == "memory" else "key"]
        packed = pack(self._agent, properties, embeddings=self._embeddings)
        line = self.lines.node(kind, key, packed)
        self._target.write(line)
        self._written.add(kind, key)
        return len(line)

    def _neutral(self, kind: str, key: str) -> str:
        return key if kind == "memory" else neutral_key(self._agent, key)


# ---- back -----------------------------------------------------------


async def import_file(
    graph: Graph, agent: str, file: Path, *, judge: Judge, notify: Notify = silent
) -> Imported:
    """Import a file; see `import_`."""
    with opened(file) as source:
        return await import_(graph, agent, source, judge=judge, notify=notify)


async def import_(
    graph: Graph, agent: str, source: BinaryIO, *, judge: Judge, notify: Notify = silent
) -> Imported:
    """Bring an export back for an agent, as it was; importing it twice changes nothing.

    Nothing is written before all of it has been read and found whole. Stopped, it can be run again.
    """
    size = source.seek(0, 2)
    header = await _check_header(graph, Reader(agent), source)
    reader = Reader(agent)
    for batch in _batches(reader, source):
        notify(Progress("Checking", source.tell(), size, "bytes"))
        if batch[0].kind == "memory":
            await _present(graph, agent, batch)
    counts = reader.finish()
    tally: Counter[str] = Counter(added=0, quarantined=0, without_embedding=0)
    for batch in _batches(Reader(agent), source):
        notify(Progress("Importing", source.tell(), size, "bytes"))
        if batch[0].kind == "edge":
            await _import_edges(graph, agent, batch)
        elif batch[0].kind == "memory":
            tally.update(await _import_memories(graph, agent, batch, header, judge))
        else:
            rows = [{"key": own_key(agent, r.place[0]), "properties": r.properties} for r in batch]
            await graph.write(IMPORT_NODES[batch[0].kind], agent=agent, rows=rows)
    return Imported(**asdict(counts), **tally)


def _batches(reader: Reader, source: BinaryIO) -> Iterator[list[Record]]:
    """Read records, as many at a time as one write takes; all of a batch are of one sort."""
    batch: list[Record] = []
    size, sort = 0, ""
    source.seek(0)
    while line := source.readline(LONGEST_LINE + 1):
        record = reader.read(line)
        if record is None:
            continue
        named = record.place[0] if record.kind == "edge" else record.kind
        full = len(batch) >= BATCH or size + len(line) > BATCH_BYTES
        # Edges between the same two nodes stay together, where they are counted.
        if batch and (named != sort or (full and record.place != batch[-1].place)):
            yield batch
            batch, size = [], 0
        batch.append(record)
        size, sort = size + len(line), named
    if batch:
        yield batch


async def _check_header(graph: Graph, reader: Reader, source: BinaryIO) -> Header | None:
    """Refuse at once what this store cannot take, however long the file is."""
    source.seek(0)
    if line := source.readline(LONGEST_LINE + 1):
        reader.read(line)
    header, space = reader.header, await migrate.embedding_space(graph)
    newest = queries.migrations()[-1].number
    if header is None or space is None:
        return header
    if header.schema > newest:
        raise InputError(
            f"the file has schema {header.schema}, and this neomem knows {newest}",
            hint="it was written by a newer neomem: upgrade this one",
        )
    theirs = header.model, header.dimensions
    if header.embeddings and theirs != (space.model, space.dimensions):
        raise InputError(
            f"the file's embeddings are of {header.model} ({header.dimensions} numbers), the"
            f" store's of {space.model} ({space.dimensions})",
            hint="export again without --embeddings; `neomem reembed` makes them after the import",
        )
    return header


async def _present(graph: Graph, agent: str, batch: Sequence[Record]) -> set[str]:
    """Return which memories are there already; refuse when others stand in their places."""
    texts = {record.place[0]: record.properties["text"] for record in batch}
    rows = [
        {"id": record.place[0], "dedupe_key": record.properties.get("dedupe_key")}
        for record in batch
    ]
    found = await graph.read(IMPORT_TAKEN, agent=agent, rows=rows)
    for row in found:
        if row["foreign"] or row["text"] not in {None, texts[row["id"]]}:
            raise InputError(
                f"the id {row['id']} is taken by another memory; nothing was imported",
                hint="import into another store, or for the agent the file was exported from",
            )
        if row["doubled"]:
            raise InputError(
                f"memory {row['id']} is in the store already, under another id",
                hint="import for an agent of its own: --agent NAME",
            )
    return {row["id"] for row in found}


async def _import_memories(
    graph: Graph, agent: str, batch: Sequence[Record], header: Header | None, judge: Judge
) -> dict[str, int]:
    there = await _present(graph, agent, batch)
    new = [record for record in batch if record.place[0] not in there]
    judged = await asyncio.to_thread(lambda: [_judged(agent, record, judge) for record in new])
    rows = [
        {
            "id": record.place[0],
            "properties": {n: v for n, v in kept.items() if n not in VECTORS},
            **_vectors(kept),
        }
        for record, (kept, _) in zip(new, judged, strict=True)
    ]
    space = {"model": header and header.model, "dimensions": header and header.dimensions}
    await graph.write(IMPORT_NODES["memory"], agent=agent, rows=rows, **space)
    return {
        "added": len(new),
        "quarantined": sum(refused for _, refused in judged),
        "without_embedding": sum("embedding" not in kept for kept, _ in judged),
    }


def _vectors(kept: dict[str, Any]) -> dict[str, Any]:
    """Return a memory's vectors; an older export has both in full, and no halves."""
    alone = kept.get("embedding")
    if alone is None:
        return {"embedding": None, "halves": None}
    both = kept.get("halves") or halves(alone, kept.get("context_embedding"))
    return {"embedding": packed(alone), "halves": both}


def _judged(agent: str, record: Record, judge: Judge) -> tuple[dict[str, Any], bool]:
    """Return what is kept of a memory, and whether the guard has just quarantined it."""
    kept = record.properties
    if kept.get("quarantined"):
        return kept, False
    said = (kept.get(name) for name in ("text", "title"))
    reasons = [reason for text in said if isinstance(text, str) and (reason := judge(text))]
    if not reasons:
        return kept, False
    refused = {"quarantined": True, "quarantine_reason": reasons[0], "live": False, "trust": 0.0}
    return {**kept, **refused, "lane": lane(agent, live=False)}, True


async def _import_edges(graph: Graph, agent: str, batch: Sequence[Record]) -> None:
    type_ = batch[0].place[0]
    query = IMPORT_EDGES[EDGES[type_]]
    own = [kind != "memory" for kind in EDGES[type_]]
    seen: Counter[tuple[Any, ...]] = Counter()
    rows: list[Row] = []
    for record in batch:
        likeness = _likeness(record)
        seen[likeness] += 1
        ends = [
            own_key(agent, key) if owned else key
            for key, owned in zip(record.place[1:], own, strict=True)
        ]
        rows.append(
            {
                "from": ends[0],
                "to": ends[1],
                "properties": record.properties,
                "nth": seen[likeness],
            }
        )
    more = {"type": type_} if "type" in query.parameters else {}
    await graph.write(query, agent=agent, rows=rows, **more)


def _likeness(record: Record) -> tuple[Any, ...]:
    """Return what `import_relations` and its like tell edges between two nodes apart by."""
    if record.place[0] not in {"RELATES", "MERGED_INTO"}:
        return record.place
    properties = record.properties
    since = properties.get("valid_from")
    began = (since - _EPOCH) // _MILLISECOND if isinstance(since, datetime) else 0
    return *record.place, properties.get("type", ""), began, properties.get("qualifier", "")
