"""`python -m benchmarks.speed --memories N --json FILE`: a recall's time beside its peers'.

The store is built from the texts of `--data` and kept under `--home`; a second run reuses it. The
same questions go to every system in turn, each to each once, after others to warm up.
"""

import argparse
import asyncio
import gc
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil

from benchmarks.quality import peers
from benchmarks.quality.dataset import ALL, Question
from benchmarks.quality.vectors import KeptVectors
from benchmarks.speed import doors, measure, parts, store
from neomem import keeping, local
from neomem.config import Config
from neomem.engine import Engine, connect
from neomem.recall import signals
from neomem.recall.request import Request, plan
from neomem.sections import EmbedderSettings, RecallSettings, ServerSettings
from neomem.service_settings import ServiceSettings
from neomem.store.queries import parse

WARM_UP, ASKED, CAPTURED = 600, 200, 3000
"""A server takes some hundred recalls to compile our long queries; one that runs is past that."""
ON_NEO4J = ("neo4j-graphrag", "langchain-neo4j")
MEM0_AT = 10_000
"""How many memories mem0 is asked of; its local store compares with every one."""
EXACT = parse(
    "exact",
    "// The nearest memories, by looking at every one.\n"
    "MATCH (m:Memory) WHERE m.agent = $agent AND m.live AND m.embedding IS NOT NULL"
    " WITH m.id AS id, vector.similarity.cosine(m.embedding, $vector) AS score"
    " ORDER BY score DESC LIMIT 20 RETURN collect(id) AS exact",
)


@dataclass(frozen=True)
class Run:
    """A store, and the questions that are asked of it."""

    engine: Engine
    texts: Sequence[str]
    questions: Sequence[str]


def main() -> None:
    """Read the options, run, print."""
    arguments = argparse.ArgumentParser(prog="benchmarks.speed", description=__doc__)
    arguments.add_argument("--memories", type=int, default=10_000)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--home", type=Path, help="where stores are kept between runs")
    arguments.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    arguments.add_argument("--no-peers", action="store_true")
    given = arguments.parse_args()
    figures = asyncio.run(run(given))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


async def run(given: argparse.Namespace) -> dict[str, Any]:
    """Build or reuse the store, then measure."""
    texts = store.sentences(given.data, given.memories + CAPTURED)
    homes = given.home or Config().cache / "benchmarks" / "speed"
    home = homes.absolute() / str(given.memories)
    server = ServerSettings(quick_start=False, heap="2g", page_cache="2g")
    config = Config(
        home=home,
        server=server,
        recall=RecallSettings(record=False),
        embedder=EmbedderSettings(cached_questions=0),  # every question is a new one
        service=ServiceSettings(agent=store.AGENT),
    )
    try:
        async with connect(config) as connected:
            kept = KeptVectors(connected.embedder, config.cache / "benchmarks")
            filling = replace(connected, embedder=store.Filling(kept, connected.embedder))
            await store.fill(filling, texts[: given.memories])
            asked = Run(connected, texts, store.questions(given.data))
            figures = await measured(asked, filling, home, peers_too=not given.no_peers)
            running = local.server(config).find()
            if running:
                figures["server MB"] = round(psutil.Process(running.pid).memory_info().rss / 1e6)
            figures["store MB"] = round(_size(home / "data") / 1e6)
        through = await doors.times(config, asked.questions[-ASKED:])
        figures["doors"] = {name: measure.spread(each) for name, each in through.items()}
        return {"memories": given.memories, **figures}
    finally:
        await local.down(config)


