"""Whether two texts say the same is answered for any two, and alike from both sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neomem.capture.duplicates import say_the_same

ANY = st.text(max_size=60) | st.text(alphabet="a b.?!'5-✅❌🍎東京 ", max_size=12)


@given(ANY)
def test_a_text_says_the_same_as_itself(text):
    assert say_the_same(text, text)


@given(ANY, ANY)
def test_it_does_not_matter_which_of_any_two_is_first(one, other):
    assert say_the_same(one, other) == say_the_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Backup ✅", "Backup ❌"),
        ("We eat 🍎.", "We eat 🍌."),
        ("👍", "👎"),
        ("?", "..."),
        ("0", ":"),
        ("価格は1.5万円", "価格は15万円"),
        ("気温は-5度", "気温は5度"),
        ("バックアップ ✅", "バックアップ ❌"),
        ("行く\uff1f", "行く。"),
    ],
)
def test_signs_may_be_all_the_difference(one, other):
    assert not say_the_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("東京に住んでいる。", "東京に住んでいる"),
        ("「東京」、大阪", "東京 大阪"),
        ("Ship it!", "Ship it."),
    ],
)
def test_marks_that_carry_nothing_are_none(one, other):
    assert say_the_same(one, other)
