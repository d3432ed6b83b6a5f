"""`neomem reembed`."""

import click

from neomem.cli.frame import connected, json_option, run_async


@click.command(epilog="Example: NEOMEM_EMBEDDER__MODEL=bge-small-en-v1.5 neomem reembed")
@json_option
@run_async
async def reembed(as_json: bool) -> None:
    """Make the store's vectors anew with the configured embedder, for all agents.

    Needed after `embedder.model` was changed; until it is done, recall goes by words and names.
    Also embeds memories that have no vector, as after an import. Safe to interrupt: run again,
    it goes on where it stopped.
    """
    from neomem.cli import output

    async with connected() as memory:
        with output.progress() as notify:
            done = await memory.reembed(notify=notify)
    if as_json:
        output.print_json(done)
    else:
        output.print_text(f"{done.memories} memories embedded with {done.model}")
