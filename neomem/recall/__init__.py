"""One recall, start to end: read the question, ask three signals, fuse, adjust, pack, explain."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from neomem.errors import NeomemError
from neomem.model import Answer, Hit, Memory, PinnedFile
from neomem.ports import Embedder, EntityFinder, Vector
from neomem.recall import scoring, signals, terms
from neomem.recall.classify import WEIGHTS, Class, classify
from neomem.recall.diversity import Item, mmr
from neomem.recall.evidence import Candidate, Signal, Voice, voice
from neomem.recall.expansion import expand
from neomem.recall.explain import Beside, explain
from neomem.recall.features import Asked
from neomem.recall.fusion import confidence_rrf, ranking
from neomem.recall.packing import pack
from neomem.recall.question import clean_question
from neomem.recall.request import Plan, Request, plan
from neomem.recall.scoring import Scored
from neomem.recall.second_pass import SecondPass
from neomem.recall.signals import Search, Silent
from neomem.recall.walk import Limits, Reached, Walker
from neomem.sections import RecallSettings
from neomem.store import queries
from neomem.store.graph import Graph
from neomem.task_matching import finished_match, names_task
from neomem.tasks import TaskReader

PINNED = queries.load("recall/pinned")
MEMORIES = queries.load("recall/memories")
BESIDE = queries.load("recall/beside")

log = logging.getLogger(__name__)

_LENDERS = 40
"""Best hits of the first pass whose neighbouring turns are looked at too."""
_BESIDE = 6
"""Neighbours a hit may bring along."""
_POOL = 3
"""Times the limit that diversity chooses from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a recall works with."""

    graph: Graph
    embedder: Embedder
    finder: Callable[[str], Awaitable[EntityFinder]]
    """The finder of names that knows an agent's."""
    strip: Callable[[str], str]
    """Takes hooks' wrappers off a question."""
    pinned_files: Callable[[str], Awaitable[tuple[PinnedFile, ...]]]
    unfit: Callable[[], Awaitable[str | None]]
    """Why the store's vectors cannot be compared with the embedder's, if so."""
    model: SecondPass
    settings: RecallSettings
    tasks: TaskReader | None = None
    tasks_file: Path | None = None


@dataclass(slots=True)
class Clock:
    """Milliseconds of each step, in order."""

    steps: dict[str, float] = field(default_factory=dict[str, float])
    last: float = field(default_factory=time.perf_counter)

    def __call__(self, step: str) -> None:
        """Note that a step has ended."""
        now = time.perf_counter()
        self.steps[step] = round((now - self.last) * 1000, 3)
        self.last = now


@dataclass(frozen=True, slots=True)
class Heard:
    """What the signals said, and what they learnt on the way."""

    voices: list[Voice]
    missing: dict[str, str]
    question_class: Class
    weights: Mapping[Signal, float]
    vector: Vector | None
    seeds: dict[str, Reached]
    paths: dict[str, str]


async def recall(tools: Tools, request: Request, now: datetime) -> Answer:
    """Answer a question from an agent's memory; what fails on the way is left out and named."""
    planned = plan(request, tools.settings, now)
    clock = Clock()
    pinned, files = await _pinned(tools, request.agent, planned)
    question = clean_question(request.question, tools.strip, tools.settings.max_characters)
    answer = Answer(question=question, agent=request.agent, pinned=pinned, pinned_files=files)
    clock("pinned")
    if not question or not planned.limit:
        return _packed(answer, [], planned, clock)

    asked, heard, known = await gather(tools, planned, question, clock)
    scored = _scored(tools, planned, asked, heard, known, now)
    clock("scoring")
    hides = _hides(tools, planned, question)
    kept, hidden = _filtered(planned, scored, hides)
    chosen = _diversified(kept, planned, pinned)
    chosen = await _expanded(tools, planned, chosen, set(known), heard.missing)
    clock("filter and expand")
    hits = await _hits(tools, planned, asked, chosen, heard)
    hits = _welcome(hits, pinned, hides)[: planned.limit]
    clock("fetch")
    answer = replace(
        answer,
        question_class=heard.question_class,
        weights=dict(heard.weights),
        ranking=planned.ranking.name if planned.ranking else planned.fusion,
        entities=tuple(sorted({place.path for place in heard.seeds.values()})),
        missing=heard.missing,
        hidden=hidden,
    )
    return _packed(answer, hits, planned, clock)


