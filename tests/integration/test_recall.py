"""What recall finds on the real server, by every signal, and what it leaves out."""

from datetime import datetime, timedelta
from typing import get_args

import pytest

import neomem
from neomem.model import Draft
from neomem.sections import Fusion, Preset, Signal
from neomem.text import entity_key, lane
from tests.integration.recall_engine import ENTITY, NOW, SET, engine_on, ids, texts, told
from tests.support import cypher

LONG_AGO, SOON = NOW - timedelta(days=700), NOW + timedelta(days=700)
MERGE = cypher(
    "MATCH (old:Entity {key: $old, agent: $agent}), (new:Entity {key: $new, agent: $agent})"
    " CREATE (old)-[:MERGED_INTO]->(new)"
)
RELATE = cypher(
    "MATCH (a:Entity {key: $one, agent: $agent}), (b:Entity {key: $other, agent: $agent})"
    " CREATE (a)-[:RELATES {type: $type, confidence: $confidence, valid_from: $begins,"
    " valid_until: $ends}]->(b)"
)
LINK = cypher(
    "MATCH (a:Memory {agent: $agent, id: $one}), (b:Memory {agent: $agent, id: $other})"
    " CREATE (a)-[:LINKS]->(b)"
)
SUMMARISE = cypher(
    "MATCH (a:Memory {agent: $agent, id: $summary}), (b:Memory {agent: $agent, id: $source})"
    " SET a.kind = 'summary', a.decay_rate = 0.5 CREATE (a)-[:SUMMARISES]->(b)"
)
PLAIN_EDGES = cypher(
    "MATCH (:Memory {agent: $agent})-[r:MENTIONS|ABOUT]->() SET r.confidence = null"
)
NOISE = ("The kettle whistles at dawn.", "Rain fell on the tin roof.", "A train left without us.")


@pytest.fixture
def memory(graph):
    return engine_on(graph)


async def entity(graph, agent, name, *aliases):
    key = entity_key(agent, name)
    await graph.write(
        ENTITY, agent=agent, key=key, name=name, lane=lane(agent), aliases=list(aliases)
    )
    return key


async def test_meaning_alone_finds_what_shares_no_word(config, graph, agent):
    async with neomem.connect(config) as engine:
        wanted, *_ = await told(engine, agent, "Caroline resides in Lisbon.", *NOISE)
        answer = await engine.recall("the town where she lives", agent=agent)

    assert ids(answer)[0] == wanted
    assert "bm25" not in {said.signal for said in answer.hits[0].said}
    assert answer.hits[0].terms == ()


async def test_the_real_models_answer_over_two_steps(config, graph, agent):
    async with neomem.connect(config) as engine:
        await told(
            engine,
            agent,
            Draft(text="I signed with Lumen Works.", speaker="Ada", session="s", position=1),
            Draft(text="Lumen Works has its office in Porto.", title="Lumen Works"),
            *NOISE,
        )
        answer = await engine.recall(
            "In which city is the company that Ada works for?", agent=agent, diversity=1.0
        )

    assert set(texts(answer)[:2]) == {
        "Ada: I signed with Lumen Works.",
        "Lumen Works has its office in Porto.",
    }


@pytest.mark.parametrize("signal", get_args(Signal))
async def test_any_signal_can_be_asked_alone(memory, agent, signal):
    wanted, *_ = await told(memory, agent, "Caroline moved to Lisbon.", *NOISE)

    answer = await memory.recall("Where did Caroline move?", agent=agent, signals=(signal,))

    assert ids(answer)[0] == wanted
    assert {said.signal for hit in answer.hits for said in hit.said} == {signal}
    assert answer.weights.keys() == {signal}
    assert answer.missing == {}


async def test_words_are_found_in_other_forms(memory, agent):
    wanted, *_ = await told(memory, agent, "We hiked over the mountains.", *NOISE)

    answer = await memory.recall("hiking mountain", agent=agent, signals=("bm25",))

    assert ids(answer) == [wanted]
    assert answer.hits[0].terms == ("hiking", "mountain")


