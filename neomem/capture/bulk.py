"""Many drafts: the embedder works on the next batch while Neo4j stores the last."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from neomem.capture import Tools, finish, start
from neomem.capture.prepare import Manner, Prepared
from neomem.model import Captured, Draft
from neomem.progress import Notify, Progress, silent


@dataclass(slots=True)
class Tally:
    """What became of many drafts, without holding them all."""

    outcomes: dict[str, int] = field(default_factory=dict[str, int])
    reasons: dict[str, int] = field(default_factory=dict[str, int])
    masked: int = 0
    cut: int = 0
    left_to_sleep: int = 0
    """Memories that were not compared with those kept: too many at once."""

    def add(self, captured: Iterable[Captured]) -> None:
        """Count."""
        for each in captured:
            _count(self.outcomes, each.outcome)
            self.masked += bool(each.masked)
            self.cut += each.cut > 0
            if each.reason:
                _count(self.reasons, each.reason)

    def merge(self, other: "Tally") -> None:
        """Add another count to this one."""
        for mine, others in ((self.outcomes, other.outcomes), (self.reasons, other.reasons)):
            for name, number in others.items():
                _count(mine, name, number)
        self.masked += other.masked
        self.cut += other.cut
        self.left_to_sleep += other.left_to_sleep


def _count(counts: dict[str, int], name: str, number: int = 1) -> None:
    counts[name] = counts.get(name, 0) + number


async def capture_many(  # noqa: PLR0913 - progress and its total belong together
    tools: Tools,
    drafts: Iterable[Draft],
    *,
    agent: str,
    manner: Manner,
    now: datetime,
    notify: Notify = silent,
    total: int = 0,
) -> Tally:
    """Store any number of drafts, a batch a transaction; stopped, it can be run again."""
    tally = Tally()
    done = 0
    storing: asyncio.Task[list[Captured]] | None = None
    compare = 0 < total <= tools.settings.near_batch
    earlier: dict[str, Prepared] = {}
    try:
        for batch in _batches(iter(drafts), tools):
            begun = await start(tools, batch, agent=agent, manner=manner, now=now, earlier=earlier)
            # The batch may still be on its way to the store when the next one asks what was said.
            earlier = begun.last_turns
            if storing:
                tally.add(await storing)
            storing = asyncio.create_task(finish(tools, begun, agent=agent, now=now, near=compare))
            done += len(batch)
            tally.left_to_sleep += 0 if compare else begun.comparable
            notify(Progress("Capturing", done, max(total, done)))
        if storing:
            tally.add(await storing)
    except BaseException:
        if storing:
            # A transaction under way is not torn; its own failure is told by the first.
            await asyncio.gather(storing, return_exceptions=True)
        raise
    return tally


def _batches(drafts: Iterator[Draft], tools: Tools) -> Iterator[Sequence[Draft]]:
    while batch := list(islice(drafts, tools.settings.batch)):
        yield batch
