"""A night's figures: what a summary is credited with, and which statement came first."""

from benchmarks.quality.nights import ahead, credited, table
from benchmarks.sleep import table as costs


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


def test_a_night_is_a_table_with_a_row_for_each_phase_that_changed_something():
    stage = {
        "ndcg@10": 0.53,
        "recall@10": 0.7,
        "live memories": 20,
        "updated before outdated": "3 of 4",
        "both in one summary": 0,
    }
    after = stage | {"ndcg@10": 0.541, "live memories": 9, "both in one summary": 1}
    figures = {"data": "talk", "groups": ["a"], "stages": {"before": stage, "compact": after}}

    assert "| before | 53.0 | 70.0 | 20 | 3 of 4 |  |" in table(figures)
    assert "| compact | 54.1 | 70.0 | 9 | 3 of 4 | 1 |" in table(figures)


def test_a_phase_has_its_time_and_peak_at_each_size_and_the_power_it_grows_by():
    def at(seconds):
        return {"phases": {"links": {"seconds": seconds, "sleeper peak MB": 200}}}

    told = costs({"sizes": {"10000": at(10.0), "20000": at(20.0), "50000": at(50.0)}})

    assert "| links | 10.0, 200 | 20.0, 200 | 50.0, 200 | n^1.00 |" in told