async def test_a_token_is_found_as_it_is_written(memory, agent):
    exact, *_ = await told(
        memory, agent, "Set it with NEOMEM_HOME.", "The cache is NEOMEM_HOMES.", *NOISE
    )

    answer = await memory.recall("what is `NEOMEM_HOME`?", agent=agent, signals=("bm25",))

    assert [hit.id for hit in answer.hits if "as written" in {s.voice for s in hit.said}] == [exact]


async def test_what_many_have_as_written_says_little_of_each(memory, agent):
    ports = ("Graz", "Porto", "Oslo")
    alone, *many = await told(
        memory, agent, "PORT_A is open.", *(f"PORT_B is closed in {port}." for port in ports)
    )

    answer = await memory.recall("`PORT_A` or `PORT_B`?", agent=agent, signals=("bm25",))
    one = await memory.recall("`PORT_A`?", agent=agent, signals=("bm25",))

    sure = {
        hit.id: said.score for hit in answer.hits for said in hit.said if said.voice == "as written"
    }
    assert set(sure) == {alone, *many}
    assert max(sure.values()) == 0.5
    assert [said.score for said in one.hits[0].said if said.voice == "as written"] == [1.0]


async def test_the_graph_carries_over_two_steps_and_shows_the_path(memory, agent):
    first, second, *_ = await told(
        memory,
        agent,
        Draft(text="Ada works for Lumen Works.", about=("Ada",)),
        Draft(text="Lumen Works sits in Porto.", about=("Lumen Works",)),
        *NOISE,
    )

    answer = await memory.recall("Ada", agent=agent, signals=("graph",), diversity=1.0)

    paths = {hit.id: hit.path for hit in answer.hits}
    assert set(paths) == {first, second}
    assert paths[first] == "Ada → about"
    assert paths[second] == f"Ada → about {first} → names Lumen Works → about"
    assert "Ada" in answer.entities


async def test_a_depth_of_none_stays_with_the_entity_itself(graph, agent):
    memory = engine_on(graph, depth=0, best=0)
    first, _ = await told(
        memory,
        agent,
        Draft(text="Ada works for Lumen Works.", about=("Ada",)),
        Draft(text="Lumen Works sits in Porto.", about=("Lumen Works",)),
    )

    answer = await memory.recall("Ada", agent=agent, signals=("graph",))

    assert ids(answer) == [first]


@pytest.mark.parametrize("asked", ["Where is Caro?", "Where is Carolyne?", "where is caroline?"])
async def test_an_entity_is_known_by_alias_by_a_slip_and_in_lower_case(graph, agent, asked):
    memory = engine_on(graph)
    wanted, *_ = await told(memory, agent, Draft(text="She moved.", about=("Caroline",)), *NOISE)
    await entity(graph, agent, "Caroline", "Caro")

    answer = await engine_on(graph).recall(asked, agent=agent, signals=("graph",))

    assert ids(answer) == [wanted]
    assert answer.entities == ("Caroline",)


async def test_an_entity_that_was_merged_stands_for_what_it_became(graph, agent):
    memory = engine_on(graph)
    wanted, *_ = await told(memory, agent, Draft(text="She moved.", about=("Caroline",)), *NOISE)
    old = await entity(graph, agent, "Lina")
    older = await entity(graph, agent, "Linchen")
    new = entity_key(agent, "Caroline")
    await graph.write(MERGE, agent=agent, old=old, new=new)
    await graph.write(MERGE, agent=agent, old=older, new=old)

    answer = await engine_on(graph).recall("Where is Linchen?", agent=agent, signals=("graph",))

    assert ids(answer) == [wanted]
    assert answer.entities == ("Caroline",)


@pytest.mark.parametrize("known", [True, False])
async def test_a_relation_leads_on_while_it_holds(graph, agent, known):
    memory = engine_on(graph, best=0)
    wanted, *_ = await told(
        memory, agent, Draft(text="It is by the sea.", about=("Porto",)), *NOISE
    )
    if known:
        await told(memory, agent, Draft(text="She sings.", about=("Ada",)))
    ada, porto = await entity(graph, agent, "Ada"), entity_key(agent, "Porto")
    edge = {"agent": agent, "one": ada, "other": porto, "type": "lives in", "confidence": 0.9}
    await graph.write(RELATE, **edge, begins=NOW, ends=SOON)

    async def asked(as_of: datetime):
        return await memory.recall("Ada", agent=agent, signals=("graph",), as_of=as_of)

    await graph.write(SET, agent=agent, id=wanted, properties={"valid_from": LONG_AGO})
    during, before = await asked(NOW + timedelta(days=1)), await asked(NOW - timedelta(days=1))
    after = await asked(SOON + timedelta(days=1))

    assert {hit.id: hit.path for hit in during.hits}[wanted] == "Ada → lives in Porto → about"
    assert wanted not in ids(before) + ids(after)


