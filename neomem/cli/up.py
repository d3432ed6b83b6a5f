"""`neomem up`."""

import click

from neomem.cli.frame import json_option, run_async, settings


@click.command(epilog="Example: neomem up && neomem doctor")
@click.option("--verify", is_flag=True, help="Check every file's checksum first.")
@json_option
@run_async
async def up(verify: bool, as_json: bool) -> None:
    """Start the local Neo4j and bring its schema up to date.

    The first time, the server and the embedding model are fetched into the cache folder.
    """
    from neomem import local
    from neomem.cli import output
    from neomem.config import require_local
    from neomem.status import status

    config = settings()
    require_local(config)
    with output.progress() as notify:
        if verify:
            await local.install(config, notify, thorough=True)
        await local.up(config, notify)
    now = await status(config)
    if as_json:
        output.print_json(now)
    else:
        output.print_text(f"Neo4j {now.version} is running at {now.uri}")
        output.print_text(f"Browser: {now.browser} (user neo4j, password in {now.password_file})")
