"""What we ask of full text, on the real indexes: whatever a question holds, the server takes it."""

from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from neomem.recall import terms
from neomem.text import lane
from tests.support import cypher

FIND = cypher(
    "CALL db.index.fulltext.queryNodes($index, $query, {limit: 20}) YIELD node, score"
    " RETURN coalesce(node.text, node.name) AS text, score > 0 AS scored"
)
MEMORIES = cypher(
    "UNWIND $texts AS text CREATE (:Memory"
    " {agent: $agent, lane: $lane, id: randomUUID(), text: text, context: 'context of ' + text})"
)
ENTITIES = cypher(
    "UNWIND $names AS name CREATE (:Entity"
    " {agent: $agent, lane: $lane, key: randomUUID(), name: name, aliases: [name + ' alias']})"
)

PIECES = st.sampled_from([
    "+", "-", "&&", "||", "!", "(", ")", "{", "}", "[", "]", "^", '"', "~", "*", "?", ":", "\\",
    "/", "AND", "OR", "NOT", "TO", "\\u12", "^0", "~2", "lane:", "*:*", "[a TO b]", "/.*/", "a",
    "word", "Müller", "0", ".", ",", "'", "_", " ", "\t", "\n", "\u3000", "\0", "\ud800", "🙂",
    "记忆", "かな", "カナ", "กินข้าว", "ខ្ញុំ", "हिन्दी", "память", "ذاكرة", "한국어", "\u200d", "\u0301",
])  # fmt: skip
TEXTS = st.lists(PIECES | st.text(st.characters(exclude_categories=[])), max_size=20).map("".join)
SEVERAL = st.lists(TEXTS, max_size=5)
MANY = settings(
    max_examples=150,
    deadline=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
HUGE = [
    "x" * 100_000,
    "字" * 100_000,
    "กิน" * 33_000,
    '"\\' * 50_000,
    " ".join(f"w{number}" for number in range(20_000)),
    " ".join(f"Ünique{chr(0x3B1 + number % 24)}x{number}" for number in range(10_000)),
    "🙂" * 100_000,
    "(" * 100_000,
    "a.b'c," * 16_000,
]


async def ask(graph, index, query):
    return await graph.read(FIND, index=index, query=query) if query else []


async def ask_all(graph, here, text):
    """Send all that a recall would make of a text, and the text itself as a term."""
    exact = terms.spellings(terms.exact_tokens(text))
    for every in (False, True):
        for asked in (terms.key_terms(text), text.split(), [text]):
            query = terms.words_query(here, asked, {"text": 1.0}, all_terms=every)
            await ask(graph, "memory_words", query)
            await ask(graph, "memory_tokens", query)
    await ask(graph, "memory_tokens", terms.words_query(here, exact, {"text": 1.0}))
    for names in ([text], text.split(), terms.key_terms(text)):
        await ask(graph, "entity_names", terms.fuzzy_name_query(here, names))


@pytest.fixture(scope="module")
async def here(graph):
    """The lane of an agent that remembers and knows a little."""
    agent = f"test-{uuid4()}"
    texts = [
        "She runs the shop in main.py",
        "Set NEOMEM_HOME. Then (RETRY_LIMIT) is 1,000",
        "東京タワーの記憶",
        "ผมกินข้าว",
    ]
    names = ["Müller Straße", "O'Brien", "東京タワー", "It"]
    await graph.write(MEMORIES, agent=agent, lane=lane(agent), texts=texts)
    await graph.write(ENTITIES, agent=agent, lane=lane(agent), names=names)
    yield lane(agent)
    await graph.write(cypher("MATCH (n {agent: $agent}) DETACH DELETE n"), agent=agent)


@MANY
@given(text=TEXTS)
async def test_no_text_makes_the_server_fail(graph, here, text):
    await ask_all(graph, here, text)


@pytest.mark.parametrize("text", HUGE, ids=lambda text: ascii(text[:6]))
async def test_no_length_makes_the_server_fail(graph, here, text):
    await ask_all(graph, here, text)


@MANY
@given(asked=SEVERAL)
async def test_whatever_is_asked_nothing_is_found_without_a_term_of_it(graph, here, asked):
    for index in ("memory_words", "memory_tokens"):
        found = await ask(graph, index, terms.words_query(here, asked, {"text": 1.0}))

        assert all(row["scored"] for row in found)


@MANY
@given(text=TEXTS)
async def test_nothing_reaches_into_another_lane(graph, here, text):
    query = terms.words_query("l1", [text, "shop", "NEOMEM_HOME."], {"text": 1.0})

    assert await ask(graph, "memory_words", query) == []
    assert await ask(graph, "memory_tokens", query) == []


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("who is running shops", {"She runs the shop in main.py"}),
        ("main.py", {"She runs the shop in main.py"}),
        ("neomem_home", {"Set NEOMEM_HOME. Then (RETRY_LIMIT) is 1,000"}),
        ("1,000", {"Set NEOMEM_HOME. Then (RETRY_LIMIT) is 1,000"}),
        ("東京はどこ", {"東京タワーの記憶"}),
        ("タワー", {"東京タワーの記憶"}),
        ("京東", set()),
        ("ผมกินข้าว", {"ผมกินข้าว"}),
        ("something else", set()),
    ],
)
async def test_key_terms_find_what_has_them(graph, here, question, found):
    query = terms.words_query(here, terms.key_terms(question), {"text": 1.0})

    assert {row["text"] for row in await ask(graph, "memory_words", query)} == found


async def test_a_stop_word_asked_for_finds_nothing_rather_than_everything(graph, here):
    assert await ask(graph, "memory_words", terms.words_query(here, ["the"], {"text": 1.0})) == []
    assert await ask(graph, "entity_names", terms.fuzzy_name_query(here, ["It"])) == []


async def test_all_terms_must_be_there_when_all_are_wanted(graph, here):
    asked = ["shop", "garden"]

    some = await ask(graph, "memory_words", terms.words_query(here, asked, {"text": 1.0}))
    every = terms.words_query(here, asked, {"text": 1.0}, all_terms=True)

    assert len(some) == 1
    assert await ask(graph, "memory_words", every) == []


@pytest.mark.parametrize("token", ["NEOMEM_HOME", "RETRY_LIMIT"])
async def test_a_token_is_found_as_it_stands_in_prose(graph, here, token):
    bare = terms.words_query(here, [token], {"text": 1.0})
    standing = terms.words_query(here, terms.spellings([token]), {"text": 1.0})

    assert await ask(graph, "memory_tokens", bare) == []
    assert len(await ask(graph, "memory_tokens", standing)) == 1


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Müller Straße", {"Müller Straße"}),
        ("Muler", {"Müller Straße"}),
        ("Strasse Möller", {"Müller Straße"}),
        ("Müller Alias", {"Müller Straße"}),
        ("Müller Garden", set()),
        ("O\u2019Brian", {"O'Brien"}),
        ("東京タワー", {"東京タワー"}),
        ("Brown", set()),
    ],
)
async def test_names_are_found_in_spite_of_a_slip(graph, here, name, found):
    rows = await ask(graph, "entity_names", terms.fuzzy_name_query(here, [name]))

    assert {row["text"] for row in rows} == found
