"""One capture, start to end: guard, gate, embed, find names, compare, store."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from neomem.capture import rows
from neomem.capture.duplicates import say_the_same
from neomem.capture.guard import Pattern
from neomem.capture.known import KnownNames
from neomem.capture.prepare import Manner, Prepared, prepare
from neomem.capture.rows import Ready
from neomem.capture.vectors import Reading, embed
from neomem.errors import EmbedderMismatch, QueryFailed
from neomem.model import Captured, Draft, Outcome
from neomem.ports import Embedder, Embedding, EntityFinder, Found, Name, similarity
from neomem.sections import CaptureSettings
from neomem.store import queries
from neomem.store.fit import Fit
from neomem.store.graph import Graph, packed
from neomem.tasks import TaskReader, the_active
from neomem.text import fingerprint, task_key

log = logging.getLogger(__name__)

STORE = queries.load("capture/store")
BEFORE_TURNS = queries.load("capture/before_turns")
NEAR = queries.load("capture/near")
KNOWN_TEXTS = queries.load("capture/known_texts")
REFRESH = queries.load("capture/refresh")
LINK = queries.load("capture/link")

NOTHING: Mapping[str, Prepared] = MappingProxyType({})
COMPARED = ("fact", "preference", "decision", "event", "lesson", "other")
"""Kinds that can say the same twice; turns and chunks are what they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a capture works with."""

    graph: Graph
    embedder: Embedder
    fit: Fit
    names: KnownNames
    settings: CaptureSettings
    patterns: tuple[Pattern, ...] = ()
    tasks: TaskReader | None = None

    def active_task(self, agent: str) -> dict[str, str] | None:
        """Return the task that what is said now belongs to: the only active one."""
        if not self.tasks or not self.settings.tasks_file:
            return None
        task = the_active(self.tasks.read(self.settings.tasks_file).tasks)
        if task is None:
            return None
        key = task_key(agent, task.id)
        return {"key": key, "id": task.id, "title": task.title, "status": task.status}


@dataclass(frozen=True, slots=True)
class Begun:
    """Drafts that models have read; nothing is written yet."""

    prepared: list[Prepared | str]
    known: dict[str, str]
    """Ids of memories that hold a text already, by its identity."""
    ready: list[Ready]
    task: dict[str, str] | None

    @property
    def comparable(self) -> int:
        """How many could be near duplicates of what is kept."""
        return sum(each.prepared.kind in COMPARED for each in self.ready)

    @property
    def last_turns(self) -> dict[str, Prepared]:
        """The last turn of each session that may be the context of what is said next."""
        turns = [each for each in self.prepared if isinstance(each, Prepared) and each.turn_order]
        turns = [each for each in turns if not each.quarantined]
        turns.sort(key=lambda each: each.turn_order or "")
        return {each.session_key: each for each in turns if each.session_key}


async def capture(
    tools: Tools,
    drafts: Sequence[Draft],
    *,
    agent: str,
    manner: Manner,
    now: datetime,
) -> list[Captured]:
    """Store drafts in one transaction; tell of each, in order, what became of it."""
    begun = await start(tools, drafts, agent=agent, manner=manner, now=now)
    return await finish(tools, begun, agent=agent, now=now)


async def start(
    tools: Tools,
    drafts: Sequence[Draft],
    *,
    agent: str,
    manner: Manner,
    now: datetime,
    earlier: Mapping[str, Prepared] = NOTHING,
) -> Begun:
    """Do all that can be done before writing: guard, gate, vectors, names.

    `earlier` has the last turns of sessions that may not be in the store yet.
    """
    await tools.fit.require()
    longest, patterns = tools.settings.max_characters, tools.patterns
    prepared = [
        prepare(draft, agent=agent, manner=manner, now=now, longest=longest, patterns=patterns)
        for draft in drafts
    ]
    first: dict[str, Prepared] = {}
    for each in prepared:
        if isinstance(each, Prepared):
            first.setdefault(each.identity, each)
    known = await _known(tools.graph, list(first), agent)
    new = [each for identity, each in first.items() if identity not in known]
    ready = await _ready(tools, new, agent, now, earlier) if new else []
    return Begun(prepared, known, ready, tools.active_task(agent))


async def finish(
    tools: Tools, begun: Begun, *, agent: str, now: datetime, near: bool = True
) -> list[Captured]:
    """Compare with what is kept, write in one transaction, and tell what became of each draft."""
    try:
        said = await _near(tools, begun.ready, agent) if near else {}
    except QueryFailed as error:  # perhaps the index is being made anew for another embedder
        await tools.fit.require_now()
        # If not: Neo4j cannot search an index with deleted entries for an agent that is new to it.
        log.warning("not compared with what is kept", extra={"error": str(error)})
        said = {}
    kept = await _store(tools, begun, said, agent, now)
    outcomes = {each.prepared.identity: _outcome(each, said, kept) for each in begun.ready}
    first = {id(each.prepared) for each in begun.ready}
    return [_told(each, begun.known, first, outcomes) for each in begun.prepared]


async def _known(graph: Graph, identities: Sequence[str], agent: str) -> dict[str, str]:
    """Return what is kept already: reading a folder again costs no models."""
    keys = [fingerprint(agent, identity) for identity in identities]
    found = await graph.read(KNOWN_TEXTS, agent=agent, keys=keys) if keys else []
    return {row["identity"]: row["id"] for row in found}


async def _ready(
    tools: Tools,
    prepared: Sequence[Prepared],
    agent: str,
    now: datetime,
    earlier: Mapping[str, Prepared],
) -> list[Ready]:
    """Ask the models: vectors alone and in context, names in between."""
    contexts = await _contexts(tools, prepared, agent, earlier)
    readings = [
        Reading(each.read, each.kind, context)
        for each, context in zip(prepared, contexts, strict=True)
    ]
    embedded, finder = await asyncio.gather(
        embed(tools.embedder, readings), tools.names.of(tools.graph, agent)
    )
    found = await asyncio.to_thread(_names, finder, prepared, [alone for alone, _ in embedded])
    return [
        Ready(
            id=rows.new_id(now),
            prepared=each,
            context=contexts[index],
            embedding=embedded[index][0],
            in_context=embedded[index][1],
            found=found[index],
        )
        for index, each in enumerate(prepared)
    ]


async def _contexts(
    tools: Tools, prepared: Sequence[Prepared], agent: str, earlier: Mapping[str, Prepared]
) -> list[str]:
    """Return what came before each: given, in this call or the one before, or in the store."""
    length = tools.settings.context_characters
    last = dict(earlier)
    contexts = {index: each.draft.context for index, each in enumerate(prepared)}
    asked: dict[int, dict[str, str]] = {}
    turns = [
        (each.session_key, each.turn_order, index)
        for index, each in enumerate(prepared)
        if each.session_key and each.turn_order
    ]
    for session, order, index in sorted(turns):
        before = last.get(session)
        if before and before.turn_order and before.turn_order <= order:
            contexts[index] = contexts[index] or tail(before.text, length)
        elif not contexts[index]:
            asked[index] = {"session_key": session, "turn_order": order}
        if not prepared[index].quarantined:
            last[session] = prepared[index]
    if asked:
        found = await tools.graph.read(BEFORE_TURNS, agent=agent, places=list(asked.values()))
        kept = {(row["session_key"], row["turn_order"]): row["text"] for row in found}
        for index, place in asked.items():
            text = kept.get((place["session_key"], place["turn_order"]), "")
            contexts[index] = tail(text, length)
    return [contexts[index] for index in range(len(prepared))]


def tail(text: str, length: int) -> str:
    """Return the end of a turn, with its speaker: the context of the next."""
    if len(text) <= length or not length:
        return text if length else ""
    speaker, colon, _ = text.partition(": ")
    lead = f"{speaker}: " if colon and len(speaker) < length // 4 else ""
    return lead + text[-length:]


def _names(
    finder: EntityFinder, prepared: Sequence[Prepared], embeddings: Sequence[Embedding]
) -> list[tuple[Found, ...]]:
    return [
        tuple(finder.find(each.text, _moved(embedding.names, each.lead)))
        for each, embedding in zip(prepared, embeddings, strict=False)
    ]


def _moved(names: Sequence[Name] | None, lead: int) -> list[Name] | None:
    """Return the embedder's names where they stand in the text itself."""
    if names is None:
        return None
    return [
        replace(name, start=name.start - lead, end=name.end - lead)
        for name in names
        if name.start >= lead
    ]


