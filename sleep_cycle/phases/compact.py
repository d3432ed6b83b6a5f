"""Conversations that are over become summaries, from which their archived turns are reached."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from neomem import capture
from neomem.capture.prepare import said_at
from neomem.capture.rows import ROLES, Ready
from neomem.model import Draft
from neomem.ports import Found
from neomem.store import queries
from neomem.store.graph import Row
from neomem.text import entity_key
from sleep_cycle.edits import archive
from sleep_cycle.known import known
from sleep_cycle.phase import Change, Decided, Edge, Night, Phase, memory
from sleep_cycle.summaries import Chosen, choose, clusters, excerpt, heading

ENDED = queries.load("sleep/ended_sessions")
TURNS = queries.load("sleep/turns")

_MARKS = ("guard", "dedupe", "links", "extract", "conflicts", "tasks")
"""Phases that need not look at a summary: they have seen what it is made of."""
_NUMBER = re.compile(r"\d+")
_CAPITAL = re.compile(r"\b[A-Z][\w'-]+")


@dataclass(frozen=True, slots=True)
class Cluster:
    """Turns of one session that one summary will stand for, in their order."""

    session: str
    turns: tuple[Row, ...]


async def find(night: Night) -> AsyncIterator[list[Cluster]]:
    """Yield the clusters of each session that ended long enough ago."""
    before = night.now - timedelta(days=night.settings.compact_after)
    least = night.settings.compact_least
    async for page in night.pages(ENDED, 50, before=before, least=least):
        for session in page:
            turns = await night.read(TURNS, session=session["id"])
            runs = clusters(len(turns), night.settings.compact_size)
            yield [Cluster(session["id"], tuple(turns[i] for i in run)) for run in runs]


async def decide(night: Night, found: Sequence[Cluster]) -> Decided:
    """Make a summary of each cluster of a session; all in one change.

    A session of which a part was summed up may have too few turns left to be looked at again.
    """
    made: dict[str, _Summary] = {}
    for cluster in found:
        if summary := await _summed_up(night, cluster):
            # Turns that repeat each other, far apart: one summary stands for both.
            known = made.setdefault(summary.ready.prepared.draft.text, summary)
            if known is not summary:
                known.turns += summary.turns
    return Decided([_change(night, list(made.values()))] if made else [])


@dataclass(slots=True)
class _Summary:
    ready: Ready
    turns: tuple[Row, ...]
    method: str
    confidence: float


async def _summed_up(night: Night, cluster: Cluster) -> _Summary | None:
    turns = cluster.turns
    vectors = np.array([row["embedding"] for row in turns], dtype=np.float32)
    lengths = [len(row["text"]) for row in turns]
    chosen = await asyncio.to_thread(choose, vectors, lengths, night.settings.compact_share)
    told = await _told(night, turns)
    confidence = chosen.confidence
    if told:
        words, likely = told
        method = night.judge.model.model if night.judge.model else "model"
        confidence = confidence if likely is None else likely
    else:
        words, method = _extracted(turns, chosen), "extractive"
    ready = await _ready(night, cluster, words, method, confidence)
    return ready and _Summary(ready, turns, method, confidence)


def _change(night: Night, summaries: Sequence[_Summary]) -> Change:
    turns = [row for each in summaries for row in each.turns]
    return Change(
        action="sum up",
        about=summaries[0].ready.id,
        why=f"{len(turns)} turns of a conversation that is over, summaries: {len(summaries)}",
        evidence={
            each.ready.id: {"method": each.method, "confidence": round(each.confidence, 4)}
            for each in summaries
        },
        expects={row["id"]: row["version"] for row in turns},
        edits=tuple(archive(row, night.agent, night.now) for row in turns),
        edges=tuple(
            Edge("SUMMARISES", memory(each.ready.id), memory(row["id"]))
            for each in summaries
            for row in each.turns
        ),
        makes=tuple(each.ready for each in summaries),
    )


def _extracted(turns: Sequence[Row], chosen: Chosen) -> str:
    return "\n".join(excerpt(turns[index]["text"]) for index in chosen.indexes)


async def _ready(
    night: Night, cluster: Cluster, words: str, method: str, confidence: float
) -> Ready | None:
    """Return the summary, read by the models; none when its very text is there already."""
    turns = cluster.turns
    speakers = list(dict.fromkeys(row["speaker"] for row in turns if row["speaker"]))
    since, until = said_at(turns[0]["turn_order"]), said_at(turns[-1]["turn_order"])
    draft = Draft(
        text=f"{heading(speakers, since, until)}:\n{words}",
        kind="summary",
        said_at=since,
        importance=max(row["importance"] for row in turns),
        about=tuple(name for name in speakers if name.casefold() not in ROLES),
        context="\n".join(row["text"] for row in turns),
        trust=min(row["trust"] for row in turns),
        source="sleep",
    )
    begun = await capture.start(
        night.engine.capture_tools, [draft], agent=night.agent, manner="ingest", now=night.now
    )
    if not begun.ready:
        return None
    more: dict[str, Any] = {
        "method": method,
        "confidence": confidence,
        "decay_rate": 1 - confidence,
        "event_at": min(row["event_at"] for row in turns),
        "event_until": until,
        "valid_from": min(row["valid_from"] for row in turns),
        "session_key": cluster.session,
        **{f"sleep_{name}": True for name in _MARKS},
    }
    ready = begun.ready[0]
    return replace(ready, more=more, found=await _known(night, ready.found))


async def _known(night: Night, found: Sequence[Found]) -> tuple[Found, ...]:
    """Leave out names the graph has not: an undo of the summary would not take them back."""
    rows = await known(night, (each.name for each in found))
    standing = {key for key, row in rows.items() if not row["aside"]}
    return tuple(each for each in found if entity_key(night.agent, each.name) in standing)


class Told(BaseModel):
    """A model's summary."""

    model_config = ConfigDict(extra="forbid", strict=True)

    summary: str = Field(max_length=4000)


async def _told(night: Night, turns: Sequence[Row]) -> tuple[str, float | None] | None:
    """Return a model's summary and how likely it is, unless it has what nobody said."""
    if not night.judge.there:
        return None
    said = "\n".join(row["text"] for row in turns)
    answer = await night.judge.ask_sure(_QUESTION, said[:20_000], Told)
    summary = answer[0].summary.strip() if answer else ""
    return (summary, answer[1]) if answer and summary and faithful(summary, said) else None


def faithful(summary: str, said: str) -> bool:
    """Tell whether every number and name of a summary stands in what was said."""
    numbers = set(_NUMBER.findall(summary)) <= set(_NUMBER.findall(said))
    low = said.casefold()
    inside = (found[0] for found in _CAPITAL.finditer(summary) if not _begins(summary, found))
    return numbers and all(name.casefold() in low for name in inside)


def _begins(text: str, found: re.Match[str]) -> bool:
    """Tell whether a word begins a sentence, where a capital says nothing."""
    before = text[: found.start()].rstrip()
    return not before or before[-1] in ".!?:\n"


_QUESTION = (
    "Sum up this part of a conversation for somebody who will ask about it later: who said, did, "
    "decided, likes or plans what, with every name, number and date that matters, in at most 200 "
    "words, nothing that was not said. Answer as JSON with `summary`."
)

PHASE = Phase("compact", find, decide)
