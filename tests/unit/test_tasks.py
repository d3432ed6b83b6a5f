import os
import stat
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from neomem import tasks
from neomem.errors import NeomemError
from neomem.lasting import LASTING, NOISE, lasting
from neomem.task_matching import finished_match, key_terms, names_task
from neomem.task_times import moment, written_moment
from neomem.tasks import Task, TaskFile, TaskReader, parse, stale, the_active

SGT = timezone(timedelta(hours=8), "SGT")
NOW = datetime(2026, 2, 18, 12, tzinfo=UTC)

FILE = """\
Notes of the agent, not to be lost.

# Active Tasks

## TASK-12: Move the shop to Postgres
- **Status:** in_progress
- **Started:** 2026-02-16 09:30 SGT
- **Updated:** 2026-02-17T18:00:00+08:00
- **Details:** the orders table first
- **Current Step:** copying customers
- [ ] a box that nobody knows

Some prose in between.

## TASK-13: Ask for a budget
- **Status:** blocked
- **Blocked On:** the finance team

# Completed

## ~~TASK-3: Book flights to Lisbon~~
- **Status:** done
- **Completed:** 2026-02-14 17:05 Europe/Lisbon
"""


def a_task(title: str = "", number: int = 1, **values: object) -> Task:
    return Task(id=f"TASK-{number}", title=title, **values)  # type: ignore[arg-type]


def a_file(body: str, *, section: str = "# Active Tasks", heading: str = "## TASK-1: A") -> Task:
    (task,) = parse(f"{section}\n\n{heading}\n{body}\n").tasks
    return task


# ---- reading -------------------------------------------------------------------------------------


def test_every_field_is_read():
    first, second, third = parse(FILE).tasks

    assert first == Task(
        id="TASK-12",
        title="Move the shop to Postgres",
        status="in_progress",
        started=datetime(2026, 2, 16, 9, 30, tzinfo=SGT),
        updated=datetime(2026, 2, 17, 18, tzinfo=timezone(timedelta(hours=8))),
        details="the orders table first",
        current_step="copying customers",
        lines=(5, 13),
    )
    assert (second.status, second.blocked_on, second.completed) == (
        "blocked",
        "the finance team",
        False,
    )
    assert (third.title, third.status, third.completed) == ("Book flights to Lisbon", "done", True)
    assert third.completed_at == datetime(2026, 2, 14, 17, 5, tzinfo=ZoneInfo("Europe/Lisbon"))


def test_a_file_knows_its_active_and_its_finished_tasks():
    file = parse(FILE)

    assert [task.id for task in file.active] == ["TASK-12", "TASK-13"]
    assert [task.id for task in file.finished] == ["TASK-3"]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("- **Status:** awaiting_input", "awaiting_input"),
        ("- **Status**: In Progress", "in_progress"),
        ("* status: BLOCKED", "blocked"),
        ("+   __Status:__   done", "done"),
        ("  -  Status :stale", "stale"),
        ("**Status:** done", "done"),
        ("-**Status:**done", "done"),
        ("- **Status:** ✅ completed", "done"),
        ("- **Status:** `awaiting-input` (since Monday)", "awaiting_input"),
        ("- **Status:** not done", "in_progress"),
        ("- **Status:** undone", "in_progress"),
        ("- **Status:**", "in_progress"),
        ("- **State:** done", "in_progress"),
        ("Status: done", "in_progress"),
        ("```\n- **Status:** done\n```", "in_progress"),
        ("- **Status:** blocked\n- **Status:** done", "blocked"),
        ("### Notes\n- **Status:** done", "done"),
        ("## Notes\n- **Status:** done", "in_progress"),
    ],
)
def test_a_status_is_read_however_it_is_written(line, status):
    assert a_file(line).status == status


@pytest.mark.parametrize(
    ("heading", "title", "completed"),
    [
        ("## TASK-1: Title", "Title", False),
        ("##task-1:Title ##", "Title", False),
        ("### Task - 1 — Title", "Title", False),
        ("## TASK-1", "", False),
        ("## TASK-1: Learn C#", "Learn C#", False),
        ("## TASK-1: Close #7", "Close #7", False),
        ("## ~~TASK-1: Title~~", "Title", True),
        ("## ~~TASK-1~~: ~~Title~~", "Title", True),
        ("## TASK-1: ~~Title~~", "Title", True),
        ("## TASK-1: ~~Old~~ new", "Old new", False),
        ("## ~~TASK-1: never closed", "never closed", False),
    ],
)
def test_a_heading_is_read_however_it_is_written(heading, title, completed):
    task = a_file("", heading=heading)

    assert (task.id, task.title, task.completed) == ("TASK-1", title, completed)


