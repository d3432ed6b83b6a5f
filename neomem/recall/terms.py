"""What a question's words are: terms for full text, tokens as written, and what a text has of them.

Full text is asked with tokens of our own making, never with raw text.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from neomem.recall.term_words import (
    ASKING,
    BETWEEN_WORDS,
    CLITICS,
    CLOSING,
    DATED,
    ELISIONS,
    IRREGULAR,
    MONTH_DAY,
    MONTHS,
    OPENING,
    SPAN,
    SPANNING,
    STOP_PAIRS,
    STOP_WORDS,
    TIME_WORDS,
    TIMES_UNSPACED,
    WHEN,
)
from neomem.text import clean, ordinary_words

_HAN = "\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA, _KATAKANA = "\u3040-\u309f", "\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_SOUTH_EAST = (  # Thai, Lao, Burmese, Khmer, without their digits and marks of punctuation
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u0edc-\u0edf\u1000-\u103f\u1050-\u108f"
    "\u1780-\u17d3\u17dc\u17dd\ua9e0-\ua9ef\uaa60-\uaa7f"
)
UNSPACED = re.compile(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_SOUTH_EAST}]")
"""A character of a script that is written without spaces."""

_MARKS = (  # that belong to the letter before, which `\w` does not know
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u07a6-\u07b0\u0900-\u0963\u0971-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece"
    "\u0f18\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f84\u0f86-\u0fbc\u102b-\u103e\u1056-\u1059"
    "\u17b4-\u17d3\u1dc0-\u1dff\u200c\u200d\u20d0-\u20f0\ufe20-\ufe2f"
)
# Joined as Lucene's standard tokenizer joins: `main.py`, `o'brien`, `1,000` are one word each.
_WORD = re.compile(rf"[\w{_MARKS}]+(?:(?:[.'](?=\w)|(?<=\d),(?=\d))[\w{_MARKS}]+)*")
_PIECE = re.compile(
    f"([{_HAN}{_HIRAGANA}]+)|[{_KATAKANA}]+|[{_SOUTH_EAST}]+"
    f"|[^{_HAN}{_HIRAGANA}{_KATAKANA}{_SOUTH_EAST}]+"
)
_RUN = re.compile(f"[{_SOUTH_EAST}]+")
_BY_CHARACTER = re.compile(f"[{_HAN}{_HIRAGANA}]")

_MOST_TERMS, _MOST_EXACT = 40, 20
# Lucene takes 1,024 clauses; an unquoted run may become 80, a slip 50 in each of two fields.
_MOST_CLAUSES, _MOST_LOOSE = 400, 6
_MOST_NAMES, _MOST_NAME_WORDS, _MOST_SLIPS = 16, 8, 7
_LONGEST = 255  # of a token; Lucene cuts longer ones
_LONG_NAME = 5  # letters of a word that may be misspelt
_NO_LANE = "lane:l0"

_QUOTED = re.compile(
    '"([^"]+)"|`([^`]+)`|\u201c([^\u201d]+)\u201d|\u201e([^\u201c\u201d]+)[\u201c\u201d]'
    "|\u00ab([^\u00bb]+)\u00bb|\u2018([^\u2019]+)\u2019|(?<!\\w)'([^']+)'(?!\\w)"
)
_SYMBOL = re.compile(
    r"[\d_/\\@#$=+%&]|\w\.\w|\w::?\w|->|^--?[a-z]|^\.\w|\(\)$"
    "|[a-z\u00df-\u00ff\u0430-\u044f][A-Z\u00c0-\u00de\u0410-\u042f]"
)
_AMOUNT, _LONG_NUMBER = re.compile(r"[\d.,:%$]+"), 6
_AROUND = (
    ".,;:!?'\"`()[]{}<>*|\u2026\u00bb\u00ab\u201c\u201d\u2019\u201e\u2018\u00bf\u00a1"
    "\uff0c\u3002\uff1f\uff01"
)
_BEFORE = _AROUND.replace(".", "")  # `.env`, `./run`
_POSSESSIVE = re.compile("(?:['\u2019]s)+$")
_STANDING = ("{}", "{}.", "{},", "{}:", "{};", "{}?", "{})", "`{}`", '"{}"', "({})")
_PLAIN = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}
_START = 40  # characters in which a text shows that it asks
_VOWEL = re.compile("[aeiouy]")
_SHORTEST = 4  # letters of a word that has an ending


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case; Han and Hiragana as pairs of characters."""
    plain = _plain(text)
    found = _WORD.findall(plain)
    return found if plain.isascii() else [piece for word in found for piece in _pieces(word)]


def _plain(text: str) -> str:
    # Not case-folded: Lucene's analyzers keep letters such as the German sharp s.
    plain = text if text.isascii() else unicodedata.normalize("NFKC", clean(text))
    return plain.lower().replace("\u2019", "'")


