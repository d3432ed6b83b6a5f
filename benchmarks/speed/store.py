"""A store of so many memories: real sentences, sessions, several agents; built once and kept."""

import json
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.sentences import SESSION, remember
from benchmarks.sentences import sentences as of_folder
from neomem.engine import Engine
from neomem.model import Draft
from neomem.ports import Embedder, Embedding, Passage

AGENT = "speed"
OTHERS = ("speed-2", "speed-3", "speed-4")
"""Those who have a tenth of the memories between them, so that filters have something to do."""
NOW = datetime(2026, 11, 1, tzinfo=UTC)


def sentences(data: Path, count: int) -> list[str]:
    """Return sentences of all the texts there are, in an order that chance made once."""
    folders = sorted(file.parent for file in data.glob("*/corpus.jsonl"))
    every = sorted({each for folder in folders for each in of_folder(folder)})
    random.Random(7).shuffle(every)
    if len(every) < count:
        raise SystemExit(f"there are {len(every)} sentences in {data}, not {count}")
    return every[:count]


def questions(data: Path) -> list[str]:
    """Return questions on those texts, in an order that chance made once."""
    every = sorted(
        {
            json.loads(line)["text"]
            for file in sorted(data.glob("*/queries.jsonl"))
            for line in file.read_text(encoding="utf-8").splitlines()
        }
    )
    random.Random(11).shuffle(every)
    return every


def drafts(texts: Sequence[str]) -> Iterator[tuple[str, Draft]]:
    """Yield what each agent is told: half of it turns of old sessions, half facts."""
    for at, text in enumerate(texts):
        agent = OTHERS[at // 10 % len(OTHERS)] if at % 10 == 0 else AGENT
        if at // SESSION % 2:
            said = NOW - timedelta(minutes=len(texts) - at)
            session = str(at // SESSION)
            yield agent, Draft(text=text, session=session, position=at, said_at=said)
        else:
            yield agent, Draft(text=text, kind="fact")


async def fill(engine: Engine, texts: Sequence[str]) -> None:
    """Capture what is not there yet."""
    every = list(drafts(texts))
    for agent in (AGENT, *OTHERS):
        own = [draft for name, draft in every if name == agent]
        there = (await engine.stats(agent=agent)).memories
        if there >= len(own) * 0.99:  # a few are refused, or known already
            continue
        await remember(engine, agent, own, NOW)


class Filling:
    """An embedder that keeps passages' vectors, and makes every question's anew."""

    def __init__(self, kept: Embedder, live: Embedder) -> None:
        self._kept, self._live = kept, live
        self.model, self.dimensions = live.model, live.dimensions
        self.floor, self.reads_context = live.floor, live.reads_context

    async def embed_question(self, text: str) -> Embedding:
        """Ask the model."""
        return await self._live.embed_question(text)

    async def embed_passages(self, passages: Sequence[Passage]) -> list[Embedding]:
        """Ask what is kept."""
        return await self._kept.embed_passages(passages)

    async def close(self) -> None:
        """Leave both open: they are others'."""
