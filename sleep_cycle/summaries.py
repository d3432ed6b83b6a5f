"""Many turns into a few of their own words: which to keep, and how sure that is."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

_SENTENCE_END = re.compile(r"[.!?…。！？](?=\s|$)")
_NEAR_CENTRE = 0.5
"""How much being near the centre counts against repeating what was chosen."""
_LONGEST_TURN, _LONGEST = 400, 1800
"""Characters of a turn, and of a summary: about what an embedder reads at once."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Turns that stand for all, in their order, and how near they are to the middle of all."""

    indexes: tuple[int, ...]
    confidence: float


def clusters(count: int, size: int) -> list[range]:
    """Return runs of turns of about one size: turn i of n is in cluster ⌊i·c/n⌋ of c = ⌈n/size⌉."""
    number = math.ceil(count / size) if count else 0
    members: list[list[int]] = [[] for _ in range(number)]
    for index in range(count):
        members[index * number // count].append(index)
    return [range(each[0], each[-1] + 1) for each in members]


def choose(vectors: Matrix, lengths: Sequence[int], share: float) -> Chosen:
    """Choose turns near the centre that do not repeat each other, up to a share of the length."""
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    centre = unit.mean(axis=0)
    centre /= max(float(np.linalg.norm(centre)), 1e-12)
    near: NDArray[np.float32] = unit @ centre
    alike: Matrix = unit @ unit.T
    cut = [min(length, _LONGEST_TURN) for length in lengths]
    room = min(max(share * sum(cut), min(cut, default=0)), _LONGEST)
    chosen: list[int] = []
    left = set(range(len(cut)))
    while left:
        worth = {i: _worth(i, near, alike, chosen) for i in left if cut[i] <= room}
        if not worth:
            break
        best = min(worth, key=lambda i: (-worth[i], i))
        chosen.append(best)
        left.remove(best)
        room -= cut[best]
    confidence = float(np.mean(near[chosen])) if chosen else 0.0
    return Chosen(tuple(sorted(chosen)), min(max(confidence, 0.0), 1.0))


def _worth(index: int, near: Matrix, alike: Matrix, chosen: Sequence[int]) -> float:
    repeats = max((float(alike[index, other]) for other in chosen), default=0.0)
    return _NEAR_CENTRE * float(near[index]) - (1 - _NEAR_CENTRE) * repeats


def excerpt(text: str) -> str:
    """Return the beginning of a turn, whole sentences where there are any."""
    text = " ".join(text.split())
    if len(text) <= _LONGEST_TURN:
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, _LONGEST_TURN)]
    return (
        text[: ends[-1]]
        if ends and ends[-1] > _LONGEST_TURN // 3
        else text[: _LONGEST_TURN - 1] + "…"
    )


def heading(speakers: Sequence[str], since: datetime, until: datetime) -> str:
    """Return who spoke, and when."""
    days = f"{since.day} {since:%B %Y}"
    if since.date() != until.date():
        days += f" to {until.day} {until:%B %Y}"
    who = ", ".join(speakers)
    return f"Conversation on {days}" + (f" ({who})" if who else "")
