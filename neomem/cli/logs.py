"""`neomem logs`."""

import time
from collections import deque
from pathlib import Path

import click

from neomem.cli.frame import settings


@click.command(epilog="Example: neomem logs --lines 100 --follow")
@click.option(
    "-n",
    "--lines",
    default=40,
    show_default=True,
    type=click.IntRange(0),
    help="How many lines from the end.",
)
@click.option("-f", "--follow", is_flag=True, help="Go on as more is written; Ctrl-C ends it.")
@click.option("--debug", is_flag=True, help="The server's debug.log instead.")
def logs(lines: int, follow: bool, debug: bool) -> None:
    """Print the end of the local server's log."""
    from neomem import local
    from neomem.config import require_local

    config = settings()
    require_local(config)
    server = local.server(config)
    file = server.home.logs / "debug.log" if debug else server.console
    if not file.exists():
        click.echo(f"there is no log yet at {file}; `neomem up` starts the server", err=True)
        return
    _print_tail(file, lines, follow=follow)


def _print_tail(file: Path, lines: int, *, follow: bool) -> None:
    with file.open(encoding="utf-8", errors="replace") as stream:
        for line in deque(stream, maxlen=lines):
            click.echo(line, nl=False)
        while follow:
            for line in stream:
                click.echo(line, nl=False)
            time.sleep(0.2)
