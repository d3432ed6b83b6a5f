"""What texts look like, and the date a question names."""

from datetime import UTC, datetime

import pytest

from neomem.recall.form import asks_how_many, date_named, falls_on, form


def test_a_form_is_seen_without_who_speaks():
    looks = form("Ann: Thanks! I moved to Porto in May, I have two cats. And you?", "Ann")

    assert looks.asks
    assert looks.time
    assert looks.number
    assert looks.names
    assert looks.reacts
    assert looks.of_self > looks.to_other > 0


def test_a_plain_statement_has_few_signs():
    looks = form("The office has a balcony.")

    assert not any((looks.asks, looks.time, looks.number, looks.names, looks.reacts))
    assert (looks.of_self, looks.to_other) == (0, 0)


def test_the_speaker_is_no_name_in_the_text():
    assert not form("Hugo: went home early", "Hugo").names
    assert form("we met Hugo there").names


def test_one_word_of_a_short_text_is_no_large_share():
    assert form("I?").of_self < 0.2


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("What did Ann do in May 2023?", (2023, 5, None)),
        ("What happened on 7 May, 2023?", (2023, 5, 7)),
        ("What happened on the 7th of May 2023?", (2023, 5, 7)),
        ("Where was she on July 4th?", (None, 7, 4)),
        ("Where was she in July?", (None, 7, None)),
        ("Who won in 2019?", (2019, None, None)),
        ("What was deployed on 2024-02-29?", (2024, 2, 29)),
        ("Where may I sit?", None),
        ("Where was May?", (None, 5, None)),
        ("How many are 12 of them?", None),
        ("", None),
    ],
)
def test_a_question_names_a_date(question, date):
    assert date_named(question) == date


def test_a_moment_falls_on_a_date_as_far_as_it_was_said():
    at = datetime(2023, 5, 7, 12, tzinfo=UTC).timestamp()

    assert falls_on(at, (2023, 5, 7)) == (True, True)
    assert falls_on(at, (2023, 5, 8)) == (True, False)
    assert falls_on(at, (2023, None, None)) == (True, True)
    assert falls_on(at, (None, 6, None)) == (False, False)


def test_a_question_asks_how_many():
    assert asks_how_many("How many cats has Ann?")
    assert not asks_how_many("Which cats has Ann?")
