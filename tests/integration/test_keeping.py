"""Memories by hand, on the real server: every change whole, once, and of one agent alone."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest

from neomem import keeping
from neomem.errors import InputError, NotFound
from neomem.model import FOREVER
from neomem.store.graph import Graph
from neomem.text import fingerprint, lane, session_key
from tests.support import cypher

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)

CREATE = cypher(
    "CREATE (m:Memory) SET m = $properties, m.agent = $agent"
    " WITH m WHERE $session IS NOT NULL"
    " MERGE (s:Session {key: m.session_key}) SET s.agent = $agent, s.id = $session"
    " CREATE (m)-[:IN_SESSION]->(s)"
)
RAW = cypher("MATCH (m:Memory {id: $id}) RETURN properties(m) AS raw")
JOURNAL = cypher(
    "MATCH (c:SleepChange {agent: $agent}) RETURN c.memory_id AS id, c.action AS action,"
    " c.phase AS phase, c.at AS at, c.before AS before ORDER BY c.at, c.action"
)
REPLACED = cypher(
    "MATCH (n:Memory {agent: $agent})-[r:SUPERSEDES]->(o)"
    " RETURN n.id AS new, o.id AS old, r.reason AS reason, r.at AS at"
)
JOIN = cypher(
    "UNWIND $pairs AS pair MATCH (a:Memory {id: pair[0]}), (b:Memory {id: pair[1]})"
    " CREATE (a)-[:NEXT]->(b)"
)
NEXT = cypher("MATCH (a:Memory {agent: $agent})-[:NEXT]->(b) RETURN a.text AS a, b.text AS b")


async def a_memory(
    graph: Graph, agent: str, text: str = "Ada lives in Lisbon.", **properties: Any
) -> str:
    """A memory as capture would have stored it; returns its id."""
    session = properties.pop("session", None)
    archived = properties.get("archived_at")
    live = not archived and not properties.get("quarantined", False)
    key = fingerprint(agent, text, *([str(uuid4())] if session else []))
    kept: dict[str, Any] = {
        "id": str(uuid4()),
        "text": text,
        "kind": "fact",
        "scope": "user",
        "importance": 0.5,
        "authority": 0.5,
        "created_at": NOW,
        "event_at": NOW,
        "valid_from": NOW,
        "valid_until": FOREVER,
        "live": live,
        "lane": lane(agent, live=live),
        "version": 1,
        "pinned": False,
        "quarantined": False,
        "dedupe_key_kept" if archived else "dedupe_key": key,
        "session_key": session and session_key(agent, session),
        "embedding": [0.1] * 384,
        **properties,
    }
    await graph.write(CREATE, agent=agent, properties=kept, session=session)
    return kept["id"]


async def raw(graph: Graph, memory: str) -> dict[str, Any]:
    """All properties of a memory, as they are stored; consistent in any case."""
    stored = (await graph.read(RAW, id=memory))[0]["raw"]
    assert stored["live"] == ("archived_at" not in stored and not stored["quarantined"])
    assert stored["lane"] == lane(stored["agent"], live=stored["live"])
    assert ("dedupe_key" in stored) == ("archived_at" not in stored)
    assert ("dedupe_key_kept" in stored) == ("archived_at" in stored)
    return stored


async def journal(graph: Graph, agent: str) -> list[tuple[str, str]]:
    return [(row["action"], row["id"]) for row in await graph.read(JOURNAL, agent=agent)]


@pytest.fixture
async def other(graph: Graph):
    """A second agent of the same store."""
    name = f"test-{uuid4()}"
    yield name
    await graph.write(cypher("MATCH (n {agent: $agent}) DETACH DELETE n"), agent=name)


# ---- looking -------------------------------------------------------------------------------------


async def test_a_memory_is_found_by_its_id_with_its_session(graph, agent):
    memory = await a_memory(graph, agent, title="Where", session="s-1", task_id="TASK-7")

    found = await keeping.get(graph, agent, memory)

    assert (found.id, found.agent, found.text) == (memory, agent, "Ada lives in Lisbon.")
    assert (found.session, found.title, found.task_id) == ("s-1", "Where", "TASK-7")
    assert found.created_at == NOW
    assert found.valid_until == FOREVER


async def test_the_beginning_of_an_id_will_do_when_only_one_has_it(graph, agent):
    start = str(uuid4())[:24]
    one = await a_memory(graph, agent, "one", id=f"{start}00000000000a")
    two = await a_memory(graph, agent, "two", id=f"{start}00000000000b")
    whole = await a_memory(graph, agent, "three", id=f"{start}0000")

    assert (await keeping.get(graph, agent, one[:-1] + "a")).text == "one"
    assert (await keeping.get(graph, agent, f" {two} ")).text == "two"
    assert (await keeping.get(graph, agent, whole)).text == "three"
    with pytest.raises(InputError, match=f"^3 ids begin with {start}$"):
        await keeping.get(graph, agent, start)


@pytest.mark.parametrize("given", ["", "1234567", "   \t     ", "%"])
async def test_too_little_of_an_id_is_refused(graph, agent, given):
    await a_memory(graph, agent)

    with pytest.raises(InputError, match="too short"):
        await keeping.get(graph, agent, given)


@pytest.mark.parametrize("given", ["no-such-memory", "\udcff" * 8, "'}) RETURN 1 //", "x" * 9999])
async def test_what_is_not_there_is_said_to_be_missing(graph, agent, given):
    with pytest.raises(NotFound) as caught:
        await keeping.get(graph, agent, given)

    assert len(str(caught.value)) < 200


async def test_archived_and_quarantined_memories_can_be_looked_at(graph, agent):
    gone = await a_memory(graph, agent, "gone", archived_at=NOW)
    bad = await a_memory(graph, agent, "bad", quarantined=True)

    assert (await keeping.get(graph, agent, gone)).archived_at == NOW
    assert (await keeping.get(graph, agent, bad)).quarantined is True


async def test_pages_show_every_memory_once_newest_first(graph, agent):
    moments = [NOW + DAY * (number // 4) for number in range(14)]  # four at the same moment
    ids = [await a_memory(graph, agent, f"no. {n}", created_at=at) for n, at in enumerate(moments)]

    pages, last = [], None
    while page := await keeping.list_memories(graph, agent, limit=3, before=last):
        pages.append(page)
        last = page[-1].id

    shown = [(memory.created_at, memory.id) for page in pages for memory in page]
    assert shown == sorted(zip(moments, ids, strict=True), reverse=True)
    assert [len(page) for page in pages] == [3, 3, 3, 3, 2]


async def test_moments_finer_than_python_knows_do_not_hide_a_memory(graph, agent):
    for nanosecond in range(5):
        memory = await a_memory(graph, agent, f"no. {nanosecond}")
        finer = "MATCH (m:Memory {id: $id}) SET m.created_at = datetime($at)"
        at = f"2026-05-01T12:00:00.00000000{nanosecond}Z"
        await graph.write(cypher(finer), id=memory, at=at)

    first = await keeping.list_memories(graph, agent, limit=2)
    rest = await keeping.list_memories(graph, agent, before=first[-1].id)

    assert [memory.text[-1] for memory in (*first, *rest)] == ["4", "3", "2", "1", "0"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, "abeh"),
        ({"state": "archived"}, "cg"),
        ({"state": "quarantined"}, "f"),
        ({"state": "pinned"}, "e"),
        ({"state": "all"}, "abcefgh"),
        ({"kind": "decision"}, "b"),
        ({"kind": "decision", "state": "all"}, "bc"),
        ({"task": "task-7"}, "a"),
        ({"session": "s-1"}, "h"),
        ({"session": "s-2"}, ""),
        ({"since": NOW + DAY}, "abh"),
        ({"until": NOW + DAY}, "e"),
        ({"since": NOW, "until": NOW + 2 * DAY}, "aeh"),
    ],
)
async def test_a_list_can_be_narrowed(graph, agent, wanted, expected):
    await a_memory(graph, agent, "a", task_id="TASK-7", created_at=NOW + DAY)
    await a_memory(graph, agent, "b", kind="decision", created_at=NOW + 2 * DAY)
    await a_memory(graph, agent, "c", kind="decision", archived_at=NOW)
    await a_memory(graph, agent, "h", session="s-1", created_at=NOW + DAY)
    await a_memory(graph, agent, "e", pinned=True)
    await a_memory(graph, agent, "f", quarantined=True)
    await a_memory(graph, agent, "g", quarantined=True, archived_at=NOW)

    found = await keeping.list_memories(graph, agent, **wanted)

    assert "".join(sorted(memory.text for memory in found)) == expected


async def test_a_time_without_a_zone_is_a_mistake(graph, agent):
    with pytest.raises(ValueError, match="zone"):
        await keeping.list_memories(graph, agent, since=NOW.replace(tzinfo=None))


async def test_figures_count_what_is_live_and_what_is_not(graph, agent):
    await a_memory(graph, agent, "a", session="s-1")
    await a_memory(graph, agent, "b", kind="decision", pinned=True, created_at=NOW + DAY)
    await a_memory(graph, agent, "c", archived_at=NOW, created_at=NOW + 2 * DAY)
    await a_memory(graph, agent, "d", quarantined=True)
    await graph.write(
        cypher(
            "CREATE (a:Entity {agent: $agent, key: randomUUID()}),"
            " (b:Entity {agent: $agent, key: randomUUID()})-[:MERGED_INTO]->(a),"
            " (:Task {agent: $agent, key: randomUUID()})"
        ),
        agent=agent,
    )

    figures = await keeping.stats(graph, agent)

    assert figures == keeping.Stats(
        agent=agent,
        memories=2,
        archived=1,
        quarantined=1,
        pinned=1,
        entities=1,
        sessions=1,
        tasks=1,
        kinds={"decision": 1, "fact": 1},
        oldest=NOW,
        newest=NOW + DAY,
    )


async def test_an_agent_without_memories_has_figures_too(graph, agent):
    figures = await keeping.stats(graph, agent)

    assert (figures.memories, figures.kinds, figures.oldest) == (0, {}, None)


# ---- forgetting ----------------------------------------------------------------------------------


async def test_what_is_forgotten_is_archived_once_and_leaves_a_trace(graph, agent):
    memory = await a_memory(graph, agent)
    key = (await raw(graph, memory))["dedupe_key"]

    first = await keeping.forget(graph, agent, [memory[:20], memory], now=NOW + DAY)
    second = await keeping.forget(graph, agent, [memory], now=NOW + 2 * DAY)

    stored = await raw(graph, memory)
    assert [(m.id, m.live, m.archived_at, m.version) for m in first] == [
        (memory, False, NOW + DAY, 2)
    ]
    assert second == ()
    assert (stored["archived_at"], stored["version"]) == (NOW + DAY, 2)
    assert stored["dedupe_key_kept"] == key
    trace = await graph.read(JOURNAL, agent=agent)
    assert len(trace) == 1
    assert (trace[0]["phase"], trace[0]["at"]) == ("by hand", NOW + DAY)
    assert json.loads(trace[0]["before"]) == {"archived_at": None, "live": True, "version": 1}


async def test_a_pinned_memory_keeps_all_named_with_it_from_being_forgotten(graph, agent):
    pinned = await a_memory(graph, agent, "pinned", pinned=True)
    plain = await a_memory(graph, agent, "plain")

    for attempt in (
        keeping.forget(graph, agent, [plain, pinned], now=NOW),
        keeping.purge(graph, agent, [plain, pinned]),
    ):
        with pytest.raises(InputError, match=f"^pinned: {pinned}$"):
            await attempt

    assert (await raw(graph, plain))["live"] is True
    assert (await raw(graph, pinned))["live"] is True
    assert await journal(graph, agent) == []


async def test_a_missing_memory_keeps_the_others_from_being_forgotten(graph, agent):
    memory = await a_memory(graph, agent)

    with pytest.raises(NotFound):
        await keeping.forget(graph, agent, [memory, str(uuid4())], now=NOW)

    assert (await raw(graph, memory))["version"] == 1


async def test_nothing_named_is_nothing_forgotten(graph, agent):
    assert await keeping.forget(graph, agent, [], now=NOW) == ()
    assert await keeping.purge(graph, agent, []) == ()
    assert await keeping.restore(graph, agent, []) == ()


async def test_many_who_forget_at_once_change_it_once(graph, agent):
    ids = [await a_memory(graph, agent, f"no. {number}") for number in range(4)]

    changed = await asyncio.gather(
        *(keeping.forget(graph, agent, ids, now=NOW) for _ in range(12)),
        *(keeping.forget(graph, agent, ids[::-1], now=NOW) for _ in range(12)),
    )

    assert sum(map(len, changed)) == 4
    assert [(await raw(graph, memory))["version"] for memory in ids] == [2] * 4
    assert len(await journal(graph, agent)) == 4


async def test_what_is_restored_is_as_it_was(graph, agent):
    memory = await a_memory(graph, agent)
    before = await raw(graph, memory)
    await keeping.forget(graph, agent, [memory], now=NOW)

    first = await keeping.restore(graph, agent, [memory])
    second = await keeping.restore(graph, agent, [memory])

    assert [(m.id, m.live, m.archived_at) for m in first] == [(memory, True, None)]
    assert second == ()
    assert await raw(graph, memory) == {**before, "version": 3}
    assert await journal(graph, agent) == [("forget", memory), ("restore", memory)]
    trace = json.loads((await graph.read(JOURNAL, agent=agent))[1]["before"])
    assert trace == {"archived_at": "2026-05-01T12:00:00Z", "live": False, "version": 2}


async def test_a_quarantined_memory_comes_back_quarantined(graph, agent):
    memory = await a_memory(graph, agent, quarantined=True)
    await keeping.forget(graph, agent, [memory], now=NOW)

    restored = await keeping.restore(graph, agent, [memory])

    assert [(m.live, m.quarantined) for m in restored] == [(False, True)]
    assert (await raw(graph, memory))["live"] is False


async def test_a_memory_whose_place_is_taken_is_not_restored(graph, agent):
    first = await a_memory(graph, agent, "the same")
    innocent = await a_memory(graph, agent, "another")
    await keeping.forget(graph, agent, [first, innocent], now=NOW)
    second = await a_memory(graph, agent, "the same")

    with pytest.raises(InputError, match=f"^{first} is there again as {second}$"):
        await keeping.restore(graph, agent, [innocent, first])

    assert (await raw(graph, first))["live"] is False
    assert (await raw(graph, innocent))["live"] is False


async def test_of_two_with_one_text_only_one_is_restored(graph, agent):
    first = await a_memory(graph, agent, "the same")
    await keeping.forget(graph, agent, [first], now=NOW)
    second = await a_memory(graph, agent, "the same")
    await keeping.forget(graph, agent, [second], now=NOW)

    with pytest.raises(InputError, match="is there again as"):
        await keeping.restore(graph, agent, [first, second])
    results = await asyncio.gather(
        keeping.restore(graph, agent, [first]),
        keeping.restore(graph, agent, [second]),
        return_exceptions=True,
    )

    assert sorted(type(result).__name__ for result in results) == ["InputError", "tuple"]
    assert len(await keeping.list_memories(graph, agent)) == 1


async def test_what_is_purged_is_gone_from_the_journal_too(graph, agent):
    memory, stays = await a_memory(graph, agent, "goes"), await a_memory(graph, agent, "stays")
    await keeping.forget(graph, agent, [memory, stays], now=NOW)

    purged = await keeping.purge(graph, agent, [memory])

    assert purged == (memory,)
    with pytest.raises(NotFound):
        await keeping.purge(graph, agent, [memory])
    assert await journal(graph, agent) == [("forget", stays)]


async def test_turns_beside_a_purged_one_become_neighbours(graph, agent):
    ids = [await a_memory(graph, agent, text, session="s-1") for text in "abcde"]
    pairs = [list(pair) for pair in pairwise(ids)]
    await graph.write(JOIN, pairs=pairs)

    await keeping.purge(graph, agent, [ids[2], ids[1], ids[4]])

    rows = await graph.read(NEXT, agent=agent)
    assert rows == [{"a": "a", "b": "d"}]


# ---- pinning -------------------------------------------------------------------------------------


async def test_pinning_twice_is_pinning_once(graph, agent):
    memory = await a_memory(graph, agent)

    first = await keeping.pin(graph, agent, memory, budget=2000)
    second = await keeping.pin(graph, agent, memory[:30], budget=2000)
    off = await keeping.pin(graph, agent, memory, pinned=False, budget=2000)
    again = await keeping.pin(graph, agent, memory, pinned=False, budget=2000)

    pinned = [(m.pinned, m.version) for m in (first, second, off, again)]
    assert pinned == [(True, 2), (True, 2), (False, 3), (False, 3)]
    assert await journal(graph, agent) == [("pin", memory), ("unpin", memory)]


async def test_the_pinned_must_fit_their_budget(graph, agent):
    first = await a_memory(graph, agent, "a" * 400)
    second = await a_memory(graph, agent, "b" * 404)
    await keeping.pin(graph, agent, first, budget=200)

    with pytest.raises(InputError, match=r"would have 201 tokens, 100 .* budget is 200"):
        await keeping.pin(graph, agent, second, budget=200)

    assert (await keeping.pin(graph, agent, first, budget=1)).pinned is True  # it is already
    assert (await raw(graph, second))["pinned"] is False
    assert (await keeping.pin(graph, agent, second, budget=201)).pinned is True


async def test_many_who_pin_at_once_stay_within_the_budget(graph, agent):
    ids = [await a_memory(graph, agent, f"{number}" * 400) for number in range(8)]

    results = await asyncio.gather(
        *(keeping.pin(graph, agent, memory, budget=300) for memory in ids), return_exceptions=True
    )

    assert sum(isinstance(result, InputError) for result in results) == 5
    assert len(await keeping.list_memories(graph, agent, state="pinned")) == 3


@pytest.mark.parametrize("state", [{"archived_at": NOW}, {"quarantined": True}])
async def test_only_a_live_memory_can_be_pinned(graph, agent, state):
    memory = await a_memory(graph, agent, **state)

    with pytest.raises(InputError, match="cannot be pinned"):
        await keeping.pin(graph, agent, memory, budget=2000)

    assert (await raw(graph, memory))["pinned"] is False


# ---- superseding ---------------------------------------------------------------------------------


async def test_the_older_is_valid_until_the_newer_begins(graph, agent):
    old = await a_memory(graph, agent, "Ada lives in Porto.", valid_from=NOW - DAY)
    new = await a_memory(graph, agent, "Ada lives in Lisbon.", event_at=NOW + DAY)

    first = await keeping.supersede(graph, agent, old, new, reason=" moved ", now=NOW + 2 * DAY)
    second = await keeping.supersede(graph, agent, old, new, reason="again", now=NOW + 3 * DAY)

    assert (first.id, first.valid_until, first.version) == (old, NOW + DAY, 2)
    assert second == first
    assert await graph.read(REPLACED, agent=agent) == [
        {"new": new, "old": old, "reason": "moved", "at": NOW + 2 * DAY}
    ]
    assert await journal(graph, agent) == [("supersede", old)]
    assert (await raw(graph, new))["version"] == 1


async def test_a_validity_never_ends_before_it_began_nor_grows_again(graph, agent):
    old = await a_memory(graph, agent, "old")
    late = await a_memory(graph, agent, "late", event_at=NOW + 5 * DAY)
    early = await a_memory(graph, agent, "early", event_at=NOW - 5 * DAY)

    await keeping.supersede(graph, agent, old, early, now=NOW)
    ended = await keeping.supersede(graph, agent, old, late, now=NOW)

    assert ended.valid_until == NOW


async def test_what_may_not_replace_is_refused(graph, agent):
    one = await a_memory(graph, agent, "one")
    two = await a_memory(graph, agent, "two")
    three = await a_memory(graph, agent, "three")
    pinned = await a_memory(graph, agent, "pinned", pinned=True)
    bad = await a_memory(graph, agent, "bad", quarantined=True)
    gone = await a_memory(graph, agent, "gone", archived_at=NOW)
    await keeping.supersede(graph, agent, one, two, now=NOW)
    await keeping.supersede(graph, agent, two, three, now=NOW)

    for old, new, reason, words in (
        (one, one, None, "itself"),
        (two, one, None, "has itself replaced"),
        (three, one, None, "has itself replaced"),
        (one, bad, None, "quarantined"),
        (one, gone, None, "archived"),
        (pinned, one, None, "pinned"),
        (one, three, "x" * 1001, "at most 1000"),
    ):
        with pytest.raises(InputError, match=words):
            await keeping.supersede(graph, agent, old, new, reason=reason, now=NOW)

    assert len(await graph.read(REPLACED, agent=agent)) == 2


async def test_a_circle_is_never_closed_even_by_many_at_once(graph, agent):
    ids = [await a_memory(graph, agent, f"no. {number}") for number in range(4)]
    ring = [*pairwise(ids), (ids[-1], ids[0])]

    results = await asyncio.gather(
        *(keeping.supersede(graph, agent, old, new, now=NOW) for old, new in ring),
        return_exceptions=True,
    )

    assert sum(isinstance(result, InputError) for result in results) == 1
    assert len(await graph.read(REPLACED, agent=agent)) == 3


# ---- tags, and whose is whose --------------------------------------------------------------------


async def test_a_tag_is_taken_off_with_its_relationship(graph, agent):
    tagged = await a_memory(graph, agent, "a", task_id="TASK-7")
    await a_memory(graph, agent, "b", task_id="TASK-8")
    await graph.write(
        cypher(
            "MATCH (m:Memory {id: $id})"
            " CREATE (m)-[:FOR_TASK]->(:Task {agent: $agent, key: randomUUID()})"
        ),
        id=tagged,
        agent=agent,
    )

    first, second = [await keeping.untag(graph, agent, "task-7") for _ in range(2)]

    left = cypher("MATCH (:Memory {agent: $agent})-[r:FOR_TASK]->() RETURN count(r) AS left")
    assert (first, second) == (1, 0)
    assert "task_id" not in await raw(graph, tagged)
    assert len(await keeping.list_memories(graph, agent, task="TASK-8")) == 1
    assert (await graph.read(left, agent=agent))[0]["left"] == 0


async def test_no_agent_reaches_anothers_memories(graph, agent, other):
    theirs = await a_memory(graph, other, task_id="TASK-7", session="s-1")
    archived = await a_memory(graph, other, "archived", archived_at=NOW)
    mine = await a_memory(graph, agent, "mine")
    before = [await raw(graph, memory) for memory in (theirs, archived)]

    for attempt in (
        keeping.get(graph, agent, theirs),
        keeping.get(graph, agent, theirs[:12]),
        keeping.list_memories(graph, agent, before=theirs),
        keeping.forget(graph, agent, [theirs], now=NOW),
        keeping.purge(graph, agent, [theirs]),
        keeping.restore(graph, agent, [archived]),
        keeping.pin(graph, agent, theirs, budget=2000),
        keeping.supersede(graph, agent, theirs, mine, now=NOW),
        keeping.supersede(graph, agent, mine, theirs, now=NOW),
    ):
        with pytest.raises(NotFound):
            await attempt
    listed = await keeping.list_memories(graph, agent, state="all")
    untagged = await keeping.untag(graph, agent, "TASK-7")
    figures = await keeping.stats(graph, agent)

    assert [memory.id for memory in listed] == [mine]
    assert await keeping.list_memories(graph, agent, session="s-1") == ()
    assert untagged == 0
    assert (figures.memories, figures.archived, figures.sessions) == (1, 0, 0)
    assert [await raw(graph, memory) for memory in (theirs, archived)] == before
    assert await journal(graph, other) == await journal(graph, agent) == []


async def test_the_queries_themselves_keep_agents_apart(graph, agent, other):
    theirs = await a_memory(graph, other)
    before = await raw(graph, theirs)

    forgotten = await graph.write(keeping.FORGET, agent=agent, ids=[theirs], lane="x1", now=NOW)
    purged = await graph.write(keeping.PURGE, agent=agent, ids=[theirs])
    restored = await graph.write(keeping.RESTORE, agent=agent, ids=[theirs], live_lane="l1")
    pinned = await graph.write(keeping.PIN, agent=agent, id=theirs, pinned=True, seen=[])

    assert forgotten == [{"pinned": [], "changed": []}]
    assert purged == [{"pinned": [], "purged": []}]
    assert restored == [{"taken": [], "changed": []}]
    assert pinned == []
    assert await raw(graph, theirs) == before


@pytest.mark.parametrize("name", ["it's", 'a "quoted" one', "two\nlines", "'}) DETACH DELETE n //"])
async def test_an_agent_may_have_any_name(graph, agent, name):
    odd = f"{agent} {name}"
    memory = await a_memory(graph, odd)
    try:
        await keeping.pin(graph, odd, memory, budget=2000)
        await keeping.pin(graph, odd, memory, pinned=False, budget=2000)
        await keeping.forget(graph, odd, [memory], now=NOW)

        assert [m.id for m in await keeping.restore(graph, odd, [memory])] == [memory]
        for row in await graph.read(JOURNAL, agent=odd):
            json.loads(row["before"])
    finally:
        await graph.write(cypher("MATCH (n {agent: $agent}) DETACH DELETE n"), agent=odd)


async def test_a_memory_deleted_between_look_and_change_is_said_to_be_gone(
    graph, agent, monkeypatch
):
    memory, second = await a_memory(graph, agent), await a_memory(graph, agent, "second")
    write = graph.write

    async def too_late(query: Any, /, **parameters: Any) -> Any:
        monkeypatch.undo()
        await keeping.purge(graph, agent, [memory])
        return await write(query, **parameters)

    monkeypatch.setattr(graph, "write", too_late)
    with pytest.raises(NotFound, match="just been deleted"):
        await keeping.pin(graph, agent, memory, budget=2000)
    memory = await a_memory(graph, agent)
    monkeypatch.setattr(graph, "write", too_late)
    with pytest.raises(NotFound, match="just been deleted"):
        await keeping.supersede(graph, agent, memory, second, now=NOW)
