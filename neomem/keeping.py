"""Memories by hand: look at them, forget and restore, pin, let one replace another.

Every change is one transaction that locks what it reads, leaves a line in the journal, and changes
nothing the second time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal

from neomem.errors import InputError, NotFound, QueryFailed
from neomem.model import Kind, Memory
from neomem.store import queries
from neomem.store.graph import Graph
from neomem.text import clean, lane, session_key
from neomem.tokens import estimate

State = Literal["live", "archived", "quarantined", "pinned", "all"]

SHORTEST_ID = 8
"""Characters by which a memory can be named at least."""

NOTHING: Mapping[str, int] = MappingProxyType({})

_LONGEST_REASON = 1000
_ATTEMPTS = 20

FIND = queries.load("keeping/find")
LIST = queries.load("keeping/list")
FORGET = queries.load("keeping/forget")
PURGE = queries.load("keeping/forget_purge")
PURGE_AGENT = queries.load("keeping/forget_agent")
RESTORE = queries.load("keeping/restore")
PINNED = queries.load("keeping/pinned")
PIN = queries.load("keeping/pin")
SUPERSEDE = queries.load("keeping/supersede")
UNTAG = queries.load("keeping/forget_task")
STATS = queries.load("keeping/stats")

_REFUSALS = {
    "circle": "{old} has itself replaced {new}, directly or through others",
    "quarantined": "{new} is quarantined and may not replace anything",
    "archived": "{new} is archived; `neomem restore` brings it back",
    "pinned": "{old} is pinned; `neomem pin --off` lets it go",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What an agent's store holds; `memories`, `kinds`, `oldest` and `newest` are of live ones."""

    agent: str
    memories: int
    archived: int
    quarantined: int
    pinned: int
    entities: int
    sessions: int
    tasks: int
    kinds: dict[str, int]
    oldest: datetime | None
    newest: datetime | None


async def get(graph: Graph, agent: str, memory_id: str) -> Memory:
    """Return a memory in whatever state, by its id or a beginning that only one has."""
    return (await find(graph, agent, [memory_id]))[0]


async def find(graph: Graph, agent: str, ids: Sequence[str]) -> tuple[Memory, ...]:
    """Return memories by their ids or beginnings of them, each once, in the order of their ids."""
    given = [clean(each).strip() for each in ids]
    for each in given:
        if len(each) < SHORTEST_ID:
            raise InputError(
                f"{each!r} is too short for an id",
                hint=f"give its first {SHORTEST_ID} characters or more",
            )
    rows = await graph.read(FIND, agent=agent, given=given)
    for row in rows:
        if row["matches"] > 1:
            raise InputError(
                f"{row['matches']} ids begin with {row['given']}", hint="give more of the id"
            )
        if not row["matches"]:
            raise NotFound(
                f"{agent} has no memory {row['given'][:60]}", hint="`neomem list` shows their ids"
            )
    found = {row["memory"]["id"]: Memory.from_row(row) for row in rows}
    return tuple(found[each] for each in sorted(found))


async def list_memories(  # noqa: PLR0913 - all that a list can be narrowed by
    graph: Graph,
    agent: str,
    *,
    kind: Kind | None = None,
    task: str | None = None,
    session: str | None = None,
    state: State = "live",
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int = 20,
    before: str | None = None,
) -> tuple[Memory, ...]:
    """Return memories, newest first; `before` is the id of the last one of the page before.

    `since` and `until` are about when they were captured: then or later, and earlier than then.
    """
    last = await get(graph, agent, before) if before else None
    rows = await graph.read(
        LIST,
        agent=agent,
        kind=kind,
        task=task and task.upper(),
        session_key=None if session is None else session_key(agent, session),
        state=state,
        since=_aware(since),
        until=_aware(until),
        before=last and last.id,
        limit=limit,
    )
    return tuple(Memory.from_row(row) for row in rows)


async def forget(
    graph: Graph, agent: str, ids: Sequence[str], *, now: datetime
) -> tuple[Memory, ...]:
    """Archive memories, so that nothing recalls them; return those that were not archived yet."""
    found = await find(graph, agent, ids)
    row = (
        await graph.write(
            FORGET,
            agent=agent,
            ids=[memory.id for memory in found],
            lane=lane(agent, live=False),
            now=_aware(now),
        )
    )[0]
    _refuse_pinned(row["pinned"])
    return _changed(row)


async def purge(graph: Graph, agent: str, ids: Sequence[str]) -> tuple[str, ...]:
    """Delete memories for good, with what the journal has of them; return their ids."""
    found = await find(graph, agent, ids)
    row = (await graph.write(PURGE, agent=agent, ids=[memory.id for memory in found]))[0]
    _refuse_pinned(row["pinned"])
    return tuple(row["purged"])


async def purge_agent(graph: Graph, agent: str) -> int:
    """Delete for good all that an agent has; return how many memories there were."""
    return (await graph.write(PURGE_AGENT, agent=agent))[0]["memories"]


