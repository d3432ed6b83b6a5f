"""Small things tests share."""

from neomem.store.queries import Query, parse


def cypher(statement: str) -> Query:
    """A statement of the test's own, as the graph takes it."""
    return parse("test", f"// A statement of a test.\n{statement}")
