"""A memory engine for AI agents on Neo4j: capture, recall, sleep."""

from typing import TYPE_CHECKING, Any

from neomem.errors import (
    ConfigError,
    GraphError,
    GraphUnavailable,
    InputError,
    InstallError,
    MigrationDrift,
    MigrationError,
    ModelAnswerInvalid,
    ModelError,
    ModelUnavailable,
    NeomemError,
    NotFound,
    QueryFailed,
    SchemaOutdated,
)
from neomem.model import Answer, Captured, Draft, Hit, Memory

if TYPE_CHECKING:
    from neomem.engine import Engine, connect

__all__ = [
    "Answer",
    "Captured",
    "ConfigError",
    "Draft",
    "Engine",
    "GraphError",
    "GraphUnavailable",
    "Hit",
    "InputError",
    "InstallError",
    "Memory",
    "MigrationDrift",
    "MigrationError",
    "ModelAnswerInvalid",
    "ModelError",
    "ModelUnavailable",
    "NeomemError",
    "NotFound",
    "QueryFailed",
    "SchemaOutdated",
    "connect",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the module protocol
    # The engine brings the doors' libraries along; importing neomem alone stays light.
    if name in {"Engine", "connect"}:
        from neomem import engine

        return getattr(engine, name)
    raise AttributeError(f"module 'neomem' has no attribute {name!r}")
