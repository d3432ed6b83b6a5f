"""Markdown in pieces fit to remember, each with its lines, its headings and what came before.

The text falls into blocks, blocks into atoms that are small enough to be repeated, and atoms are
packed into chunks that end where the text itself makes the clearest cut.
"""

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from itertools import accumulate, pairwise
from typing import NamedTuple
from urllib.parse import unquote

from neomem import markdown, tokens

_CONTEXT = 400
"""Characters of what came before that a chunk knows, as a turn knows the one before it."""
_TITLE = 200
"""Characters of a heading that are kept in a path."""


class _Cut(IntEnum):
    """What a cut would part, the cleanest first."""

    HEADING = 0
    BLOCK = 1
    ITEM = 2
    SENTENCE = 3
    LINE = 4
    WORD = 5
    BODY = 6  # a heading from the text under it


_SENTENCE = re.compile(r"""[.!?…]["'”’»)\]*_]*+\s++(?![a-z])|[。！？｡]["'”’」』）]*+\s*+""")
_LINE = re.compile(r"\n")
_PROSE = ((_Cut.SENTENCE, _SENTENCE), (_Cut.LINE, _LINE))
_CODE = ((_Cut.LINE, _LINE),)

_ITEM = re.compile(r"[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]|\|)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*\n?")
_NO_TITLE = re.compile(r"    |[ \t]*(?:\t|>|\||[-=*_]{3})")
_KEY = re.compile(r"""[\w"'.-]+[ \t]*:""")

