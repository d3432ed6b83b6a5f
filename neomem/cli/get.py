"""`neomem get`."""

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(
    epilog="Examples: neomem get 0198c5d2-7b1e-7c3a-9f04; neomem get notes/guide.md --from 40"
)
@click.argument("what", metavar="ID|PATH")
@click.option("--from", "start", type=click.IntRange(1), help="First line of a file. [default: 1]")
@click.option("--lines", type=click.IntRange(1), help="How many lines of it.")
@agent_option
@json_option
@run_async
async def get(what: str, start: int | None, lines: int | None, agent: str, as_json: bool) -> None:
    """Show one memory, whatever its state, or lines of a file.

    ID|PATH is a memory's id, of which the first 8 characters or more do if only one begins with
    them; or a file in a folder that `neomem ingest` has registered, by its whole path or one that
    begins at the folder. What is only hexadecimal digits is an id; else what has a slash or a dot,
    or is the name of a file here, is a path. Secrets in files are masked.
    """
    from neomem.capture.reading import names_a_file

    if names_a_file(what):
        await _lines(what, start or 1, lines, agent, as_json=as_json)
    elif start is not None or lines is not None:
        raise click.UsageError(f"{what} is no path: --from and --lines are for files")
    else:
        await _memory(what, agent, as_json=as_json)


async def _memory(memory_id: str, agent: str, *, as_json: bool) -> None:
    from neomem import keeping
    from neomem.cli import memories, output

    async with connected() as engine:
        memory = await keeping.get(engine.graph, agent, memory_id)
    if as_json:
        output.print_json(memory)
    else:
        memories.print_memory(memory)


async def _lines(path: str, start: int, count: int | None, agent: str, *, as_json: bool) -> None:
    from neomem.cli import output

    async with connected() as engine:
        lines = await engine.get_lines(path, start=start, lines=count, agent=agent)
    if as_json:
        output.print_json(lines)
        return
    if lines.line_to >= lines.line_from:
        output.print_text(lines.text)
    if lines.note:
        click.echo(lines.note, err=True)
    if lines.more:
        click.echo(f"the file goes on: --from {lines.line_to + 1}", err=True)
