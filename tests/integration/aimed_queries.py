"""For every query file, parameters that aim at what belongs to another agent.

A new query file needs a line in AIMED: whatever ids, keys, names and paths it takes, theirs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from neomem import keeping
from neomem.capture import COMPARED, Tools, capture
from neomem.model import FOREVER, Draft
from neomem.ports import Passage
from neomem.text import entity_key, fingerprint, lane, session_key, task_key
from tests.integration.aimed_sleep import AIMED_SLEEP, SLEPT, slept
from tests.support import cypher

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
EPOCH = datetime(1, 1, 1, tzinfo=UTC)
KINDS = [*COMPARED, "turn", "chunk", "summary"]

MORE = cypher(
    "MATCH (a:Memory {id: $first}), (b:Memory {id: $second}), (x:Entity {key: $entity})"
    " CREATE (t:Task {key: $task, agent: $agent, id: 'TASK-7', title: $word, status: 'done'})"
    " CREATE (y:Entity {key: $other, agent: $agent, name: $word + 'dorf', lane: $lane,"
    " aliases: [], type: 'place'})"
    " CREATE (z:Entity {key: $merged, agent: $agent, name: $word + 'stad', lane: $lane,"
    " aliases: [], type: 'place'})"
    " CREATE (:Folder {key: $folder, agent: $agent, path: $path, pinned_at: $now})"
    " CREATE (:Folder {key: $folder + '/', agent: $agent, path: $path + '/', registered_at: $now})"
    " CREATE (a)-[:FOR_TASK]->(t), (a)-[:SIMILAR {score: 0.9}]->(b), (a)-[:SUMMARISES]->(b),"
    " (x)-[:RELATES {type: 'near', confidence: 1.0}]->(y), (z)-[:MERGED_INTO]->(x)"
    " SET a.task_id = 'TASK-7'"
)

REPLACED = cypher(
    "MATCH (a:Memory {id: $first}), (b:Memory {id: $second})"
    " CREATE (b)-[:SUPERSEDES {reason: $word}]->(a)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theirs:
    """What belongs to an agent, by everything it can be named by."""

    agent: str
    word: str
    """Stands in every text, name and path of theirs."""
    fact: str
    turn: str
    chunk: str
    pinned: str
    forgotten: str
    ids: tuple[str, ...]
    path: str
    vector: list[float]
    embedder: Mapping[str, Any]

    @property
    def session(self) -> str:
        return session_key(self.agent, f"{self.word}-session")

    @property
    def entity(self) -> str:
        return entity_key(self.agent, f"{self.word}ville")

    @property
    def other(self) -> str:
        return entity_key(self.agent, f"{self.word}dorf")

    @property
    def task(self) -> str:
        return task_key(self.agent, "TASK-7")

    @property
    def folder(self) -> str:
        return fingerprint(self.agent, self.path)

    @property
    def dedupe_key(self) -> str:
        return fingerprint(self.agent, f"text:{fingerprint(fact(self.word).casefold())}")

    @property
    def keys(self) -> dict[str, str]:
        """The range their keys are in."""
        prefix = entity_key(self.agent, "").removesuffix(":")
        return {"after": prefix, "until": prefix + ";"}


def fact(word: str) -> str:
    return f"The {word} key hangs behind the green door."


async def filled(tools: Tools, agent: str, word: str) -> Theirs:
    """Give an agent one of everything."""
    path = f"/{word}/notes.md"
    ville = f"{word}ville"
    place = {"session": f"{word}-session", "said_at": NOW}
    drafts = [
        Draft(text=fact(word), about=(ville,), external_id=f"{word}-x"),
        Draft(text=f"{word} one.", speaker=ville, position=1, **place),
        Draft(text=f"{word} two.", speaker=ville, position=2, **place),
        Draft(text=f"{word} chunk.", kind="chunk", path=path, line_from=1, context=word),
        Draft(text=f"Always mind the {word} gap.", title=ville),
        Draft(text=f"An old {word} nobody asks for."),
    ]
    done = await capture(tools, drafts, agent=agent, manner="ingest", now=NOW)
    ids = [each.id or "" for each in done]
    graph = tools.graph
    await keeping.pin(graph, agent, ids[4], budget=2000)
    await keeping.forget(graph, agent, [ids[5]], now=NOW)
    (embedding,) = await tools.embedder.embed_passages([Passage(fact(word))])
    theirs = Theirs(
        agent=agent,
        word=word,
        fact=ids[0],
        turn=ids[1],
        chunk=ids[3],
        pinned=ids[4],
        forgotten=ids[5],
        ids=tuple(ids),
        path=path,
        vector=embedding.vector.tolist(),
        embedder={"model": tools.embedder.model, "dimensions": tools.embedder.dimensions},
    )
    await graph.write(
        MORE,
        agent=agent,
        word=word,
        first=ids[1],
        second=ids[2],
        entity=theirs.entity,
        other=theirs.other,
        merged=entity_key(agent, f"{word}stad"),
        task=theirs.task,
        folder=theirs.folder,
        path=path,
        lane=lane(agent),
        now=NOW,
    )
    await graph.write(SLEPT, **slept(theirs))
    await graph.write(REPLACED, word=word, first=ids[1], second=ids[2])
    return theirs


def _stored(a: Theirs) -> dict[str, Any]:
    """A capture that claims their keys, session, task, entity and memory."""
    new = str(uuid4())
    turn = {"session_key": a.session, "turn_order": "0:1", "text": "Mine.", "kind": "turn"}
    row = {"session_key": None, "embedding": a.vector, "task": None}
    task = {"key": a.task, "id": "TASK-7", "title": "Mine", "status": "done"}
    return {
        "now": NOW,
        "sessions": [{"key": a.session, "id": "mine", "from": EPOCH, "until": FOREVER}],
        "rows": [
            {
                **row,
                "id": str(uuid4()),
                "dedupe_key": a.dedupe_key,
                "turn": False,
                "properties": {},
            },
            {
                **row,
                "id": new,
                "dedupe_key": new,
                "turn": True,
                "session_key": a.session,
                "properties": turn,
                "task": task,
            },
        ],
        "entities": [{"key": a.entity, "name": "mine", "type": "other", "lane": "l1"}],
        "links": [
            {"memory": memory, "key": a.other, "confidence": 1.0, "about": True}
            for memory in (a.fact, new)
        ],
        **a.embedder,
    }


def _nodes(a: Theirs, key: str) -> dict[str, Any]:
    new = f"{key}-{uuid4()}"
    return {"rows": [{"key": each, "properties": {"name": "mine"}} for each in (key, new)]}


def _edges(from_: str, to: str, **more: str) -> dict[str, Any]:
    return {"rows": [{"from": from_, "to": to, "properties": {}, "nth": 9}], **more}


def _when(**more: Any) -> dict[str, Any]:
    return {"kinds": KINDS, "since": EPOCH, "until": FOREVER, "as_of": NOW, **more}


Aim = Callable[[Theirs], dict[str, Any]]

AIMED: dict[str, Aim] = {
    "browser/conflicts": lambda _: {},
    "browser/duplicates": lambda _: {},
    "browser/entity": lambda a: {"name": f"{a.word}ville"},
    "browser/memory": lambda a: {"id": a.turn},
    "browser/recall": lambda a: {"ids": a.ids, "names": [f"{a.word}ville"]},
    "browser/recent": lambda _: {},
    "browser/sleep": lambda _: {},
    "capture/before_turns": lambda a: {"places": [{"session_key": a.session, "turn_order": "9"}]},
    "capture/file_chunks": lambda a: {"path": a.path},
    "capture/file_paths": lambda a: {"root": f"/{a.word}"},
    "capture/file_texts": lambda a: {"paths": [a.path]},
    "capture/folders": lambda _: {},
    "capture/forget_pinned_file": lambda a: {"key": a.folder},
    "capture/known_names": lambda _: {"limit": 1000},
    "capture/known_texts": lambda a: {"keys": [a.dedupe_key]},
    "capture/link": lambda a: {
        "links": [{"from": a.fact, "to": a.turn}, {"from": a.turn, "to": f"{a.word}-x"}]
    },
    "capture/link_files": lambda a: {
        "links": [{"memory": a.fact, "path": a.path, "chunk": a.chunk}]
    },
    "capture/link_later": lambda a: {"links": [{"number": 1, "key": a.dedupe_key, "to": a.turn}]},
    "capture/near": lambda a: {
        "rows": [{"id": "x", "vector": a.vector}],
        "kinds": list(COMPARED),
    },
    "capture/pin_file": lambda a: {
        "key": a.folder + "/",
        "path": "/mine",
        "seen": [a.pinned, a.path],
        "now": NOW,
    },
    "capture/refresh": lambda a: {"ids": a.ids, "now": NOW},
    "capture/register_folder": lambda a: {"key": a.folder, "path": "/mine", "now": NOW},
    "capture/retire_chunks": lambda a: {"ids": [a.chunk], "lane": "x1", "now": NOW},
    "capture/store": _stored,
    "keeping/find": lambda a: {"given": [*a.ids, a.fact[:8]]},
    "keeping/forget": lambda a: {"ids": [a.fact], "lane": "x1", "now": NOW},
    "keeping/forget_agent": lambda _: {},
    "keeping/forget_purge": lambda a: {"ids": [a.fact]},
    "keeping/forget_task": lambda _: {"task": "TASK-7"},
    "keeping/list": lambda a: {
        **dict.fromkeys(("kind", "task", "since", "until")),
        "session_key": a.session,
        "state": "all",
        "before": max(a.ids),  # all of one moment: the last page begins behind the largest
        "limit": 100,
    },
    "keeping/pin": lambda a: {"id": a.fact, "pinned": True, "seen": [a.pinned]},
    "keeping/pinned": lambda _: {},
    "keeping/restore": lambda a: {"ids": [a.forgotten], "live_lane": "l1"},
    "keeping/stats": lambda _: {},
    "keeping/supersede": lambda a: {"old": a.fact, "new": a.turn, "reason": None, "now": NOW},
    "recall/by_vector": lambda a: _when(vector=a.vector, limit=10),
    "recall/by_vector_exact": lambda a: _when(vector=a.vector, limit=10, session=None),
    "recall/by_words": lambda a: _when(
        index="memory_words", query=f"{a.word} AND {lane(a.agent)}", width=9, limit=9, session=None
    ),
    "recall/candidates": lambda a: _when(ids=a.ids, lenders=a.ids, session=a.session),
    "recall/nearest": lambda a: _when(
        vector=a.vector, limit=10, lenders=10, known=[], session=None
    ),
    "recall/onward": lambda a: _when(
        ids=a.ids, entities=[a.entity], relations=9, passed=[], hub=100, limit=10, session=None
    ),
    "recall/pinned": lambda _: {},
    "recall/record": lambda a: {"rows": [{"id": a.fact, "times": 1, "at": NOW}]},
    "recall/seeds": lambda a: _when(
        keys=[a.entity, a.other],
        names=[{"keys": [], "query": f"{a.word}ville"}],
        hub=100,
        limit=10,
        session=None,
    ),
    "store/export_counts": lambda a: {"prefix": a.keys["after"] + ":"},
    "store/export_entities": lambda a: {**a.keys, "limit": 100},
    "store/export_entity_edges": lambda a: {**a.keys, "type": "RELATES"},
    "store/export_memories": lambda _: {"after": "", "embeddings": True, "limit": 100},
    "store/export_memory_edges": lambda _: {"after": "", "until": "g", "type": "NEXT"},
    "store/export_sessions": lambda a: {**a.keys, "limit": 100},
    "store/export_tasks": lambda a: {**a.keys, "limit": 100},
    "store/import_entities": lambda a: _nodes(a, a.entity),
    "store/import_memories": lambda a: {
        "rows": [
            {
                "id": a.fact,
                "properties": {"text": "mine"},
                "embedding": a.vector[::-1],
                "halves": b"",
            }
        ],
        **a.embedder,
    },
    "store/import_memory_links": lambda a: _edges(a.fact, a.turn, type="LINKS"),
    "store/import_mentions": lambda a: _edges(a.chunk, a.other, type="MENTIONS"),
    "store/import_relations": lambda a: _edges(a.entity, a.other, type="RELATES"),
    "store/import_sessions": lambda a: _nodes(a, a.session),
    "store/import_taken": lambda a: {"rows": [{"id": a.fact, "dedupe_key": a.dedupe_key}]},
    "store/import_task_tags": lambda a: _edges(a.fact, a.task),
    "store/import_tasks": lambda a: _nodes(a, a.task),
    "store/import_turns": lambda a: _edges(a.fact, a.session),
    **AIMED_SLEEP,
}

LATER: frozenset[str] = frozenset()
"""Query files that have no line in AIMED yet. It only ever shrinks."""

TELLING = {
    "store/import_taken": "an id of another agent's is said to be taken, and nothing else of it",
    "recall/by_words": "how many the search saw is counted before the agent is looked at",
}
"""Reads that answer differently because of what another agent has, and how."""


def aimed(a: Theirs, name: str, as_: str, parameters: frozenset[str]) -> dict[str, Any]:
    """Parameters of a query that aim at theirs, asked by an agent."""
    asker = {"agents": [as_], "agent": as_}
    return AIMED[name](a) | {name: who for name, who in asker.items() if name in parameters}
