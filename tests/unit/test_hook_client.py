"""The hook's own parts, without a service."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from neomem import config
from neomem.capture.transcripts import Format, Turn, read
from neomem_hook import breaker, events, hook, limits, spool, transcript, wire
from neomem_hook import home as files

SAMPLES = Path(__file__).parents[1] / "data" / "transcripts"


@pytest.fixture
def user(monkeypatch, tmp_path):
    """A user with folders of their own."""
    for name in ("NEOMEM_HOME", "NEOMEM_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.mark.parametrize(
    ("line", "variables"),
    [
        ("", {}),
        ("home: /srv/memory\n", {}),
        ("language: german\nhome: '/srv/my memory'  # kept apart\n", {}),
        ('home: "~/memory"\n', {}),
        ("home: /srv/memory\n", {"NEOMEM_HOME": "~/mine"}),
        ("neo4j:\n  user: home\n", {}),
        ("", {"XDG_DATA_HOME": ""}),
    ],
)
def test_the_home_is_the_one_neomem_itself_would_use(user, monkeypatch, line, variables):
    file = user / "settings" / "neomem" / "config.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(line)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert files.find() == str(config.load().home)
    monkeypatch.setenv("NEOMEM_CONFIG", str(file))
    assert files.find() == str(config.load().home)
    assert files.find("/given") == "/given"


def test_it_loads_nothing_that_is_slow():
    script = (
        "import sys\n"
        "import neomem_hook.hook\n"
        "slow = {'neomem', 'pathlib', 'typing', 'dataclasses', 'argparse', 'subprocess', 'inspect',"
        " 'logging', 'http', 'email', 'ssl', 'asyncio', 'urllib', 'tempfile', 'hashlib'}\n"
        "print(sorted(slow & set(sys.modules)))"
    )

    seen = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path.insert(0, {str(SAMPLES.parents[2])!r})\n{script}",
        ],
        capture_output=True,
        text=True,
        check=True,
    )

    assert seen.stdout.strip() == "[]"


def test_the_limits_are_the_settings_own_defaults():
    settings = config.HookSettings()

    assert {name: getattr(settings, name) for name in limits.DEFAULTS} == limits.DEFAULTS


@pytest.mark.parametrize("written", ["", "{", "[]", '{"timeout": "long"}', '{"other": 1}'])
def test_limits_that_cannot_be_read_are_the_usual_ones(tmp_path, written):
    (tmp_path / "run").mkdir()
    (tmp_path / files.LIMITS).write_text(written)

    assert limits.read(str(tmp_path)) == limits.DEFAULTS


def test_limits_are_those_the_service_has_written(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / files.LIMITS).write_text('{"timeout": 7, "failures": 2}')

    assert limits.read(str(tmp_path)) == {**limits.DEFAULTS, "timeout": 7, "failures": 2}


def test_the_breaker_opens_after_failures_in_a_row_and_forgets_them_after_a_success(tmp_path):
    safety = breaker.Breaker(str(tmp_path), {**limits.DEFAULTS, "failures": 2})
    states = []
    for step in (safety.failed, safety.worked, safety.failed, safety.failed, safety.worked):
        step()
        states.append(safety.is_open)

    assert states == [False, False, False, True, False]
    (tmp_path / files.BREAKER).write_text("nonsense")
    assert not safety.is_open


def test_a_clock_that_was_set_back_does_not_keep_hooks_silent(tmp_path):
    safety = breaker.Breaker(str(tmp_path), {**limits.DEFAULTS, "failures": 1})
    (tmp_path / "run").mkdir()
    (tmp_path / files.BREAKER).write_text("9 99999999999")

    assert not safety.is_open


@pytest.mark.parametrize("name", ["claude-code.jsonl", "openclaw.jsonl", "plain.jsonl"])
def test_lines_without_tool_traffic_say_the_same(name):
    form = {"c": Format.CLAUDE_CODE, "o": Format.OPENCLAW, "p": Format.JSONL}[name[0]]
    lines = (SAMPLES / name).read_text(encoding="utf-8").splitlines()

    def turns(given):
        return [turn for turn in read(given, form) if isinstance(turn, Turn)]

    assert turns([transcript.said(line) for line in lines]) == turns(lines)
    assert turns(lines)


def test_tools_thinking_and_pictures_are_not_sent():
    blocks = [
        {"type": "text", "text": "Look at this boat."},
        {"type": "image", "source": {"data": "x" * 1000}},
        {"type": "tool_result", "content": "y" * 1000},
        {"type": "thinking", "thinking": "z" * 1000},
    ]
    entry = {"type": "user", "uuid": "1", "message": {"role": "user", "content": blocks}}

    sent = json.loads(transcript.said(json.dumps(entry)))

    assert sent["message"]["content"] == blocks[:1]
    entry["message"]["content"] = blocks[1:]  # type: ignore[index]
    assert transcript.said(json.dumps(entry)) == ""
    assert transcript.said(json.dumps({"type": "file-history-snapshot", "snapshot": {}})) == ""


def test_a_long_transcript_comes_in_batches_that_go_on_from_each_other(tmp_path, monkeypatch):
    monkeypatch.setattr(transcript, "_BATCH", 100)
    file = tmp_path / "t.jsonl"
    lines = [json.dumps({"text": f"line {n} " + "x" * 30}) for n in range(10)]
    file.write_text("\n".join(lines) + "\nhalf a li", encoding="utf-8")
    position = transcript.Position(str(tmp_path), str(file), "s/../1")

    found = transcript.batches(str(file), *position.read())
    position.write(found[0])
    rest = transcript.batches(str(file), *position.read())

    assert [line for batch in found for line in batch.lines] == lines
    assert len(found) > 2
    assert [batch.first for batch in rest] == [batch.first for batch in found[1:]]
    assert [batch.lines for batch in rest] == [batch.lines for batch in found[1:]]
    file.write_text("begun anew\n")
    assert position.read() == (0, 1)
    (kept,) = (tmp_path / files.POSITIONS).iterdir()  # whatever a session is called
    assert kept.is_file()


def test_turns_get_a_time_and_a_name_of_their_own_unless_they_have_one():
    turns = [
        {"text": "a"},
        {"text": "b", "id": "7"},
        {"text": "c", "position": 3, "said": "today"},
        "?",
    ]

    first, named, placed, odd = events.stamped(turns)  # type: ignore[misc]

    assert first["id"].startswith("hook-")
    assert named["id"] == "7"
    assert "id" not in placed
    assert placed["said"] == "today"
    assert first["said"] == named["said"]
    assert odd == "?"
    assert events.stamped(None) is None


def test_the_spool_takes_what_fits_and_no_more(tmp_path):
    event = {"event": "capture", "turns": [{"text": "x" * 100}]}
    size = len(json.dumps(event))
    tight = {**limits.DEFAULTS, "spool_bytes": 2 * size}

    kept = [spool.put(str(tmp_path), dict(event), tight) for _ in range(3)]

    assert kept == [True, True, False]
    assert len(list((tmp_path / files.SPOOL).iterdir())) == 2


def test_the_log_never_grows_beyond_its_bounds(tmp_path, monkeypatch):
    monkeypatch.setattr(hook, "_LARGEST_LOG", 1000)
    for number in range(100):
        hook.note(str(tmp_path), f"{number}\n forged line " + "x" * 900)

    logs = sorted((tmp_path / "logs").iterdir())
    assert [log.name for log in logs] == ["hook.log", "hook.log.1"]
    assert all(log.stat().st_size < 2000 for log in logs)
    assert "99 forged line" in logs[0].read_text()


def test_a_log_that_cannot_be_written_is_no_trouble(tmp_path):
    (tmp_path / "logs").write_text("in the way")

    hook.note(str(tmp_path), "anything")

    assert (tmp_path / "logs").read_text() == "in the way"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ([], {}),
        (["--agent", "ada", "--home=/x"], {"agent": "ada", "home": "/x"}),
        (["-h"], {"help": "yes"}),
    ],
)
def test_options_are_read(arguments, found):
    assert hook._options(arguments) == found


@pytest.mark.parametrize("arguments", [["--colour"], ["--agent"], ["x"]])
def test_other_options_are_refused(arguments):
    with pytest.raises(ValueError, match="is no option"):
        hook._options(arguments)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", "cannot be read"),
        (b"HTTP/1.1 200 OK\r\n\r\n{", "cannot be read"),
        (b"HTTP/1.1 200 OK\r\n\r\n[]", "cannot be read"),
        (b"garbage\r\n\r\n{}", "cannot be read"),
    ],
)
def test_half_an_answer_is_a_failure(raw, problem):
    with pytest.raises(wire.Failed, match=problem):
        wire._read(raw)
