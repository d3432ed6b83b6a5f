"""Do two texts say the same? Near in meaning is not enough: what differs decides."""

import re

from neomem.text import normalise, word_set

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


_NOT = word_set(
    "no not never none nothing nobody neither nor without cannot can't don't doesn't didn't won't "
    "isn't aren't wasn't weren't hasn't haven't hadn't shouldn't wouldn't couldn't stopped quit "
    "anymore unlike nicht kein keine keinen keiner nie niemals ohne ne pas jamais aucun sans nunca "
    "jamás ningún sin не нет никогда без non mai nessuno senza não nenhum sem لا ليس لم"
)
_DATES = word_set(
    "today yesterday tomorrow tonight monday tuesday wednesday thursday friday saturday sunday "
    "january february march april may june july august september october november december spring "
    "summer autumn fall winter morning evening week month year last next"
)


def say_the_same(one: str, other: str, names: frozenset[str], others: frozenset[str]) -> bool:
    """Tell whether nothing that matters differs: numbers, dates, negation, names."""
    return (
        names == others
        and _numbers(one) == _numbers(other)
        and _words(one) & _DATES == _words(other) & _DATES
        and _negations(one) == _negations(other)
    )


def _numbers(text: str) -> list[str]:
    return sorted(_NUMBER.findall(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(normalise(text).replace("’", "'")))


def _negations(text: str) -> int:
    """Count negations; scripts without spaces by their characters."""
    plain = normalise(text).replace("’", "'")
    words = sum(word in _NOT for word in _WORD.findall(plain))
    return words + sum(plain.count(sign) for sign in ("不", "没", "沒", "ない", "ません"))
