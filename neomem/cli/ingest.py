"""`neomem ingest`."""

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(epilog="Example: neomem ingest ~/notes")
@click.argument("path", metavar="PATH", type=click.Path())
@agent_option
@json_option
@run_async
async def ingest(path: str, agent: str, as_json: bool) -> None:
    """Remember a folder of Markdown, or transcripts.

    PATH is a file or folder: Markdown; Claude Code's and OpenClaw's sessions; JSONL, an object
    with `text` a line; or `name: text`. Run again, only what is new is taken: a changed file
    replaces its chunks, a removed one's are archived. Secrets are masked. PATH is registered: the
    agent can read its lines back with `neomem get`.
    """
    from neomem.cli import output

    async with connected() as memory:
        with output.progress() as notify:
            result = await memory.ingest(path, agent=agent, notify=notify)
    if as_json:
        output.print_json(result)
        return
    outcomes = ", ".join(f"{count} {name}" for name, count in result.tally.outcomes.items())
    output.print_text(f"{result.files} files: {outcomes or 'nothing new'}")
    if result.retired:
        output.print_text(f"{result.retired} chunks archived: their files changed or are gone")
    if result.unlinked:
        output.print_text(f"{result.unlinked} links lead to ids that are not there")
    for file, problems in result.problems.items():
        more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
        output.print_text(f"{file}: {problems[0]}{more}")
