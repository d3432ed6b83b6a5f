"""Look at everything neomem rests on and say what to do about what is wrong."""

import re
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import psutil
from pydantic import BaseModel

from neomem import local
from neomem.config import Config, ambient_java_home
from neomem.errors import NeomemError
from neomem.models import artifacts, choose
from neomem.sections import LOCAL
from neomem.store import health, java, migrate, queries
from neomem.store.graph import Address, Graph

State = Literal["ok", "warning", "failed"]

_MEGABYTE = 1_000_000
_ROOM = 1_000 * _MEGABYTE
_OLDEST = (2026, 7)  # filters inside the vector search, IN among them
_CLOCKS_APART = 5


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at."""

    name: str
    state: State
    detail: str
    hint: str | None = None


class Even(BaseModel):
    """The smallest question that shows whether a model answers in a given shape."""

    even: bool


async def examine(config: Config) -> list[Check]:
    """Make every check that can be made; one that fails does not hide the others."""
    checks: list[Check] = []
    if config.neo4j.uri == LOCAL:
        checks += [_java(config), _files(config), _disk(config), _memory(config)]
    checks += [_models(config), await _embedding(config), _entities(config)]
    if config.openai.language_model:
        checks.append(await _language_model(config))
    checks += [check async for check in _server(config)]
    return checks


def _java(config: Config) -> Check:
    ambient = ambient_java_home()
    try:
        found = java.find(config.server.java_home, ambient)
    except NeomemError as error:
        return Check("java", "failed", str(error), error.hint)
    ignored = java.version_of(ambient) if ambient and ambient != found.home else None
    note = f"; JAVA_HOME is Java {ignored}, not used" if ignored else ""
    return Check("java", "ok", f"Java {found.version}{note}")


def _files(config: Config) -> Check:
    return _locked("files", local.SERVER_FILES, config.cache)


def _models(config: Config) -> Check:
    names = choose.locked_names(config)
    if not names:
        return Check("models", "ok", f"{config.embedder.model} is not neomem's to fetch")
    return _locked("models", names, config.cache)


async def _embedding(config: Config) -> Check:
    try:
        embedder = choose.embedder(config)
        try:
            await embedder.embed_question("Does it work?")
            start = time.perf_counter()
            await embedder.embed_question("How long does it take?")
        finally:
            await embedder.close()
    except NeomemError as error:
        return Check("embedding", "failed", str(error), error.hint)
    took = (time.perf_counter() - start) * 1000
    return Check("embedding", "ok", f"{embedder.dimensions} numbers, {took:.0f} ms a question")


def _entities(config: Config) -> Check:
    try:
        choose.entity_finder(config)
    except NeomemError as error:
        return Check("entities", "failed", str(error), error.hint)
    return Check("entities", "ok", config.entities.pipeline or f"built in, {config.language}")


async def _language_model(config: Config) -> Check:
    model = None
    try:
        model = choose.language_model(config)
        if model:
            await model.ask("Say whether the number is even.", "4", Even)
    except NeomemError as error:
        return Check("language model", "failed", str(error), error.hint)
    finally:
        if model:
            await model.close()
    return Check("language model", "ok", f"{config.openai.language_model} answers in shape")


def _locked(name: str, names: tuple[str, ...], folder: Path) -> Check:
    wrong = [artifact for each in names for artifact in artifacts.damaged(each, folder)]
    if not wrong:
        return Check(name, "ok", ", ".join(names) + ": complete, checksums right")
    first, more = wrong[0].coordinate, len(wrong) - 1
    detail = f"missing or damaged: {first}" + (f" and {more} more" if more else "")
    return Check(name, "failed", detail, "run `neomem up --verify`: it fetches them")


def _disk(config: Config) -> Check:
    folder = next(path for path in (config.home, *config.home.parents) if path.exists())
    free = shutil.disk_usage(folder).free
    detail = f"{free / 1e9:.1f} GB free"
    if free < _ROOM:
        return Check("disk", "failed", detail, f"free some space around {folder}")
    return Check("disk", "ok", detail)


def _memory(config: Config) -> Check:
    needed = _bytes(config.server.heap) + _bytes(config.server.page_cache)
    memory = psutil.virtual_memory()
    free, total = (f"{size / 1e9:.1f}" for size in (memory.available, memory.total))
    detail = f"{free} of {total} GB free; the server may take {needed / 1e9:.1f}"
    if needed > memory.total / 2:
        return Check("memory", "failed", detail, "lower server.heap and server.page_cache")
    if needed > memory.available and not local.server(config).find():
        return Check("memory", "warning", detail, "close something, or lower server.heap")
    return Check("memory", "ok", detail)


async def _server(config: Config) -> AsyncIterator[Check]:
    try:
        address = _address(config)
        if not address:
            yield Check("server", "failed", "the local server is not running", "run `neomem up`")
            return
        graph = await Graph.open(address, config.neo4j)
    except NeomemError as error:
        yield Check("server", "failed", str(error), error.hint)
        return
    async with graph:
        yield Check("server", "ok", f"answers at {address}")
        try:
            for check in await _inside(graph, config):
                yield check
        except NeomemError as error:
            yield Check("schema", "failed", str(error), error.hint)


def _address(config: Config) -> Address | None:
    if config.neo4j.uri != LOCAL:
        return Address.of(config.neo4j)
    server = local.server(config)
    running = server.find()
    return server.address(running) if running else None


async def _inside(graph: Graph, config: Config) -> list[Check]:
    components = await health.components(graph)
    pending = await migrate.pending(graph)
    states = await health.indexes(graph)
    vectors = await migrate.vectors(graph)
    return [
        _version(components.version),
        Check("edition", "ok", components.edition),
        _clock(components.now),
        _schema(len(pending)),
        _indexes(states),
        *_embedder(vectors, config),
    ]


def _version(version: str) -> Check:
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    if numbers < _OLDEST:
        return Check("version", "failed", version, "neomem needs Neo4j 2026.07 or later")
    return Check("version", "ok", version)


def _clock(now: datetime) -> Check:
    apart = abs((datetime.now(UTC) - now).total_seconds())
    if apart > _CLOCKS_APART:
        detail = f"the server's clock is {apart:.0f} s away from this machine's"
        return Check("clock", "warning", detail, "set both by NTP: dates of memories depend on it")
    return Check("clock", "ok", "agrees with the server's")


def _schema(pending: int) -> Check:
    if pending:
        return Check("schema", "failed", f"{pending} migrations pending", "run `neomem migrate`")
    return Check("schema", "ok", f"{len(queries.migrations())} migrations applied")


def _indexes(states: list[health.Index]) -> Check:
    names = set(queries.index_names())
    offline = {f"{i.name} is {i.state.lower()}" for i in states if i.state != "ONLINE"}
    lost = {f"{name} is missing" for name in names - {index.name for index in states}}
    wrong = sorted(offline | lost)
    if wrong:
        hint = "wait if it is populating; else drop it in Neo4j Browser and make it anew"
        return Check("indexes", "failed", ", ".join(wrong), hint)
    return Check("indexes", "ok", f"{len(names)} online")


def _embedder(vectors: migrate.Vectors | None, config: Config) -> Iterator[Check]:
    if vectors is None:
        return
    space, wanted = vectors.space, local.embedding_space(config)
    detail = f"{space.model}, {space.dimensions}, {space.language}"
    if vectors.becoming or (space.model, space.dimensions) != (wanted.model, wanted.dimensions):
        hint = "run `neomem reembed`, or set embedder.model and embedder.dimensions to these"
        yield Check("embedder", "failed", f"the store's vectors are of {detail}", hint)
    elif vectors.unfinished:
        hint = "run `neomem reembed`: it goes on where it stopped"
        yield Check("embedder", "warning", f"{detail}; not all memories are embedded", hint)
    else:
        yield Check("embedder", "ok", detail)
    if space.language != wanted.language:
        detail = f"the store's words are {space.language}, the settings say {wanted.language}"
        hint = f"set language to {space.language}; another needs a new store: export and import"
        yield Check("language", "warning", detail, hint)


def _bytes(size: str) -> int:
    return int(size[:-1]) << {"k": 10, "m": 20, "g": 30}[size[-1]]
