"""Secrets taken out of a whole file, line by line as it was."""

from collections.abc import Iterator, Sequence

from neomem.capture import guard
from neomem.capture.guard import Finding, Pattern

MARGIN = 20_000
"""Characters within which any secret ends: so much is read beyond what is judged."""
_STRETCH = 200_000  # characters judged at a time: a pattern's time is limited


def plain_lines(text: str) -> str:
    """Return a text with every line ended by LF alone."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def mask_lines(text: str, patterns: Sequence[Pattern] = ()) -> str:
    """Mask a text's secrets; every line that holds none keeps its number."""
    while secrets := sorted(_secrets(text, patterns), key=lambda found: (found.start, found.end)):
        text = _masked(text, secrets)
    return text


def _secrets(text: str, patterns: Sequence[Pattern]) -> set[Finding]:
    """Find secrets in stretches that overlap, so that one between two is seen whole."""
    found: set[Finding] = set()
    for start in range(0, len(text), _STRETCH):
        first = max(0, start - MARGIN)
        stretch = text[first : start + _STRETCH + MARGIN]
        found.update(
            Finding(each.family, first + each.start, first + each.end)
            for each in guard.scan(stretch, patterns).secrets
        )
    return found


def _masked(text: str, secrets: Sequence[Finding]) -> str:
    pieces: list[str] = []
    at = 0
    for group in _overlapping(secrets):
        start, end = group[0].start, max(each.end for each in group)
        inside = [Finding(each.family, each.start - start, each.end - start) for each in group]
        lost = text.count("\n", start, end)
        pieces += text[at:start], guard.mask(text[start:end], inside), "\n" * lost
        at = end
    return "".join([*pieces, text[at:]])


def _overlapping(secrets: Sequence[Finding]) -> Iterator[list[Finding]]:
    group: list[Finding] = []
    for each in secrets:
        if group and each.start >= max(other.end for other in group):
            yield group
            group = []
        group.append(each)
    if group:
        yield group
