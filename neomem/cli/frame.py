"""What all commands share: options, settings, running async code, errors as exit codes."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

import click

from neomem.errors import NeomemError

if TYPE_CHECKING:
    from neomem.config import Config

P = ParamSpec("P")

INTERRUPTED = 130

json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


class Group(click.Group):
    """Commands in the order they are added; neomem's errors become messages and exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Keep the order of a person's day, not the alphabet's."""
        del ctx
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """Run the command; say what went wrong and what to do next."""
        try:
            return super().invoke(ctx)
        except NeomemError as error:
            for line in str(error).splitlines():
                click.echo(f"error: {line}", err=True)
            if error.hint:
                click.echo(f"hint: {error.hint}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("interrupted; run it again to go on", err=True)
            ctx.exit(INTERRUPTED)


def settings() -> "Config":
    """Load the settings of this invocation."""
    from neomem import config

    return config.load(click.get_current_context().find_root().obj)


def run_async(command: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Let a command be written as a coroutine."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(command(*args, **kwargs))

    return run
