"""The object users hold, and how they come by it."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from neomem import config as settings
from neomem import keeping, local
from neomem.capture import Tools, capture, imports
from neomem.capture.bulk import Tally, capture_many
from neomem.capture.files import Ingested, ingest
from neomem.capture.guard import Pattern, compile_extra
from neomem.capture.known import KnownNames
from neomem.capture.prepare import Manner
from neomem.config import Config
from neomem.errors import ConfigError
from neomem.model import DEFAULT_AGENT, Captured, Draft, Memory
from neomem.models import choose
from neomem.ports import Embedder, EntityFinder, LanguageModel
from neomem.progress import Notify, silent
from neomem.sections import LOCAL
from neomem.store import migrate, transfer
from neomem.store.graph import Address, Graph
from neomem.store.transfer import Counts, Imported
from neomem.tasks import TaskReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A connected memory engine."""

    graph: Graph
    embedder: Embedder
    language_model: LanguageModel | None
    config: Config
    names: KnownNames
    tasks: TaskReader
    patterns: tuple[Pattern, ...] = ()

    async def capture(
        self, draft: Draft | str, *, agent: str = DEFAULT_AGENT, manner: Manner = "by hand"
    ) -> Captured:
        """Remember a text; say whether it is new, known already, or quarantined."""
        drafts = [Draft(text=draft) if isinstance(draft, str) else draft]
        now = datetime.now(UTC)
        return (await capture(self._tools, drafts, agent=agent, manner=manner, now=now))[0]

    async def capture_many(
        self,
        drafts: Iterable[Draft],
        *,
        agent: str = DEFAULT_AGENT,
        manner: Manner = "ingest",
        notify: Notify = silent,
        total: int = 0,
    ) -> Tally:
        """Remember any number of texts, a batch a transaction; stopped, it can be run again."""
        return await capture_many(
            self._tools,
            drafts,
            agent=agent,
            manner=manner,
            now=datetime.now(UTC),
            notify=notify,
            total=total,
        )

    async def ingest(
        self, path: Path | str, *, agent: str = DEFAULT_AGENT, notify: Notify = silent
    ) -> Ingested:
        """Remember a Markdown file, a transcript, or a folder of them; again, only what is new."""
        return await ingest(
            self._tools, Path(path), agent=agent, now=datetime.now(UTC), notify=notify
        )

    async def get(self, memory_id: str, *, agent: str = DEFAULT_AGENT) -> Memory:
        """Return a memory in whatever state, by its id or a beginning that only one has."""
        return await keeping.get(self.graph, agent, memory_id)

    async def list(self, *, agent: str = DEFAULT_AGENT, **wanted: Any) -> tuple[Memory, ...]:  # noqa: ANN401
        """Return memories, newest first, narrowed as `keeping.list_memories` can."""
        return await keeping.list_memories(self.graph, agent, **wanted)

    async def forget(self, ids: Sequence[str], *, agent: str = DEFAULT_AGENT) -> tuple[Memory, ...]:
        """Archive memories; return those that were not archived yet."""
        return await keeping.forget(self.graph, agent, ids, now=datetime.now(UTC))

    async def purge(self, ids: Sequence[str], *, agent: str = DEFAULT_AGENT) -> tuple[str, ...]:
        """Delete memories for good; return their ids."""
        return await keeping.purge(self.graph, agent, ids)

    async def restore(
        self, ids: Sequence[str], *, agent: str = DEFAULT_AGENT
    ) -> tuple[Memory, ...]:
        """Bring archived memories back; return those that came."""
        return await keeping.restore(self.graph, agent, ids)

    async def pin(
        self, memory_id: str, *, pinned: bool = True, agent: str = DEFAULT_AGENT
    ) -> Memory:
        """Pin a memory or let it go, within the budget."""
        budget = self.config.capture.pinned_budget
        return await keeping.pin(self.graph, agent, memory_id, pinned=pinned, budget=budget)

    async def supersede(
        self, old: str, new: str, *, reason: str | None = None, agent: str = DEFAULT_AGENT
    ) -> Memory:
        """Let a newer memory replace an older one; return the older."""
        now = datetime.now(UTC)
        return await keeping.supersede(self.graph, agent, old, new, reason=reason, now=now)

    async def export(
        self,
        file: Path | str,
        *,
        agent: str = DEFAULT_AGENT,
        embeddings: bool = False,
        notify: Notify = silent,
    ) -> Counts:
        """Write all that belongs to an agent to a file."""
        return await transfer.export_file(
            self.graph, agent, Path(file), embeddings=embeddings, notify=notify
        )

    async def import_(
        self, file: Path | str, *, agent: str = DEFAULT_AGENT, notify: Notify = silent
    ) -> Imported:
        """Bring an export back, exactly as it was."""
        return await imports.import_file(
            self.graph, agent, Path(file), patterns=self._tools.patterns, notify=notify
        )

    async def stats(self, *, agent: str = DEFAULT_AGENT) -> keeping.Stats:
        """Count what an agent has."""
        return await keeping.stats(self.graph, agent)

    @property
    def entities(self) -> EntityFinder:
        """The finder of names, knowing none of the graph's."""
        return self.names.finder

    @property
    def _tools(self) -> Tools:
        return Tools(
            graph=self.graph,
            embedder=self.embedder,
            names=self.names,
            settings=self.config.capture,
            patterns=self.patterns,
            tasks=self.tasks,
        )


@asynccontextmanager
async def connect(
    config: Config | Path | str | None = None, *, notify: Notify = silent
) -> AsyncGenerator[Engine]:
    """Connect to the configured Neo4j; with `neo4j.uri: local`, start it if it is not running.

    A store whose schema is older than this neomem is refused, with the command that migrates it.
    """
    if not isinstance(config, Config):
        config = settings.load(config)
    patterns = _patterns(config)
    async with AsyncExitStack() as stack:
        graph = await stack.enter_async_context(await open_graph(config, notify))
        await migrate.check(graph)
        embedder, language_model = choose.embedder(config), choose.language_model(config)
        stack.push_async_callback(embedder.close)
        if language_model:
            stack.push_async_callback(language_model.close)
        yield Engine(
            graph=graph,
            embedder=embedder,
            language_model=language_model,
            config=config,
            names=KnownNames(lambda: choose.entity_finder(config), config.capture.known_names),
            tasks=TaskReader(),
            patterns=patterns,
        )


def _patterns(config: Config) -> tuple[Pattern, ...]:
    problems: list[str] = []
    patterns: list[Pattern] = []
    for name, pattern in config.capture.patterns.items():
        try:
            patterns.append(compile_extra(name, pattern))
        except ValueError as error:
            problems.append(f"capture.patterns.{name}: {error}")
    if problems:
        raise ConfigError(*problems, hint="patterns are Python regular expressions")
    return tuple(patterns)


async def open_graph(config: Config, notify: Notify = silent) -> Graph:
    """Connect without looking at the schema, for those who mend it."""
    here = config.neo4j.uri == LOCAL
    address = await local.address(config, notify) if here else Address.of(config.neo4j)
    return await Graph.open(address, config.neo4j)
