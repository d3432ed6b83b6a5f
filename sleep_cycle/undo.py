"""Taking a run back, exactly; where something was changed since, only when told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from neomem.errors import InputError, NotFound, SleepError, UndoConflict
from neomem.store import queries
from neomem.store.graph import Graph, Row
from sleep_cycle.lease import held

UNDO = queries.load("sleep/undo")
HOLD = queries.load("sleep/undo_hold")
CONFLICTS = queries.load("sleep/undo_conflicts")
ORDER = queries.load("sleep/undo_order")
DONE = queries.load("sleep/undo_done")
HISTORY = queries.load("sleep/history")
SHOW = queries.load("sleep/show")

MOVING = ("retrievals", "last_retrieved_at", "seen", "last_seen_at", "version")
"""What recall and capture write as they go on; never a conflict."""
_SHOWN = 10
_EVERY_RUN = 1_000_000


@dataclass(frozen=True, slots=True)
class Undone:
    """What came of an undo."""

    run: str
    changes: int
    conflicts: tuple[str, ...] = ()
    """What had been changed since, and was overwritten."""


async def undo(  # noqa: PLR0913 - how carefully, how long, how loud
    graph: Graph,
    agent: str,
    run: str,
    *,
    force: bool = False,
    lease: float = 60,
    batch: int = 200,
    advanced: Callable[[int, int], None] = lambda _done, _of: None,
) -> Undone:
    """Take back every change of a run, the last first; stopped, it can be run again."""
    found = await find_run(graph, agent, run)
    async with held(graph, agent, lease) as holding:
        who = {"agent": agent, "token": holding.token}
        ids = [row["id"] for row in await graph.read(ORDER, agent=agent, run=found)]
        problems = conflicts(await graph.read(CONFLICTS, agent=agent, ids=ids))
        if problems and not force:
            raise _conflict(problems, "nothing was undone; undo later runs first, or")
        for start in range(0, len(ids), batch):
            part = ids[start : start + batch]
            await _undo(graph, who, part, force=force)
            advanced(start + len(part), len(ids))
        if not await graph.write(DONE, **who, run=found):
            raise _lost()
    return Undone(found, len(ids), tuple(problems))


async def _undo(graph: Graph, who: dict[str, str], ids: Sequence[str], *, force: bool) -> None:
    """Take changes back in one transaction, if the lease and what they left still hold in it."""
    what = {"agent": who["agent"], "ids": ids}

    def in_vain(results: list[list[Row]]) -> bool:
        return not results[0] or (not force and bool(conflicts(results[1])))

    steps = [(HOLD, who | what), (CONFLICTS, what), (UNDO, what | {"moving": list(MOVING)})]
    held, left, _ = results = await graph.together(steps, unless=in_vain)
    if not held:
        raise _lost()
    if in_vain(results):
        raise _conflict(conflicts(left), "they were changed just now; undo again, or")


def _lost() -> SleepError:
    return SleepError("the lease was lost", hint="run it again: it goes on there")


def _conflict(problems: Sequence[str], hint: str) -> UndoConflict:
    more = len(problems) - _SHOWN
    shown = [*problems[:_SHOWN], *([f"and {more} more"] if more > 0 else [])]
    return UndoConflict("\n".join(shown), hint=f"{hint} `--force` overwrites")


def conflicts(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return in words what is not as a run left it; of one thing, the run's last word counts."""
    said: list[str] = []
    settled: set[tuple[str, str, str]] = set()
    for row in sorted(rows, key=lambda row: -row["number"]):
        what = f"{row['label'].lower()} {row['key']}"
        if row["taken"]:
            said.append(f"{what} is there again as {row['taken']}")
        if row["deleted"] != row["gone"]:
            said.append(f"{what} {'is gone' if row['gone'] else 'is there again'}")
            continue
        if row["used"]:
            said.append(f"{what} is joined to what came later")
        for name in row["names"]:
            place = row["label"], row["key"], name
            if place not in settled and (name not in MOVING or name == "version"):
                said.append(f"{what} has another {name} now")
        settled |= {(row["label"], row["key"], name) for name in row["keys"]}
    return said


async def history(graph: Graph, agent: str, limit: int = 20) -> list[dict[str, Any]]:
    """Return an agent's runs, newest first."""
    return await graph.read(HISTORY, agent=agent, limit=limit)


async def show(graph: Graph, agent: str, run: str) -> list[dict[str, Any]]:
    """Return what a run changed, in order."""
    found = await find_run(graph, agent, run)
    return await graph.read(SHOW, agent=agent, run=found)


async def find_run(graph: Graph, agent: str, given: str) -> str:
    """Return the id of a run by the beginning of it; `last` is the latest that changed anything."""
    runs = await history(graph, agent, _EVERY_RUN)
    if given == "last":
        fitting = [row["id"] for row in runs if row["changes"] and row["status"] != "undone"][:1]
    else:
        fitting = [row["id"] for row in runs if given and row["id"].startswith(given)]
    if not fitting:
        raise NotFound(f"{agent} has no run {given[:60]}", hint="`neomem sleep --history`")
    if len(fitting) > 1:
        raise InputError(f"{len(fitting)} runs begin with {given}", hint="give more of the id")
    return fitting[0]
