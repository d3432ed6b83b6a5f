import pytest

from neomem.recall.adjust import DAY
from neomem.recall.evidence import Candidate, Signal, voice
from neomem.recall.fusion import ranking
from neomem.recall.presets import PRESETS

NOW = 2_000_000_000.0
ALIKE: dict[Signal, float] = {"vector": 1.0, "bm25": 1.0, "graph": 1.0}
ENTITY: dict[Signal, float] = {"vector": 0.8, "bm25": 1.0, "graph": 1.3}
GRAPH = voice("graph", "entities", {"d": 1.0})


def a_memory(name: str, *, days: float = 0.0, **more) -> Candidate:
    return Candidate(id=name, text=name, event_at=NOW - days * DAY, **more)


def known(*memories: Candidate) -> dict[str, Candidate]:
    return {memory.id: memory for memory in memories}


def near(scores):
    return pytest.approx(scores, abs=5e-7)


def test_openclaw_mixes_cosine_with_the_rank_of_the_text_and_ages_dated_files():
    voices = [
        voice("vector", "bare", {"a": 0.9, "b": 0.6, "d": 0.5}),
        voice("bm25", "words", {"b": 1.0, "c": 0.8, "d": 0.7}),
    ]
    memories = known(
        a_memory("a", days=400),
        a_memory("b", days=30, path="2033-04-18.md"),
        a_memory("c", days=90, path="MEMORY.md", evergreen=True),
        a_memory("d", days=7, path="2033-05-11.md"),
    )

    scores = PRESETS["openclaw"].score([*voices, GRAPH], memories, ALIKE, NOW)

    # a: .7 · .9                                no file: no age
    # b: (.7 · .6 + .3 / 1) · 2^(-30/30) = .72 · .5
    # c: .3 / 2                                 evergreen: no age
    # d: (.7 · .5 + .3 / 3) · 2^(-7/30) = .45 · .850667
    assert scores == near({"a": 0.63, "b": 0.36, "c": 0.15, "d": 0.3828})
    assert ranking(scores) == ["a", "d", "b", "c"]


def test_libravdb_adds_similarity_recency_and_scope():
    voices = [voice("vector", "bare", {"a": 0.8, "b": 0.6, "c": 0.9, "d": 0.5})]
    memories = known(
        a_memory("a", days=1, scope="user"),
        a_memory("b", days=1 / 24, scope="session"),
        a_memory("c", days=30, scope="global", kind="summary", decay_rate=0.4),
        a_memory("d", days=-3, scope="user"),
    )

    scores = PRESETS["libravdb"].score([*voices, GRAPH], memories, ALIKE, NOW)

    # a: .7 · .8 + .2 · e^(-.00001 · 86,400) + .1 · .6 = .56 + .2 · .421473 + .06
    # b: .7 · .6 + .2 · e^(-.0001 · 3,600) + .1 · 1 = .42 + .2 · .697676 + .1
    # c: (.7 · .9 + .2 · e^(-.000002 · 2,592,000) + .1 · .3) · .8 = (.63 + .2 · .005606 + .03) · .8
    # d: .7 · .5 + .2 · 1 + .1 · .6             ahead of time: now
    assert scores == near({"a": 0.704295, "b": 0.659535, "c": 0.528897, "d": 0.61})
    assert ranking(scores) == ["a", "b", "d", "c"]


def test_memory_neo4j_fuses_three_signals_on_its_own_scale_and_divides_by_the_best():
    cosines = {"a": 0.8, "b": 0.4, "c": -0.2, "d": -0.3, "e": -0.9}
    voices = [
        voice("vector", "bare", {name: max(0.0, cosine) for name, cosine in cosines.items()}),
        voice("bm25", "words", {"b": 1.0, "c": 0.5}),
        voice("graph", "entities", {"c": 0.7}),
    ]
    memories = known(*(a_memory(name, cosine=cosine) for name, cosine in cosines.items()))

    scores = PRESETS["memory-neo4j"].score(voices, memories, ENTITY, NOW)

    # On Neo4j's scale a .9, b .7, c .4, d .35 at ranks 1 to 4, and e .05 is below .1.
    # a: .8 · .9 / 61                                = .011803    / .028062
    # b: .8 · .7 / 62 + 1 / 61                       = .025426    / .028062
    # c: .8 · .4 / 63 + .5 / 62 + 1.3 · .7 / 61      = .028062, the best
    # d: .8 · .35 / 64                               = .004375    / .028062
    assert scores == near({"a": 0.420616, "b": 0.906057, "c": 1.0, "d": 0.155905})
    assert ranking(scores) == ["c", "b", "a", "d"]


