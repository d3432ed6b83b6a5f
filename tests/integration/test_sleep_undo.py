"""The journal: what a night did, taken back to the byte."""

from datetime import timedelta
from typing import LiteralString

import neo4j
import pytest

from neomem.engine import Engine
from neomem.errors import NotFound, SleepError, UndoConflict
from neomem.model import Draft
from neomem.sleep_settings import SleepSettings
from neomem.store.graph import Graph
from neomem.text import entity_key
from sleep_cycle import history, show, sleep, undo
from sleep_cycle.undo import DONE, HOLD, ORDER, conflicts
from tests.integration.recall_engine import NOW, engine_on
from tests.integration.sleeping import LATER, canonical, full, night, remember, state, turns
from tests.support import cypher

JOURNAL = cypher(
    "MATCH (n) WHERE n.agent = $agent AND (n:SleepRun OR n:SleepChange OR n:SleepImage)"
    " RETURN count(n) AS nodes"
)


@pytest.fixture
def engine(graph) -> Engine:
    return engine_on(graph, sleep=SleepSettings(compact_size=3, purge_days=1))


async def test_undo_gives_back_the_graph_to_the_byte(graph, engine, agent):
    await full(engine, agent)
    before = await canonical(graph, agent)

    first = await night(engine, agent)
    between = await canonical(graph, agent)
    second = await night(engine, agent, now=LATER)
    second_undone = await undo(graph, agent, second.run or "")
    after_second = await canonical(graph, agent)
    await undo(graph, agent, first.run or "")

    done = {name for each in (first, second) for name in _changed(each)}
    assert done >= {"dedupe", "entities", "extract", "conflicts", "compact", "links", "decay"}
    assert "orphans" in done
    assert second_undone.changes == second.changes > 0
    assert between != before
    assert after_second == between
    assert await canonical(graph, agent) == before


def _changed(slept) -> list[str]:
    return [each.phase for each in slept.phases if each.changes]


async def test_what_was_undone_is_not_done_again(graph, engine, agent):
    await full(engine, agent)

    phases = ["dedupe", "entities", "compact", "decay"]
    first = await night(engine, agent, only=phases)
    await undo(graph, agent, "last")
    again = await night(engine, agent, only=phases)

    assert first.changes > 2
    assert again.changes == 0
    assert sum(each.passed for each in again.phases) > 0


async def test_undo_refuses_and_names_what_was_changed_since(graph, engine, agent):
    old, new = await remember(
        engine,
        agent,
        Draft(text="The port is 8081.", said_at=NOW - timedelta(days=9)),
        Draft(text="The port is 9090.", said_at=NOW),
    )
    slept = await night(engine, agent, only=["conflicts"])
    await graph.write(
        cypher("MATCH (m:Memory {id: $id}) SET m.valid_until = datetime('2030-01-01')"), id=old
    )

    with pytest.raises(UndoConflict, match=rf"memory {old} has another valid_until now"):
        await undo(graph, agent, slept.run or "")
    kept = await engine.get(old, agent=agent)
    forced = await undo(graph, agent, slept.run or "", force=True)

    assert kept.valid_until.year == 2030
    assert len(forced.conflicts) == 1
    assert (await engine.get(old, agent=agent)).valid_until.year == 9999
    assert (await engine.get(new, agent=agent)).live


async def test_undo_refuses_when_the_place_of_an_archived_one_was_taken(graph, engine, agent):
    (old,) = await remember(engine, agent, Draft(text="A ticket.", expires_at=NOW))
    slept = await night(engine, agent, now=LATER, only=["decay"])
    (again,) = await remember(engine, agent, "A ticket.")

    with pytest.raises(UndoConflict, match=f"is there again as {again}"):
        await undo(graph, agent, slept.run or "")
    forced = await undo(graph, agent, slept.run or "", force=True)

    assert forced.changes == 1
    assert (await engine.get(old, agent=agent)).live
    assert (await engine.get(again, agent=agent)).live