@pytest.mark.parametrize(
    ("section", "completed"),
    [
        ("# Completed", True),
        ("#  COMPLETED TASKS:", True),
        ("## Completed", True),
        ("# Active Tasks", False),
        ("# Completed\n\n# Ideas", False),
        ("# Completed\n\n## Notes", True),
        ("# Completed\n\n## TASK-0: Another\n\n## Notes", True),
        ("# Completely different", False),
    ],
)
def test_what_is_in_the_completed_section_is_completed(section, completed):
    task = parse(f"{section}\n\n## TASK-1: A\n- **Status:** in_progress").tasks[-1]

    assert (task.completed, task.status) == (completed, "in_progress")


def test_a_completed_task_without_a_status_is_done():
    assert a_file("", section="# Completed").status == "done"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no tasks at all",
        "## TASK: no number",
        "## TASK-12345678901: no such number",
        "# TASK-1: a section is no task",
        "<!--\n## TASK-1: a template\n-->",
        "```\n## TASK-1: an example\n```",
        "## SUBTASK-1: another thing",
    ],
)
def test_what_is_no_task_is_none(text):
    assert parse(text).tasks == ()


def test_a_task_ends_where_its_text_does():
    first, second = parse("\ufeff## TASK-1: A\r\n- x\r\n\r\n\r\n## TASK-2: B").tasks

    assert (first.lines, second.lines) == ((1, 2), (5, 5))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-02-16", "2026-02-16T00:00:00+01:00"),
        ("2026-02-16 9:05", "2026-02-16T09:05:00+01:00"),
        ("2026-02-16 09:05:30 UTC", "2026-02-16T09:05:30+00:00"),
        ("2026-02-16 09:05 (SGT)", "2026-02-16T09:05:00+08:00"),
        ("2026-02-16 09:05 pst", "2026-02-16T09:05:00-08:00"),
        ("2026-02-16 09:05 UTC+5:30", "2026-02-16T09:05:00+05:30"),
        ("2026-02-16 09:05 GMT-3", "2026-02-16T09:05:00-03:00"),
        ("2026-02-16T09:05:00Z", "2026-02-16T09:05:00+00:00"),
        ("2026-02-16T09:05:00.250+0530", "2026-02-16T09:05:00.250000+05:30"),
        ("2026-07-16 09:05 Europe/Berlin", "2026-07-16T09:05:00+02:00"),
        ("`2026-02-16 09:05` paused", "2026-02-16T09:05:00+01:00"),
        ("2026-02-16 09:05 Mars/Olympus", "2026-02-16T09:05:00+01:00"),
        ("2026-02-16 09:05 America/Argentina", "2026-02-16T09:05:00+01:00"),
        ("2026-02-16 09:05 +99", "2026-02-16T09:05:00+01:00"),
    ],
)
def test_a_time_keeps_its_zone(written, expected):
    found = moment(written, timezone(timedelta(hours=1)))

    assert found
    assert found.isoformat() == expected


@pytest.mark.parametrize(
    "written", ["", "yesterday", "2026-02-30", "2026-02-16 25:00", "0000-01-01", "16.02.2026"]
)
def test_what_is_no_time_is_none(written):
    assert moment(written, UTC) is None


@pytest.mark.parametrize(
    ("zone", "written"),
    [
        (UTC, "2026-02-16 09:05 UTC"),
        (SGT, "2026-02-16 09:05 SGT"),
        (ZoneInfo("Europe/Berlin"), "2026-02-16 09:05 CET"),
        (timezone(timedelta(hours=5, minutes=45)), "2026-02-16 09:05 UTC+05:45"),
        (timezone(timedelta(hours=1), "HOME"), "2026-02-16 09:05 +0100"),
        (timezone(timedelta(hours=1), "SGT"), "2026-02-16 09:05 +0100"),
    ],
)
def test_a_time_is_written_as_it_is_read(zone, written):
    at = datetime(2026, 2, 16, 9, 5, tzinfo=zone)

    assert written_moment(at) == written
    assert moment(written, UTC) == at


def test_a_time_without_a_zone_is_written_without_one():
    assert written_moment(NOW.replace(tzinfo=None)) == "2026-02-18 12:00"


# ---- changing ------------------------------------------------------------------------------------


