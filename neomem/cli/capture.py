"""`neomem capture`."""

import sys

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async


@click.command(epilog='Example: neomem capture "Ada moved to Lisbon in May." --kind fact')
@click.argument("text", metavar="TEXT", required=False)
@click.option(
    "--kind",
    type=click.Choice(["fact", "preference", "decision", "event", "lesson", "other"]),
    help="What it is.",
)
@click.option("--title", help="A short caption; the memory is about it.")
@click.option("--about", multiple=True, help="Whom or what it is about; may be repeated.")
@click.option("--date", help="When it was said, in any common form; by default now.")
@click.option("--importance", type=click.FloatRange(0, 1), help="From 0 to 1; by default .7.")
@agent_option
@json_option
@run_async
async def capture(  # noqa: PLR0913, PLR0917 - click hands over every option
    text: str | None,
    kind: str | None,
    title: str | None,
    about: tuple[str, ...],
    date: str | None,
    importance: float | None,
    agent: str,
    as_json: bool,
) -> None:
    """Remember TEXT, or what comes on standard input.

    A secret is refused; orders to a model are quarantined; what is known already is only noted.
    """
    from neomem.capture.event_time import read_date
    from neomem.cli import output
    from neomem.errors import InputError
    from neomem.model import Draft

    moment = read_date(date) if date else None
    if date and moment is None:
        raise InputError(f"--date {date} cannot be read", hint="as in 2026-05-08 or 8 May 2026")
    draft = Draft(
        text=text if text is not None else sys.stdin.read(),
        kind=kind,  # pyright: ignore[reportArgumentType] - one of click's choices
        title=title,
        about=about,
        said_at=moment.at if moment else None,
        importance=importance,
        source="command line",
    )
    async with connected() as memory:
        captured = await memory.capture(draft, agent=agent)
    if as_json:
        output.print_json(captured)
    else:
        output.print_text(f"{captured.outcome}: {captured.id}")
        if captured.reason:
            output.print_text(captured.reason)
