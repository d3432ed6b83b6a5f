"""`neomem list`."""

from typing import Any, get_args

import click

from neomem.cli.frame import agent_option, connected, json_option, moment_option, run_async
from neomem.model import Kind

STATES = ("live", "archived", "quarantined", "pinned", "all")


@click.command("list", epilog="Example: neomem list --kind decision --since 2026-05-01")
@click.option("--kind", type=click.Choice(get_args(Kind)), help="Only of this kind.")
@click.option("--task", metavar="ID", help="Only with this task's tag.")
@click.option("--session", metavar="ID", help="Only said in this session.")
@click.option(
    "--state",
    type=click.Choice(STATES),
    default="live",
    show_default=True,
    help="Live ones, or those that are not recalled.",
)
@moment_option("--since", help="Captured then or later.")
@moment_option("--until", help="Captured earlier than that.")
@click.option(
    "-n", "--limit", default=20, show_default=True, type=click.IntRange(1, 1000), help="How many."
)
@click.option("--before", metavar="ID", help="Go on after this one, the last of the page before.")
@agent_option
@json_option
@run_async
async def list_(agent: str, as_json: bool, **wanted: Any) -> None:  # noqa: ANN401 - the filters
    """List memories, newest first."""
    from neomem import keeping
    from neomem.cli import memories, output

    async with connected() as engine:
        found = await keeping.list_memories(engine.graph, agent, **wanted)
    more = found[-1].id if len(found) == wanted["limit"] else None
    if as_json:
        output.print_json({"memories": found, "before": more})
        return
    if found:
        memories.print_memories(found)
    else:
        click.echo("no memories", err=True)
    if more:
        click.echo(f"perhaps there are more: --before {more}", err=True)