def test_a_changed_field_rewrites_its_line_only():
    file = parse(FILE)

    changed = file.changed("TASK-12", "updated", NOW.astimezone(SGT))

    assert changed.written() == FILE.replace(
        "- **Updated:** 2026-02-17T18:00:00+08:00", "- **Updated:** 2026-02-18 20:00 SGT"
    )
    assert changed.tasks[0].updated == NOW
    assert file.written() == FILE


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("* status : blocked\r\n", "* status : done\r\n"),
        ("- **Status**:   blocked", "- **Status**:   done"),
        ("- **Status:**\n", "- **Status:** done\n"),
        ("- x\n- **Details:** d\nprose\n", "- x\n- **Details:** d\n- **Status:** done\nprose\n"),
        ("", "- **Status:** done\n"),
        ("```\n- Status: x\n```\n", "- **Status:** done\n```\n- Status: x\n```\n"),
    ],
)
def test_a_field_is_changed_in_its_own_style_or_added_in_ours(before, after):
    changed = parse(f"## TASK-1: A\n{before}").changed("task-1", "status", "done")

    assert changed.written() == f"## TASK-1: A\n{after}"
    assert changed.tasks[0].completed


def test_a_field_added_at_the_end_of_a_file_has_a_line_of_its_own():
    assert parse("## TASK-1: A").changed("TASK-1", "current_step", "x").written() == (
        "## TASK-1: A\n- **Current Step:** x\n"
    )
    assert parse("## TASK-1: A\r\n").changed("TASK-1", "details", "x").written() == (
        "## TASK-1: A\r\n- **Details:** x\r\n"
    )


def test_a_value_cannot_bring_lines_of_its_own():
    changed = parse("## TASK-1: A\n").changed("TASK-1", "details", "x\n## TASK-2: B\n\ud800")

    assert len(changed.tasks) == 1
    assert changed.tasks[0].details == "x ## TASK-2: B \ufffd"


def test_an_unknown_task_cannot_be_changed():
    with pytest.raises(NeomemError, match="TASK-9"):
        parse(FILE).changed("TASK-9", "status", "done")


# ---- files ---------------------------------------------------------------------------------------


def test_a_missing_file_means_no_tasks(tmp_path):
    assert tasks.read(tmp_path / "TASKS.md") == TaskFile()


def test_a_file_is_read_to_the_byte_and_written_back(tmp_path):
    path = tmp_path / "TASKS.md"
    data = b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode() + b"\rlast"
    path.write_bytes(data)
    path.chmod(0o640)

    tasks.write(path, tasks.read(path))

    assert path.read_bytes() == data
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_to_the_file_stays_a_link(tmp_path):
    place, link = tmp_path / "real.md", tmp_path / "TASKS.md"
    place.write_text("old")
    link.symlink_to(place)

    tasks.write(link, parse(FILE))

    assert link.is_symlink()
    assert place.read_text() == FILE


def test_times_without_a_zone_are_this_machines_unless_told(tmp_path):
    path = tmp_path / "TASKS.md"
    path.write_text("## TASK-1: A\n- **Started:** 2026-02-16 09:00\n")

    assert tasks.read(path, zone=SGT).tasks[0].started == datetime(2026, 2, 16, 9, tzinfo=SGT)
    started = tasks.read(path).tasks[0].started
    assert started
    assert started.utcoffset() == datetime.now(UTC).astimezone().utcoffset()


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"## TASK-1: A\0", "not a UTF-8 text"),
        (b"\xff\xfe\xfd", "not a UTF-8 text"),
        (b"x" * 5_000_001, "larger than 5 MB"),
    ],
)
def test_a_file_that_is_no_text_means_no_tasks_and_a_word_about_it(tmp_path, data, problem):
    path = tmp_path / "TASKS.md"
    path.write_bytes(data)

    file = tasks.read(path)

    assert file.tasks == ()
    assert file.problem == f"{path} is {problem}"
    with pytest.raises(NeomemError, match="not read"):
        tasks.write(path, file)
    assert path.read_bytes() == data


def test_what_is_no_file_is_not_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    assert tasks.read(tmp_path).problem == f"{tmp_path} is not a file"
    assert tasks.read(pipe).problem == f"{pipe} is not a file"
    assert "cannot be read" in str(tasks.read(_a_file_in_a_file(tmp_path)).problem)


def _a_file_in_a_file(folder: Path) -> Path:
    (folder / "file").write_text("x")
    return folder / "file" / "TASKS.md"


def test_what_cannot_be_written_is_said_and_leaves_nothing_behind(tmp_path):
    place = tmp_path / "TASKS.md"
    place.mkdir()

    with pytest.raises(NeomemError, match="cannot be written"):
        tasks.write(place, parse(FILE))

    assert list(tmp_path.iterdir()) == [place]


