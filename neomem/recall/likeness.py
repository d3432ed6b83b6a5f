"""How near candidates are to the question: alone, in context, and to what is nearest to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from neomem.ports import Vector
from neomem.recall.evidence import Candidate
from neomem.store.graph import Row

_KEPT = np.dtype("<f2")


@dataclass(frozen=True, slots=True)
class Compared:
    """What candidates' vectors are compared with; without a question's vector, with nothing."""

    vector: Vector | None
    nearest: Sequence[str] = ()
    """Memories nearest to the question."""
    middle: Vector | None = None
    """Their middle, once their vectors are known."""

    def to(self, rows: Sequence[Row]) -> tuple[dict[str, Candidate], "Compared"]:
        """Return candidates with their cosines, and the middle they were compared with."""
        if self.vector is None:
            return {row["id"]: _candidate(row) for row in rows}, self
        rows = [_judged(row, self.vector) for row in rows]
        alone, inside = _vectors(rows, len(self.vector))
        middle = self._middle(rows, alone)
        cosines: dict[str, list[float]] = {
            "cosine": _cosines(alone, self.vector),
            "context_cosine": _cosines(inside, self.vector),
            "feedback_cosine": [] if middle is None else _cosines(alone, middle),
        }
        for at, row in enumerate(rows):
            kept = len(row["halves"] or b"") // (len(self.vector) * _KEPT.itemsize)
            known = {name: each[at] for name, each in cosines.items() if kept and each}
            row.update(known if kept > 1 else known | {"context_cosine": None})
        return {row["id"]: _candidate(row) for row in rows}, replace(self, middle=middle)

    def _middle(self, rows: Sequence[Row], alone: Vector) -> Vector | None:
        if self.middle is not None:
            return self.middle
        near = [at for at, row in enumerate(rows) if row["id"] in self.nearest and row["halves"]]
        return alone[near].mean(axis=0) if near else None


def _vectors(rows: Sequence[Row], dimensions: int) -> tuple[Vector, Vector]:
    """Return the vectors of memories alone and in context, a row each; noughts where none is."""
    alone, inside = (np.zeros((len(rows), dimensions), np.float32) for _ in range(2))
    for at, row in enumerate(rows):
        if row["halves"]:
            kept = np.frombuffer(row["halves"], _KEPT).reshape(-1, dimensions)
            alone[at], inside[at] = kept[0], kept[-1]
    return alone, inside


def _cosines(vectors: Vector, one: Vector) -> list[float]:
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(one)
    return (vectors @ one / np.maximum(lengths, 1e-12)).tolist()


def _judged(row: Row, vector: Vector) -> Row:
    """Return a summary with the words of that one of its sources which is nearest."""
    if not row["sources"]:
        return row
    sources = sorted(row["sources"])
    own = [np.frombuffer(halves, _KEPT, len(vector)) for *_, halves in sources]
    _, text, speaker, halves = sources[int(np.argmax(np.stack(own).astype(np.float32) @ vector))]
    return {**row, "text": text, "speaker": speaker, "halves": halves}


def _candidate(row: Row) -> Candidate:
    told: Row = {
        name: value for name, value in row.items() if value is not None and name not in _READ
    }
    told |= {name: tuple(row[name]) for name in ("about", "amends")}
    told["names"] = tuple((key, degree) for key, degree in row["names"])
    return Candidate(**told)


_READ = frozenset({"halves", "sources"})
