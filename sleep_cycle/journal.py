"""Writing, and the record of it: every change goes with what it takes to undo it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from neomem import capture
from neomem.capture.rows import new_id
from neomem.errors import LeaseHeld
from neomem.store import queries
from neomem.store.graph import Row
from sleep_cycle.lease import Lease
from sleep_cycle.phase import Change, Decided, Edge, Edit, Night

APPLY = queries.load("sleep/apply")
MARK = queries.load("sleep/mark")
UNDONE = queries.load("sleep/undone")
FORGET_JOURNAL = queries.load("sleep/forget_journal")

_FORGOTTEN_AT_ONCE = 1000


@dataclass(slots=True)
class Journal:
    """Where a run writes, and how far it has come."""

    night: Night
    lease: Lease
    run: str
    number: int
    undone: frozenset[str]
    """Fingerprints of what a person has undone: not done again."""

    @classmethod
    async def opened(cls, night: Night, lease: Lease, run: str, number: int) -> "Journal":
        """Return a run's journal."""
        (row,) = await night.read(UNDONE)
        return cls(night, lease, run, number, frozenset(row["fingerprints"]))

    def wanted(self, phase: str, changes: Sequence[Change]) -> list[Change]:
        """Return the changes that nobody has undone before."""
        return [each for each in changes if each.fingerprint(phase) not in self.undone]

    async def apply(self, phase: str, changes: Sequence[Change]) -> list[Change]:
        """Make changes, each batch in a transaction; return those that still held."""
        made: list[Change] = []
        plain = [each for each in changes if not each.makes]
        size = self.night.settings.batch
        for start in range(0, len(plain), size):
            made += await self._apply(phase, plain[start : start + size])
        for each in changes:
            if each.makes:
                made += await self._apply(phase, [each])
        return made

    async def _apply(self, phase: str, changes: Sequence[Change]) -> list[Change]:
        rows = [self._row(phase, index, each) for index, each in enumerate(changes, start=1)]
        steps = [(APPLY, {**self._who, "run": self.run, "changes": rows})]
        for each in changes:
            if each.makes:
                steps.insert(0, self._storing(each))
        results = await self.night.engine.graph.together(steps, unless=_in_vain)
        answered = results[-1]
        if not answered:
            raise self._lost
        if _in_vain(results):
            return []
        self.number += len(changes)
        held = {row["id"] for row in answered if row["holds"]}
        return [each for row, each in zip(rows, changes, strict=True) if row["id"] in held]

    async def note(self, query: queries.Query, **facts: Any) -> None:  # noqa: ANN401 - as JSON
        """Say how far the run has come, unless somebody else goes on with it by now."""
        rows = await self.night.engine.graph.write(query, **self._who, run=self.run, **facts)
        if not rows:
            raise self._lost

    @property
    def _lost(self) -> LeaseHeld:
        return LeaseHeld(
            f"the lease of {self.night.agent} was lost",
            hint="this process or the server stood still for too long; sleep again",
        )

    @property
    def _who(self) -> dict[str, Any]:
        return {"agent": self.night.agent, "token": self.lease.token}

    def _storing(self, change: Change) -> tuple[queries.Query, dict[str, Any]]:
        night = self.night
        return capture.storing(night.engine.capture_tools, change.makes, night.agent, night.now)

    def _row(self, phase: str, index: int, change: Change) -> dict[str, Any]:
        """Return a change as the query takes it."""
        record = {
            "number": self.number + index,
            "phase": phase,
            "action": change.action,
            "about": change.about,
            "memory_id": next(iter(change.expects), None),
            "why": change.why,
            "evidence": json.dumps(dict(change.evidence), default=str, sort_keys=True),
            "fingerprint": change.fingerprint(phase),
            "memory_starts": _starts(change.edges, "Memory"),
            "entity_starts": _starts(change.edges, "Entity"),
        }
        expects = sorted(change.expects.items())
        return {
            "id": new_id(self.night.now),
            "record": record,
            "expects": [{"id": name, "version": version} for name, version in expects],
            "unmerged": sorted(change.unmerged),
            "memories": [_edit(each) for each in change.edits if each.label == "Memory"],
            "entities": [_edit(each) for each in change.edits if each.label == "Entity"],
            "closes": [
                {"id": each.id, "source": each.source, "valid_until": each.valid_until}
                for each in change.closes
            ],
            "made": [dict(each) for each in change.entities],
            "memories_made": [each.id for each in change.makes],
            "deletes": [{"label": label, "key": key} for label, key in change.deletes],
            "memory_edges": _edges(change.edges, "Memory", "Memory"),
            "mentions": _edges(change.edges, "Memory", "Entity"),
            "entity_edges": _edges(change.edges, "Entity", "Entity"),
        }

    async def mark(self, phase: str, decided: Decided) -> None:
        """Note what need not be looked at again."""
        ids, keys = decided.looked.get("Memory", ()), decided.looked.get("Entity", ())
        if ids or keys:
            await self.night.engine.graph.write(
                MARK,
                agent=self.night.agent,
                mark=looked(phase),
                value=decided.mark,
                ids=list(ids),
                keys=list(keys),
            )

    async def forget(self, days: float) -> None:
        """Delete what the journal has of runs that are too old to be undone."""
        while True:
            (row,) = await self.night.engine.graph.write(
                FORGET_JOURNAL, agent=self.night.agent, days=days, limit=_FORGOTTEN_AT_ONCE
            )
            if row["deleted"] < _FORGOTTEN_AT_ONCE:
                return


def looked(phase: str) -> str:
    """Return the property that says that a phase has looked at something."""
    return f"sleep_{phase}"


def planned(phase: str, change: Change) -> dict[str, Any]:
    """Return a change for a dry run: what would be done to what, and why."""
    return {
        "phase": phase,
        "action": change.action,
        "about": change.about,
        "with": sorted({*change.expects, *change.unmerged} - {change.about}),
        "why": change.why,
        "evidence": dict(change.evidence),
    }


def _in_vain(results: Sequence[Sequence[Row]]) -> bool:
    """Tell whether a memory was not made, or was made for a change that does not hold."""
    *stored, applied = results
    new = all(rows and all(row["id"] == row["kept"] for row in rows) for rows in stored)
    return bool(stored) and not (new and all(row["holds"] for row in applied))


def _starts(edges: Sequence[Edge], label: str) -> list[str]:
    return sorted({key for each in edges for kind, key in [each.start] if kind == label})


def _edges(edges: Sequence[Edge], start: str, end: str) -> list[dict[str, Any]]:
    return [
        {
            "type": each.type,
            "start": each.start[1],
            "end": each.end[1],
            "properties": dict(each.properties),
        }
        for each in edges
        if (each.start[0], each.end[0]) == (start, end)
    ]


def _edit(edit: Edit) -> dict[str, Any]:
    return {"key": edit.key, "set": dict(edit.set), "add": dict(edit.add)}
