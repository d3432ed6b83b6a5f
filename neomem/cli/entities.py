"""`neomem entities`."""

from typing import Any

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(epilog='Examples: neomem entities; neomem entities --merge "Bob Smith" Robert')
@click.argument("beginning", default="")
@click.option("--merge", nargs=2, metavar="NAME INTO", help="Let INTO stand for NAME too.")
@click.option("--split", metavar="NAME", help="Let a merged NAME stand for itself again.")
@click.option("-n", "--limit", type=click.IntRange(1), default=50, help="How many at most.")
@agent_option
@json_option
@run_async
async def entities(
    beginning: str,
    merge: tuple[str, str] | None,
    split: str | None,
    limit: int,
    agent: str,
    as_json: bool,
) -> None:
    """List whom and what an agent's memories name; with BEGINNING, only names that begin so.

    Sleep merges those that are surely one; --merge and --split do it by hand, and what was split
    is not merged again. A merge can be undone like a run of sleep.
    """
    from neomem.cli import output
    from sleep_cycle import by_hand

    found: list[dict[str, Any]] = []
    async with connected() as engine:
        if merge:
            run = await by_hand.merge(engine, agent, *merge)
            answer: object = {"merged": merge[0], "into": merge[1], "run": run}
            said = f"{merge[0]} is {merge[1]} now; `neomem sleep --undo {run}` takes it back"
        elif split:
            into = await by_hand.split(engine, agent, split)
            answer, said = {"split": split, "from": into}, f"{split} is not {into} any more"
        else:
            found = await by_hand.list_entities(engine, agent, beginning=beginning, limit=limit)
            answer, said = {"agent": agent, "entities": found}, None
    if as_json:
        output.print_json(answer)
    elif said:
        output.print_text(said)
    else:
        output.print_table(
            ("name", "type", "memories", "also"),
            [
                (row["name"], row["type"], str(row["mentions"]), ", ".join(row["aliases"]))
                for row in found
            ],
        )
