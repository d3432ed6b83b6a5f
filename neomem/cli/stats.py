"""`neomem stats`."""

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(epilog="Example: neomem stats --json")
@agent_option
@json_option
@run_async
async def stats(agent: str, as_json: bool) -> None:
    """Count what the store holds: live memories by kind, entities, sessions, tasks."""
    from dataclasses import asdict

    from neomem import keeping
    from neomem.cli import output

    async with connected() as engine:
        figures = await keeping.stats(engine.graph, agent)
    if as_json:
        output.print_json(figures)
    else:
        pairs = asdict(figures)
        kinds = {f"  {kind}": count for kind, count in pairs.pop("kinds").items()}
        output.print_pairs(
            {"agent": pairs.pop("agent"), "memories": pairs.pop("memories"), **kinds, **pairs}
        )
