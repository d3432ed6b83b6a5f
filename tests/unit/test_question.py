import pytest

from neomem.capture import gate
from neomem.recall.question import clean_question


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where is the key?", "Where is the key?"),
        ("", ""),
        (" \n\t ", ""),
        ("Where\n is\tthe   key?", "Where is the key?"),
        (
            "<relevant-memories>\n- The key is red.\n</relevant-memories>\nWhere is it?",
            "Where is it?",
        ),
        ("Where is it?\n<system-reminder>Be brief.</system-reminder>", "Where is it?"),
        ("[WhatsApp +15550100 2026-01-02 10:00] Where is it?", "Where is it?"),
        ("<relevant-memories>only this</relevant-memories>", ""),
    ],
)
def test_what_the_asker_did_not_say_is_taken_off(text, expected):
    assert clean_question(text, gate.strip) == expected


@pytest.mark.parametrize("unseen", ["\x07", "\x1b", "\x9f", "\u200b", "\ufeff", "\u202e", "\ud800"])
def test_characters_that_nobody_sees_are_dropped(unseen):
    assert clean_question(f"{unseen}a ke{unseen}y{unseen}", str) == "a key"


def test_a_nul_parts_words():
    assert clean_question("the\0key", str) == "the key"


def test_joined_emoji_and_letters_stay_joined():
    family = "👨\u200d👩\u200d👧 क्\u200dष"

    assert clean_question(family, str) == family


@pytest.mark.parametrize(
    ("text", "longest", "expected"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two"),
        ("one two three", 7, "one two"),
        ("one two three", 8, "one two"),
        ("a " + "x" * 20, 10, "a xxxxxxxx"),
        ("x" * 20, 10, "x" * 10),
        ("記憶は図になる", 3, "記憶は"),
        ("one", 0, ""),
        ("one", -1, ""),
    ],
)
def test_a_long_question_is_cut_between_words_where_that_keeps_half(text, longest, expected):
    assert clean_question(text, str, longest) == expected


def test_the_longest_question_has_a_thousand_characters():
    assert len(clean_question("x" * 2_000_000, gate.strip)) == 1000


def test_a_long_wrapper_does_not_crowd_the_question_out():
    wrapper = f"<relevant-memories>{'x ' * 5000}</relevant-memories>"

    assert clean_question(f"{wrapper} Where is it?", gate.strip) == "Where is it?"


def test_a_wrapper_bared_by_the_cut_is_taken_off_too():
    named = f"Where is it? <memory{'x' * 60}"

    assert clean_question(named, gate.strip) == named
    assert clean_question(named, gate.strip, 25) == "Where is it?"
