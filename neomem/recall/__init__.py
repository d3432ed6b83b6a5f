"""One recall, start to end: read the question, ask three signals, fuse, adjust, pack, explain."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime

from neomem.model import Answer, Hit, Memory, PinnedFile
from neomem.recall import scoring
from neomem.recall.diversity import Item, mmr
from neomem.recall.evidence import Candidate
from neomem.recall.expansion import expand
from neomem.recall.explain import Beside, explain
from neomem.recall.features import Asked
from neomem.recall.fusion import ranking
from neomem.recall.gathering import Clock, Heard, Tools, gather
from neomem.recall.packing import pack
from neomem.recall.question import clean_question
from neomem.recall.request import Plan, Request, plan
from neomem.recall.scoring import Judged, Scored
from neomem.recall.signals import Search, candidates
from neomem.recall.updates import newer_first
from neomem.recall.walk import bridges
from neomem.store import queries
from neomem.store.graph import Row
from neomem.task_matching import finished_match, names_task

__all__ = ["Clock", "Tools", "gather", "recall"]

PINNED = queries.load("recall/pinned")

_BESIDE = 6
"""Neighbours a hit may bring along."""
_POOL = 3
"""Times the limit that diversity chooses from."""


async def recall(tools: Tools, request: Request, now: datetime) -> Answer:
    """Answer a question from an agent's memory; what fails on the way is left out and named."""
    planned = plan(request, tools.settings, now)
    clock = Clock()
    question = clean_question(request.question, tools.strip, tools.settings.max_characters)
    answer = Answer(question=question, agent=request.agent, pinned=())
    if not question or not planned.limit:
        pinned = await _pinned(tools, request.agent, planned)
        return _packed(answer, pinned, [], planned, clock)

    tools = replace(tools, model=tools.model.asked(question))
    (asked, heard, known), pinned = await asyncio.gather(
        gather(tools, planned, question, clock), _pinned(tools, request.agent, planned)
    )
    scored = _scored(tools, planned, asked, heard, known, now)
    hides = _hides(tools, planned, question)
    kept, hidden = _filtered(planned, scored, hides)
    chosen = _diversified(kept, planned)
    every = _expanded(tools.settings.expand_share, planned, chosen, set(known))
    clock("scoring")
    rows = await _with(tools, planned, every, heard.rows)
    clock("neighbours")
    hits = [
        explain(each, rows[each.id], heard.voices, asked.terms, heard.paths)
        for each in every
        if each.id in rows
    ]
    answer = replace(
        answer,
        question_class=heard.question_class,
        weights={**heard.weights},
        ranking=planned.ranking.name if planned.ranking else planned.fusion,
        entities=tuple(sorted({place.path for place in heard.seeds.values()})),
        missing=heard.missing,
        hidden=hidden,
    )
    hits = _welcome(hits, pinned.memories, hides)[: planned.limit]
    return _packed(answer, pinned, hits, planned, clock)


