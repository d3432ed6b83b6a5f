"""The second pass: evidence as numbers, and what weights make of it."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from importlib import resources

import numpy as np
import pytest

from neomem.recall.evidence import Candidate, voice
from neomem.recall.features import FEATURES, Asked, features, talk
from neomem.recall.scoring import by_evidence
from neomem.recall.second_pass import BY_HAND, Logistic, SecondPass, of_embedder

ASKED = Asked(
    text="When did Ada buy the green rope?",
    terms=("ada", "buy", "green", "rope"),
    entities=frozenset({"1:ada"}),
    floor=0.7,
)


def a_candidate(name="a", text="Ada bought the green rope in May.", **more):
    return Candidate(id=name, text=text, **more)


def a_turn(*given, **more):
    return a_candidate(*given, kind="turn", **more)


def evidence_of(*candidates, voices=(), fused=None):
    known = {each.id: each for each in candidates}
    rows = features(ASKED, known, voices, fused or {})
    return [dict(zip(FEATURES, row, strict=True)) for row in rows]


def test_there_is_a_row_for_each_candidate_and_a_column_for_each_feature():
    rows = features(ASKED, {"a": a_candidate(), "b": a_candidate("b")}, [], {})

    assert rows.shape == (2, len(FEATURES))
    assert np.isfinite(rows).all()


def test_likeness_is_on_the_one_scale_and_against_the_best():
    first, second = evidence_of(a_candidate(cosine=0.85), a_candidate("b", cosine=0.76))

    assert first["similarity"] == pytest.approx(0.5)
    assert second["similarity against best"] == pytest.approx(0.2 - 0.5)
    assert first["context similarity"] == first["similarity"]  # it has no context of its own


def test_ranks_count_for_more_the_higher_they_are():
    heard = voice("bm25", "words", {"a": 1.0, "b": 0.5}, raw={"a": 12.0, "b": 6.0})

    first, second = evidence_of(a_candidate(), a_candidate("b"), voices=[heard])

    assert (first["rank words"], second["rank words"]) == (10 / 11, 10 / 12)
    assert (first["bm25"], second["bm25"]) == (0.5, 6 / 18)
    assert second["bm25 against best"] == 0.5


def test_what_the_text_is_about_and_looks_like_is_seen():
    ours, theirs = evidence_of(
        a_turn(about=("1:ada",)),
        a_turn("b", "Did you buy it?", about=("1:tom",)),
    )

    assert (ours["subject"], ours["other subject"], ours["time"], ours["question"]) == (1, 0, 1, 0)
    assert (theirs["subject"], theirs["other subject"], theirs["question"]) == (0, 1, 1)
    assert ours["rare coverage"] == pytest.approx(1)
    assert ours["rare coverage"] > theirs["rare coverage"]


def test_the_turns_beside_a_candidate_speak_for_it():
    asked = a_turn("q", "When did you buy it?", cosine=0.9, context_cosine=0.94, after="a")
    said = a_candidate(cosine=0.8, before="q")

    _, row = evidence_of(asked, said)

    assert row["answers a question"] == 1
    assert row["similarity before"] == pytest.approx(0.8)
    assert row["similarity after"] == 0


def test_what_answers_a_question_like_the_one_asked_gains_from_it():
    asked = a_turn("q", "When did you buy it?", context_cosine=0.94, after="a")
    said = a_candidate(before="q")
    beside_a_statement = a_candidate("c", before="s")
    statement = a_candidate("s", "I bought it.", context_cosine=0.94, after="c")

    rows = evidence_of(asked, said, statement, beside_a_statement)

    assert rows[1]["answers a like question"] == pytest.approx(0.8)
    assert rows[3]["answers a like question"] == 0


def test_words_of_the_turns_around_count_with_those_of_a_turn():
    rows = evidence_of(
        a_candidate("a", "Ada went shopping.", after="b"),
        a_candidate("b", "What did she buy?", before="a", after="c"),
        a_candidate("c", "A rope.", before="b", after="d"),
        a_candidate("d", "A green one?", before="c"),
    )

    third = rows[2]
    assert third["rare coverage"] < third["coverage with turns beside"]
    assert third["coverage with turns beside"] < third["coverage with turns around"]
    assert third["coverage with turns around"] == pytest.approx(1)
    assert third["coverage with turns before"] < 1


def test_a_session_is_as_like_as_its_best():
    rows = evidence_of(
        a_candidate("a", cosine=0.85, session="1"),
        a_candidate("b", cosine=0.73, session="1"),
        a_candidate("c", cosine=0.76, session="2"),
        a_candidate("d", cosine=0.99),
    )

    assert rows[0]["session similarity"] == rows[1]["session similarity"] == pytest.approx(0.3)
    assert rows[2]["session similarity against best"] == pytest.approx(-0.1)
    assert rows[3]["session similarity"] == 0


def test_likeness_to_what_is_nearest_is_evidence_too():
    near, far = evidence_of(
        a_candidate(feedback_cosine=0.94), a_candidate("b", feedback_cosine=0.76)
    )

    assert near["feedback"] == pytest.approx(0.8)
    assert far["feedback against best"] == pytest.approx(-0.6)


def test_the_time_a_question_names_is_looked_for():
    asked = Asked(text="What did Ada buy in May 2023?", terms=(), entities=frozenset(), floor=0.7)
    may, june = (datetime(2023, month, 3, tzinfo=UTC).timestamp() for month in (5, 6))
    known = {"a": a_candidate("a", event_at=may), "b": a_candidate("b", event_at=june)}

    rows = features(asked, known, [], {})

    assert rows[:, FEATURES.index("month asked for")].tolist() == [1, 0]


def test_a_session_counts_by_its_share_of_all_that_was_found():
    rows = evidence_of(
        a_candidate(session="1"),
        a_candidate("b", session="1"),
        a_candidate("c", session="2"),
        fused={"a": 0.5, "b": 0.5, "c": 0.25},
    )

    assert [row["session"] for row in rows] == [1, 1, 0.25]


def test_no_candidates_give_no_rows():
    assert features(ASKED, {}, [], {}).shape == (0, len(FEATURES))


@pytest.mark.parametrize(
    ("speaker", "who"),
    [("user", "user"), ("Assistant", "assistant"), ("Ada", None), (None, None)],
)
def test_who_talks_to_an_assistant_is_known_by_name(speaker, who):
    assert talk(a_candidate(speaker=speaker)) == who


def test_each_kind_of_talk_has_weights_of_its_own():
    model = SecondPass(Logistic(1.0, {}), Logistic(2.0, {}), Logistic(3.0, {}))
    each = [
        a_candidate("p", kind="turn", speaker="Ada"),
        a_candidate("u", kind="turn", speaker="user"),
        a_candidate("t", kind="chunk"),
    ]

    chances = model(each, np.zeros((3, len(FEATURES))))

    assert chances == pytest.approx([1 / (1 + np.exp(-bias)) for bias in (1, 2, 3)])


@pytest.mark.parametrize(
    ("said", "bias"),
    [
        ("Who sold the rope?", 3.0),
        ("what colour is the rope", 3.0),
        ("The rope is green.", 4.0),
        ("Buy a new rope", 4.0),
    ],
)
def test_texts_are_judged_by_other_weights_where_nothing_is_asked(said, bias):
    model = SecondPass(*(Logistic(each, {}) for each in (1.0, 2.0, 3.0, 4.0)))
    each = [a_candidate("p", kind="turn", speaker="Ada"), a_candidate("t", kind="chunk")]

    chances = model.asked(said)(each, np.zeros((2, len(FEATURES))))

    assert chances == pytest.approx([1 / (1 + np.exp(-1.0)), 1 / (1 + np.exp(-bias))])
    assert BY_HAND.asked(said) is BY_HAND


def test_what_a_feature_adds_to_the_odds_is_told():
    row = np.array([0.5 if name == "fused" else 0.0 for name in FEATURES])

    assert BY_HAND.spoken(a_candidate(), row) == {"fused": 2.0}


def test_an_embedder_nobody_fitted_has_the_weights_set_by_hand():
    assert of_embedder("someone/else") is BY_HAND
    assert of_embedder("no-such-model") is BY_HAND


def test_fitted_weights_name_only_features_there_are():
    file = resources.files("neomem.recall") / "weights" / "e5-small-v2.json"
    fitted = json.loads(file.read_text(encoding="utf-8"))

    for part in ("people", "assistant", "texts", "statements"):
        assert 0 < len(fitted[part]["weights"]) == len({*fitted[part]["weights"]} & {*FEATURES})
    assert of_embedder("e5-small-v2") is not BY_HAND


def test_who_asks_of_strangers_is_told_that_little_is_known():
    known = {each.id: each for each in (a_candidate(), a_candidate("b", "Tom bought a rope."))}
    of_nobody = replace(ASKED, entities=frozenset(), strangers=("Tom Brown",))

    asked, of_strangers = (
        by_evidence(BY_HAND, each, known, [], {"a": 0.9, "b": 0.9}) for each in (ASKED, of_nobody)
    )

    assert of_strangers["a"].relevance < asked["a"].relevance
    assert of_strangers["a"].spoken()["of strangers"] < 0
    assert of_strangers["b"].relevance == pytest.approx(asked["b"].relevance)  # it names him