async def measured(asked: Run, filling: Engine, home: Path, *, peers_too: bool) -> dict[str, Any]:
    """Return every system's times, our steps, throughput, capture, and what the index misses."""
    engine = asked.engine
    steps: dict[str, list[float]] = {}

    async def ours(question: str) -> None:
        answer = await engine.recall(question, agent=store.AGENT)
        for name, milliseconds in answer.steps.items():
            steps.setdefault(name, []).append(milliseconds / 1000)

    systems: dict[str, measure.Ask] = {"neomem": ours}
    if peers_too:
        systems |= await others(filling, asked.texts, home)
    # The texts and vectors that were loaded are the benchmark's; looking through them for garbage
    # would be counted as the time of whoever is asked.
    gc.collect()
    gc.freeze()
    warm, rest = asked.questions[:WARM_UP], asked.questions[WARM_UP:]
    await measure.alternating(systems, warm)
    steps.clear()
    times = await measure.alternating(systems, rest[:ASKED])
    told = {name: measure.spread(each) for name, each in steps.items()}
    alone = await parts.times(engine, store.AGENT, rest[:ASKED])
    one = await measure.throughput(ours, rest[ASKED : 2 * ASKED], 1)
    eight = await measure.throughput(ours, rest[2 * ASKED : 4 * ASKED], 8)
    ratios = {
        name: round(_middle(times["neomem"]) / _middle(each), 3) for name, each in times.items()
    }
    return {
        "systems": {name: measure.spread(each) for name, each in times.items()},
        "neomem against": {name: ratio for name, ratio in ratios.items() if name != "neomem"},
        "steps": told,
        "parts alone": {name: measure.spread(each) for name, each in alone.items()},
        "recalls a second": {"one client": round(one, 2), "eight clients": round(eight, 2)},
        "eight clients against one": round(eight / one, 3),
        "capture": await captured(engine, asked.texts[-CAPTURED:]),
        "ann recall@20": await ann(engine, rest[:50]),
    }


async def others(engine: Engine, texts: Sequence[str], home: Path) -> dict[str, measure.Ask]:
    """Load the peers with the same texts and vectors; return how each is asked."""
    own = [
        replace(draft, external_id=str(at))
        for at, (agent, draft) in enumerate(store.drafts(texts[:-CAPTURED]))
        if agent == store.AGENT
    ]
    few = len(texts) - CAPTURED == MEM0_AT
    names = (*ON_NEO4J, "mem0") if few else ON_NEO4J
    data = SimpleNamespace(texts={ALL: own}, name="speed", conversation=few)
    asks: dict[str, measure.Ask] = {}
    for peer in peers.beside(engine, data, home / "peers", names=names):  # pyright: ignore[reportArgumentType]
        await peer.load(data)  # pyright: ignore[reportArgumentType]
        asks[peer.name] = _asking(peer)
        print(f"{peer.name}: loaded", flush=True)
    return asks


def _asking(peer: peers.Peer) -> measure.Ask:
    async def ask(question: str) -> None:
        await peer.ask(Question(question, ALL, question, ALL, {}))

    return ask


async def captured(engine: Engine, texts: Sequence[str]) -> dict[str, float]:
    """Return how long new memories take, and the embedder's part of it alone.

    Half of them are captured first: a server that has only been asked writes slowly at first.
    """
    passes: list[Any] = []
    inner = engine.embedder

    class Noting(store.Filling):
        async def embed_passages(self, passages: Any) -> Any:  # noqa: ANN401 - passed on
            passes.extend(passages)
            return await inner.embed_passages(passages)

    noting = replace(engine, embedder=Noting(inner, inner))
    agent = f"{store.AGENT}-new-{time.time_ns()}"
    fresh = [draft for _, draft in store.drafts(texts)]
    half = len(fresh) // 2
    await noting.capture_many(fresh[:half], agent=agent)
    passes.clear()
    begun = time.perf_counter()
    await noting.capture_many(fresh[half:], agent=agent)
    whole = time.perf_counter() - begun
    begun = time.perf_counter()
    for start in range(0, len(passes), 512):
        await inner.embed_passages(passes[start : start + 512])
    bare = time.perf_counter() - begun
    await keeping.purge_agent(engine.graph, agent)
    return {
        "a second": round(len(fresh[half:]) / whole, 1),
        "against the embedder alone": round(whole / bare, 3),
    }


async def ann(engine: Engine, questions: Sequence[str]) -> float:
    """Return how much of the twenty nearest by comparing all the index names too."""
    found = 0
    for question in questions:
        vector = (await engine.embedder.embed_question(question)).vector
        (row,) = await engine.graph.read(EXACT, agent=store.AGENT, vector=vector.tolist())
        planned = plan(
            Request(question=question, agent=store.AGENT), engine.config.recall, datetime.now(UTC)
        )
        search = signals.Search(engine.graph, planned.within, planned.width, engine.embedder.floor)
        near = await signals.nearest(search, vector)
        named = {hit.id for each in near.voices for hit in each.hits[:20]}
        found += len(named & set(row["exact"]))
    return round(found / (20 * len(questions)), 4)


def _middle(seconds: Sequence[float]) -> float:
    return sorted(seconds)[len(seconds) // 2]


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


if __name__ == "__main__":
    main()