def test_memory_neo4j_leaves_weak_scores_as_they_are():
    voices = [voice("vector", "bare", {"a": 0.2})]

    scores = PRESETS["memory-neo4j"].score(voices, known(a_memory("a", cosine=0.2)), ENTITY, NOW)

    # .8 · .6 / 61, less than .01
    assert scores == near({"a": 0.007869})


def test_memory_neo4j_reads_the_voice_where_the_cosine_is_not_known():
    voices = [voice("vector", "bare", {"a": 0.2})]

    scores = PRESETS["memory-neo4j"].score(voices, known(a_memory("a")), ENTITY, NOW)

    assert scores == near({"a": 0.007869})


PAIR = [
    voice("vector", "bare", {"a": 0.8, "b": 0.6, "c": 0.2}),
    voice("bm25", "words", {"c": 1.0, "a": 0.4, "d": 0.25}),
    GRAPH,
]
OF_PAIR = known(*(a_memory(name) for name in "abcd"))


def test_ruvbot_adds_reciprocal_ranks():
    scores = PRESETS["ruvbot"].score(PAIR, OF_PAIR, ENTITY, NOW)

    # a: 1/61 + 1/62    b: 1/62    c: 1/63 + 1/61    d: 1/63
    assert scores == near({"a": 0.032522, "b": 0.016129, "c": 0.032266, "d": 0.015873})
    assert ranking(scores) == ["a", "c", "b", "d"]


def test_ruvbot_linear_mixes_scores():
    scores = PRESETS["ruvbot-linear"].score(PAIR, OF_PAIR, ENTITY, NOW)

    # a: .7 · 1 + .3 · .4    b: .7 · .75    c: .7 · .25 + .3    d: .3 · .25
    assert scores == near({"a": 0.82, "b": 0.525, "c": 0.475, "d": 0.075})
    assert ranking(scores) == ["a", "b", "c", "d"]


def test_ruvbot_weighted_prefers_what_both_found():
    scores = PRESETS["ruvbot-weighted"].score(PAIR, OF_PAIR, ENTITY, NOW)

    # As linear, with .1 more for a and c.
    assert scores == near({"a": 0.92, "b": 0.525, "c": 0.575, "d": 0.075})
    assert ranking(scores) == ["a", "c", "b", "d"]


@pytest.mark.parametrize(
    ("name", "limit", "per_voice", "many"),
    [
        ("openclaw", 6, 24, 200),
        ("libravdb", 10, 40, 200),
        ("memory-neo4j", 5, 20, 200),
        ("ruvbot", 10, 30, 300),
        ("ruvbot-linear", 10, 30, 300),
        ("ruvbot-weighted", 10, 30, 300),
    ],
)
def test_each_asks_its_voices_for_a_multiple_of_the_limit(name, limit, per_voice, many):
    preset = PRESETS[name]

    assert preset.name == name
    assert preset.limit == limit
    assert preset.candidates(limit) == per_voice
    assert preset.candidates(100) == many


def test_only_openclaw_joins_terms_by_and_and_diversifies():
    assert [preset.name for preset in PRESETS.values() if preset.all_terms] == ["openclaw"]
    assert {p.name: p.diversity for p in PRESETS.values() if p.diversity} == {"openclaw": 0.7}


def test_silence_gives_no_scores():
    for preset in PRESETS.values():
        assert preset.score([], {}, ALIKE, NOW) == {}
