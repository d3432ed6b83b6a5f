"""The queries of the night, aimed at what belongs to another agent: see `aimed_queries`."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from neomem.text import entity_key, lane
from tests.support import cypher

if TYPE_CHECKING:
    from tests.integration.aimed_queries import Theirs

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=4000)
KINDS = ["fact", "preference", "decision", "event", "lesson", "other", "turn", "chunk", "summary"]

SLEPT = cypher(
    "MATCH (chunk:Memory {id: $chunk}), (pinned:Memory {id: $pinned}), (x:Entity {key: $entity}),"
    " (y:Entity {key: $other})"
    " SET chunk.expires_at = $now, chunk.importance = 0.01"
    " CREATE (:Entity {key: $orphan, agent: $agent, name: $word, aliases: [], type: 'other'})"
    " CREATE (:SleepLease {agent: $agent, token: $word, milliseconds: 600000, holder: $word,"
    " taken_at: datetime.realtime(),"
    " expires_at: datetime.realtime() + duration({milliseconds: 600000})})"
    " CREATE (:SleepRun {id: $word, agent: $agent, phases: ['guard'], done: [], reports: [],"
    " changes: 1, status: 'stopped', started_at: datetime('2020-01-01')})"
    " CREATE (c:SleepChange {id: $word + '-change', agent: $agent, run: $word, number: 1,"
    " phase: 'guard', action: 'quarantine', about: $fact, why: $word, evidence: '{}',"
    " fingerprint: $word, memory_starts: [], entity_starts: [], at: $now})"
    " CREATE (c)-[:BEFORE]->(:SleepImage {agent: $agent, label: 'Memory', key: $fact,"
    " keys: ['title'], counters: [], before_title: $word, after_title: 'other'})"
    " CREATE (:SleepChange {id: $word + '-undone', agent: $agent, run: $word + '-old', number: 1,"
    " fingerprint: $word, undone_at: $now})"
    " CREATE (x)-[:RELATES {id: $word, type: 'LIVES_IN', valid_from: $now, confidence: 1.0}]->(y),"
    " (x)-[:RELATES {id: $word + '2', type: 'LIVES_IN', valid_from: $later}]->(y)"
)


def slept(a: "Theirs") -> dict[str, Any]:
    """Parameters of what a night has left behind."""
    return {
        "agent": a.agent,
        "word": a.word,
        "fact": a.fact,
        "chunk": a.chunk,
        "pinned": a.pinned,
        "entity": a.entity,
        "other": a.other,
        "orphan": entity_key(a.agent, f"{a.word}orphan"),
        "now": NOW,
        "later": LATER,
    }


def _change(a: "Theirs") -> dict[str, Any]:
    """A change that would quarantine, join and delete what is theirs, with their token."""
    empty = dict.fromkeys(
        (
            *("expects", "unmerged", "memories", "entities", "closes", "made", "memories_made"),
            *("memory_edges", "mentions", "entity_edges", "deletes"),
        ),
        (),
    )
    return empty | {
        "id": "mine",
        "record": {"number": 2, "memory_starts": [a.turn], "entity_starts": []},
        "memories": [{"key": a.fact, "set": {"live": False}, "add": {"version": 1}}],
        "entities": [{"key": a.other, "set": {"name": "mine"}, "add": {}}],
        "mentions": [{"type": "MENTIONS", "start": a.turn, "end": a.other, "properties": {}}],
        "deletes": [{"label": "Memory", "key": a.chunk}],
    }


def _page(**more: Any) -> dict[str, Any]:
    return {"after": "", "limit": 1000, **more}


AIMED_SLEEP: dict[str, Callable[["Theirs"], dict[str, Any]]] = {
    "sleep/apply": lambda a: {"run": a.word, "token": a.word, "changes": [_change(a)]},
    "sleep/ended_sessions": lambda _: _page(before=LATER, least=1),
    "sleep/entity": lambda a: {"key": a.entity},
    "sleep/entity_evidence": lambda a: {"pairs": [[a.entity, a.other]]},
    "sleep/entity_joined": lambda a: {"key": a.entity},
    "sleep/entity_list": lambda _: {"beginning": "", "limit": 100},
    "sleep/entity_names": lambda _: _page(),
    "sleep/entity_split": lambda a: {"key": entity_key(a.agent, f"{a.word}stad")},
    "sleep/fading": lambda _: _page(now=LATER, young=LATER),
    "sleep/forget_journal": lambda _: {"days": 90, "limit": 10},
    "sleep/history": lambda _: {"limit": 10},
    "sleep/known_entities": lambda a: {"keys": [a.entity]},
    "sleep/lease_leave": lambda a: {"token": a.word},
    "sleep/lease_renew": lambda a: {"token": a.word, "milliseconds": 5},
    "sleep/lease_take": lambda _: {"token": "mine", "holder": "me", "milliseconds": 9_000},
    "sleep/long_archived": lambda _: _page(before=LATER),
    "sleep/mark": lambda a: {
        "mark": "sleep_guard",
        "value": "mine",
        "ids": a.ids,
        "keys": [a.entity],
    },
    "sleep/near": lambda a: {"ids": a.ids, "kinds": KINDS, "limit": 10},
    "sleep/of_task": lambda a: {
        "query": f"{a.word} AND {lane(a.agent)}",
        "task": "TASK-7",
        "limit": 10,
    },
    "sleep/open_relations": lambda _: _page(types=["LIVES_IN"]),
    "sleep/orphans": lambda _: _page(),
    "sleep/run_begin": lambda a: {"id": a.word, "phases": ["guard"]},
    "sleep/run_end": lambda a: {
        "run": a.word,
        "token": a.word,
        "status": "finished",
        "reason": None,
    },
    "sleep/run_phase": lambda a: {"run": a.word, "token": a.word, "phase": "guard", "report": "{}"},
    "sleep/said_near": lambda a: {"ids": a.ids, "kinds": KINDS, "limit": 10},
    "sleep/show": lambda a: {"run": a.word},
    "sleep/turns": lambda a: {"session": a.session},
    "sleep/uncompared": lambda _: _page(mark="sleep_links", kinds=KINDS),
    "sleep/undo": lambda a: {"ids": [f"{a.word}-change"], "moving": ["seen"]},
    "sleep/undo_conflicts": lambda a: {"ids": [f"{a.word}-change"]},
    "sleep/undo_done": lambda a: {"run": a.word, "token": a.word},
    "sleep/undo_hold": lambda a: {"ids": [f"{a.word}-change"], "token": a.word},
    "sleep/undo_order": lambda a: {"run": a.word},
    "sleep/undone": lambda _: {},
    "sleep/unguarded": lambda _: _page(mark="none"),
    "sleep/unread": lambda _: _page(),
    "sleep/unsettled": lambda _: _page(kinds=KINDS),
    "sleep/whole": lambda a: {"ids": a.ids},
}