async def restore(graph: Graph, agent: str, ids: Sequence[str]) -> tuple[Memory, ...]:
    """Bring archived memories back; return those that came.

    A quarantined one stays out of recall.
    """
    found = await find(graph, agent, ids)
    parameters = {
        "agent": agent,
        "ids": [memory.id for memory in found],
        "live_lane": lane(agent, live=True),
    }
    try:
        row = (await graph.write(RESTORE, **parameters))[0]
    except QueryFailed:  # a capture took the place between the look and the change: look again
        row = (await graph.write(RESTORE, **parameters))[0]
    if row["taken"]:
        raise InputError(
            "\n".join(f"{each['id']} is there again as {each['by']}" for each in row["taken"]),
            hint="nothing was restored; forget the other one first, or leave this one out",
        )
    return _changed(row)


async def pin(
    graph: Graph,
    agent: str,
    memory_id: str,
    *,
    budget: int,
    pinned: bool = True,
    beside: Mapping[str, int] = NOTHING,
) -> Memory:
    """Pin a memory, so that every answer has it, or let it go; return it as it is now.

    All pinned memories, and pinned files, whose tokens are given `beside` by their paths, may
    together have as many tokens as the budget says.
    """
    memory = await get(graph, agent, memory_id)
    for _ in range(_ATTEMPTS):
        seen = await _check_budget(graph, memory, budget, beside) if pinned else []
        rows = await graph.write(PIN, agent=agent, id=memory.id, pinned=pinned, seen=seen)
        if not rows:
            raise NotFound(f"{memory.id} has just been deleted")
        if rows[0]["agreed"]:
            break
    else:
        raise InputError("others are pinning at the same time", hint="try again")
    memory = Memory.from_row(rows[0])
    if pinned and not memory.live:
        raise InputError(
            f"{memory.id} is {'archived' if memory.archived_at else 'quarantined'}"
            " and cannot be pinned"
        )
    return memory


async def supersede(
    graph: Graph, agent: str, old: str, new: str, *, reason: str | None = None, now: datetime
) -> Memory:
    """Let a newer memory replace an older one; return the older, valid until the newer began."""
    older, newer = await get(graph, agent, old), await get(graph, agent, new)
    if older.id == newer.id:
        raise InputError("a memory cannot replace itself")
    words = clean(reason).strip() if reason else ""
    if len(words) > _LONGEST_REASON:
        raise InputError(f"a reason has at most {_LONGEST_REASON} characters, not {len(words)}")
    rows = await graph.write(
        SUPERSEDE, agent=agent, old=older.id, new=newer.id, reason=words or None, now=_aware(now)
    )
    if not rows:
        raise NotFound(f"{older.id} or {newer.id} has just been deleted")
    if rows[0]["refused"]:
        raise InputError(_REFUSALS[rows[0]["refused"]].format(old=older.id, new=newer.id))
    return Memory.from_row(rows[0])


async def untag(graph: Graph, agent: str, task: str) -> int:
    """Take a task's tag off its memories; return how many bore it."""
    return (await graph.write(UNTAG, agent=agent, task=clean(task).strip().upper()))[0]["untagged"]


async def stats(graph: Graph, agent: str) -> Stats:
    """Count what an agent has."""
    row = (await graph.read(STATS, agent=agent))[0]
    kinds: list[dict[str, Any]] = row["kinds"]
    return Stats(
        agent=agent,
        memories=sum(kind["live"] for kind in kinds),
        archived=sum(kind["archived"] for kind in kinds),
        quarantined=sum(kind["quarantined"] for kind in kinds),
        pinned=sum(kind["pinned"] for kind in kinds),
        entities=row["entities"],
        sessions=row["sessions"],
        tasks=row["tasks"],
        kinds={kind["kind"]: kind["live"] for kind in kinds if kind["live"]},
        oldest=min((kind["oldest"] for kind in kinds if kind["oldest"]), default=None),
        newest=max((kind["newest"] for kind in kinds if kind["newest"]), default=None),
    )


async def pinned_tokens(graph: Graph, agent: str) -> dict[str, int]:
    """Return how many tokens each pinned memory has, by its id."""
    rows = await graph.read(PINNED, agent=agent)
    return {row["id"]: estimate(row["text"]) for row in rows}


async def _check_budget(
    graph: Graph, memory: Memory, budget: int, beside: Mapping[str, int]
) -> list[str]:
    """Return the ids and paths of what is pinned, if this memory fits beside it."""
    pinned = await pinned_tokens(graph, memory.agent)
    used, more = sum(pinned.values()) + sum(beside.values()), estimate(memory.text)
    if memory.id not in pinned and used + more > budget:
        raise InputError(
            f"what is pinned would have {used + more} tokens, {used} of them pinned already;"
            f" the budget is {budget}",
            hint="`neomem list --state pinned` shows them, `neomem pin --off` lets one go",
        )
    return [*pinned, *beside]


def _changed(row: Mapping[str, Any]) -> tuple[Memory, ...]:
    return tuple(Memory.from_row({"memory": each}) for each in row["changed"])


def _refuse_pinned(pinned: Sequence[str]) -> None:
    if pinned:
        raise InputError(
            f"pinned: {', '.join(pinned)}", hint="nothing was changed; `neomem pin --off` first"
        )


def _aware(moment: datetime | None) -> datetime | None:
    if moment is not None and moment.tzinfo is None:
        raise ValueError("a time needs a zone")
    return moment
