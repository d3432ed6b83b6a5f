"""`python -m benchmarks.quality.nights FOLDER --json FILE`: recall before a night and after it.

The phases run one by one, those that take memories out of sight last, and every question is asked
after each that changed something. A summary is credited with its sources: it takes a place for
each of them that answers, one where none does.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.quality import store, updates
from benchmarks.quality.dataset import Dataset, Question, options
from benchmarks.quality.report import System
from neomem.engine import Engine
from neomem.model import Answer
from neomem.store.queries import parse
from sleep_cycle import sleep
from sleep_cycle.cycle import NAMES

RESULTS = Path(__file__).parents[1] / "results" / "nights"
LAST = ("compact", "decay")
LATER = timedelta(days=31)
"""A night a month after everything was said and captured: the first in which a memory may fade."""
COLUMNS = ("mean_ndcg@10", "ndcg@10", "recall@5", "recall@10")

SOURCES = parse(
    "sources",
    "// What every summary stands for.\n"
    "MATCH (s:Memory {agent: $agent})-[:SUMMARISES]->(m:Memory)"
    " WITH s, m ORDER BY m.event_at, m.turn_order"
    " RETURN s.id AS id, collect(m.external_id) AS sources",
)


def main() -> None:
    """Read the options, run, print."""
    arguments = argparse.ArgumentParser(prog="benchmarks.quality.nights", description=__doc__)
    options(arguments)
    arguments.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    given = arguments.parse_args()
    dataset = Dataset.given(given)
    with tempfile.TemporaryDirectory() as home:
        figures = asyncio.run(run(dataset, Path(home)))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


async def run(dataset: Dataset, home: Path) -> dict[str, Any]:
    """Load the data, and ask before the night and after each of its phases."""
    stages: dict[str, dict[str, Any]] = {}
    try:
        async with store.opened(home) as engine:
            await store.load(engine, dataset)
            stages["before"] = await asked(engine, dataset)
            _tell("before", stages["before"])
            for phase in (*(name for name in NAMES if name not in LAST), *LAST):
                changes = await slept(engine, dataset, phase)
                if any(changes.values()):
                    stages[phase] = {"changes": changes, **await asked(engine, dataset)}
                    _tell(phase, stages[phase])
                else:
                    print(f"{phase}: no changes", flush=True)
    finally:
        await store.stop(home)
    return {"data": dataset.name, "groups": list(dataset.texts), "stages": stages}


async def slept(engine: Engine, dataset: Dataset, phase: str) -> dict[str, int]:
    """Let one phase run for every conversation; return what it did."""
    done: dict[str, int] = {}
    for group in dataset.texts:
        agent = store.agent_of(dataset, group)
        night = await sleep(engine, agent=agent, only=[phase], now=datetime.now(UTC) + LATER)
        for report in night.phases:
            if report.error:
                raise RuntimeError(f"{phase}: {report.error}")
            for action, count in report.actions.items():
                done[action] = done.get(action, 0) + count
    return done


async def asked(engine: Engine, dataset: Dataset) -> dict[str, Any]:
    """Ask every question; return the figures and how many memories are live."""
    names = await store.external_ids(engine, dataset)
    agents = [store.agent_of(dataset, group) for group in dataset.texts]
    rows = [row for agent in agents for row in await engine.graph.read(SOURCES, agent=agent)]
    sources = {row["id"]: row["sources"] for row in rows}

    async def ask(question: Question) -> Answer:
        agent = store.agent_of(dataset, question.group)
        return await engine.recall(question.text, agent=agent, limit=10)

    system = System("neomem")
    pairs: list[int] = []
    for question, answer in await store.asked(dataset.questions, ask):
        hits = [hit.id for hit in answer.hits]
        system.heard(question, list(credited(hits, names, sources, question.gold)))
        system.missing += bool(answer.missing)
        if both := updates.pair(question.more, question.group):
            held = [{names[hit], *sources.get(hit, ())} for hit in hits]
            pairs.append(ahead(held, *both))
    live = [(await engine.stats(agent=agent)).memories for agent in agents]
    return {
        **system.figures(COLUMNS),
        "live memories": sum(live),
        "updated before outdated": f"{pairs.count(1)} of {len(pairs)}" if pairs else None,
        "both in one summary": pairs.count(0),
        "answers with a signal missing": system.missing,
    }


def credited(
    hits: Sequence[str],
    names: dict[str, str],
    sources: dict[str, list[str]],
    gold: dict[str, float],
) -> Iterator[str]:
    """Yield the data's ids of what was found, a summary as those of its sources that answer."""
    seen: set[str] = set()
    for hit in hits:
        stands_for = [name for name in sources.get(hit, ()) if name in gold and name not in seen]
        places = stands_for or [names[hit] or hit]
        seen.update(places)
        yield from places


def ahead(held: Sequence[set[str]], older: set[str], newer: set[str]) -> int:
    """Return 1 when the newer statement comes before the older, 0 when one hit holds both first."""
    places = [
        next((place for place, each in enumerate(held) if each & ids), len(held))
        for ids in (newer, older)
    ]
    if places[0] == places[1]:
        return 0 if places[0] < len(held) and not older & newer else -1
    return 1 if places[0] < places[1] else -1


def tables() -> str:
    """Return the committed nights, a table each: a row before, and one after each phase."""
    files = sorted(RESULTS.glob("*.json"))
    return "\n\n".join(table(json.loads(file.read_text(encoding="utf-8"))) for file in files)


def table(figures: dict[str, Any]) -> str:
    """Return one night over some data; a phase that changed nothing has no row."""
    heads = [
        f"{figures['data']}, {len(figures['groups'])} conversations",
        *("nDCG@10", "recall@10", "live", "updated first", "both in one"),
    ]
    lines = [f"| {' | '.join(heads)} |", "|---|" + "--:|" * (len(heads) - 1)]
    for stage, each in figures["stages"].items():
        cells = [stage, *(f"{100 * each[name]:.1f}" for name in ("ndcg@10", "recall@10"))]
        cells += [str(each["live memories"]), each["updated before outdated"] or ""]
        cells += [str(each["both in one summary"] or "")]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _tell(stage: str, figures: dict[str, Any]) -> None:
    shown = ", ".join(f"{name} {100 * figures[name]:.1f}" for name in COLUMNS)
    rest = f"live {figures['live memories']}, updated first {figures['updated before outdated']}"
    rest += f", together {figures['both in one summary']}"
    print(f"{stage}: {shown}, {rest} {figures.get('changes', '')}", flush=True)


if __name__ == "__main__":
    main()
