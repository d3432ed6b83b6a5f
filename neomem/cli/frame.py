"""What all commands share: options, settings, running async code, errors as exit codes."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from neomem.errors import NeomemError
from neomem.model import DEFAULT_AGENT
from neomem.text import clean

if TYPE_CHECKING:
    from neomem.config import Config
    from neomem.engine import Engine

P = ParamSpec("P")
F = TypeVar("F", bound=Callable[..., Any])

INTERRUPTED = 130
_LONGEST_NAME = 200

json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


def _agent_name(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    if name is None:
        return None
    if not name.strip() or len(name) > _LONGEST_NAME or clean(name) != name:
        raise click.BadParameter(f"a name has 1 to {_LONGEST_NAME} characters of text")
    return name


agent_option = click.option(
    "--agent",
    default=DEFAULT_AGENT,
    show_default=True,
    metavar="NAME",
    callback=_agent_name,
    help="Whose memories.",
)


served_agent_option = click.option(
    "--agent",
    metavar="NAME",
    callback=_agent_name,
    help="Whose memories. [default: service.agent]",
)


def _here(_: click.Context, __: click.Parameter, value: datetime | None) -> datetime | None:
    """Take a time as one of this machine's zone."""
    return value and value.replace(tzinfo=datetime.now(UTC).astimezone().tzinfo)


def moment_option(name: str, *, help: str) -> Callable[[F], F]:  # noqa: A002 - click's word
    """Return an option that takes a time."""
    return click.option(name, type=click.DateTime(), callback=_here, help=help)


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


def service_settings(**given: object) -> "Config":
    """Load the settings of this invocation, those of the service changed as given."""
    config = settings()
    changed = {name: value for name, value in given.items() if value is not None}
    return config.model_copy(update={"service": config.service.model_copy(update=changed)})


def settings() -> "Config":
    """Load the settings of this invocation."""
    from neomem import config

    return config.load(click.get_current_context().find_root().obj)


@asynccontextmanager
async def connected() -> AsyncGenerator["Engine"]:
    """Connect as the settings of this invocation say; what takes time is told on stderr."""
    from neomem.cli import output
    from neomem.engine import connect

    async with AsyncExitStack() as stack:
        with output.progress() as notify:
            engine = await stack.enter_async_context(connect(settings(), notify=notify))
        yield engine


def run_async(command: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Let a command be written as a coroutine."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(command(*args, **kwargs))

    return run
