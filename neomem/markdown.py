"""Markdown as far as neomem reads it: lines, headings, and what is fenced off from both."""

import re
from collections.abc import Sequence

_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]+")
_ATX = re.compile(r" {0,3}(#{1,6})(?=\s|$)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_COMMENT = re.compile(r" {0,3}<!--")


def lines(text: str) -> list[str]:
    """Return the lines of a text with their ends (LF, CRLF or CR), as an editor counts them."""
    return _LINE.findall(text)


def heading(line: str) -> tuple[int, str] | None:
    """Return the level and the words of a line that begins with `#`s."""
    marks = _ATX.match(line)
    if not marks:
        return None
    title = line[marks.end() :].strip()
    bare = title.rstrip("#")
    closed = not bare or bare[-1].isspace()
    return len(marks[1]), bare.rstrip() if closed else title


def enclosed(lines: Sequence[str], at: int) -> int:
    """Return the line after a fence or comment that begins at `at`; `at` itself if none does.

    One that is never closed goes on to the end.
    """
    inside = range(at + 1, len(lines))
    comment = _COMMENT.match(lines[at])
    if comment:
        if "-->" in lines[at][comment.end() :]:
            return at + 1
        return next((n + 1 for n in inside if "-->" in lines[n]), len(lines))
    fence = _FENCE.match(lines[at])
    if not fence or (fence[1][0] == "`" and "`" in lines[at][fence.end() :]):
        return at
    return next((n + 1 for n in inside if _closes(lines[n], fence[1], lines[at])), len(lines))


def _closes(line: str, mark: str, opening: str) -> bool:
    bare = line.strip()
    same = len(bare) >= len(mark) and bare == mark[0] * len(bare)
    return same and _indent(line) <= _indent(opening) + 3


def _indent(line: str) -> int:
    margin = line[: len(line) - len(line.lstrip(" \t"))]
    return len(margin.expandtabs(4))