def _pieces(word: str) -> Iterable[str]:
    if word.isascii():
        yield word
        return
    for piece in _PIECE.finditer(word):
        pairs = piece[1]
        if pairs and len(pairs) > 1:
            yield from (pairs[at : at + 2] for at in range(len(pairs) - 1))
        else:
            yield piece[0].strip("'.")


def key_terms(question: str) -> tuple[str, ...]:
    """Return the distinct words of a question that carry its meaning, in order, at most 40."""
    found: dict[str, None] = {}
    for word in _words(question):
        term = _owner(word)[:_LONGEST]
        if _has_meaning(term):
            found[term] = None
            if len(found) == _MOST_TERMS:
                break
    return tuple(found)


def _owner(word: str) -> str:
    return _POSSESSIVE.sub("", word) if word.endswith("'s") else word


def _has_meaning(term: str) -> bool:
    if term in STOP_WORDS or term in STOP_PAIRS:
        return False
    head, mark, tail = term.partition("'")
    if mark:
        negated = tail == "t" and head.endswith("n")
        if negated or (head in STOP_WORDS and tail in CLITICS):
            return False
        if head in ELISIONS and tail in STOP_WORDS:
            return False
    return term.isalnum() or any(map(str.isalnum, term))


def exact_tokens(question: str) -> tuple[str, ...]:
    """Return what is to be found as written: symbols, paths, ids, quoted words."""
    question = clean(question)
    shouted = question.isupper()
    found: dict[str, None] = {}
    for raw in UNSPACED.sub(" ", question).split():
        token = _bare(raw)
        if (not shouted and _is_acronym(token)) or _is_symbol(token):
            found[token] = None
    for quoted in _QUOTED.finditer(question):
        for raw in quoted[0].split():
            token = _bare(raw)
            if any(map(str.isalnum, token)) and token.lower() not in STOP_WORDS:
                found[token] = None
    return tuple(found)[:_MOST_EXACT]


def _is_acronym(token: str) -> bool:
    """Tell a name in capitals from an ordinary word that is stressed."""
    word = token.lower()
    capitals = token.isupper() and sum(map(str.isalpha, token)) > 1
    return capitals and word not in ordinary_words() and word not in STOP_WORDS


def _is_symbol(token: str) -> bool:
    """Tell what only a machine would write so; a year or an amount is a word like others."""
    plain = _AMOUNT.fullmatch(token) and len(token) < _LONG_NUMBER
    return not plain and bool(_SYMBOL.search(token)) and any(map(str.isalnum, token))


def _bare(raw: str) -> str:
    """Return a token without what surrounds it in prose, no longer than Lucene's."""
    token = raw.lstrip(_BEFORE)
    head, call, tail = token.rpartition("()")
    token = head + call if head and not tail.strip(_AROUND) else token.rstrip(_AROUND)
    return _POSSESSIVE.sub("", token)[:_LONGEST]


def spellings(tokens: Iterable[str]) -> tuple[str, ...]:
    """Return tokens as they stand in prose too: before a full stop, in backticks, in brackets."""
    return tuple(form.format(token) for token in tokens for form in _STANDING)


def words_query(
    lanes: str | Sequence[str],
    terms: Sequence[str],
    fields: Mapping[str, float],
    *,
    all_terms: bool = False,
) -> str:
    """Return Lucene's text for terms in fields of some lanes; empty when there is none to ask.

    The fields come with how much each counts.
    """
    known = [term for term in terms if any(map(str.isalnum, term))][:_MOST_CLAUSES]
    asked = [_term(term, loose=at < _MOST_LOOSE) for at, term in enumerate(known)]
    if not asked:
        return ""
    joined = _all(asked) if all_terms else " ".join(asked)
    return _within(lanes, [f"{field}:({joined}){_boost(much)}" for field, much in fields.items()])


def _boost(much: float) -> str:
    return "" if much == 1 else f"^{much:g}"


def fuzzy_name_query(lanes: str | Sequence[str], names: Iterable[str]) -> str:
    """Return Lucene's text for entities that bear one of the names, each long word one slip off."""
    asked: list[str] = []
    slips = _MOST_SLIPS
    for name in list(names)[:_MOST_NAMES]:
        parts: list[str] = []
        for word in _name_words(name):
            may_slip = slips > 0 and _may_slip(word)
            slips -= may_slip
            parts.append(f"{''.join(map(_plain_letter, word))}~1" if may_slip else _phrase(word))
        if parts:
            asked += [f"{field}:({_all(parts)})" for field in ("name", "aliases")]
    return _within(lanes, asked)