async def _near(tools: Tools, ready: Sequence[Ready], agent: str) -> dict[str, str]:
    """Return which of the new texts a memory says already, and its id.

    More than `near_batch` at once are not compared here: sleep does.
    """
    settings = tools.settings
    compared = [each for each in ready if each.prepared.kind in COMPARED]
    compared = [each for each in compared if not each.prepared.quarantined]
    if not compared or len(compared) > settings.near_batch:
        return {}
    asked = [{"id": each.id, "vector": packed(each.embedding.vector)} for each in compared]
    found = await tools.graph.read(NEAR, agent=agent, rows=asked, kinds=list(COMPARED))
    by_id = {each.id: each for each in compared}
    floor = tools.embedder.floor
    near: dict[str, str] = {}
    for row in sorted(found, key=lambda row: -row["score"]):
        alike = similarity(2 * row["score"] - 1, floor)
        each = by_id[row["id"]]
        if row["identity"] == each.prepared.identity:
            continue  # the very same: storing it again refreshes it
        enough = alike >= settings.near_duplicate and row["id"] not in near
        if enough and say_the_same(each.prepared.text, row["text"]):
            near[row["id"]] = row["near"]
    return near


def storing(
    tools: Tools,
    ready: Sequence[Ready],
    agent: str,
    now: datetime,
    task: dict[str, str] | None = None,
) -> tuple[queries.Query, dict[str, Any]]:
    """Return the query that stores memories, and what it takes; for one transaction with others."""
    space = {"model": tools.embedder.model, "dimensions": tools.embedder.dimensions}
    return STORE, rows.parameters(ready, agent, now, task) | space


