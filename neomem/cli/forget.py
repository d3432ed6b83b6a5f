"""`neomem forget`."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async

if TYPE_CHECKING:
    from neomem.engine import Engine
    from neomem.model import Memory

_SUGGESTED = 10


@click.command(epilog="Example: neomem forget 0198c5d2-7b1e-7c3a-9f04 --yes")
@click.argument("ids", metavar="IDS...", nargs=-1)
@click.option("--question", help="Suggest what answers this, and ask which of it to forget.")
@click.option("--purge", is_flag=True, help="Delete for good, also from the journal.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask; only with IDS.")
@agent_option
@json_option
@run_async
async def forget(
    ids: tuple[str, ...],
    question: str | None,
    purge: bool,
    yes: bool,
    agent: str,
    as_json: bool,
) -> None:
    """Forget the memories IDS..., or those chosen from what a question finds.

    Shows them first and asks. `neomem restore` brings them back unless they were purged. Pinned
    ones are not forgotten.
    """
    from neomem import keeping
    from neomem.cli import memories, output

    if bool(ids) == bool(question):
        raise click.UsageError("give ids, or a question to find them by")
    if question and yes:
        raise click.UsageError("what a question finds is a guess: look at it, or give ids")
    async with connected() as engine:
        if question:
            found = await _suggested(engine, agent, question)
        else:
            found = await keeping.find(engine.graph, agent, ids)
        if found and not yes:
            memories.print_memories(found, talk=True)
            click.confirm("Delete for good?" if purge else "Forget?", abort=True, err=True)
        exact = [memory.id for memory in found]
        gone: tuple[str, ...] = ()
        if exact and purge:
            gone = await keeping.purge(engine.graph, agent, exact)
        elif exact:
            archived = await keeping.forget(engine.graph, agent, exact, now=datetime.now(UTC))
            gone = tuple(memory.id for memory in archived)
    if as_json:
        output.print_json({"purged" if purge else "forgotten": gone})
    else:
        output.print_text(f"{'purged' if purge else 'forgotten'}: {len(gone)}")


async def _suggested(engine: "Engine", agent: str, question: str) -> "list[Memory]":
    """Show what a question finds, and return those a person chooses."""
    from neomem.cli import memories

    answer = await engine.recall(question, agent=agent, limit=_SUGGESTED)
    found = [hit.memory for hit in answer.hits]
    if not found:
        click.echo("nothing is remembered that answers this", err=True)
        return []
    for number, memory in enumerate(found, start=1):
        click.echo(f"{number:>2}  {memories.shortened(memory.text)}", err=True)
    chosen = click.prompt("Which? Numbers, or `all`", default="", show_default=False, err=True)
    if chosen.strip() == "all":
        return found
    numbers = chosen.replace(",", " ").split()
    wrong = [each for each in numbers if not each.isdigit() or not 1 <= int(each) <= len(found)]
    if wrong:
        raise click.UsageError(f"not on the list: {', '.join(wrong)}")
    return [found[int(each) - 1] for each in dict.fromkeys(numbers)]
