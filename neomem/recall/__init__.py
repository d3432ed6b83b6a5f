"""One recall, start to end: read the question, ask three signals, fuse, adjust, pack, explain."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime

from neomem.model import Answer, Hit, Memory, PinnedFile
from neomem.recall import scoring, signals
from neomem.recall.diversity import Item, mmr
from neomem.recall.evidence import Candidate
from neomem.recall.expansion import expand
from neomem.recall.explain import Beside, explain
from neomem.recall.features import Asked
from neomem.recall.fusion import ranking
from neomem.recall.gathering import Clock, Heard, Tools, gather, look_again, walker
from neomem.recall.packing import pack
from neomem.recall.question import clean_question
from neomem.recall.request import Plan, Request, plan
from neomem.recall.scoring import Judged, Scored
from neomem.recall.updates import newer_first
from neomem.store import queries
from neomem.store.graph import Row
from neomem.task_matching import finished_match, names_task

__all__ = ["Clock", "Tools", "gather", "look_again", "recall"]

PINNED = queries.load("recall/pinned")
MEMORIES = queries.load("recall/memories")
BESIDE = queries.load("recall/beside")

_BESIDE = 6
"""Neighbours a hit may bring along."""
_POOL = 3
"""Times the limit that diversity chooses from."""


async def recall(tools: Tools, request: Request, now: datetime) -> Answer:
    """Answer a question from an agent's memory; what fails on the way is left out and named."""
    planned = plan(request, tools.settings, now)
    clock = Clock()
    question = clean_question(request.question, tools.strip, tools.settings.max_characters)
    if not question or not planned.limit:
        pinned, files = await _pinned(tools, request.agent, planned)
        answer = Answer(question=question, agent=request.agent, pinned=pinned, pinned_files=files)
        return _packed(answer, [], planned, clock)

    (pinned, files), (asked, heard, known) = await asyncio.gather(
        _pinned(tools, request.agent, planned), gather(tools, planned, question, clock)
    )
    if planned.fusion == "evidence" and not planned.ranking and "vector" in planned.signals:
        heard, known = await look_again(tools, planned, asked, heard, known)
        clock("second look")
    scored = await _scored(tools, planned, asked, heard, known, now)
    clock("scoring")
    hides = _hides(tools, planned, question)
    kept, hidden = _filtered(planned, scored, hides)
    chosen = _diversified(kept, planned, pinned)
    rows, (chosen, more) = await asyncio.gather(
        _fetched(tools, planned, chosen),
        _expanded(tools, planned, chosen, set(known), heard.missing),
    )
    clock("fetch and expand")
    hits = _hits(asked, chosen, rows | more, heard)
    hits = _welcome(hits, pinned, hides)[: planned.limit]
    answer = Answer(
        question=question,
        agent=request.agent,
        pinned=pinned,
        pinned_files=files,
        question_class=heard.question_class,
        weights={**heard.weights},
        ranking=planned.ranking.name if planned.ranking else planned.fusion,
        entities=tuple(sorted({place.path for place in heard.seeds.values()})),
        missing=heard.missing,
        hidden=hidden,
    )
    return _packed(answer, hits, planned, clock)


async def _pinned(
    tools: Tools, agent: str, planned: Plan
) -> tuple[tuple[Memory, ...], tuple[PinnedFile, ...]]:
    rows, files = await asyncio.gather(
        tools.graph.read(PINNED, agents=list(planned.within.agents)), tools.pinned_files(agent)
    )
    return tuple(Memory.from_row(row) for row in rows), files


async def _scored(
    tools: Tools,
    planned: Plan,
    asked: Asked,
    heard: Heard,
    known: Mapping[str, Candidate],
    now: datetime,
) -> list[Scored]:
    """Score the candidates as planned, best first."""
    at, settings = now.timestamp(), tools.settings
    if planned.ranking:
        return scoring.by_preset(planned.ranking, heard.voices, known, heard.weights, at)
    if planned.fusion == "evidence":
        fused = scoring.fused(heard.voices, heard.weights, known, settings.k)
        judged = scoring.by_evidence(tools.model, asked, known, heard.voices, fused)
        judged = await _bridged(tools, planned, judged, known, heard)
    else:
        judged = scoring.by_fusion(
            planned.fusion, asked, known, heard.voices, heard.weights, settings.k, at
        )
    scored = scoring.adjusted(
        judged, known, at, half_life_days=settings.half_life, strength=settings.recency
    )
    reach = settings.update_reach if planned.fusion == "evidence" else 0.0
    return newer_first(asked.text, scored, reach)


async def _bridged(
    tools: Tools,
    planned: Plan,
    judged: Mapping[str, Judged],
    known: Mapping[str, Candidate],
    heard: Heard,
) -> Mapping[str, Judged]:
    """Follow what the best hits name to what is about it; between turns there is no such way."""
    reachable = any(each.about and tools.model.bridge(each) for each in known.values())
    if not reachable or "graph" not in planned.signals or "graph" in heard.missing:
        return judged
    relevance = {name: each.relevance for name, each in judged.items()}
    best = {name: relevance[name] for name in ranking(relevance)[: tools.settings.best]}
    named, missing = await signals.in_time(
        {"graph": (tools.settings.signal_timeout, walker(tools, planned.within).named_by(best))}
    )
    heard.missing.update(missing)
    return scoring.bridged(tools.model, judged, known, named.get("graph", {}))


