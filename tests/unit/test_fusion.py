import pytest

from neomem.recall.evidence import Heard, Signal, Voice, voice
from neomem.recall.fusion import confidence_rrf, linear, ranking, rrf, weighted

VECTOR = voice("vector", "bare", {"a": 0.8, "b": 0.6, "c": 0.2})
WORDS = voice("bm25", "words", {"c": 1.0, "a": 0.4, "d": 0.25})
CONTEXT = voice("bm25", "context", {"b": 0.5, "a": 0.1})
GRAPH = voice("graph", "entities", {"b": 0.9})
PAIR: dict[Signal, float] = {"vector": 0.7, "bm25": 0.3}


def near(scores):
    return pytest.approx(scores, abs=5e-7)


def test_confidence_rrf_weighs_the_signal_the_voice_the_score_and_the_rank():
    voices = [
        Voice("vector", "bare", (Heard("a", 0.9, 1),)),
        Voice("bm25", "context", (Heard("b", 1.0, 1), Heard("a", 0.5, 2)), share=0.5),
    ]

    scores = confidence_rrf(voices, {"vector": 1.2, "bm25": 0.7})

    # a: 1.2 · .9 / 16 + .7 · .5 · .5 / 17    b: .7 · .5 · 1 / 16
    assert scores == near({"a": 0.077794, "b": 0.021875})


def test_a_signal_without_a_weight_says_nothing_in_confidence_rrf():
    assert confidence_rrf([WORDS, GRAPH], {"bm25": 1.0})["b"] == 0


def test_rrf_counts_ranks_alone():
    # a: 1/61 + 1/62    b: 1/62    c: 1/63 + 1/61    d: 1/63
    assert rrf([VECTOR, WORDS]) == near(
        {"a": 0.032522, "b": 0.016129, "c": 0.032266, "d": 0.015873}
    )


def test_equals_share_a_rank_so_that_none_wins_by_its_id():
    scores = rrf([voice("vector", "bare", {"a": 0.5, "b": 0.5})])

    assert scores["a"] == scores["b"] == pytest.approx(1 / 61.5)


def test_linear_divides_by_the_best_score_of_the_voice():
    # a: .7 · .8/.8 + .3 · .4    b: .7 · .6/.8    c: .7 · .2/.8 + .3    d: .3 · .25
    assert linear([VECTOR, WORDS], PAIR) == near({"a": 0.82, "b": 0.525, "c": 0.475, "d": 0.075})


def test_linear_makes_the_weights_sum_to_one():
    assert linear([VECTOR, WORDS], {"vector": 7, "bm25": 3}) == near(linear([VECTOR, WORDS], PAIR))


def test_linear_may_read_a_signal_by_its_rank():
    # c: .7 · .2/.8 + .3 · 1/(1+0)    a: .7 + .3 · 1/(1+1)    d: .3 · 1/(1+2)
    assert linear([VECTOR, WORDS], PAIR, by_rank={"bm25"}) == near(
        {"a": 0.85, "b": 0.525, "c": 0.475, "d": 0.1}
    )


def test_linear_may_leave_scores_as_they_are():
    # a: .7 · .8 + .3 · .4    b: .7 · .6    c: .7 · .2 + .3    d: .3 · .25
    assert linear([VECTOR, WORDS], PAIR, as_is={"vector"}) == near(
        {"a": 0.68, "b": 0.42, "c": 0.44, "d": 0.075}
    )


def test_of_several_voices_of_a_signal_linear_takes_the_best_word():
    # a: .4 in words, .1/.5 in context    b: .5/.5 in context
    assert linear([WORDS, CONTEXT], {"bm25": 1.0}) == near(
        {"a": 0.4, "b": 1.0, "c": 1.0, "d": 0.25}
    )


def test_linear_gives_nothing_for_scores_of_zero_or_weights_of_zero():
    silent = voice("vector", "bare", {"a": 0.0})

    assert linear([silent], {"vector": 1.0}) == {"a": 0.0}
    assert linear([GRAPH], {"graph": 0.0}) == {"b": 0.0}


def test_weighted_adds_a_bonus_for_what_two_signals_found():
    assert weighted([VECTOR, WORDS], PAIR) == near({"a": 0.92, "b": 0.525, "c": 0.575, "d": 0.075})


def test_two_voices_of_one_signal_earn_no_bonus():
    scores = weighted([WORDS, CONTEXT], {"bm25": 1.0})

    assert scores["a"] == pytest.approx(0.4)


def test_a_signal_without_a_weight_earns_no_bonus():
    assert weighted([VECTOR, GRAPH], PAIR)["b"] == pytest.approx(0.525)


def test_weighted_is_at_most_one():
    both = [voice("vector", "bare", {"a": 0.3}), voice("bm25", "words", {"a": 0.2})]

    assert weighted(both, PAIR) == {"a": 1.0}


def test_ties_in_a_ranking_fall_to_the_id():
    assert ranking({"c": 0.5, "a": 0.5, "d": 0.9, "b": 0.1}) == ["d", "a", "c", "b"]


def test_no_voice_gives_no_scores():
    assert confidence_rrf([], PAIR) == rrf([]) == linear([], PAIR) == weighted([], PAIR) == {}
