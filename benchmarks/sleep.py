"""A night over many memories: time and memory of each phase, and how they grow.

`python -m benchmarks.sleep FOLDER... --sizes 10000 20000 50000 --json FILE`, with folders of texts
(`corpus.jsonl`). A throw-away server for each size: sentences of the texts, two in five said in
old sessions, and one in ten said again in nearly the same words.
"""

import argparse
import asyncio
import json
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil

from benchmarks.growth import growth
from benchmarks.quality.vectors import KeptVectors
from benchmarks.sentences import SESSION, remember, sentences
from neomem import local
from neomem.config import Config
from neomem.engine import Engine, connect
from neomem.model import Draft
from neomem.sections import ServerSettings
from sleep_cycle import Slept, sleep
from sleep_cycle.phase import Event, PhaseFinished, PhaseStarted

NOW = datetime.now(UTC)
AGENT = "asleep"
RESULTS = Path(__file__).parent / "results" / "sleep.json"
"""The committed run."""


class Watched:
    """The peak of this process's memory and of the server's, by phase."""

    def __init__(self, server: int) -> None:
        self.processes = {"sleeper": psutil.Process(), "server": psutil.Process(server)}
        self.peaks: dict[str, dict[str, int]] = {}
        self.phase = "before"
        self.over = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def __call__(self, event: Event) -> None:
        """Hear of a phase."""
        if isinstance(event, PhaseStarted):
            self.phase = event.phase
        elif isinstance(event, PhaseFinished):
            print(f"  {event.report.phase}: {event.report.seconds:.1f} s", flush=True)

    def _look(self) -> None:
        while not self.over.wait(0.05):
            peaks = self.peaks.setdefault(self.phase, {})
            for name, process in self.processes.items():
                peaks[name] = max(peaks.get(name, 0), process.memory_info().rss)


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(prog="benchmarks.sleep", description=__doc__)
    arguments.add_argument("folders", type=Path, nargs="+")
    arguments.add_argument("--sizes", type=int, nargs="+", default=[10_000, 20_000, 50_000])
    arguments.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    given = arguments.parse_args()
    figures = asyncio.run(run(given.folders, sorted(given.sizes)))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(table(figures))


async def run(folders: Sequence[Path], sizes: Sequence[int]) -> dict[str, Any]:
    """Fill, sleep twice, count, for each size."""
    texts = list(dict.fromkeys(each for folder in folders for each in sentences(folder)))
    figures: dict[str, Any] = {"sentences": len(texts), "sizes": {}}
    for size in sizes:
        with tempfile.TemporaryDirectory() as home:
            figures["sizes"][str(size)] = await of_size(texts, size, Path(home))
    return figures


async def of_size(texts: Sequence[str], size: int, home: Path) -> dict[str, Any]:
    """Fill a server of its own with so many memories, and let it sleep."""
    server = ServerSettings(quick_start=False, heap="2g", page_cache="1g")
    config = Config(home=home, server=server)
    try:
        async with connect(config) as connected:
            vectors = KeptVectors(connected.embedder, config.cache / "benchmarks")
            engine = replace(connected, embedder=vectors)
            running = local.server(config).find()
            assert running  # noqa: S101 - it was just connected to
            began = time.perf_counter()
            await remember(engine, AGENT, list(_drafts(texts, size)), NOW)
            print(f"{size}: captured in {time.perf_counter() - began:.0f} s", flush=True)
            return await measured(engine, AGENT, running.pid)
    finally:
        await local.down(config)


async def measured(engine: Engine, agent: str, server: int) -> dict[str, Any]:
    """Sleep, and sleep again."""
    before = (await engine.stats(agent=agent)).memories
    watched = Watched(server)
    began = time.perf_counter()
    first = await sleep(engine, agent=agent, now=NOW, watch=watched)
    seconds = time.perf_counter() - began
    watched.over.set()
    second = await sleep(engine, agent=agent, now=NOW)
    return {
        "memories": before,
        "live afterwards": (await engine.stats(agent=agent)).memories,
        "seconds": round(seconds, 1),
        "changes": first.changes,
        "changes of a second night": second.changes,
        "seconds of a second night": round(sum(each.seconds for each in second.phases), 1),
        "phases": _phases(first, watched),
    }


def _phases(slept: Slept, watched: Watched) -> dict[str, dict[str, Any]]:
    told: dict[str, dict[str, Any]] = {}
    for report in slept.phases:
        each = asdict(report)
        peaks = watched.peaks.get(report.phase, {})
        told[report.phase] = {
            **{name: each[name] for name in ("seconds", "looked", "changes", "actions", "error")},
            **{f"{name} peak MB": round(value / 1e6) for name, value in peaks.items()},
        }
    return told


def _drafts(texts: Sequence[str], size: int) -> Iterator[Draft]:
    twice = size // 10
    different = size - twice
    if len(texts) < different:
        raise SystemExit(f"{len(texts)} sentences are too few for {size} memories")
    turns = size * 2 // 5
    for at, text in enumerate(texts[:different]):
        if at < turns:
            said = NOW - timedelta(days=60 + at / SESSION / 100)
            yield Draft(text=text, session=str(at // SESSION), position=at, said_at=said)
        else:
            yield Draft(text=text, kind="fact")
    for text in texts[different - twice : different]:
        yield Draft(text=f"For the record, {text}", kind="fact")


def committed() -> str:
    """Return the table of the committed run."""
    return table(json.loads(RESULTS.read_text(encoding="utf-8")))


def table(figures: dict[str, Any]) -> str:
    """Return seconds and peaks by phase and size, and the power of n that time grows by."""
    sizes = list(figures["sizes"])
    lines = [
        "| phase: s, MB | " + " | ".join(f"{int(size):,}" for size in sizes) + " | growth |",
        "|---|" + "--:|" * (len(sizes) + 1),
    ]
    for name in figures["sizes"][sizes[0]]["phases"]:
        each = [figures["sizes"][size]["phases"][name] for size in sizes]
        cells = [f"{one['seconds']:.1f}, {one.get('sleeper peak MB', '')}" for one in each]
        lines.append(f"| {name} | {' | '.join(cells)} | {_growth(sizes, each)} |")
    return "\n".join(lines)


def _growth(sizes: Sequence[str], each: Sequence[dict[str, Any]]) -> str:
    if len(sizes) == 1 or each[-1]["seconds"] < 1:
        return ""
    points = [(int(n), max(one["seconds"], 0.01)) for n, one in zip(sizes, each, strict=True)]
    return f"n^{growth(points):.2f}"


if __name__ == "__main__":
    main()
