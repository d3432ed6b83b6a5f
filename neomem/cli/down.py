"""`neomem down`."""

import click

from neomem.cli.frame import json_option, run_async, settings


@click.command(epilog="Example: neomem down")
@json_option
@run_async
async def down(as_json: bool) -> None:
    """Stop the local Neo4j; the data stays."""
    from neomem import local
    from neomem.cli import output
    from neomem.config import require_local

    config = settings()
    require_local(config)
    stopped = await local.down(config)
    if as_json:
        output.print_json({"stopped": stopped})
    else:
        output.print_text("stopped" if stopped else "it was not running")
