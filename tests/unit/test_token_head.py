"""The head's arithmetic, with weights that can be followed by hand."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neomem.models import token_head
from neomem.models.recipes import RECIPES
from neomem.models.token_head import TokenHead, group


def spans_of(text: str) -> list[tuple[int, int]]:
    """Where the words of a text stand."""
    found, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        found.append((at, at + len(word)))
        at += len(word)
    return found


def a_head(**rows: float) -> TokenHead:
    """A head over vectors of one number that goes by capitals inside a sentence alone."""
    shapes = token_head.features(np.zeros((1, 1), np.float32), [(0, 1)], "x").shape[1]
    words = np.zeros((shapes, 3), np.float32)
    words[3 + 1, 1] = rows.get("begin", 9)  # a capital that is not the sentence's
    bias, types = np.array([4, 0, 0], np.float32), np.zeros((1, 6), np.float32)
    return TokenHead(words, bias, types, np.zeros(6, np.float32))


@pytest.mark.parametrize("model", RECIPES)
def test_every_model_has_a_head_of_a_few_kilobytes(model):
    head = TokenHead.load(model)

    assert head is not None
    assert head.words.shape[1] == 3
    assert head.types.shape == (384, len(token_head.TYPES))


def test_a_model_of_somebody_elses_has_none():
    assert TokenHead.load("text-embedding-9") is None


def test_a_capital_inside_a_sentence_is_found_and_placed():
    text = "then Ada left"

    (name,) = a_head().names(np.zeros((3, 1), np.float32), spans_of(text), text)

    assert text[name.start : name.end] == "Ada"
    assert name.confidence > 0.9


def test_a_text_without_tokens_has_no_names():
    assert a_head().names(np.zeros((0, 1), np.float32), [], "") == ()


def test_pieces_of_a_word_are_one_word_and_punctuation_is_its_own():
    text = "LeBron's 东京"
    pieces = [(0, 2), (2, 6), (6, 7), (7, 8), (9, 10), (10, 11)]

    assert group(pieces, text) == [(0, 1), (2, 2), (3, 3), (4, 4), (5, 5)]


@pytest.mark.parametrize(
    ("text", "kept"), [("Tim!", "Tim"), ("U.S.", "U.S."), ('"Ada"', "Ada"), ("Gina.", "Gina")]
)
def test_punctuation_at_the_ends_is_no_part_of_a_name(text, kept):
    start, end = token_head._trimmed(text, 0, len(text))

    assert text[start:end] == kept


@given(st.lists(st.tuples(*[st.floats(-20, 0)] * 3), max_size=12))
def test_names_never_overlap_and_none_begins_inside(rows):
    names = token_head._decode(np.array(rows, np.float32).reshape(-1, 3))

    assert all(first <= last for first, last in names)
    assert all(one[1] < other[0] for one, other in pairwise(names))


@given(st.text(max_size=60))
def test_any_text_can_be_looked_at(text):
    spans = spans_of(text)

    names = a_head().names(np.zeros((len(spans), 1), np.float32), spans, text)

    assert all(0 <= name.start < name.end <= len(text) for name in names)
