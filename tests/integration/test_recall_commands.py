"""`neomem recall` and `neomem demo`, on the real server with the real models."""

import json

import pytest

from neomem.cli import demo
from neomem.model import Draft
from tests.conftest import REMOVE
from tests.integration.recall_engine import NOW, engine_on, told
from tests.integration.test_keeping_commands import run  # noqa: F401 - a fixture
from tests.integration.test_recall import LINK
from tests.support import cypher

ALL_OF = cypher("MATCH (n {agent: $agent}) RETURN labels(n) AS labels")
BOAT = "Caroline has a red boat in Lisbon."


@pytest.fixture
async def boat(graph, agent):
    """A memory with vectors that mean nothing, but with words and names."""
    draft = Draft(text=BOAT, about=("Caroline",), kind="fact", said_at=NOW)
    return (await told(engine_on(graph), agent, draft))[0]


async def test_an_answer_is_blocks_of_text_on_stdout(run, graph, agent, boat):  # noqa: F811
    memory = engine_on(graph)
    (constant,) = await told(memory, agent, "Answer in [short] sentences.")
    await memory.pin(constant, agent=agent)

    shown = await run("recall", "Where is Caroline's boat?", "--agent", agent)

    first, second = shown.stdout.strip().split("\n\n")
    assert shown.exit_code == 0
    assert first == f"pinned  {constant[:23]}\nAnswer in [short] sentences."
    assert second.splitlines()[0].split()[1:] == [boat[:23], "2026-05-04", "fact"]
    assert second.splitlines()[1] == BOAT


async def test_an_explanation_has_class_voices_terms_path_and_times(run, graph, agent, boat):  # noqa: F811
    memory = engine_on(graph)
    (linked,) = await told(memory, agent, "Unlike all else, 42.")
    await graph.write(LINK, agent=agent, one=boat, other=linked)

    shown = await run("recall", "Where is Caroline's boat?", "--agent", agent, "--explain")

    assert shown.exit_code == 0
    for part in (
        "class     entity (vector 0.8, bm25 1, graph 1.3)",
        "entities  Caroline",
        "ranking   evidence",
        "terms     caroline, boat",
        "path      Caroline → about",
        "bm25/words rank 1",
        "evidence  ",
        "signals ",
        " ms",
    ):
        assert part in shown.stdout


async def test_json_has_all_there_is_but_vectors(run, agent, boat):  # noqa: F811
    shown = await run("recall", "Caroline's boat", "--agent", agent, "--json")

    answer = json.loads(shown.stdout)
    hit = answer["hits"][0]
    assert answer["question"] == "Caroline's boat"
    assert (hit["memory"]["id"], hit["memory"]["text"]) == (boat, BOAT)
    assert 0 < hit["score"] <= 1
    assert {"signal", "voice", "rank", "score", "raw"} == hit["said"][0].keys()
    assert "embedding" not in shown.stdout
    assert answer["missing"] == {}


async def test_options_narrow_and_rank(run, agent, boat):  # noqa: F811
    async def found(*options: str) -> list[str]:
        result = await run("recall", "Caroline's boat", "--agent", agent, "--json", *options)
        return [hit["memory"]["id"] for hit in json.loads(result.stdout)["hits"]]

    assert await found("-n", "1", "--kind", "fact", "--signals", "bm25, graph") == [boat]
    assert await found("--since", "2026-05-01", "--until", "2026-06-01") == [boat]
    assert await found("--as-of", "2026-05-06", "--preset", "openclaw") == [boat]
    assert await found("--fusion", "rrf", "--budget", "100", "--show-finished") == [boat]
    assert await found("--kind", "event", "--session", "none", "--min-score", "1") == []
    assert await found("--as-of", "2026-05-01") == []
    assert await found("--limit", "0", "--budget", "0") == []


async def test_what_is_missing_is_said_on_stderr(run, agent, boat):  # noqa: F811
    silent = await run("recall", "what about it", "--agent", agent, "--signals", "bm25")
    nothing = await run("recall", "xyzzy", "--agent", agent, "--signals", "bm25,graph")
    full = await run("recall", "boat", "--agent", agent, "--budget", "1", "--signals", "bm25")

    assert (silent.exit_code, silent.stdout) == (0, "")
    assert "without bm25: the question has no words" in silent.stderr
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert "nothing is remembered that answers this" in nothing.stderr
    assert full.stdout == ""
    assert full.stderr == "1 more did not fit the budget\n"


