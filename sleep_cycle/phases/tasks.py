"""Memories of tasks that were lately finished: what is lasting is marked, noise is archived."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from pydantic import BaseModel, ConfigDict

from neomem.lasting import lasting
from neomem.recall import terms
from neomem.store import queries
from neomem.store.graph import Row
from neomem.task_matching import finished_match, key_terms
from neomem.tasks import Task
from neomem.text import lane
from sleep_cycle.edits import archive, changed
from sleep_cycle.phase import Change, Decided, Night, Phase

OF_TASK = queries.load("sleep/of_task")

_MOST = 500
"""Memories that are judged for a task: those that share most with it."""


@dataclass(frozen=True, slots=True)
class OfTask:
    """A memory that may belong to a finished task."""

    row: Row
    task: Task
    active: tuple[Task, ...]


async def find(night: Night) -> AsyncIterator[list[OfTask]]:
    """Yield for each task that was finished lately the memories that may be its own."""
    path = night.engine.config.capture.tasks_file
    if path is None:
        return
    file = night.engine.tasks.read(path)
    recent = night.now - timedelta(days=night.settings.task_days)
    for task in sorted(file.finished, key=lambda task: task.id):
        ended = task.completed_at or task.updated
        if ended is None or not recent <= ended <= night.now:
            continue
        words = [task.id, *sorted(key_terms(task))]
        query = terms.words_query(lane(night.agent), words, {"text": 1.0})
        rows = await night.read(OF_TASK, query=query, task=task.id, limit=_MOST)
        yield [OfTask(row, task, file.active) for row in rows]


async def decide(night: Night, found: Sequence[OfTask]) -> Decided:
    """Judge each memory that is the task's own; doubt keeps."""
    changes: list[Change] = []
    looked: list[str] = []
    for each in found:
        row, task = each.row, each.task
        if finished_match(row["text"], row["task_id"], [task], each.active) is None:
            continue
        stays = lasting(row["text"], row["kind"])
        if stays is None:
            stays = await _opinion(night, row, task)
        looked.append(row["id"])
        if stays is not None:
            changes.append(_change(night, row, task, stays=stays))
    return Decided(changes, {"Memory": looked}, found[0].task.id if found else True)


def _change(night: Night, row: Row, task: Task, *, stays: bool) -> Change:
    edit = changed(row["id"], lasting=True) if stays else archive(row, night.agent, night.now)
    return Change(
        action="keep" if stays else "archive",
        about=row["id"],
        why=f"{task.id} is finished, and this {'is worth knowing' if stays else 'was on the way'}",
        evidence={"task": task.id},
        expects={row["id"]: row["version"]},
        edits=(edit,),
    )


class Opinion(BaseModel):
    """What a model says of a memory: null is doubt."""

    model_config = ConfigDict(extra="forbid", strict=True)

    lasting: bool | None


async def _opinion(night: Night, row: Row, task: Task) -> bool | None:
    data = f"Finished task: {task.title[:200]}\n\nNote:\n{row['text'][:4000]}"
    answer = await night.judge.ask(_QUESTION, data, Opinion)
    return None if answer is None else answer.lasting


_QUESTION = (
    "A task is finished. Tell whether a note that was written during it is worth knowing later "
    "(`lasting`: true: decisions, preferences, lessons, facts, ports, places, settings), or only "
    "reported progress (false). null when you are not sure. Answer as JSON."
)

PHASE = Phase("tasks", find, decide)