def _scored(
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
        if "graph" in planned.signals and "graph" not in heard.missing:
            judged = _bridged(tools, judged, known)
    else:
        judged = scoring.by_fusion(
            planned.fusion, asked, known, heard.voices, heard.weights, settings.k, at
        )
    scored = scoring.adjusted(
        judged, known, at, half_life_days=settings.half_life, strength=settings.recency
    )
    reach = settings.update_reach if planned.fusion == "evidence" else 0.0
    return newer_first(asked.text, scored, reach)


def _bridged(
    tools: Tools, judged: Mapping[str, Judged], known: Mapping[str, Candidate]
) -> Mapping[str, Judged]:
    """Follow what the best hits name to what is about it; between turns there is no such way."""
    relevance = {name: each.relevance for name, each in judged.items()}
    best = {name: relevance[name] for name in ranking(relevance)[: tools.settings.best]}
    named = {
        name: [each for each in known[name].names if each.key not in known[name].about]
        for name in best
    }
    return scoring.bridged(tools.model, judged, known, bridges(best, named, tools.settings.hub))


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


def _diversified(scored: Sequence[Scored], planned: Plan) -> list[Scored]:
    """Choose the best that do not repeat each other; pinned ones are in the answer already."""
    free = [each for each in scored if not each.candidate.pinned]
    if planned.diversity >= 1:
        return free[: planned.limit]
    pool = {each.candidate.id: each for each in free[: _POOL * planned.limit]}
    # Likeness is a share of words, so relevance has to be a share too: of the best.
    best = max((each.score for each in pool.values()), default=1.0)
    items = [Item(name, each.candidate.text, each.score / best) for name, each in pool.items()]
    return [pool[item.id] for item in mmr(items, planned.limit, planned.diversity)]


@dataclass(frozen=True, slots=True)
class _Pinned:
    """What is in every answer."""

    memories: tuple[Memory, ...]
    files: tuple[PinnedFile, ...]


async def _pinned(tools: Tools, agent: str, planned: Plan) -> _Pinned:
    (row,) = await tools.graph.read(PINNED, agent=agent, agents=list(planned.within.agents))
    memories = (Memory.from_row({"memory": each}) for each in row["memories"])
    return _Pinned(tuple(memories), await tools.pinned_files(row["files"]))


def _expanded(
    share: float, planned: Plan, chosen: Sequence[Scored], known: AbstractSet[str]
) -> list[Scored | Beside]:
    """Let neighbours of the best come along: linked, alike, said before or after.

    What its author has linked is ranked among the hits. What is merely alike or beside stands as it
    was judged; of those that were not, some follow the hits, where there is room.
    """
    scores = {each.id: each.score for each in chosen}
    best = (each for each in chosen[: planned.expand] if each.score * share >= planned.beside_floor)
    edges = [(each.id, edge, other) for each in best for edge, other in _edges(each.candidate)]

    def along(edges: list[tuple[str, str]]) -> list[Scored | Beside]:
        more = expand(scores, edges, share, planned.beside_floor)
        scores.update({name: score for name, (score, _) in more.items()})
        return [Beside(name, score, parent) for name, (score, parent) in more.items()]

    linked = along([(found, beside) for found, edge, beside in edges if edge == "LINKS"])
    ranked = sorted([*chosen, *linked], key=lambda each: (-each.score, each.id))
    if len(ranked) >= planned.limit:
        return ranked
    others = [each for each in edges if each[1] != "LINKS" and each[2] not in known]
    return [*ranked, *along([(found, beside) for found, _, beside in others])]


def _edges(found: Candidate) -> list[tuple[str, str]]:
    """Return what is beside a memory, and how it is joined to it."""
    turns = {("NEXT", turn) for turn in (found.before, found.after) if turn}
    return sorted({*found.joined, *turns})[:_BESIDE]


async def _with(
    tools: Tools, planned: Plan, every: Sequence[Scored | Beside], rows: Mapping[str, Row]
) -> Mapping[str, Row]:
    """Return all of an answer in full: neighbours that nobody has found are fetched now."""
    lacking = [each.id for each in every if each.id not in rows]
    search = Search(tools.graph, planned.within, planned.width)
    return {**rows, **{row["id"]: row for row in await candidates(search, lacking)}}


def _welcome(
    hits: Sequence[Hit], pinned: Sequence[Memory], hides: Callable[[Memory], bool]
) -> list[Hit]:
    """Leave out neighbours that would not have been found themselves: pinned, or finished."""
    held = {memory.id for memory in pinned}
    return [hit for hit in hits if not hit.beside or not (hit.id in held or hides(hit.memory))]


def _packed(
    answer: Answer, pinned: _Pinned, hits: Sequence[Hit], planned: Plan, clock: Clock
) -> Answer:
    """Fit the answer into the budget."""
    packed = pack([*pinned.files, *pinned.memories], hits, planned.budget)
    clock("pack")
    return replace(
        answer,
        pinned=pinned.memories,
        pinned_files=pinned.files,
        hits=packed.found,
        tokens=packed.tokens,
        left_out=packed.left_out,
        steps=clock.steps,
    )
