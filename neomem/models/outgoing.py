"""Texts on their way to an endpoint: made sendable, cut to a model's limit, put into requests."""

import re
from collections.abc import Generator, Sequence

from neomem.text import clean

MAX_TOKENS = 8191
"""What OpenAI's models take; other servers' limits are not known from here."""

_MARKS = 2  # tokens a model puts around a text
_REQUEST_CHARACTERS = 200_000  # OpenAI takes 300,000 tokens in one request
_PIECE = re.compile(r" ?[A-Za-z]{1,4}|\s{1,8}|.", re.DOTALL)


def embeddable(text: str) -> str:
    """Return the clean text; for a blank one, which servers refuse, a token that says nothing."""
    cleaned = clean(text)
    return cleaned if cleaned.strip() else "."


def cut(text: str, tokens: int) -> str:
    """Return as much of a text as fits, by an estimate that rather counts a token too many."""
    left = tokens - _MARKS
    if len(text.encode()) <= left:
        return text
    for piece in _PIECE.finditer(text):
        left -= 1 if piece[0].isascii() else max(1, len(piece[0].encode()) - 1)
        if left < 0:
            return text[: piece.start()]
    return text


def batches(texts: Sequence[str], most: int) -> Generator[slice]:
    """Yield the slices of texts that go into one request each."""
    start = size = 0
    for at, text in enumerate(texts):
        if at - start == most or (at > start and size + len(text) > _REQUEST_CHARACTERS):
            yield slice(start, at)
            start, size = at, 0
        size += len(text)
    if texts:
        yield slice(start, len(texts))
