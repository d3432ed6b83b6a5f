"""How near candidates are to the question: alone, in context, and to what is nearest to it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields

import numpy as np

from neomem.ports import Vector
from neomem.recall.evidence import Candidate, Named, Ties, ties
from neomem.store.graph import Row

_KEPT = np.dtype("<f2")


def compared(
    rows: Sequence[Row], vector: Vector | None, nearest: Collection[str] = ()
) -> dict[str, Candidate]:
    """Return candidates with their cosines: to the question, to the middle of what is nearest.

    Without a question's vector nothing is compared.
    """
    if vector is not None:
        rows = [_judged(row, vector) for row in rows]
    cosines = _measured(rows, vector, nearest)
    tied = [ties(row["ties"]) for row in rows]
    summed_up = {
        source: row["id"] for row, own in zip(rows, tied, strict=True) for source in own.sums_up
    }
    return {
        row["id"]: _candidate(row, each, own, summed_up)
        for row, each, own in zip(rows, cosines, tied, strict=True)
    }


def _measured(rows: Sequence[Row], vector: Vector | None, nearest: Collection[str]) -> list[Row]:
    """Return the cosines that each memory has."""
    measured: list[Row] = [{} for _ in rows]
    if vector is None:
        return measured
    alone, inside = _vectors(rows, len(vector))
    near = [at for at, row in enumerate(rows) if row["id"] in nearest and row["halves"]]
    cosines: dict[str, list[float]] = {
        "cosine": _cosines(alone, vector),
        "context_cosine": _cosines(inside, vector),
        "feedback_cosine": _cosines(alone, alone[near].mean(axis=0)) if near else [],
    }
    for at, (row, told) in enumerate(zip(rows, measured, strict=True)):
        kept = len(row["halves"] or b"") // (len(vector) * _KEPT.itemsize)
        told |= {name: each[at] for name, each in cosines.items() if kept and each}
        if kept == 1:  # never read in context
            del told["context_cosine"]
    return measured


def _vectors(rows: Sequence[Row], dimensions: int) -> tuple[Vector, Vector]:
    """Return the vectors of memories alone and in context, a row each; noughts where none is."""
    size = dimensions * _KEPT.itemsize
    kept = [row["halves"] or bytes(size) for row in rows]
    alone, inside = (
        np.frombuffer(b"".join(each), _KEPT).reshape(-1, dimensions).astype(np.float32)
        for each in ([both[:size] for both in kept], [both[-size:] for both in kept])
    )
    return alone, inside


def _cosines(vectors: Vector, one: Vector) -> list[float]:
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(one)
    return (vectors @ one / np.maximum(lengths, 1e-12)).tolist()


def _judged(row: Row, vector: Vector) -> Row:
    """Return a summary with the words and place of that one of its sources which is nearest."""
    if not row["sources"]:
        return row
    sources = sorted(row["sources"])
    own = [np.frombuffer(halves, _KEPT, len(vector)) for *_, halves, _ in sources]
    best = sources[int(np.argmax(np.stack(own).astype(np.float32) @ vector))]
    return row | dict(zip(("text", "speaker", "halves", "turn_order"), best[1:], strict=True))


def _candidate(row: Row, cosines: Row, own: Ties, summed_up: Mapping[str, str]) -> Candidate:
    told = {field: row[column] for field, column in _TOLD if row[column] is not None}
    return Candidate(
        **told,
        **cosines,
        before=own.before,
        after=own.after,
        about=own.about,
        amends=_amended(own, summed_up),
        joined=own.joined,
        names=tuple(Named(*each) for each in row["names"]),
    )


def _amended(own: Ties, summed_up: Mapping[str, str]) -> tuple[str, ...]:
    """Return what a memory amends, and its summary; what would amend several is sure of none."""
    return tuple(
        name
        for older in (own.amends if len(own.amends) == 1 else ())
        for name in (older, summed_up.get(older))
        if name
    )


_WORKED_OUT = frozenset(
    {"before", "after", "about", "amends", "joined", "names"}
    | {"cosine", "context_cosine", "feedback_cosine"}
)
_CALLED = {"event_at": "happened", "created_at": "captured", "session": "session_key"}
_TOLD = tuple(
    (each.name, _CALLED.get(each.name, each.name))
    for each in fields(Candidate)
    if each.name not in _WORKED_OUT
)
"""Which column a candidate's fields are told in."""
