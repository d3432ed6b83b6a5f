"""The newer statement of the same thing comes first, where a question asks how things stand."""

from hypothesis import given
from hypothesis import strategies as st

from neomem.recall.evidence import Candidate
from neomem.recall.scoring import Scored
from neomem.recall.updates import asks_how_it_is, newer_first

QUESTION = "How many sources are in my library?"
OLD = "user: My library has 45 sources, tagged by theme."
NEW = "user: My library has now reached 52 sources."


def a_hit(name, text, score, order="1", **more):
    candidate = Candidate(id=name, text=text, kind="turn", speaker="user", turn_order=order, **more)
    return Scored(candidate, score, score)


def order_of(question, *hits, reach=3.0):
    return [each.id for each in newer_first(question, hits, reach)]


def test_an_update_comes_before_what_it_updates_and_is_as_relevant():
    old, new = a_hit("old", OLD, 0.8), a_hit("new", NEW, 0.5, "2")

    first, second = newer_first(QUESTION, [old, new], 3.0)

    assert (first.id, first.score, first.relevance) == ("new", 0.8, 0.8)
    assert (second.id, second.factors) == ("old", {"outdated": 0.99})
    assert second.score == 0.8 * 0.99


def test_an_update_of_an_update_comes_before_both():
    newest = "user: My library is now at 60 sources."
    hits = a_hit("old", OLD, 0.8), a_hit("new", NEW, 0.5, "2"), a_hit("newest", newest, 0.4, "3")

    found = newer_first(QUESTION, hits, 3.0)

    assert [each.id for each in found] == ["newest", "new", "old"]
    assert [each.relevance for each in found] == [0.8, 0.8, 0.8]
    assert [each.factors.get("outdated") for each in found] == [None, 0.99, 0.99**2]


def test_it_stays_behind_when_the_older_is_better_by_far():
    assert order_of(QUESTION, a_hit("old", OLD, 0.99), a_hit("new", NEW, 0.1, "2")) == [
        "old",
        "new",
    ]


def test_a_question_about_the_past_keeps_its_order():
    hits = a_hit("old", OLD, 0.8), a_hit("new", NEW, 0.5, "2")

    assert order_of("How many sources did I have in May?", *hits) == ["old", "new"]
    assert order_of(QUESTION, *hits, reach=0.0) == ["old", "new"]


def test_what_was_said_before_is_no_update():
    assert order_of(QUESTION, a_hit("old", OLD, 0.8, "2"), a_hit("new", NEW, 0.5, "1"))[0] == "old"


def test_another_speaker_updates_nothing():
    other = Scored(
        Candidate(id="new", text=NEW, kind="turn", speaker="x", turn_order="2"), 0.5, 0.5
    )

    assert order_of(QUESTION, a_hit("old", OLD, 0.8), other)[0] == "old"


def test_an_update_says_that_something_is_new_and_has_a_figure():
    silent = a_hit("new", "user: My library has 52 sources.", 0.5, "2")
    vague = a_hit("new", "user: My library has now grown a lot.", 0.5, "2")

    assert order_of(QUESTION, a_hit("old", OLD, 0.8), silent)[0] == "old"
    assert order_of(QUESTION, a_hit("old", OLD, 0.8), vague)[0] == "old"


def test_of_facts_the_one_captured_later_is_newer():
    old = Scored(Candidate(id="old", text="Ada has 2 cats.", created_at=1.0), 0.6, 0.6)
    new = Scored(Candidate(id="new", text="Ada now has 3 cats.", created_at=2.0), 0.5, 0.5)

    assert order_of("How many cats does Ada have?", old, new) == ["new", "old"]


def test_what_is_known_to_update_one_of_the_best_comes_before_it_from_further_down():
    hits = [a_hit(str(at), "user: Hello.", 0.8 - at / 100) for at in range(4)]
    low = Scored(Candidate(id="new", text="user: 52.", kind="turn", amends=("old",)), 0.2, 0.2)

    assert order_of(QUESTION, a_hit("old", OLD, 0.9), *hits, low)[:2] == ["new", "old"]
    assert order_of(QUESTION, *hits, a_hit("h", "user: Hm.", 0.7), a_hit("old", OLD, 0.6), low)[
        -2:
    ] == ["old", "new"]


def test_of_two_summaries_the_later_source_updates_and_a_turn_updates_no_summary():
    old, new = (
        Scored(Candidate(id=name, text=text, kind="summary", turn_order=said), score, score)
        for name, text, said, score in (("old", OLD, "1", 0.8), ("new", NEW, "2", 0.5))
    )

    assert order_of(QUESTION, old, new) == ["new", "old"]
    assert order_of(QUESTION, old, a_hit("new", NEW, 0.5, "2")) == ["old", "new"]


def test_the_present_is_told_from_the_past():
    assert asks_how_it_is("What is my weekly target?")
    assert not asks_how_it_is("What was my weekly target?")
    assert not asks_how_it_is("Where did Ann go?")


@given(
    st.lists(
        st.tuples(st.sampled_from([OLD, NEW, "user: Hello."]), st.floats(0, 1), st.integers(0, 3)),
        max_size=8,
    )
)
def test_nothing_is_lost_and_scores_stay_in_order(drawn):
    hits = [a_hit(str(at), text, score, str(said)) for at, (text, score, said) in enumerate(drawn)]
    hits.sort(key=lambda each: (-each.score, each.id))

    found = newer_first(QUESTION, hits, 3.0)

    assert {each.id for each in found} == {each.id for each in hits}
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    assert all(0 <= each.score <= 1 for each in found)
