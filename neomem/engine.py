"""The object users hold, and how they come by it."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from neomem import config as settings
from neomem import keeping, local
from neomem.capture import Tools, capture, gate, imports
from neomem.capture.bulk import Tally, capture_many
from neomem.capture.files import Ingested, ingest
from neomem.capture.guard import Pattern, compile_extra
from neomem.capture.known import KnownNames
from neomem.capture.pinned import ReadFile, pin_file, pinned_files, read_pinned, unpin_file
from neomem.capture.prepare import Manner, refuse_secrets
from neomem.capture.reading import Lines, get_lines
from neomem.capture.reembed import Reembedded, reembed
from neomem.config import Config
from neomem.errors import ConfigError
from neomem.model import DEFAULT_AGENT, Answer, Captured, Draft, Memory, PinnedFile
from neomem.models import choose
from neomem.ports import Embedder, EntityFinder, LanguageModel
from neomem.progress import Notify, silent
from neomem.recall import Tools as RecallTools
from neomem.recall import recall
from neomem.recall.recording import Recorder
from neomem.recall.request import Request
from neomem.recall.second_pass import of_embedder
from neomem.sections import LOCAL
from neomem.store import migrate, transfer
from neomem.store.fit import Fit
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
    fit: Fit
    names: KnownNames
    tasks: TaskReader
    recorder: Recorder
    patterns: tuple[Pattern, ...] = ()

    async def capture(
        self, draft: Draft | str, *, agent: str = DEFAULT_AGENT, manner: Manner = "by hand"
    ) -> Captured:
        """Remember a text; say whether it is new, known already, or quarantined."""
        draft = Draft(text=draft) if isinstance(draft, str) else draft
        return (await self.capture_each([draft], agent=agent, manner=manner))[0]

    async def capture_each(
        self, drafts: Sequence[Draft], *, agent: str = DEFAULT_AGENT, manner: Manner = "by hand"
    ) -> list[Captured]:
        """Remember some texts in one transaction; tell of each what became of it."""
        return await capture(
            self.capture_tools, drafts, agent=agent, manner=manner, now=datetime.now(UTC)
        )

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
            self.capture_tools,
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
            self.capture_tools, Path(path), agent=agent, now=datetime.now(UTC), notify=notify
        )

    async def recall(
        self,
        question: str,
        *,
        agent: str = DEFAULT_AGENT,
        **wanted: Any,  # noqa: ANN401 - the fields of a Request
    ) -> Answer:
        """Answer a question from memory, as `recall.Request` can say more closely."""
        request = Request(question=question, agent=agent, **wanted)
        answer = await recall(self.recall_tools, request, datetime.now(UTC))
        if self.config.recall.record:
            self.recorder.note([(hit.memory.agent, hit.id) for hit in answer.hits])
        return answer

    async def get(self, memory_id: str, *, agent: str = DEFAULT_AGENT) -> Memory:
        """Return a memory in whatever state, by its id or a beginning that only one has."""
        return await keeping.get(self.graph, agent, memory_id)

    async def get_lines(
        self,
        path: Path | str,
        *,
        start: int = 1,
        lines: int | None = None,
        agent: str = DEFAULT_AGENT,
    ) -> Lines:
        """Return lines of a file in the folders the agent has ingested, secrets masked."""
        return await get_lines(
            self.graph,
            agent,
            str(path),
            start=start,
            lines=lines,
            settings=self.config.capture,
            patterns=self.patterns,
        )

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
        """Pin a memory or let it go, within the budget it shares with pinned files."""
        budget = self.config.capture.pinned_budget
        files = await self.pinned_files(agent=agent) if pinned else ()
        beside = {file.path: file.tokens for file in files}
        return await keeping.pin(
            self.graph, agent, memory_id, pinned=pinned, budget=budget, beside=beside
        )

    async def pin_file(self, path: Path | str, *, agent: str = DEFAULT_AGENT) -> ReadFile:
        """Pin a file, which every answer then has as it reads at the time; within the budget."""
        return await pin_file(
            self.graph,
            agent,
            Path(path),
            settings=self.config.capture,
            beside=await keeping.pinned_tokens(self.graph, agent),
            now=datetime.now(UTC),
            patterns=self.patterns,
        )

    async def unpin_file(self, path: Path | str, *, agent: str = DEFAULT_AGENT) -> str:
        """Let a pinned file go; return its path."""
        return await unpin_file(self.graph, agent, Path(path))

    async def pinned_files(self, *, agent: str = DEFAULT_AGENT) -> tuple[ReadFile, ...]:
        """Read the pinned files; one that cannot be read says why."""
        return await pinned_files(self.graph, agent, self.config.capture, self.patterns)

    async def supersede(
        self, old: str, new: str, *, reason: str | None = None, agent: str = DEFAULT_AGENT
    ) -> Memory:
        """Let a newer memory replace an older one; return the older."""
        now = datetime.now(UTC)
        refuse_secrets(reason or "", self.patterns, what="the reason")
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
            self.graph, agent, Path(file), patterns=self.capture_tools.patterns, notify=notify
        )

    async def stats(self, *, agent: str = DEFAULT_AGENT) -> keeping.Stats:
        """Count what an agent has."""
        return await keeping.stats(self.graph, agent)

    async def embedder_fits(self) -> bool:
        """Tell whether the store's vectors are of this embedder, so that captures are taken."""
        return await self.fit.mismatch() is None

    async def mismatch(self) -> str | None:
        """Return why a search by meaning would be wrong or miss memories now, or None."""
        return await self.fit.unsearchable()

    async def reembed(self, *, notify: Notify = silent) -> Reembedded:
        """Make the vectors of all agents' memories with this embedder; stopped, run it again."""
        return await reembed(self.capture_tools, notify=notify)

    @property
    def entities(self) -> EntityFinder:
        """The finder of names, knowing none of the graph's."""
        return self.names.finder

    @property
    def recall_tools(self) -> RecallTools:
        """What a recall works with, for those who look at its steps."""
        return RecallTools(
            graph=self.graph,
            embedder=self.embedder,
            finder=lambda agent: self.names.of(self.graph, agent),
            strip=gate.strip,
            pinned_files=self._pinned_files,
            unfit=self.mismatch,
            model=of_embedder(self.embedder.model),
            settings=self.config.recall,
            tasks=self.tasks,
            tasks_file=self.config.capture.tasks_file,
        )

    async def _pinned_files(self, paths: Sequence[str]) -> tuple[PinnedFile, ...]:
        files = await read_pinned(
            [Path(path) for path in paths], self.config.capture, self.patterns
        )
        return tuple(PinnedFile(path=each.path, text=each.text) for each in files if each.text)

    @property
    def capture_tools(self) -> Tools:
        """What a capture works with, for those who write in its way."""
        return Tools(
            graph=self.graph,
            embedder=self.embedder,
            fit=self.fit,
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
        recorder = Recorder(graph)
        stack.push_async_callback(recorder.close)
        yield Engine(
            graph=graph,
            embedder=embedder,
            language_model=language_model,
            config=config,
            fit=Fit(graph, embedder),
            names=KnownNames(lambda: choose.entity_finder(config), config.capture.known_names),
            tasks=TaskReader(),
            recorder=recorder,
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
