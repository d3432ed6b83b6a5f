from time import perf_counter

import pytest

from benchmarks import gate as benchmark
from neomem.capture.gate import Judgement, judge, strip

TURNS = benchmark.read()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<relevant-memories>\n- a\n</relevant-memories>\nhello", "hello"),
        ("hello<relevant-memories>- a</relevant-memories>", "hello"),
        ("<relevant-memories>- a\n- b", ""),
        ("<memory id='1'\n  kind=\"a>b\">secret</memory> left", "left"),
        ("<memory>a <memory>b</memory> c</memory>left", "left"),
        ("<memory>a</memory>x<memory>b</memory>y", "x\ny"),
        ("<memory>quotes </memory> its own end</memory>left", "left"),
        ("<MEMORY>a</Memory>left", "left"),
        ("<neomem:memory-block>a</neomem:memory-block>left", "left"),
        ("<memory/>left", "left"),
        ("<core-memory-refresh>a</core-memory-refresh>left", "left"),
        ("<system-reminder>a <memory> b</system-reminder>left", "left"),
        ("<command-name>/clear</command-name>\n<command-args></command-args>", ""),
        ("<local-command-stdout>Set model</local-command-stdout>left", "left"),
        ("<task-notification><status>done</status></task-notification>left", "left"),
        ('<file name="a.txt" mime="text/plain">content</file>left', "left"),
        ("<thinking>hm</thinking>left", "left"),
        ("a thought that lost its beginning</think>left", "left"),
        ("<think>a thought without end", ""),
        ('<function_calls><invoke name="a">b</invoke></function_calls>left', "left"),
        ('<invoke name="a"><parameter name="b">c</parameter></invoke>left', "left"),
        ("<tool_use>{}</tool_use><tool_result>out</tool_result>left", "left"),
        ('left\n{"name": "search", "arguments": {"query": "a"}}', "left"),
        ('[{"type": "x", "tool_use_id": "1"}]\nleft', "left"),
        (
            "⏺ Fixed it (see below).\n⏺ Bash(ls)\n  ⎿  a\n     b\n\n⏺ Done.",
            "Fixed it (see below).\n\nDone.",
        ),
        ("[Telegram Ann id:123 2026-01-02 10:00 UTC] left", "left"),
        ("[WhatsApp +361 2026-02-11T08:15Z] left\n[message_id: 3EB0]", "left"),
        ("[Discord Guild #a id:9 +2m 2026-03-01 19:22 CET] Kofi: left", "Kofi: left"),
        ("[Mon 2026-03-05 16:29 GMT+8] left", "left"),
        ("[[reply_to_current]] left", "left"),
        ("System: [2026-02-03 09:00:00] Node connected\n\nleft", "left"),
        ('Sender (untrusted metadata):\n```json\n{"id": 1}\n```\n\nleft', "left"),
        ("[cron:7d1f brief] Prepare it.\nCurrent time: Monday, March 2nd, 2026", ""),
        ("Read HEARTBEAT.md if it exists. Follow it strictly.", ""),
        ("[Request interrupted by user for tool use]", ""),
        ("This session is being continued from a previous conversation.\nSummary: a", ""),
        ("[Queued messages while agent was busy]\nQueued #1\nleft", "left"),
    ],
)
def test_what_was_not_said_is_stripped(text, left):
    assert strip(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "Plain words, nothing else.",
        "[Signal processing] is my field",
        "Use Vec<Memory> and `<thinking>` tags",
        "#include <memory>\nint main() {}",
        "cp <file> <destination>",
        "The system: [a, b] and the rest",
        "- a list\n- of things [1]",
        "We read the heartbeat of the engine.",
        '{"temperature": 21}',
    ],
)
def test_what_was_said_stays(text):
    assert strip(text) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("👍🎉", "no words"),
        ("42", "no words"),
        ("ok thanks!", "small talk"),
        ("HEARTBEAT_OK", "heartbeat"),
        (
            'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: 1',
            "machine output",
        ),
        ("```\nx = 1\n```", "machine output"),
        ("git push origin main", "machine output"),
        ("run the tests", "order"),
        ("What time is it in Quito?", "question"),
        ("Let me search for that function in the codebase.", "narration"),
        ("zxcv", "too short"),
    ],
)
def test_a_judgement_says_why(text, reason):
    assert judge(text) == Judgement(keep=False, reason=reason)


@pytest.mark.parametrize(
    "text",
    [
        "class starts at 9 on Monday",
        "from 2019 to 2021 I lived in Rome",
        "return flight is on 3 June",
        "import taxes are high in Norway",
        "deadline = Friday",
        "git is our VCS, we moved from svn",
        "head of marketing is Ilse",
        "Error handling is done with Result types",
        "make sure the logs are in UTC",
    ],
)
def test_prose_that_begins_like_code_is_kept(text):
    assert judge(text) == Judgement(keep=True, reason="says something")


def test_a_fact_is_kept_whatever_stands_around_it():
    log = "\n".join(f"2026-02-11 08:15:{n:02} INFO tick" for n in range(60))

    assert not judge(log).keep
    assert judge(f"{log}\nIt began when we moved the broker to Graz in May.").keep
    assert judge("Thanks! You're the best.\nBy the way, we moved to Graz.").keep


# Measured: dev .993 and .993, test .986 and .979; the rules never saw the test part.
@pytest.mark.parametrize(
    ("part", "precision", "recall"), [("dev", 0.97, 0.97), ("test", 0.96, 0.95)]
)
def test_the_gate_is_as_good_as_measured(part, precision, recall):
    score = benchmark.score(turn for turn in TURNS if turn.part == part)

    assert score.precision >= precision
    assert score.recall >= recall


def test_the_labelled_set_is_large_and_speaks_many_languages():
    assert len(TURNS) >= 400
    assert len({turn.text for turn in TURNS}) == len(TURNS)
    assert len({turn.lang for turn in TURNS}) >= 10


@pytest.mark.parametrize(
    "unit",
    [
        "<memory ", "</memory>", "<think>", "[Telegram ", "[Telegram A 1] ", "[message_id:",
        "[[reply_to", '{"name":', "x (untrusted)\n", "```", "⏺ a(\n  b\n", "⎿\n   x\n", "(", " ",
        "\n", "1 passed ", "=== ", "好的", "a, ", "a,b", "/a", "select a ", "if :", "git a", "(=",
        '"a":', "<a ", "A: ", "know ", "let me ", "! ", "?", "a.b", "System: [",
    ],
)  # fmt: skip
def test_no_text_takes_long(unit):
    text = unit * (100_000 // len(unit))

    start = perf_counter()
    judge(strip(text + "x"))
    judge(text)

    assert perf_counter() - start < 2  # a quadratic rule takes five seconds or more
