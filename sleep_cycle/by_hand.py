"""Entities merged and split by a person, in the journal like all else."""

from datetime import UTC, datetime

from neomem.capture.rows import new_id
from neomem.engine import Engine
from neomem.errors import InputError, NotFound
from neomem.store import queries
from neomem.store.graph import Row
from neomem.text import entity_key
from sleep_cycle.budget import Budget
from sleep_cycle.cycle import BEGIN, END
from sleep_cycle.journal import Journal
from sleep_cycle.judge import Judge
from sleep_cycle.lease import held
from sleep_cycle.phase import Night
from sleep_cycle.phases import entities
from sleep_cycle.same_entity import Named

LIST = queries.load("sleep/entity_list")
ENTITY = queries.load("sleep/entity")
JOINED = entities.JOINED
SPLIT = queries.load("sleep/entity_split")

_PHASE = "entities"


async def list_entities(
    engine: Engine, agent: str, *, beginning: str = "", limit: int = 50
) -> list[Row]:
    """Return an agent's entities, the most named first, with what was merged into each."""
    return await engine.graph.read(LIST, agent=agent, beginning=beginning.casefold(), limit=limit)


async def merge(engine: Engine, agent: str, gone: str, kept: str) -> str:
    """Let one entity stand for another; return the run that `neomem sleep --undo` takes back."""
    names = [await _named(engine, agent, name) for name in (kept, gone)]
    if names[0].key == names[1].key:
        raise InputError(f"{gone} and {kept} are the same entity already")
    night = _night(engine, agent)
    async with held(engine.graph, agent, night.settings.lease) as lease:
        rows = await night.read(JOINED, key=names[1].key)
        change = entities.merge(names[0], names[1], rows, "by hand", {"by": "hand"})
        (run,) = await engine.graph.write(
            BEGIN, agent=agent, id=new_id(night.now), phases=["by hand"]
        )
        journal = await Journal.opened(night, lease, run["id"], run["number"])
        made = await journal.apply(_PHASE, [change])
        await journal.note(END, status="finished", reason=None)
    if not made:
        raise InputError("one of them was merged meanwhile", hint="`neomem entities`")
    return run["id"]


async def split(engine: Engine, agent: str, name: str) -> str:
    """Let a merged entity stand for itself again; return what it had stood for."""
    (key,) = [entity_key(agent, name)]
    night = _night(engine, agent)
    async with held(engine.graph, agent, night.settings.lease):
        rows = await engine.graph.write(SPLIT, agent=agent, key=key)
    if not rows:
        raise NotFound(f"{name[:60]} was not merged into anything", hint="`neomem entities`")
    return rows[0]["into"]


async def _named(engine: Engine, agent: str, name: str) -> Named:
    rows = await engine.graph.read(ENTITY, agent=agent, key=entity_key(agent, name))
    if not rows:
        raise NotFound(f"{agent} knows no {name[:60]}", hint="`neomem entities` lists them")
    row = rows[0]
    return Named(row["key"], row["name"], row["type"], tuple(row["aliases"]), row["mentions"])


def _night(engine: Engine, agent: str) -> Night:
    return Night(
        engine=engine,
        agent=agent,
        now=datetime.now(UTC),
        settings=engine.config.sleep,
        judge=Judge(None, Budget()),
    )
