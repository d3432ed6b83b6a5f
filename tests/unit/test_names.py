"""Names by rule, with spaCy's words: what is one, what is none, and of what type."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neomem.errors import ConfigError
from neomem.models import name_rules
from neomem.models.spacy import SpacyFinder
from neomem.ports import Found, Known, Name

FINDER = SpacyFinder.open("english")


def names(text: str, finder: SpacyFinder = FINDER) -> dict[str, str]:
    return {found.name: found.type for found in finder.find(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday Caroline went to Lisbon.", ["Caroline", "Lisbon"]),
        ("John loves it.", ["John"]),
        ("She met Ludwig van Beethoven there.", ["Ludwig van Beethoven"]),
        ("We saw Charles de Gaulle and Ursula von der Leyen.",
         ["Charles de Gaulle", "Ursula von der Leyen"]),
        ("They wrote to Jean-Paul about it.", ["Jean-Paul"]),
        ("He asked J. R. Smith about it.", ["J. R. Smith"]),
        ("She shops at Marks & Spencer now.", ["Marks & Spencer"]),
        ("We use TypeScript and eBay.", ["TypeScript", "eBay"]),
        ("He works for NASA now.", ["NASA"]),
        ("I read about the Bank of England today.", ["Bank of England"]),
        ("Caroline's sister likes Melanie's dog.", ["Caroline", "Melanie"]),
    ],
)  # fmt: skip
def test_capitals_make_names(text, expected):
    assert list(names(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Find the file and remember it.",
        "Thanks! Wow, that is great.",
        "I'm tired. Really tired.",
        "It was on Monday, in January.",
        "We met in May and left on 3 March.",
        "That costs $5 or 20 % more, at 10:30 on 2024-05-01.",
        "That is AMAZING, I LOVE it",
        "THIS IS ALL SHOUTED AND SAYS NOTHING",
        "see https://example.org/Paris/Texas or mail Ann.Lee@example.org",
        "",
        "   \n\t ",
        "🙂🙂🙂",
    ],
)
def test_what_is_no_name_is_left_alone(text):
    assert names(text) == {}


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("I saw Dr. Smith yesterday.", "Smith", "person"),
        ("My uncle Bob came.", "Bob", "person"),
        ("We talked to President Lincoln.", "Lincoln", "person"),
        ("She joined Acme Widgets Inc. last year.", "Acme Widgets Inc.", "organisation"),
        ("He studies at Oxford University.", "Oxford University", "organisation"),
        ("They walked along Abbey Road.", "Abbey Road", "place"),
        ("We went to the Glastonbury Festival.", "Glastonbury Festival", "event"),
        ("We run Python 3.12 now.", "Python 3.12", "product"),
        ("He asked GPT-4 about it.", "GPT-4", "product"),
        ("She bought an iPhone 15 today.", "iPhone 15", "product"),
        ('Now I read "The Name of the Wind" at night.', "The Name of the Wind", "work"),
        ("Heute las er „Der Zauberberg“ wieder.", "Der Zauberberg", "work"),
        ("ask @ada_l about it", "@ada_l", "handle"),
        ("edit src/app/main.py please", "src/app/main.py", "code"),
        ("see /etc/hosts for that", "/etc/hosts", "code"),
        ("set NEOMEM_HOME first", "NEOMEM_HOME", "code"),
        ("call read_file() or `make test`", "make test", "code"),
        ("the parseUrl helper broke", "parseUrl", "code"),
        ("notes are in TASKS.md now", "TASKS.md", "code"),
    ],
)
def test_what_stands_around_a_name_tells_its_type(text, name, kind):
    assert names(text)[name] == kind


@pytest.mark.parametrize("text", ['He said "I told you so" and left.', 'It is a "feature" again.'])
def test_what_is_only_quoted_is_no_title(text):
    assert names(text) == {}


@pytest.mark.parametrize("year", ["1999", "2023"])
def test_a_year_is_no_version(year):
    assert list(names(f"She left Berlin {year} for good.")) == ["Berlin"]


def test_a_measure_is_no_version():
    assert list(names("He ran to Berlin 42 km away.")) == ["Berlin"]


def test_a_title_alone_is_nobody():
    assert names("We need the President to agree.") == {}


def test_the_month_that_is_a_name_is_found_where_no_date_is():
    assert list(names("We asked April to come in April.")) == ["April"]


def test_a_word_seen_capitalised_inside_a_sentence_is_a_name_at_its_start_too():
    assert [found.name for found in FINDER.find("Hope came late. We like Hope.")] == ["Hope"] * 2


def test_german_nouns_are_no_names_by_their_capital_alone():
    german = SpacyFinder.open("german")

    assert list(names("Der Hund von Frau Merkel mag die Katze.", german)) == ["Merkel"]


@pytest.mark.parametrize("language", ["cjk", "klingon", "russian"])
def test_other_languages_have_words_too(language):
    finder = SpacyFinder.open(language).knowing([Known("東京", "place")])

    assert isinstance(finder.find("東京 に 行きました。 Анна живёт в Москве."), list)


# ---- what the graph knows ------------------------------------------------------------------------


def test_a_known_name_is_found_however_it_is_written():
    finder = FINDER.knowing([Known("Project Lighthouse", "work", aliases=("the lighthouse",))])

    assert names("we talked about project lighthouse", finder) == {"Project Lighthouse": "work"}
    assert names("then the lighthouse came up", finder) == {"Project Lighthouse": "work"}


def test_the_longest_known_name_wins():
    finder = FINDER.knowing([Known("Ann", "person"), Known("Ann Arbor", "place")])

    assert names("she moved to ann arbor", finder) == {"Ann Arbor": "place"}


def test_an_ordinary_word_is_no_known_name_unless_written_as_one():
    finder = FINDER.knowing([Known("Will", "person")])

    assert names("that will do", finder) == {}
    assert names("ask Will about it", finder) == {"Will": "person"}


def test_part_of_a_word_is_not_the_known_name():
    finder = FINDER.knowing([Known("Ann", "person")])

    assert names("an annual plan", finder) == {}


def test_a_finder_that_knows_more_leaves_the_first_as_it_was():
    FINDER.knowing([Known("lighthouse")])

    assert names("the lighthouse") == {}


# ---- together with the embedder's head -----------------------------------------------------------


def test_agreement_makes_surer_and_brings_the_heads_type():
    (found,) = FINDER.find("Then Caroline left.", [Name(5, 13, "person", 0.9)])

    assert (found.name, found.type) == ("Caroline", "person")
    assert found.confidence > 0.9


def test_the_head_finds_what_has_no_capital():
    (found,) = FINDER.find("we moved to tampa bay", [Name(12, 21, "place", 0.8)])

    assert (found.name, found.type) == ("tampa bay", "place")


def test_a_doubtful_head_alone_is_not_believed():
    assert FINDER.find("we moved to tampa bay", [Name(12, 21, "place", 0.5)]) == []


def test_a_capital_the_head_does_not_see_is_not_believed():
    assert FINDER.find("Pottery calms me.", []) == []


def test_a_title_is_believed_against_the_head():
    assert [found.name for found in FINDER.find("I met Dr. Oz.", [])] == ["Oz"]


# ---- subjects ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("Caroline moved to Lisbon.", ["Caroline"]),
        ("Yesterday my friend Caroline met Melanie.", ["Caroline"]),
        ("We visited Lisbon. Melanie loved Porto.", ["Melanie"]),
        ("Caroline's sister moved.", []),
        ("I saw Caroline.", []),
    ],
)
def test_who_opens_a_sentence_is_its_subject(text, subjects):
    assert [found.name for found in FINDER.find(text) if found.subject] == subjects


# ---- any text at all -----------------------------------------------------------------------------


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_gives_spans_in_order_that_do_not_overlap(text):
    found = FINDER.find(text)

    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(0 < each.confidence <= 1 and each.name for each in found)


@pytest.mark.parametrize(
    "text",
    [
        "A" * 100_000,
        "Ada " * 25_000,
        "`" * 50_000,
        "a_" * 50_000,
        '"' * 50_000,
        "a.b" * 30_000,
        "/a" * 50_000,
        "\ud800 Ada \0",
    ],
)
def test_long_and_broken_texts_end(text):
    assert isinstance(FINDER.find(text), list)


def test_merging_prefers_the_earlier_voice_then_the_longer_name():
    first = [Found("a", "other", 0, 3, 0.5)]
    second = [Found("b", "other", 2, 9, 0.9), Found("c", "other", 4, 5, 0.9)]

    assert [found.name for found in name_rules.merge(first, second)] == ["a", "c"]


def test_a_pipeline_that_is_not_installed_names_the_command():
    with pytest.raises(ConfigError) as caught:
        SpacyFinder.open("english", "en_core_web_none")

    assert "spacy download en_core_web_none" in (caught.value.hint or "")
