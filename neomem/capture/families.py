"""A family of things the guard looks for: one row of its tables."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

_TRIES = 5

Check = Callable[[re.Match[str]], bool]


@dataclass(frozen=True, slots=True)
class Family:
    """What to look for, where looking is worth while, and what tells a real one from a likeness.

    Its patterns are tried on a text that has one word of each set, or one of the signs anywhere,
    or on any text when neither is given. A pattern with groups finds the group that took part,
    one without finds the whole match.
    """

    name: str
    patterns: tuple[re.Pattern[str], ...]
    words: tuple[frozenset[str], ...] = ()
    signs: tuple[str, ...] = ()
    check: Check | None = None

    def spans(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield where this family is found between two places of a text."""
        for pattern in self.patterns:
            at = failed = tries = 0
            while match := pattern.search(text, max(at, start), end):
                found = match.span(match.lastindex or 0)
                if self.check is None or self.check(match):
                    yield found
                    at = found[1]
                    continue
                # What was taken for a value may hold the next name, but not again and again.
                tries = tries + 1 if match.start() < failed else 1
                at = max(found[0], match.start() + 1) if tries < _TRIES else found[1]
                failed = max(failed, found[1])


class Table:
    """Families, and which of them are worth trying on a text."""

    def __init__(self, *families: Family) -> None:
        self.families = families
        self._always = [f for f in families if not (f.signs or f.words)]
        self._by_sign: defaultdict[str, list[Family]] = defaultdict(list)
        self._by_word: defaultdict[str, list[Family]] = defaultdict(list)
        for family in families:
            for sign in family.signs:
                self._by_sign[sign].append(family)
            for word in family.words[0] if family.words else ():
                self._by_word[word].append(family)

    def worth_trying(self, low: str, words: set[str]) -> Iterable[Family]:
        """Pick families by a lower-cased text and its words: far cheaper than their patterns."""
        by_sign, by_word = self._by_sign, self._by_word
        due = {f.name: f for sign in by_sign if sign in low for f in by_sign[sign]}
        for word in by_word.keys() & words:
            for family in by_word[word]:
                if not any(words.isdisjoint(needed) for needed in family.words):
                    due[family.name] = family
        return (*self._always, *due.values())


# `re` skips ahead to a pattern's first letter, but not past a `\b` before it.
_OPENING = re.compile(r"^\\b(?:\(\?:([\w |'-]+)\)|(\w)(?!\?))")


def _opened(opening: re.Match[str]) -> str:
    """Let words begin with their first letter and look back after it."""
    words = (opening[1] or opening[2]).split("|")
    return "(?:" + "|".join(rf"{word[0]}(?<!\w.){word[1:]}" for word in words) + ")"


def says(
    name: str, words: str, *phrases: str, signs: str = "", check: Check | None = None
) -> Family:
    """Make a row of phrases, with groups of words parted by `&` and signs parted by `¦`.

    A space in a phrase stands for white space, ` ?` for none or some.
    """
    patterns = [
        _OPENING.sub(_opened, phrase).replace(" ?", r"\s*+").replace(" ", r"\s++")
        for phrase in phrases
    ]
    return Family(
        name,
        tuple(map(re.compile, patterns)),
        words=tuple(frozenset(group.split()) for group in words.split("&") if group),
        signs=tuple(signs.split("¦")) if signs else (),
        check=check,
    )


def value_of(match: re.Match[str]) -> str:
    """Give what a match found: the group that took part, else all of it."""
    return match[match.lastindex or 0]
