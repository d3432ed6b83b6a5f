"""`neomem sleep` with a fate: at a moment of a phase somebody is killed, or stands still.

    python -m tests.integration.doomed '{"agent": …, "folder": …, "phase": …, "moment": …, …}'

The command is the real one; its engine is that of the tests, and its watch sends the signal.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import sleep_cycle
from neomem import engine
from neomem.config import Config
from neomem.progress import Notify
from neomem.store.graph import Graph
from sleep_cycle.phase import Event, PhaseAdvanced, PhaseStarted
from tests.conftest import environment
from tests.integration.sleeping import LATER, busy

Moment = Literal["started", "before", "writing", "committing", "written", "advanced"]
"""A phase begins; before a write, in it, at its end, after it; a page is done."""

PATIENCE = 300


@dataclass(frozen=True)
class Fate:
    """Who is signalled, and when; without a victim, the sleeper itself."""

    agent: str
    folder: str
    phase: str
    moment: Moment
    lease: float = 2.0
    after: float = 0.003
    """Seconds from the sending of a write, or of its commit, to the kill in it."""
    victim: int | None = None
    signal: int = signal.SIGKILL


@dataclass
class Ended:
    """How a sleeper ended, and what it said."""

    code: int
    out: str
    err: str


async def started(config: Config, fate: Fate) -> asyncio.subprocess.Process:
    """Start a sleeper with a fate."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __spec__.name, json.dumps(asdict(fate))),
        env=environment(config, NEOMEM_NEO4J__RETRY_TIME="1"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


async def ended(process: asyncio.subprocess.Process) -> Ended:
    """Wait for a sleeper's end."""
    out, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    return Ended(process.returncode or 0, out.decode(), err.decode())


class Doom:
    """A fate put where the command will meet it."""

    def __init__(self, fate: Fate) -> None:
        self.fate = fate
        self.phase = ""
        self.met = False
        self.really_write = Graph.together
        self.really_sleep = sleep_cycle.sleep

    def meet(self, moment: Moment, *, after: float = 0.0) -> None:
        """Send the signal if this is the moment, or a little later."""
        if self.met or (self.phase, moment) != (self.fate.phase, self.fate.moment):
            return
        self.met = True
        victim = self.fate.victim or os.getpid()
        if after:
            threading.Timer(after, os.kill, [victim, self.fate.signal]).start()
        else:
            os.kill(victim, self.fate.signal)

    def watch(self, event: Event) -> None:
        if isinstance(event, PhaseStarted):
            self.phase = event.phase
            self.meet("started")
        elif isinstance(event, PhaseAdvanced):
            self.meet("advanced")

    async def write(self, graph: Graph, steps: Sequence[Any], **given: Any) -> Any:
        self.meet("before")
        self.meet("writing", after=self.fate.after)
        answer = await self.really_write(graph, steps, unless=partial(self.commit, given["unless"]))
        self.meet("written")
        return answer

    def commit(self, unless: Callable[[Any], bool], rows: Any) -> bool:
        self.meet("committing", after=self.fate.after)
        return unless(rows)

    async def sleep(self, memory: engine.Engine, *, agent: str, **_: object) -> sleep_cycle.Slept:
        return await self.really_sleep(memory, agent=agent, now=LATER, watch=self.watch)

    @asynccontextmanager
    async def connect(self, config: Config, *, notify: Notify) -> AsyncGenerator[engine.Engine]:
        async with await engine.open_graph(config, notify) as graph:
            yield busy(graph, Path(self.fate.folder), lease=self.fate.lease)


def main() -> None:
    """Sleep until it happens."""
    from neomem import cli

    fate = Fate(**json.loads(sys.argv[1]))
    doom = Doom(fate)

    async def write(self: Graph, steps: Sequence[Any], **given: Any) -> Any:
        return await doom.write(self, steps, **given)

    Graph.together, sleep_cycle.sleep, engine.connect = write, doom.sleep, doom.connect
    cli.main(["sleep", "--agent", fate.agent, "--json"])


if __name__ == "__main__":
    main()
