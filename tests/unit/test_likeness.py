"""How near candidates are, from vectors as they are kept."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neomem.ports import Vector, halves
from neomem.recall import likeness
from neomem.recall.likeness import compared

QUESTION = np.array([1.0, 0.0, 0.0], np.float32)
HALF = 0.002
"""What two bytes a number may be off by."""


def unit(*numbers: float) -> Vector:
    vector = np.array(numbers, np.float32)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def a_row(
    name: str, alone: Vector | None, inside: Vector | None = None, **more: Any
) -> dict[str, Any]:
    kept = None if alone is None else halves(alone, inside)
    lists = ("ties", "names", "sources")
    row: dict[str, Any] = dict.fromkeys(column for _, column in likeness._TOLD)
    row |= {key: [] for key in lists} | {"id": name, "text": name, "halves": kept}
    return row | more


@given(
    st.lists(
        st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1),
        min_size=2,
        max_size=2,
    )
)
def test_cosines_are_those_of_the_vectors_themselves(pair):
    alone, inside = (unit(*numbers) for numbers in pair)

    known = compared([a_row("a", alone, inside)], QUESTION)

    assert known["a"].cosine == pytest.approx(alone @ QUESTION, abs=HALF)
    assert known["a"].context_cosine == pytest.approx(inside @ QUESTION, abs=HALF)


def test_what_has_no_context_or_no_vector_has_no_cosine_for_it():
    rows = [a_row("alone", unit(1, 1, 0)), a_row("none", None)]

    known = compared(rows, QUESTION, ["alone"])

    assert known["alone"].cosine is not None
    assert known["alone"].context_cosine is None
    assert known["none"].cosine is known["none"].feedback_cosine is None


def test_without_the_questions_vector_nothing_is_compared():
    known = compared([a_row("a", unit(1, 0, 0))], None)

    assert known["a"].cosine is None


def test_feedback_is_nearness_to_the_middle_of_the_nearest():
    vectors = {"a": unit(1, 0, 0), "b": unit(0, 1, 0), "c": unit(0, 0, 1), "d": unit(1, 1, 0)}

    known = compared([a_row(*each) for each in vectors.items()], QUESTION, ["a", "b"])

    assert known["a"].feedback_cosine == pytest.approx(2**-0.5, abs=HALF)
    assert known["c"].feedback_cosine == pytest.approx(0.0, abs=HALF)
    assert known["d"].feedback_cosine == pytest.approx(1.0, abs=HALF)


def test_a_summary_is_judged_by_its_nearest_source():
    sources = [
        ["1", "far", "Ann", halves(unit(0, 1, 0), None), "5"],
        ["2", "near", "Bob", halves(unit(1, 0.1, 0), unit(1, 0, 0)), "4"],
    ]

    known = compared([a_row("s", unit(0, 0, 1), sources=sources)], QUESTION)

    assert (known["s"].text, known["s"].speaker, known["s"].turn_order) == ("near", "Bob", "4")
    assert known["s"].context_cosine == pytest.approx(1.0, abs=HALF)


def test_what_a_memory_is_joined_to_is_read():
    ties = [
        ["NEXT", True, "after"],
        ["NEXT", False, "before"],
        ["AMENDS", True, "older"],
        ["AMENDS", False, "newer"],
        ["LINKS", True, "other"],
        ["SIMILAR", False, "alike"],
        ["ABOUT", True, "ada"],
        ["IN_SESSION", True, "monday"],
    ]
    summary = a_row("its summary", None, ties=[["SUMMARISES", True, "older"]])

    known = compared([a_row("a", None, ties=ties), summary], None)

    assert (known["a"].before, known["a"].after) == ("before", "after")
    assert known["a"].amends == ("older", "its summary")
    assert known["a"].joined == (("LINKS", "other"), ("SIMILAR", "alike"))
    assert known["a"].about == ("ada",)


def test_what_would_amend_several_amends_none_of_them_for_sure():
    ties = [["AMENDS", True, "old"], ["AMENDS", True, "older"]]

    assert compared([a_row("a", None, ties=ties)], None)["a"].amends == ()
