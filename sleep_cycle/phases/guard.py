"""Secrets and injected orders that today's patterns know and those of the capture did not."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from neomem.capture import guard
from neomem.store import queries
from neomem.store.graph import Row
from neomem.text import lane
from sleep_cycle.edits import changed
from sleep_cycle.phase import Change, Decided, Night, Phase

UNGUARDED = queries.load("sleep/unguarded")

_PAGE = 500


async def find(night: Night) -> AsyncIterator[list[Row]]:
    """Yield memories that these patterns have not seen."""
    async for page in night.pages(UNGUARDED, _PAGE, mark=_mark(night)):
        yield page


async def decide(night: Night, found: Sequence[Row]) -> Decided:
    """Quarantine what holds a secret or gives orders; it stays readable by id."""
    verdicts = await asyncio.to_thread(_verdicts, night, found)
    changes = [
        Change(
            action="quarantine",
            about=row["id"],
            why=reason,
            expects={row["id"]: row["version"]},
            edits=(
                changed(
                    row["id"],
                    quarantined=True,
                    quarantine_reason=reason,
                    live=False,
                    trust=0.0,
                    lane=lane(night.agent, live=False),
                ),
            ),
        )
        for row, reason in zip(found, verdicts, strict=True)
        if reason
    ]
    return Decided(changes, {"Memory": [row["id"] for row in found]}, _mark(night))


def _verdicts(night: Night, found: Sequence[Row]) -> list[str]:
    return [_reason(guard.scan(_said(row), night.engine.patterns)) for row in found]


def _said(row: Row) -> str:
    return "\n\n".join(filter(None, (row["title"], row["text"])))


def _reason(verdict: guard.Verdict) -> str:
    """Name the families that were found, never what was found."""
    secrets = sorted({finding.family for finding in verdict.secrets})
    orders = sorted({finding.family for finding in verdict.orders})
    named = [*(f"secret: {name}" for name in secrets), *(f"orders: {name}" for name in orders)]
    return "; ".join(named)


def _mark(night: Night) -> str:
    return guard.edition(night.engine.patterns)


PHASE = Phase("guard", find, decide)
