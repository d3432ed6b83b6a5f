"""`neomem demo`."""

import click

from neomem.cli.frame import connected, json_option, run_async

AGENT = "demo"
QUESTION = "In which city is the company that Ada works for?"


@click.command(epilog="Example: neomem demo")
@json_option
@run_async
async def demo(as_json: bool) -> None:
    """Capture a short conversation for the agent `demo`, and answer a question on it.

    The answer takes two steps through the graph: whom Ada works for, and where that is.
    """
    from importlib import resources

    from neomem.cli import answers, output

    async with connected() as engine:
        with resources.as_file(resources.files("neomem") / "demo.jsonl") as file:
            ingested = await engine.ingest(file, agent=AGENT)
        tally = ingested.tally.outcomes
        said = ", ".join(f"{count} {outcome}" for outcome, count in sorted(tally.items()))
        click.echo(f"captured: {said}\n", err=True)
        answer = await engine.recall(QUESTION, agent=AGENT, limit=5)
    if as_json:
        output.print_json(answer)
        return
    answers.print_explained(answer)
