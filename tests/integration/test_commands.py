"""The command line as a user meets it, each command in a process of its own."""

import json
import signal
import subprocess
import sys
import time

import pytest

from tests.conftest import environment

pytestmark = pytest.mark.usefixtures("interruptible")


def test_a_day_with_the_local_server(neomem):
    before = neomem("status")
    up = neomem("up")
    status = json.loads(neomem("status", "--json").stdout)
    doctor = neomem("doctor")
    report = json.loads(neomem("doctor", "--json").stdout)
    logs = neomem("logs", "--lines", "5")
    migrate = neomem("migrate")
    down = neomem("down")
    after = neomem("doctor")

    assert (before.returncode, before.stdout.split()[:2]) == (3, ["running", "no"])
    assert up.returncode == 0
    assert "is running at bolt://127.0.0.1:" in up.stdout
    assert "Starting Neo4j" in up.stderr
    assert status["running"] is True
    assert status["version"].startswith("2026.")
    assert status["edition"] == "community"
    assert {"pid", "ports", "uptime", "store_size", "memory"} <= status.keys()
    assert set(status["ports"]) == {"bolt", "http"}
    assert doctor.returncode == 0
    assert "FAIL" not in doctor.stdout
    assert report["healthy"] is True
    assert {check["name"] for check in report["checks"]} == {
        *("java", "files", "disk", "memory", "models", "embedding", "entities", "server"),
        *("version", "edition", "clock", "schema", "indexes", "embedder"),
    }
    assert {check["state"] for check in report["checks"]} == {"ok"}
    assert len(logs.stdout.splitlines()) == 5
    assert "Started." in logs.stdout
    assert migrate.stdout.strip() == "up to date"
    assert down.stdout.strip() == "stopped"
    assert after.returncode == 1
    assert "run `neomem up`" in after.stdout


def test_json_is_all_there_is_on_stdout(neomem):
    up = neomem("up", "--verify", "--json")
    migrate = neomem("migrate", "--json", "--dry-run")
    down = neomem("down", "--json")

    assert json.loads(up.stdout)["running"] is True
    assert json.loads(migrate.stdout) == {"pending": []}
    assert json.loads(down.stdout) == {"stopped": True}


def test_errors_come_with_a_hint_and_their_exit_code(neomem):
    wrong = neomem("config", NEOMEM_NEO4J__URI="http://x", NEOMEM_SERVER__HEAP="9")
    unreachable = neomem("migrate", NEOMEM_NEO4J__URI="bolt://127.0.0.1:1")
    old = neomem("up", NEOMEM_SERVER__JAVA_HOME="/usr")
    foreign = neomem("up", NEOMEM_NEO4J__URI="bolt://127.0.0.1:1")
    misused = neomem("up", "--nonsense")

    codes = [r.returncode for r in (wrong, unreachable, old, foreign, misused)]
    assert codes == [2, 3, 7, 2, 2]
    assert wrong.stderr.count("error: ") == 2
    assert all("hint: " in result.stderr for result in (wrong, unreachable, old, foreign))
    assert not any(result.stdout for result in (wrong, unreachable, old, foreign))
    assert "Traceback" not in wrong.stderr + unreachable.stderr + old.stderr


def test_a_file_can_be_named_before_the_command(neomem, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("language: german\n")

    shown = neomem("--config", str(file), "config")
    missing = neomem("--config", str(tmp_path / "nowhere"), "config")

    assert "language: german" in shown.stdout
    assert str(file) in shown.stdout
    assert missing.returncode == 2


def test_the_settings_shown_hide_the_password(neomem):
    shown = neomem("config", "--json", NEOMEM_NEO4J__PASSWORD="hunter2")

    assert json.loads(shown.stdout)["neo4j"]["password"] == "**********"
    assert "hunter2" not in shown.stdout


def test_the_debug_log_is_another_file(neomem, private_config):
    log = private_config.home / "logs" / "debug.log"
    log.parent.mkdir(parents=True)
    log.write_text("one\ntwo\n")

    assert neomem("logs", "--debug", "-n", "1").stdout == "two\n"


def test_logs_before_the_first_start_say_so(neomem):
    logs = neomem("logs")

    assert logs.returncode == 0
    assert "there is no log yet" in logs.stderr


def test_log_lines_can_be_json(neomem):
    talk = neomem("-vv", "--log-format", "json", "up").stderr

    lines = [json.loads(line) for line in talk.splitlines() if line.startswith("{")]
    assert any(line["message"] == "starting the local server" and line["pid"] for line in lines)


def test_following_the_log_ends_with_ctrl_c(private_config):
    log = private_config.home / "logs" / "console.log"
    log.parent.mkdir(parents=True)
    log.write_text("first\n")

    process = subprocess.Popen(
        [sys.executable, "-m", "neomem", "logs", "--follow"],
        env=environment(private_config, PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    first = process.stdout.readline()
    with log.open("a") as stream:
        stream.write("second\n")
    second = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)

    assert (first, second) == ("first\n", "second\n")
    assert process.returncode == 130
    assert "interrupted" in errors


def test_an_interrupted_up_leaves_what_the_next_one_needs(neomem, private_config):
    process = subprocess.Popen(
        [sys.executable, "-m", "neomem", "up"],
        env=environment(private_config),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (private_config.home / "run" / "neomem.pid").exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)

    again = neomem("up")

    assert process.returncode == 130
    assert again.returncode == 0
