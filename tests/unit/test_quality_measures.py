"""The figures of the quality benchmark, worked out by hand, and how it reads a folder."""

import json
from datetime import UTC, datetime

import pytest

from benchmarks.quality.dataset import ALL, Dataset
from benchmarks.quality.measures import MEASURES, auroc, bootstrap, mrr, ndcg, recall

TURNS = [
    {
        "_id": "a1",
        "conv": "a",
        "session": 1,
        "date": "1:56 pm on 8 May, 2023",
        "speaker": "Ann",
        "text": "I bought a kayak.",
        "image_caption": "a red boat",
    },
    {"_id": "a2", "conv": "a", "batch": 7, "date": "around harvest", "text": "It leaks."},
    {"_id": "b1", "conv": "b", "text": "Bees sleep in winter."},
]
ASKED = [
    {"_id": "q1", "conv": "a", "text": "What leaks?", "category": 4},
    {"_id": "q2", "conv": "b", "text": "Who sleeps?", "type": "plain"},
    {"_id": "q3", "conv": "a", "text": "Who knows?", "category": 5},
    {"_id": "q4", "conv": "a", "text": "Nobody judged this.", "category": 5},
]


@pytest.fixture
def folder(tmp_path):
    return write(
        tmp_path / "talks",
        TURNS,
        ASKED,
        [
            ("q1", "a2", "2"),
            ("q1", "a1", "1"),
            ("q1", "b1", "0"),
            ("q2", "b1", "1"),
            ("q3", "a1", "0"),
        ],
    )


def write(folder, corpus, queries, judged):
    folder.mkdir()
    for name, rows in (("corpus", corpus), ("queries", queries)):
        lines = "\n\n".join(json.dumps(row) for row in rows)
        (folder / f"{name}.jsonl").write_text(lines + "\n", encoding="utf-8")
    table = "\n".join("\t".join(row) for row in (("query-id", "corpus-id", "score"), *judged))
    (folder / "qrels.tsv").write_text(table + "\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        (["a"], {"a": 1.0}, 1.0),
        (["x", "a"], {"a": 1.0}, 0.63093),  # 1 / log2(3)
        (["a", "x", "b"], {"a": 1.0, "b": 1.0}, 0.91972),  # 1.5 / (1 + 0.63093)
        (["a", "b"], {"a": 1.0, "b": 3.0}, 0.79671),  # (1 + 3 * 0.63093) / (3 + 0.63093)
        (["b", "a"], {"a": 1.0, "b": 3.0}, 1.0),
        (["x"], {"a": 1.0}, 0.0),
        ([], {"a": 1.0}, 0.0),
    ],
)
def test_ndcg_weighs_gains_by_place_against_the_best_order(found, gold, expected):
    assert ndcg(found, gold) == pytest.approx(expected, abs=1e-5)


def test_ndcg_sees_ten_places_only():
    fillers = [f"x{number}" for number in range(9)]
    gold = {"a": 1.0}

    assert ndcg([*fillers, "a"], gold) == pytest.approx(0.28906, abs=1e-5)  # 1 / log2(11)
    assert ndcg([*fillers, "y", "a"], gold) == 0.0


def test_ndcg_is_whole_when_ten_of_more_gold_fill_the_places():
    gold = {f"g{number}": 1.0 for number in range(12)}

    assert ndcg(list(gold)[:10], gold) == pytest.approx(1.0)


@pytest.mark.parametrize(("at", "expected"), [(1, 0.0), (2, 1 / 3), (4, 2 / 3), (10, 2 / 3)])
def test_recall_is_the_share_of_the_gold_among_the_first(at, expected):
    gold = {"a": 1.0, "b": 1.0, "c": 1.0}

    assert recall(["x", "a", "y", "b"], gold, at) == pytest.approx(expected)


def test_mrr_looks_at_the_first_gold_only():
    gold = {"a": 1.0, "b": 1.0}

    assert mrr(["x", "y", "z", "b", "a"], gold) == 0.25
    assert mrr(["x"], gold) == 0.0


def test_the_table_of_measures_computes_what_its_names_say():
    found, gold = ["x", "y", "a"], {"a": 1.0, "b": 1.0}

    figures = {name: measure(found, gold) for name, measure in MEASURES.items()}

    assert figures == pytest.approx(
        {
            "ndcg@10": 0.30657,  # (1 / log2(4)) / (1 + 1 / log2(3))
            "recall@2": 0.0,
            "recall@5": 0.5,
            "recall@10": 0.5,
            "mrr": 1 / 3,
        },
        abs=1e-5,
    )


