"""The lines of an export: what is in them, in which order, and how damage shows."""

import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, NoReturn, cast

import numpy as np

from neomem.errors import InputError
from neomem.store import export_values

FORMAT = "neomem-export"
VERSION = 1
LONGEST_LINE = 128 * 1024 * 1024
"""Bytes; a text of 10 MB fits, however it is escaped."""

NODES = ("entity", "session", "task", "memory")
EDGES = {
    "ABOUT": ("memory", "entity"),
    "AMENDS": ("memory", "memory"),
    "FOR_TASK": ("memory", "task"),
    "IN_SESSION": ("memory", "session"),
    "LINKS": ("memory", "memory"),
    "MENTIONS": ("memory", "entity"),
    "MERGED_INTO": ("entity", "entity"),
    "NEXT": ("memory", "memory"),
    "RELATES": ("entity", "entity"),
    "SIMILAR": ("memory", "memory"),
    "SUMMARISES": ("memory", "memory"),
    "SUPERSEDES": ("memory", "memory"),
}
"""What each kind of edge goes from and to, in the order of the file."""

_ORDER = ("header", *NODES, "edge", "trailer")
_TIMES = ("created_at", "event_at", "valid_from", "valid_until")
_REQUIRED: Mapping[str, Mapping[str, type | tuple[type, ...]]] = {
    "entity": {"name": str},
    "session": {},
    "task": {},
    "memory": {
        **dict.fromkeys(("text", "kind", "scope"), str),
        **dict.fromkeys(("importance", "authority"), (int, float)),
        **dict.fromkeys(_TIMES, datetime),
        "live": bool,
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What an export was made from."""

    schema: int
    model: str
    dimensions: int
    language: str
    embeddings: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much of everything there is."""

    entities: int = 0
    sessions: int = 0
    tasks: int = 0
    memories: int = 0
    edges: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """A node, whose place is its key, or an edge, whose place is (type, from, to)."""

    kind: str
    place: tuple[str, ...]
    properties: dict[str, Any]


class Keys:
    """A set of records that costs eight bytes each, so that a store of any size fits."""

    def __init__(self) -> None:
        self._hashes = array("Q")
        self._sorted = np.empty(0, np.uint64)

    def add(self, kind: str, key: str) -> None:
        """Remember a record."""
        self._hashes.append(_hash(kind, key))

    def __contains__(self, record: tuple[str, str]) -> bool:
        hashes = self._frozen()
        wanted = np.uint64(_hash(*record))
        at = int(np.searchsorted(hashes, wanted))
        return at < len(hashes) and bool(hashes[at] == wanted)

    def repeat(self) -> bool:
        """Tell whether a record was added twice."""
        hashes = self._frozen()
        return bool((hashes[1:] == hashes[:-1]).any())

    def _frozen(self) -> np.ndarray[Any, np.dtype[np.uint64]]:
        if len(self._sorted) != len(self._hashes):
            self._sorted = np.sort(np.array(self._hashes, np.uint64))
        return self._sorted


def _hash(kind: str, key: str) -> int:
    named = f"{kind}\0{key}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(named, digest_size=8).digest(), "big")


class Lines:
    """Makes the lines of one export and sums them up in the last."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._counted: Counter[str] = Counter()

    def header(self, header: Header) -> bytes:
        """Return the first line."""
        named = {"record": "header", "format": FORMAT, "version": VERSION}
        return self._add({**named, **asdict(header)})

    def node(self, kind: str, key: str, packed: Mapping[str, Any]) -> bytes:
        """Return the line of a node."""
        return self._add({"record": kind, "key": key, "properties": packed})

    def edges(self, place: tuple[str, str, str], packed: list[dict[str, Any]]) -> list[bytes]:
        """Return the lines of all edges of one type between two nodes."""
        kind, from_, to = place
        record = {"record": "edge", "type": kind, "from": from_, "to": to}
        # Alike but for their properties, so that the order of lines is that of the properties.
        alike = [{**record, "properties": properties} for properties in packed]
        return [self._add(edge) for edge in sorted(alike, key=_line)]

    def trailer(self) -> bytes:
        """Return the last line."""
        return _line(_trailer(self._counted, self._digest.hexdigest()))

    @property
    def counts(self) -> Counts:
        """How many records there are so far."""
        return _counts(self._counted)

    def _add(self, record: dict[str, Any]) -> bytes:
        line = _line(record)
        if len(line) > LONGEST_LINE:
            name = f"{record['record']} {record.get('key', '')}"
            raise InputError(f"{name} is too long for an export", hint="forget it, or split it")
        self._digest.update(line)
        self._counted[record["record"]] += 1
        return line


class Reader:
    """Reads an export line by line and refuses the first that is not as it was written."""

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._digest = hashlib.sha256()
        self._counted: Counter[str] = Counter()
        self._nodes, self._unique = Keys(), Keys()
        self._number = 0
        self._last: tuple[Any, ...] = (-1,)
        self.header: Header | None = None
        self.ended = False

    def read(self, line: bytes) -> Record | None:
        """Return the record of the next line; none for the first and the last."""
        self._number += 1
        if self.ended:
            self._damaged("stands after the end")
        record = self._parse(line)
        kind = record.get("record")
        if self.header is None:
            self.header = _header(record)
        elif kind == "trailer":
            self._end(record)
            return None
        self._digest.update(line)
        self._counted[str(kind)] += 1
        if self._number == 1:
            return None
        return self._node(record) if kind in NODES else self._edge(record, line)

    def finish(self) -> Counts:
        """Return what was read, when it was whole."""
        if not self._number:
            raise InputError("the file is empty", hint="name a file made by `neomem export`")
        if not self.ended:
            raise InputError(
                f"the file ends after {self._number} lines, before its own end: it was cut",
                hint="copy or export it again; nothing was imported",
            )
        return _counts(self._counted)

    def _parse(self, line: bytes) -> dict[str, Any]:
        if len(line) > LONGEST_LINE:
            self._damaged(f"is longer than {LONGEST_LINE // 1024**2} MB")
        try:
            record: object = json.loads(line.decode("utf-8"))
            whole = isinstance(record, dict) and _line(cast("dict[str, Any]", record)) == line
        except (ValueError, RecursionError):
            record, whole = None, False
        if not whole:
            self._damaged("was cut or changed")
        return cast("dict[str, Any]", record)

    def _node(self, record: dict[str, Any]) -> Record:
        kind, key = str(record["record"]), record.get("key")
        if record.keys() != {"record", "key", "properties"} or not isinstance(key, str):
            self._damaged(f"has not the form of a {kind}")
        self._follow(_ORDER.index(kind), key)
        properties = self._properties(record)
        for name, type_ in _REQUIRED[kind].items():
            if not isinstance(properties.get(name), type_):
                self._damaged(f"lacks the {name} of a {kind}")
        self._nodes.add(kind, key)
        if "dedupe_key" in properties:
            self._unique.add("dedupe_key", properties["dedupe_key"])
        return Record(kind, (key,), properties)

    def _edge(self, record: dict[str, Any], line: bytes) -> Record:
        place = tuple(record.get(name) for name in ("type", "from", "to"))
        shape = {"record", "type", "from", "to", "properties"}
        if (
            record.get("record") != "edge"
            or record.keys() != shape
            or not all(isinstance(part, str) for part in place)
        ):
            self._damaged("is of a kind this neomem does not know")
        named = cast("tuple[str, str, str]", place)
        if named[0] not in EDGES:
            self._damaged("is of a kind this neomem does not know")
        self._follow(_ORDER.index("edge"), *named, line, again=True)
        for kind, key in zip(EDGES[named[0]], named[1:], strict=True):
            if (kind, key) not in self._nodes:
                self._damaged(f"joins what is not in the file: a {kind}")
        return Record("edge", named, self._properties(record))

    def _properties(self, record: dict[str, Any]) -> dict[str, Any]:
        assert self.header  # noqa: S101 - the first line was read before any other
        dimensions = self.header.dimensions if self.header.embeddings else 0
        try:
            return export_values.unpack(self._agent, record["properties"], dimensions)
        except ValueError as error:
            self._damaged(str(error))

    def _follow(self, *place: object, again: bool = False) -> None:
        if place < self._last or (place == self._last and not again):
            self._damaged("is out of order")
        self._last = place

    def _end(self, record: dict[str, Any]) -> None:
        self.ended = True
        if record.get("counts") != _trailer(self._counted, "")["counts"]:
            self._damaged("counts other records than there are")
        if record != _trailer(self._counted, self._digest.hexdigest()):
            self._damaged("has another checksum than the lines before it")
        if self._unique.repeat():
            self._damaged("ends a file that says one thing twice")

    def _damaged(self, what: str) -> NoReturn:
        if self._number == 1:
            raise InputError(
                "the file is no neomem export", hint="name a file made by `neomem export`"
            )
        raise InputError(
            f"the file is damaged: line {self._number} {what}",
            hint="copy or export it again; nothing was imported",
        )


def _header(record: dict[str, Any]) -> Header:
    if record.get("format") != FORMAT:
        raise InputError("the file is no neomem export", hint="name a file made by `neomem export`")
    version = record.get("version")
    if version != VERSION:
        raise InputError(
            f"the file is of version {version!r}, and this neomem reads version {VERSION}",
            hint="upgrade neomem, or export again with this version",
        )
    types = {"schema": int, "model": str, "dimensions": int, "language": str, "embeddings": bool}
    values = {name: record.get(name) for name in types}
    known = record.keys() == {"record", "format", "version", *types}
    if not known or any(type(values[name]) is not type_ for name, type_ in types.items()):
        raise InputError("the file is damaged: line 1 is no header", hint="copy or export it again")
    return Header(**cast("dict[str, Any]", values))


def _trailer(counted: Mapping[str, int], digest: str) -> dict[str, Any]:
    return {"record": "trailer", "counts": asdict(_counts(counted)), "sha256": digest}


def _counts(counted: Mapping[str, int]) -> Counts:
    return Counts(
        entities=counted.get("entity", 0),
        sessions=counted.get("session", 0),
        tasks=counted.get("task", 0),
        memories=counted.get("memory", 0),
        edges=counted.get("edge", 0),
    )


def _line(record: Mapping[str, Any]) -> bytes:
    text = json.dumps(
        record, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return text.encode("utf-8") + b"\n"
