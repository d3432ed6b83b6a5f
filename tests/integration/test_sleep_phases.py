"""What each phase does on a real server, without a language model."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from neomem.capture.guard import compile_extra
from neomem.engine import Engine
from neomem.model import Draft, Hit
from neomem.sections import CaptureSettings
from neomem.sleep_settings import SleepSettings
from tests.integration.recall_engine import NOW, engine_on, ids
from tests.integration.sleeping import actions, edges, night, remember, state, turns
from tests.support import cypher

TASKS = """# Active Tasks

## TASK-8: Rewrite the importer
- **Status:** in_progress

# Completed

## ~~TASK-7: Move the billing service~~
- **Status:** done
- **Completed:** 2026-05-03 10:00
- **Details:** billing service, new cluster
"""
MANY = [
    "We should paint the boat before the summer.",
    "Yes, the hull needs two coats at least.",
    "Blue would be nice for the hull.",
    "Blue it is, and white for the deck.",
    "The deck has to dry for three days.",
    "Then Saturday would be too late to begin.",
]
PAIRED = cypher(
    "MATCH (a:Entity {agent: $agent})-[:MERGED_INTO]->(b:Entity)"
    " RETURN a.name AS gone, b.name AS kept"
)
NAMED = cypher(
    "MATCH (e:Entity {agent: $agent}) RETURN e.name AS name, e.retired_at IS NOT NULL AS aside"
)
RELATED = cypher(
    "MATCH (a:Entity {agent: $agent})-[r:RELATES]->(b) RETURN a.name AS source, r.type AS type,"
    " b.name AS target, r.valid_until.year = 9999 AS open ORDER BY target"
)

UNREACHED = cypher(
    "MATCH (m:Memory {agent: $agent, kind: 'turn', live: false})"
    " WHERE NOT EXISTS { (m)<-[:SUMMARISES]-() } RETURN count(m) AS turns"
)


@pytest.fixture
def engine(graph) -> Engine:
    return engine_on(graph)


async def test_what_todays_patterns_know_is_quarantined(graph, engine, agent):
    from dataclasses import replace

    await remember(engine, agent, "The badge of Ada is ZX-99-PLUM.", "It rains.")
    today = replace(engine, patterns=(compile_extra("badge", r"ZX-\d\d-[A-Z]+"),))

    before = await night(engine, agent, only=["guard"])
    after = await night(today, agent, only=["guard"])
    again = await night(today, agent, only=["guard"])

    assert (before.changes, after.changes, again.changes) == (0, 1, 0)
    found = await state(graph, agent)
    assert found["The badge of Ada is ZX-99-PLUM."]["quarantined"]
    assert found["It rains."]["live"]


async def test_memories_of_a_finished_task_are_kept_or_archived(graph, agent, tmp_path):
    file = tmp_path / "TASKS.md"
    file.write_text(TASKS, encoding="utf-8")
    engine = engine_on(graph, capture=CaptureSettings(tasks_file=file))
    texts = {
        "TASK-7: running the tests now.": (False, False),
        "TASK-7: the billing service listens on port 8081.": (True, True),
        "TASK-7: billing service, something about clusters.": (True, False),
        "TASK-8: running the importer tests now.": (True, False),
        "Running the tests of something else.": (True, False),
    }
    await remember(engine_on(graph), agent, *texts)  # untagged, as while two tasks are active

    slept = await night(engine, agent, only=["tasks"])
    again = await night(engine, agent, only=["tasks"])

    assert actions(slept) == {"tasks": {"archive": 1, "keep": 1}}
    assert again.changes == 0
    found = await state(graph, agent)
    assert {text: (found[text]["live"], found[text]["lasting"]) for text in texts} == texts


async def test_near_duplicates_become_one_with_all_they_had(graph, engine, agent):
    first, second, other = (
        "In May Ada visited Porto by train.",
        "Ada visited Porto by train in May.",
        "Ada visited Porto by train in June.",
    )
    await remember(engine, agent, Draft(text=first, about=("Holidays",)), now=NOW)
    (kept,) = await remember(engine, agent, second, now=NOW + timedelta(hours=1))
    await remember(engine, agent, other)

    slept = await night(engine, agent, only=["dedupe"])

    assert actions(slept) == {"dedupe": {"merge": 1}}
    found = await state(graph, agent)
    assert {text: row["live"] for text, row in found.items()} == {
        first: False,
        second: True,
        other: True,
    }
    assert (second, "Holidays") in await edges(graph, agent, "ABOUT")
    memory = await engine.get(kept, agent=agent)
    assert memory.seen == 2
    assert memory.event_at == min(NOW, memory.event_at)


async def test_a_pinned_duplicate_is_left_alone_and_so_is_its_twin(graph, engine, agent):
    first, _ = await remember(engine, agent, "Tea at four, please.", "Please, tea at four.")
    await engine.pin(first, agent=agent)

    slept = await night(engine, agent, only=["dedupe", "links"])

    assert slept.changes == 0


async def test_entities_of_one_thing_are_merged_and_found_by_both_names(graph, engine, agent):
    await remember(
        engine,
        agent,
        Draft(text="The office is on the third floor.", about=("Open AI",)),
        Draft(text="They make models.", about=("OpenAI",)),
        Draft(text="They sell shoes.", about=("OpenArt",)),
    )

    slept = await night(engine, agent, only=["entities"])
    again = await night(engine, agent, only=["entities"])
    (new,) = await remember(engine, agent, Draft(text="They moved.", about=("Open AI",)))
    answer = await engine.recall("OpenAI", agent=agent, signals=("graph",))

    assert actions(slept) == {"entities": {"merge": 1}}
    assert again.changes == 0
    pairs = await graph.read(PAIRED, agent=agent)
    assert [{pair["gone"], pair["kept"]} for pair in pairs] == [{"Open AI", "OpenAI"}]
    assert len(answer.hits) == 3
    assert new in ids(answer)


async def test_plain_relations_are_read_and_a_newer_one_ends_the_older(graph, engine, agent):
    await remember(
        engine,
        agent,
        Draft(text="Ada Byron lives in Boston.", said_at=NOW - timedelta(days=300)),
        Draft(text="Ada Byron moved to Lisbon.", said_at=NOW),
    )

    slept = await night(engine, agent, only=["extract", "conflicts"])

    rows = await graph.read(RELATED, agent=agent)
    assert [(row["source"], row["type"], row["target"], row["open"]) for row in rows] == [
        ("Ada Byron", "LIVES_IN", "Boston", False),
        ("Ada Byron", "LIVES_IN", "Lisbon", True),
    ]
    assert actions(slept)["conflicts"] == {"close": 1, "supersede": 1}


async def test_of_two_values_the_newer_holds_now_and_the_older_held_then(engine, agent):
    older, newer = NOW - timedelta(days=100), NOW - timedelta(days=1)
    first, second, _ = await remember(
        engine,
        agent,
        Draft(text="The staging port is 8081.", said_at=older),
        Draft(text="The staging port is 9090.", said_at=newer),
        Draft(text="The production port is 7000.", said_at=newer),
    )

    slept = await night(engine, agent, only=["conflicts"])
    asked = {"agent": agent, "limit": 2}
    now = await engine.recall("What is the staging port?", **asked, as_of=NOW)
    then = await engine.recall("staging port", **asked, as_of=NOW - timedelta(days=50))

    assert actions(slept) == {"conflicts": {"supersede": 1}}
    assert second in ids(now)
    assert first not in ids(now)
    assert ids(then)[0] == first
    assert second not in ids(then)


async def test_a_quarantined_statement_replaces_nothing(graph, engine, agent):
    await remember(engine, agent, Draft(text="The port is 8081.", said_at=NOW - timedelta(days=9)))
    (bad,) = await remember(engine, agent, Draft(text="The port is 9090.", said_at=NOW))
    await graph.write(
        cypher("MATCH (m:Memory {id: $id}) SET m.trust = 0.0, m.live = false"), id=bad
    )

    assert (await night(engine, agent, only=["conflicts"])).changes == 0


async def test_a_newer_turn_amends_an_older_one_and_comes_before_it(graph, engine, agent):
    old = "My Zotero library has 45 sources, tagged by theme and date, in three folders."
    new = "I have now added sources to my Zotero library, 52 sources tagged by theme and date."
    await remember(engine, agent, *turns(old, "Nice.", new, "Well done."))

    slept = await night(engine, agent, only=["conflicts"])

    assert actions(slept) == {"conflicts": {"amend": 1}}
    assert await edges(graph, agent, "AMENDS") == {(f"Ada: {new}", f"Ada: {old}")}
    assert all(row["live"] and row["open"] for row in (await state(graph, agent)).values())


async def test_what_an_assistant_says_amends_nothing(graph, engine, agent):
    old = "Your Zotero library has 45 sources, tagged by theme and date, in three folders."
    new = "You have now added sources to your Zotero library, 52 sources tagged by theme and date."
    said = [replace(each, speaker="assistant") for each in turns(old, "Nice.", new, "Well done.")]
    await remember(engine, agent, *said)

    assert (await night(engine, agent, only=["conflicts"])).changes == 0


async def test_an_older_turn_may_be_amended_again_and_again(graph, engine, agent):
    said = [
        f"I have now added sources to my Zotero library, {count} sources tagged by theme and date."
        for count in (45, 52, 60)
    ]
    await remember(engine, agent, *turns(*said))

    await night(engine, agent, only=["conflicts"])

    first, second, third = (f"Ada: {text}" for text in said)
    pairs = {(second, first), (third, first), (third, second)}
    assert await edges(graph, agent, "AMENDS") == pairs


async def test_a_conversation_that_is_over_becomes_a_summary_that_leads_to_it(graph, agent):
    engine = engine_on(graph, sleep=SleepSettings(compact_size=3))
    said = await remember(engine, agent, *turns(*MANY))
    await remember(engine, agent, *turns("Hello.", "Hi.", "Good.", "Bye.", session="new", ago=1))

    slept = await night(engine, agent, only=["compact"])
    again = await night(engine, agent, only=["compact"])
    answer = await engine.recall("Which colour for the hull?", agent=agent)

    assert actions(slept) == {"compact": {"sum up": 1}}
    assert again.changes == 0
    assert [(await engine.get(each, agent=agent)).live for each in said] == [False] * len(said)
    best = answer.hits[0]
    assert best.memory.kind == "summary"
    assert set(best.sources) == set(said[:3])
    assert 0 < (best.memory.confidence or 0) <= 1
    assert best.memory.decay_rate == pytest.approx(1 - (best.memory.confidence or 0))
    assert best.text.startswith("Conversation on 4 April 2026 (Ada):")


async def test_a_summary_is_judged_by_its_source_nearest_to_the_question(graph, agent):
    engine = engine_on(graph, sleep=SleepSettings(compact_size=3))
    said = await remember(engine, agent, *turns(*MANY))

    async def best(text: str) -> Hit:
        return (await engine.recall(text, agent=agent)).hits[0]

    turn = [await best(text) for text in MANY]
    await night(engine, agent, only=["compact"])
    summary = [await best(text) for text in MANY]

    assert [each.id for each in turn] == said
    assert all(one in each.sources for one, each in zip(said, summary, strict=True))
    assert [each.evidence["similarity"] for each in summary] == pytest.approx(
        [each.evidence["similarity"] for each in turn]
    )
    # What answers is told, whether or not it was chosen for the summary.
    assert all(text in each.text for text, each in zip(MANY, summary, strict=True))
    assert any(each.quote for each in summary)
    assert not any(each.quote for each in turn)


async def test_one_summary_stands_for_turns_that_repeat_each_other(graph, agent):
    engine = engine_on(graph, sleep=SleepSettings(compact_size=2))
    await remember(engine, agent, *turns("Ready?", "Yes.", "Ready?", "Yes."))

    await night(engine, agent, only=["compact"])

    summaries = {text for text, row in (await state(graph, agent)).items() if row["live"]}
    found = await edges(graph, agent, "SUMMARISES")
    assert len(summaries) == 1
    assert {end for _, end in found} == {"Ada: Ready?", "Ada: Yes."}
    rows = await graph.read(UNREACHED, agent=agent)
    assert rows == [{"turns": 0}]


async def test_what_is_pinned_or_lasting_is_not_summed_up(graph, engine, agent):
    said = await remember(engine, agent, *turns(*MANY))
    await engine.pin(said[0], agent=agent)

    await night(engine, agent, only=["compact"])

    assert (await engine.get(said[0], agent=agent)).live
    assert not (await engine.get(said[1], agent=agent)).live


async def test_alike_memories_are_joined_once(graph, engine, agent):
    await remember(
        engine,
        agent,
        "Ada keeps bees on the roof of her house.",
        "Ada keeps bees on the roof of the school.",
        "The tax office closes at noon.",
    )

    slept = await night(engine, agent, only=["links"])
    again = await night(engine, agent, only=["links"])

    assert (slept.changes, again.changes) == (1, 0)
    joined = await edges(graph, agent, "SIMILAR")
    assert len(joined) == 1
    assert all("bees" in text for pair in joined for text in pair)


async def test_the_weak_and_the_expired_are_archived_and_the_rest_stays(graph, engine, agent):
    ages = {
        Draft(text="An old remark.", importance=0.5): False,
        Draft(text="An old preference.", kind="preference"): True,
        Draft(text="An evergreen note.", evergreen=True): True,
        Draft(text="An important fact.", importance=1.0): True,
        Draft(text="A parking ticket.", expires_at=NOW + timedelta(days=1)): False,
    }
    await remember(engine, agent, *ages)
    later = NOW + timedelta(days=120)
    await remember(engine, agent, "A young remark.", now=later - timedelta(days=29))

    slept = await night(engine, agent, now=later, only=["decay"])
    again = await night(engine, agent, now=later, only=["decay"])

    assert (slept.changes, again.changes) == (2, 0)
    found = await state(graph, agent)
    assert {draft.text: found[draft.text]["live"] for draft in ages} == {
        draft.text: lives for draft, lives in ages.items()
    }
    assert found["A young remark."]["live"]


async def test_what_was_archived_long_ago_is_deleted_only_when_told(graph, agent):
    patient, strict = engine_on(graph), engine_on(graph, sleep=SleepSettings(purge_days=10))
    (gone,) = await remember(patient, agent, Draft(text="Old.", about=("Somebody",)))
    await patient.forget([gone], agent=agent)
    later = NOW.replace(year=NOW.year + 3)

    kept = await night(patient, agent, now=later, only=["decay"])
    slept = await night(strict, agent, now=later, only=["decay", "orphans"])

    assert kept.changes == 0
    assert actions(slept) == {"decay": {"delete": 1}, "orphans": {"delete": 1}}
    assert await state(graph, agent) == {}


async def test_entities_of_archived_memories_are_set_aside_until_one_comes_back(
    graph, engine, agent
):
    (gone,) = await remember(engine, agent, Draft(text="She sails.", about=("Grace",)))
    await engine.forget([gone], agent=agent)

    slept = await night(engine, agent, only=["orphans"])
    aside = await graph.read(NAMED, agent=agent)
    await engine.restore([gone], agent=agent)
    back = await graph.read(NAMED, agent=agent)

    assert actions(slept) == {"orphans": {"set aside": 1}}
    assert (aside, back) == (
        [{"name": "Grace", "aside": True}],
        [{"name": "Grace", "aside": False}],
    )


async def test_capture_brings_an_entity_back_that_was_set_aside(graph, engine, agent):
    (gone,) = await remember(engine, agent, Draft(text="She sails.", about=("Grace",)))
    await engine.forget([gone], agent=agent)
    await night(engine, agent, only=["orphans"])

    await remember(engine, agent, Draft(text="She dives.", about=("Grace",)))

    assert await graph.read(NAMED, agent=agent) == [{"name": "Grace", "aside": False}]
    assert (await night(engine, agent, only=["orphans"])).changes == 0


def test_the_readme_of_the_night_names_every_phase_in_order():
    from sleep_cycle import NAMES

    words = Path(__file__).parents[2].joinpath("sleep_cycle/README.md").read_text(encoding="utf-8")
    places = [words.index(f"| {name} |") for name in NAMES]
    assert places == sorted(places)
