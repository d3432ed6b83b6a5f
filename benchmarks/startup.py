"""Start and stop of the local server, with and without its start-up cache, in turn.

python -m benchmarks.startup [--rounds N] [--json FILE]
"""

import argparse
import asyncio
import dataclasses
import json
import statistics
import tempfile
import time
from pathlib import Path

import psutil

from neomem import config, local
from neomem.engine import open_graph
from neomem.store import health, quick_start
from neomem.store.local_server import Installation


@dataclasses.dataclass(frozen=True)
class Round:
    """One life of a server, in seconds and megabytes."""

    answers: float
    first_query: float
    memory: float
    stop: float


async def main(rounds: int, file: Path | None) -> None:
    """Measure in turn, so that a noisy machine treats both alike; print medians and ratios."""
    settings = config.load()
    await local.install(settings)
    cached = local.installation(settings)
    await quick_start.prepare(cached)
    results: dict[str, list[Round]] = {"plain": [], "cached": []}
    with tempfile.TemporaryDirectory() as folder:
        mine = settings.model_copy(update={"home": Path(folder)})
        plain = dataclasses.replace(cached, caches=Path(folder) / "none")
        await one_life(mine, plain)  # makes the store
        for _ in range(rounds):
            results["plain"].append(await one_life(mine, plain))
            results["cached"].append(await one_life(mine, cached))
    report(results, file)


async def one_life(settings: config.Config, installation: Installation) -> Round:
    """Start, ask one question, stop."""
    server = local.server(settings)
    async with server.lock():
        begun = time.perf_counter()
        running = await server.start(installation)
        answers = time.perf_counter()
        async with await open_graph(settings) as graph:
            await health.components(graph)
        asked = time.perf_counter()
        memory = psutil.Process(running.pid).memory_info().rss / 1e6
        stopping = time.perf_counter()
        await server.stop()
        stopped = time.perf_counter()
    return Round(answers - begun, asked - begun, memory, stopped - stopping)


def report(results: dict[str, list[Round]], file: Path | None) -> None:
    """Print the table and keep it as JSON."""
    medians = {
        name: {
            field.name: round(statistics.median(getattr(r, field.name) for r in rounds), 2)
            for field in dataclasses.fields(Round)
        }
        for name, rounds in results.items()
    }
    ratios = {
        name: round(medians["cached"][name] / value, 2) for name, value in medians["plain"].items()
    }
    print(f"{'':12}{'plain':>10}{'cached':>10}{'ratio':>8}")
    for name, value in medians["plain"].items():
        print(f"{name:12}{value:>10}{medians['cached'][name]:>10}{ratios[name]:>8}")
    if file:
        file.write_text(json.dumps({"systems": medians, "ratios": ratios}, indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    asyncio.run(main(arguments.rounds, arguments.json))
