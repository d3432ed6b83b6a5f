"""Many processes at once, and a server that dies again and again."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from neomem import local
from neomem.config import Config
from neomem.text import normalise
from tests.conftest import environment

PROCESSES, EACH, STEP = 8, 500, 250
LOAD, KILLS = 20_000, 5

Neomem = Callable[..., subprocess.CompletedProcess[str]]


def ingesting(config: Config, file: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "neomem", "ingest", str(file), "--json"],
        env=environment(config, NEOMEM_EMBEDDER__MODEL="all-MiniLM-L6-v2-q"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def written(file: Path, numbers: range) -> Path:
    lines = (
        json.dumps({"text": f"bill {n} was paid.", "kind": "fact", "about": ["Caroline"]})
        for n in numbers
    )
    file.write_text("\n".join(lines) + "\n")
    return file


def counted(neomem: Neomem) -> dict[str, int]:
    return json.loads(neomem("stats", "--json").stdout)


def entities(neomem: Neomem, folder: Path) -> list[str]:
    """The normalised names of all entities."""
    neomem("export", str(folder / "all.jsonl"))
    records = map(json.loads, (folder / "all.jsonl").read_text().splitlines())
    found = [record for record in records if record["record"] == "entity"]
    return [normalise(record["properties"]["name"]) for record in found]


@pytest.mark.slow
def test_eight_processes_end_with_exactly_the_distinct_texts(private_config, neomem, tmp_path):
    neomem("up", NEOMEM_EMBEDDER__MODEL="all-MiniLM-L6-v2-q")
    files = [
        written(tmp_path / f"{n}.jsonl", range(n * STEP, n * STEP + EACH)) for n in range(PROCESSES)
    ]

    running = [ingesting(private_config, file) for file in files]
    ended = [(process.communicate(), process.returncode) for process in running]

    stats, names = counted(neomem), entities(neomem, tmp_path)
    assert [code for _, code in ended] == [0] * PROCESSES, ended
    assert stats["memories"] == (PROCESSES - 1) * STEP + EACH
    assert len(set(names)) == len(names) == stats["entities"]


@pytest.mark.slow
def test_a_load_interrupted_by_kills_ends_exact(private_config, neomem, tmp_path):
    neomem("up", NEOMEM_EMBEDDER__MODEL="all-MiniLM-L6-v2-q")
    file = written(tmp_path / "load.jsonl", range(LOAD))

    kills = 0
    while True:
        process = ingesting(private_config, file)
        if kills < KILLS:
            time.sleep(12)
            running = local.server(private_config).find()
            if running:
                os.kill(running.pid, 9)
                kills += 1
        _, talk = process.communicate(timeout=900)
        if process.returncode == 0:
            break
        assert "hint:" in talk, talk
        assert "Traceback" not in talk

    stats, names = counted(neomem), entities(neomem, tmp_path)
    assert kills == KILLS
    assert stats["memories"] == LOAD
    assert len(set(names)) == len(names) == stats["entities"]
