"""Secrets and injected orders in a text: where they are, never what they say."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from time import monotonic
from typing import TYPE_CHECKING, Literal

from neomem.capture.families import Table
from neomem.capture.order_forgeries import ENCODED, FORGERIES, INVISIBLE
from neomem.capture.order_languages import ABROAD
from neomem.capture.order_patterns import ORDERS
from neomem.capture.secret_patterns import SECRETS, SHORTEST_TOKEN, TOKENS
from neomem.text import fingerprint

if TYPE_CHECKING:
    import regex

_Read = tuple[str, set[str]]  # a lower-cased text and its words
_Gaps = list[tuple[int, int]]

LONGEST_PATTERN = 500
MOST_REPEATS = 100_000
PATTERN_SECONDS = 0.05

_WORDED = (ORDERS, ABROAD, FORGERIES)
_RANK = {family.name: rank for rank, family in enumerate((*TOKENS.families, *SECRETS.families))}
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_MARK = re.compile(r"\[secret removed: ([a-z][a-z0-9-]{0,39})\]")
_COUNT = re.compile(r"\{\s*(\d+)")
# Characters that show nothing, and the one whose lower case is two characters.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
_ODD = re.compile(f"[{_INVISIBLE}\u0130]")
_CLUSTER = re.compile("[^\u0300-\u036f][\u0300-\u036f]{1,8}|[^\x00-\x7f]")
_LOOKALIKES = "аеорсухіјѕһԁԛԝαοιρτυκε"
_LATIN = str.maketrans(_LOOKALIKES, "aeopcyxijshdqwaoiptuke")
_MIXED = re.compile(rf"(?<!\w)(?:[a-z]++[{_LOOKALIKES}]|[{_LOOKALIKES}]++[a-z])\w*+")


@dataclass(frozen=True, slots=True)
class Finding:
    """A place in a text and the family of what is there."""

    family: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """All that was found, in order, and the patterns that took too long to tell."""

    secrets: tuple[Finding, ...] = ()
    orders: tuple[Finding, ...] = ()
    timed_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of the user's own."""

    name: str
    kind: Literal["secret", "order"]
    compiled: "regex.Pattern[str]"


def edition(extra: Iterable[Pattern] = ()) -> str:
    """Return a name for the patterns of today: another as soon as one of them is another."""
    tables = (TOKENS, SECRETS, *_WORDED)
    ours = [(each.name, *(p.pattern for p in each.patterns)) for t in tables for each in t.families]
    theirs = [(each.name, each.compiled.pattern) for each in extra]
    return fingerprint(*(part for row in (*ours, *sorted(theirs)) for part in row))


def compile_extra(name: str, pattern: str, kind: Literal["secret", "order"] = "secret") -> Pattern:
    """Make a pattern of the user's own, or raise a ValueError that says what is wrong with it."""
    import regex

    if not _NAME.fullmatch(name) or name in _RANK:
        raise ValueError(f"{name!r} should be a new name of small letters, digits and hyphens")
    if len(pattern) > LONGEST_PATTERN:
        raise ValueError(f"{name} should have at most {LONGEST_PATTERN} characters")
    repeats = 1
    for count in _COUNT.findall(pattern):
        repeats *= max(1, int(count))
    if repeats > MOST_REPEATS:
        raise ValueError(f"{name} should repeat less")
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise ValueError(f"{name} is no regular expression: {error}") from None
    if compiled.search("", timeout=PATTERN_SECONDS):
        raise ValueError(f"{name} should not match the empty string")
    return Pattern(name, kind, compiled)


def scan(text: str, extra: Sequence[Pattern] = ()) -> Verdict:
    """Find secrets and injected orders; what an earlier `mask` has left is never found again."""
    folded = _Folded.of(text)
    plain, low = folded.text, _unmixed(folded.text.lower())
    read = low, set(_WORD.findall(low))
    gaps = _between_marks(plain, {pattern.name for pattern in extra})
    secrets = {*_find(SECRETS, plain, read, gaps)}
    orders = {
        f for table in (ORDERS, ABROAD, FORGERIES) for f in _find(table, low, read, _whole(low))
    }
    if max(map(len, plain.split()), default=0) >= SHORTEST_TOKEN:
        secrets |= {*_find(TOKENS, plain, read, gaps)}
        orders |= {*_find(ENCODED, plain, read, _whole(plain))}
    timed_out: list[str] = []
    for pattern in extra:
        findings = secrets if pattern.kind == "secret" else orders
        try:
            findings.update(_find_extra(pattern, plain, gaps))
        except TimeoutError:
            timed_out.append(pattern.name)
    unseen = () if text.isascii() else _find(INVISIBLE, text, read, _whole(text))
    return Verdict(
        secrets=_sorted(map(folded.origin, secrets)),
        orders=_sorted({*map(folded.origin, orders), *unseen}),
        timed_out=tuple(timed_out),
    )


