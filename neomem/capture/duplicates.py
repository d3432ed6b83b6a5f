"""Do two texts say the same? Near in meaning is not enough: what differs decides.

Word by word they must be the same, but for words that carry nothing, the forms a word or a number
may have, and a clause that stands elsewhere. All else may be a difference: another number or name,
a negation, a condition, who does what to whom.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise

from neomem.text import normalise, word_set

_TOKEN = re.compile(
    r"\d+(?:[.:/]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)?|[%$€£@#+<>=/&*^~?-]"
    "|[\u2190-\u2bff\U0001f000-\U0001faff]"  # arrows, signs, emoji: ✅ is not ❌
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_MARKS = re.compile(r"[\s_;!'\"()、。「」『』・…]+|(?<!\d)[.,:]+|[.,:]+(?!\d)")
_SENTENCE_END = re.compile(
    r"[.!;:,\"'`()\[\]]+(?=\s|$)|(?<=\s)[\"'`(\[]|^[\"'`(\[]|(?<!\w)-+(?!\w)"
)

_EMPTY = word_set(
    "a an the that also just really very well so then please note remember fyi btw indeed actually "
    "basically simply quite der die das ein eine einen dem den le la les un une el los las una"
)
"""Words that may be there or not."""
_EMPTY_STARTS = (
    ("do", "not", "forget"),
    ("keep", "in", "mind"),
    ("as", "far", "as", "i", "know"),
    ("the", "user", "said"),
    ("user", "said"),
    ("for", "the", "record"),
)
_PERFECT, _PARTICIPLES = word_set("have has"), ("ed", "en", "own", "one", "ought", "aught", "een")
"""`has moved` is `moved`; `has a house` is not `a house`."""
_WHOLE = {
    **dict.fromkeys(("is", "are", "am"), "be"),
    **dict.fromkeys(("was", "were"), "was"),
    "percent": "%",
    "per cent": "%",
    "&": "and",
    "cannot": "can not",
    "ok": "okay",
    "euro": "€",
    "euros": "€",
    "dollar": "$",
    "dollars": "$",
    "pound": "£",
    "pounds": "£",
}
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        (  # as they are spoken
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
            *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
            *("seventeen", "eighteen", "nineteen", "twenty"),
        )
    )
}
_SHORT = {"n't": "not", "'m": "be", "'re": "be", "'ve": "have", "'ll": "will", "'d": "would"}
_IRREGULAR_NOT = {"can't": ("can", "not"), "won't": ("will", "not"), "shan't": ("shall", "not")}
_MOVABLE = word_set(
    "in on at by for with since during until till because when while if unless after before every "
    "each today yesterday tomorrow tonight now currently usually always often sometimes monday "
    "tuesday wednesday thursday friday saturday sunday last next this as although once whenever "
    "am um im bei seit wenn weil heute gestern morgen en dans le à depuis quand si hier demain "
    "cuando desde hoy ayer mañana"
)
"""Words that begin a clause which may stand before or after the rest."""
_SHORTEST = 4

_NOT = word_set(
    "no not never none nothing nobody neither nor without cannot hardly stopped quit anymore "
    "unlike nicht kein keine keinen keiner nie niemals ohne ne pas jamais aucun sans nunca jamás "
    "ningún sin "
    "не нет никогда без non mai nessuno senza não nenhum sem لا ليس لم"
)


def say_the_same(one: str, other: str) -> bool:
    """Tell whether nothing that matters differs between two texts."""
    if _UNSPACED.search(one) or _UNSPACED.search(other):
        return _MARKS.sub("", normalise(one)) == _MARKS.sub("", normalise(other))
    first, second = _words(one), _words(other)
    if not first or not second:
        return normalise(one) == normalise(other)
    return first == second or _clause_moved(first, second)


def may_say_the_same(one: str, other: str) -> bool:
    """Tell whether somebody may be asked: at least numbers and negations are the same."""
    return _numbers(one) == _numbers(other) and _negations(one) == _negations(other)


def _words(text: str) -> list[str]:
    """Return what a text says, word by word, in one form each."""
    plain = unicodedata.normalize("NFKD", normalise(text).replace("’", "'"))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    plain = _THOUSANDS.sub("", plain)
    asks = plain.rstrip("\"' )").endswith("?")
    tokens = [
        part for word in _TOKEN.findall(_SENTENCE_END.sub(" ", plain)) for part in _parts(word)
    ]
    tokens = [word for word in _started(tokens) if word not in _EMPTY and word != "?"]
    kept = [
        _form(word)
        for word, after in pairwise([*tokens, ""])
        if not (word in _PERFECT and after.endswith(_PARTICIPLES))
    ]
    return [*kept, *(["?"] if asks else [])]


def _parts(word: str) -> Iterable[str]:
    """Take a contraction apart; an owner's `'s` stays, since who owns decides."""
    if word in _IRREGULAR_NOT:
        return _IRREGULAR_NOT[word]
    for end, whole in _SHORT.items():
        if word.endswith(end) and len(word) > len(end):
            return word.removesuffix(end), whole
    if word in {"it's", "that's", "he's", "she's", "there's", "what's", "who's", "where's"}:
        return word.removesuffix("'s"), "is"
    return (_WHOLE.get(word, word),) if word != "cannot" else ("can", "not")


def _started(tokens: list[str]) -> list[str]:
    for start in _EMPTY_STARTS:
        if tuple(tokens[: len(start)]) == start and len(tokens) > len(start) + 1:
            return tokens[len(start) :]
    return tokens


def _form(word: str) -> str:
    word = _NUMBERS.get(_WHOLE.get(word, word), _WHOLE.get(word, word))
    if len(word) < _SHORTEST or not word.isalpha():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _clause_moved(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether the texts differ in where one clause stands, and in nothing else."""
    if len(one) != len(other):
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), len(one))
    end = len(one)
    while end > start and one[end - 1] == other[end - 1]:
        end -= 1
    first, second = list(one[start:end]), list(other[start:end])
    return any(
        first[at:] + first[:at] == second and (first[0] in _MOVABLE or first[at] in _MOVABLE)
        for at in range(1, len(first))
    )


def _numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+(?:[.,:]\d+)*", text))


def _negations(text: str) -> int:
    """Count negations; scripts without spaces by their characters."""
    plain = normalise(text).replace("’", "'")
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", plain)
    count = sum(word in _NOT or word.endswith("n't") for word in words)
    return count + sum(plain.count(sign) for sign in ("不", "没", "沒", "ない", "ません"))
