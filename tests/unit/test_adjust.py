import pytest

from neomem.recall.adjust import (
    DAY,
    TwoPass,
    factors,
    recency,
    recency_factor,
    summary_quality,
    two_pass,
)
from neomem.recall.evidence import Candidate

NOW = 2_000_000_000.0
SETTINGS = TwoPass(recency=0.2, frequency=0.3, authored=0.5)


def a_memory(name: str, *, days: float = 0.0, text: str = "", **more) -> Candidate:
    return Candidate(id=name, text=text, event_at=NOW - days * DAY, **more)


@pytest.mark.parametrize(
    ("days", "expected"), [(0, 1.0), (7, 0.850667), (30, 0.5), (90, 0.125), (300, 0.000977)]
)
def test_recency_halves_every_thirty_days(days, expected):
    assert recency(days * DAY) == pytest.approx(expected, abs=5e-7)


def test_what_lies_ahead_counts_as_now():
    assert recency(-5 * DAY) == 1.0


def test_another_half_life_may_be_set():
    assert recency(7 * DAY, half_life_days=7) == 0.5


@pytest.mark.parametrize(("strength", "expected"), [(0.0, 1.0), (0.4, 0.8), (1.0, 0.5)])
def test_strength_says_how_strongly_age_speaks(strength, expected):
    old = a_memory("m", days=30)

    assert recency_factor(old, NOW, half_life_days=30, strength=strength) == expected


@pytest.mark.parametrize(
    "old", [a_memory("m", days=900, evergreen=True), a_memory("m", days=900, pinned=True)]
)
def test_evergreen_and_pinned_memories_do_not_age(old):
    assert recency_factor(old, NOW, half_life_days=30, strength=1.0) == 1.0


@pytest.mark.parametrize(
    ("rate", "quality"), [(None, 1.0), (0.0, 1.0), (0.4, 0.8), (1.0, 0.5), (7.0, 0.5), (-1.0, 1.0)]
)
def test_a_summary_counts_for_what_it_kept(rate, quality):
    assert summary_quality(rate) == quality


def test_every_factor_has_a_name():
    memory = a_memory("m", days=30, decay_rate=0.4, trust=0.9)

    assert factors(memory, NOW, half_life_days=30, strength=1.0) == {
        "recency": 0.5,
        "summary": 0.8,
        "trust": 0.9,
    }


def test_two_passes_follow_the_closed_form():
    memories = [
        a_memory("m", days=30, text="the shop moved", authority=0.8, retrievals=3),
        a_memory("n", authority=0.0, retrievals=7),
    ]

    scores = two_pass(memories, {"m": 0.6, "n": 0.9}, ["shop", "lisbon"], NOW, SETTINGS)

    # m: ω = .2 · .5 + .3 · ln 4 / ln 8 + .5 · .8 = .7    S = .7 · .6 · (1 + .3 · .5) / 1.3
    # n: ω = .2 + .3 = .5                                 S = .5 · .9 / 1.3
    assert scores == pytest.approx({"m": 0.371538, "n": 0.346154}, abs=5e-7)


def test_retrievals_add_nothing_when_there_were_none():
    memory = a_memory("m", days=30, text="shop", authority=0.8)

    scores = two_pass([memory], {"m": 0.6}, ["shop", "lisbon"], NOW, SETTINGS)

    # ω = .2 · .5 + 0 + .5 · .8 = .5    S = .5 · .6 · 1.15 / 1.3
    assert scores == pytest.approx({"m": 0.265385}, abs=5e-7)


def test_the_first_pass_takes_the_most_similar_however_good_the_others_are():
    settings = TwoPass(first=2, second=2)
    memories = [a_memory("a"), a_memory("b", authority=0.0), a_memory("c", authority=1.0)]

    scores = two_pass(memories, {"a": 0.9, "b": 0.31, "c": 0.3}, [], NOW, settings)

    # c would have scored more than b: 2/3 · .3 against 1/3 · .31
    assert list(scores) == ["a", "b"]


def test_the_first_pass_takes_nothing_below_the_floor():
    memories = [a_memory(name) for name in "abc"]

    scores = two_pass(memories, {"a": 0.9, "b": 0.29, "c": 0.3}, [], NOW, TwoPass(floor=0.3))

    assert list(scores) == ["a", "c"]


def test_the_second_pass_keeps_the_best_by_its_own_score():
    settings = TwoPass(first=2, second=1)
    memories = [a_memory("a", authority=0.1), a_memory("b", authority=1.0)]

    assert list(two_pass(memories, {"a": 0.61, "b": 0.6}, [], NOW, settings)) == ["b"]


def test_unlike_memories_score_nothing_and_unknown_ones_are_not_looked_at():
    memories = [a_memory("a"), a_memory("b")]

    assert two_pass(memories, {"a": -0.4}, [], NOW, TwoPass(floor=-1)) == {"a": 0.0}


@pytest.mark.parametrize(
    "wrong",
    [
        {"recency": 0.5, "frequency": 0.5, "authored": 0.5},
        {"recency": -0.5, "frequency": 0.5, "authored": 1.0},
        {"first": 10, "second": 11},
        {"first": 0, "second": 0},
        {"term_weight": -0.1},
    ],
)
def test_settings_that_would_break_the_bounds_are_refused(wrong):
    with pytest.raises(ValueError, match="must"):
        TwoPass(**wrong)
