import pytest
from hypothesis import given
from hypothesis import strategies as st

from neomem.tokens import WHOLE, estimate, weight

ANY = st.text(st.characters(exclude_categories=[]))
MIXED = st.text(st.sampled_from("aé \n字かカ한яЖשع🙂"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("a", 1),
        ("four", 1),
        ("fives", 2),
        (" \n\t ", 1),
        ("字", 1),
        ("記憶は図になる", 5),
        ("かなカナ한국", 4),
        ("память", 3),
        ("ذاكرة", 2),
        ("זיכרון", 3),
        ("naïve", 2),
        ("記憶 memory", 3),
        ("x" * 4_000_000, 1_000_000),
    ],
)
def test_an_estimate_follows_the_script(text, expected):
    assert estimate(text) == expected


def test_a_space_weighs_the_same_in_every_script():
    assert weight("字 字") - weight("字字") == weight("я я") - weight("яя") == weight(" ")


@given(text=ANY)
def test_an_estimate_is_the_weight_rounded_up(text):
    assert estimate(text) - 1 < weight(text) / WHOLE <= estimate(text)


@given(left=MIXED, right=MIXED)
def test_two_texts_together_count_as_much_as_apart_or_one_less(left, right):
    apart = estimate(left) + estimate(right)

    assert apart - 1 <= estimate(left + right) <= apart
    assert estimate(left + right) >= max(estimate(left), estimate(right))
    assert weight(left + right) == weight(left) + weight(right)