async def test_undo_takes_an_entity_over_that_is_there_again_when_told(graph, engine, agent):
    await remember(engine, agent, Draft(text="Old.", about=("Grace",)))
    gone = cypher("MATCH (m:Memory {agent: $agent}) DETACH DELETE m")
    await graph.write(gone, agent=agent)
    before = await canonical(graph, agent)
    slept = await night(engine, agent, only=["orphans"])
    await remember(engine, agent, Draft(text="New.", about=("Grace",)))

    with pytest.raises(UndoConflict, match="is there again"):
        await undo(graph, agent, slept.run or "")
    await undo(graph, agent, slept.run or "", force=True)

    await graph.write(gone, agent=agent)
    assert await canonical(graph, agent) == before


async def test_a_summary_makes_no_entity_that_its_undo_would_leave(graph, engine, agent):
    said = turns("Shall we paint it?", "Blue, I think.", "Blue it is.", "Ask Grace Hopper.")
    await remember(engine, agent, *said)
    for name in ("Grace Hopper", "Grace"):
        await graph.write(
            cypher("MATCH (e:Entity {key: $key, agent: $agent}) DETACH DELETE e"),
            agent=agent,
            key=entity_key(agent, name),
        )
    before = await canonical(graph, agent)

    slept = await night(engine, agent, only=["compact"])
    after = await canonical(graph, agent)
    await undo(graph, agent, slept.run or "")

    assert slept.changes == 1
    assert "Hopper." in after
    assert await canonical(graph, agent) == before


async def test_an_undo_whose_lease_is_gone_writes_no_more_and_goes_on_later(graph, engine, agent):
    await full(engine, agent)
    before = await canonical(graph, agent)
    slept = await night(engine, agent, only=["dedupe", "conflicts", "compact"])
    between: list[int] = []

    def taken_over(done: int, _of: int) -> None:
        between.append(done)
        # Long before this process hears of it: its next heartbeat is a quarter of a minute away.
        _at_once(graph, "MATCH (l:SleepLease {agent: $agent}) SET l.token = 'other'", agent=agent)

    with pytest.raises(SleepError, match="the lease was lost"):
        await undo(graph, agent, "last", batch=1, advanced=taken_over)
    (row,) = await history(graph, agent)
    left = [each for each in await show(graph, agent, slept.run or "") if not each["undone_at"]]
    await graph.write(cypher("MATCH (l:SleepLease {agent: $agent}) DELETE l"), agent=agent)
    rest = await undo(graph, agent, "last")

    assert between == [1]
    assert row["status"] == "finished"
    assert rest.changes == len(left) == slept.changes - 1 > 0
    assert await canonical(graph, agent) == before


async def test_a_lease_that_has_run_out_undoes_nothing(graph, engine, agent):
    await full(engine, agent)
    slept = await night(engine, agent, only=["conflicts"])
    after = await canonical(graph, agent)
    changes = await graph.read(ORDER, agent=agent, run=slept.run)
    await graph.write(
        cypher(
            "MERGE (l:SleepLease {agent: $agent}) SET l.token = 'mine',"
            " l.expires_at = datetime.realtime() - duration({milliseconds: 1})"
        ),
        agent=agent,
    )

    given = {"agent": agent, "token": "mine"}
    assert await graph.write(HOLD, **given, ids=[row["id"] for row in changes]) == []
    assert await graph.write(DONE, **given, run=slept.run) == []
    assert await canonical(graph, agent) == after


async def test_what_is_changed_while_an_undo_goes_on_is_not_overwritten(graph, engine, agent):
    await full(engine, agent)
    before = await canonical(graph, agent)
    await night(engine, agent, only=["dedupe", "conflicts"])
    change = (
        "MATCH (m:Memory {agent: $agent}) WHERE m.text CONTAINS 'Porto' AND NOT m.live"
        " SET m.archived_at = $at"
    )

    def meanwhile(_done: int, _of: int) -> None:
        _at_once(graph, change, agent=agent, at=NOW.replace(year=2030))

    with pytest.raises(UndoConflict, match="has another archived_at now"):
        await undo(graph, agent, "last", batch=1, advanced=meanwhile)
    await undo(graph, agent, "last", force=True)

    assert await canonical(graph, agent) == before


