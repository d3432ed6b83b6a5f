"""What a recall is made of, each part alone: the steps that the reference gives times for."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from neomem.engine import Engine
from neomem.recall import Clock, gather, scoring, signals
from neomem.recall.request import Request, plan
from neomem.store.queries import load, parse

_NEAREST = load("recall/nearest").text
SEARCH = parse(
    "search",
    "// The search of `recall/nearest`, without the evidence that comes with it.\n"
    f"{_NEAREST[_NEAREST.index('MATCH (m:Memory)') : _NEAREST.index('RETURN collect(m)')]}"
    "RETURN collect([m.id, score]) AS found",
)


async def times(engine: Engine, agent: str, questions: Sequence[str]) -> dict[str, list[float]]:
    """Return how long each part takes when nothing else is under way."""
    tools, seconds = engine.recall_tools, dict[str, list[float]]()

    def note(part: str, begun: float) -> float:
        now = time.perf_counter()
        seconds.setdefault(part, []).append(now - begun)
        return time.perf_counter()

    for question in questions:
        planned = plan(Request(question=question, agent=agent), tools.settings, datetime.now(UTC))
        search = signals.Search(tools.graph, planned.within, planned.width, tools.embedder.floor)
        asked, heard, known = await gather(tools, planned, question, Clock())
        begun = time.perf_counter()
        embedded = await tools.embedder.embed_question(question)
        begun = note("question embedding", begun)
        given = planned.within.parameters | {
            "vector": embedded.vector.tolist(),
            "limit": search.width,
        }
        await tools.graph.read(SEARCH, **{name: given[name] for name in SEARCH.parameters})
        begun = note("vector search", begun)
        await signals.by_text(search, question)
        begun = note("keyword search", begun)
        first = scoring.fused(heard.voices, heard.weights, known, tools.settings.k)
        scoring.by_evidence(tools.model, asked, known, heard.voices, first)
        note("fusion", begun)
    return seconds
