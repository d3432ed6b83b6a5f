"""The object users hold, and how they come by it."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from neomem import config as settings
from neomem import local
from neomem.config import Config
from neomem.models import choose
from neomem.ports import Embedder, EntityFinder, LanguageModel
from neomem.progress import Notify, silent
from neomem.sections import LOCAL
from neomem.store import migrate
from neomem.store.graph import Address, Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A connected memory engine."""

    graph: Graph
    embedder: Embedder
    entities: EntityFinder
    language_model: LanguageModel | None
    config: Config


@asynccontextmanager
async def connect(
    config: Config | Path | str | None = None, *, notify: Notify = silent
) -> AsyncGenerator[Engine]:
    """Connect to the configured Neo4j; with `neo4j.uri: local`, start it if it is not running.

    A store whose schema is older than this neomem is refused, with the command that migrates it.
    """
    if not isinstance(config, Config):
        config = settings.load(config)
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
            entities=choose.entity_finder(config),
            language_model=language_model,
            config=config,
        )


async def open_graph(config: Config, notify: Notify = silent) -> Graph:
    """Connect without looking at the schema, for those who mend it."""
    here = config.neo4j.uri == LOCAL
    address = await local.address(config, notify) if here else Address.of(config.neo4j)
    return await Graph.open(address, config.neo4j)
