"""`neomem forget`."""

from datetime import UTC, datetime

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(epilog="Example: neomem forget 0198c5d2-7b1e-7c3a-9f04 --yes")
@click.argument("ids", metavar="IDS...", nargs=-1, required=True)
@click.option("--purge", is_flag=True, help="Delete for good, also from the journal.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@agent_option
@json_option
@run_async
async def forget(ids: tuple[str, ...], purge: bool, yes: bool, agent: str, as_json: bool) -> None:
    """Forget the memories IDS...; `neomem restore` brings them back unless they were purged.

    Shows them first and asks. Pinned ones are not forgotten.
    """
    from neomem import keeping
    from neomem.cli import memories, output

    async with connected() as engine:
        found = await keeping.find(engine.graph, agent, ids)
        if not yes:
            memories.print_memories(found, talk=True)
            question = "Delete them for good?" if purge else "Forget them?"
            click.confirm(question, abort=True, err=True)
        exact = [memory.id for memory in found]
        if purge:
            gone = await keeping.purge(engine.graph, agent, exact)
        else:
            archived = await keeping.forget(engine.graph, agent, exact, now=datetime.now(UTC))
            gone = tuple(memory.id for memory in archived)
    if as_json:
        output.print_json({"purged" if purge else "forgotten": gone})
    else:
        output.print_text(f"{'purged' if purge else 'forgotten'}: {len(gone)}")
