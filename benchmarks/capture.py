"""Ingesting conversations: the whole, beside the embedder's bare time for the same passes.

`python -m benchmarks.capture FOLDER [--turns N]`, with LoCoMo's folder, on a throw-away server.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from neomem import local
from neomem.capture.event_time import read_date
from neomem.config import Config
from neomem.engine import Engine, connect
from neomem.model import Draft
from neomem.ports import Embedding, Passage
from neomem.sections import ServerSettings


class Watched:
    """The engine's embedder, with a clock and a memory of what it was asked."""

    def __init__(self, engine: Engine) -> None:
        self.inner, self.passes = engine.embedder, list[Passage]()
        self.model, self.dimensions = self.inner.model, self.inner.dimensions
        self.floor, self.reads_context = self.inner.floor, self.inner.reads_context

    async def embed_question(self, text: str) -> Embedding:
        """Pass on."""
        return await self.inner.embed_question(text)

    async def embed_passages(self, passages: Sequence[Passage]) -> list[Embedding]:
        """Pass on, and note."""
        self.passes += passages
        return await self.inner.embed_passages(passages)

    async def close(self) -> None:
        """Leave it open: it is the engine's."""


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--turns", type=int, default=100_000)
    asyncio.run(run(arguments.parse_args()))


async def run(given: argparse.Namespace) -> None:
    """Ingest, then do the embedder's part alone, then the store's part alone."""
    drafts = list(turns(given.folder / "corpus.jsonl"))[: given.turns]
    with tempfile.TemporaryDirectory() as home:
        config = Config(home=Path(home), server=ServerSettings(quick_start=False, heap="1g"))
        try:
            async with connect(config) as engine:
                await measure(engine, drafts)
        finally:
            await local.down(config)


async def measure(engine: Engine, drafts: list[Draft]) -> None:
    """Print the times and their ratios."""
    watched = Watched(engine)
    observed = replace(engine, embedder=watched)
    await observed.capture_many(drafts[:100], agent="warm-up")
    watched.passes.clear()
    start = time.perf_counter()
    tally = await observed.capture_many(drafts, agent="measured")
    whole = time.perf_counter() - start
    start = time.perf_counter()
    for first in range(0, len(watched.passes), 512):
        await engine.embedder.embed_passages(watched.passes[first : first + 512])
    bare = time.perf_counter() - start
    print(f"{dict(tally.outcomes)}, {len(watched.passes)} passes")
    print(
        f"whole {whole:.1f} s, embedder alone {bare:.1f} s; whole / embedder = {whole / bare:.3f}"
    )
    print(f"all the rest, the store's part in it: {(whole - bare) / whole:.3f} of the whole")


def turns(file: Path) -> list[Draft]:
    """Return conversations as drafts, a session per conversation and day."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        Draft(
            text=row["text"] + (f" [image: {c}]" if (c := row.get("image_caption")) else ""),
            session=f"{row['conv']}/{row['session']}",
            speaker=row["speaker"],
            external_id=row["_id"],
            position=number,
            said_at=moment.at if (moment := read_date(row["date"])) else None,
        )
        for number, row in enumerate(rows)
    ]


if __name__ == "__main__":
    main()
