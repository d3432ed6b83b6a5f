"""A question as it is asked of the memory: what hooks put around it taken off, and cut to size."""

import re
from collections.abc import Callable

from neomem.text import clean

# Control characters that are no white space, marks of direction and width, broken characters.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069"
    "\ufeff\ufff9-\ufffd]"
)


def clean_question(text: str, strip: Callable[[str], str], longest: int = 1000) -> str:
    """Return the question itself on one line; `strip` takes off what the asker did not say.

    Cleaning what is clean changes nothing, so a cut that bares a new wrapper is cleaned again.
    """
    longest = max(longest, 0)
    text = _once(text, strip, longest)
    while len(again := _once(text, strip, longest)) < len(text):
        text = again
    return again


def _once(text: str, strip: Callable[[str], str], longest: int) -> str:
    seen = _UNSEEN.sub("", clean(strip(text)))
    return _cut(" ".join(seen.split()), longest)


def _cut(text: str, longest: int) -> str:
    """Cut at the last space that leaves at least half; a text without one anywhere."""
    if len(text) <= longest:
        return text
    head = text[:longest]
    if text[longest] != " ":
        space = head.rfind(" ", longest // 2)
        head = head[:space] if space > 0 else head
    return head.rstrip()
