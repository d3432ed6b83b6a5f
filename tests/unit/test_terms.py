import pytest

from neomem.recall import terms
from neomem.recall.term_words import ENGLISH_STOP_WORDS

LUCENE_STOPS = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then"
    " there these they this to was will with"
)


def test_there_are_at_least_a_hundred_english_stop_words():
    assert len(ENGLISH_STOP_WORDS) >= 100
    assert ENGLISH_STOP_WORDS < terms.STOP_WORDS


def test_what_the_index_leaves_out_is_a_stop_word():
    assert set(LUCENE_STOPS.split(" ")) <= terms.STOP_WORDS


@pytest.mark.parametrize(
    "word", ["die", "war", "ai", "os", "bin", "era", "sim", "id", "won", "comment", "mia", "may"]
)
def test_no_word_with_a_meaning_of_its_own_is_a_stop_word(word):
    assert word not in terms.STOP_WORDS


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("", ()),
        ("who am I?", ()),
        ("Where did John's sister buy the laptop?", ("john", "sister", "buy", "laptop")),
        ("red car, red house", ("red", "car", "house")),
        ("don't I\u2019m can't we've you'll", ()),
        ("O'Brien\u2019s cat", ("o'brien", "cat")),
        ("main.py v1.2.3, 1,000 in 2023", ("main.py", "v1.2.3", "1,000", "2023")),
        ("red,green foo-bar a/b", ("red", "green", "foo", "bar", "b")),
        ("NEOMEM_HOME", ("neomem_home",)),
        ("\uff21\uff22\uff23 Straße", ("abc", "straße")),
        ("Wo wohnt meine Schwester?", ("wohnt", "schwester")),
        ("d'où vient l'entreprise", ("vient", "l'entreprise")),
        ("память в доме", ("память", "в", "доме")),
        ("हिन्दी", ("हिन्दी",)),
        ("🙂 — !", ()),
        ("a\ud800b", ("b",)),
    ],
)
def test_key_terms_are_the_words_that_carry_meaning(question, expected):
    assert terms.key_terms(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("图书馆", ("图书", "书馆")),
        ("家", ("家",)),
        ("東京タワーの記憶", ("東京", "タワー", "の記", "記憶")),
        ("pythonの版", ("python", "の版")),
        ("ผมกินข้าว 2 จาน", ("ผมกินข้าว", "2", "จาน")),
    ],
)
def test_han_is_cut_into_pairs_and_other_runs_stay_whole(question, expected):
    assert terms.key_terms(question) == expected


def test_there_are_at_most_forty_key_terms():
    many = " ".join(f"word{number}" for number in range(100))

    assert terms.key_terms(many) == tuple(f"word{number}" for number in range(40))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("where is the key", ()),
        ("John likes Anna's Cat", ()),
        ("is NEOMEM_HOME set?", ("NEOMEM_HOME",)),
        ("see (./run.sh), .env and /usr/bin:", ("./run.sh", ".env", "/usr/bin")),
        ("does parseLine() or foo(). fail", ("parseLine()", "foo()")),
        ("camelCase TypeScript std::vector", ("camelCase", "TypeScript", "std::vector")),
        ("v1.2.3, 10km #7 C++ --force", ("v1.2.3", "10km", "#7", "C++", "--force")),
        ("in 2023 it was 42, $5.50 or 60% at 8:30", ()),
        ("order 4711042 of 10.0.0.1", ("4711042", "10.0.0.1")),
        ("the API of IBM's A", ("API", "IBM")),
        ("mention ONLY and NOT all", ()),
        ("WHERE IS THE KEY", ()),
        ("WHERE IS A1", ("A1",)),
        ('the "blue file" and \u201cred\u201d', ("blue", "file", "red")),
        ("what's john's 'old' name", ("old",)),
        ("NEOMEM_HOMEはどこ", ("NEOMEM_HOME",)),
        ("mail a.b@example.com", ("a.b@example.com",)),
        ("_ / ++ ...", ()),
        ("x1 x1", ("x1",)),
    ],
)
def test_exact_tokens_are_what_looks_like_code_or_is_quoted(question, expected):
    assert terms.exact_tokens(question) == expected


def test_there_are_at_most_twenty_exact_tokens():
    assert len(terms.exact_tokens(" ".join(f"a{number}" for number in range(100)))) == 20


def test_spellings_are_how_a_token_stands_in_prose():
    assert {"A_B", "A_B.", "A_B,", "`A_B`", "(A_B)", '"A_B"'} <= set(terms.spellings(["A_B"]))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ((), ""),
        (("++",), ""),
        (("a", "b"), '+lane:("l1")^0 +(text:("a" "b") lane:l0)'),
        (("AND", "b*"), '+lane:("l1")^0 +(text:("AND" "b*") lane:l0)'),
        (('a"b\\',), '+lane:("l1")^0 +(text:("a\\"b\\\\") lane:l0)'),
        (("กิน",), '+lane:("l1")^0 +(text:(กิน) lane:l0)'),
    ],
)
def test_a_query_quotes_its_terms_and_stays_in_its_lane(asked, expected):
    assert terms.words_query("l1", asked, {"text": 1.0}) == expected


