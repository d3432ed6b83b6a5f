import re

from hypothesis import given
from hypothesis import strategies as st

from neomem.capture import gate
from neomem.recall import terms
from neomem.recall.classify import WEIGHTS, classify
from neomem.recall.question import clean_question

ANY = st.text(st.characters(exclude_categories=[]))
PIECES = st.sampled_from([
    "<memory>", "</memory>", "<memory", "<relevant-memories>", "[Telegram Ann 1] ", "System: [",
    "[message_id: 1]", "\n", " ", "\u00a0", "\u3000", "\x1c", "\0", "\x07", "\u200b", "x" * 45,
    "word ", "Anna ", "WILL", "I'm ", "'", '"', "\\", "\\\\", "(", ")", "AND", "OR", "NOT", "&&",
    "||", "!", "{", "}", "[", "]", "^", "~", "*", "?", ":", "/", "+", "-", ".", ",", "0", "_", "ß",
    "İ", "记", "かカ", "กิน", "हि", "память ", "🙂", "\ud800", "\u0301", "l'", "n't", "\u2019s",
])  # fmt: skip
TEXTS = ANY | st.lists(PIECES | ANY, max_size=30).map("".join)
SMALL = st.integers(0, 60)
PHRASE = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
SYNTAX = re.compile(r"[-!{}\[\]*?\\/&|]")


@given(TEXTS, SMALL)
def test_cleaning_twice_is_cleaning_once(text, longest):
    once = clean_question(text, gate.strip, longest)

    assert clean_question(once, gate.strip, longest) == once


@given(TEXTS, SMALL)
def test_a_clean_question_is_one_short_line_that_any_model_takes(text, longest):
    question = clean_question(text, gate.strip, longest)

    assert len(question) <= longest
    assert question == " ".join(question.split())
    assert question.isprintable() or not re.search(r"[\x00-\x1f\x7f]", question)
    question.encode()


@given(TEXTS, st.lists(TEXTS, max_size=2))
def test_every_question_has_one_of_four_classes(text, known):
    found = classify(text, known)

    assert found in WEIGHTS
    assert found == "entity" or not known


@given(TEXTS)
def test_key_terms_are_few_distinct_words_with_something_in_them(text):
    found = terms.key_terms(text)

    assert len(found) == len(set(found)) <= 40
    assert terms.STOP_WORDS.isdisjoint(found)
    assert all(0 < len(term) <= 255 and not term.isspace() for term in found)
    assert all(any(map(str.isalnum, term)) for term in found)


@given(TEXTS)
def test_a_text_has_all_of_its_own_key_terms(text):
    found = terms.key_terms(text)

    assert terms.matched(found, text) == found
    assert terms.coverage(found, text) == bool(found)


@given(TEXTS)
def test_exact_tokens_stand_in_the_question_as_they_are(text):
    text = text.replace("\ud800", "")
    found = terms.exact_tokens(text)

    assert len(found) == len(set(found)) <= 20
    assert all(token == token.strip() for token in found)
    assert all(token in text or "\ufffd" in token for token in found)


@given(st.lists(TEXTS, max_size=60), st.booleans())
def test_no_term_is_ever_read_as_syntax(asked, every):
    query = terms.words_query(["l1", "l2"], asked, {"text": 1.0}, all_terms=every)

    assert_only_our_syntax(query)


@given(st.lists(TEXTS, max_size=30))
def test_no_name_is_ever_read_as_syntax(names):
    assert_only_our_syntax(terms.fuzzy_name_query("l1", names))


def assert_only_our_syntax(query: str) -> None:
    """What is left without the phrases is what we write ourselves, in balance."""
    bare = PHRASE.sub("", query)

    assert '"' not in bare
    assert bare.count("(") == bare.count(")")
    assert not SYNTAX.search(bare)
    assert not re.search(r"\b(?:AND|OR|NOT)\b", bare)
    assert not re.search(r"\^(?!0 )|~(?!1[ )])|(?<!lane)(?<!text)(?<!name)(?<!aliases):", bare)
    query.encode()


@given(TEXTS)
def test_signs_and_stems_are_read_off_any_text(text):
    signs = [terms.asks_when(text), terms.is_question(text), terms.has_time(text)]

    assert all(isinstance(sign, bool) for sign in signs)
    assert isinstance(terms.stem(text), str)