_CODE_SPAN = re.compile(r"`[^`\n]*`")
_LINKS = re.compile(
    r"""
      (?<!!)\[\[(?P<wiki>[^\[\]\n|\#]+)(?:\#(?P<heading>[^\[\]\n|]*))?[^\[\]\n]*\]\]
    | (?<!!)\[(?:[^\[\]\n]++|\[[^\[\]\n]*+\])*+\]
      \(\s*(?:<(?P<angled>[^<>\n]*)>|(?P<plain>(?:[^\s()<>]|\([^\s()<>]*\))+))
    | ^[ ]{0,3}\[[^\[\]\n]+\]:[ \t]*<?(?P<reference>[^\s<>]+)
    """,
    re.VERBOSE | re.MULTILINE,
)
_WRITTEN = ("wiki", "angled", "plain", "reference")
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_DATE = re.compile(
    r"(?<![0-9])((?:19|20)[0-9]{2})([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])(?![0-9])"
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a file, with 1-based lines, the path of headings, and the text before it."""

    text: str
    line_from: int
    line_to: int
    headings: tuple[str, ...]
    context: str


class Link(NamedTuple):
    """A link to another file: its path, the heading it names if any, and where it is written."""

    path: str
    heading: str
    written: str
    line: int


_Part = tuple[int, int, _Cut]


class _Block(NamedTuple):
    start: int
    end: int
    cut: _Cut
    path: tuple[str, ...]
    whole: bool
    """Kept in one piece where that fits: code, a comment, the front matter."""


class _Atom(NamedTuple):
    start: int
    end: int
    cut: _Cut
    path: tuple[str, ...]
    weight: int


class _Span(NamedTuple):
    """Atoms of one chunk: from `lead`, the overlap, and from `first`, its own, to before `end`."""

    lead: int
    first: int
    end: int


def split(text: str, *, size: int = 400, overlap: int = 80) -> list[Chunk]:
    """Return a text's chunks of about `size` tokens, at most `overlap` of them said before.

    What cannot be cut well, such as a block of code, may make a chunk half as large again, never
    larger. Nothing is repeated beyond a heading; the context ends where the chunk begins.
    """
    if not 0 <= overlap < size:
        raise ValueError("a chunk has a size, and an overlap smaller than it")
    source = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = markdown.lines(source)
    starts = list(accumulate(map(len, lines), initial=0))
    atoms = list(_atoms(source, _blocks(lines, starts), size, overlap))
    chunks: list[Chunk] = []
    before = 0
    for lead, first, end in _spans(atoms, size * tokens.WHOLE, overlap * tokens.WHOLE):
        if source[atoms[first].start : atoms[end - 1].end].strip():
            start, stop = _trimmed(source, atoms[lead].start, atoms[end - 1].end)
            lines_of = bisect_right(starts, start), bisect_right(starts, stop - 1)
            context = _tail(source, before, atoms[lead].start)
            chunks.append(
                Chunk(source[start:stop], *lines_of, _shared_path(atoms[first:end]), context)
            )
        before = atoms[lead].start
    return chunks


def _trimmed(source: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the blank lines around it; the first line keeps its indent."""
    body = source[start:end]
    blank = len(body) - len(body.lstrip())
    return start + body.rfind("\n", 0, blank) + 1, start + len(body.rstrip())


def _tail(source: str, start: int, end: int) -> str:
    """Return the last words of a span."""
    if end - start <= _CONTEXT:
        return source[start:end].strip()
    tail = source[end - _CONTEXT - 1 : end]
    _, _, whole_words = tail.partition(" ")
    return (whole_words or tail[1:]).strip()


def _shared_path(atoms: Sequence[_Atom]) -> tuple[str, ...]:
    """Return the headings that all of a chunk stands under, but for what precedes any heading."""
    paths = list(dict.fromkeys(atom.path for atom in atoms if atom.path)) or [()]
    deep = 0
    while all(path[deep : deep + 1] == paths[0][deep : deep + 1] != () for path in paths):
        deep += 1
    return paths[0][:deep]


def _blocks(lines: Sequence[str], starts: Sequence[int]) -> Iterator[_Block]:
    headings: dict[int, str] = {}
    cut = _Cut.BLOCK
    at = 0
    while at < len(lines):
        end = _whole_end(lines, at)
        whole = end > at
        found = None if whole else _heading(lines, at)
        if found:
            level, title, end = found
            headings = {k: v for k, v in headings.items() if k < level} | {level: title}
            cut = _Cut.HEADING
        elif not whole:
            end = _text_end(lines, at)
            cut = cut if cut is _Cut.BODY or not _ITEM.match(lines[at]) else _Cut.ITEM
        end = _skip_blank(lines, end)
        path = tuple(title for title in headings.values() if title)
        yield _Block(starts[at], starts[end], cut, path, whole)
        cut = _Cut.BODY if found else _Cut.BLOCK
        at = end


def _whole_end(lines: Sequence[str], at: int) -> int:
    """Return the line after front matter, a fence or a comment that begins at `at`, else `at`."""
    return (at == 0 and _front_matter(lines)) or markdown.enclosed(lines, at)


def _front_matter(lines: Sequence[str]) -> int:
    """Return the line after the front matter, 0 if the text has none."""
    if lines[0].rstrip() != "---":
        return 0
    ends = (n for n, line in enumerate(lines) if n and line.rstrip() in {"---", "..."})
    end = next(ends, 0)
    words = [line for line in lines[1:end] if line.strip() and not line.startswith("#")]
    return end + 1 if words and _KEY.match(words[0]) else 0


def _heading(lines: Sequence[str], at: int) -> tuple[int, str, int] | None:
    """Return the level, the words and the line after a heading, of either form."""
    found = markdown.heading(lines[at])
    if found:
        return found[0], found[1][:_TITLE], at + 1
    title = lines[at].strip()
    if not title or at + 1 == len(lines) or _ITEM.match(lines[at]) or _NO_TITLE.match(lines[at]):
        return None
    line = _UNDERLINE.fullmatch(lines[at + 1])
    return (1 if line[1][0] == "=" else 2, title[:_TITLE], at + 2) if line else None


def _text_end(lines: Sequence[str], at: int) -> int:
    """Return the line after a paragraph or an item that begins at `at`."""
    for end in range(at + 1, len(lines)):
        line = lines[end]
        if not line.strip() or _ITEM.match(line) or markdown.heading(line):
            return end
        if markdown.enclosed(lines[end : end + 1], 0):
            return end
    return len(lines)


def _skip_blank(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def _atoms(source: str, blocks: Iterator[_Block], size: int, overlap: int) -> Iterator[_Atom]:
    """Yield the blocks in parts small enough to be repeated, or for a good cut to be near."""
    room = min(size // 2, max(overlap, size // 5)) * tokens.WHOLE
    for block in blocks:
        largest = size * tokens.WHOLE * 3 // 2 if block.whole else room
        if tokens.weight(source[block.start : block.end]) <= largest:
            parts = iter([(block.start, block.end, block.cut)])
        else:
            parts = _cut_up(source, block, room)
        for start, end, cut in parts:
            yield _Atom(start, end, cut, block.path, tokens.weight(source[start:end]))


def _cut_up(source: str, block: _Block, room: int) -> Iterator[_Part]:
    said = block.start + len(source[block.start : block.end].rstrip())
    levels = _CODE if block.whole else _PROSE
    yield from _parts(source, (block.start, said, block.cut), room, levels)
    yield from _words(source, (said, block.end, _Cut.LINE), room)


def _parts(
    source: str, part: _Part, room: int, levels: Sequence[tuple[_Cut, re.Pattern[str]]]
) -> Iterator[_Part]:
    start, end, cut = part
    if tokens.weight(source[start:end]) <= room:
        yield part
    elif not levels:
        yield from _words(source, part, room)
    else:
        (kind, pattern), *finer = levels
        edges = (start, *(found.end() for found in pattern.finditer(source, start, end)), end)
        for left, right in pairwise(edges):
            if left < right:
                yield from _parts(
                    source, (left, right, cut if left == start else kind), room, finer
                )


def _words(source: str, part: _Part, room: int) -> Iterator[_Part]:
    """Yield as much as fits, cut at a space if there is one, else anywhere."""
    at, end, cut = part
    while at < end:
        stop = min(end, at + max(1, room // 10))
        while stop > at + 1 and (weight := tokens.weight(source[at:stop])) > room:
            stop = at + max(1, (stop - at) * room // weight)
        middle = (at + stop) // 2
        space = max(source.rfind(mark, middle, stop) for mark in " \t\n\u3000")
        if stop < end and space > at:
            stop = space + 1
        yield at, stop, cut
        at, cut = stop, _Cut.WORD


def _spans(atoms: Sequence[_Atom], size: int, overlap: int) -> Iterator[_Span]:
    lead = first = 0
    while first < len(atoms):
        end = _end(atoms, lead, first, size)
        yield _Span(lead, first, end)
        lead, first = _lead(atoms, first, end, (size, overlap)), end


def _end(atoms: Sequence[_Atom], lead: int, first: int, size: int) -> int:
    """Return where a chunk ends: at a heading once it says something, or when it is full."""
    filled = list(accumulate((atom.weight for atom in atoms[lead:first]), initial=0))
    for at in range(first, len(atoms)):
        if atoms[at].cut is _Cut.HEADING and filled[-1] >= size // 4:
            return at
        filled.append(filled[-1] + atoms[at].weight)
        if filled[-1] > size:
            break
    else:
        return len(atoms)
    late = [n for n in range(first + 1, at + 1) if filled[n - lead] >= size // 2]
    if late:
        return min(late, key=lambda n: (atoms[n].cut, -n))
    # Only what is kept whole is so large: it may reach beyond the size, or is left to the next.
    return at + 1 if at == first or filled[-1] <= size * 3 // 2 else at


def _lead(atoms: Sequence[_Atom], first: int, end: int, limits: tuple[int, int]) -> int:
    """Return the atom from which the chunk before is repeated in the one that begins at `end`."""
    if end == len(atoms) or atoms[end].cut is _Cut.HEADING:
        return end
    size, overlap = limits
    room = min(overlap, size - atoms[end].weight)
    lead = end
    while lead - 1 > first and atoms[lead - 1].weight <= room:
        lead -= 1
        room -= atoms[lead].weight
        if atoms[lead].cut is _Cut.HEADING:
            break
    return lead


def links(text: str, base: str) -> list[str]:
    """Return the other files a text links to, as paths from the folder that `base` is a path from.

    A `[[wiki]]` link means the file of that name beside it. Images, addresses, code and what lies
    outside the folder are left out.
    """
    return list(dict.fromkeys(link.path for link in placed_links(text, base)))


def placed_links(text: str, base: str) -> Iterator[Link]:
    """Yield the links that `links` tells of, with the lines they are written in."""
    lines = markdown.lines(text)
    at = 0
    read: list[str] = []
    while at < len(lines):
        end = markdown.enclosed(lines, at)
        read += [_CODE_SPAN.sub("` `", lines[at])] if end == at else ["\n"] * (end - at)
        at = max(end, at + 1)
    starts = list(accumulate(map(len, read), initial=0))
    for found in _LINKS.finditer("".join(read)):
        group = next(name for name in _WRITTEN if found[name] is not None)
        path = _target(found, base)
        if path and path != base:
            heading = found["heading"] or found[group].partition("#")[2]
            line = bisect_right(starts, found.start(group))
            yield Link(path, unquote(heading).strip(), found[group], line)


def _target(link: re.Match[str], base: str) -> str | None:
    wiki = (link["wiki"] or "").strip().rstrip("\\")
    written = wiki or link["angled"] or link["plain"] or link["reference"] or ""
    path = unquote(re.split("[?#]", written, maxsplit=1)[0])
    if not path.isprintable() or path.endswith("/") or _ELSEWHERE.match(path):
        return None
    if wiki and not posixpath.splitext(wiki)[1]:
        path += ".md"
    found = posixpath.normpath(posixpath.join(posixpath.dirname(base), path).lstrip("/"))
    return None if not path or found.split("/")[0] in {".", ".."} else found


def dated(path_name: str) -> date | None:
    """Return the date in a file's name, as in 2026-01-02-notes.md or notes_20260102.md."""
    for year, _, month, day in _DATE.findall(posixpath.basename(path_name)):
        try:
            return date(int(year), int(month), int(day))
        except ValueError:  # no such day, as 30 February
            continue
    return None
