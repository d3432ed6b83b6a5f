"""What nobody has needed for long is archived, and what has expired; by default none is deleted."""

import math
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta

from neomem.sleep_settings import SleepSettings
from neomem.store import queries
from neomem.store.graph import Row
from sleep_cycle.edits import archive
from sleep_cycle.phase import Change, Decided, Night, Phase, memory

FADING = queries.load("sleep/fading")
RETIRED = queries.load("sleep/long_archived")

_PAGE = 500
_DAY = 86_400.0


async def find(night: Night) -> AsyncIterator[list[Row]]:
    """Yield what may be too weak or expired, then what has been archived for too long."""
    young = night.now - timedelta(days=night.settings.youngest)
    async for page in night.pages(FADING, _PAGE, now=night.now, young=young):
        yield page
    if night.settings.purge_days is not None:
        before = night.now - timedelta(days=night.settings.purge_days)
        async for page in night.pages(RETIRED, _PAGE, before=before):
            yield page


async def decide(night: Night, found: Sequence[Row]) -> Decided:
    """Archive the weak and the expired, delete what was archived long enough."""
    return Decided([change for row in found for change in _changes(night, row)])


def _changes(night: Night, row: Row) -> list[Change]:
    expects = {row["id"]: row["version"]}
    if row["archived_at"] is not None:
        days = night.settings.purge_days
        why = f"archived for more than {days:g} days"
        gone = (memory(row["id"]),)
        return [Change(action="delete", about=row["id"], why=why, expects=expects, deletes=gone)]
    if row["expires_at"] is not None and row["expires_at"] <= night.now:
        why, evidence = "expired", dict[str, float]()
    else:
        left = strength(row, night.now, night.settings)
        if left >= night.settings.weakest or not row["may_fade"]:
            return []
        why, evidence = "not needed for long", {"strength": round(left, 4)}
    edit = archive(row, night.agent, night.now)
    return [
        Change(
            action="archive",
            about=row["id"],
            why=why,
            evidence=evidence,
            expects=expects,
            edits=(edit,),
        )
    ]


def strength(row: Row, now: datetime, settings: SleepSettings) -> float:
    """Return what is left of a memory's importance; every recall makes it last longer."""
    used: datetime = max(row["created_at"], row["last_retrieved_at"] or row["created_at"])
    days = max((now - used).total_seconds(), 0.0) / _DAY
    importance = row["importance"]
    lasts = settings.fade_days * (1 + 2 * importance) * (1 + 0.2 * math.log1p(row["retrievals"]))
    return importance * math.exp(-days / lasts)


PHASE = Phase("decay", find, decide)
