"""Many clients at once: recalls and captures mixed, for a while, on a large store.

python -m benchmarks.load [--clients N] [--seconds N] [--memories N] [--home DIR] [--json FILE]

Every acknowledged capture is looked for afterwards, in the store itself.
"""

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks import warm
from neomem.config import Config
from neomem.engine import connect
from neomem.store.queries import parse

KEPT = parse(
    "kept",
    "// Which of these memories are there.\n"
    "MATCH (m:Memory {agent: $agent}) WHERE m.id IN $ids RETURN m.id AS id",
)
_CAPTURES = 0.3
"""Share of requests that capture."""


@dataclass
class Seen:
    """What the clients have seen."""

    seconds: dict[str, list[float]] = field(
        default_factory=lambda: {"recall": list[float](), "capture": list[float]()}
    )
    statuses: Counter[str] = field(default_factory=Counter[str])
    acknowledged: list[str] = field(default_factory=list[str])
    missing: Counter[str] = field(default_factory=Counter[str])
    memory: list[float] = field(default_factory=list[float])


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--home", type=Path, help="keep the benchmark's server there")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = given.home.absolute() if given.home else Path(folder)
        figures = asyncio.run(run(warm.settings(home), given))
    print(json.dumps(figures, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


async def run(config: Config, given: argparse.Namespace) -> dict[str, Any]:
    """Load the store, let the clients loose, and look for what was acknowledged."""
    await warm.fill(config, given.memories)
    seen = Seen()
    async with warm.service(config) as client:
        pid = (await client.get("/health")).json()["pid"]
        begun = time.perf_counter()
        end = begun + given.seconds
        watching = asyncio.create_task(watch(pid, seen))
        await asyncio.gather(*(ask(client, seen, number, end) for number in range(given.clients)))
        took = time.perf_counter() - begun
        watching.cancel()
        lost = await lost_of(config, seen.acknowledged)
    return report(given, seen, took, lost)


async def ask(client: httpx.AsyncClient, seen: Seen, number: int, end: float) -> None:
    """Be one client: the next request when the last is answered."""
    chance = random.Random(number)
    questions = warm.questions(seed=1000 + number)
    said = 0
    while time.perf_counter() < end:
        capture = chance.random() < _CAPTURES
        said += capture
        name = "capture" if capture else "recall"
        body = {"text": fact(number, said)} if capture else {"question": next(questions)}
        begun = time.perf_counter()
        try:
            answer = await client.post(f"/v1/{name}", json=body)
        except httpx.HTTPError as error:
            seen.statuses[type(error).__name__] += 1
            continue
        seen.seconds[name].append(time.perf_counter() - begun)
        seen.statuses[str(answer.status_code)] += 1
        if answer.is_success and capture:
            seen.acknowledged.append(answer.json()["id"])
        elif answer.is_success:
            seen.missing.update(list(answer.json()["missing"]))


def fact(number: int, said: int) -> str:
    """Return a sentence nobody else says."""
    moment = time.time_ns()
    return f"Client {number} filed letter {said} under {moment} in cabinet {moment % 977}."


async def watch(pid: int, seen: Seen) -> None:
    """Note the service's memory, in megabytes, every second."""
    process = psutil.Process(pid)
    while True:
        seen.memory.append(process.memory_info().rss / 1e6)
        await asyncio.sleep(1)


async def lost_of(config: Config, acknowledged: list[str]) -> int:
    """Return how many acknowledged captures the store does not have."""
    async with connect(config) as engine:
        rows = await engine.graph.read(KEPT, agent="default", ids=acknowledged)
    return len(set(acknowledged)) - len(rows)


def report(given: argparse.Namespace, seen: Seen, took: float, lost: int) -> dict[str, Any]:
    """Return all figures."""
    requests = sum(seen.statuses.values())
    tenth = max(1, len(seen.memory) // 10)
    return {
        "clients": given.clients,
        "seconds": round(took, 1),
        "memories": given.memories,
        "requests": requests,
        "requests_per_second": round(requests / took, 1),
        "statuses": dict(seen.statuses),
        "acknowledged": len(seen.acknowledged),
        "lost": lost,
        "answers_lacking_a_signal": dict(seen.missing),
        "latency_ms": {name: percentiles(each) for name, each in seen.seconds.items()},
        "service_memory_mb": {
            "first_tenth": round(sum(seen.memory[:tenth]) / tenth, 1),
            "last_tenth": round(sum(seen.memory[-tenth:]) / tenth, 1),
            "most": round(max(seen.memory), 1),
        },
    }


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Return the middle and the slow end, in milliseconds."""
    ranked = sorted(seconds) or [0.0]
    return {
        f"p{share}": round(1000 * ranked[min(len(ranked) - 1, len(ranked) * share // 100)], 1)
        for share in (50, 95, 99)
    }


if __name__ == "__main__":
    main()
