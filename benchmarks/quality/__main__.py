"""`python -m benchmarks.quality FOLDER --json FILE`: how well recall finds what answers.

Any folder in the format of the evaluation data is loaded through the public API into agents of its
own on a real server, and every question is asked through it; peers on the same data and vectors.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.quality import abstention, peers, store, updates
from benchmarks.quality.dataset import TUNE, Dataset, Question, options
from benchmarks.quality.gate import fallen
from benchmarks.quality.report import System, table
from benchmarks.quality.ways import ABLATIONS, OURS, PRESETS, Way, silenced
from neomem.engine import Engine
from neomem.model import Answer
from neomem.progress import Progress


def main() -> None:
    """Read the options, run, print."""
    arguments = argparse.ArgumentParser(prog="benchmarks.quality", description=__doc__)
    options(arguments)
    arguments.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    arguments.add_argument("--peers", action="store_true", help="other systems and presets too")
    arguments.add_argument("--ablate", action="store_true", help="what each part is worth")
    arguments.add_argument("--home", type=Path, help="keep the benchmark's server there")
    given = arguments.parse_args()
    if given.home:
        figures = asyncio.run(run(given, given.home.absolute()))
    else:
        with tempfile.TemporaryDirectory() as home:
            figures = asyncio.run(run(given, Path(home)))
    worse = fallen(figures)  # before a committed file is written over
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(table(figures))
    if worse:
        sys.exit("fallen behind benchmarks/results: " + "; ".join(worse))


async def run(given: argparse.Namespace, home: Path) -> dict[str, Any]:
    """Load the data and ask every system every question."""
    dataset = Dataset.given(given)
    try:
        async with store.opened(home) as engine:
            await store.load(engine, dataset, _talk)
            asked = OURS | (PRESETS if given.peers else {}) | (ABLATIONS if given.ablate else {})
            systems = [await ours(engine, dataset, name, way) for name, way in asked.items()]
            if given.peers:
                systems += await theirs(engine, dataset, home)
            figures: dict[str, Any] = {
                "data": dataset.name,
                "questions": len(dataset.questions),
                "conversation": dataset.conversation,
                "embedder": engine.embedder.model,
                "systems": {system.name: system.figures() for system in systems},
                "report half": halves(dataset, systems),
            }
            if dataset.conversation:
                figures["abstention"] = await abstention.measured(engine, dataset)
            figures["updates"] = updates.measured(dataset, systems)
            return figures
    finally:
        await store.stop(home)


async def ours(engine: Engine, dataset: Dataset, name: str, way: Way) -> System:
    """Ask neomem every question, in one of its ways."""
    names = await store.external_ids(engine, dataset)
    system = System(name)

    async def ask(question: Question) -> Answer:
        agent = store.agent_of(dataset, question.group)
        return await way.engine(engine).recall(question.text, agent=agent, limit=10, **way.wanted)

    with silenced(way.silent):
        answers = await store.asked(dataset.questions, ask)
    for question, answer in answers:
        system.heard(question, [names[hit.id] for hit in answer.hits])
        system.missing += bool(answer.missing)
    return _told(system)


def halves(dataset: Dataset, systems: list[System]) -> dict[str, dict[str, float]]:
    """Return the means over categories on the conversations that nothing was fitted on."""
    tuned = TUNE.get(dataset.name)
    held = [group for group in dataset.texts if tuned and group not in tuned]
    if not held or not tuned:
        return {}
    return {system.name: system.among(held).figures(("mean_ndcg@10",)) for system in systems}


async def theirs(engine: Engine, dataset: Dataset, home: Path) -> list[System]:
    """Ask the other systems the same."""
    systems: list[System] = []
    for peer in peers.beside(engine, dataset, home / "peers"):
        await peer.load(dataset)
        system = System(peer.name)
        for question in dataset.questions:
            system.heard(question, await peer.ask(question))
        await peer.close()
        systems.append(_told(system))
    return systems


def _told(system: System) -> System:
    print(f"{system.name}: done", flush=True)
    return system


def _talk(event: Progress) -> None:
    if event.total and event.done in {0, event.total}:
        print(f"{event.step} {event.done}/{event.total}", flush=True)


if __name__ == "__main__":
    main()
