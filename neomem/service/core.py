"""What HTTP, MCP and hooks have in common: one engine, one agent, one account of what was done."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version

from neomem.config import Config
from neomem.model import Answer, Captured
from neomem.service.events import Begun, Hooks, Prompted, Spoken, Told
from neomem.service.faults import Refused
from neomem.service.inputs import Input
from neomem.service.metrics import Metrics
from neomem.service.operations import Operation
from neomem.service.outputs import AllCaptured, Health, Recalled
from neomem.service.spool import Spool
from neomem.service.warm import Warm


class Service:
    """Does what is asked, for the agent it was set up for."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.metrics = Metrics()
        self.warm = Warm(config)
        self.spool = Spool(config.home, self.take)
        self._hooks = Hooks(config, self.metrics)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Keep the engine open and the spool empty until the end of the block."""
        async with self.warm.kept():
            draining = asyncio.create_task(self.spool.keep_empty())
            try:
                yield
            finally:
                draining.cancel()
                await asyncio.gather(draining, return_exceptions=True)

    async def do(self, operation: Operation, asked: Input) -> object:
        """Run an operation; it waits for an engine that is still being opened."""
        agent = self._agent(asked)
        async with self.warm.using(self.config.service.timeout) as engine:
            done = await operation.work(engine, agent, asked)
        self._note(done)
        return done

    async def tell(self, event: Prompted | Spoken | Begun) -> Told:
        """Answer a hook, which has no time to wait for an engine."""
        agent = self._agent(event)
        async with self.warm.using(patience=0) as engine:
            return await self._hooks.tell(engine, agent, event)

    async def take(self, events: Sequence[Spoken]) -> None:
        """Store what was said while nobody was there to hear it."""
        by_agent: dict[str, list[Spoken]] = {}
        for event in events:
            by_agent.setdefault(self._agent(event), []).append(event)
        async with self.warm.using(patience=0) as engine:
            for agent, said in by_agent.items():
                await self._hooks.capture(engine, agent, said)

    def health(self) -> Health:
        """Tell whether the service can answer."""
        problem = self.warm.problem
        return Health(
            ready=self.warm.ready,
            problem=str(problem) if problem else None,
            agent=self.config.service.agent,
            model=self.config.embedder.model,
            version=version("neomem"),
            pid=os.getpid(),
            uptime=round(self.metrics.uptime, 3),
        )

    def _agent(self, asked: Input) -> str:
        own = self.config.service.agent
        if asked.agent in {None, own}:
            return own
        if not self.config.service.choose_agent:
            raise Refused(
                403,
                "this service serves one agent, and callers do not choose it",
                hint="leave `agent` out, or set service.choose_agent",
            )
        return asked.agent or own

    def _note(self, done: object) -> None:
        match done:
            case Recalled() | Answer():
                self.metrics.answered(done.missing)
            case Captured():
                self.metrics.stored({done.outcome: 1})
            case AllCaptured():
                self.metrics.stored(Counter(each.outcome for each in done.captured))
            case _:
                pass
