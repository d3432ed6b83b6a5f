"""A hook from the start of its process to its answer, warm, beside what it is made of.

python -m benchmarks.hook [--rounds N] [--memories N] [--home DIR] [--json FILE]

In turn, so that a noisy machine treats all alike: `python -c pass`, the hook, and the recall alone
over a connection that is open already. A hook may cost three starts of Python and one recall.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from subprocess import PIPE

import httpx

from benchmarks import warm
from neomem.config import Config

ALLOWED = 3.0
_WARM_UP = 3


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--memories", type=int, default=1000)
    parser.add_argument("--home", type=Path, help="keep the benchmark's server there")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = given.home.absolute() if given.home else Path(folder)
        figures = asyncio.run(run(warm.settings(home), given.rounds, given.memories))
    print(json.dumps(figures, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


async def run(config: Config, rounds: int, memories: int) -> dict[str, float]:
    """Return medians and tenths of the times in milliseconds, and the ratio."""
    await warm.fill(config, memories)
    times: dict[str, list[float]] = {"python": [], "hook": [], "recall": []}
    answered = 0
    async with warm.service(config) as client:
        questions = warm.questions()
        for _ in range(rounds + _WARM_UP):
            seconds, _out = await started(config, sys.executable, "-c", "pass")
            times["python"].append(seconds)
            event = {"event": "recall", "prompt": next(questions)}
            seconds, out = await started(config, hook(), given=json.dumps(event))
            times["hook"].append(seconds)
            answered += b"relevant-memories" in out
            times["recall"].append(await recalled(client, next(questions)))
    kept = {name: sorted(each[_WARM_UP:]) for name, each in times.items()}
    medians = {name: 1000 * statistics.median(each) for name, each in kept.items()}
    fast = {name: 1000 * each[len(each) // 10] for name, each in kept.items()}
    return {
        "rounds": rounds,
        "memories": memories,
        "answered": answered,
        **{f"{name}_ms": round(value, 1) for name, value in medians.items()},
        **{f"{name}_fastest_tenth_ms": round(value, 1) for name, value in fast.items()},
        "starts_of_python": ratio(medians),
        "starts_of_python_fastest_tenth": ratio(fast),
        "allowed": ALLOWED,
    }


def ratio(times: dict[str, float]) -> float:
    """Return how many starts of Python a hook costs beyond the recall."""
    return round((times["hook"] - times["recall"]) / times["python"], 2)


def hook() -> str:
    """Return the command agents run."""
    return str(Path(sys.executable).parent / "neomem-hook")


async def started(config: Config, *command: str, given: str = "") -> tuple[float, bytes]:
    """Return how long a process took from its start to its end, and what it printed."""
    begun = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *command, env={"NEOMEM_HOME": str(config.home)}, stdin=PIPE, stdout=PIPE
    )
    out, _ = await process.communicate(given.encode())
    return time.perf_counter() - begun, out


async def recalled(client: httpx.AsyncClient, prompt: str) -> float:
    """Return how long the same takes over a connection that is open already."""
    begun = time.perf_counter()
    answer = await client.post("/v1/hook", json={"event": "recall", "prompt": prompt})
    answer.raise_for_status()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
