import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from neomem.capture import transcripts
from neomem.capture.transcripts import Format, Problem, Turn, detect, read, spoken

SAMPLES = Path(__file__).parents[1] / "data" / "transcripts"


def lines_of(name: str) -> list[str]:
    return (SAMPLES / name).read_text(encoding="utf-8").splitlines()


def turns(found: Iterable[Turn | Problem]) -> list[Turn]:
    return [each for each in found if isinstance(each, Turn)]


def problems(found: Iterable[Turn | Problem]) -> list[Problem]:
    return [each for each in found if isinstance(each, Problem)]


def plain(**fields: object) -> Turn | Problem:
    [found] = read([json.dumps(fields)], Format.JSONL)
    return found


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("claude-code.jsonl", Format.CLAUDE_CODE),
        ("openclaw.jsonl", Format.OPENCLAW),
        ("plain.jsonl", Format.JSONL),
        ("named.txt", Format.NAMED),
    ],
)
def test_the_format_is_told_from_the_first_lines(name, form):
    assert detect(lines_of(name), name) is form
    assert detect(lines_of(name)) is form


def test_what_is_no_transcript_has_no_format():
    assert detect(["# Notes", "", "Just prose, nobody speaks."], "notes.txt") is None
    assert detect([], "empty.txt") is None
    assert detect([], "empty.jsonl") is Format.JSONL
    assert detect(['{"a": 1}', '{"cut": '], "other.json") is None


def test_a_transcript_of_claude_code_gives_what_people_and_the_agent_said():
    found = list(read(lines_of("claude-code.jsonl"), Format.CLAUDE_CODE))

    assert [(turn.role, turn.text) for turn in turns(found)] == [
        ("user", "We decided to drop Redis and use Postgres for the queue."),
        ("assistant", "Then I will move the worker to SKIP LOCKED."),
        ("user", "Retries: five, then the dead letter table."),
    ]
    assert turns(found)[0] == Turn(
        text="We decided to drop Redis and use Postgres for the queue.",
        session="5f1d0000-0000-4000-8000-000000000001",
        position=3,
        external_id="0b6f0000-0000-4000-8000-000000000001",
        role="user",
        said="2026-02-03T09:12:44.120Z",
    )


def test_a_line_cut_in_the_middle_is_a_problem_that_repeats_nothing():
    [problem] = problems(read(lines_of("claude-code.jsonl"), Format.CLAUDE_CODE))

    assert problem == Problem(13, "it is not valid JSON")


def test_a_transcript_of_openclaw_gives_what_was_said_and_no_recalled_memory():
    found = list(read(lines_of("openclaw.jsonl"), Format.OPENCLAW, session="given"))

    assert problems(found) == []
    assert [(turn.external_id, turn.text) for turn in turns(found)] == [
        ("a0000003", "my new dog is called Pixel"),
        ("a0000006", "Pixel is a lovely name; I noted the vet for 9 March."),
    ]
    assert {turn.session for turn in turns(found)} == {"b3db0000-0000-4000-8000-000000000001"}


def test_a_transcript_that_names_no_session_has_the_given_one():
    [turn] = read(lines_of("openclaw.jsonl")[3:4], Format.OPENCLAW, session="given")

    assert isinstance(turn, Turn)
    assert turn.session == "given"


def test_plain_lines_are_turns_with_a_session_and_memories_without():
    memory, picture, answer = turns(read(lines_of("plain.jsonl"), Format.JSONL, session="file"))

    assert memory == Turn(
        text="Ann's passport expires in August 2027.",
        position=1,
        external_id="m1",
        said="2 January 2026",
        title="Passport",
        kind="fact",
        importance=0.9,
        about=("Ann",),
        links=("m0",),
    )
    assert (picture.session, picture.external_id, picture.speaker) == ("s1", "7", "Ann")
    assert spoken(picture) == "Look at this! [image: a dog on a beach]"
    assert (answer.about, answer.position) == (("the dog",), 3)


def test_plain_lines_that_cannot_be_read_are_named_with_the_reason():
    found = problems(read(lines_of("plain.jsonl"), Format.JSONL))

    assert [problem.line_number for problem in found] == [5, 6, 7, 8, 9, 10]
    assert [problem.reason for problem in found] == [
        "it has no text",
        "importance should be a number from 0 to 1",
        f"kind should be one of {', '.join(sorted(transcripts.KINDS))}",
        "text should be a string",
        "it is not a JSON object",
        "it is not valid JSON",
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "x", "importance": True},
        {"text": "x", "importance": "high"},
        {"text": "x", "importance": float("nan")},
        {"text": "x", "speaker": ["Ann"]},
        {"text": "x", "date": float("inf")},
        {"text": "x", "about": [{"name": "Ann"}]},
        {"text": "x", "session": True},
        {"text": 7, "id": {}},
        {"text": None},
    ],
)
def test_wrong_types_are_problems(fields):
    assert isinstance(plain(**fields), Problem)


