"""Files nobody would write, many processes at once, a server that dies, a disk that is full."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from neomem import local
from neomem.capture.files import ingest
from neomem.config import Config
from neomem.sections import CaptureSettings
from neomem.store import transfer
from neomem.text import normalise
from tests.conftest import QUIET, environment, stop
from tests.integration.recall_engine import engine_on
from tests.integration.test_capture import NOW, TEXTS, tools  # noqa: F401 - a fixture
from tests.integration.test_recall_faults import Faulty
from tests.support import cypher

DATES = cypher(
    "MATCH (m:Memory {agent: $agent}) RETURN m.text AS text, m.said AS said,"
    " m.event_at.year AS year ORDER BY m.text"
)
MEGABYTE = 1 << 20
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


async def test_years_at_the_ends_of_the_calendar_are_dates_and_beyond_them_text(
    tools,  # noqa: F811
    agent,
    tmp_path,
):
    dates = ["0000-05-08", "0001-01-01", "9999-12-31", "10000-01-01", "the 31st of never", "-1"]
    dates += ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2023-02-30", "1e999"]
    lines = [{"text": f"Said {n}.", "date": date, "session": "s"} for n, date in enumerate(dates)]
    file = tmp_path / "dates.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))

    result = await ingest(tools, file, agent=agent, now=NOW)
    again = await ingest(tools, file, agent=agent, now=NOW)

    rows = await tools.graph.read(DATES, agent=agent)
    assert result.tally.outcomes == {"stored": 10}
    assert again.tally.outcomes == {"duplicate": 10}
    assert result.undated == 8
    assert [row["year"] for row in rows if row["said"] is None] == [1, 9999]
    assert [row["said"] for row in rows if row["said"]] == [dates[0], *dates[3:]]
    assert {row["year"] for row in rows if row["said"]} == {NOW.year}
    with (tmp_path / "out.jsonl").open("wb") as out:
        assert (await transfer.export(tools.graph, agent, out)).memories == 10


async def test_an_id_that_comes_twice_is_one_turn_in_a_session_and_two_in_two(
    tools,  # noqa: F811
    agent,
    tmp_path,
):
    def written(name: str, *lines: tuple[str, str, str]) -> None:
        turns = [{"session": s, "id": i, "text": text} for s, i, text in lines]
        (tmp_path / name).write_text("\n".join(map(json.dumps, turns)))

    written("a.jsonl", ("s1", "1", "First."), ("s1", "1", "Again."), ("s2", "1", "Elsewhere."))
    written("b.jsonl", ("s1", "1", "In another file."), ("s1", "2", "Next."))

    result = await ingest(tools, tmp_path, agent=agent, now=NOW)

    texts = [row["text"] for row in await tools.graph.read(TEXTS, agent=agent)]
    assert texts == ["Elsewhere.", "First.", "Next."]
    assert result.tally.outcomes == {"stored": 3, "duplicate": 2}


async def test_texts_of_ten_megabytes_bytes_that_are_no_text_and_markup_do_no_harm(
    tools,  # noqa: F811
    agent,
    tmp_path,
):
    huge = {"session": "s", "text": "word " * (2 * MEGABYTE)}
    markup = "<script>alert(1)</script> & {{x}} ${y} `MATCH (n) DETACH DELETE n`"
    lines = [json.dumps(huge).encode(), json.dumps({"text": markup}).encode()]
    lines += [b'{"text": "caf\xe9 noir"}', b"\x00\x01\xff\xfe", b'{"text": "cut in the mid']
    (tmp_path / "odd.jsonl").write_bytes(b"\n".join(lines))
    (tmp_path / "huge.txt").write_text("Ann: Hello.\nBob: " + "x" * (10 * MEGABYTE) + "\n")
    (tmp_path / "cut.txt").write_bytes("Ann: Olá, Zoë".encode()[:-1])

    result = await ingest(tools, tmp_path, agent=agent, now=NOW)

    texts = [row["text"] for row in await tools.graph.read(TEXTS, agent=agent)]
    assert texts == [markup, "Ann: Hello.", "Ann: Olá, Zo\ufffd", "caf\ufffd noir"]
    assert all(len(text) < 1000 for text in texts)
    assert {Path(file).name for file in result.problems} == {"odd.jsonl", "huge.txt", "cut.txt"}


@pytest.mark.slow
async def test_a_million_lines_are_read_in_little_memory(tools, agent, tmp_path):  # noqa: F811
    file = tmp_path / "million.jsonl"
    with file.open("w") as out:
        for number in range(1_000_000):
            what = number % 20
            text = f"Bill {number % 500} was paid, and the receipt lies in the blue folder."
            out.write("\n" if what < 15 else json.dumps({"text": text}) + "\n")
    calm = replace(tools, settings=CaptureSettings(batch=1000))
    process = psutil.Process()
    await ingest(calm, _first_lines(file, 20_000), agent=agent, now=NOW)
    before, peak = process.memory_info().rss, 0

    def watch(_: object) -> None:
        nonlocal peak
        peak = max(peak, process.memory_info().rss)

    result = await ingest(calm, file, agent=agent, now=NOW, notify=watch)

    texts = await tools.graph.read(TEXTS, agent=agent)
    assert sum(result.tally.outcomes.values()) == 250_000
    assert len(texts) == len({row["text"] for row in texts}) == 125
    assert peak - before < 60 * MEGABYTE


def _first_lines(file: Path, number: int) -> Path:
    first = file.with_name("first.jsonl")
    with file.open() as lines, first.open("w") as out:
        out.writelines(line for _, line in zip(range(number), lines, strict=False))
    return first


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A file system of its own that is soon full; only root can make one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256m", "neomem-test", str(place)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.slow
def test_a_full_disk_is_an_error_and_once_there_is_room_the_load_ends_exact(
    cache, small_disk, tmp_path
):
    config = Config(cache=cache, home=small_disk / "home", server=QUIET)
    file, balloon = written(tmp_path / "load.jsonl", range(3000)), small_disk / "balloon"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "neomem", *arguments],
            env=environment(config, NEOMEM_EMBEDDER__MODEL="all-MiniLM-L6-v2-q"),
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    try:
        run("up")
        with balloon.open("wb") as out:
            os.posix_fallocate(out.fileno(), 0, shutil.disk_usage(small_disk).free - 6 * MEGABYTE)
        full = run("ingest", str(file))
        while_full = run("capture", "One more.")
        balloon.unlink()
        run("down")
        room = run("ingest", str(file), "--json")
        stats = json.loads(run("stats", "--json").stdout)
    finally:
        stop(config)

    assert (full.returncode, while_full.returncode, room.returncode) == (3, 3, 0)
    for talk in (full.stderr, while_full.stderr):
        assert "disk full?" in talk
        assert "Traceback" not in talk
    assert stats["memories"] == 3000


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


async def test_a_search_neo4j_cannot_do_does_not_stop_a_capture(graph, agent):
    memory = engine_on(Faulty(graph, "capture/near"))

    captured = await memory.capture("Ada's boat lies in Lisbon.", agent=agent)

    assert captured.outcome == "stored"
