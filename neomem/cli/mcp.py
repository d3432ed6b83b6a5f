"""`neomem mcp`."""

import click

from neomem.cli.frame import run_async, served_agent_option, service_settings


@click.command(epilog="Example: claude mcp add neomem -- neomem mcp")
@served_agent_option
@run_async
async def mcp(agent: str | None) -> None:
    """Serve memory tools to an agent over MCP, on standard input and output.

    memory_search, memory_get, memory_store, memory_forget, memory_explain. `neomem serve` has the
    same over HTTP, at /mcp.
    """
    from neomem.service.core import Service
    from neomem.service.mcp_server import over_stdio

    await over_stdio(Service(service_settings(agent=agent)))