def _within(lanes: str | Sequence[str], asked: Sequence[str]) -> str:
    """Ask in these lanes alone, without a say in the score.

    A term of which an analyzer leaves nothing is dropped by Lucene, and without any the lane alone
    would find everything; so a lane that nobody has stands beside them.
    """
    own = " ".join(map(_phrase, [lanes] if isinstance(lanes, str) else lanes))
    if not own or not asked:
        return ""
    return f"+lane:({own})^0 +({' '.join(asked)} {_NO_LANE})"


def _all(asked: Iterable[str]) -> str:
    return " ".join(f"+{each}" for each in asked)


def _term(term: str, *, loose: bool) -> str:
    """Write a term; a run of words without spaces is left to the analyzer to take apart."""
    return term[:_LONGEST] if loose and _RUN.fullmatch(term) else _phrase(term)


def _phrase(term: str) -> str:
    """Quote a term, so that nothing in it is syntax but the backslash and the quote."""
    inner = clean(term[:_LONGEST]).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inner}"'


def _name_words(name: str) -> list[str]:
    found = map(_owner, _WORD.findall(_plain(name)[:_LONGEST]))
    return [word for word in found if any(map(str.isalnum, word))][:_MOST_NAME_WORDS]


def _may_slip(word: str) -> bool:
    long = sum(map(str.isalpha, word)) >= _LONG_NAME
    return long and word not in STOP_WORDS and not _BY_CHARACTER.search(word)


@lru_cache(maxsize=1024)
def _plain_letter(letter: str) -> str:
    """Write a Latin letter plainly, as the index of names does, but not for words with a slip."""
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if base.isascii() and base.isalnum() else _PLAIN.get(letter, letter)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return what an English word shares with its other forms; other words as they are."""
    word = _owner(word.casefold())
    head, mark, tail = word.partition("'")
    if mark and head in ELISIONS:
        word = tail
    word = IRREGULAR.get(word, word)
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    return _without_end(_singular(word))


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > _SHORTEST else word[:-1]
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _without_end(word: str) -> str:
    if word.endswith("ied") and len(word) > _SHORTEST:
        return word[:-3] + "y"
    for end in ("ing", "ed"):
        root = word.removesuffix(end)
        if root != word and len(root) > 1 and not word.endswith("eed") and _VOWEL.search(root):
            twice = len(root) > _SHORTEST - 1 and root[-1] == root[-2] and root[-1] not in "aeoulsz"
            return root[:-1] if twice else root if len(root) > 2 else root + "e"  # noqa: PLR2004
    if word.endswith("ly") and len(word) > _SHORTEST + 1:
        word = word[:-2]
    return word.removesuffix("e") if len(word) > _SHORTEST - 1 else word


def matched(terms: Sequence[str], text: str) -> tuple[str, ...]:
    """Return the terms a text has, in any of their forms."""
    plain = _plain(text)
    spaced = plain if plain.isascii() else UNSPACED.sub(" ", plain)
    return tuple(term for term in terms if _occurs(term, plain, spaced))


def coverage(terms: Sequence[str], text: str) -> float:
    """Return the share of the terms that a text has; 0 when there are none."""
    return len(matched(terms, text)) / len(terms) if terms else 0.0


def _occurs(term: str, plain: str, spaced: str) -> bool:
    """Look at the words that begin as the term does: far fewer than the text has."""
    goal, starts = _beginnings(term)
    if not goal:
        return term in plain
    for start in starts:
        at = spaced.find(start)
        while at >= 0:
            if not at or not (spaced[at - 1].isalnum() or spaced[at - 1] == "_"):
                word = _WORD.match(spaced, at)
                if word and stem(word[0]) == goal:
                    return True
            at = spaced.find(start, at + 1)
    return False


@lru_cache(maxsize=4096)
def _beginnings(term: str) -> tuple[str, frozenset[str]]:
    """Return a term's stem and how its forms begin; no stem where words have no ends."""
    if UNSPACED.search(term):
        return "", frozenset()
    goal = stem(term)
    forms = [form for form, base in IRREGULAR.items() if stem(base) == goal]
    return goal, frozenset(form[:2] for form in (term, goal, *forms) if form)


def asks_when(question: str) -> bool:
    """Tell whether a question asks for a time."""
    return bool(WHEN.search(_plain(question)))


def is_question(text: str) -> bool:
    """Tell whether a text asks, by its last mark or its first words."""
    return text.rstrip(CLOSING).endswith(ASKING) or bool(OPENING.match(_plain(text[:_START])))


def has_time(text: str) -> bool:
    """Tell whether a text shows signs of a time: a date, a clock, a month, "last week"."""
    plain = text.lower()
    found = set(plain.translate(BETWEEN_WORDS).split())
    if not TIME_WORDS.isdisjoint(found):
        return True
    if not SPANNING.isdisjoint(found) and SPAN.search(plain):
        return True
    if DATED.search(plain) or (not MONTHS.isdisjoint(found) and MONTH_DAY.search(text)):
        return True
    return not plain.isascii() and bool(TIMES_UNSPACED.search(plain))
