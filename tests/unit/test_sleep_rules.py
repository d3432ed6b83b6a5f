"""The pure parts of the night: statements, relations, summaries, budgets, the crontab."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from neomem.errors import InputError, ModelAnswerInvalid
from neomem.models.spacy import SpacyFinder
from neomem.ports import Found
from neomem.sleep_settings import SleepSettings
from neomem.testing import FakeLanguageModel
from sleep_cycle import schedule, statements
from sleep_cycle.budget import Budget
from sleep_cycle.judge import Judge
from sleep_cycle.phases.compact import faithful
from sleep_cycle.phases.decay import strength
from sleep_cycle.phases.extract import plainly
from sleep_cycle.relations import relations
from sleep_cycle.summaries import choose, clusters, excerpt, heading

NOW = datetime(2026, 5, 4, tzinfo=UTC)
FINDER = SpacyFinder.open("english")


@pytest.mark.parametrize(
    ("older", "newer", "another"),
    [
        ("The staging port is 8081.", "The staging port is 9090.", True),
        ("The staging port is 8081.", "The staging port is now 9090.", True),
        ("The staging port is 8081.", "The staging port has been changed to 9090.", True),
        ("The staging port is 8081.", "The production port is 9090.", False),
        ("The staging port is 8081.", "The staging port is 8081 for everybody.", False),
        ("My favourite colour is green.", "My favourite colour is blue.", True),
        ("Ada lives in Boston.", "Ada moved to Lisbon.", True),
        ("Ada lives in Boston.", "Bob moved to Lisbon.", False),
        ("Ada works at Acme.", "Ada works at Globex.", True),
        ("The meeting is on Monday.", "The meeting was moved to Friday.", True),
        ("The tent is green.", "The tent is large.", True),  # one value at a time is all it knows
    ],
)
def test_two_values_of_one_subject_are_a_conflict(older, newer, another):
    first, second = statements.value(older), statements.value(newer)

    assert first
    assert second
    assert statements.contradicts(second, first) == another


@pytest.mark.parametrize(
    "text",
    [
        "Is the port 8081?",
        "The port is not 8081.",
        "If it rains the port is closed.",
        "The port may be 8081 or 9090.",
        "The port is 8081. The host is db.",
        "Hello there.",
        "The report that Ada wrote about the port and the host is long.",
    ],
)
def test_what_is_not_plain_states_no_value(text):
    assert statements.value(text) is None


def test_a_newer_figure_amends_an_older_one_of_the_same_thing():
    old = "My Zotero library has 45 sources, tagged by theme and date."
    new = "I have added sources, and my Zotero library now has 52 sources tagged by theme."
    other = "I have 52 books on the shelf in the kitchen."

    found = statements.amends(statements.figures(new), statements.figures(old))

    assert found
    assert "sourc" in found[1]
    assert statements.brings_news(new)
    assert statements.amends(statements.figures(other), statements.figures(old)) is None
    assert statements.amends(statements.figures(old), statements.figures(old)) is None


@pytest.mark.parametrize(
    ("text", "speaker", "expected"),
    [
        ("Ada Byron lives in Boston.", None, ("Ada Byron", "LIVES_IN", "Boston")),
        ("Grace: I moved to Lisbon last year.", "Grace", ("Grace", "LIVES_IN", "Lisbon")),
        ("Grace: I work at Siemens now.", "Grace", ("Grace", "WORKS_AT", "Siemens")),
        ("Grace: My sister Maria called.", "Grace", ("Grace", "RELATED_TO", "Maria")),
        ("Grace: I want to live in Lisbon.", "Grace", None),
        ("Grace: I never lived in Lisbon.", "Grace", None),
        ("Grace: Do you live in Lisbon?", "Grace", None),
        ("Ada and Bob met a man who lives in Lisbon.", None, None),
    ],
)
def test_plain_relations_are_read(text, speaker, expected):
    found = relations(text, speaker, FINDER.find(text))

    said = {(each.source, each.type, each.target) for each in found}
    assert said == ({expected} if expected else set())


@given(st.integers(0, 500), st.integers(2, 40))
def test_clusters_are_runs_in_order_of_about_one_size(count, size):
    found = clusters(count, size)

    assert [index for run in found for index in run] == list(range(count))
    assert all(len(run) <= size for run in found)
    assert len(found) == -(-count // size)
    if found:
        sizes = {len(run) for run in found}
        assert max(sizes) - min(sizes) <= 1


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.lists(
            st.lists(st.floats(-1, 1), min_size=4, max_size=4), min_size=n, max_size=n
        )
    ),
    st.floats(0.01, 1),
)
def test_a_summary_has_something_and_no_more_than_its_share(rows, share):
    lengths = [40 + 10 * at for at in range(len(rows))]

    chosen = choose(np.array(rows, dtype=np.float32), lengths, share)

    assert chosen.indexes == tuple(sorted(set(chosen.indexes)))
    assert chosen.indexes
    assert 0 <= chosen.confidence <= 1
    told = sum(lengths[index] for index in chosen.indexes)
    assert told <= max(share * sum(lengths), min(lengths))


def test_the_nearest_to_the_middle_is_chosen_and_not_twice():
    rows = np.array([[1, 0.1], [1, 0.12], [0.7, 0.7], [1, 0]], dtype=np.float32)

    chosen = choose(rows, [50, 50, 50, 50], 0.5)

    assert len(chosen.indexes) == 2
    assert 2 in chosen.indexes  # what the first does not say


def test_excerpts_end_with_a_sentence_and_headings_tell_who_and_when():
    assert excerpt("Short.") == "Short."
    assert excerpt("A sentence. " * 60).endswith("sentence.")
    assert excerpt("x" * 900).endswith("…")
    assert heading(["Ada", "Bob"], NOW, NOW) == "Conversation on 4 May 2026 (Ada, Bob)"
    assert heading([], NOW, NOW + timedelta(days=1)).endswith("4 May 2026 to 5 May 2026")


def test_a_models_summary_must_not_know_more_than_was_said():
    said = "Ada: The boat costs 300 euros, says Grace."

    assert faithful("The boat costs 300 euros according to Grace.", said)
    assert not faithful("The boat costs 400 euros.", said)
    assert not faithful("It was sold by Hopper.", said)


@given(st.floats(0, 3650), st.floats(0, 3650), st.floats(0, 1), st.integers(0, 1000))
def test_strength_never_rises_with_age_and_stays_within_importance(one, other, importance, times):
    def at(days: float) -> float:
        row = {
            "created_at": NOW - timedelta(days=days),
            "last_retrieved_at": None,
            "importance": importance,
            "retrievals": times,
        }
        return strength(row, NOW, SleepSettings())

    young, old = sorted((one, other))
    assert 0 <= at(old) <= at(young) <= importance


def test_a_clock_set_back_makes_nothing_weaker():
    row = {
        "created_at": NOW + timedelta(days=900),
        "last_retrieved_at": None,
        "importance": 0.5,
        "retrievals": 0,
    }

    assert strength(row, NOW, SleepSettings()) == 0.5


def test_budgets_end_a_run():
    seconds = iter([0.0, 1.0, 11.0])
    timed = Budget(seconds=10, clock=lambda: next(seconds))
    counted = Budget(changes=3, spent_changes=1)
    words = Budget(tokens=100)

    assert timed.over is None
    assert "10 s" in (timed.over or "")
    assert (counted.over, counted.room) == (None, 2)
    counted.spent_changes = 3
    assert "3" in (counted.over or "")
    words.spend(100)
    assert words.out_of_words
    assert Budget().room is None


class Opinion(BaseModel):
    same: bool | None


async def test_a_judge_that_fails_again_and_again_is_left_alone():
    model = FakeLanguageModel([ModelAnswerInvalid("nonsense")] * 5)
    judge = Judge(model, Budget())

    opinions = [await judge.ask("?", "x", Opinion) for _ in range(5)]

    assert opinions == [None] * 5
    assert judge.failures == 3
    assert not judge.there
    assert not Judge(None, Budget()).there


async def test_a_judge_that_never_answers_is_not_waited_for():
    class Slow(FakeLanguageModel):
        async def ask(self, instructions: str, data: str, shape: type[Any]) -> Any:
            del instructions, data, shape
            await asyncio.sleep(60)

    judge = Judge(Slow([]), Budget(), seconds=0.01)

    assert await judge.ask("?", "x", Opinion) is None


def test_a_crontab_gets_one_line_and_loses_it_again():
    mine = "MAILTO=me\n0 5 * * * backup"
    line = schedule.line(["/opt/my neomem", "sleep", "100%"], "3:05")

    once = schedule.added(mine, line)

    assert line.startswith("5 3 * * * '/opt/my neomem' sleep ")
    assert r"100\%" in line
    assert schedule.added(once, line) == once
    assert schedule.removed(once) == mine + "\n"
    assert schedule.removed(mine) == mine
    assert schedule.added("", line) == line + "\n"
    with pytest.raises(InputError):
        schedule.line(["neomem"], "25:00")


@pytest.mark.parametrize(
    ("name", "text", "plain"),
    [
        ("Grammarly", "I use Grammarly for that.", True),
        ("New York", "She moved to New York.", True),
        ("Grammarly", "I use grammarly for that.", False),
        ("In Montserrat", "She lives in Montserrat.", False),
        ("In Montserrat", "In Montserrat it rains.", False),
        ("Tips", "Tips for the interview", False),
        ("Peer Review", "Peer Review comes first.", False),
    ],
)
def test_a_night_joins_texts_to_names_only_where_they_stand_as_names(name, text, plain):
    start = text.casefold().index(name.casefold())
    found = Found(name, "other", start, start + len(name), 0.95)

    assert plainly(found, text) is plain
