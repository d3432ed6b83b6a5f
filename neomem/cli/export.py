"""`neomem export`."""

import sys
from dataclasses import asdict
from pathlib import Path

import click

from neomem.cli.frame import agent_option, json_option, run_async, settings


@click.command(epilog="Example: neomem export memories.jsonl --embeddings")
@click.argument("file", metavar="FILE")
@click.option("--embeddings", is_flag=True, help="With the vectors; else they are made anew later.")
@agent_option
@json_option
@run_async
async def export(file: str, embeddings: bool, agent: str, as_json: bool) -> None:
    """Write all that belongs to an agent to FILE, or to stdout when it is `-`.

    An unchanged store gives the same bytes; `neomem import` brings them back exactly. The file has
    everything in plain text, so that only its owner may read it.
    """
    from neomem.cli import output
    from neomem.engine import open_graph
    from neomem.store import migrate, transfer
    from neomem.store.export_files import written

    if file == "-" and as_json:
        raise click.UsageError("with `-`, stdout is the export itself: leave --json out")
    with output.progress() as notify, written("stdout" if file == "-" else file):
        async with await open_graph(settings(), notify) as graph:
            await migrate.check(graph)
            if file == "-":
                target = sys.stdout.buffer
                await transfer.export(graph, agent, target, embeddings=embeddings, notify=notify)
                target.flush()
                return
            counts = await transfer.export_file(
                graph, agent, Path(file), embeddings=embeddings, notify=notify
            )
    if as_json:
        output.print_json({"file": file, **asdict(counts)})
    else:
        output.print_pairs(asdict(counts))