def mask(text: str, findings: Iterable[Finding]) -> str:
    """Put a mark in the place of each finding; those that overlap share the most telling one."""
    pieces: list[str] = []
    at = 0
    for finding in _united(findings):
        pieces += text[at : finding.start], f"[secret removed: {finding.family}]"
        at = finding.end
    return "".join([*pieces, text[at:]])


def mask_all(text: str, extra: Sequence[Pattern] = ()) -> str:
    """Mask until no secret is found: what is left around a mark may read differently."""
    while secrets := scan(text, extra).secrets:
        text = mask(text, secrets)
    return text


def _find(table: Table, text: str, read: _Read, gaps: _Gaps) -> Iterator[Finding]:
    for family in table.worth_trying(*read):
        for gap in gaps:
            for start, end in family.spans(text, *gap):
                yield Finding(family.name, start, end)


def _find_extra(pattern: Pattern, text: str, gaps: _Gaps) -> Iterator[Finding]:
    deadline = monotonic() + PATTERN_SECONDS
    for start, end in gaps:
        left = max(deadline - monotonic(), 0.001)
        for match in pattern.compiled.finditer(text, start, end, timeout=left):
            if match.end() > match.start():
                yield Finding(pattern.name, match.start(), match.end())


def _whole(text: str) -> _Gaps:
    return [(0, len(text))]


def _between_marks(text: str, names: set[str]) -> _Gaps:
    """Leave out the marks, but only those of families that exist: a forged one hides nothing."""
    edges = [0]
    for mark in _MARK.finditer(text):
        if mark[1] in _RANK or mark[1] in names:
            edges += mark.span()
    edges.append(len(text))
    return list(zip(edges[::2], edges[1::2], strict=True))


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=attrgetter("start", "end", "family")))


def _united(findings: Iterable[Finding]) -> list[Finding]:
    united: list[Finding] = []
    for finding in _sorted(findings):
        if not united or finding.start >= united[-1].end:
            united.append(finding)
            continue
        last = united[-1]
        family = min(last.family, finding.family, key=lambda name: _RANK.get(name, -1))
        united[-1] = Finding(family, last.start, max(last.end, finding.end))
    return united


def _unmixed(low: str) -> str:
    """Write words that mix Latin with letters that only look Latin in Latin."""
    if low.isascii():
        return low
    return _MIXED.sub(lambda word: word[0].translate(_LATIN), low)


@lru_cache(maxsize=4096)
def _fold(cluster: str) -> str:
    if _ODD.fullmatch(cluster):
        return "I" if cluster == "\u0130" else ""
    return unicodedata.normalize("NFKC", cluster).replace("\u0130", "I")


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text in its plainest form, and where each stretch of it comes from."""

    text: str
    starts: Sequence[int] = (0,)
    origins: Sequence[int] = (0,)

    @classmethod
    def of(cls, text: str) -> "_Folded":
        if text.isascii() or (unicodedata.is_normalized("NFKC", text) and not _ODD.search(text)):
            return cls(text)
        pieces: list[str] = []
        starts, origins, at, size = [0], [0], 0, 0
        for match in _CLUSTER.finditer(text):
            plain = _fold(match[0])
            if plain == match[0]:
                continue
            before = text[at : match.start()]
            pieces += before, plain
            at = match.end()
            starts += size + len(before), size + len(before) + len(plain)
            origins += match.start(), at
            size = starts[-1]
        return cls("".join([*pieces, text[at:]]), starts, origins)

    def origin(self, finding: Finding) -> Finding:
        """Give a finding's place in the text as it was."""
        if len(self.starts) == 1:
            return finding
        start, _ = self._place(finding.start)
        _, end = self._place(finding.end - 1)
        return Finding(finding.family, start, end)

    def _place(self, at: int) -> tuple[int, int]:
        """Give the place one character comes from; each second stretch was changed as a whole."""
        stretch = bisect_right(self.starts, at) - 1
        if stretch % 2:
            return self.origins[stretch], self.origins[stretch + 1]
        place = self.origins[stretch] + at - self.starts[stretch]
        return place, place + 1
