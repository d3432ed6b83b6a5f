"""One sleeper an agent, across processes and machines, by the database's own clock."""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from neomem.errors import GraphError, LeaseHeld, QueryFailed
from neomem.store import queries
from neomem.store.graph import Graph, Row

TAKE = queries.load("sleep/lease_take")
RENEW = queries.load("sleep/lease_renew")
LEAVE = queries.load("sleep/lease_leave")


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to change an agent's memories overnight; every write checks it again."""

    token: str


@asynccontextmanager
async def held(graph: Graph, agent: str, seconds: float) -> AsyncGenerator[Lease]:
    """Hold the lease for as long as this lasts, or raise LeaseHeld at once.

    When it is lost, because this process or the server stood still for too long, writes refuse.
    """
    lease = Lease(secrets.token_hex(16))
    holder = f"process {os.getpid()} on {socket.gethostname()}"
    asked = {"token": lease.token, "milliseconds": int(seconds * 1000)}
    row = await _taken(graph, agent, holder=holder, **asked)
    if not row["mine"]:
        raise LeaseHeld(
            f"{row['holder']} has been asleep for {agent} since {row['since']:%H:%M:%S} UTC",
            hint="let it finish; one that was killed is replaced after `sleep.lease` seconds",
        )
    beating = asyncio.create_task(_beat(graph, agent, lease, seconds))
    try:
        yield lease
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating
        with suppress(GraphError):  # it ends by itself
            await graph.batch(LEAVE, agent=agent, token=lease.token)


_WAITED = ("TransactionTimedOut", "LockClientStopped")
"""What Neo4j says to one who waited too long for a lock."""


async def _taken(graph: Graph, agent: str, **asked: object) -> Row:
    try:
        (row,) = await graph.batch(TAKE, agent=agent, **asked)
    except QueryFailed as error:
        if not any(code in str(error) for code in _WAITED):
            raise
        # The holder stands still in the middle of a write, which Neo4j will end.
        raise LeaseHeld(f"somebody writes for {agent}", hint="try again in a minute") from error
    return row


async def _beat(graph: Graph, agent: str, lease: Lease, seconds: float) -> None:
    """Renew the lease well before it ends; a server that is away for a moment is asked again."""
    asked = {"token": lease.token, "milliseconds": int(seconds * 1000)}
    mine = True
    while mine:
        await asyncio.sleep(seconds / 4)
        with suppress(GraphError):
            mine = bool(await graph.batch(RENEW, agent=agent, **asked))
