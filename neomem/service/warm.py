"""The engine, opened in the background and kept open; a local Neo4j that ended is started again."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from neomem import local
from neomem.config import Config
from neomem.engine import Engine, connect
from neomem.errors import GraphError, NeomemError
from neomem.recall import recall
from neomem.recall.request import Request
from neomem.sections import LOCAL
from neomem.service.faults import Starting

log = logging.getLogger(__name__)

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0


class Warm:
    """Gives the engine to those who ask, once it is there."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.problem: NeomemError | None = None
        self._engine: Engine | None = None
        self._ready = asyncio.Event()
        self._over = asyncio.Event()
        """The engine in use is to be closed: for good, or because its server has moved."""
        self._stopping = False
        self._mending: asyncio.Task[None] | None = None

    @property
    def ready(self) -> bool:
        """Whether there is an engine."""
        return self._engine is not None

    async def engine(self, patience: float) -> Engine:
        """Return the engine, waiting so many seconds for it; Starting when it is not there."""
        if self._engine is None and patience:
            try:
                async with asyncio.timeout(patience):
                    await self._ready.wait()
            except TimeoutError:
                pass
        if self._engine is None:
            reason = f": {self.problem}" if self.problem else ""
            hint = self.problem.hint if self.problem else "ask again in a moment"
            raise Starting(f"the service is starting{reason}", hint=hint)
        return self._engine

    @asynccontextmanager
    async def using(self, patience: float) -> AsyncGenerator[Engine]:
        """Give the engine; when Neo4j fails it, see in the background whether it still runs."""
        engine = await self.engine(patience)
        try:
            yield engine
        except GraphError:
            self._mend(engine)
            raise

    @asynccontextmanager
    async def kept(self) -> AsyncGenerator[None]:
        """Open the engine in the background, and keep it until the end of the block."""
        keeping = asyncio.create_task(self._keep())
        try:
            yield
        finally:
            self._stopping = True
            self._over.set()
            if not self.ready:
                keeping.cancel()  # it may be waiting for a server that never comes
            if self._mending:
                self._mending.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    async def _keep(self) -> None:
        pause = _FIRST_PAUSE
        while not self._stopping:
            try:
                async with connect(self.config) as engine:
                    self._engine, self.problem, pause = engine, None, _FIRST_PAUSE
                    self._ready.set()
                    await self._greet(engine)
                    await self._over.wait()
                    self._retire()
                continue
            except NeomemError as error:
                self.problem = error
                log.warning("cannot connect: %s", error)
            except Exception as error:  # the service outlives whatever it was
                self.problem = NeomemError(f"{type(error).__name__}: {error}")
                log.exception("cannot connect")
            finally:
                self._retire()
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _retire(self) -> None:
        self._engine = None
        self._ready.clear()
        self._over.clear()

    async def _greet(self, engine: Engine) -> None:
        """Have models loaded and queries planned before the first question comes."""
        request = Request(question="Are you there, Ada?", agent=self.config.service.agent)
        try:
            await recall(engine.recall_tools, request, datetime.now(UTC))
        except Exception:  # who asks in earnest will be told
            log.exception("not warm yet")

    def _mend(self, engine: Engine) -> None:
        if self.config.neo4j.uri != LOCAL or (self._mending and not self._mending.done()):
            return  # another's server comes back by itself; the driver finds it
        self._mending = asyncio.create_task(self._bring_back(engine))

    async def _bring_back(self, engine: Engine) -> None:
        try:
            address = await local.address(self.config)
        except NeomemError as error:
            log.warning("the local server does not come back: %s", error)
            return
        if address != engine.graph.address and engine is self._engine:
            self._over.set()
