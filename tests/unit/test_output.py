import json
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from neomem.cli import output
from neomem.progress import Progress


@dataclass
class Answer:
    at: datetime
    where: Path


def test_json_holds_values_of_ours(capsys):
    output.print_json(Answer(datetime(2026, 1, 2, tzinfo=UTC), Path("/x")))

    assert json.loads(capsys.readouterr().out) == {
        "at": "2026-01-02T00:00:00+00:00",
        "where": "/x",
    }


def test_json_refuses_what_it_cannot_hold():
    with pytest.raises(TypeError, match="set has no place in JSON"):
        output.print_json({"a": {1}})


def test_pairs_leave_out_what_is_not_known(capsys):
    output.print_pairs({"known": 1, "unknown": None})

    assert capsys.readouterr().out == "known  1\n"


def test_texts_are_shown_as_they_are_but_give_no_orders_to_the_terminal(capsys):
    text = "[/b] :smile: \x1b[2J\x07 100%"

    output.print_table(["text"], [[text]])
    output.print_text(text)

    shown = "[/b] :smile: \ufffd[2J\ufffd 100%"
    assert [line.strip() for line in capsys.readouterr().out.splitlines()] == ["text", shown, shown]


def test_a_table_may_be_talk(capsys):
    output.print_table(["a"], [["b"]], talk=True)

    captured = capsys.readouterr()
    assert captured.err.split() == ["a", "b"]
    assert captured.out == ""


def test_progress_without_a_terminal_is_a_line_per_step_on_stderr(capsys):
    with output.progress() as notify:
        notify(Progress("Downloading", 1, 2_000_000, "bytes"))
        notify(Progress("Downloading", 2, 2_000_000, "bytes"))
        notify(Progress("Starting Neo4j"))

    captured = capsys.readouterr()
    assert captured.err.splitlines() == ["Downloading (2.0 MB) …", "Starting Neo4j …"]
    assert captured.out == ""


def test_progress_on_a_terminal_is_a_bar(monkeypatch, capsys):
    monkeypatch.setattr(
        output, "Console", lambda **_: Console(stderr=True, force_terminal=True, width=100)
    )

    with output.progress() as notify:
        notify(Progress("Downloading", 1_000_000, 2_000_000, "bytes"))
        notify(Progress("Building indexes", 50, 100))

    drawn = capsys.readouterr().err
    assert "Building indexes" in drawn


def test_text_is_printed_as_it_is(capsys):
    output.print_text("[bold]not markup[/bold] " + "x" * 300)

    assert capsys.readouterr().out == "[bold]not markup[/bold] " + "x" * 300 + "\n"


@pytest.mark.parametrize(("verbose", "level"), [(0, "WARNING"), (1, "INFO"), (5, "DEBUG")])
def test_more_is_said_when_asked_for(verbose, level):
    output.configure_logging(verbose, "plain")

    assert logging.getLevelName(logging.getLogger("neomem").level) == level


def test_json_log_lines_carry_their_fields(capsys):
    output.configure_logging(1, "json")

    logging.getLogger("neomem.x").info("hello", extra={"where": Path("/x")})

    line = json.loads(capsys.readouterr().err)
    assert (line["message"], line["where"], line["level"]) == ("hello", "/x", "info")
