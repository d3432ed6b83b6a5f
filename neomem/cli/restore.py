"""`neomem restore`."""

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(epilog="Example: neomem restore 0198c5d2-7b1e-7c3a-9f04")
@click.argument("ids", metavar="IDS...", nargs=-1, required=True)
@agent_option
@json_option
@run_async
async def restore(ids: tuple[str, ...], agent: str, as_json: bool) -> None:
    """Bring the archived memories IDS... back; `neomem list --state archived` shows them."""
    from neomem import keeping
    from neomem.cli import memories, output

    async with connected() as engine:
        back = await keeping.restore(engine.graph, agent, ids)
    if as_json:
        output.print_json({"restored": [memory.id for memory in back]})
    elif back:
        memories.print_memories(back)
    else:
        output.print_text("restored: 0, nothing of that was archived")