def test_a_new_file_is_written_for_its_readers(tmp_path):
    tasks.write(tmp_path / "TASKS.md", parse(FILE))

    assert (tmp_path / "TASKS.md").read_text() == FILE


def test_a_file_is_read_once_a_minute_while_it_stays_the_same(tmp_path):
    path, now = tmp_path / "TASKS.md", [0.0]
    reader = TaskReader(clock=lambda: now[0])
    path.write_text("## TASK-1: A\n")

    first = reader.read(path)
    state = path.stat()
    path.write_text("## TASK-2: B\n")  # of the same size, in the same tick of a coarse clock
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    now[0] = 59.9
    within = reader.read(path)
    now[0] = 60.0
    after = reader.read(path)

    assert within is first
    assert after.tasks[0].id == "TASK-2"


def test_a_file_that_has_changed_is_read_at_once(tmp_path):
    path = tmp_path / "TASKS.md"
    reader = TaskReader(clock=lambda: 0.0, zone=UTC)

    assert reader.read(path).tasks == ()
    path.write_text("## TASK-1: A\n")
    assert len(reader.read(path).tasks) == 1
    path.write_text("## TASK-1: A\n## TASK-2: B\n")
    assert len(reader.read(path).tasks) == 2
    path.unlink()
    assert reader.read(path).tasks == ()


# ---- active, stale -------------------------------------------------------------------------------


def test_the_active_task_is_the_only_one():
    one, two = a_task("A", 1), a_task("B", 2)
    done, forgotten = a_task("C", 3, completed=True), a_task("D", 4, status="stale")

    assert the_active([one, done, forgotten]) is one
    assert the_active([one, two]) is None
    assert the_active([done]) is None
    assert the_active([]) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"updated": NOW - timedelta(hours=24)}, False),
        ({"updated": NOW - timedelta(hours=24, seconds=1)}, True),
        ({"updated": (NOW - timedelta(hours=25)).astimezone(SGT)}, True),
        ({"started": NOW - timedelta(days=9), "updated": NOW}, False),
        ({"started": NOW - timedelta(days=9)}, True),
        ({"started": NOW - timedelta(days=9), "completed": True}, False),
        ({"started": NOW + timedelta(days=9)}, False),
        ({"updated": datetime(2026, 2, 17, tzinfo=UTC)}, False),
        ({"updated": datetime(2026, 2, 16, tzinfo=UTC)}, True),
        ({"updated": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))}, True),
        ({"updated": datetime(9999, 12, 31, tzinfo=timezone(timedelta(hours=-12)))}, False),
        ({"status": "stale"}, True),
        ({}, False),
    ],
)
def test_a_task_is_stale_after_a_day_untouched(values, expected):
    assert stale(a_task("A", **values), NOW) is expected


# ---- matching ------------------------------------------------------------------------------------

FLIGHTS = a_task("Book flights to Lisbon", 3, completed=True)
DEPLOY = a_task("Deploy the staging server", 10, completed=True)
SHOP = a_task("Move the shop to Postgres", 12)


@pytest.mark.parametrize(
    ("task", "terms"),
    [
        (a_task("Book flights to Lisbon"), {"book", "flights", "lisbon"}),
        (
            a_task("Fix it", details="Neo4j driver", current_step="retry"),
            {"neo4j", "driver", "retry"},
        ),
        (a_task("", blocked_on="Finance"), {"finance"}),
        (a_task("Task 18807 due 2026-02-16 in February"), set()),
        (a_task("Update ipv4 FAQ with THE status"), set()),
        (a_task("ﬁle_name straße"), {"file", "name", "strasse"}),
        (a_task("数据库迁移"), {"数据", "据库", "库迁", "迁移"}),
        (
            a_task("東京のサーバーについて"),
            {"東京", "京の", "のサ", "サー", "ーバ", "バー"},
        ),
        (a_task("서버 배포합니다"), {"서버", "배포", "포합"}),
        (a_task("डेटाबेस योजना"), {"डेटाबेस"}),
        (a_task(), set()),
    ],
)
def test_key_terms_are_the_words_of_its_own(task, terms):
    assert key_terms(task) == terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lisbon flights are booked for May.", FLIGHTS),
        ("TASK-3 went well", FLIGHTS),
        ("see task-3.", FLIGHTS),
        ("see TASK-003", FLIGHTS),
        ("处理TASK-3的时候", FLIGHTS),
        ("LISBON: the FLIGHTS", FLIGHTS),
        ("The staging server is up", DEPLOY),
        ("Lisbon is lovely in May", None),
        ("Lisbon, Lisbon, Lisbon", None),
        ("the flight to Lisbonne", None),
        ("TASK-30 and TASK-31", None),
        ("TASK-3.1, TASK-3-1, SUBTASK-3, TASK-3b", None),
        ("task 3 of 5", None),
        ("", None),
    ],
)
def test_a_memory_belongs_to_a_finished_task_by_id_or_two_terms(text, expected):
    assert finished_match(text, None, [FLIGHTS, DEPLOY], [SHOP]) is expected


