"""Do two names mean one thing? By evidence, never by containment: "Ann" is not "Anna".

Pairs worth a look come from tables of how names are written, so that nobody compares all with all;
a score says how sure it is, and what speaks for it is named.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from neomem.text import normalise, word_set

_NEVER = frozenset({"code", "handle"})
"""Symbols are what they are, to the letter."""
_NAMED_BY_LETTERS = frozenset({"organisation", "place", "product", "work", "group", "event"})
_HONORIFICS = word_set("mr mrs ms miss dr prof professor sir dame herr frau mme m señor señora")
_LEGAL = word_set("inc incorporated ltd limited llc gmbh ag sa plc corp corporation co bv oy ab kg")
_ARTICLES = word_set("the a an der die das le la les el los las")
_WORD = re.compile(r"[^\W_]+(?:[+#]+)?")
_DIGITS = re.compile(r"\d+")
_LONG, _SHORT_INITIALS = 8, 3
_MOST_ALIKE = 50
"""Names that are written so much alike that nobody can tell them apart by this."""

_SURE: dict[str, float] = {
    "letters": 0.95,
    "alias": 0.95,
    "article": 0.95,
    "honorific": 0.9,
    "legal form": 0.9,
    "middle name": 0.7,
    "initials": 0.6,
    "one letter": 0.6,
}
_PER_NEIGHBOUR, _NEIGHBOURS = 0.1, 3
_TOGETHER = 0.3
"""What it speaks against two names that one text has them both."""


@dataclass(frozen=True, slots=True)
class Named:
    """An entity as far as its name goes."""

    key: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    looked: bool = False


Check = Callable[[Named, Named], bool]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities that may be one, and why."""

    one: Named
    other: Named
    reason: str


def candidates(entities: Sequence[Named]) -> list[Pair]:
    """Return the pairs worth a look, each once; those that were looked at before are none."""
    by_key = {each.key: each for each in entities}
    tables: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in entities:
        for place in _places(each):
            tables[place].append(each.key)
    found: dict[tuple[str, str], Pair] = {}
    for (reason, _), keys in sorted(tables.items()):
        if 1 < len(set(keys)) <= _MOST_ALIKE:
            for one, other in _pairs(sorted(set(keys))):
                pair = Pair(by_key[one], by_key[other], reason)
                if (one, other) not in found and _worth(pair):
                    found[one, other] = pair
    return [found[place] for place in sorted(found)]


