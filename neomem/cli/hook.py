"""`neomem hook`."""

import contextlib

import click

from neomem.cli.frame import settings
from neomem.errors import NeomemError


@click.command(epilog='Example: echo \'{"event": "recall", "prompt": "Where?"}\' | neomem hook')
@click.option("--agent", metavar="NAME", help="Whose memories, where the service lets you choose.")
def hook(agent: str | None) -> None:
    """Answer one hook of an agent, read as JSON from standard input.

    The same as `neomem-hook`, which starts faster: agents should run that.
    """
    from neomem_hook.hook import main

    options = ["--agent", agent] if agent else []
    with contextlib.suppress(NeomemError):  # settings that are wrong must not reach the agent
        options += ["--home", str(settings().home)]
    main(options)
