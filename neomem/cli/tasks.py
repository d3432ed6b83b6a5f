"""`neomem tasks`."""

from datetime import UTC, datetime
from pathlib import Path

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async
from neomem.errors import InputError


@click.command(epilog="Example: neomem tasks --file ~/notes/TASKS.md")
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    default=Path("TASKS.md"),
    show_default=True,
    help="The task file.",
)
@click.option("--untag", metavar="ID", help="Take this task's tag off the agent's memories.")
@agent_option
@json_option
@run_async
async def tasks(file: Path, untag: str | None, agent: str, as_json: bool) -> None:
    """Show the tasks neomem reads from a task file.

    While exactly one task is active, what is captured gets its tag, and `neomem list --task ID`
    lists it.
    """
    if untag:
        await _untag(agent, untag, as_json=as_json)
    else:
        _show(file, as_json=as_json)


async def _untag(agent: str, task: str, *, as_json: bool) -> None:
    from neomem import keeping
    from neomem.cli import output

    async with connected() as engine:
        count = await keeping.untag(engine.graph, agent, task)
    if as_json:
        output.print_json({"task": task.upper(), "untagged": count})
    else:
        output.print_text(f"untagged: {count}")


def _show(file: Path, *, as_json: bool) -> None:
    from neomem import tasks as library
    from neomem.cli import output

    read, now = library.read(file), datetime.now(UTC)
    if read.problem:
        raise InputError(read.problem)
    rows = [
        (task.id, task.title, task.status, task.completed, library.stale(task, now))
        for task in read.tasks
    ]
    tagged = library.the_active(read.tasks)
    columns = ["id", "title", "status", "completed", "stale"]
    if as_json:
        found = [dict(zip(columns, row, strict=True)) for row in rows]
        output.print_json({"file": file, "tasks": found, "active": tagged and tagged.id})
    elif rows:
        shown = [(*row[:3], *("yes" if each else "" for each in row[3:])) for row in rows]
        output.print_table(columns, shown)
        click.echo(f"captures are tagged: {tagged.id if tagged else 'no'}", err=True)
    else:
        click.echo(f"no tasks in {file}" if file.exists() else f"there is no {file}", err=True)
