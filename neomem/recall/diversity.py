"""Answers that do not repeat each other: relevance weighed against likeness to what is chosen."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from neomem.text import normalise

# Scripts that part words by nothing one can see: Thai to Tibetan, Burmese, Khmer, Kana, Han.
_UNSPACED = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN = re.compile(rf"([{_UNSPACED}]+)|(?:(?![{_UNSPACED}])\w)+")


@dataclass(frozen=True, slots=True)
class Item:
    """A memory that may be chosen, with its relevance in 0..1."""

    id: str
    text: str
    relevance: float


def tokens(text: str) -> frozenset[str]:
    """Return a text's words; of scripts without spaces, its pairs of neighbouring characters."""
    found: set[str] = set()
    for match in _RUN.finditer(normalise(text)):
        run = match[0]
        if match[1] and len(run) > 1:
            found.update(run[start : start + 2] for start in range(len(run) - 1))
        else:
            found.add(run)
    return frozenset(found)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the words of two texts that both have, 0 when there are none."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def mmr(items: Sequence[Item], limit: int, weight: float = 0.7) -> list[Item]:
    """Choose up to `limit`, each the best by weight · relevance - (1 - weight) · likeness.

    Likeness is the largest to those already chosen. It ends when nothing is worth more than 0; the
    first is taken for any relevance. Ties fall to relevance, then to the id.
    """
    words = {item.id: tokens(item.text) for item in items}
    nearest = dict.fromkeys(words, 0.0)
    left = [item for item in items if item.relevance > 0]
    chosen: list[Item] = []

    def worth(item: Item) -> float:
        return weight * item.relevance - (1 - weight) * nearest[item.id]

    while left and len(chosen) < limit:
        best = min(left, key=lambda item: (-worth(item), -item.relevance, item.id))
        if chosen and worth(best) <= 0:
            break
        chosen.append(best)
        left.remove(best)
        for item in left:
            alike = likeness(words[item.id], words[best.id])
            nearest[item.id] = max(nearest[item.id], alike)
    return chosen
