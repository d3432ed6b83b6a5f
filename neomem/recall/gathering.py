"""Ask the signals, each in its time, and fetch all that scoring looks at."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from neomem.errors import NeomemError
from neomem.model import PinnedFile
from neomem.ports import Embedder, EntityFinder, Vector
from neomem.recall import scoring, signals, terms
from neomem.recall.classify import WEIGHTS, Class, classify
from neomem.recall.evidence import Candidate, Signal, Voice, voice
from neomem.recall.features import Asked
from neomem.recall.fusion import confidence_rrf, ranking
from neomem.recall.request import Plan
from neomem.recall.second_pass import SecondPass
from neomem.recall.signals import Search, Silent
from neomem.recall.walk import Limits, Reached, Walker, arrive
from neomem.recall.within import Within
from neomem.sections import RecallSettings
from neomem.store.graph import Graph
from neomem.tasks import TaskReader

log = logging.getLogger(__name__)

_READ_ON = 300
"""Characters of a text that are read together with the question."""
_LENDERS = 40
"""Best hits of the first pass whose neighbouring turns are looked at too."""


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
    feedback: Vector | None
    """The middle of the memories nearest to the question."""
    seeds: dict[str, Reached]
    paths: dict[str, str]
    strangers: tuple[str, ...]
    """The names in the question, where the graph was asked and knows none of them."""


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
    heard = replace(heard, voices=[*heard.voices, *_in_context(known, search.floor)])
    clock("evidence")
    asked = Asked(
        text=question,
        terms=terms.key_terms(question),
        entities=frozenset(heard.seeds),
        floor=tools.embedder.floor,
        strangers=heard.strangers,
    )
    return asked, heard, known


async def _listen(tools: Tools, search: Search, planned: Plan, question: str) -> Heard:
    """Embed, classify and find entities, and ask every signal as soon as it can be asked."""
    settings = tools.settings
    walk = walker(tools, search.within)
    vector: list[Vector] = []
    feedback: list[Vector | None] = []
    seeds: dict[str, Reached] = {}
    paths: dict[str, str] = {}

    async def by_vector() -> list[Voice]:
        vector.append(await _embedded(tools, question))
        voices, middle = await signals.by_vector(search, vector[0])
        feedback.append(middle)
        return voices

    async def by_graph() -> list[Voice]:
        # Shielded: a graph that is late must not take the names with it.
        names, _ = await asyncio.shield(naming)
        seeds.update(await walk.seeds(question, names.get("names", [])))
        reached = await walk.walk(seeds)
        paths.update({name: place.path for name, place in reached.items()})
        return _spread("entities", reached, planned.width)

    every = planned.ranking.all_terms if planned.ranking else False
    seconds = settings.signal_timeout
    patience = seconds + settings.embed_timeout
    naming = asyncio.ensure_future(
        signals.in_time({"names": (patience, _names(tools, search, question))})
    )
    asked: dict[Signal, tuple[float, Callable[[], Awaitable[list[Voice]]]]] = {
        "vector": (patience, by_vector),
        "bm25": (seconds, lambda: signals.by_text(search, question, all_terms=every)),
        "graph": (patience + seconds, by_graph),
    }
    said_by = [name for name in asked if name in planned.signals]
    said, missing = await signals.in_time(
        {name: (limit, ask()) for name, (limit, ask) in asked.items() if name in said_by}
    )
    names, nameless = await naming
    found = classify(question, [*names.get("names", []), *(place.path for place in seeds.values())])
    return Heard(
        voices=[scoring.shared(each) for voices in said.values() for each in voices],
        missing=nameless | missing,
        question_class=found,
        weights={name: weight for name, weight in WEIGHTS[found].items() if name in said_by},
        vector=vector[0] if vector else None,
        feedback=feedback[0] if feedback else None,
        seeds=seeds,
        paths=paths,
        strangers=() if seeds or "graph" not in said else tuple(names.get("names", ())),
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


def walker(tools: Tools, within: Within) -> Walker:
    """Return one who walks the graph as the settings allow."""
    settings = tools.settings
    limits = Limits(depth=settings.depth, firing=settings.firing, hub=settings.hub)
    return Walker(tools.graph, within, limits)


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
    walk = walker(tools, search.within)

    async def onward() -> list[Voice]:
        step = await walk.onward(start, heard.seeds)
        reached = arrive(step.entities, step.rows)
        for name, place in reached.items():
            heard.paths.setdefault(name, place.path)
        return _spread("hits", reached, planned.width)

    limit = tools.settings.signal_timeout
    said, missing = await signals.in_time({"graph": (limit, onward())})
    more = [scoring.shared(each) for voices in said.values() for each in voices]
    return replace(heard, voices=[*heard.voices, *more], missing={**missing, **heard.missing})


async def _known(tools: Tools, search: Search, planned: Plan, heard: Heard) -> dict[str, Candidate]:
    """Fetch what scoring needs of all candidates; the best lend to the turns beside them."""
    order = ranking(confidence_rrf(heard.voices, heard.weights, tools.settings.k))
    lenders = [] if planned.ranking else order[:_LENDERS]
    kept = order if planned.ranking else order[: max(tools.settings.candidates, planned.limit)]
    return await signals.candidates(search, kept, lenders, heard.vector, heard.feedback)


async def look_again(
    tools: Tools, planned: Plan, asked: Asked, heard: Heard, known: dict[str, Candidate]
) -> tuple[Heard, dict[str, Candidate]]:
    """Search by the question together with each of the best texts: the next step of a question.

    Only where texts have a subject; what is said in a talk follows from the turns around it.
    """
    settings = tools.settings
    blind = heard.vector is None or "vector" in heard.missing
    if blind or not settings.second_looks or not any(map(_has_subject, known.values())):
        return heard, known
    first = scoring.fused(heard.voices, heard.weights, known, settings.k)
    judged = scoring.by_evidence(tools.model, asked, known, heard.voices, first)
    order = ranking({name: each.relevance for name, each in judged.items()})
    best = [known[name] for name in order[: settings.second_looks] if known[name].about]
    if not best:
        return heard, known
    search = Search(tools.graph, planned.within, planned.width, tools.embedder.floor)

    async def from_one(text: Candidate) -> dict[str, float]:
        vector = await _embedded(tools, f"{asked.text} {text.text[:_READ_ON]}")
        voices, _ = await signals.by_vector(search, vector)
        return {hit.id: hit.score for each in voices for hit in each.hits}

    limit = settings.signal_timeout + settings.embed_timeout
    said, missing = await signals.in_time({each.id: (limit, from_one(each)) for each in best})
    if missing:
        heard.missing["second look"] = next(iter(missing.values()))
    found: dict[str, float] = {}
    for scores in said.values():
        found |= {name: max(score, found.get(name, 0.0)) for name, score in scores.items()}
    if not found:
        return heard, known
    kept = {name: found[name] for name in ranking(found)[: planned.width]}
    new = [name for name in kept if name not in known]
    more = await signals.candidates(search, new, [], heard.vector, heard.feedback) if new else {}
    voices = [*heard.voices, scoring.shared(voice("vector", "second look", kept))]
    return replace(heard, voices=voices), known | more


def _has_subject(candidate: Candidate) -> bool:
    return candidate.kind not in {"turn", "summary"} and bool(candidate.about)


def _in_context(known: Mapping[str, Candidate], floor: float) -> list[Voice]:
    """Return how near the candidates are to the question, each in the context of the turn before.

    Searching by that would find hardly any that the others have not found.
    """
    cosines = {
        name: each.context_cosine for name, each in known.items() if each.context_cosine is not None
    }
    return [scoring.shared(each) for each in signals.near("in context", cosines, floor)]
