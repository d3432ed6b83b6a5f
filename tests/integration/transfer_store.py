"""A small store with everything in it that an export can meet."""

from datetime import UTC, datetime
from typing import Any

import numpy as np

from neomem.ports import halves
from neomem.store.graph import Graph
from neomem.text import entity_key, fingerprint, lane, session_key
from tests.support import cypher

MEMORY = cypher(
    "CREATE (m:Memory) SET m = $properties, m.agent = $agent"
    " WITH m CALL db.create.setNodeVectorProperty(m, 'embedding', $vector)"
)
NODES = cypher(
    "CREATE (s:Session {key: $session, agent: $agent, id: 's-1', started_at: $now, ended_at: $now})"
    " CREATE (t:Task {key: $task, agent: $agent, id: 'TASK-1', title: 'Move', status: 'done'})"
    " FOREACH (e IN $entities | CREATE (n:Entity) SET n = e, n.agent = $agent)"
)
EDGES = cypher(
    "MATCH (a:Memory {agent: $agent, id: $a}), (b:Memory {agent: $agent, id: $b}),"
    " (s:Session {agent: $agent}), (t:Task {agent: $agent}),"
    " (ada:Entity {key: $ada}), (old:Entity {key: $old})"
    " CREATE (a)-[:MENTIONS {confidence: 0.75}]->(ada), (b)-[:MENTIONS {confidence: 1.0}]->(ada),"
    " (a)-[:ABOUT {confidence: 0.5}]->(ada), (a)-[:IN_SESSION]->(s), (b)-[:IN_SESSION]->(s),"
    " (a)-[:NEXT]->(b), (a)-[:LINKS]->(b), (b)-[:SUPERSEDES {reason: 'newer 😀'}]->(a),"
    " (b)-[:SUMMARISES]->(a), (b)-[:AMENDS {confidence: 0.75}]->(a),"
    " (a)-[:SIMILAR {score: 0.8125}]->(b), (a)-[:FOR_TASK]->(t),"
    " (old)-[:MERGED_INTO]->(ada),"
    " (ada)-[:RELATES {type: 'lives in', confidence: 0.5, valid_from: $now}]->(old),"
    " (ada)-[:RELATES {type: 'lives in', confidence: 0.5}]->(old),"
    " (ada)-[:RELATES {type: 'lives in', confidence: 0.5}]->(old),"
    " (ada)-[:RELATES {type: 'works at', qualifier: 'since May'}]->(old)"
)
REMOVE = cypher("MATCH (n {agent: $agent}) DETACH DELETE n")
NOW = datetime(2026, 5, 1, 12, 30, 15, 123456, tzinfo=UTC)
FOREVER = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
DIMENSIONS = 384


def a_memory(id_: str, agent: str, text: str, **more: object) -> dict[str, Any]:
    """The properties of a memory as capture stores them."""
    live = not more.get("quarantined") and "archived_at" not in more
    identity = f"text:{fingerprint(text)}"
    return {
        "id": id_,
        "text": text,
        "kind": "fact",
        "scope": "user",
        "importance": 0.7,
        "authority": 1.0,
        "created_at": NOW,
        "event_at": NOW,
        "valid_from": datetime(1, 1, 1, tzinfo=UTC),
        "valid_until": FOREVER,
        "live": live,
        "lane": lane(agent, live=live),
        "version": 1,
        "context": "",
        "retrievals": 3,
        "last_retrieved_at": NOW,
        "sleep_looked_at": NOW,
        "identity": identity,
        ("dedupe_key_kept" if "archived_at" in more else "dedupe_key"): fingerprint(
            agent, identity
        ),
        **more,
    }


async def remember(graph: Graph, agent: str, properties: dict[str, Any], seed: int) -> None:
    """Store a memory with two made-up vectors."""
    numbers = np.random.default_rng(seed).normal(size=(2, DIMENSIONS)).astype(np.float32)
    properties = {**properties, "halves": halves(*numbers)}
    await graph.write(MEMORY, agent=agent, properties=properties, vector=numbers[0].tolist())


async def fill(graph: Graph, agent: str, mark: str) -> list[str]:
    """Give an agent one of everything; ids begin with the mark."""
    ids = [f"{mark}-{number}" for number in range(6)]
    session = session_key(agent, "s-1")
    turn = {"kind": "turn", "session_key": session, "turn_order": "01:02", "external_id": "x"}
    memories = [
        a_memory(
            ids[0], agent, "Ada lives in Lisbon\u2028\u0085 \0 \x1f \\ \" 'quoted' \n", **turn
        ),
        a_memory(
            ids[1], agent, "😀 Ада живёт в 里斯本 \uffff \U0010ffff é é", **turn, aliases=["a", "ü"]
        ),
        a_memory(ids[2], agent, "Archived long ago", archived_at=NOW, seen=2**62),
        a_memory(ids[3], agent, "Quarantined", quarantined=True, trust=0.0),
        a_memory(ids[4], agent, "Pinned", pinned=True, importance=0.1 + 0.2),
        a_memory(ids[5], agent, "Times", reminders=[NOW, FOREVER], empty=[]),
    ]
    for seed, properties in enumerate(memories):
        await remember(graph, agent, properties, seed)
    names = [
        "Ada",
        "Ada Old",
        "😀 Smile",
        "\uffff End",
        "里斯本",
        "'; MATCH (n) DETACH DELETE n //",
    ]
    entities = [
        {"key": entity_key(agent, name), "name": name, "lane": lane(agent), "aliases": []}
        for name in names
    ]
    task = session_key(agent, "TASK-1")
    await graph.write(NODES, agent=agent, session=session, task=task, entities=entities, now=NOW)
    ada, old = entities[0]["key"], entities[1]["key"]
    await graph.write(EDGES, agent=agent, a=ids[0], b=ids[1], ada=ada, old=old, now=NOW)
    return ids
