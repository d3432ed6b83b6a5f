"""Texts as they come: made fit for models, words that are no names."""

import re
from functools import cache
from importlib import resources

_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Return text that any model takes, of the same length: no halves of characters, no NUL."""
    return _SURROGATE.sub("\ufffd", text).replace("\0", " ")


@cache
def ordinary_words() -> frozenset[str]:
    """Words, in lower case, that a capital at the start of a sentence does not make a name."""
    file = resources.files("neomem") / "ordinary_words.txt"
    return frozenset(file.read_text(encoding="ascii").split())
