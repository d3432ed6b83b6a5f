"""Clocks: one client and several, each question once."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

import numpy as np

Ask = Callable[[str], Awaitable[object]]


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Return percentiles in milliseconds."""
    p50, p95, p99 = np.percentile(np.asarray(seconds) * 1000, [50, 95, 99])
    return {"p50_ms": round(p50, 2), "p95_ms": round(p95, 2), "p99_ms": round(p99, 2)}


async def alternating(
    systems: Mapping[str, Ask], questions: Sequence[str]
) -> dict[str, list[float]]:
    """Ask every system every question in turn, so that a noisy machine treats all alike."""
    times: dict[str, list[float]] = {name: [] for name in systems}
    for at, question in enumerate(questions):
        order = list(systems.items())
        turned = order[at % len(order) :] + order[: at % len(order)]
        for name, ask in turned:
            begun = time.perf_counter()
            await ask(question)
            times[name].append(time.perf_counter() - begun)
    return times


async def throughput(ask: Ask, questions: Sequence[str], clients: int) -> float:
    """Return questions a second when so many ask at once."""
    waiting = iter(questions)

    async def client() -> None:
        for question in waiting:
            await ask(question)

    begun = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    return len(questions) / (time.perf_counter() - begun)
