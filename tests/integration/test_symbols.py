"""What is to be found as written: symbols among others that have the same words."""

import json
from pathlib import Path

import neomem
from benchmarks.quality.ways import silenced
from neomem.engine import Engine
from tests.integration.recall_engine import told

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "symbols.jsonl").read_text().splitlines()
]


async def found(engine: Engine, agent: str, right: dict[str, str]) -> float:
    """Return the share of the questions whose first hit is the right one."""
    answers = [await engine.recall(question, agent=agent, limit=1) for question in right]
    firsts = [answer.hits[0].id for answer in answers]
    return sum(map(str.__eq__, firsts, right.values())) / len(right)


async def test_the_voice_of_what_is_written_earns_its_place(config, graph, agent):
    async with neomem.connect(config) as engine:
        texts = [text for case in CASES for text in (case["right"], *case["wrong"])]
        names = dict(zip(texts, await told(engine, agent, *texts), strict=True))
        right = {case["question"]: names[case["right"]] for case in CASES}

        with_it = await found(engine, agent, right)
        with silenced("as written"):
            without = await found(engine, agent, right)

    assert with_it >= 0.75
    assert with_it >= without + 0.15
