"""Transcripts of agents and people, line by line, as turns.

What cannot be read is a Problem that names the line and repeats none of it. Nothing raises, and
no more than one line or turn is held at a time.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import cast

from neomem.capture import gate
from neomem.text import clean

LONGEST_LINE = 10_000_000  # characters
LONGEST_TURN = 1_000_000
KINDS = frozenset(
    ("fact", "preference", "decision", "event", "lesson", "turn", "chunk", "summary", "other")
)

_LOOKED_AT = 50  # lines, to tell the format
_ROLES = {
    **dict.fromkeys(("user", "human", "me"), "user"),
    **dict.fromkeys(("assistant", "ai", "bot", "agent", "model"), "assistant"),
    **dict.fromkeys(("system", "tool", "developer"), ""),
}
_NOT_SAID = ("isMeta", "isSidechain", "isCompactSummary", "isApiErrorMessage")
_BYTE = re.compile("[\udc80-\udcff]")  # what decoding leaves of a byte that is no UTF-8
_DATE = r"(?=[^\])]{0,60}(?:\b\d{4}\b|\d:\d\d|\d[./-]\d))[^\])]{4,60}"
_WORD = r"[^\W\d_a-z][^\s:\uff1a\[\]()]{0,30}"
_NAMED = re.compile(
    rf"""
    (?:\[(?P<before>{_DATE})\]\s* | (?P<dashed>\d[\d./,:\ ]{{7,22}}(?:[AaPp][Mm])?)\ -\ )?
    (?!(?i:note|notes|todo|ps|warning|error|info|update|edit|tip|example|remember|https?)\b)
    (?P<name>[a-z][\w.-]{{0,20}}
      |{_WORD}(?:\ (?:(?:de|da|di|la|le|van|von|der|den|el|al|bin)\ ){{0,2}}(?:{_WORD}|\d+)){{0,3}})
    (?:\s*[\[(](?P<after>{_DATE})[\])])?
    (?::(?:\s+|$)|\uff1a)
    """,
    re.VERBOSE,
)
_DAY = re.compile(rf"\[(?P<date>{_DATE})\]\s*")


class Format(StrEnum):
    """A kind of transcript."""

    CLAUDE_CODE = "claude-code"
    OPENCLAW = "openclaw"
    JSONL = "jsonl"
    NAMED = "named"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one said, or without a session a memory; `position` orders the turns of a session."""

    text: str
    session: str | None = None
    position: int
    external_id: str | None = None
    speaker: str | None = None
    role: str | None = None
    said: str | None = None
    title: str | None = None
    kind: str | None = None
    importance: float | None = None
    about: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A line, counted from 1, that cannot be read, and why, without its content."""

    line_number: int
    reason: str


class _Unreadable(Exception):
    """Why a line cannot be read."""


_Object = Mapping[str, object]
_Parse = Callable[[_Object, int, str | None], Turn | None]


def lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Split bytes as they come into lines, each cut above the longest that can be read."""
    most = 4 * LONGEST_LINE + 1  # of at most four bytes a character
    held = bytearray()
    for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            held += piece[: most - len(held)]
            yield held.decode(errors="surrogateescape")
            held.clear()
        held += rest[: most - len(held)]
    if held:
        yield held.decode(errors="surrogateescape")


def detect(first_lines: Iterable[str], file_name: str = "") -> Format | None:
    """Tell the format from the first lines and the file's name; None when it is no transcript."""
    named = seen = 0
    for line in islice(first_lines, _LOOKED_AT):
        plain = line.strip("\ufeff\r\n\t ")
        if plain.startswith("{") and (form := _form(plain)):
            return form
        if plain and not _DAY.fullmatch(plain):
            seen += 1
            named += bool(_NAMED.match(plain))
    if file_name.lower().endswith((".jsonl", ".ndjson")):
        return Format.JSONL
    return Format.NAMED if named and (named > 1 or seen == 1) else None


def read(
    lines: Iterable[str], form: Format, session: str | None = None
) -> Iterator[Turn | Problem]:
    """Read turns one by one; `session` is theirs where the transcript names none."""
    if form is Format.NAMED:
        yield from _read_named(lines, session)
        return
    parse: _Parse = {
        Format.CLAUDE_CODE: _claude_code,
        Format.OPENCLAW: _openclaw,
        Format.JSONL: _plain,
    }[form]
    for number, line in _readable(lines):
        if isinstance(line, Problem):
            yield line
            continue
        try:
            entry = _object(line)
            if form is Format.OPENCLAW and entry.get("type") == "session":
                session = _string(entry, "id") or session
            elif turn := parse(entry, number, session):
                yield turn
        except _Unreadable as reason:
            yield Problem(number, str(reason))


def spoken(turn: Turn) -> str:
    """Return what was said with what was shown."""
    return " ".join([turn.text, *(f"[image: {caption}]" for caption in turn.captions)]).strip()


def _readable(lines: Iterable[str]) -> Iterator[tuple[int, str | Problem]]:
    """Give the lines that are not empty; one in another encoding comes with a Problem."""
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            yield number, Problem(number, "it is too long")
            continue
        if _BYTE.search(line):
            yield number, Problem(number, "it is not UTF-8; what cannot be read was replaced")
        plain = clean(line).strip("\ufeff\r\n")
        if plain and not plain.isspace():
            yield number, plain


def _object(line: str) -> _Object:
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        raise _Unreadable("it is not valid JSON") from None
    if not isinstance(value, dict):
        raise _Unreadable("it is not a JSON object")
    return cast("_Object", value)


