"""Which names an agent's graph has, and what each stands for by now."""

from collections.abc import Iterable

from neomem.store import queries
from neomem.store.graph import Row
from neomem.text import entity_key
from sleep_cycle.phase import Night

KNOWN = queries.load("sleep/known_entities")


async def known(night: Night, names: Iterable[str]) -> dict[str, Row]:
    """Return, by key, what is known of names: the key of what it is `now`, and if it is `aside`."""
    keys = sorted({entity_key(night.agent, name) for name in names})
    rows = await night.read(KNOWN, keys=keys) if keys else []
    return {row["key"]: row for row in rows}
