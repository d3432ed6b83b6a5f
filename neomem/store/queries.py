"""Every Cypher statement is a file in `cypher/`; this turns one into a checked value."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import LiteralString, cast

MIGRATIONS = "migrations"

# Strings, quoted names and comments are read over, so that a `$` or `;` in them means nothing.
_TOKENS = re.compile(
    r"""
      '(?:\\.|[^'\\])*' | "(?:\\.|[^"\\])*" | `(?:``|[^`])*` | /\*.*?\*/ | //[^\n]*
    | \$(?P<parameter>[A-Za-z_]\w*)
    | (?P<end>;)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Query:
    """One statement, named after its file."""

    name: str
    doc: str
    text: LiteralString
    parameters: frozenset[str]


@dataclass(frozen=True, slots=True)
class Migration:
    """A numbered file of statements that run one by one."""

    number: int
    name: str
    checksum: str
    statements: tuple[Query, ...]


@cache
def load(name: str) -> Query:
    """Read `cypher/<name>.cypher`; a broken file is our own bug and fails at import."""
    return parse(name, _file(f"{name}.cypher").read_text(encoding="utf-8"))


@cache
def migrations() -> tuple[Migration, ...]:
    """Read all migrations, in order."""
    files = sorted(_file(MIGRATIONS).iterdir(), key=lambda file: file.name)
    return tuple(
        parse_migration(file.name.removesuffix(".cypher"), file.read_text(encoding="utf-8"))
        for file in files
        if file.name.endswith(".cypher")
    )


@cache
def index_names(kind: str = "") -> tuple[str, ...]:
    """Names of the indexes and constraints, or of one kind, that all migrations leave standing."""
    standing: dict[str, None] = {}
    for migration in migrations():
        for statement in migration.statements:
            for name in _DROPPED.findall(statement.text):
                standing.pop(name, None)
            for made, name in _MADE.findall(statement.text):
                if kind in made:
                    standing[name] = None
    return tuple(standing)


_MADE = re.compile(r"CREATE ((?:\w+ )*)(?:INDEX|CONSTRAINT) (\w+) IF NOT EXISTS")
_DROPPED = re.compile(r"DROP INDEX (\w+)")


def parse(name: str, text: str) -> Query:
    """Split a file into its header and its one statement, which stays as it is written."""
    doc, statement = _split_header(name, text)
    if any(token["end"] for token in _TOKENS.finditer(statement)):
        raise ValueError(f"{name}: one statement per file, without `;`")
    return _query(name, doc, statement)


def parse_migration(name: str, text: str) -> Migration:
    """Split a migration into statements, each ended by `;` at the end of a line."""
    number, _, _ = name.partition("_")
    if not re.fullmatch(r"\d{4}", number):
        raise ValueError(f"{name}: a migration begins with four digits, as in 0001_constraints")
    doc, body = _split_header(name, text)
    parts = enumerate(_statements(name, body), start=1)
    statements = tuple(_query(f"{MIGRATIONS}/{name}:{n}", doc, part) for n, part in parts)
    checksum = hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()
    return Migration(int(number), name, checksum, statements)


def filled(query: Query, literals: Mapping[str, str]) -> str:
    """Return a statement with literals in place of its parameters, for people, not for running."""
    if missing := query.parameters - literals.keys():
        raise ValueError(f"{query.name}: no value for {', '.join(sorted(missing))}")

    def put(token: re.Match[str]) -> str:
        return literals[token["parameter"]] if token["parameter"] else token[0]

    return _TOKENS.sub(put, query.text)


def style() -> str:
    """Return how Neo4j Browser is to draw what the queries show, in one line."""
    return " ".join(_file("browser/neomem.grass").read_text(encoding="utf-8").split())


def _statements(name: str, body: str) -> Iterator[str]:
    start = 0
    for token in _TOKENS.finditer(body):
        if token["end"]:
            if body[token.end() :].partition("\n")[0].strip():
                raise ValueError(f"{name}: `;` belongs at the end of a line")
            yield body[start : token.start()].strip()
            start = token.end()
    if body[start:].strip():
        raise ValueError(f"{name}: the last statement has no `;`")


def _split_header(name: str, text: str) -> tuple[str, str]:
    lines = text.splitlines(keepends=True)
    size = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    doc = "".join(line.removeprefix("//").strip() + "\n" for line in lines[:size]).strip()
    statement = "".join(lines[size:])
    if not doc or not statement.strip():
        raise ValueError(f"{name}: needs a `//` header that says what it does, and a statement")
    return doc, statement


def _query(name: str, doc: str, statement: str) -> Query:
    found = (token["parameter"] for token in _TOKENS.finditer(statement))
    parameters = frozenset(parameter for parameter in found if parameter)
    # The one place where text becomes LiteralString: the files ship with the package.
    return Query(name, doc, cast("LiteralString", statement), parameters)


def _file(path: str) -> Traversable:
    """Find a file in the installed copy if there is one, else in the checkout's `cypher/`."""
    installed = resources.files("neomem") / "cypher"
    root = installed if installed.is_dir() else Path(__file__).parents[2] / "cypher"
    return root.joinpath(*path.split("/"))
