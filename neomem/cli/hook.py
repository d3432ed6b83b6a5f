"""`neomem hook`."""

import click

from neomem.cli.frame import settings


@click.command(epilog='Example: echo \'{"event": "recall", "prompt": "Where?"}\' | neomem hook')
@click.option("--agent", metavar="NAME", help="Whose memories, where the service lets you choose.")
def hook(agent: str | None) -> None:
    """Answer one hook of an agent, read as JSON from standard input.

    The same as `neomem-hook`, which starts faster: agents should run that.
    """
    from neomem_hook.hook import main

    named = ["--agent", agent] if agent else []
    main(["--home", str(settings().home), *named])
