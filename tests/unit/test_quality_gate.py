"""The quality benchmark's gate: what is worse than the committed figures is named."""

import json

import pytest

from benchmarks.quality.gate import fallen

COMMITTED = {"mean_ndcg@10": 0.6, "ndcg@10": 0.7, "recall@5": 0.8}


def a_run(changed=(), questions=100):
    return {
        "data": "talk",
        "questions": questions,
        "systems": {"neomem": COMMITTED | dict(changed)},
    }


@pytest.fixture
def committed(tmp_path):
    (tmp_path / "talk.json").write_text(json.dumps(a_run()), encoding="utf-8")
    return tmp_path


def test_what_fell_is_named(committed):
    assert fallen(a_run({"recall@5": 0.79}), committed) == ["recall@5 was 80.0 and is 79.0"]


def test_a_better_run_and_one_that_differs_by_chance_pass(committed):
    assert fallen(a_run({"recall@5": 0.9, "ndcg@10": 0.696}), committed) == []


def test_a_run_on_a_part_of_the_questions_is_not_compared(committed):
    assert fallen(a_run({"recall@5": 0.1}, questions=10), committed) == []


def test_data_without_committed_figures_passes(tmp_path):
    assert fallen(a_run(), tmp_path) == []
