"""`neomem sleep`."""

import shutil
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from neomem.cli.frame import agent_option, connected, json_option, run_async
from neomem.errors import LeaseHeld, SleepError

if TYPE_CHECKING:
    from neomem.engine import Engine
    from sleep_cycle import Slept
    from sleep_cycle.phase import Event


@click.command(
    epilog="Examples: neomem sleep --dry-run; neomem sleep --undo last; "
    "neomem sleep --install-cron --at 03:30 --yes"
)
@click.option("--dry-run", is_flag=True, help="Show every change it would make; write nothing.")
@click.option("--only", multiple=True, metavar="PHASE", help="Only this phase; may be repeated.")
@click.option("--skip", multiple=True, metavar="PHASE", help="Not this phase; may be repeated.")
@click.option("--all-agents", is_flag=True, help="For everybody who has memories, one by one.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Stop after so long.")
@click.option("--changes", type=click.IntRange(0), help="Stop after so many changes.")
@click.option("--tokens", type=click.IntRange(0), help="What a language model may use.")
@click.option("--history", is_flag=True, help="Show the runs there were.")
@click.option("--show", metavar="RUN", help="Show what a run changed; `last` is the latest.")
@click.option("--undo", metavar="RUN", help="Take a run back; `last` is the latest.")
@click.option("--force", is_flag=True, help="With --undo: overwrite what was changed since.")
@click.option("--install-cron", is_flag=True, help="Print a crontab line; --yes writes it.")
@click.option("--at", default="03:30", show_default=True, help="With --install-cron: when.")
@click.option("--uninstall", is_flag=True, help="Take the line out of the crontab again.")
@click.option("-y", "--yes", is_flag=True, help="Write the crontab.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but what went wrong.")
@agent_option
@json_option
@run_async
async def sleep(**given: Any) -> None:  # noqa: ANN401 - a page of options
    """Clean up and compact what an agent remembers; every run can be looked at and undone.

    Ten phases: guard, tasks, dedupe, entities, extract, conflicts, compact, links, decay, orphans.
    A run that was stopped or killed goes on where it was; a second one changes nothing more.
    """
    if given["install_cron"] or given["uninstall"]:
        _schedule(given)
        return
    async with connected() as engine:
        if given["history"]:
            await _history(engine, given)
        elif given["show"]:
            await _show(engine, given)
        elif given["undo"]:
            await _undo(engine, given)
        else:
            await _sleep(_budgeted(engine, given), given)


def _budgeted(engine: "Engine", given: dict[str, Any]) -> "Engine":
    from dataclasses import replace

    asked = {name: given[name] for name in ("seconds", "changes", "tokens")}
    asked = {name: value for name, value in asked.items() if value is not None}
    sleeping = engine.config.sleep.model_copy(update=asked)
    return replace(engine, config=engine.config.model_copy(update={"sleep": sleeping}))


async def _sleep(engine: "Engine", given: dict[str, Any]) -> None:
    from neomem.cli import output
    from sleep_cycle import sleep as run
    from sleep_cycle.cycle import agents

    names = await agents(engine) if given["all_agents"] else [given["agent"]]
    wanted = {name: given[name] for name in ("only", "skip", "dry_run")}
    slept: list[Slept] = []
    for agent in names:
        with _unless_held(given), _watched(quiet=given["quiet"]) as watch:
            slept.append(await run(engine, agent=agent, watch=watch, **wanted))
    if given["as_json"]:
        reports = [_json(each, dry_run=given["dry_run"]) for each in slept]
        output.print_json({"runs": reports} if given["all_agents"] else reports[0])
    elif not given["quiet"]:
        for each in slept:
            _print(each)
    failed = [
        f"{each.agent}: {phase.phase}: {phase.error}"
        for each in slept
        for phase in each.phases
        if phase.error
    ]
    if failed:
        raise SleepError(
            "\n".join(f"failed: {each}" for each in failed), hint="`neomem -v sleep` says more"
        )


@contextmanager
def _unless_held(given: dict[str, Any]) -> Generator[None]:
    """Leave quietly where somebody else is asleep already; a person is told."""
    try:
        yield
    except LeaseHeld as held:
        if given["all_agents"]:
            return
        if given["quiet"] or not sys.stderr.isatty():
            sys.exit(held.exit_code)
        raise


def _json(slept: "Slept", *, dry_run: bool) -> dict[str, Any]:
    from dataclasses import asdict

    told = asdict(slept)
    for phase in told["phases"] if not dry_run else ():
        phase.pop("planned")
    return told


