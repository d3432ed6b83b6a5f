"""Ask the signals, each in its time, and fetch all that scoring looks at."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from neomem.errors import NeomemError
from neomem.model import PinnedFile
from neomem.ports import Embedder, EntityFinder, Vector
from neomem.recall import scoring, signals, terms
from neomem.recall.classify import WEIGHTS, Class, classify
from neomem.recall.evidence import Candidate, Signal, Voice, voice
from neomem.recall.features import Asked
from neomem.recall.fusion import confidence_rrf, ranking
from neomem.recall.likeness import compared
from neomem.recall.request import Plan
from neomem.recall.second_pass import SecondPass
from neomem.recall.signals import Near, Search, Silent
from neomem.recall.walk import Limits, Reached, Walker
from neomem.recall.within import Within
from neomem.sections import RecallSettings
from neomem.store.graph import Graph, Row
from neomem.tasks import TaskReader

log = logging.getLogger(__name__)

_LENDERS = 5
"""Best hits, by vector and by all else, whose neighbouring turns are looked at too, and of which it
is told what they name: the best of the second pass are nearly always among them."""
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
    rows: Mapping[str, Row] = field(default_factory=dict[str, Row])
    """The candidates in full."""

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
    heard, rows = await _listen(tools, search, planned, question)
    clock("signals")
    if _asks_for_more(tools, planned, question, heard, rows):
        heard, more = await _look_again(tools, search, heard, rows, question)
        rows += more
        clock("second look")
    known = compared(rows, heard.vector, heard.nearest)
    voices = [*heard.voices, *_in_context(known, search.floor)]
    asked = Asked(
        text=question,
        terms=terms.key_terms(question),
        entities=frozenset(heard.seeds),
        floor=tools.embedder.floor,
        strangers=heard.strangers,
    )
    return asked, replace(heard, voices=voices, rows={row["id"]: row for row in rows}), known


async def _listen(
    tools: Tools, search: Search, planned: Plan, question: str
) -> tuple[Heard, list[Row]]:
    """Search by vector, and by words and entities meanwhile; each brings the evidence it finds."""
    asks = "vector" in planned.signals
    # Begun before all else: it takes longest.
    embedding = asyncio.ensure_future(_embedded(tools, question)) if asks else None
    # Another system looks at all it finds, and at nothing beside.
    lenders = 0 if planned.ranking else _LENDERS

    async def by_vector(embedding: asyncio.Future[Vector]) -> tuple[Vector, Near]:
        vector = await embedding
        near = signals.nearest(search, vector, lenders=lenders)
        return vector, await signals.timed(tools.settings.signal_timeout, near)

    async def by_the_rest() -> tuple[Heard, list[Row]]:
        heard = await _read(tools, search, planned, question)
        best = ranking(confidence_rrf(heard.voices, heard.weights, tools.settings.k))
        if not planned.ranking:
            best = best[: max(tools.settings.candidates, planned.limit)]
        return heard, await signals.candidates(search, best, best[:lenders])

    vectors = signals.together({"vector": by_vector(embedding)} if embedding else {})
    (said, missing), (heard, rows) = await asyncio.gather(vectors, by_the_rest())
    heard = replace(heard, missing=missing | heard.missing)
    if not said:
        return heard, rows
    vector, near = said["vector"]
    voices = [*map(scoring.shared, near.voices), *heard.voices]
    return replace(heard, voices=voices, vector=vector), _joined(near.rows, rows)


def _joined(*found: Sequence[Row]) -> list[Row]:
    """Return what was found, once each: of what was found twice, the row that tells more."""
    rows: dict[str, Row] = {}
    for row in chain.from_iterable(found):
        if row["id"] not in rows or row["names"] or row["sources"]:
            rows[row["id"]] = row
    return list(rows.values())


async def _read(tools: Tools, search: Search, planned: Plan, question: str) -> Heard:
    """Return what the question's words and the entities it names lead to."""
    walk = walker(tools, search.within)
    seeds: dict[str, Reached] = {}
    paths: dict[str, str] = {}

    async def by_graph() -> list[Voice]:
        # Shielded: a graph that is late must not take the names with it.
        names, _ = await asyncio.shield(naming)
        known, edges = await walk.seeds(question, names.get("names", []))
        seeds.update(known)
        reached = await walk.walk(seeds, edges)
        paths.update({name: place.path for name, place in reached.items()})
        return _spread("entities", reached, planned.width)

    every = planned.ranking.all_terms if planned.ranking else False
    seconds = tools.settings.signal_timeout
    naming = asyncio.ensure_future(
        signals.together({"names": signals.timed(seconds, _names(tools, search, question))})
    )
    asked: dict[Signal, Callable[[], Awaitable[list[Voice]]]] = {
        "bm25": lambda: signals.by_text(search, question, all_terms=every),
        "graph": by_graph,
    }
    limits = {"bm25": seconds, "graph": 2 * seconds}
    said, missing = await signals.together(
        {
            name: signals.timed(limits[name], ask())
            for name, ask in asked.items()
            if name in planned.signals
        }
    )
    names, nameless = await naming
    found = classify(question, [*names.get("names", []), *(place.path for place in seeds.values())])
    return Heard(
        voices=[scoring.shared(each) for voices in said.values() for each in voices],
        missing=nameless | missing,
        question_class=found,
        weights={name: much for name, much in WEIGHTS[found].items() if name in planned.signals},
        vector=None,
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
    tools: Tools, planned: Plan, question: str, heard: Heard, rows: Sequence[Row]
) -> bool:
    """Tell whether a question may take a second step, from one text to another.

    Only where something is asked of texts that stand under a title: a statement has no next step,
    and what is said in a talk follows from the turns around it.
    """
    wanted = planned.fusion == "evidence" and not planned.ranking and tools.settings.second_look
    return (
        wanted
        and heard.vector is not None
        and any(row["title"] for row in rows if row["id"] in heard.nearest)
        and terms.is_question(question)
    )


async def _look_again(
    tools: Tools, search: Search, heard: Heard, rows: Sequence[Row], question: str
) -> tuple[Heard, list[Row]]:
    """Search by the question together with the best of the nearest: the next step of a question."""
    first = confidence_rrf(heard.voices, heard.weights, tools.settings.k)
    near = [row for row in rows if row["id"] in heard.nearest]
    best = max(near, key=lambda row: (first[row["id"]], row["id"]))

    async def looked() -> Near:
        vector = await _embedded(tools, f"{question} {best['text'][:_READ_ON]}")
        known = [row["id"] for row in rows]
        near = signals.nearest(replace(search, width=_SEEN), vector, known=known)
        return await signals.timed(tools.settings.signal_timeout, near)

    said, missing = await signals.together({"second look": looked()})
    if not said:
        return replace(heard, missing=heard.missing | missing), []
    seen = said["second look"]
    voices = [scoring.shared(replace(each, name="second look")) for each in seen.voices]
    return replace(heard, voices=[*heard.voices, *voices]), seen.rows


def _in_context(known: Mapping[str, Candidate], floor: float) -> list[Voice]:
    """Return how near the candidates are to the question, each in the context of the turn before.

    Searching by that would find hardly any that the others have not found.
    """
    cosines = {
        name: each.context_cosine for name, each in known.items() if each.context_cosine is not None
    }
    return [scoring.shared(each) for each in signals.near("in context", cosines, floor)]
