"""A night's figures: what a summary is credited with, and which statement came first."""

from benchmarks.quality.nights import ahead, credited


def test_a_summary_takes_a_place_for_each_source_that_answers_and_one_where_none_does():
    names = {"s": "", "a": "1", "t": ""}
    sources = {"s": ["2", "3", "4"], "t": ["5"]}

    found = list(credited(["t", "s", "a"], names, sources, {"2": 1.0, "4": 1.0}))

    assert found == ["t", "2", "4", "1"]


def test_a_source_is_credited_once():
    sources = {"s": ["2"], "t": ["2"]}

    assert list(credited(["s", "t"], {"s": "", "t": ""}, sources, {"2": 1.0})) == ["2", "t"]


def test_the_newer_statement_is_ahead_behind_or_beside_the_older():
    held = [{"1", "2"}, {"3"}]

    assert ahead(held, older={"3"}, newer={"1"}) == 1
    assert ahead(held, older={"1"}, newer={"3"}) == -1
    assert ahead(held, older={"1"}, newer={"2"}) == 0
    assert ahead(held, older={"8"}, newer={"9"}) == -1
    assert ahead(held, older={"1"}, newer={"1"}) == -1
