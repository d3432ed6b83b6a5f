"""The quality benchmark's own arithmetic: systems, tables, updates."""

from benchmarks.quality import updates
from benchmarks.quality.dataset import Question
from benchmarks.quality.report import System, table


def a_question(number=1, category="a", gold=("x",), more=None):
    return Question(f"q{number}", "talk", "Who?", category, dict.fromkeys(gold, 1.0), more or {})


def test_means_over_questions_and_over_categories_differ():
    system = System("ours")
    system.heard(a_question(1, "a"), ["x"])
    system.heard(a_question(2, "a"), ["x"])
    system.heard(a_question(3, "b"), ["y"])

    figures = system.figures()

    assert round(figures["ndcg@10"], 4) == 0.6667
    assert figures["mean_ndcg@10"] == 0.5
    assert figures["ndcg@10 by category"] == {"a": 1.0, "b": 0.0}


def test_the_table_has_a_row_for_each_system():
    system = System("ours")
    system.heard(a_question(), ["y", "x"])

    rows = table({"systems": {"ours": system.figures()}}).splitlines()

    assert rows[2].startswith("| ours | 63.1 |")
    assert len(rows) == 3


def test_an_update_counts_when_the_newer_statement_comes_first():
    said = {"source_chat_ids": {"original_info": [1], "updated_info": [2]}}
    system = System("ours")
    system.heard(a_question(1, more=said), ["talk/2", "talk/1"])
    system.heard(a_question(2, more=said), ["talk/1", "talk/2"])
    system.heard(a_question(3, more=said), ["talk/9"])

    assert updates._counted(system) == "1 of 3"