def _form(line: str) -> Format | None:
    try:
        entry = _object(line)
    except _Unreadable:
        return None
    kind, message = entry.get("type"), entry.get("message")
    if "sessionId" in entry or "leafUuid" in entry or kind == "file-history-snapshot":
        return Format.CLAUDE_CODE
    if isinstance(message, dict) and kind in ("user", "assistant"):
        return Format.CLAUDE_CODE
    if kind == "session" or (isinstance(message, dict) and kind == "message"):
        return Format.OPENCLAW
    return Format.JSONL if "text" in entry else None


def _claude_code(entry: _Object, number: int, session: str | None) -> Turn | None:
    role = _kind(entry)
    if role not in {"user", "assistant"} or any(entry.get(mark) for mark in _NOT_SAID):
        return None
    return _turn(
        Turn(
            text=_said(_message(entry)),
            session=_string(entry, "sessionId") or session,
            position=number,
            external_id=_string(entry, "uuid"),
            role=role,
            said=_string(entry, "timestamp"),
        )
    )


def _openclaw(entry: _Object, number: int, session: str | None) -> Turn | None:
    if _kind(entry) != "message":
        return None
    message = _message(entry)
    role = _string(message, "role")
    if role not in {"user", "assistant"}:
        return None
    return _turn(
        Turn(
            text=_said(message),
            session=session,
            position=number,
            external_id=_string(entry, "id"),
            role=role,
            said=_string(entry, "timestamp"),
        )
    )


def _turn(turn: Turn) -> Turn | None:
    """Leave out a turn in which nothing was said."""
    return turn if turn.text else None


def _kind(entry: _Object) -> str:
    kind = _string(entry, "type")
    if kind is None:
        raise _Unreadable("it has no type")
    return kind


def _message(entry: _Object) -> _Object:
    message = entry.get("message")
    if not isinstance(message, dict):
        raise _Unreadable("it has no message")
    return cast("_Object", message)


def _said(message: _Object) -> str:
    """Return the text of a message, without tool traffic, thinking and what was injected."""
    content = message.get("content")
    blocks = cast("list[object]", content) if isinstance(content, list) else [content]
    return gate.strip("\n\n".join(filter(None, map(_block_text, blocks))))


def _block_text(block: object) -> str:
    if isinstance(block, dict):
        fields = cast("_Object", block)
        block = fields.get("text") if fields.get("type") == "text" else ""
    if not isinstance(block, str):
        raise _Unreadable("its content is neither text nor blocks")
    return clean(block)


def _plain(entry: _Object, number: int, _session: str | None) -> Turn | None:
    text, captions = (_string(entry, "text") or "").strip(), _strings(entry, "image_caption")
    if not text and not captions:
        raise _Unreadable("it has no text")
    kind, importance = _string(entry, "kind"), entry.get("importance")
    if kind is not None and kind not in KINDS:
        raise _Unreadable(f"kind should be one of {', '.join(sorted(KINDS))}")
    if importance is not None and not _is_share(importance):
        raise _Unreadable("importance should be a number from 0 to 1")
    return Turn(
        text=text,
        session=_string(entry, "session"),
        position=number,
        external_id=_string(entry, "id") or _string(entry, "_id"),
        speaker=_string(entry, "speaker"),
        role=_string(entry, "role"),
        said=_string(entry, "date"),
        title=_string(entry, "title"),
        kind=kind,
        importance=None if importance is None else float(cast("float", importance)),
        about=_strings(entry, "about"),
        links=_strings(entry, "links"),
        captions=captions,
    )


def _is_share(value: object) -> bool:
    return type(value) in {int, float} and 0 <= cast("float", value) <= 1


def _string(entry: _Object, field: str) -> str | None:
    """Return a field of words; a number, as ids and dates may be, as it is written."""
    value = entry.get(field)
    if value is None or value == "":
        return None
    if type(value) is int or (type(value) is float and math.isfinite(value)):
        return str(value)
    if not isinstance(value, str):
        raise _Unreadable(f"{field} should be a string")
    return clean(value)


def _strings(entry: _Object, field: str) -> tuple[str, ...]:
    value = entry.get(field)
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    found = (_string({field: item}, field) for item in items)
    return tuple(item for item in found if item and item.strip())


def _read_named(lines: Iterable[str], session: str | None) -> Iterator[Turn | Problem]:
    """Read `name: text` lines; a line with no name goes on with what was said before."""
    turn: Turn | None = None
    held: list[str] = []
    day: str | None = None
    size = 0
    for number, line in _readable(lines):
        if isinstance(line, Problem):
            yield line
        elif alone := _DAY.fullmatch(line):
            day = alone["date"]
        elif named := _NAMED.match(line):
            yield from _finished(turn, held)
            turn, held, size = _begun(named, number, session, day), [line[named.end() :]], len(line)
        elif turn is None:
            yield Problem(number, "it names no speaker")
        else:
            if size > LONGEST_TURN:
                yield from _finished(turn, held)
                turn, held, size = _going_on(turn, number), [], 0
            held.append(line)
            size += len(line) + 1
    yield from _finished(turn, held)


def _begun(named: re.Match[str], number: int, session: str | None, day: str | None) -> Turn:
    name = named["name"].strip()
    role = _ROLES.get(name.lower())
    return Turn(
        text="",
        session=session,
        position=number,
        speaker=name if role is None else None,
        role=role,
        said=named["before"] or named["dashed"] or named["after"] or day,
    )


def _going_on(turn: Turn, number: int) -> Turn:
    return replace(turn, position=number)


def _finished(turn: Turn | None, held: list[str]) -> Iterator[Turn]:
    text = "\n".join(held).strip()
    if turn and text and turn.role != "":
        yield replace(turn, text=text)
