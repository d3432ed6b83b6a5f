"""The speed runs as tables and a picture."""

import pytest

from benchmarks.growth import growth
from benchmarks.speed.plot import summary, svg, tables


def a_run(memories, ours, theirs=None):
    systems = {"neomem": spread(ours)} | ({"a peer": spread(theirs)} if theirs else {})
    return {
        "memories": memories,
        "systems": systems,
        "neomem against": {"neo4j-graphrag": 1.2},
        "steps": {"signals": spread(ours / 2)},
        "recalls a second": {"one client": 20.0, "eight clients": 36.0},
        "eight clients against one": 1.8,
        "capture": {"a second": 40.0, "against the embedder alone": 1.2},
        "ann recall@20": 0.99,
        "store MB": 10,
    }


def spread(middle):
    return {"p50_ms": middle, "p95_ms": 2 * middle, "p99_ms": 3 * middle}


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_growth_is_the_power_of_n(power):
    points = [(n, 7.0 * n**power) for n in (1_000, 10_000, 100_000)]

    assert growth(points) == pytest.approx(power)


def test_a_system_that_was_not_asked_at_a_size_has_an_empty_cell():
    runs = [a_run(1_000, 20.0), a_run(10_000, 40.0, theirs=30.0)]

    assert "| neomem | 20 | 40 |" in summary(runs)
    assert "| a peer |  | 30 |" in summary(runs)
    assert "| neomem | 20.0, 40.0 | 40.0, 80.0 | n^0.30 |" in tables(runs)


def test_the_picture_has_a_line_for_each_system():
    picture = svg([a_run(1_000, 20.0, theirs=10.0), a_run(10_000, 40.0, theirs=30.0)])

    assert picture.count("<polyline") == 2
    assert picture.count("<circle") == 4
