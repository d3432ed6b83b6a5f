"""What kind of question it is, and how much each signal has to say about such questions."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Literal

from neomem.recall.evidence import Signal
from neomem.recall.term_words import CLITICS, ENGLISH_STOP_WORDS, STOP_WORDS
from neomem.recall.terms import UNSPACED
from neomem.text import clean, ordinary_words

Class = Literal["entity", "short", "long", "default"]


def _weights(vector: float, bm25: float, graph: float) -> Mapping[Signal, float]:
    return MappingProxyType({"vector": vector, "bm25": bm25, "graph": graph})


WEIGHTS: Mapping[Class, Mapping[Signal, float]] = MappingProxyType(
    {
        "entity": _weights(0.8, 1.0, 1.3),
        "short": _weights(0.8, 1.2, 1.0),
        "long": _weights(1.2, 0.7, 0.8),
        "default": _weights(1.0, 1.0, 1.0),
    }
)

# Sizes are in half words: a character of a script without spaces is one, a spaced word two.
_SHORT, _LONG = 4, 10
_ASKED_WORDS = (3, 4)
_ABOUT_ONE = re.compile(
    r"\W*(?:who|where|what)(?:['\u2019]s|\s+(?:is|does|did|was|were))\b", re.IGNORECASE
)
_PART = re.compile(r"(?<!\w)[^\W\d_]\w*")
_ENDS = (".", "!", "?", ":", "\u2026")
# Auxiliaries that, with a capital inside a sentence, are somebody's name or a month.
_NAMES_TOO = frozenset({"will", "may"})
_OPENERS = STOP_WORDS | _NAMES_TOO


def classify(question: str, known: Collection[str] = ()) -> Class:
    """Return the class of a question; `known` are names found in it, whatever their case."""
    text = unicodedata.normalize("NFKC", clean(question))
    if known or _has_name(text):
        return "entity"
    spaced = UNSPACED.sub(" ", text)
    words = sum(any(map(str.isalnum, word)) for word in spaced.split())
    characters = sum(map(str.isalpha, UNSPACED.findall(text)))
    size = 2 * words + characters
    if size <= _SHORT:
        return "short"
    if not characters and words in _ASKED_WORDS and _ABOUT_ONE.match(text):
        return "entity"
    return "long" if size >= _LONG else "default"


def _has_name(text: str) -> bool:
    """Tell whether some word has a capital that only a name would have."""
    shouted = text.isupper()
    first = True
    for word in text.replace("\u2019", "'").split():
        parts = _PART.findall(word)
        if parts and any(_is_name(part, first=first or shouted) for part in _said(word, parts)):
            return True
        first = word.endswith(_ENDS) or (first and not parts)
    return False


def _said(word: str, parts: list[str]) -> Iterable[str]:
    """Leave out what makes no name: the ends of what's, I'll and don't, the letter of e-mail."""
    if word.lower().rstrip(".,;:!?)").endswith("n't"):
        return ()
    if len(parts) > 1 and "'" in word and parts[1].lower() in CLITICS:
        return parts[:1]
    return parts if len(parts) == 1 else (part for part in parts if len(part) > 1)


def _is_name(part: str, *, first: bool) -> bool:
    if not part[0].isupper():
        return False
    lower = part.lower()
    if first:
        return lower not in _OPENERS and lower not in ordinary_words()
    return lower in _NAMES_TOO or lower not in ENGLISH_STOP_WORDS