def test_one_term_each_of_two_tasks_is_not_enough():
    assert finished_match("a server in Lisbon", None, [FLIGHTS, DEPLOY], []) is None


def test_a_tag_is_enough():
    assert finished_match("anything", "TASK-3", [FLIGHTS], [SHOP]) is FLIGHTS
    assert finished_match("anything", "task-03", [FLIGHTS], [SHOP]) is FLIGHTS
    assert finished_match("anything", "TASK-30", [FLIGHTS], [SHOP]) is None
    assert finished_match("anything", "", [FLIGHTS], [SHOP]) is None


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Lisbon flights", "TASK-12"),
        ("Lisbon flights, see TASK-12", None),
        ("Lisbon flights, as in task 12", None),
        ("Lisbon flights of the shop for Postgres", None),
        ("the shop uses Postgres", "TASK-3"),
        ("TASK-3 moved the shop to Postgres", None),
    ],
)
def test_a_memory_of_an_active_task_is_never_hidden(text, tag):
    assert finished_match(text, tag, [FLIGHTS], [SHOP]) is None


def test_terms_an_active_task_shares_do_not_count():
    old = a_task("Deploy the staging server in Frankfurt", 1, completed=True)
    new = a_task("Patch the staging database", 2)

    assert finished_match("staging, Frankfurt", None, [old], [new]) is None
    assert finished_match("server, Frankfurt", None, [old], [new]) is old


def test_a_task_that_was_taken_up_again_is_active():
    again = a_task("Book flights to Lisbon", 3)

    assert finished_match("TASK-3: Lisbon flights", "TASK-3", [FLIGHTS], [again]) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("数据库很大", False), ("数据库的迁移", True), ("数据 迁移", True), ("把数据库迁移完", True)],
)
def test_characters_count_for_one_term_only(text, expected):
    task = a_task("数据库迁移", completed=True)

    assert (finished_match(text, None, [task], []) is task) is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What became of TASK-3?", True),
        ("what became of task 3?", True),
        ("Which flights to Lisbon did I book?", True),
        ("Where is Lisbon?", False),
        ("What about TASK-30?", False),
        ("", False),
    ],
)
def test_a_question_names_a_task_by_id_or_two_terms(question, expected):
    assert names_task(question, FLIGHTS) is expected


# ---- lasting or noise ----------------------------------------------------------------------------


@pytest.mark.parametrize("cue", LASTING, ids=lambda cue: cue.name)
def test_what_stays_true_is_lasting(cue):
    assert cue.pattern.search(cue.example)
    assert lasting(cue.example, "fact") is True


@pytest.mark.parametrize("cue", NOISE, ids=lambda cue: cue.name)
def test_what_was_said_on_the_way_is_noise(cue):
    assert cue.pattern.search(cue.example)
    assert lasting(cue.example, "other") is False


@pytest.mark.parametrize("kind", ["preference", "decision", "lesson"])
def test_some_kinds_are_lasting_whatever_they_say(kind):
    assert lasting("Running the tests now.", kind) is True


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running the tests now. All 40 tests pass.", False),
        ("- Step 2 of 5 done\n- 12/40 files migrated\n- Waiting for CI", False),
        ("Checkpoint 3: parser finished.", False),
        ("I'm checking the logs again", False),
        ("Let me look at the file.", False),
        ("Running the tests now. The API listens on port 8081.", True),
        ("Redis: 6379, ports of Postgres: 5432 and 5433", True),
        ("The retry limit defaults to 4.", True),
        ("NEOMEM_HOME = /srv/neomem", True),
        ("Running the tests now. Bob's birthday is on 3 May.", None),
        ("Checking why we decided to use port 8081.", None),
        ("Bob's birthday is on 3 May.", None),
        ("The running costs are high.", None),
        ("Testimony was given.", None),
        ("", None),
        ("...", None),
        ("Running. " * 1000, None),
    ],
)
def test_doubt_keeps(text, expected):
    assert lasting(text, "turn") is expected


@pytest.mark.parametrize("kind", ["chunk", "summary"])
def test_what_was_written_to_be_kept_is_never_noise(kind):
    assert lasting("Running the tests now.", kind) is None
    assert lasting("We decided to wait.", kind) is True
