"""One night: every phase in its order, each change journalled; stopped, it goes on where it was."""

import json
import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from neomem.capture.rows import new_id
from neomem.engine import Engine
from neomem.errors import GraphUnavailable, InputError, LeaseHeld
from neomem.store import queries
from sleep_cycle import journal as writing
from sleep_cycle.budget import Budget
from sleep_cycle.journal import Journal
from sleep_cycle.judge import Judge
from sleep_cycle.lease import Lease, held
from sleep_cycle.phase import (
    Change,
    Night,
    Phase,
    PhaseAdvanced,
    PhaseFinished,
    PhaseStarted,
    Report,
    Watch,
    unwatched,
)
from sleep_cycle.phases import (
    compact,
    conflicts,
    decay,
    dedupe,
    entities,
    extract,
    guard,
    links,
    orphans,
    tasks,
)

BEGIN = queries.load("sleep/run_begin")
PHASE_DONE = queries.load("sleep/run_phase")
END = queries.load("sleep/run_end")
AGENTS = queries.load("sleep/agents")

PHASES: tuple[Phase[Any], ...] = (
    guard.PHASE,
    tasks.PHASE,
    dedupe.PHASE,
    entities.PHASE,
    extract.PHASE,
    conflicts.PHASE,
    compact.PHASE,
    links.PHASE,
    decay.PHASE,
    orphans.PHASE,
)
NAMES = tuple(phase.name for phase in PHASES)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slept:
    """What a run did, or in a dry run would do."""

    run: str | None
    agent: str
    changes: int
    phases: list[Report]
    stopped: str | None = None
    """Why it stopped before the end, if it did; the next run goes on there."""

    @property
    def failed(self) -> list[str]:
        """The phases that did not come to their end."""
        return [each.phase for each in self.phases if each.error]


@dataclass(slots=True)
class _Run:
    """A run under way."""

    night: Night
    journal: Journal | None
    budget: Budget
    watch: Watch
    reports: list[Report] = field(default_factory=list[Report])
    stopped: str | None = None


async def sleep(  # noqa: PLR0913 - what a night can be told
    engine: Engine,
    *,
    agent: str,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    dry_run: bool = False,
    now: datetime | None = None,
    watch: Watch = unwatched,
) -> Slept:
    """Sleep once for an agent; LeaseHeld when somebody else does, phases that fail are reported."""
    phases = chosen(only, skip)
    settings = engine.config.sleep
    budget = Budget(settings.seconds, settings.changes, settings.tokens)
    night = Night(
        engine=engine,
        agent=agent,
        now=now or datetime.now(UTC),
        settings=settings,
        judge=Judge(engine.language_model, budget),
    )
    if dry_run:
        run = _Run(night, None, budget, watch)
        await _walk(run, phases)
        return _told(run, None, sum(each.changes for each in run.reports))
    async with held(engine.graph, agent, settings.lease) as lease:
        return await _sleep(night, phases, budget, lease, watch)


def chosen(only: Sequence[str], skip: Sequence[str]) -> list[Phase[Any]]:
    """Return the phases that are wanted, in their order."""
    unknown = sorted({*only, *skip} - set(NAMES))
    if unknown:
        raise InputError(
            f"there is no phase {', '.join(unknown)}", hint=f"there are {', '.join(NAMES)}"
        )
    wanted = [each for each in PHASES if (not only or each.name in only) and each.name not in skip]
    if not wanted:
        raise InputError("no phase is left to run")
    return wanted


async def _sleep(
    night: Night, phases: Sequence[Phase[Any]], budget: Budget, lease: Lease, watch: Watch
) -> Slept:
    graph, agent = night.engine.graph, night.agent
    names = [phase.name for phase in phases]
    (begun,) = await graph.write(BEGIN, agent=agent, id=new_id(night.now), phases=names)
    journal = await Journal.opened(night, lease, begun["id"], begun["number"])
    run = _Run(night, journal, budget, watch)
    run.reports += [Report(**json.loads(each)) for each in begun["reports"]]
    left = [phase for phase in phases if phase.name not in begun["done"]]
    try:
        await _walk(run, left)
    except BaseException:
        # Killed, interrupted, or the server is gone: the run stays open, and the next goes on.
        log.info("stopped in the middle", extra={"run": begun["id"]})
        raise
    status = "stopped" if run.stopped else "finished"
    await journal.note(END, status=status, reason=run.stopped)
    await journal.forget(night.settings.journal_days)
    return _told(run, begun["id"], begun["changes"] + budget.spent_changes)


def _told(run: _Run, name: str | None, changes: int) -> Slept:
    return Slept(
        run=name,
        agent=run.night.agent,
        changes=changes,
        phases=run.reports,
        stopped=run.stopped,
    )


async def _walk(run: _Run, phases: Sequence[Phase[Any]]) -> None:
    for number, phase in enumerate(phases, start=1):
        run.watch(PhaseStarted(phase.name, number, len(phases)))
        report = Report(phase=phase.name)
        began, spent = time.monotonic(), run.budget.spent_tokens
        try:
            await _one(run, phase, report)
        except (GraphUnavailable, LeaseHeld):
            raise
        except Exception as error:  # one phase's fault is no other's
            log.info("phase failed", exc_info=True, extra={"phase": phase.name})
            report.error = f"{type(error).__name__}: {error}"
        report.seconds = round(time.monotonic() - began, 3)
        report.tokens = run.budget.spent_tokens - spent
        run.watch(PhaseFinished(report))
        if run.stopped:
            run.reports.append(report)
            return
        run.reports.append(report)
        if run.journal:
            told = json.dumps(asdict(report), default=str)
            await run.journal.note(PHASE_DONE, phase=phase.name, report=told)


async def _one(run: _Run, phase: Phase[Any], report: Report) -> None:
    """Find, decide, apply, page by page."""
    async for page in phase.find(run.night):
        decided = await phase.decide(run.night, page)
        changes = list(decided.changes)
        report.looked += len(page)
        if run.journal is None:
            report.counted(changes)
            report.planned += [writing.planned(phase.name, each) for each in changes]
        else:
            await _write(run, phase.name, changes, report)
            if not run.stopped:
                await run.journal.mark(phase.name, decided)
        run.watch(PhaseAdvanced(phase.name, report.looked, report.changes))
        run.stopped = run.stopped or (run.budget.over if run.journal else None)
        if run.stopped:
            return


async def _write(run: _Run, phase: str, changes: Sequence[Change], report: Report) -> None:
    """Make the changes there is room for."""
    assert run.journal  # noqa: S101 - a dry run writes nothing
    wanted = run.journal.wanted(phase, changes)
    room = run.budget.room
    if room is not None and len(wanted) > room:
        wanted = wanted[:room]
        run.stopped = f"the changes were used up ({run.budget.changes})"
    made = await run.journal.apply(phase, wanted)
    run.budget.spent_changes += len(made)
    report.counted(made)
    report.passed += len(changes) - len(made)


async def agents(engine: Engine) -> list[str]:
    """Return everybody who has memories."""
    return [row["agent"] for row in await engine.graph.read(AGENTS)]