async def _store(
    tools: Tools, begun: Begun, near: dict[str, str], agent: str, now: datetime
) -> dict[str, str]:
    """Write what is new; return which memory holds each text now."""
    graph = tools.graph
    new = [each for each in begun.ready if each.id not in near]
    query, sent = storing(tools, new, agent, now, task=begun.task)
    stored = await graph.write(query, **sent) if new else []
    if new and not stored:
        await tools.fit.require_now()
        raise EmbedderMismatch("the store was re-embedded meanwhile", hint="run it again")
    again = {*near.values(), *(begun.known[name] for name in begun.known if _repeats(name))}
    if again:
        await graph.write(REFRESH, agent=agent, ids=sorted(again), now=now)
    links = [{"from": each.id, "to": to} for each in new for to in each.prepared.draft.links]
    if links:
        await graph.write(LINK, agent=agent, links=links)
    return {row["id"]: row["kept"] for row in stored} | near


def _outcome(ready: Ready, near: dict[str, str], kept: dict[str, str]) -> Captured:
    prepared = ready.prepared
    outcome: Outcome = "quarantined" if prepared.quarantined else "stored"
    if ready.id in near:
        outcome = "near duplicate"
    elif kept[ready.id] != ready.id:
        outcome = "duplicate"
    return Captured(
        outcome=outcome,
        id=kept[ready.id],
        reason=prepared.reason,
        masked=prepared.masked,
        cut=ready.embedding.cut,
        entities=tuple(name for name, *_ in ready.names.values()),
    )


def _repeats(identity: str) -> bool:
    """Tell a text said again from a turn or chunk that is only read again."""
    return identity.startswith("text:")


def _told(
    prepared: Prepared | str,
    known: dict[str, str],
    first: set[int],
    outcomes: dict[str, Captured],
) -> Captured:
    if isinstance(prepared, str):
        return Captured(outcome="dropped", reason=prepared)
    if prepared.identity in known:
        return Captured(outcome="duplicate", id=known[prepared.identity])
    outcome = outcomes[prepared.identity]
    return outcome if id(prepared) in first else replace(outcome, outcome="duplicate")
