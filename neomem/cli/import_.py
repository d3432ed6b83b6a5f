"""`neomem import`."""

from dataclasses import asdict
from pathlib import Path

import click

from neomem.cli.frame import agent_option, json_option, run_async, settings


@click.command("import", epilog="Example: neomem import memories.jsonl --agent ada")
@click.argument("file", metavar="FILE")
@agent_option
@json_option
@run_async
async def import_(file: str, agent: str, as_json: bool) -> None:
    """Bring back what `neomem export` has written to FILE, exactly as it was.

    A damaged file is turned away before anything is written. Importing twice changes nothing; what
    the guard would refuse comes back quarantined.
    """
    from neomem.capture import imports
    from neomem.capture.guard import compile_extra
    from neomem.cli import output
    from neomem.engine import open_graph
    from neomem.store import migrate

    config = settings()
    given = config.capture.patterns.items()
    patterns = [compile_extra(name, pattern) for name, pattern in given]
    with output.progress() as notify:
        async with await open_graph(config, notify) as graph:
            await migrate.check(graph)
            done = await imports.import_file(
                graph, agent, Path(file), patterns=patterns, notify=notify
            )
    if as_json:
        output.print_json(done)
    else:
        output.print_pairs({name.replace("_", " "): n for name, n in asdict(done).items()})
        if done.without_embedding:
            click.echo("hint: `neomem reembed` makes the embeddings that are missing", err=True)
