"""Neo4j Browser for people: links that open it with a query in its editor, ready to be run.

A link has no password, and values stand in its query as literals that cannot break out of it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from urllib.parse import quote, urlencode

from neomem.store import queries
from neomem.store.local_server import Running
from neomem.store.queries import Query

MEMORY = queries.load("browser/memory")
ENTITY = queries.load("browser/entity")
RECALL = queries.load("browser/recall")
RECENT = queries.load("browser/recent")
DUPLICATES = queries.load("browser/duplicates")
CONFLICTS = queries.load("browser/conflicts")
SLEEP = queries.load("browser/sleep")

VIEWS: Mapping[str, Query] = MappingProxyType(
    {query.name.partition("/")[2]: query for query in (RECENT, DUPLICATES, CONFLICTS, SLEEP)}
)
"""Those that need no more than an agent."""

_PLAIN = set(" _-.,:/@()")
_ESCAPED = {"'": "\\'", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def link(running: Running, command: str) -> str:
    """Return an address that opens Browser with a command in its editor; it is not run yet."""
    server = running.uri.replace("bolt://", "bolt://neo4j@")
    asked = urlencode({"dbms": server, "cmd": "edit", "arg": command}, quote_via=quote)
    return f"{running.browser}?{asked}"


def title(query: Query) -> str:
    """Return what a query shows."""
    return query.doc.partition("\n")[0]


def command(query: Query, **values: str | Sequence[str]) -> str:
    """Return a query as Browser takes it: its title, and literals where it has parameters."""
    literals = {name: literal(value) for name, value in values.items()}
    return f"// {title(query)}\n{queries.filled(query, literals)}"


def literal(value: str | Sequence[str]) -> str:
    """Return a text or a list of texts as Cypher writes it, whatever is in it."""
    if not isinstance(value, str):
        return f"[{', '.join(map(literal, value))}]"
    return f"'{''.join(map(_escaped, value))}'"


def _escaped(character: str) -> str:
    """Return a character as it may stand between quotes; what may mean more elsewhere, by number.

    A number would not do for what means something in a text itself: Neo4j reads numbers first.
    """
    if character.isalnum() or character in _PLAIN:
        return character
    if character in _ESCAPED:
        return _ESCAPED[character]
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[n]:02X}{units[n + 1]:02X}" for n in range(0, len(units), 2))