def test_a_query_may_want_all_terms_and_several_lanes():
    query = terms.words_query(["l1", "l2"], ["a", "b"], {"context": 1.0}, all_terms=True)

    assert query == '+lane:("l1" "l2")^0 +(context:(+"a" +"b") lane:l0)'


def test_without_a_lane_nothing_is_asked():
    assert terms.words_query([], ["a"], {"text": 1.0}) == ""
    assert terms.fuzzy_name_query([], ["Anna"]) == ""


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["Ann"], '+"ann"'),
        (["Anna Smith"], '+"anna" +smith~1'),
        (["Müller"], "+muller~1"),
        (["Łukasz's"], "+lukasz~1"),
        (["O\u2019Brien"], "+o'brien~1"),
        (["東京タワー"], '+"東京タワー"'),
        (["Their House"], '+"their" +house~1'),
        (["12345 A"], '+"12345" +"a"'),
    ],
)
def test_long_words_of_a_name_may_have_a_slip(names, wanted):
    asked = f"name:({wanted}) aliases:({wanted})"

    assert terms.fuzzy_name_query("l1", names) == f'+lane:("l1")^0 +({asked} lane:l0)'


@pytest.mark.parametrize("names", [[], [""], ["--", "?"]])
def test_names_without_words_ask_nothing(names):
    assert terms.fuzzy_name_query("l1", names) == ""


@pytest.mark.parametrize(
    "forms",
    [
        "run runs running ran",
        "stop stops stopped stopping",
        "make makes making made",
        "use uses used using",
        "city cities",
        "carry carries carried",
        "house houses",
        "class classes",
        "box boxes",
        "buy buys bought buying",
        "visit visited visiting",
        "dog dog's dogs",
        "quick quickly",
        "lose lost losing",
    ],
)
def test_forms_of_a_word_share_a_stem(forms):
    assert len(set(map(terms.stem, forms.split()))) == 1


@pytest.mark.parametrize("word", ["bus", "need", "ring", "a1s", "память", "字", "is", "", "king"])
def test_a_word_without_an_english_ending_is_its_own_stem(word):
    assert terms.stem(word) == word


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        (("buy", "laptop"), "He bought two Laptops.", ("buy", "laptop")),
        (("other",), "My mother", ()),
        (("home",), "NEOMEM_HOME", ()),
        (("main.py",), "in main.py.", ("main.py",)),
        (("john",), "John's cat", ("john",)),
        (("o'brien",), "O\u2019Brien", ("o'brien",)),
        (("entreprise",), "l'entreprise", ("entreprise",)),
        (("fly",), "time flies", ("fly",)),
        (("straße",), "die STRASSE", ("straße",)),
        (("東京",), "私は東京にいる", ("東京",)),
        (("กิน",), "ผมกินข้าว", ("กิน",)),
        (("память",), "Память", ("память",)),
        (("a",), "", ()),
    ],
)
def test_terms_are_found_in_any_of_their_forms(asked, text, expected):
    assert terms.matched(asked, text) == expected


def test_coverage_is_the_share_of_terms_found():
    assert terms.coverage(("buy", "laptop", "red", "old"), "He bought a laptop.") == 0.5
    assert terms.coverage((), "He bought a laptop.") == 0


@pytest.mark.parametrize(
    "question",
    [
        "When did we meet?",
        "when",
        "And when was it?",
        "What time is it",
        "which year was that",
        "what's the date",
        "how long ago did he leave",
        "do you remember when we met",
        "When\u2019s the party",
        "Wann war das",
        "什么时候去",
        "いつですか",
    ],
)
def test_some_questions_ask_for_a_time(question):
    assert terms.asks_when(question)


@pytest.mark.parametrize(
    "question",
    ["When I was in Paris, what did I eat?", "where is it", "whenever", "what did he say", ""],
)
def test_other_questions_do_not_ask_for_a_time(question):
    assert not terms.asks_when(question)


@pytest.mark.parametrize(
    "text",
    [
        "It is?",
        'He said "really?"',
        "真的\uff1f",
        "حقا\u061f",
        "你好吗",
        "what is this",
        "ok, where is it",
        "When did he come",
        "did you see it",
        "is the door open",
        "wie geht es dir",
        "なぜ来た",
    ],
)
def test_a_question_is_known_by_its_end_or_its_beginning(text):
    assert terms.is_question(text)


@pytest.mark.parametrize(
    "text",
    ["", "It is.", "When I was young, I sang.", "What a day.", "Do the dishes.", "Whatever.", "好"],
)
def test_a_statement_is_no_question(text):
    assert not terms.is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "in 2023",
        "on Friday",
        "on 2026-01-02",
        "on 3/4/21",
        "on the 3rd of May",
        "Sept. 4",
        "at 10:30",
        "at 5pm",
        "three weeks ago",
        "last week",
        "this past month",
        "for 5 years",
        "he left in May",
        "yesterday",
        "in the morning",
        "gestern",
        "昨天",
        "3月",
        "来週",
    ],
)
def test_signs_of_a_time_are_seen(text):
    assert terms.has_time(text)


@pytest.mark.parametrize(
    "text", ["", "He may come.", "I march on.", "room 12", "id 120239", "this house", "ring 19"]
)
def test_a_text_without_a_time_has_none(text):
    assert not terms.has_time(text)
