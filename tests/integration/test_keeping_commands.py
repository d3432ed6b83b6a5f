"""The commands that look at memories and change them by hand, on the real server."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterator

import click
import pytest
from click.testing import CliRunner, Result

from neomem import keeping
from neomem.cli import main
from neomem.config import Config
from tests.conftest import environment
from tests.integration.test_keeping import NOW, a_memory

Run = Callable[..., Awaitable[Result]]

TASKS = """# Active Tasks
## TASK-12: Move the ledger
- **Status:** in_progress
- **Updated:** 2020-01-01 10:00 UTC
# Completed
## ~~TASK-3: Old news~~
"""


@pytest.fixture
def run(config: Config) -> Iterator[Run]:
    """Run a command in this process; a coroutine, as the server's connection is busy with ours."""
    variables = environment(config)

    async def command(*arguments: str, answer: str | None = None) -> Result:
        invoke = CliRunner(env=variables).invoke
        return await asyncio.to_thread(invoke, main, arguments, input=answer)

    before = logging.root.handlers[:], logging.root.level
    yield command
    logging.root.handlers[:] = before[0]
    logging.root.setLevel(before[1])


async def test_one_memory_is_shown_whole_without_its_vectors(run, graph, agent):
    text = "Ada lives in [Lisbon] :smile:\nsince May. " + "x" * 300
    memory = await a_memory(graph, agent, text, title="Home", session="s-1", pinned=True)

    shown = await run("get", memory[:13], "--agent", agent)
    data = await run("get", memory, "--agent", agent, "--json")

    assert shown.exit_code == 0
    assert text in shown.stdout
    assert "fact pinned" in shown.stdout
    answer = json.loads(data.stdout)
    assert (answer["id"], answer["text"], answer["session"]) == (memory, text, "s-1")
    assert not {"embedding", "halves", "lane", "dedupe_key"} & answer.keys()


async def test_a_list_goes_on_where_it_ended(run, graph, agent):
    ids = {await a_memory(graph, agent, f"no. {number}") for number in range(3)}

    first = json.loads((await run("list", "--agent", agent, "-n", "2", "--json")).stdout)
    rest = json.loads(
        (await run("list", "--agent", agent, "--before", first["before"], "--json")).stdout
    )
    table = await run("list", "--agent", agent, "--limit", "3")

    assert {m["id"] for m in first["memories"] + rest["memories"]} == ids
    assert rest["before"] is None
    assert all(memory[:23] in table.stdout for memory in ids)
    assert "no. 2" in table.stdout
    assert "--before" in table.stderr


async def test_a_list_can_be_narrowed_by_options(run, graph, agent):
    await a_memory(graph, agent, "decided", kind="decision", task_id="TASK-7", session="s-1")
    await a_memory(graph, agent, "gone", archived_at=NOW)

    async def texts(*options: str) -> list[str]:
        result = await run("list", "--agent", agent, "--json", *options)
        return [memory["text"] for memory in json.loads(result.stdout)["memories"]]

    assert await texts("--kind", "decision", "--task", "TASK-7", "--session", "s-1") == ["decided"]
    assert await texts("--kind", "event") == []
    assert await texts("--state", "archived") == ["gone"]
    assert await texts("--since", "2026-05-03") == []
    assert await texts("--until", "2026-05-03", "--since", "0001-01-01") == ["decided"]
    assert (await run("list", "--agent", agent, "--kind", "event")).stderr == "no memories\n"


async def test_forgetting_shows_asks_and_can_be_undone(run, graph, agent):
    memory = await a_memory(graph, agent, "Ada lives in Porto.")

    refused = await run("forget", memory, "--agent", agent, answer="n\n")
    still = await keeping.get(graph, agent, memory)
    done = await run("forget", memory[:13], "--agent", agent, "--json", answer="y\n")
    gone = await keeping.get(graph, agent, memory)
    restored = await run("restore", memory, "--agent", agent)
    again = await run("restore", memory, "--agent", agent)

    assert refused.exit_code == 1
    assert "Ada lives in Porto." in refused.stderr
    assert refused.stdout == ""
    assert still.live
    assert json.loads(done.stdout) == {"forgotten": [memory]}
    assert not gone.live
    assert "Ada lives in Porto." in restored.stdout
    assert again.stdout.startswith("restored: 0")
    assert (await keeping.get(graph, agent, memory)).live


