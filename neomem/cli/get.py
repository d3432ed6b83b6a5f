"""`neomem get`."""

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(epilog="Example: neomem get 0198c5d2-7b1e-7c3a-9f04")
@click.argument("memory_id", metavar="ID")
@agent_option
@json_option
@run_async
async def get(memory_id: str, agent: str, as_json: bool) -> None:
    """Show one memory, whatever its state.

    Of ID the first 8 characters or more do, if only one memory's id begins with them.
    """
    from neomem import keeping
    from neomem.cli import memories, output

    async with connected() as engine:
        memory = await keeping.get(engine.graph, agent, memory_id)
    if as_json:
        output.print_json(memory)
    else:
        memories.print_memory(memory)
