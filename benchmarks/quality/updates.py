"""Whether the newer statement of a fact comes before the older one, where the data says which."""

from collections.abc import Sequence
from typing import Any, cast

from benchmarks.quality.dataset import Dataset
from benchmarks.quality.report import System


def measured(dataset: Dataset, systems: Sequence[System]) -> dict[str, str]:
    """Return for each system in how many of the questions on updates the newer one ranks first."""
    if not any(pair(question.more, question.group) for question in dataset.questions):
        return {}
    return {system.name: _counted(system) for system in systems}


def pair(row: dict[str, Any], group: str) -> tuple[set[str], set[str]] | None:
    """Return the ids of the older and of the newer statement."""
    given: Any = row.get("source_chat_ids")
    if not isinstance(given, dict) or "original_info" not in given:
        return None
    given = cast("dict[str, list[int]]", given)
    older = {f"{group}/{each}" for each in given["original_info"]}
    newer = {f"{group}/{each}" for each in given["updated_info"]}
    return older, newer


def _counted(system: System) -> str:
    first = asked = 0
    for question, found in system.answers:
        both = pair(question.more, question.group)
        if both:
            asked += 1
            places = [min((found.index(i) for i in ids if i in found), default=99) for ids in both]
            first += places[1] < places[0]
    return f"{first} of {asked}"
