"""`neomem status`."""

from datetime import timedelta

import click

from neomem.cli.frame import json_option, run_async, settings
from neomem.errors import GraphUnavailable


@click.command(epilog="Example: neomem status --json")
@json_option
@run_async
async def status(as_json: bool) -> None:
    """Show which Neo4j is used and how it is.

    The exit code is 3 when the local server is not running.
    """
    from neomem import status as library
    from neomem.cli import output

    now = await library.status(settings())
    if as_json:
        output.print_json(now)
    else:
        up = now.uptime
        output.print_pairs(
            {
                "running": "yes" if now.running else "no",
                "address": now.uri,
                "browser": now.browser,
                "version": now.version,
                "edition": now.edition,
                "pid": now.pid,
                "up": None if up is None else str(timedelta(seconds=up)),
                "memory": output.size(now.memory),
                "store": output.size(now.store_size),
                "home": now.home,
            }
        )
    if not now.running:
        click.get_current_context().exit(GraphUnavailable.exit_code)
