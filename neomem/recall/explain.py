"""Why a memory is in an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neomem.model import Hit, Memory, Said
from neomem.recall import terms
from neomem.recall.evidence import Voice, ties
from neomem.recall.scoring import Scored


@dataclass(frozen=True, slots=True)
class Beside:
    """A neighbour that came along with a hit."""

    id: str
    score: float
    parent: str


def explain(
    each: Scored | Beside,
    row: Mapping[str, Any],
    voices: Sequence[Voice],
    question_terms: Sequence[str],
    paths: Mapping[str, str],
) -> Hit:
    """Return a hit with all that was said for it."""
    tied = ties(row["ties"])
    memory = Memory.from_row({"memory": {**row, "session": tied.session}})
    beside = each if isinstance(each, Beside) else None
    scored = each if isinstance(each, Scored) else None
    quote = _quote(memory, scored.candidate.text) if scored else None
    return Hit(
        memory=memory,
        score=each.score,
        relevance=scored.relevance if scored else each.score,
        factors=scored.factors if scored else {},
        evidence=scored.spoken() if scored else {},
        said=tuple(_said(memory.id, voices)),
        terms=terms.matched(question_terms, f"{memory.text} {quote or ''}"),
        path=paths.get(memory.id) or (scored.path if scored else None),
        beside=beside.parent if beside else None,
        sources=tied.sums_up,
        quote=quote,
    )


def _quote(memory: Memory, judged: str) -> str | None:
    """Return what a memory was judged by, where that is not in its text."""
    return None if " ".join(judged.split()) in " ".join(memory.text.split()) else judged


def _said(memory_id: str, voices: Sequence[Voice]) -> list[Said]:
    return [
        Said(
            signal=each.signal,
            voice=each.name,
            rank=heard.rank,
            score=heard.score,
            raw=heard.score if heard.raw is None else heard.raw,
        )
        for each in voices
        for heard in each.hits
        if heard.id == memory_id
    ]
