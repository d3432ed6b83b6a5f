"""No command of one agent shows or changes what is another's."""

import json

from neomem.cli import main

MINE, TEXT = "ops-1", "The vault stands behind the green door."
OTHERS = "ops"  # a name that full text would take for a part of the other


ABOUT_NO_MEMORIES = {"up", "down", "status", "logs", "doctor", "migrate", "config"}


def test_every_command_keeps_agents_apart(neomem, tmp_path):
    captured = json.loads(neomem("capture", TEXT, "--agent", MINE, "--json").stdout)
    own = json.loads(neomem("capture", "Mine.", "--agent", OTHERS, "--json").stdout)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("A note.\n")
    (tmp_path / "TASKS.md").write_text("# Active Tasks\n")
    exported, brought = tmp_path / "out.jsonl", tmp_path / "mine.jsonl"
    neomem("export", str(brought), "--agent", MINE)
    calls = {
        "capture": ["Something else."],
        "ingest": [str(tmp_path / "notes")],
        "get": [captured["id"]],
        "list": ["--state", "all"],
        "forget": [captured["id"], "--yes"],
        "restore": [captured["id"]],
        "pin": [captured["id"]],
        "supersede": [captured["id"], own["id"]],
        "tasks": ["--file", str(tmp_path / "TASKS.md")],
        "stats": [],
        "export": [str(exported)],
        "import": [str(brought)],
    }

    assert calls.keys() == set(main.commands) - ABOUT_NO_MEMORIES
    for name, arguments in calls.items():
        done = neomem(name, *arguments, "--agent", OTHERS, "--json")

        assert "Traceback" not in done.stderr, name
        assert "green door" not in done.stdout + done.stderr, name
        if name in {"get", "forget", "restore", "pin", "supersede", "import"}:
            assert done.returncode != 0, name

    assert "green door" not in exported.read_text()
    kept = json.loads(neomem("get", captured["id"], "--agent", MINE, "--json").stdout)
    assert (kept["text"], kept["live"], kept["pinned"]) == (TEXT, True, False)