async def test_recalled_memories_are_noted_by_the_command(run, graph, agent, boat):  # noqa: F811
    await run("recall", "Caroline's boat", "--agent", agent)

    assert (await engine_on(graph).get(boat, agent=agent)).retrievals == 1


@pytest.mark.parametrize(
    ("options", "code", "complaint"),
    [
        (["--limit", "-1"], 2, "--limit"),
        (["--min-score", "2"], 2, "--min-score"),
        (["--kind", "boat"], 2, "'boat' is not one of"),
        (["--signals", "smell"], 2, "some of vector,bm25,graph"),
        (["--signals", ","], 2, "some of vector,bm25,graph"),
        (["--fusion", "cold"], 2, "'cold' is not one of"),
        (["--preset", "mine"], 2, "'mine' is not one of"),
        (["--since", "yesterday"], 2, "--since"),
        (["--since", "2026-05-02", "--until", "2026-05-01"], 8, "since is not before until"),
        (["--preset", "libravdb", "--signals", "graph"], 8, "libravdb has no graph"),
    ],
)
async def test_bad_options_are_refused(run, graph, agent, options, code, complaint):  # noqa: F811
    result = await run("recall", "boat", "--agent", agent, *options)

    assert (result.exit_code, result.stdout) == (code, "")
    assert complaint in result.stderr


async def test_the_demo_tells_the_same_story_every_time_and_leaves_nothing(run, graph):  # noqa: F811
    first = await run("demo")
    after = await graph.read(ALL_OF, agent=demo.AGENT)
    again = await run("demo", "--json")

    assert (first.exit_code, again.exit_code) == (0, 0)
    assert after == []
    assert f'$ neomem recall "{demo.QUESTION}" --explain' in first.stdout
    assert "nothing of this was kept" in first.stdout
    steps = json.loads(again.stdout)["steps"]
    talk, note, asked, replaced, now, then, pinned, forgotten, restored = steps
    assert talk["result"] == {"stored": 11}
    assert set(note["result"]) == {"stored"}
    assert any("names Lumen Works → about" in str(hit["path"]) for hit in asked["answer"]["hits"])
    assert any("office is in Porto" in text for text in texts(asked))
    assert "office is in Porto" in replaced["result"]["replaced"]
    assert "to Braga" in texts(now)[0]
    assert "office is in Porto" in texts(then)[0]
    assert "prefers messages" in pinned["answer"]["pinned"][0]["text"]
    assert not any("60 metres" in text for text in texts(forgotten))
    assert "60 metres" in texts(restored)[0]


async def test_the_demo_can_leave_its_memories_to_be_looked_at(run, graph):  # noqa: F811
    try:
        kept = await run("demo", "--keep")
        listed = await run("list", "--agent", demo.AGENT, "--json")
        again = await run("demo")
    finally:
        await graph.write(REMOVE, agent=demo.AGENT)

    assert f"neomem browse recent --agent {demo.AGENT}" in kept.stdout
    assert len(json.loads(listed.stdout)["memories"]) > 10
    assert again.exit_code == 0
    assert await graph.read(ALL_OF, agent=demo.AGENT) == []


def texts(step):
    return [hit["memory"]["text"] for hit in step["answer"]["hits"]]


async def test_forgetting_by_a_question_suggests_and_asks_twice(run, graph, agent, boat):  # noqa: F811
    memory = engine_on(graph)
    asked = ("forget", "--question", "Where is Caroline's boat?", "--agent", agent, "--json")

    none = await run(*asked, answer="\n")
    wrong = await run(*asked, answer="99\n")
    refused = await run(*asked, answer="1\nn\n")
    kept = await memory.get(boat, agent=agent)
    done = await run(*asked, answer="1\ny\n")

    assert BOAT in none.stderr
    assert json.loads(none.stdout) == {"forgotten": []}
    assert wrong.exit_code == 2
    assert refused.exit_code == 1
    assert kept.live
    assert json.loads(done.stdout) == {"forgotten": [boat]}
    assert not (await memory.get(boat, agent=agent)).live


async def test_forgetting_by_a_question_never_goes_unasked(run, agent):  # noqa: F811
    unasked = await run("forget", "--question", "Boats?", "--yes", "--agent", agent)
    nothing = await run("forget", "--agent", agent)

    assert "a guess" in unasked.stderr
    assert "give ids, or a question" in nothing.stderr
    assert (unasked.exit_code, nothing.exit_code) == (2, 2)
