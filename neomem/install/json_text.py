"""Settings as a person wrote them: JSON with comments and the like, each part with its place.

Editing the text itself, not what it says, is what keeps comments, order and spaces.
"""

import json
import re
from dataclasses import dataclass
from typing import Literal

from neomem.errors import InputError

_DEEPEST = 200
_COMMENT = r"//[^\n\r\u2028\u2029]*|/\*.*?\*/"
_SPACE = re.compile(rf"(?:[\s\ufeff]|{_COMMENT})*", re.DOTALL)
_LINE_END = re.compile(r"[\n\r\u2028\u2029]")
_STRING = re.compile(r"""(["'])(?:\\(?:\r\n|.)|(?!\1)[^\\\n\r])*\1""", re.DOTALL)
_PLAIN = re.compile(
    r"(?:true|false|null"
    r"|[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|Infinity|NaN))(?![\w$.])"
)
_NAME = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_NOTHING = dict.fromkeys(["\n", "\r", "\r\n", "\u2028", "\u2029"], "")


@dataclass(frozen=True, slots=True)
class Value:
    """A value and where it stands: text[start:end]."""

    kind: Literal["object", "array", "string", "plain"]
    start: int
    end: int
    items: tuple["Item", ...] = ()
    text: str = ""
    """Of a string what it says; of a number or a word how it is written."""

    def get(self, *path: str) -> "Value | None":
        """Return what stands under these keys; of a key that is there twice, the last counts."""
        found: Value | None = self
        for key in path:
            members = [item.value for item in found.items if item.key == key] if found else []
            found = members[-1] if members else None
        return found


@dataclass(frozen=True, slots=True)
class Item:
    """A member of an object, or an element of an array, which has no key."""

    key: str | None
    start: int
    value: Value

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.value.end


def parse(text: str) -> Value:
    """Read JSON, or what people write for it: comments, last commas, names without quotes."""
    parser = _Parser(text)
    value = parser.value(parser.space(0), 0)
    if parser.space(value.end) != len(text):
        raise parser.broken(parser.space(value.end), "something follows the end")
    return value


def insert(text: str, container: Value, key: str | None, value: object) -> str:
    """Return the text with a member or an element more, the last of its container."""
    items, end = container.items, container.end - 1
    last = items[-1].end if items else container.start + 1
    newline = "\r\n" if "\r\n" in text else "\n"
    if items and not _LINE_END.search(text, container.start, end):
        piece = " " + _written(key, value)
    else:
        unit, outside = _indent_unit(text), _indent_of_line(text, container.start)
        line = newline + (_indent_of_items(text, container) or outside + unit)
        piece = line + _written(key, value, unit).replace("\n", line)
        newline += outside
    after = text[last:end]
    comma = "," if items and "," not in _without_comments(after) else ""
    kept = after.rstrip()
    closing = after[len(kept) :] if items else newline
    return text[:last] + comma + kept + piece + closing + text[end:]


def cut(text: str, container: Value, index: int) -> str:
    """Return the text without one item and one comma; comments around it stay."""
    items = container.items
    item = items[index]
    begin = items[index - 1].end if index else container.start + 1
    finish = items[index + 1].start if index + 1 < len(items) else container.end - 1
    before, after = text[begin : item.start], text[item.end : finish]
    if "," in _without_comments(after):
        after = _without_comma(after)
    elif index:
        before = _without_comma(before)
    # The end of a line must stay where it ends a comment.
    ends = "//" in before and not _LINE_END.match(after.lstrip(" \t"))
    before = before.rstrip(" \t") if ends else before.rstrip()
    if len(items) == 1 and not (before + after).strip():
        before = after = ""
    return text[:begin] + before + after + text[finish:]


def _written(key: str | None, value: object, unit: str | None = None) -> str:
    text = json.dumps(value, indent=unit, ensure_ascii=False)
    return text if key is None else f"{json.dumps(key, ensure_ascii=False)}: {text}"


def _indent_unit(text: str) -> str:
    found = re.search(r"^[ \t]+(?=[\"'\w{\[])", text, re.MULTILINE)
    return found.group() if found else "  "


def _indent_of_line(text: str, position: int) -> str:
    line = text[max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indent_of_items(text: str, container: Value) -> str | None:
    for item in container.items:
        indent = _indent_of_line(text, item.start)
        if text[: item.start].endswith(("\n" + indent, "\r" + indent)):
            return indent
    return None


def _without_comments(gap: str) -> str:
    return re.sub(_COMMENT, lambda found: " " * len(found.group()), gap, flags=re.DOTALL)


def _without_comma(gap: str) -> str:
    place = _without_comments(gap).index(",")
    return gap[:place] + gap[place + 1 :]


class _Parser:
    """Reads a text from its beginning; every method is given a place and returns what is there."""

    def __init__(self, text: str) -> None:
        self.text = text

    def space(self, at: int) -> int:
        """Return where the space and the comments end."""
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> Value:
        """Read one value."""
        if depth > _DEEPEST:
            raise self.broken(at, "it is nested too deeply")
        if self.text.startswith(("{", "["), at):
            return self.container(at, depth)
        if found := _STRING.match(self.text, at):
            return Value("string", at, found.end(), text=_said(found.group()))
        if found := _PLAIN.match(self.text, at):
            return Value("plain", at, found.end(), text=found.group())
        raise self.broken(at, "a value is expected")

    def container(self, at: int, depth: int) -> Value:
        """Read an object or an array."""
        kind, closing = ("object", "}") if self.text[at] == "{" else ("array", "]")
        items: list[Item] = []
        place = self.space(at + 1)
        while not self.text.startswith(closing, place):
            item = self.member(place, depth) if kind == "object" else self.element(place, depth)
            items.append(item)
            place = self.space(item.end)
            if self.text.startswith(",", place):
                place = self.space(place + 1)
            elif not self.text.startswith(closing, place):
                raise self.broken(place, f"`,` or `{closing}` is expected")
        return Value(kind, at, place + 1, tuple(items))

    def member(self, at: int, depth: int) -> Item:
        """Read a key and its value."""
        if found := _STRING.match(self.text, at):
            key = _said(found.group())
        elif found := _NAME.match(self.text, at):
            key = found.group()
        else:
            raise self.broken(at, "a name is expected")
        colon = self.space(found.end())
        if not self.text.startswith(":", colon):
            raise self.broken(colon, "`:` is expected")
        return Item(key, at, self.value(self.space(colon + 1), depth + 1))

    def element(self, at: int, depth: int) -> Item:
        """Read an element of an array."""
        return Item(None, at, self.value(at, depth + 1))

    def broken(self, at: int, why: str) -> InputError:
        """Say where the text cannot be read."""
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return InputError(f"line {line}, column {column}: {why}")


def _said(literal: str) -> str:
    def meant(found: re.Match[str]) -> str:
        code: str = found.group(1)
        if code[0] in "ux" and len(code) > 1:
            return chr(int(code[1:], 16))
        return {**_ESCAPED, **_NOTHING}.get(code, code)

    text = _ESCAPE.sub(meant, literal[1:-1])
    # Two escapes may stand for one character.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
