"""Names in the embedder's own pass: a logistic head over the vectors it makes of every token.

The model has read the text already; three rows of weights per label, over a word, its neighbours
and its shape, tell which words are names. `tools/train_head.py` makes the weights.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import cast

import numpy as np
from numpy.typing import NDArray

from neomem.ports import EntityType, Name

OUTSIDE, BEGIN, INSIDE = range(3)
TYPES: tuple[EntityType, ...] = ("person", "place", "organisation", "group", "product", "work")

# Names are rarer than mistakes of missing one are harmful: measured on the dev sets.
OUTSIDE_BIAS = -0.75

_CLOSERS = frozenset(".!?:;\"'“”‘’)*>|-")
_QUOTES = frozenset("\"'“”‘’")
_SEPARATORS = frozenset(",;:!?()[]")
_PARTICLES = frozenset({"of", "the", "and", "&", "de", "van", "von", "for", "in"})
_SHORT, _LONG = 2, 8
_MOSTLY_CAPITAL, _SHOUTED = 0.7, 0.6

Spans = Sequence[tuple[int, int]]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TokenHead:
    """Weights for one model: which words are names, and of what type."""

    words: Floats
    """For a word, the one before, the one after and their shapes: a column per label."""
    bias: Floats
    types: Floats
    """For the mean of a name's words: a column per type."""
    types_bias: Floats

    @classmethod
    def load(cls, model: str) -> "TokenHead | None":
        """Return the head that was trained for a model, if there is one."""
        file = resources.files("neomem.models") / "heads" / f"{model}.npz"
        if not file.is_file():
            return None
        with file.open("rb") as stream, np.load(stream) as arrays:
            return cls(*(arrays[name].astype(np.float32) for name in cls.__slots__))

    def names(self, hidden: Floats, spans: Spans, text: str) -> tuple[Name, ...]:
        """Return the names of a text, given the vector and place of each of its tokens."""
        words = group(spans, text)
        if not words:
            return ()
        places = [(spans[first][0], spans[last][1]) for first, last in words]
        vectors = word_vectors(hidden, words)
        chances = _softmax(features(vectors, places, text) @ self.words + self.bias)
        found: list[Name] = []
        for first, last in _decode(np.log(chances + 1e-9)):
            type_scores = vectors[first : last + 1].mean(axis=0) @ self.types + self.types_bias
            confidence = 1 - float(chances[first : last + 1, OUTSIDE].mean())
            kind = TYPES[int(type_scores.argmax())]
            start, end = _trimmed(text, places[first][0], places[last][1])
            if start < end:
                found.append(Name(start, end, kind, round(confidence, 3)))
        return tuple(found)


def group(spans: Spans, text: str) -> list[tuple[int, int]]:
    """Put the pieces of a word together: first and last token of each."""
    words: list[tuple[int, int]] = []
    for index, (start, end) in enumerate(spans):
        if start >= end:
            continue
        joins = words and spans[words[-1][1]][1] == start and _within_word(text, start)
        if joins:
            words[-1] = words[-1][0], index
        else:
            words.append((index, index))
    return words


def word_vectors(hidden: Floats, words: Sequence[tuple[int, int]]) -> Floats:
    """Return the mean of each word's pieces."""
    starts = [first for first, _ in words]
    sums = np.add.reduceat(hidden, starts, axis=0)
    counts = np.diff([*starts, len(hidden)])[:, None]
    return np.asarray(sums / counts, dtype=np.float32)


def features(vectors: Floats, places: Spans, text: str) -> Floats:
    """Return what the head looks at, a row per word."""
    shapes = np.array(_shapes(places, text), dtype=np.float32)
    return np.hstack([*_with_neighbours(vectors), *_with_neighbours(shapes)])


def _with_neighbours(rows: Floats) -> tuple[Floats, Floats, Floats]:
    nothing = np.zeros_like(rows[:1])
    return rows, np.vstack([nothing, rows[:-1]]), np.vstack([rows[1:], nothing])


def _shapes(places: Spans, text: str) -> list[list[bool]]:
    words = [text[start:end] for start, end in places]
    letters = [word for word in words if word.isalpha()]
    capitals = sum(word[0].isupper() for word in letters) / max(len(letters), 1)
    shouted = sum(word.isupper() and len(word) > 1 for word in letters) / max(len(letters), 1)
    lower = {word for word in words if word.islower()}
    whole = (capitals > _MOSTLY_CAPITAL, shouted > _SHOUTED, capitals == 0)
    count = len(words)
    rows: list[list[bool]] = []
    for index, word in enumerate(words):
        before = words[index - 1] if index else ""
        after = words[index + 1] if index + 1 < count else ""
        glued = bool(before) and places[index - 1][1] == places[index][0]
        glues = bool(after) and places[index + 1][0] == places[index][1]
        starts = not before or before in _CLOSERS
        rows.append(
            [
                *_word_shape(word, starts=starts, repeated=word.lower() in lower, whole=whole),
                glued and before == "@",
                glued and before == "#",
                glued,
                glues,
                after[:1].isupper(),
                before[:1].isupper(),
            ]
        )
    return rows


def _word_shape(
    word: str, *, starts: bool, repeated: bool, whole: tuple[bool, bool, bool]
) -> list[bool]:
    capital, upper, lower = word[:1].isupper(), word.isupper(), word.islower()
    digits = word.isdigit()
    mostly_capital, shouted, all_lower = whole
    return [
        capital,
        capital and not starts,
        capital and starts,
        upper and len(word) > 1,
        upper and len(word) == 1,
        not upper and any(map(str.isupper, word[1:])),
        lower,
        digits,
        not digits and any(map(str.isdigit, word)),
        word == "@",
        word == "#",
        word in _QUOTES,
        word == ".",
        word == "-",
        word in _SEPARATORS,
        not word.isalnum(),
        starts,
        capital and repeated,
        capital and mostly_capital,
        capital and shouted,
        all_lower,
        len(word) <= _SHORT,
        len(word) >= _LONG,
        not word.isascii(),
        word in _PARTICLES,
    ]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out punctuation at the ends, but not the last dot of an abbreviation."""
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        if text[end - 1] == "." and "." in text[start : end - 1]:
            break
        end -= 1
    return start, end


def _within_word(text: str, place: int) -> bool:
    before, after = text[place - 1], text[place]
    return (
        before.isalnum() and after.isalnum() and not (_ideographic(before) or _ideographic(after))
    )


def _ideographic(letter: str) -> bool:
    return "\u3040" <= letter <= "\u9fff" or "\U00020000" <= letter <= "\U0002fa1f"


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _decode(logs: Floats) -> list[tuple[int, int]]:
    """Return first and last word of each name on the likeliest path: none begins INSIDE."""
    best = [0.0, -math.inf, -math.inf]
    back: list[tuple[int, int, int]] = []
    for outside, begin, inside in cast("list[list[float]]", logs.tolist()):
        top = max(range(3), key=best.__getitem__)
        before = BEGIN if best[BEGIN] >= best[INSIDE] else INSIDE
        back.append((top, top, before))
        best = [
            best[top] + outside + OUTSIDE_BIAS,
            best[top] + begin,
            best[before] + inside,
        ]
    label = max(range(3), key=best.__getitem__)
    names: list[tuple[int, int]] = []
    last = -1
    for index in range(len(back) - 1, -1, -1):
        if label != OUTSIDE and last < 0:
            last = index
        if label == BEGIN:
            names.append((index, last))
            last = -1
        label = back[index][label]
    return names[::-1]
