"""One recall, start to end: read the question, ask three signals, fuse, adjust, pack, explain."""

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
from neomem.recall.updates import newer_first
from neomem.recall.walk import bridges
from neomem.store import queries
from neomem.store.graph import Row
from neomem.task_matching import finished_match, names_task

__all__ = ["Clock", "Tools", "gather", "recall"]

ANSWER = queries.load("recall/answer")

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
        whole = await _whole(tools, request.agent, planned, [])
        answer = Answer(
            question=question,
            agent=request.agent,
            pinned=whole.pinned,
            pinned_files=whole.files,
        )
        return _packed(answer, [], planned, clock)

    tools = replace(tools, model=tools.model.asked(question))
    asked, heard, known = await gather(tools, planned, question, clock)
    scored = _scored(tools, planned, asked, heard, known, now)
    clock("scoring")
    hides = _hides(tools, planned, question)
    kept, hidden = _filtered(planned, scored, hides)
    chosen = _diversified(kept, planned)
    whole = await _whole(tools, request.agent, planned, chosen)
    clock("fetch")
    every = _expanded(tools.settings.expand_share, planned, chosen, whole.edges, set(known))
    hits = _hits(asked, every, whole.rows, heard)
    hits = _welcome(hits, whole.pinned, hides)[: planned.limit]
    answer = Answer(
        question=question,
        agent=request.agent,
        pinned=whole.pinned,
        pinned_files=whole.files,
        question_class=heard.question_class,
        weights={**heard.weights},
        ranking=planned.ranking.name if planned.ranking else planned.fusion,
        entities=tuple(sorted({place.path for place in heard.seeds.values()})),
        missing=heard.missing,
        hidden=hidden,
    )
    return _packed(answer, hits, planned, clock)


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
class _Whole:
    """All that an answer may have, in full."""

    pinned: tuple[Memory, ...]
    files: tuple[PinnedFile, ...]
    rows: Mapping[str, Row]
    edges: Sequence[tuple[str, str, str]]
    """From a hit, over what, to a neighbour."""


async def _whole(tools: Tools, agent: str, planned: Plan, chosen: Sequence[Scored]) -> _Whole:
    """Fetch in full what was found, the neighbours of the best, and what is pinned."""
    share, floor = tools.settings.expand_share, planned.beside_floor
    (row,) = await tools.graph.read(
        ANSWER,
        agent=agent,
        ids=[each.id for each in chosen],
        near=[each.id for each in chosen[: planned.expand] if each.score * share >= floor],
        limit=_BESIDE,
        **planned.within.parameters,
    )
    rows: list[Row] = row["rows"]
    pinned = [Memory.from_row(row) for row in rows if row["edge"] == "PINNED"]
    return _Whole(
        tuple(sorted(pinned, key=lambda memory: (memory.created_at, memory.id))),
        await tools.pinned_files(row["files"]),
        {row["memory"]["id"]: row for row in rows},
        [(row["id"], row["edge"], row["memory"]["id"]) for row in rows if row["id"]],
    )


def _expanded(
    share: float,
    planned: Plan,
    chosen: Sequence[Scored],
    edges: Sequence[tuple[str, str, str]],
    known: AbstractSet[str],
) -> list[Scored | Beside]:
    """Let neighbours of the best come along: linked, alike, said before or after.

    What its author has linked is ranked among the hits. What is merely alike or beside stands as it
    was judged; of those that were not, some follow the hits, where there is room.
    """
    scores = {each.candidate.id: each.score for each in chosen}

    def along(edges: list[tuple[str, str]]) -> list[Scored | Beside]:
        more = expand(scores, edges, share, planned.beside_floor)
        scores.update({name: score for name, (score, _) in more.items()})
        return [Beside(name, score, parent) for name, (score, parent) in more.items()]

    linked = along([(found, beside) for found, edge, beside in edges if edge == "LINKS"])
    others = [each for each in edges if each[1] != "LINKS" and each[2] not in known]
    alike = along([(found, beside) for found, _, beside in others])
    return [*sorted([*chosen, *linked], key=lambda each: (-each.score, each.id)), *alike]


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
