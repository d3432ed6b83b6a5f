"""The server a run works on, and the data in it: an agent per conversation, loaded once."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from benchmarks.quality.dataset import Dataset, Question
from benchmarks.quality.vectors import KeptVectors
from neomem import local
from neomem.config import Config
from neomem.engine import Engine, connect
from neomem.progress import Notify, silent
from neomem.sections import RecallSettings, ServerSettings
from neomem.store.queries import parse

T = TypeVar("T")
_AT_ONCE = 3
"""Questions under way: enough to keep two cores busy."""

EXTERNAL_IDS = parse(
    "external_ids",
    "// The ids a benchmark's texts came with.\n"
    "MATCH (m:Memory {agent: $agent}) RETURN m.id AS id, m.external_id AS external_id",
)


@asynccontextmanager
async def opened(home: Path, recall: RecallSettings | None = None) -> AsyncGenerator[Engine]:
    """Connect to a server of the benchmark's own; vectors are kept beside neomem's other files."""
    config = Config(
        home=home,
        server=ServerSettings(quick_start=False, heap="1g", page_cache="256m"),
        recall=recall or RecallSettings(record=False, signal_timeout=60, embed_timeout=60),
    )
    async with connect(config) as engine:
        vectors = KeptVectors(engine.embedder, config.cache / "benchmarks")
        yield replace(engine, embedder=vectors)


async def stop(home: Path) -> None:
    """Stop the benchmark's server."""
    await local.down(Config(home=home))


def agent_of(dataset: Dataset, group: str) -> str:
    """Return whose memory a group's is."""
    return f"{dataset.name} {group}"


async def load(engine: Engine, dataset: Dataset, notify: Notify = silent) -> None:
    """Capture what is not there yet, as a user would; nothing is refused, secrets are masked."""
    for group, drafts in dataset.texts.items():
        agent = agent_of(dataset, group)
        counts = await engine.stats(agent=agent)
        if counts.memories + counts.quarantined < len(drafts):
            await engine.capture_many(drafts, agent=agent, notify=notify, total=len(drafts))


async def asked(
    questions: Sequence[Question], ask: Callable[[Question], Awaitable[T]]
) -> list[tuple[Question, T]]:
    """Ask every question, a few at a time; return the answers in the questions' order."""
    some = asyncio.Semaphore(_AT_ONCE)

    async def one(question: Question) -> tuple[Question, T]:
        async with some:
            return question, await ask(question)

    return await asyncio.gather(*(one(each) for each in questions))


async def external_ids(engine: Engine, dataset: Dataset) -> dict[str, str]:
    """Return the data's own id of every memory."""
    found: dict[str, str] = {}
    for group in dataset.texts:
        rows = await engine.graph.read(EXTERNAL_IDS, agent=agent_of(dataset, group))
        found |= {row["id"]: row["external_id"] for row in rows}
    return found