async def test_edges_that_say_nothing_of_their_confidence_are_walked(graph, memory, agent):
    wanted, *_ = await told(memory, agent, Draft(text="She moved.", about=("Caroline",)), *NOISE)
    await graph.write(PLAIN_EDGES, agent=agent)

    answer = await memory.recall("Caroline", agent=agent, signals=("graph",))

    assert ids(answer) == [wanted]


async def test_what_is_linked_to_a_hit_comes_along(graph, agent):
    memory = engine_on(graph, expand_floor=0)
    first, second, *_ = await told(
        memory, agent, "The boat is red.", "Unlike all else, 42.", *NOISE
    )
    await memory.graph.write(LINK, agent=agent, one=second, other=first)

    answer = await memory.recall("red boat", agent=agent, signals=("bm25",))
    alone = await memory.recall("red boat", agent=agent, signals=("bm25",), expand=0)

    assert [(hit.id, hit.beside) for hit in answer.hits] == [(first, None), (second, first)]
    assert answer.hits[1].score < answer.hits[0].score
    assert ids(alone) == [first]


async def test_the_turns_beside_a_hit_are_looked_at_too(memory, agent):
    said = [("Shall we paint the boat?", 1), ("Yes, tomorrow.", 2), ("Bring rope.", 3)]
    first, second, _ = await told(
        memory, agent, *(Draft(text=t, session="s", position=p, said_at=NOW) for t, p in said)
    )

    answer = await memory.recall("paint boat", agent=agent, signals=("bm25", "graph"))

    assert ids(answer)[0] == first
    assert second in ids(answer)


async def test_a_summary_names_its_sources_and_counts_less(memory, agent):
    summary, source = await told(memory, agent, "They talked of boats.", "A long talk on boats.")
    await memory.graph.write(SUMMARISE, agent=agent, summary=summary, source=source)

    answer = await memory.recall("boats", agent=agent)

    hit = next(each for each in answer.hits if each.id == summary)
    assert hit.sources == (source,)
    assert hit.factors["summary"] == pytest.approx(0.75)
    assert hit.score < hit.relevance


@pytest.mark.parametrize("preset", get_args(Preset))
async def test_every_preset_answers(memory, agent, preset):
    wanted, *_ = await told(memory, agent, "Caroline moved to Lisbon.", *NOISE)

    answer = await memory.recall("Caroline moved", agent=agent, preset=preset)

    assert ids(answer)[0] == wanted
    assert all(0 < hit.score <= 1 for hit in answer.hits)
    assert answer.ranking == ("evidence" if preset == "neomem" else preset)


@pytest.mark.parametrize("fusion", get_args(Fusion))
async def test_every_fusion_answers(memory, agent, fusion):
    wanted, *_ = await told(memory, agent, "Caroline moved to Lisbon.", *NOISE)

    answer = await memory.recall("Caroline moved", agent=agent, fusion=fusion)

    assert ids(answer)[0] == wanted
    assert all(0 < hit.score <= 1 for hit in answer.hits)
    assert answer.ranking == fusion


async def test_every_hit_says_why_it_is_there(memory, agent):
    await told(memory, agent, Draft(text="Caroline moved to Lisbon.", about=("Caroline",)), *NOISE)

    answer = await memory.recall("Where did Caroline move?", agent=agent)

    best = answer.hits[0]
    assert {said.signal for said in best.said} == {"vector", "bm25", "graph"}
    assert all(said.rank >= 1 and 0 <= said.score <= 1 for said in best.said)
    assert best.terms == ("caroline", "move")
    assert best.path == "Caroline → about"
    assert best.factors.keys() == {"recency", "summary", "trust"}
    assert answer.question_class == "entity"
    assert {"signals", "scoring", "neighbours", "pack"} <= answer.steps.keys()
