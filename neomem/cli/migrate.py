"""`neomem migrate`."""

import click

from neomem.cli.frame import json_option, run_async, settings


@click.command(epilog="Example: neomem migrate --dry-run")
@click.option("--dry-run", is_flag=True, help="Only show what is pending.")
@json_option
@run_async
async def migrate(dry_run: bool, as_json: bool) -> None:
    """Bring the store's schema up to date. Safe to repeat and to interrupt."""
    from neomem import local
    from neomem.cli import output
    from neomem.engine import open_graph
    from neomem.store import migrate as library

    config = settings()
    with output.progress() as notify:
        async with await open_graph(config, notify) as graph:
            pending = await library.pending(graph)
            if not dry_run:
                await library.apply(graph, local.embedding_space(config), notify)
    names = [migration.name for migration in pending]
    if as_json:
        output.print_json({"pending" if dry_run else "applied": names})
    else:
        verb = "pending" if dry_run else "applied"
        output.print_text("\n".join(f"{verb}: {name}" for name in names) or "up to date")