def _at_once(graph: Graph, query: LiteralString, **parameters: object) -> None:
    assert graph.address.password
    auth = (graph.address.user, graph.address.password.get_secret_value())
    with neo4j.GraphDatabase.driver(graph.address.uri, auth=auth) as driver:
        driver.execute_query(query, parameters)


async def test_what_recall_counted_since_is_no_conflict_and_stays(graph, engine, agent):
    await remember(engine, agent, "In May Ada visited Porto.")
    (kept,) = await remember(
        engine, agent, "Ada visited Porto in May.", now=NOW + timedelta(hours=1)
    )
    count = cypher(
        "MATCH (m:Memory {id: $id}) SET m.retrievals = m.retrievals + 3,"
        " m.last_retrieved_at = datetime('2026-06-01')"
    )
    await graph.write(count, id=kept)
    slept = await night(engine, agent, only=["dedupe"])
    await graph.write(count, id=kept)

    await undo(graph, agent, slept.run or "")

    memory = await engine.get(kept, agent=agent)
    assert (memory.retrievals, memory.seen) == (6, 1)
    assert memory.last_retrieved_at
    assert slept.changes == 1


async def test_the_journal_is_kept_for_its_days_and_no_longer(graph, agent):
    engine = engine_on(graph, sleep=SleepSettings(journal_days=1))
    await remember(engine, agent, "The port is 8081.", Draft(text="A.", expires_at=NOW))
    first = await night(engine, agent, only=["decay"])
    runs = await history(graph, agent)
    changes = await show(graph, agent, first.run or "")
    old = cypher("MATCH (r:SleepRun {agent: $agent}) SET r.started_at = datetime('2020-01-01')")
    await graph.write(old, agent=agent)

    await night(engine, agent, only=["guard"])

    assert [row["id"] for row in runs] == [first.run]
    assert [(each["phase"], each["action"]) for each in changes] == [("decay", "archive")]
    assert (await graph.read(JOURNAL, agent=agent))[0]["nodes"] == 1  # the run of just now
    with pytest.raises(NotFound):
        await show(graph, agent, first.run or "")


async def test_purging_a_memory_takes_its_copies_out_of_the_journal(graph, engine, agent):
    gone, _ = await remember(engine, agent, "Old secret plan.", "Another.")
    await engine.forget([gone], agent=agent)
    slept = await night(engine, agent, now=NOW.replace(year=NOW.year + 3), only=["decay"])
    copies = cypher(
        "MATCH (i:SleepImage {agent: $agent}) WHERE i.before_text CONTAINS 'secret'"
        " RETURN count(i) AS copies"
    )

    held = await graph.read(copies, agent=agent)
    await undo(graph, agent, slept.run or "")
    await engine.purge([gone], agent=agent)

    assert held[0]["copies"] == 1
    assert (await graph.read(copies, agent=agent))[0]["copies"] == 0


async def test_a_dry_run_writes_nothing_and_tells_all(graph, engine, agent):
    await full(engine, agent)
    before = await canonical(graph, agent)

    planned = await sleep(engine, agent=agent, now=NOW, dry_run=True)

    assert planned.run is None
    assert planned.failed == []
    plans = [plan for each in planned.phases for plan in each.planned]
    assert len(plans) == planned.changes > 5
    assert all({"phase", "action", "about", "why"} <= plan.keys() for plan in plans)
    assert await canonical(graph, agent) == before
    assert (await graph.read(JOURNAL, agent=agent))[0]["nodes"] == 1  # what forgetting has noted
    assert await state(graph, agent)


def test_of_one_property_the_runs_last_word_counts():
    row = {
        "label": "Memory",
        "key": "m",
        "keys": ["importance"],
        "used": False,
        "taken": None,
        "deleted": False,
        "gone": False,
    }
    first = row | {"number": 1, "names": ["importance"]}
    last = row | {"number": 2, "names": []}

    assert conflicts([first, last]) == []
    assert conflicts([first]) == ["memory m has another importance now"]
    assert conflicts([last | {"gone": True}]) == ["memory m is gone"]
