"""`neomem export` and `neomem import` as a user meets them."""

import json
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from uuid import uuid4

import pytest

from neomem.config import Config
from neomem.sections import LOCAL
from neomem.store.graph import Graph
from tests.conftest import environment
from tests.integration.transfer_store import REMOVE, fill

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(graph: Graph, config: Config) -> Run:
    """Run a command on the shared store."""
    password = graph.address.password
    variables = {
        "NEOMEM_NEO4J__URI": graph.address.uri,
        "NEOMEM_NEO4J__USER": graph.address.user,
        "NEOMEM_NEO4J__PASSWORD": password.get_secret_value() if password else "",
    }
    if config.neo4j.uri == LOCAL:
        assert graph.address.uri.startswith("bolt://127.0.0.1")

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "neomem", *arguments],
            env=environment(config, **variables),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )

    return command


@pytest.fixture
async def other(graph: Graph) -> AsyncIterator[str]:
    """A second agent."""
    name = f"other-{uuid4()}"
    yield name
    await graph.write(REMOVE, agent=name)


async def test_an_agent_moves_house(graph, agent, other, run: Run, tmp_path):
    await fill(graph, agent, f"id-{uuid4()}")
    file, again = tmp_path / "a.jsonl", tmp_path / "b.jsonl"

    out = run("export", str(file), "--agent", agent, "--embeddings", "--json")
    await graph.write(REMOVE, agent=agent)
    back = run("import", str(file), "--agent", other, "--json")
    twice = run("import", str(file), "--agent", other)
    run("export", str(again), "--agent", other, "--embeddings")

    counts = {"entities": 6, "sessions": 1, "tasks": 1, "memories": 6, "edges": 17}
    assert json.loads(out.stdout) == {"file": str(file), **counts}
    assert "Exporting" in out.stderr
    assert json.loads(back.stdout) == {
        **counts,
        "added": 6,
        "quarantined": 0,
        "without_embedding": 0,
    }
    assert "Importing" in back.stderr
    assert ["added", "0"] in [line.split() for line in twice.stdout.splitlines()]
    assert again.read_bytes() == file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_stdout_takes_an_export(graph, agent, run: Run, tmp_path):
    await fill(graph, agent, f"id-{uuid4()}")
    file = tmp_path / "a.jsonl"

    piped = run("export", "-", "--agent", agent)
    run("export", str(file), "--agent", agent)
    both = run("export", "-", "--json")

    assert piped.stdout.encode() == file.read_bytes()
    assert both.returncode == 2
    assert "leave --json out" in both.stderr


def test_a_bad_file_is_an_error_with_a_hint(run: Run, tmp_path):
    damaged, folder = tmp_path / "damaged.jsonl", tmp_path / "folder"
    damaged.write_bytes(b"\x00\xff not an export")
    folder.mkdir()

    results = [
        run("import", str(damaged)),
        run("import", str(folder)),
        run("import", str(tmp_path / "missing")),
        run("export", str(folder)),
        run("export", str(tmp_path / "missing" / "x")),
    ]

    assert [result.returncode for result in results] == [8] * 5
    assert all(result.stderr.count("error: ") == 1 for result in results)
    assert not any("Traceback" in result.stderr for result in results)
    assert not any(result.stdout for result in results)


def test_a_full_disk_is_said_to_be_full(run: Run, graph, config):
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [sys.executable, "-m", "neomem", "export", "-", "--agent", "nobody"],
            env=environment(
                config,
                NEOMEM_NEO4J__URI=graph.address.uri,
                NEOMEM_NEO4J__PASSWORD=graph.address.password.get_secret_value(),
            ),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )

    assert done.returncode != 0
    assert "error: stdout cannot be written: No space left" in done.stderr


async def test_missing_embeddings_are_announced(graph, agent, other, run: Run, tmp_path):
    await fill(graph, agent, f"id-{uuid4()}")
    file = tmp_path / "a.jsonl"
    run("export", str(file), "--agent", agent)
    await graph.write(REMOVE, agent=agent)

    back = run("import", str(file), "--agent", other)

    assert "without embedding  6" in back.stdout
    assert "neomem reembed" in back.stderr
