"""What must hold of task files and of matching for any text."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st

from neomem.lasting import lasting
from neomem.task_matching import finished_match, key_terms, names_task
from neomem.task_times import moment, written_moment
from neomem.tasks import Task, parse, stale, the_active

PARTS = st.sampled_from(
    [
        "# Active Tasks",
        "# Completed",
        "## TASK-1: Title of one",
        "## ~~TASK-2: Another title~~",
        "### Notes",
        "- **Status:** done",
        "* status : blocked",
        "- **Updated:** 2026-02-16 10:00 SGT",
        "- **Details:**",
        "- **Completed:** never",
        "```",
        "<!--",
        "-->",
        "unknown \t line ",
        "",
    ]
)
ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n"])
ANY = st.text(st.characters(exclude_categories=[]))
FILES = st.one_of(
    ANY, st.lists(st.tuples(PARTS, ENDS)).map(lambda parts: "".join(a + b for a, b in parts))
)
FIELDS = st.sampled_from(["status", "started", "updated", "details", "current_step", "blocked_on"])
WORDS = st.text(st.sampled_from("bcdfgklmnprstvz"), min_size=5, max_size=9)
PAIRS = st.sampled_from(["東京", "大阪", "記憶", "数据", "迁移", "서버"])
TERMS = st.lists(st.one_of(WORDS, PAIRS), min_size=2, max_size=5, unique=True)
TEXTS = st.one_of(ANY, st.lists(st.one_of(WORDS, PAIRS)).map(" ".join))
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))


def a_task(number: int, title: str, *, completed: bool = False) -> Task:
    return Task(id=f"TASK-{number}", title=title, completed=completed)


@given(text=FILES)
def test_a_file_is_written_as_it_was_read(text):
    file = parse(text)

    assert file.written() == text
    assert the_active(file.tasks) in {None, *file.active}
    for task in file.tasks:
        stale(task, datetime(2026, 2, 18, tzinfo=UTC))
        assert 1 <= task.lines[0] <= task.lines[1] <= len(file.lines)


@given(text=FILES, field=FIELDS, value=ANY)
@example(text="##TASK-0", field="status", value="\0")
def test_a_change_touches_one_line_of_one_task(text, field, value):
    file = parse(text)
    for task in file.tasks[:1]:
        changed = file.changed(task.id, field, value)

        assert [each.id for each in changed.tasks] == [each.id for each in file.tasks]
        kept = [line.rstrip("\r\n") for line in changed.lines]
        lost = [line for line in (x.rstrip("\r\n") for x in file.lines) if line not in kept]
        assert len(lost) <= 1
        assert len(changed.lines) - len(file.lines) in {0, 1}
        assert changed.changed(task.id, field, value).written() == changed.written()


@given(at=st.datetimes(timezones=ZONES))
def test_a_time_survives_being_written(at):
    found = moment(written_moment(at), UTC)

    assert found == at.replace(second=0, microsecond=0)
    assert found is not None
    assert found.utcoffset() == at.utcoffset()


@given(words=TERMS)
def test_a_text_made_of_a_title_belongs_to_the_task(words):
    task = a_task(1, " ".join(words), completed=True)

    assert finished_match(" ".join(reversed(words)), None, [task], []) is task
    assert names_task(", ".join(words), task)


@given(finished=TERMS, active=TERMS, text=TEXTS, tag=st.sampled_from([None, "TASK-1", "TASK-2"]))
def test_a_memory_of_an_active_task_is_never_hidden(finished, active, text, tag):
    old, new = a_task(1, " ".join(finished), completed=True), a_task(2, " ".join(active))

    for said in (f"{text} {active[0]} {active[1]}", f"{text} TASK-2", f"task 2 {text}"):
        assert finished_match(said, tag, [old], [new]) is None
    assert finished_match(text, "TASK-2", [old], [new]) is None
    if names_task(text, new):
        assert finished_match(text, tag, [old], [new]) is None


@given(text=TEXTS, title=TEXTS)
def test_terms_are_never_numbers_or_short(text, title):
    for term in key_terms(a_task(1, f"{title} {text}")):
        assert not term.isdigit()
        assert len(term) >= 2


@given(text=TEXTS, kind=st.sampled_from(["turn", "fact", "decision", "chunk", ""]))
def test_any_text_may_be_judged(text, kind):
    assert lasting(text, kind) in {True, False, None}
