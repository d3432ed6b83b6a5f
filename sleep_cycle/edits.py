"""Edits that several phases make."""

from datetime import datetime
from typing import Any

from neomem.store.graph import Row
from neomem.text import lane
from sleep_cycle.phase import Edit


def archive(row: Row, agent: str, now: datetime) -> Edit:
    """Return the edit that archives a memory, as forgetting by hand does; it can be restored."""
    return Edit(
        "Memory",
        row["id"],
        {
            "archived_at": now,
            "live": False,
            "lane": lane(agent, live=False),
            "dedupe_key": None,
            "dedupe_key_kept": row["dedupe_key"],
        },
        {"version": 1},
    )


def changed(key: str, **properties: Any) -> Edit:  # noqa: ANN401 - whatever a memory has
    """Return the edit that gives a memory other properties, and its next version."""
    return Edit("Memory", key, properties, {"version": 1})
