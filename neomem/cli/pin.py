"""`neomem pin`."""

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(epilog="Example: neomem pin 0198c5d2-7b1e-7c3a-9f04")
@click.argument("memory_id", metavar="ID")
@click.option("--off", is_flag=True, help="Let it go again.")
@agent_option
@json_option
@run_async
async def pin(memory_id: str, off: bool, agent: str, as_json: bool) -> None:
    """Pin the memory ID: every answer has it, and sleep leaves it alone.

    All pinned memories together have a budget of tokens.
    """
    from neomem.cli import memories, output

    async with connected() as engine:
        memory = await engine.pin(memory_id, pinned=not off, agent=agent)
    if as_json:
        output.print_json({"id": memory.id, "pinned": memory.pinned})
    else:
        memories.print_memories([memory])
