"""`neomem recall`."""

from typing import Any, get_args

import click

from neomem.cli.frame import agent_option, connected, json_option, moment_option, run_async
from neomem.model import Fusion, Kind, Preset, Signal

_SIGNALS = ",".join(get_args(Signal))


def _signals(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    given = tuple(part.strip() for part in value.split(",") if part.strip())
    unknown = [part for part in given if part not in get_args(Signal)]
    if unknown or not given:
        raise click.BadParameter(f"some of {_SIGNALS}, parted by commas")
    return given


@click.command(epilog='Example: neomem recall "Where does Ada live?" --explain')
@click.argument("question")
@click.option("--explain", is_flag=True, help="Say of each hit why it is there, and what it took.")
@click.option("-n", "--limit", type=click.IntRange(0, 1000), help="How many at most.")
@click.option("--budget", type=click.IntRange(0), metavar="TOKENS", help="How long at most.")
@click.option("--session", metavar="ID", help="Only said in this session.")
@moment_option("--since", help="Only what happened then or later.")
@moment_option("--until", help="Only what happened before.")
@moment_option("--as-of", help="What held then, not now.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(get_args(Kind)), help="Only of this kind."
)
@click.option("--signals", callback=_signals, metavar="LIST", help=f"Some of {_SIGNALS}.")
@click.option("--fusion", type=click.Choice(get_args(Fusion)), help="How signals become a score.")
@click.option("--preset", type=click.Choice(get_args(Preset)), help="Rank as another system does.")
@click.option("--min-score", type=click.FloatRange(0, 1), help="Leave out what scores less.")
@click.option(
    "--hide-finished/--show-finished", default=None, help="What belongs to finished tasks."
)
@agent_option
@json_option
@run_async
async def recall(
    question: str,
    *,
    explain: bool,
    agent: str,
    as_json: bool,
    **wanted: Any,  # noqa: ANN401
) -> None:
    """Answer QUESTION from memory: what is pinned, then what was found, best first."""
    from neomem.cli import answers, output

    async with connected() as engine:
        answer = await engine.recall(question, agent=agent, **wanted)
        if as_json:
            output.print_json(answer)
        elif explain:
            answers.print_explained(answer)
        else:
            answers.print_answer(answer)
        for name, reason in answer.missing.items():
            click.echo(f"without {name}: {reason}", err=True)
