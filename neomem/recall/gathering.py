"""Ask the signals, each in its time, and fetch all that scoring looks at."""

import asyncio
import itertools
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
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
from neomem.recall.likeness import Compared
from neomem.recall.request import Plan
from neomem.recall.second_pass import SecondPass
from neomem.recall.signals import Search, Silent, Wanted
from neomem.recall.walk import Limits, Reached, Walker
from neomem.recall.within import Within
from neomem.sections import RecallSettings
from neomem.store.graph import Graph
from neomem.tasks import TaskReader

log = logging.getLogger(__name__)

_LENDERS = 20
"""Best hits of the first pass whose neighbouring turns are looked at too, and of which it is told
what they name: the best of the second pass are nearly always among them."""
_NEAREST = 10
"""Memories nearest to the question, to whose middle every candidate is compared."""
_READ_ON = 300
"""Characters of a text that are read together with the question in a second look."""
_SEEN = 30
"""Memories that a second look brings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a recall works with."""

    graph: Graph
    embedder: Embedder
    finder: Callable[[str], Awaitable[EntityFinder]]
    """The finder of names that knows an agent's."""
    strip: Callable[[str], str]
    """Takes hooks' wrappers off a question."""
    pinned_files: Callable[[Sequence[str]], Awaitable[tuple[PinnedFile, ...]]]
    """Reads the files that are pinned in the settings, and those at these paths."""
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
    strangers: tuple[str, ...]
    """The names in the question, where the graph was asked and knows none of them."""

    @property
    def nearest(self) -> list[str]:
        """The memories nearest to the question."""
        alone = (each.hits for each in self.voices if each.name == "alone")
        return [hit.id for hit in next(alone, ())[:_NEAREST]]


async def gather(
    tools: Tools, planned: Plan, question: str, clock: Clock
) -> tuple[Asked, Heard, dict[str, Candidate]]:
    """Ask the signals, and fetch all that scoring looks at."""
    search = Search(tools.graph, planned.within, planned.width, tools.embedder.floor)
    heard = await _listen(tools, search, planned, question)
    clock("signals")
    fused = confidence_rrf(heard.voices, heard.weights, tools.settings.k)
    first = {name: fused[name] for name in ranking(fused)}
    if not planned.ranking:
        most = max(tools.settings.candidates, planned.limit)
        first = dict(itertools.islice(first.items(), most))
    order = list(first)
    wanted = Wanted(ids=order, lenders=() if planned.ranking else order[:_LENDERS])
    compared = Compared(heard.vector, heard.nearest)
    known, compared = await signals.candidates(search, wanted, compared)
    clock("evidence")
    if _asks_for_more(tools, planned, question, heard, known):
        seen, more = await _look_again(tools, search, heard, compared, known, first, question)
        heard, known = replace(heard, voices=[*heard.voices, *seen]), more | known
        clock("second look")
    voices = [*heard.voices, *_in_context(known, search.floor)]
    asked = Asked(
        text=question,
        terms=terms.key_terms(question),
        entities=frozenset(heard.seeds),
        floor=tools.embedder.floor,
        strangers=heard.strangers,
    )
    return asked, replace(heard, voices=voices), known


async def _listen(tools: Tools, search: Search, planned: Plan, question: str) -> Heard:
    """Embed, classify and find entities, and ask every signal as soon as it can be asked."""
    settings = tools.settings
    walk = walker(tools, search.within)
    vector: list[Vector] = []
    seeds: dict[str, Reached] = {}
    paths: dict[str, str] = {}

    async def by_vector() -> list[Voice]:
        vector.append(await _embedded(tools, question))
        return await signals.by_vector(search, vector[0])

    async def by_graph() -> list[Voice]:
        # Shielded: a graph that is late must not take the names with it.
        names, _ = await asyncio.shield(naming)
        known, edges = await walk.seeds(question, names.get("names", []))
        seeds.update(known)
        reached = await walk.walk(seeds, edges)
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


def _asks_for_more(
    tools: Tools, planned: Plan, question: str, heard: Heard, known: Mapping[str, Candidate]
) -> bool:
    """Tell whether a question may take a second step, from one text to another.

    Only where something is asked of texts that stand under a title: a statement has no next step,
    and what is said in a talk follows from the turns around it.
    """
    wanted = planned.fusion == "evidence" and not planned.ranking and tools.settings.second_look
    return (
        wanted
        and heard.vector is not None
        and any(known[name].title for name in heard.nearest if name in known)
        and terms.is_question(question)
    )


async def _look_again(  # noqa: PLR0913, PLR0917 - all that the first look has found
    tools: Tools,
    search: Search,
    heard: Heard,
    compared: Compared,
    known: Mapping[str, Candidate],
    first: Mapping[str, float],
    question: str,
) -> tuple[list[Voice], dict[str, Candidate]]:
    """Search by the question together with the best of the nearest: the next step of a question."""
    near = [name for name in heard.nearest if name in known]
    best = known[max(near, key=lambda name: first.get(name, 0.0))]

    async def looked() -> tuple[list[Voice], dict[str, Candidate]]:
        vector = await _embedded(tools, f"{question} {best.text[:_READ_ON]}")
        voices = await signals.by_vector(replace(search, width=_SEEN), vector)
        new = [hit.id for each in voices for hit in each.hits if hit.id not in known]
        more, _ = await signals.candidates(search, Wanted(ids=new), compared)
        return [scoring.shared(replace(each, name="second look")) for each in voices], more

    patience = tools.settings.embed_timeout + 2 * tools.settings.signal_timeout
    said, missing = await signals.in_time({"second look": (patience, looked())})
    heard.missing.update(missing)
    return said.get("second look", ([], {}))


def _in_context(known: Mapping[str, Candidate], floor: float) -> list[Voice]:
    """Return how near the candidates are to the question, each in the context of the turn before.

    Searching by that would find hardly any that the others have not found.
    """
    cosines = {
        name: each.context_cosine for name, each in known.items() if each.context_cosine is not None
    }
    return [scoring.shared(each) for each in signals.near("in context", cosines, floor)]