def _print(slept: "Slept") -> None:
    from neomem.cli import output

    rows = [
        (
            each.phase,
            str(each.looked),
            str(each.changes),
            ", ".join(f"{name} {count}" for name, count in sorted(each.actions.items())),
            f"{each.seconds:.1f} s",
            each.error or "",
        )
        for each in slept.phases
    ]
    columns = ("phase", "looked at", "changes", "what", "took", "problem")
    width = 6 if any(row[-1] for row in rows) else 5
    output.print_table(columns[:width], [row[:width] for row in rows])
    for each in slept.phases:
        for plan in each.planned:
            output.print_text(f"{plan['phase']}: {plan['action']} {plan['about']}: {plan['why']}")
    if slept.run:
        end = f"; stopped: {slept.stopped}" if slept.stopped else ""
        undo = f"; `neomem sleep --undo {slept.run}` takes it back" if slept.changes else ""
        output.print_text(f"{slept.agent}: run {slept.run}, changes {slept.changes}{end}{undo}")


def _watched(*, quiet: bool) -> AbstractContextManager[Callable[["Event"], None]]:
    """Draw what a run tells of itself: a bar on a terminal, a line a phase elsewhere."""
    from neomem.cli import output
    from neomem.progress import Progress
    from sleep_cycle.phase import PhaseAdvanced, PhaseStarted

    @contextmanager
    def watching() -> Generator[Callable[["Event"], None]]:
        with output.progress() as notify:

            def watch(event: "Event") -> None:
                if quiet:
                    return
                if isinstance(event, PhaseStarted):
                    notify(Progress(f"{event.number}/{event.phases} {event.phase}"))
                elif isinstance(event, PhaseAdvanced):
                    notify(Progress(event.phase, event.looked))

            yield watch

    return watching()


async def _history(engine: "Engine", given: dict[str, Any]) -> None:
    from neomem.cli import output
    from sleep_cycle import history

    runs = await history(engine.graph, given["agent"])
    if given["as_json"]:
        output.print_json({"agent": given["agent"], "runs": runs})
        return
    columns = ("run", "began", "state", "changes", "")
    output.print_table(
        columns,
        [
            (
                row["id"],
                f"{row['started_at']:%Y-%m-%d %H:%M}",
                row["status"],
                str(row["changes"]),
                row["reason"] or "",
            )
            for row in runs
        ],
    )


async def _show(engine: "Engine", given: dict[str, Any]) -> None:
    from neomem.cli import output
    from sleep_cycle import show

    changes = await show(engine.graph, given["agent"], given["show"])
    if given["as_json"]:
        output.print_json({"run": given["show"], "changes": changes})
        return
    for each in changes:
        undone = " (undone)" if each["undone_at"] else ""
        said = f"{each['phase']}: {each['action']} {each['about']}: {each['why']}{undone}"
        output.print_text(f"{each['number']:>5}  {said}")


async def _undo(engine: "Engine", given: dict[str, Any]) -> None:
    from neomem.cli import output
    from neomem.progress import Progress
    from sleep_cycle import undo

    settings = engine.config.sleep
    with output.progress() as notify:
        done = await undo(
            engine.graph,
            given["agent"],
            given["undo"],
            force=given["force"],
            lease=settings.lease,
            batch=settings.batch,
            advanced=lambda number, of: notify(Progress("Undoing", number, of)),
        )
    if given["as_json"]:
        output.print_json({"undone": done.run, "changes": done.changes, "forced": done.conflicts})
    else:
        output.print_text(f"undone: {done.run}, changes {done.changes}")


def _schedule(given: dict[str, Any]) -> None:
    from neomem.cli import output
    from sleep_cycle import schedule

    line = schedule.line(_command(), given["at"])
    if given["yes"]:
        before = schedule.read()
        after = schedule.removed(before) if given["uninstall"] else schedule.added(before, line)
        if after != before:
            schedule.write(after)
    if given["as_json"]:
        told = "removed" if given["uninstall"] else "written"
        output.print_json({"line": line, "written": False, "removed": False, told: given["yes"]})
    elif given["uninstall"]:
        output.print_text("removed" if given["yes"] else "add --yes to take the line out")
    else:
        output.print_text(line)
        if not given["yes"]:
            click.echo("add --yes to write it to your crontab", err=True)
        click.echo("cron does not know your shell's variables: put NEOMEM_… above it", err=True)


def _command() -> Sequence[str]:
    """Return the command as cron finds it."""
    found = shutil.which("neomem")
    start = [found] if found else [sys.executable, "-m", "neomem"]
    config = click.get_current_context().find_root().obj
    # cron starts elsewhere: what is named from here would not be found.
    named = ["--config", str(Path(config).absolute())] if config else []
    return [*start, *named, "sleep", "--all-agents", "-q"]
