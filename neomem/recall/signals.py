"""The vector and the text signal: ask Neo4j, put every score on one scale, say what is missing.

With what they find comes what scoring looks at: one query more a recall would be felt.
"""

import asyncio
import logging
from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from neomem.errors import GraphUnavailable, NeomemError, QueryFailed
from neomem.ports import Vector, similarity
from neomem.recall import terms
from neomem.recall.evidence import Voice, voice
from neomem.recall.within import Within
from neomem.store import queries
from neomem.store.graph import Graph, Row, packed
from neomem.text import lane

BY_VECTOR = queries.load("recall/by_vector")
BY_VECTOR_EXACT = queries.load("recall/by_vector_exact")
BY_WORDS = queries.load("recall/by_words")
CANDIDATES = queries.load("recall/candidates")
NEAREST = queries.load("recall/nearest")

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


async def timed(seconds: float, waited: Awaitable[T]) -> T:
    """Wait that long and no longer."""
    try:
        async with asyncio.timeout(seconds):
            return await waited
    except TimeoutError:
        raise Silent(f"did not answer in {seconds:g} s") from None


async def together(asked: Mapping[str, Awaitable[T]]) -> tuple[dict[str, T], dict[str, str]]:
    """Wait for all at once; return what came, and why the rest did not."""
    missing: dict[str, str] = {}

    async def one(name: str, waited: Awaitable[T]) -> T | None:
        try:
            return await waited
        except Silent as reason:
            missing[name] = str(reason)
        except GraphUnavailable:  # there is nothing to answer from
            raise
        except NeomemError as error:
            log.warning("left out", extra={"signal": name, "error": type(error).__name__})
            missing[name] = str(error)
        return None

    came = await asyncio.gather(*(one(*each) for each in asked.items()))
    results = dict(zip(asked, came, strict=True))
    return {name: value for name, value in results.items() if value is not None}, missing


@dataclass(frozen=True, slots=True)
class Near:
    """What is near a question, and the evidence of all that was wanted beside it."""

    voices: list[Voice]
    rows: list[Row]


async def nearest(
    search: Search, vector: Vector, *, lenders: int = 0, known: Collection[str] = ()
) -> Near:
    """Return the memories near a question, with what scoring looks at.

    So many of the best lend to the turns beside them, which come too; what is known does not.
    """
    within = search.within
    asked = {"vector": packed(vector), "limit": search.width}
    try:
        # The index cannot filter on a session, and one is soon looked through.
        if within.session:
            rows = await search.graph.read(BY_VECTOR_EXACT, **asked, **within.parameters)
        elif within.narrow:
            rows = await search.graph.read(BY_VECTOR, **asked, **within.in_index)
        else:
            (row,) = await search.graph.read(
                NEAREST, lenders=lenders, known=list(known), **asked, **within.parameters
            )
            return Near(_alone(dict(row["found"]), search), row["rows"])
    except QueryFailed as error:  # the index is populating, missing or broken
        log.warning("search failed", extra={"error": str(error)})
        rows = await search.graph.read(BY_VECTOR_EXACT, **asked, **within.parameters)
    found = {row["id"]: row["score"] for row in rows}
    new = [name for name in found if name not in known]
    evidence = await candidates(search, new, [*found][:lenders])
    return Near(_alone(found, search), evidence)


def _alone(scores: Mapping[str, float], search: Search) -> list[Voice]:
    return near("alone", {name: 2 * each - 1 for name, each in scores.items()}, search.floor)


def near(name: str, cosines: Mapping[str, float], floor: float) -> list[Voice]:
    """Return a voice of the vector signal, none when nothing has a cosine."""
    scores = {key: similarity(cosine, floor) for key, cosine in cosines.items()}
    return [voice("vector", name, scores, raw=cosines)] if scores else []


async def by_text(search: Search, question: str, *, all_terms: bool = False) -> list[Voice]:
    """Return memories that have the question's words: in any form, and exactly as written.

    What came before a memory counts a little; not where a preset wants all terms in one text.
    """
    lanes = [lane(agent) for agent in search.within.agents]
    words = terms.key_terms(question)
    exact = terms.spellings(terms.exact_tokens(question))
    fields = _OWN if all_terms else _OWN | _CONTEXT
    asked = {
        "words": ("memory_words", terms.words_query(lanes, words, fields, all_terms=all_terms)),
        "as written": ("memory_tokens", terms.words_query(lanes, exact, _EXACT)),
    }
    asked = {name: each for name, each in asked.items() if each[1]}
    if not asked:
        raise Silent("the question has no words to look for")
    rows = await asyncio.gather(*(_words(search, *each) for each in asked.values()))
    return [_text_voice(name, found) for name, found in zip(asked, rows, strict=True) if found]


_RARE = 3
"""Other memories that have what is written, of which it says half as much as if it were alone."""
_OWN, _CONTEXT, _EXACT = {"text": 1.0, "title": 1.0}, {"context": 0.3}, {"text": 1.0}


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
    # A symbol that many memories have tells little of any of them.
    sure = _RARE / (_RARE + len(raw) - 1) if name == "as written" else 1.0
    scores = {key: score / best for key, score in raw.items()}
    return voice("bm25", name, scores, sure=sure, raw=raw)


async def candidates(search: Search, ids: Sequence[str], lenders: Sequence[str] = ()) -> list[Row]:
    """Return memories that are known by their ids in full, and what scoring looks at.

    The turns beside those that lend come too; of these alone it is told what they name.
    """
    if not ids:
        return []
    return await search.graph.read(
        CANDIDATES, ids=list(ids), lenders=list(lenders), **search.within.parameters
    )