async def gather(
    tools: Tools, planned: Plan, question: str, clock: Clock
) -> tuple[Asked, Heard, dict[str, Candidate]]:
    """Ask the signals, and fetch all that scoring looks at."""
    search = Search(tools.graph, planned.within, planned.width, tools.embedder.floor)
    heard = await _listen(tools, search, planned, question)
    clock("signals")
    heard = await _follow(tools, search, planned, heard)
    clock("second spread")
    known = await _known(tools, search, planned, heard)
    clock("evidence")
    asked = Asked(
        text=question,
        terms=terms.key_terms(question),
        entities=frozenset(heard.seeds),
        floor=tools.embedder.floor,
    )
    return asked, heard, known


async def _pinned(
    tools: Tools, agent: str, planned: Plan
) -> tuple[tuple[Memory, ...], tuple[PinnedFile, ...]]:
    rows, files = await asyncio.gather(
        tools.graph.read(PINNED, agents=list(planned.within.agents)), tools.pinned_files(agent)
    )
    return tuple(Memory.from_row(row) for row in rows), files


async def _listen(tools: Tools, search: Search, planned: Plan, question: str) -> Heard:
    """Embed, classify and find entities, and ask every signal as soon as it can be asked."""
    settings = tools.settings
    walker = _walker(tools, search)
    vector: list[Vector] = []
    seeds: dict[str, Reached] = {}
    paths: dict[str, str] = {}

    async def by_vector() -> list[Voice]:
        vector.append(await _embedded(tools, question))
        return await signals.by_vector(search, vector[0].tolist())

    async def by_graph() -> list[Voice]:
        seeds.update(await walker.seeds(question, names))
        reached = await walker.walk(seeds)
        paths.update({name: place.path for name, place in reached.items()})
        return _spread("entities", reached, planned.width)

    every = planned.ranking.all_terms if planned.ranking else False
    seconds = settings.signal_timeout
    patience = seconds + settings.embed_timeout
    known, nameless = await signals.in_time({"names": (patience, _names(tools, search, question))})
    names = known.get("names", [])
    asked: dict[Signal, tuple[float, Callable[[], Awaitable[list[Voice]]]]] = {
        "vector": (patience, by_vector),
        "bm25": (seconds, lambda: signals.by_text(search, question, all_terms=every)),
        "graph": (seconds, by_graph),
    }
    said_by = [name for name in asked if name in planned.signals]
    said, missing = await signals.in_time(
        {name: (limit, ask()) for name, (limit, ask) in asked.items() if name in said_by}
    )
    found = classify(question, [*names, *(place.path for place in seeds.values())])
    return Heard(
        voices=[scoring.shared(each) for voices in said.values() for each in voices],
        missing=nameless | missing,
        question_class=found,
        weights={name: weight for name, weight in WEIGHTS[found].items() if name in said_by},
        vector=vector[0] if vector else None,
        seeds=seeds,
        paths=paths,
    )


async def _embedded(tools: Tools, question: str) -> Vector:
    unfit = await tools.unfit()
    if unfit:
        raise Silent(f"{unfit}; `neomem reembed` makes them fit")
    try:
        async with asyncio.timeout(tools.settings.embed_timeout):
            return (await tools.embedder.embed_question(question)).vector
    except TimeoutError:
        raise Silent(f"no vector in {tools.settings.embed_timeout:g} s") from None
    except NeomemError:
        raise
    except Exception as error:  # an embedder may be anybody's
        log.warning("embedder failed", exc_info=True)
        raise Silent(f"the embedder failed: {type(error).__name__}") from error


async def _names(tools: Tools, search: Search, question: str) -> list[str]:
    finder = await tools.finder(search.within.agents[0])
    return [found.name for found in finder.find(question)]


def _walker(tools: Tools, search: Search) -> Walker:
    settings = tools.settings
    limits = Limits(depth=settings.depth, firing=settings.firing, hub=settings.hub)
    return Walker(tools.graph, search.within, limits)


