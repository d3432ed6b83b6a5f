"""What the service does, one operation a row: for HTTP, for its description and for MCP."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import TypeAdapter

from neomem.capture.reading import Lines
from neomem.engine import Engine
from neomem.keeping import Stats
from neomem.model import Answer, Captured, Memory
from neomem.service import inputs
from neomem.service.outputs import AllCaptured, Forgotten, Recalled, recalled

Work = Callable[[Engine, str, Any], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that can be asked for; the input of a GET is its path and query."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    summary: str
    takes: type[inputs.Input]
    gives: TypeAdapter[Any]
    work: Work


async def recall(engine: Engine, agent: str, asked: inputs.Recall) -> Recalled:
    """Answer a question, as briefly as an agent wants it."""
    return recalled(await explain(engine, agent, asked), engine.embedder.model)


async def explain(engine: Engine, agent: str, asked: inputs.Recall) -> Answer:
    """Answer a question, with all reasons."""
    wanted = asked.model_dump(exclude={"agent", "question"}, exclude_none=True)
    return await engine.recall(asked.question, agent=agent, **wanted)


async def capture(engine: Engine, agent: str, asked: inputs.Capture) -> Captured:
    """Remember a text."""
    return await engine.capture(asked.draft(), agent=agent)


async def captures(engine: Engine, agent: str, asked: inputs.Captures) -> AllCaptured:
    """Remember texts, all or none."""
    drafts = [each.draft() for each in asked.memories]
    manner = "automatic" if asked.automatic else "by hand"
    done = await engine.capture_each(drafts, agent=agent, manner=manner)
    return AllCaptured(captured=tuple(done))


async def get(engine: Engine, agent: str, asked: inputs.Get) -> Memory:
    """Return a memory."""
    return await engine.get(asked.id, agent=agent)


async def get_lines(engine: Engine, agent: str, asked: inputs.GetLines) -> Lines:
    """Return lines of a file."""
    return await engine.get_lines(asked.path, start=asked.start, lines=asked.lines, agent=agent)


async def forget(engine: Engine, agent: str, asked: inputs.Forget) -> Forgotten:
    """Archive memories."""
    gone = await engine.forget(asked.ids, agent=agent)
    return Forgotten(forgotten=tuple(memory.id for memory in gone))


async def stats(engine: Engine, agent: str, asked: inputs.Nothing) -> Stats:
    """Count."""
    del asked
    return await engine.stats(agent=agent)


OPERATIONS: Sequence[Operation] = (
    Operation(
        name="recall",
        method="POST",
        path="/v1/recall",
        summary="Answer a question from memory: what is pinned, then what was found, best first.",
        takes=inputs.Recall,
        gives=TypeAdapter(Recalled),
        work=recall,
    ),
    Operation(
        name="explain",
        method="POST",
        path="/v1/explain",
        summary="The same, and of each hit why it is there.",
        takes=inputs.Recall,
        gives=TypeAdapter(Answer),
        work=explain,
    ),
    Operation(
        name="capture",
        method="POST",
        path="/v1/capture",
        summary="Remember a text. A secret is refused; what is known already is only noted.",
        takes=inputs.Capture,
        gives=TypeAdapter(Captured),
        work=capture,
    ),
    Operation(
        name="captures",
        method="POST",
        path="/v1/captures",
        summary="Remember texts or turns in one transaction, and tell of each what became of it.",
        takes=inputs.Captures,
        gives=TypeAdapter(AllCaptured),
        work=captures,
    ),
    Operation(
        name="get",
        method="GET",
        path="/v1/memories/{id}",
        summary="One memory, whatever its state.",
        takes=inputs.Get,
        gives=TypeAdapter(Memory),
        work=get,
    ),
    Operation(
        name="lines",
        method="GET",
        path="/v1/lines",
        summary="Lines of a file in the folders that were ingested, secrets masked.",
        takes=inputs.GetLines,
        gives=TypeAdapter(Lines),
        work=get_lines,
    ),
    Operation(
        name="forget",
        method="POST",
        path="/v1/forget",
        summary="Archive memories: nothing recalls them; `neomem restore` brings them back.",
        takes=inputs.Forget,
        gives=TypeAdapter(Forgotten),
        work=forget,
    ),
    Operation(
        name="stats",
        method="GET",
        path="/v1/stats",
        summary="Count what is remembered.",
        takes=inputs.Nothing,
        gives=TypeAdapter(Stats),
        work=stats,
    ),
)
