"""`neomem demo`."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from neomem.cli.frame import connected, json_option, run_async

if TYPE_CHECKING:
    from neomem.engine import Engine
    from neomem.model import Answer

AGENT = "neomem-demo"
QUESTION = "In which city is the company that Ada works for?"
OFFICE = "Where is the office of Lumen Works?"
ROPE = "How long is the green rope?"
_SHOWN_ID = 23
_ID = re.compile(r"\b([0-9a-f]{8})-[0-9a-f-]{27}\b")
MAY, JUNE = datetime(2026, 5, 20, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the story: what is done, what a person would type, what comes of it."""

    title: str
    command: str
    result: Mapping[str, object] | None = None
    answer: "Answer | None" = None


@click.command(epilog="Example: neomem demo --keep")
@click.option("--keep", is_flag=True, help="Leave its memories there, to be looked at.")
@json_option
@run_async
async def demo(keep: bool, as_json: bool) -> None:
    """Show the whole story in a minute: remember, recall, update, pin, forget, restore.

    It plays with memories of an agent of its own, `neomem-demo`, which begins and ends with none.
    """
    from neomem.cli import output

    steps: list[Step] = []
    async with connected() as engine, _agent_of_its_own(engine, keep=keep):
        async for step in _story(engine):
            steps.append(step)
            if not as_json:
                _print(len(steps), step)
    if as_json:
        output.print_json({"agent": AGENT, "kept": keep, "steps": steps})
    elif keep:
        click.echo(f"\nkept: neomem list --agent {AGENT}; neomem browse recent --agent {AGENT}")
    else:
        click.echo("\nnothing of this was kept; `neomem demo --keep` leaves it to be looked at")


@asynccontextmanager
async def _agent_of_its_own(engine: "Engine", *, keep: bool) -> AsyncGenerator[None]:
    """Let the story begin with nothing, and leave nothing of it unless asked to."""
    from neomem import keeping

    await keeping.purge_agent(engine.graph, AGENT)
    try:
        yield
    finally:
        if not keep:
            await keeping.purge_agent(engine.graph, AGENT)


async def _story(engine: "Engine") -> AsyncIterator[Step]:
    yield await _ingested(engine, "A talk is remembered, turn by turn", "demo.jsonl")
    yield await _ingested(engine, "So is a note, in chunks with their lines", "demo.md")
    answer = await engine.recall(QUESTION, agent=AGENT, limit=4)
    yield Step(
        "A question that takes two steps: for whom she works, and where they are",
        f'neomem recall "{QUESTION}" --explain',
        answer=answer,
    )
    async for step in _updated(engine):
        yield step
    async for step in _kept_in_mind(engine):
        yield step
    # Sleep is shown here, once there is `neomem sleep`: what was said twice becomes one memory.
    async for step in _forgotten(engine):
        yield step


async def _ingested(engine: "Engine", title: str, name: str) -> Step:
    from importlib import resources

    with resources.as_file(resources.files("neomem") / name) as file:
        ingested = await engine.ingest(file, agent=AGENT)
    return Step(title, f"neomem ingest {name}", ingested.tally.outcomes)


async def _updated(engine: "Engine") -> AsyncIterator[Step]:
    from neomem.model import Draft

    text = "Lumen Works moved its office from Porto to Braga."
    old = await _find(engine, "only office")
    draft = Draft(text=text, kind="fact", title="Lumen Works", said_at=JUNE)
    new = (await engine.capture(draft, agent=AGENT)).id or ""
    ended = await engine.supersede(old, new, reason="they moved", agent=AGENT)
    both = f"{old[:_SHOWN_ID]} {new[:_SHOWN_ID]}"
    yield Step(
        "Something changes: the new replaces the old, and both are kept",
        f'neomem capture "{text}" --date 2026-06-01; neomem supersede {both}',
        {"replaced": ended.text, "valid until": f"{ended.valid_until:%Y-%m-%d}"},
    )
    now = await engine.recall(OFFICE, agent=AGENT, limit=1)
    yield Step("Asked now", f'neomem recall "{OFFICE}"', answer=now)
    then = await engine.recall(OFFICE, agent=AGENT, limit=1, as_of=MAY)
    yield Step(
        "Asked what held in May", f'neomem recall "{OFFICE}" --as-of 2026-05-20', answer=then
    )


async def _kept_in_mind(engine: "Engine") -> AsyncIterator[Step]:
    memory = await _find(engine, "prefers messages")
    await engine.pin(memory, agent=AGENT)
    answer = await engine.recall("Tell Ada about Thursday.", agent=AGENT, limit=1)
    yield Step(
        "What must never be overlooked is pinned: every answer has it",
        f'neomem pin {memory[:_SHOWN_ID]}; neomem recall "Tell Ada about Thursday."',
        answer=answer,
    )


async def _forgotten(engine: "Engine") -> AsyncIterator[Step]:
    memory = await _find(engine, "60 metres")
    await engine.forget([memory], agent=AGENT)
    without = await engine.recall(ROPE, agent=AGENT, limit=1)
    yield Step(
        "What is forgotten is not found any more",
        f'neomem forget {memory[:_SHOWN_ID]}; neomem recall "{ROPE}"',
        answer=without,
    )
    await engine.restore([memory], agent=AGENT)
    back = await engine.recall(ROPE, agent=AGENT, limit=1)
    yield Step(
        "Unless it is restored",
        f"neomem restore {memory[:_SHOWN_ID]}; neomem recall …",
        answer=back,
    )


async def _find(engine: "Engine", words: str) -> str:
    memories = await engine.list(agent=AGENT, limit=100)
    return next(memory.id for memory in memories if words in memory.text)


def _print(number: int, step: Step) -> None:
    from neomem.cli import output
    from neomem.cli.memories import shortened

    output.print_text(f"{'' if number == 1 else chr(10)}{number}. {step.title}\n$ {step.command}")
    if step.result:
        output.print_pairs(step.result)
    if step.answer:
        pinned = [("pinned", shortened(memory.text), "") for memory in step.answer.pinned]
        hits = [
            (
                f"{hit.score:.2f}",
                shortened(hit.text),
                _ID.sub(r"\1…", hit.path or ", ".join(hit.terms)),
            )
            for hit in step.answer.hits
        ]
        output.print_table(["score", "memory", "why"], [*pinned, *hits])