def _spread(name: str, reached: Mapping[str, Reached], width: int) -> list[Voice]:
    scores = {key: place.weight for key, place in reached.items()}
    best = {key: scores[key] for key in ranking(scores)[:width]}
    return [voice("graph", name, best)] if best else []


async def _follow(tools: Tools, search: Search, planned: Plan, heard: Heard) -> Heard:
    """Walk once more, from the entities of the best hits so far."""
    asked = "graph" in planned.signals and "graph" not in heard.missing
    if planned.ranking or not asked or not tools.settings.best:
        return heard
    fused = confidence_rrf(heard.voices, heard.weights, tools.settings.k)
    best = [name for name in ranking(fused)[: tools.settings.best] if fused[name] > 0]
    if not best:
        return heard
    top = fused[best[0]]
    start = {name: Reached(1.0, fused[name] / top, "found", subject=True) for name in best}
    walker = _walker(tools, search)

    async def onward() -> list[Voice]:
        entities = await walker.entities_of(start)
        fresh = {key: place for key, place in entities.items() if key not in heard.seeds}
        reached = await walker.memories_of(fresh, about_only=True)
        for name, place in reached.items():
            heard.paths.setdefault(name, place.path)
        return _spread("hits", reached, planned.width)

    limit = tools.settings.signal_timeout
    said, missing = await signals.in_time({"graph": (limit, onward())})
    more = [scoring.shared(each) for voices in said.values() for each in voices]
    return replace(heard, voices=[*heard.voices, *more], missing={**missing, **heard.missing})


async def _known(tools: Tools, search: Search, planned: Plan, heard: Heard) -> dict[str, Candidate]:
    """Fetch what scoring needs of all candidates; the best lend to the turns beside them."""
    fused = confidence_rrf(heard.voices, heard.weights, tools.settings.k)
    lenders = [] if planned.ranking else ranking(fused)[:_LENDERS]
    return await signals.candidates(search, sorted(fused), lenders, heard.vector)


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
    else:
        judged = scoring.by_fusion(
            planned.fusion, asked, known, heard.voices, heard.weights, settings.k, at
        )
    return scoring.adjusted(
        judged, known, at, half_life_days=settings.half_life, strength=settings.recency
    )


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
) -> list[Scored | Beside]:
    """Let neighbours of the best come along: linked, alike, said before or after.

    Turns beside the best have been scored with what these say for them; that stands.
    """
    settings = tools.settings
    best = {each.candidate.id: each.score for each in chosen[: planned.expand]}
    floor = max(settings.expand_floor, planned.min_score)
    if not best or max(best.values()) * settings.expand_share < floor:
        return list(chosen)

    async def beside() -> list[tuple[str, str]]:
        rows = await tools.graph.read(
            BESIDE, ids=list(best), limit=_BESIDE, **planned.within.parameters
        )
        judged = [row["edge"] == "NEXT" and row["beside"] in known for row in rows]
        return [
            (row["id"], row["beside"]) for row, done in zip(rows, judged, strict=True) if not done
        ]

    edges, failed = await signals.in_time({"neighbours": (settings.signal_timeout, beside())})
    missing.update(failed)
    scores = {each.candidate.id: each.score for each in chosen}
    more = expand(scores, edges.get("neighbours", []), settings.expand_share, floor)
    if not more:
        return list(chosen)
    joined = [*chosen, *(Beside(name, score, parent) for name, (score, parent) in more.items())]
    return sorted(joined, key=lambda each: (-each.score, each.id))


async def _hits(
    tools: Tools, planned: Plan, asked: Asked, chosen: Sequence[Scored | Beside], heard: Heard
) -> list[Hit]:
    """Fetch what is in the answer, with the reasons why."""
    rows = await tools.graph.read(
        MEMORIES, agents=list(planned.within.agents), ids=[each.id for each in chosen]
    )
    found = {row["memory"]["id"]: row for row in rows}
    return [
        explain(each, found[each.id], heard.voices, asked.terms, heard.paths)
        for each in chosen
        if each.id in found
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
