"""`neomem serve`."""

import click

from neomem.cli.frame import run_async, served_agent_option, service_settings


@click.command(epilog="Example: neomem serve --port 8123")
@click.option("--port", type=click.IntRange(1, 65535), help="Listen on this loopback port too.")
@click.option("--idle-minutes", type=click.FloatRange(0), help="Stop after so long; 0: never.")
@served_agent_option
@click.option("--stop", is_flag=True, help="End the service that is running.")
@run_async
async def serve(
    port: int | None, idle_minutes: float | None, agent: str | None, stop: bool
) -> None:
    """Keep memory warm for hooks, MCP and HTTP, on a unix socket in the home's run folder.

    Hooks start it when they need it. Callers need the token in the home's file `token`. Ctrl-C, or
    --stop, lets what is being done end first.
    """
    from neomem.service import process

    config = service_settings(port=port, idle_minutes=idle_minutes, agent=agent)
    if stop:
        click.echo("stopped" if await process.stop(config) else "not running")
    else:
        click.echo(f"serving {config.service.agent}; Ctrl-C ends it", err=True)
        await process.serve(config)
