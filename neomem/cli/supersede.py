"""`neomem supersede`."""

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(epilog="Example: neomem supersede 0198c5d2-7b1e 0199aa03-11d8 --reason 'she moved'")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--reason", metavar="TEXT", help="Why, for those who ask later.")
@agent_option
@json_option
@run_async
async def supersede(old: str, new: str, reason: str | None, agent: str, as_json: bool) -> None:
    """Let the memory NEW replace the memory OLD.

    Both are kept; OLD is valid until the time NEW speaks of.
    """
    from neomem.cli import output

    async with connected() as engine:
        memory = await engine.supersede(old, new, reason=reason, agent=agent)
    if as_json:
        output.print_json({"id": memory.id, "valid_until": memory.valid_until})
    else:
        output.print_text(f"{memory.id} is valid until {memory.valid_until:%Y-%m-%d %H:%M %Z}")