@pytest.mark.parametrize(
    ("answerable", "unanswerable", "expected"),
    [
        ([0.9, 0.8], [0.1, 0.2, 0.3], 1.0),
        ([0.1], [0.9], 0.0),
        ([0.5, 0.5], [0.5], 0.5),
        ([0.9, 0.4], [0.6, 0.1], 0.75),  # three of four pairs
        ([0.7, 0.5], [0.5, 0.2], 0.875),  # three pairs and half of the tied one
        ([2, 2, 1], [2, 1, 1, 0], 0.75),  # twice (3 + 1/2), once (1 + 2/2), of twelve pairs
    ],
)
def test_auroc_counts_pairs_and_half_of_the_tied_ones(answerable, unanswerable, expected):
    assert auroc(answerable, unanswerable) == pytest.approx(expected)


def test_bootstrap_bounds_lie_two_standard_errors_around_the_mean():
    values = [0.0, 1.0] * 50  # the mean's standard error is 0.5 / sqrt(100)

    low, high = bootstrap(values)

    assert low == pytest.approx(0.402, abs=0.02)
    assert high == pytest.approx(0.598, abs=0.02)


def test_bootstrap_of_equal_values_leaves_no_doubt():
    assert bootstrap([0.25] * 8) == (0.25, 0.25)


def test_bootstrap_draws_the_same_every_time():
    values = [0.1, 0.5, 0.9, 0.2]

    assert bootstrap(values) == bootstrap(values)


def test_texts_go_by_conversation_in_their_order(folder):
    texts = Dataset(folder).texts

    assert {group: [draft.external_id for draft in drafts] for group, drafts in texts.items()} == {
        "a": ["a1", "a2"],
        "b": ["b1"],
    }
    assert [draft.position for draft in texts["a"]] == [0, 1]


def test_a_turn_keeps_who_said_it_when_and_what_was_shown(folder):
    turn = Dataset(folder).texts["a"][0]

    assert turn.text == "I bought a kayak. [image: a red boat]"
    assert (turn.speaker, turn.session) == ("Ann", "1")
    assert (turn.said_at, turn.said) == (datetime(2023, 5, 8, 13, 56, tzinfo=UTC), None)


def test_a_date_that_cannot_be_read_is_kept_as_it_was_written(folder):
    turn = Dataset(folder).texts["a"][1]

    assert (turn.said_at, turn.said) == (None, "around harvest")


def test_a_session_is_the_batch_or_the_whole_talk_where_there_is_none(folder):
    texts = Dataset(folder).texts

    assert (texts["a"][1].session, texts["b"][0].session) == ("7", "all")


def test_only_questions_that_something_answers_are_asked(folder):
    asked = Dataset(folder).questions

    assert [(each.id, each.group, each.category, each.gold) for each in asked] == [
        ("q1", "a", "4", {"a2": 2.0, "a1": 1.0}),
        ("q2", "b", "plain", {"b1": 1.0}),
    ]


def test_chosen_groups_leave_the_others_out(folder):
    chosen = Dataset(folder, groups=("b",))

    assert list(chosen.texts) == ["b"]
    assert [each.id for each in chosen.questions] == ["q2"]


@pytest.mark.parametrize(
    ("most", "asked"), [(1, ["q1"]), (2, ["q1", "q2"]), (9, ["q1", "q2"]), (None, ["q1", "q2"])]
)
def test_some_of_the_questions_are_taken_evenly(folder, most, asked):
    assert [each.id for each in Dataset(folder, most=most).questions] == asked


def test_passages_without_a_talk_are_one_group_about_their_titles(tmp_path):
    passages = [{"_id": "0", "title": "Kayak", "text": "A boat."}]
    asked = [
        {"_id": "q1", "text": "What floats?", "hops": 2},
        {"_id": "q2", "text": "What else?"},
    ]
    judged = [("q1", "0", "1"), ("q2", "0", "1")]

    dataset = Dataset(write(tmp_path / "passages", passages, asked, judged))

    [passage] = dataset.texts[ALL]
    assert (passage.title, passage.about, passage.session) == ("Kayak", ("Kayak",), None)
    assert [each.category for each in dataset.questions] == ["2", ALL]
    assert not dataset.conversation


def test_a_folder_of_talks_is_recognised_and_named(folder):
    dataset = Dataset(folder)

    assert dataset.conversation
    assert dataset.name == "talks"