def _pairs(keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((one, other) for at, one in enumerate(keys) for other in keys[at + 1 :])


def _worth(pair: Pair) -> bool:
    one, other = pair.one, pair.other
    if one.looked and other.looked:
        return False
    if {one.type, other.type} & _NEVER or not _alike(one.type, other.type):
        return False
    if _DIGITS.findall(one.name) != _DIGITS.findall(other.name):
        return False
    if _ends(one) != _ends(other) and _ends(one) and _ends(other):
        return False
    return _CHECKS[pair.reason](one, other)


def _ends(each: Named) -> str:
    """Return the legal form a company's name ends with; another form is another company."""
    words = _words(each.name)
    return words[-1] if words and words[-1] in _LEGAL else ""


def _alike(one: str, other: str) -> bool:
    return one == other or "other" in {one, other}


def _places(each: Named) -> Iterable[tuple[str, str]]:
    """Yield under which names an entity is looked up, by the rule that would join it there."""
    words = _words(each.name)
    joined = "".join(words)
    if len(joined) >= _SHORT_INITIALS or (len(joined) > 1 and each.name.isupper()):
        yield "letters", joined
    for alias in each.aliases:
        yield "alias", normalise(alias)
    yield "alias", normalise(each.name)
    yield "article", " ".join(words[1:] if words and words[0] in _ARTICLES else words)
    yield "honorific", " ".join(_bare(words, _HONORIFICS, 0))
    yield "legal form", " ".join(_bare(words, _LEGAL, -1))
    if len(words) in {2, 3} and each.type in {"person", "other"}:
        yield "middle name", f"{words[0]} {words[-1]}"
    yield from _by_letters(each, words, joined)


def _by_letters(each: Named, words: list[str], joined: str) -> Iterable[tuple[str, str]]:
    if len(words) >= _SHORT_INITIALS:
        yield "initials", "".join(word[0] for word in words)
    elif len(words) == 1 and _SHORT_INITIALS <= len(joined) <= 6 and joined.isalpha():  # noqa: PLR2004
        yield "initials", joined
    if each.type in _NAMED_BY_LETTERS and len(joined) >= _LONG:
        yield "one letter", joined
        yield from (("one letter", joined[:at] + joined[at + 1 :]) for at in range(len(joined)))


def _words(name: str) -> list[str]:
    """Return a name's words without accents and marks; `C++` and `C#` are words of their own."""
    plain = unicodedata.normalize("NFKD", normalise(name))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return _WORD.findall(plain)


def _bare(words: list[str], table: frozenset[str], at: int) -> list[str]:
    if len(words) > 1 and words[at] in table:
        return words[1:] if at == 0 else words[:-1]
    return words


def _one_has(table: frozenset[str], at: int, least: int) -> Check:
    """Return a check that exactly one of two names has such a word, and enough besides it."""

    def check(one: Named, other: Named) -> bool:
        first, second = _words(one.name), _words(other.name)
        has = [bool(words) and words[at] in table for words in (first, second)]
        return has[0] != has[1] and min(len(first), len(second)) >= least

    return check


def _middle(one: Named, other: Named) -> bool:
    first, second = _words(one.name), _words(other.name)
    if "person" not in {one.type, other.type} or {len(first), len(second)} != {2, 3}:
        return False
    return first[0] == second[0] and first[-1] == second[-1]


def _initials(one: Named, other: Named) -> bool:
    short, long = sorted((one, other), key=lambda each: len(each.name))
    words = _words(long.name)
    return (
        "person" not in {one.type, other.type}
        and short.name.replace(".", "").isupper()
        and len(words) >= _SHORT_INITIALS
        and len(_words(short.name)) == 1
    )


def _one_letter(one: Named, other: Named) -> bool:
    first, second = "".join(_words(one.name)), "".join(_words(other.name))
    if abs(len(first) - len(second)) > 1 or first == second:
        return False
    start = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    at = min(len(first), len(second)) if start is None else start
    rests = (first[at + 1 :], second[at + 1 :]), (first[at:], second[at + 1 :])
    return any(a == b for a, b in (*rests, (first[at + 1 :], second[at:])))


def _letters(one: Named, other: Named) -> bool:
    """Tell names that differ in marks and spaces alone: `Open AI` and `OpenAI`."""
    return normalise(one.name) != normalise(other.name)


def _by_alias(one: Named, other: Named) -> bool:
    return _is_alias(one, other) or _is_alias(other, one)


_CHECKS: dict[str, Check] = {
    "letters": _letters,
    "alias": _by_alias,
    "article": _one_has(_ARTICLES, 0, 1),
    "honorific": _one_has(_HONORIFICS, 0, 2),
    "legal form": _one_has(_LEGAL, -1, 1),
    "middle name": _middle,
    "initials": _initials,
    "one letter": _one_letter,
}


def _is_alias(one: Named, other: Named) -> bool:
    return normalise(one.name) in {normalise(alias) for alias in other.aliases}


def score(pair: Pair, shared: int, together: int) -> float:
    """Return how sure it is that both are one.

    `shared` are other entities named beside both, `together` the texts that name both.
    """
    sure = _SURE[pair.reason]
    if pair.reason in {"middle name", "initials", "one letter"}:
        sure += _PER_NEIGHBOUR * min(shared, _NEIGHBOURS)
    if together and pair.reason not in {"alias", "initials"}:
        sure -= _TOGETHER
    return round(max(sure, 0.0), 4)
