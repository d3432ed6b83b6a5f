import pytest

from neomem.recall.classify import WEIGHTS, classify
from neomem.recall.evidence import SIGNALS


@pytest.mark.parametrize(
    ("question_class", "vector", "bm25", "graph"),
    [
        ("entity", 0.8, 1.0, 1.3),
        ("short", 0.8, 1.2, 1.0),
        ("long", 1.2, 0.7, 0.8),
        ("default", 1.0, 1.0, 1.0),
    ],
)
def test_weights_are_those_of_the_specification(question_class, vector, bm25, graph):
    assert [WEIGHTS[question_class][signal] for signal in SIGNALS] == [vector, bm25, graph]


@pytest.mark.parametrize(
    "question",
    [
        "John",
        "TypeScript version",
        "does Anna like it",
        "what about Coca-Cola",
        "Tell me. Anna left",
        "Where did Anna's brother go to school back then",
        "où est l'Allemagne",
        "что сказала Мария вчера вечером маме",
        "is NEOMEM_HOME set anywhere in the shell",
        "\uff2aohn",
        "What did Will say to them yesterday",
        "where does 'Anna' live with all her cats",
        "- John",
        "WHERE DOES JOHN LIVE WITH HIS CATS",
        "don't you know Anna from the old school",
    ],
)
def test_a_name_is_a_word_with_a_capital(question):
    assert classify(question) == "entity"


@pytest.mark.parametrize(
    "question",
    [
        "Find the reports of the last meeting",
        "Where did I put the keys of the car",
        "What's the plan for all of us tonight",
        "I'm looking for it and I'll be late",
        "Don't you know where it has gone",
        "Yes. Find all of the old reports",
        "Will it be there in the morning then",
        "May I ask you for the old report",
        "WHERE ARE THE KEYS OF THE CAR",
        "E-mail the report to all of them please",
        "when do we meet at 5PM or later then",
        "Wann und wo haben wir das gefunden",
    ],
)
def test_a_capital_that_grammar_asks_for_makes_no_name(question):
    assert classify(question) == "long"


@pytest.mark.parametrize(
    "question", ["anna", "where did i meet anna last year", "你认识小明吗", ""]
)
def test_a_known_name_makes_an_entity_question_whatever_its_case_or_script(question):
    assert classify(question) != "entity"
    assert classify(question, known=["name"]) == "entity"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("", "short"),
        ("?!", "short"),
        ("🙂 🙂 🙂", "short"),
        ("keys", "short"),
        ("car keys?", "short"),
        ("what is", "short"),
        ("the car keys", "default"),
        ("find my car keys", "default"),
        ("please find my car keys", "long"),
        ("- - - - the keys", "short"),
    ],
)
def test_other_questions_are_told_apart_by_their_words(question, expected):
    assert classify(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who is she", "entity"),
        ("What does it do?", "entity"),
        ("where's my key", "entity"),
        ("where\u2019s my key", "entity"),
        ("what were they", "entity"),
        ("who is", "short"),
        ("who knows her", "default"),
        ("how is she", "default"),
        ("tell me who is", "default"),
        ("who is she to me", "long"),
        ("whatever is left", "default"),
    ],
)
def test_three_or_four_words_that_ask_who_something_is_are_about_an_entity(question, expected):
    assert classify(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("记忆", "short"),
        ("我住哪里", "short"),
        ("我住在哪里?", "default"),
        ("我昨天在北京吃什么", "default"),
        ("我昨天在北京吃了什么", "long"),
        ("かぎはどこですか", "default"),
        ("カギ", "short"),
        ("กิน", "short"),
        ("ผมชอบกินข้าวมากที่สุด", "long"),
        ("ຂ້ອຍ", "short"),
        ("ខ្ញុំចូលចិត្តញ៉ាំបាយ", "long"),
        ("ကျွန်တော်ထမင်းစားချင်တယ်", "long"),
        ("내 열쇠는 어디에 있나요 지금", "long"),
    ],
)
def test_scripts_without_spaces_count_characters(question, expected):
    assert classify(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("python版本", "short"),
        ("pythonのバージョン", "default"),
        ("my python の バージョンは", "long"),
    ],
)
def test_in_mixed_text_two_characters_count_as_a_word(question, expected):
    assert classify(question) == expected
