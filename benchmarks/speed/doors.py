"""The same questions through the service, and through the hook that agents run."""

import json
from collections.abc import Sequence

from benchmarks import warm
from benchmarks.hook import hook, started
from benchmarks.speed import measure
from neomem.config import Config

_WARM_UP = 10


async def times(config: Config, questions: Sequence[str]) -> dict[str, list[float]]:
    """Return how long each took through each door, a service that is warm behind both."""
    async with warm.service(config) as client:

        async def service(question: str) -> None:
            answer = await client.post("/v1/recall", json={"question": question})
            answer.raise_for_status()

        async def process(question: str) -> None:
            event = {"event": "recall", "prompt": question}
            await started(config, hook(), given=json.dumps(event))

        doors: dict[str, measure.Ask] = {"service": service, "hook": process}
        await measure.alternating(doors, questions[:_WARM_UP])
        return await measure.alternating(doors, questions[_WARM_UP:])
