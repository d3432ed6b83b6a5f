from dataclasses import dataclass

import pytest

from neomem.errors import InputError
from neomem.recall.expansion import expand
from neomem.recall.packing import pack


@dataclass(frozen=True)
class Note:
    id: str
    text: str


def notes(**tokens: int) -> list[Note]:
    return [Note(name, "word" * count) for name, count in tokens.items()]


def test_pinned_memories_come_whole_and_found_ones_while_the_next_fits():
    packed = pack(notes(p=10), notes(a=5, b=5, c=5), budget=20)

    assert [note.id for note in packed.pinned] == ["p"]
    assert [note.id for note in packed.found] == ["a", "b"]
    assert packed.tokens == 20
    assert packed.left_out == 1


def test_nothing_worse_jumps_over_one_that_does_not_fit():
    packed = pack([], notes(a=5, big=50, small=1), budget=20)

    assert [note.id for note in packed.found] == ["a"]
    assert packed.left_out == 2


def test_a_found_memory_that_is_pinned_is_given_once():
    pinned = notes(p=10)

    packed = pack(pinned, [*pinned, *notes(a=5)], budget=15)

    assert [note.id for note in packed.found] == ["a"]
    assert packed.left_out == 0


def test_a_budget_below_the_pinned_set_is_refused_with_the_figures():
    with pytest.raises(InputError, match="need 10 tokens, the budget is 9") as failure:
        pack(notes(p=7, q=3), notes(a=1), budget=9)

    assert "at least 10" in str(failure.value.hint)


def test_a_budget_of_just_the_pinned_set_gives_it_alone():
    packed = pack(notes(p=10), notes(a=1), budget=10)

    assert packed.found == ()
    assert packed.left_out == 1


def test_without_a_budget_everything_is_packed():
    packed = pack(notes(p=10), notes(a=500, b=5_000), budget=None)

    assert len(packed.found) == 2
    assert packed.tokens == 5_510
    assert packed.left_out == 0


def test_every_memory_is_rounded_up_to_whole_tokens():
    assert pack([], [Note("a", "x"), Note("b", "字")], budget=2).tokens == 2


def test_a_neighbour_gets_a_share_of_its_best_parent():
    found = expand({"a": 0.5, "b": 0.9}, [("a", "n"), ("n", "b"), ("a", "m")])

    assert found == {"n": (pytest.approx(0.54), "b"), "m": (pytest.approx(0.3), "a")}
    assert list(found) == ["n", "m"]


def test_a_neighbour_below_the_floor_is_dropped():
    edges = [("a", "n"), ("b", "m")]

    assert list(expand({"a": 0.3, "b": 0.5}, edges)) == ["m"]
    assert list(expand({"a": 0.5, "b": 0.25}, edges, share=0.5, floor=0.25)) == ["n"]


def test_what_was_found_already_keeps_its_own_score():
    assert expand({"a": 0.9, "b": 0.3}, [("a", "b"), ("a", "a"), ("x", "y")]) == {}


def test_of_equal_parents_the_id_decides_whatever_the_order():
    edges = [("b", "n"), ("a", "n")]

    assert expand({"a": 0.9, "b": 0.9}, edges)["n"][1] == "a"
    assert expand({"a": 0.9, "b": 0.9}, edges[::-1])["n"][1] == "a"
