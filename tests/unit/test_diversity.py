import pytest

from neomem.recall.diversity import Item, likeness, mmr, tokens


def ids(items):
    return [item.id for item in items]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Shop, the shop!", {"the", "shop"}),
        ("ﬁle Straße", {"file", "strasse"}),
        ("記憶の図", {"記憶", "憶の", "の図"}),
        ("字", {"字"}),
        ("Neo4jの図", {"neo4j", "の図"}),
        ("서버 이전", {"서버", "이전"}),
        ("🙂 …", set()),
    ],
)
def test_tokens_are_words_or_pairs_of_characters(text, expected):
    assert tokens(text) == expected


def test_likeness_is_the_share_of_words_in_both():
    one, other = tokens("red green blue"), tokens("green blue black")

    assert likeness(one, other) == 0.5
    assert likeness(one, one) == 1.0
    assert likeness(frozenset(), frozenset()) == 0.0


def test_a_repetition_gives_way_to_something_else():
    items = [
        Item("a", "the shop moved to postgres", 0.9),
        Item("b", "the shop moved to postgres", 0.8),
        Item("c", "lunch was late", 0.4),
    ]

    # b after a: .7 · .8 - .3 · 1 = .26    c: .7 · .4 = .28    b after both: .26
    assert ids(mmr(items, 3)) == ["a", "c", "b"]


def test_likeness_counts_to_the_nearest_of_all_that_were_chosen():
    items = [
        Item("a", "red green", 1.0),
        Item("b", "blue black", 0.9),
        Item("c", "red green white", 0.8),
        Item("d", "grey", 0.5),
    ]

    # c: .7 · .8 - .3 · 2/3 = .36, though b is nothing like it    d: .7 · .5 = .35
    assert ids(mmr(items, 4)) == ["a", "b", "c", "d"]
    # weight .5 - c: .4 - .333 = .067    d: .25
    assert ids(mmr(items, 4, weight=0.5)) == ["a", "b", "d", "c"]


def test_it_stops_when_nothing_is_worth_adding():
    items = [Item("a", "same words", 0.9), Item("b", "same words", 0.4), Item("c", "other", 0.0)]

    # b: .7 · .4 - .3 = -.02    c: 0
    assert ids(mmr(items, 3)) == ["a"]


def test_the_first_is_taken_however_little_relevance_weighs():
    items = [Item("a", "one", 0.1), Item("b", "two", 0.3)]

    assert ids(mmr(items, 2, weight=0.0)) == ["b"]


def test_nothing_relevant_means_nothing_chosen():
    assert mmr([Item("a", "one", 0.0)], 3) == []
    assert mmr([], 3) == []
    assert mmr([Item("a", "one", 0.9)], 0) == []


def test_ties_fall_to_relevance_and_then_to_the_id():
    equal = [Item("b", "two", 0.5), Item("a", "one", 0.5)]

    assert ids(mmr(equal, 2)) == ["a", "b"]

    # After a at weight .5 - d: .5 · 1 - .5 · 1/2 = .25, as c: .5 · .5
    even = [Item("a", "x y", 1.0), Item("c", "z", 0.5), Item("d", "x", 1.0)]
    assert ids(mmr(even, 2, weight=0.5)) == ["a", "d"]
