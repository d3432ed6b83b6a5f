"""What a text states that another may contradict: a value of something, or a figure beside words.

Two statements are in conflict when they are about the same and give another value. That is told
from the words alone, so only the plainest forms count: doubt is no conflict.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from neomem.recall.terms import STOP_WORDS, stem
from neomem.text import normalise, word_set

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_VALUE = re.compile(
    r"""^(?P<subject>(?:[\w'’/&+#.-]+\s+){0,9}?[\w'’/&+#.-]+)\s+
    (?P<verb>(?:is|are|was|were|will\s+be|has\s+been|have\s+been)
      (?:\s+(?:now|currently|still|set|changed|moved|updated|rescheduled|raised|lowered|called))*
      (?:\s+(?:to|at|on|in|for))?
      |(?:now\s+)?(?:runs?|listens?|lives?|works?|uses?|prefers?|costs?|starts?|ends?|moved)
      (?:\s+(?:on|at|in|to|for))?)\s+
    (?P<value>.{1,80}?)[.!]?$""",
    re.VERBOSE | re.IGNORECASE,
)
_HEDGES = word_set(
    "maybe perhaps might could would should if when because although while but or who which that "
    "what how why where whether not n't never no also too either both and"
)
_FILLERS = word_set(
    "now currently new newly latest updated today still already just the a an my our his her their "
    "its your this that these those for of in on at to from with by"
)
_EMPTY = (
    STOP_WORDS
    | _FILLERS
    | word_set(
        "sure worried kinda trying try want wants help advice use used using make need needs "
        "working curious thinking think considering wondering feel stressed got get really please"
    )
)
_NEWS = re.compile(
    r"\b(?:now|new|newly|recently|updated?|changed|increased|decreased|adjusted|reschedul\w+|moved|"
    r"moving|extended|expanded|improved|instead|no longer|anymore|switched|grown?|growth|reached|"
    r"latest|revised|raised|reduced|shifted|postponed|pushed|added|total)\b",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_FIGURE = re.compile(
    rf"""(?P<date>\b{_MONTH}\.?\s+\d{{1,2}}\b(?:st|nd|rd|th)?|\b\d{{1,2}}\s+{_MONTH}\b)
    |(?P<clock>\b\d{{1,2}}(?::\d\d)?\s?[ap]\.?m\b|\b\d{{1,2}}:\d\d\b)
    |(?P<number>[$€£]?\b\d+(?:[.,]\d+)*)\s?(?P<unit>%|ms\b|[a-z]{{1,3}}b\b)?""",
    re.VERBOSE | re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_AFTER, _BEFORE, _AROUND = 3, 6, 10
"""Words of a figure's noun, of what a date belongs to, and of what a figure is about."""
_LONGEST_STATEMENT = 30
_LONGEST = 4000
_SHARED, _ALIKE = 4, 0.33
"""Words, and share of all words around them, that two figures of one thing have in common."""


@dataclass(frozen=True, slots=True)
class Value:
    """A whole text that says one thing of one subject."""

    subject: frozenset[str]
    verb: str
    value: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, date or time in a text: of what, and among which words."""

    kind: str
    value: str
    of: frozenset[str]
    about: frozenset[str]


def value(text: str, speaker: str | None = None) -> Value | None:
    """Return the one thing a short text says of its subject, if it is so plain."""
    said = text.removeprefix(f"{speaker}: ").strip() if speaker else text.strip()
    if len(said.split()) > _LONGEST_STATEMENT or len(_SENTENCE.split(said)) > 1 or "?" in said:
        return None
    found = _VALUE.match(said)
    if not found:
        return None
    words = _WORD.findall(normalise(said))
    if _HEDGES & set(words) or any(word.endswith("n't") for word in words):
        return None
    subject = frozenset(_stems(found["subject"]))
    verb = _stem_of_verb(found["verb"])
    return Value(subject, verb, normalise(found["value"])) if subject else None


def _stem_of_verb(verb: str) -> str:
    words = [word for word in _WORD.findall(normalise(verb)) if word not in _FILLERS]
    plain = {"is": "be", "are": "be", "was": "be", "were": "be", "been": "be", "will": "be"}
    stems = [plain.get(word, stem(word)) for word in words]
    return next((each for each in stems if each not in {"be", "have", "has"}), "be")


def _stems(text: str) -> Iterator[str]:
    words = _WORD.findall(normalise(text))
    return (stem(word) for word in words if word not in _FILLERS)


_CHANGES = frozenset({"set", "chang", "mov", "updat", "reschedul", "rais", "lower", "be"})
"""Verbs that all say what something is now."""


def contradicts(newer: Value, older: Value) -> bool:
    """Tell whether both are about the same and give it another value."""
    same_verb = newer.verb == older.verb or {newer.verb, older.verb} <= _CHANGES
    moved = {newer.verb, older.verb} == {"mov", "liv"}
    if newer.subject != older.subject or not (same_verb or moved):
        return False
    one, other = set(_stems(newer.value)), set(_stems(older.value))
    numbers = _numbers(newer.value) != _numbers(older.value)
    # A value that only says more is none other: "in Lisbon", "in Lisbon, near the river".
    return numbers or not (one <= other or other <= one)


def _numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+(?:[.,:]\d+)*", text))


def brings_news(text: str) -> bool:
    """Tell whether a text says that something is new, changed or reached by now."""
    return bool(_NEWS.search(text[:_LONGEST]))


@lru_cache(maxsize=5000)  # a text is near many others, and compared with each
def figures(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text's prose, with what they count."""
    prose = text.partition("```")[0][:_LONGEST]
    found: list[Figure] = []
    for sentence in _SENTENCE.split(prose):
        for match in _FIGURE.finditer(sentence):
            figure = _figure(sentence, match)
            if figure:
                found.append(figure)
    return tuple(found)


def _figure(sentence: str, match: re.Match[str]) -> Figure | None:
    before = _meaning(sentence[: match.start()])
    after = _meaning(sentence[match.end() :])
    about = frozenset([*before[-_AROUND:], *after[:_AROUND]])
    kind = match.lastgroup or "number"
    if match["date"] or match["clock"]:
        kind = "date" if match["date"] else "clock"
        return Figure(kind, normalise(match[0]), frozenset([*before[-_BEFORE:], *after[:1]]), about)
    if match["unit"]:
        unit = normalise(match["unit"])
        return Figure(unit, match["number"], frozenset(before[-_BEFORE:]) | {*after[:1]}, about)
    noun = frozenset(after[:_AFTER]) if after else frozenset(before[-_AFTER:])
    return Figure("number", match["number"], noun, about) if noun else None


def _meaning(text: str) -> list[str]:
    words = _WORD.findall(normalise(text).replace("’", "'"))
    return [stem(word) for word in words if word not in _EMPTY and "'" not in word]


def amends(newer: Sequence[Figure], older: Sequence[Figure]) -> tuple[float, str] | None:
    """Return how surely the newer text gives another figure for the same, and for what.

    Only what shares many words is taken for the same: most figures beside alike words are others.
    """
    best: tuple[float, str] | None = None
    for new in newer:
        for old in older:
            same = new.of & old.of
            if new.kind != old.kind or not same or _has(new, older):
                continue
            shared = (new.about | new.of) & (old.about | old.of)
            sizes = len(new.about | new.of) * len(old.about | old.of)
            sure = len(shared) / math.sqrt(sizes)
            if len(shared) >= _SHARED and sure >= _ALIKE:
                best = max(best or (0.0, ""), (round(sure, 4), " ".join(sorted(same))))
    return best


def _has(new: Figure, older: Sequence[Figure]) -> bool:
    """Tell whether the older text gives that very figure too."""
    return any(new.value == old.value and new.kind == old.kind for old in older)