def test_a_picture_alone_is_a_turn():
    turn = plain(text="", session="s", image_caption=["a cat", "a dog"])

    assert isinstance(turn, Turn)
    assert spoken(turn) == "[image: a cat] [image: a dog]"


def test_named_lines_have_speakers_dates_and_lines_that_go_on():
    found = list(read(lines_of("named.txt"), Format.NAMED, session="summer"))

    assert problems(found) == [Problem(1, "it names no speaker")]
    assert [(turn.position, turn.speaker, turn.role, turn.said) for turn in turns(found)] == [
        (2, "Ann", None, "2026-01-02 10:00"),
        (5, "Kofi", None, "2 Jan 2026, 10:05"),
        (7, "Ana de la Cruz", None, "Saturday 3 January 2026"),
        (9, "Ann", None, "12/01/2026, 09:15"),
        (10, None, "user", "Saturday 3 January 2026"),
        (11, None, "assistant", "Saturday 3 January 2026"),
        (14, "小雨", None, "Saturday 3 January 2026"),
    ]
    assert turns(found)[0].text == "We leave on 3 July.\nThe ferry is booked,\nand the cabin too."
    assert turns(found)[2].text == "I bring the tent.\nNote: it has four places."
    assert {turn.session for turn in turns(found)} == {"summer"}


def test_an_address_or_a_time_names_no_speaker():
    [turn] = read(["Ann: see", "https://example.com/a: b", "12:30 lunch"], Format.NAMED)

    assert isinstance(turn, Turn)
    assert turn.text == "see\nhttps://example.com/a: b\n12:30 lunch"


def test_a_turn_that_never_ends_is_given_in_pieces(monkeypatch):
    monkeypatch.setattr(transcripts, "LONGEST_TURN", 100)

    found = turns(read(["Ann: begins", *["and goes on"] * 50], Format.NAMED))

    assert len(found) > 3
    assert "\n".join(turn.text for turn in found) == "\n".join(["begins", *["and goes on"] * 50])
    assert {turn.speaker for turn in found} == {"Ann"}
    assert len({turn.position for turn in found}) == len(found)


@pytest.mark.parametrize("form", Format)
def test_a_line_over_the_limit_is_a_problem_and_the_next_is_read(form, monkeypatch):
    monkeypatch.setattr(transcripts, "LONGEST_LINE", 400)
    good = {
        Format.CLAUDE_CODE: '{"type": "user", "message": {"content": "good"}}',
        Format.OPENCLAW: '{"type": "message", "message": {"role": "user", "content": "good"}}',
        Format.JSONL: '{"text": "good"}',
        Format.NAMED: "Ann: good",
    }[form]
    file = [b"x" * 300, b"y" * 300, "é".encode() * 900 + b"\n", good.encode()]

    problem, turn = read(transcripts.lines(file), form)

    assert problem == Problem(1, "it is too long")
    assert isinstance(turn, Turn)
    assert (turn.text, turn.position) == ("good", 2)


@pytest.mark.parametrize("cut", range(12))
def test_lines_do_not_depend_on_how_the_bytes_come(cut):
    data = "\n\nä\r\nb\n\n".encode()

    assert list(transcripts.lines([data[:cut], b"", data[cut:]])) == ["", "", "ä\r", "b", ""]


def test_another_encoding_is_told_and_the_rest_kept():
    file = transcripts.lines(["Ann: fianc\xe9 at nine".encode("latin-1")])

    problem, turn = read(file, Format.NAMED)

    assert isinstance(problem, Problem)
    assert "UTF-8" in problem.reason
    assert isinstance(turn, Turn)
    assert turn.text == "fianc\ufffd at nine"


def test_halves_of_characters_and_nul_do_not_reach_the_store():
    turn = plain(text="a\ud83d b\0c")

    assert isinstance(turn, Turn)
    assert turn.text == "a\ufffd b c"


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "1" * 10_000,
        '{"type": "user"}',
        '{"type": "user", "message": {"content": 7}}',
        '{"type": "user", "message": {"content": [{"type": "text", "text": []}]}}',
        '{"type": [], "message": {}}',
        "{}",
        "null",
        "\x00\x01\x02",
    ],
)
def test_odd_lines_are_problems(line):
    detect([line])

    for form in (Format.CLAUDE_CODE, Format.OPENCLAW, Format.JSONL):
        found = list(read([line], form))

        assert problems(found) or form is Format.OPENCLAW
        assert turns(found) == []


def test_a_byte_order_mark_and_empty_lines_are_read_over():
    [turn] = read(["\ufeff" + '{"text": "first"}\r\n', "", "  \n"], Format.JSONL)

    assert isinstance(turn, Turn)
    assert turn.text == "first"