async def test_purging_leaves_nothing_to_restore(run, graph, agent):
    one, two = await a_memory(graph, agent, "one"), await a_memory(graph, agent, "two")

    soft = await run("forget", one, two, "--yes", "--agent", agent)
    purged = await run("forget", one, two, "--purge", "--yes", "--agent", agent)
    missing = await run("restore", one, "--agent", agent, "--json")

    assert soft.stdout == "forgotten: 2\n"
    assert purged.stdout == "purged: 2\n"
    assert (missing.exit_code, missing.stdout) == (8, "")
    assert "hint: " in missing.stderr


async def test_a_memory_is_pinned_and_let_go(run, graph, agent):
    memory = await a_memory(graph, agent)

    pinned = await run("pin", memory, "--agent", agent, "--json")
    refused = await run("forget", memory, "--agent", agent, "--yes")
    off = await run("pin", memory, "--off", "--agent", agent)

    assert json.loads(pinned.stdout) == {"id": memory, "pinned": True}
    assert (refused.exit_code, refused.stdout) == (8, "")
    assert "pinned" not in off.stdout
    assert not (await keeping.get(graph, agent, memory)).pinned


async def test_one_memory_replaces_another(run, graph, agent):
    old = await a_memory(graph, agent, "old")
    new = await a_memory(graph, agent, "new")

    data = await run("supersede", old, new, "--reason", "moved", "--agent", agent, "--json")
    shown = await run("supersede", old, new, "--agent", agent)
    refused = await run("supersede", new, old, "--agent", agent)

    assert json.loads(data.stdout) == {"id": old, "valid_until": NOW.isoformat()}
    assert "valid until 2026-05-01 12:00" in shown.stdout
    assert refused.exit_code == 8
    assert "valid until  2026-05-01" in (await run("get", old, "--agent", agent)).stdout


async def test_figures_are_there_for_people_and_programs(run, graph, agent):
    await a_memory(graph, agent, "one", session="s-1")
    await a_memory(graph, agent, "two", kind="event")

    data = json.loads((await run("stats", "--agent", agent, "--json")).stdout)
    shown = await run("stats", "--agent", agent)

    assert (data["memories"], data["sessions"], data["entities"]) == (2, 1, 0)
    assert data["kinds"] == {"event": 1, "fact": 1}
    assert shown.stdout.splitlines()[1].split() == ["memories", "2"]


async def test_tasks_are_shown_as_they_are_read(run, tmp_path):
    file = tmp_path / "TASKS.md"
    file.write_text(TASKS)

    data = json.loads((await run("tasks", "--file", str(file), "--json")).stdout)
    shown = await run("tasks", "--file", str(file))
    missing = await run("tasks", "--file", str(tmp_path / "none.md"))
    unreadable = await run("tasks", "--file", str(tmp_path))

    assert data["active"] == "TASK-12"
    assert [list(task.values()) for task in data["tasks"]] == [
        ["TASK-12", "Move the ledger", "in_progress", False, True],
        ["TASK-3", "Old news", "done", True, False],
    ]
    assert "Move the ledger" in shown.stdout
    assert "TASK-12" in shown.stderr
    assert (missing.exit_code, missing.stdout) == (0, "")
    assert unreadable.exit_code == 8


async def test_a_tag_is_taken_off(run, graph, agent):
    memory = await a_memory(graph, agent, task_id="TASK-7")

    data = await run("tasks", "--untag", "task-7", "--agent", agent, "--json")
    again = await run("tasks", "--untag", "TASK-7", "--agent", agent)

    assert json.loads(data.stdout) == {"task": "TASK-7", "untagged": 1}
    assert again.stdout == "untagged: 0\n"
    assert (await keeping.get(graph, agent, memory)).task_id is None


@pytest.mark.parametrize(
    "arguments",
    [["get"], ["forget", "--yes"], ["forget", "--purge", "--yes"], ["restore"], ["pin"]],
    ids=" ".join,
)
async def test_a_command_without_its_agent_finds_nothing(run, graph, agent, arguments):
    memory = await a_memory(graph, agent)

    result = await run(arguments[0], memory, *arguments[1:])

    assert (result.exit_code, result.stdout) == (8, "")
    assert (await keeping.get(graph, agent, memory)).version == 1


@pytest.mark.parametrize("name", ["get", "list", "forget", "restore", "pin", "supersede", "stats"])
def test_commands_speak_for_the_default_agent_unless_told(name):
    option = next(each for each in main.commands[name].params if each.name == "agent")

    assert isinstance(option, click.Option)
    assert option.default == "default"
