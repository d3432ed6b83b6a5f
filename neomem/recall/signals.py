"""The vector and the text signal: ask Neo4j, put every score on one scale, say what is missing."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from neomem.errors import NeomemError, QueryFailed
from neomem.ports import Vector
from neomem.recall import terms
from neomem.recall.evidence import Candidate, Signal, Voice, voice
from neomem.recall.within import Within
from neomem.store import queries
from neomem.store.graph import Graph
from neomem.store.queries import Query
from neomem.text import lane

BY_VECTOR = queries.load("recall/by_vector")
BY_CONTEXT_VECTOR = queries.load("recall/by_context_vector")
BY_VECTOR_EXACT = queries.load("recall/by_vector_exact")
BY_WORDS = queries.load("recall/by_words")
CANDIDATES = queries.load("recall/candidates")

T = TypeVar("T")
log = logging.getLogger(__name__)

_WIDEST = 20_000
"""How many full-text hits are looked through for those of a kind or time."""


class Silent(NeomemError):
    """A signal had nothing it could be asked with."""


@dataclass(frozen=True, slots=True)
class Search:
    """Where the signals look."""

    graph: Graph
    within: Within
    width: int
    floor: float = 0.0


async def in_time(
    asked: Mapping[str, tuple[float, Awaitable[T]]],
) -> tuple[dict[str, T], dict[str, str]]:
    """Wait for all at once, each for its seconds; return what came, and why the rest did not."""
    missing: dict[str, str] = {}

    async def one(name: str, seconds: float, waited: Awaitable[T]) -> T | None:
        try:
            async with asyncio.timeout(seconds):
                return await waited
        except TimeoutError:
            missing[name] = f"did not answer in {seconds:g} s"
        except Silent as reason:
            missing[name] = str(reason)
        except NeomemError as error:
            log.warning("left out", extra={"signal": name, "error": type(error).__name__})
            missing[name] = str(error)
        return None

    came = await asyncio.gather(*(one(name, *each) for name, each in asked.items()))
    results = dict(zip(asked, came, strict=True))
    return {name: value for name, value in results.items() if value is not None}, missing


async def by_vector(search: Search, vector: Sequence[float]) -> list[Voice]:
    """Return memories near the question: each alone, and each in its context."""
    if search.within.session:  # the index cannot filter on it, and a session is soon looked through
        return _vector_voice(search, "alone", await _exact(search, vector))
    alone, inside = await asyncio.gather(
        _in_index(search, BY_VECTOR, vector), _in_index(search, BY_CONTEXT_VECTOR, vector)
    )
    if alone is None:  # the index is populating, missing or broken
        alone = await _exact(search, vector)
    return [
        *_vector_voice(search, "alone", alone),
        *_vector_voice(search, "in context", inside or []),
    ]


async def _in_index(
    search: Search, query: Query, vector: Sequence[float]
) -> list[dict[str, Any]] | None:
    try:
        return await search.graph.read(
            query, vector=vector, limit=search.width, **search.within.in_index
        )
    except QueryFailed as error:
        log.warning("search failed", extra={"query": query.name, "error": str(error)})
        return None


async def _exact(search: Search, vector: Sequence[float]) -> list[dict[str, Any]]:
    return await search.graph.read(
        BY_VECTOR_EXACT, vector=vector, limit=search.width, **search.within.parameters
    )


def _vector_voice(search: Search, name: str, rows: Sequence[Mapping[str, Any]]) -> list[Voice]:
    cosines = {row["id"]: 2 * row["score"] - 1 for row in rows}
    scores = {key: similarity(cosine, search.floor) for key, cosine in cosines.items()}
    return [voice("vector", name, scores, raw=cosines)] if scores else []


def similarity(cosine: float, floor: float) -> float:
    """Return a cosine on the one scale: 0 for unrelated texts, 1 for the same."""
    return min(max((cosine - floor) / (1 - floor), 0.0), 1.0)


async def by_text(search: Search, question: str, *, all_terms: bool = False) -> list[Voice]:
    """Return memories that have the question's words: their own, in context, exactly as written."""
    lanes = [lane(agent) for agent in search.within.agents]
    words = terms.key_terms(question)
    exact = terms.spellings(terms.exact_tokens(question))
    asked = {
        "words": ("memory_words", terms.words_query(lanes, words, _OWN, all_terms=all_terms)),
        "context": ("memory_words", terms.words_query(lanes, words, _CONTEXT, all_terms=all_terms)),
        "as written": ("memory_tokens", terms.words_query(lanes, exact, _EXACT)),
    }
    asked = {name: each for name, each in asked.items() if each[1]}
    if not asked:
        raise Silent("the question has no words to look for")
    rows = await asyncio.gather(*(_words(search, *each) for each in asked.values()))
    return [_text_voice(name, found) for name, found in zip(asked, rows, strict=True) if found]


_OWN, _CONTEXT, _EXACT = ("text", "title"), "context", "text"


async def _words(search: Search, index: str, query: str) -> list[dict[str, Any]]:
    """Search wider and wider until enough are of the kinds and times asked for, or all are seen."""
    width = search.width
    while True:
        (row,) = await search.graph.read(
            BY_WORDS,
            index=index,
            query=query,
            width=width,
            limit=search.width,
            **search.within.parameters,
        )
        found: list[dict[str, Any]] = row["found"]
        if len(found) >= search.width or row["seen"] < width or width >= _WIDEST:
            return found
        width = min(width * 10, _WIDEST)


def _text_voice(name: str, rows: Sequence[Mapping[str, Any]]) -> Voice:
    raw = {row["id"]: float(row["score"]) for row in rows}
    best = max(raw.values())
    return voice("bm25", name, {key: score / best for key, score in raw.items()}, raw=raw)


async def candidates(
    search: Search, ids: Sequence[str], lenders: Sequence[str], vector: Vector | None
) -> dict[str, Candidate]:
    """Return all that scoring looks at, for those found and the turns beside the best of them."""
    rows = await search.graph.read(
        CANDIDATES,
        ids=list(ids),
        lenders=list(lenders),
        vector=None if vector is None else vector.tolist(),
        **search.within.parameters,
    )
    return {
        row["id"]: Candidate(
            **{name: value for name, value in row.items() if value is not None and name != "about"},
            about=tuple(row["about"]),
        )
        for row in rows
    }


def only(voices: Sequence[Voice], wanted: Sequence[Signal]) -> list[Voice]:
    """Return the voices of some signals."""
    return [each for each in voices if each.signal in wanted]
