"""Cutting, batching and pooling, without a model."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neomem.models import batches
from neomem.models.batches import Tokens, fit, joined, pool
from neomem.ports import Embedding, Passage


@dataclass
class Words:
    """A tokenizer's answer: a token per word between two marks."""

    text: str

    def __post_init__(self):
        places = [(0, 0)]
        at = 0
        for word in self.text.split():
            at = self.text.index(word, at)
            places.append((at, at + len(word)))
            at += len(word)
        self.offsets = [*places, (0, 0)]
        self.ids = list(range(len(self.offsets)))
        self.type_ids = [0] * len(self.ids)
        self.special_tokens_mask = [1, *[0] * (len(self.ids) - 2), 1]


def tokens(passage: Passage, limit: int = 100, prefix: str = "passage: ") -> Tokens:
    text, begin = joined(prefix, passage)
    return fit(Words(text), len(prefix), begin, passage, limit)


def test_a_short_text_is_read_whole():
    found = tokens(Passage("Ada moved to Lisbon"))

    assert (found.ids, found.own, found.cut) == ([0, 1, 2, 3, 4, 5, 6], slice(2, 6), 0)
    assert found.spans == [(0, 3), (4, 9), (10, 12), (13, 19)]


def test_a_long_text_is_cut_at_its_end_and_the_marks_stay():
    found = tokens(Passage("one two three four five"), limit=6)

    assert found.ids == [0, 1, 2, 3, 4, 7]
    assert found.cut == len(" four five")


def test_context_gives_way_to_the_text_from_its_left():
    found = tokens(Passage("two three", context="a b c d"), limit=6)

    assert found.ids == [0, 1, 5, 6, 7, 8]  # mark, prefix, "d", "two", "three", mark
    assert found.own == slice(3, 5)
    assert found.cut == 0


def test_a_text_that_fills_the_limit_leaves_no_room_for_context():
    found = tokens(Passage("one two three four", context="before"), limit=6)

    assert found.own == slice(2, 5)
    assert found.cut == len(" four")


def test_a_text_without_a_token_of_its_own_is_pooled_with_what_there_is():
    found = tokens(Passage("\0", context="before"))

    vector = pool(np.ones((4, 8), np.float32), found, "mean")

    assert not found.in_context
    assert np.linalg.norm(vector) == pytest.approx(1)


def test_in_context_only_the_texts_own_tokens_are_pooled():
    hidden = np.zeros((7, 4), np.float32)
    hidden[4:6, 1] = 3  # "two three"
    hidden[:4, 0] = 9
    found = tokens(Passage("two three", context="x y"))

    vector = pool(hidden, found, "mean")

    assert found.own == slice(4, 6)
    assert vector.tolist() == [0, 1, 0, 0]


def test_first_pooling_takes_the_first_token():
    hidden = np.eye(4, dtype=np.float32) * 5

    assert pool(hidden, tokens(Passage("a b")), "first").tolist() == [1, 0, 0, 0]


def test_a_vector_of_zeros_stays_finite():
    assert np.isfinite(pool(np.zeros((4, 8), np.float32), tokens(Passage("a b")), "mean")).all()


@given(st.lists(st.integers(1, 600), max_size=60), st.booleans())
def test_every_text_is_in_one_batch_and_no_batch_wastes_more_than_its_limit(lengths, alone):
    plan = batches.batches(lengths, alone=alone)

    assert sorted(index for batch in plan for index in batch) == list(range(len(lengths)))
    for batch in plan:
        padded = len(batch) * max(lengths[index] for index in batch)
        assert len(batch) == 1 or (padded <= batches.BATCH_TOKENS and not alone)


@given(st.permutations(range(6)))
def test_what_comes_back_in_batches_is_put_in_order(order):
    plan = [order[:2], order[2:3], order[3:]]
    found = [[Embedding(np.array([index])) for index in batch] for batch in plan]

    assert [int(each.vector[0]) for each in batches.in_order(plan, found)] == list(range(6))


def test_inputs_are_padded_to_the_longest_and_masked():
    feed = batches.arrays([tokens(Passage("a b c")), tokens(Passage("a"))])

    assert feed["attention_mask"].tolist() == [[1] * 6, [1] * 4 + [0] * 2]
    assert set(feed) == batches.INPUTS