def _filtered(
    planned: Plan, scored: Sequence[Scored], hides: Callable[[Candidate], bool]
) -> tuple[list[Scored], int]:
    """Leave out what is too weak, and what belongs to finished tasks."""
    strong = [each for each in scored if each.score >= planned.min_score and each.score > 0]
    kept = [each for each in strong if not hides(each.candidate)]
    return kept, len(strong) - len(kept)


def _hides(tools: Tools, planned: Plan, question: str) -> Callable[[Candidate | Memory], bool]:
    if not planned.hide_finished or not tools.tasks or not tools.tasks_file:
        return lambda _: False
    file = tools.tasks.read(tools.tasks_file)
    finished = [task for task in file.finished if not names_task(question, task)]
    active = file.active
    return lambda each: (
        not each.lasting
        and not each.pinned
        and finished_match(each.text, each.task_id, finished, active) is not None
    )


def _diversified(scored: Sequence[Scored], planned: Plan, pinned: Sequence[Memory]) -> list[Scored]:
    """Choose the best that do not repeat each other; pinned ones are in the answer already."""
    held = {memory.id for memory in pinned}
    free = [each for each in scored if each.candidate.id not in held]
    if planned.diversity >= 1:
        return free[: planned.limit]
    pool = {each.candidate.id: each for each in free[: _POOL * planned.limit]}
    # Likeness is a share of words, so relevance has to be a share too: of the best.
    best = max((each.score for each in pool.values()), default=1.0)
    items = [Item(name, each.candidate.text, each.score / best) for name, each in pool.items()]
    return [pool[item.id] for item in mmr(items, planned.limit, planned.diversity)]


async def _expanded(
    tools: Tools,
    planned: Plan,
    chosen: Sequence[Scored],
    known: AbstractSet[str],
    missing: dict[str, str],
) -> tuple[list[Scored | Beside], dict[str, Row]]:
    """Let neighbours of the best come along: linked, alike, said before or after.

    What its author has linked is ranked among the hits. What is merely alike or beside stands as it
    was judged; of those that were not, some follow the hits, where there is room.
    """
    settings = tools.settings
    best = {each.candidate.id: each.score for each in chosen[: planned.expand]}
    floor = max(settings.expand_floor, planned.min_score)
    if not best or max(best.values()) * settings.expand_share < floor:
        return list(chosen), {}

    async def beside() -> list[Row]:
        return await tools.graph.read(
            BESIDE, ids=list(best), limit=_BESIDE, **planned.within.parameters
        )

    said, failed = await signals.in_time({"neighbours": (settings.signal_timeout, beside())})
    missing.update(failed)
    rows = said.get("neighbours", [])
    scores = {each.candidate.id: each.score for each in chosen}

    def along(edges: list[tuple[str, str]]) -> list[Scored | Beside]:
        more = expand(scores, edges, settings.expand_share, floor)
        scores.update({name: score for name, (score, _) in more.items()})
        return [Beside(name, score, parent) for name, (score, parent) in more.items()]

    linked = along([(row["id"], row["beside"]) for row in rows if row["edge"] == "LINKS"])
    others = [row for row in rows if row["edge"] != "LINKS" and row["beside"] not in known]
    alike = along([(row["id"], row["beside"]) for row in others])
    ordered = [*sorted([*chosen, *linked], key=lambda each: (-each.score, each.id)), *alike]
    return ordered, {row["beside"]: row for row in rows}


async def _fetched(tools: Tools, planned: Plan, chosen: Sequence[Scored]) -> dict[str, Row]:
    """Fetch in full what is in the answer."""
    rows = await tools.graph.read(
        MEMORIES, agents=list(planned.within.agents), ids=[each.id for each in chosen]
    )
    return {row["memory"]["id"]: row for row in rows}


def _hits(
    asked: Asked, chosen: Sequence[Scored | Beside], rows: Mapping[str, Row], heard: Heard
) -> list[Hit]:
    """Return what is in the answer, with the reasons why."""
    return [
        explain(each, rows[each.id], heard.voices, asked.terms, heard.paths)
        for each in chosen
        if each.id in rows
    ]


def _welcome(
    hits: Sequence[Hit], pinned: Sequence[Memory], hides: Callable[[Memory], bool]
) -> list[Hit]:
    """Leave out neighbours that would not have been found themselves: pinned, or finished."""
    held = {memory.id for memory in pinned}
    return [hit for hit in hits if not hit.beside or not (hit.id in held or hides(hit.memory))]


def _packed(answer: Answer, hits: Sequence[Hit], planned: Plan, clock: Clock) -> Answer:
    """Fit the answer into the budget."""
    packed = pack([*answer.pinned_files, *answer.pinned], hits, planned.budget)
    clock("pack")
    return replace(
        answer,
        hits=packed.found,
        tokens=packed.tokens,
        left_out=packed.left_out,
        steps=clock.steps,
    )
