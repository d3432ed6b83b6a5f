"""A folder of evaluation data: what is to be remembered, what is asked, what answers."""

import argparse
import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from neomem.capture.event_time import read_date
from neomem.model import Draft

ALL = "all"
TUNE: dict[str, tuple[str, ...] | None] = {
    "locomo": ("conv-26", "conv-30", "conv-41", "conv-42", "conv-43"),
    "beam-100K": tuple(f"100K-{number}" for number in range(1, 11)),
    "musique-train100": None,
    "hotpotqa-train100": None,
}
"""What may be looked at to choose a parameter; of None, all."""


@dataclass(frozen=True)
class Question:
    """A question, whose memory it is asked of, and the texts that answer it."""

    id: str
    group: str
    text: str
    category: str
    gold: dict[str, float]
    more: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)


@dataclass(frozen=True)
class Dataset:
    """Texts by group (a conversation is one), and questions on them."""

    folder: Path
    groups: tuple[str, ...] | None = None
    """Only these; by default all."""
    most: int | None = None
    """Ask no more questions than so many, taken evenly from all; by default all."""

    @classmethod
    def given(cls, given: argparse.Namespace) -> "Dataset":
        """Return what was asked for by `options`."""
        return cls(given.folder, tuple(given.groups) if given.groups else None, given.questions)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.folder.name

    @cached_property
    def texts(self) -> dict[str, list[Draft]]:
        """What each group says, as drafts whose external id is the text's."""
        texts: dict[str, list[Draft]] = {}
        for position, row in enumerate(_rows(self.folder / "corpus.jsonl")):
            group = row.get("conv", ALL)
            if self._wanted(group):
                texts.setdefault(group, []).append(draft(row, position))
        return texts

    @cached_property
    def questions(self) -> list[Question]:
        """All questions that something answers."""
        gold: dict[str, dict[str, float]] = {}
        with (self.folder / "qrels.tsv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                if float(row["score"]) > 0:
                    gold.setdefault(row["query-id"], {})[row["corpus-id"]] = float(row["score"])
        every = [
            Question(
                id=row["_id"],
                group=row.get("conv", ALL),
                text=row["text"],
                category=str(row.get("category", row.get("type", row.get("hops", ALL)))),
                gold=gold[row["_id"]],
                more=row,
            )
            for row in _rows(self.folder / "queries.jsonl")
            if row["_id"] in gold and self._wanted(row.get("conv", ALL))
        ]
        some = min(len(every), self.most or len(every))
        return [every[at * len(every) // some] for at in range(some)]

    @property
    def conversation(self) -> bool:
        """Whether these are talks, scored per category and then averaged."""
        return any(group != ALL for group in self.texts)

    def _wanted(self, group: str) -> bool:
        return self.groups is None or group in self.groups


def options(arguments: argparse.ArgumentParser) -> None:
    """Let a person say which data, and how much of it."""
    arguments.add_argument("folder", type=Path, help="corpus.jsonl, queries.jsonl, qrels.tsv")
    arguments.add_argument("--groups", nargs="*", metavar="NAME", help="only these conversations")
    arguments.add_argument("--questions", type=int, metavar="N", help="only so many, evenly taken")


def draft(row: dict[str, Any], position: int) -> Draft:
    """Return a text as it is captured: a turn where it has a session, else a memory."""
    said = row.get("date")
    moment = read_date(said)
    session = row.get("session", row.get("batch"))
    if session is None and "conv" in row:
        session = "all"
    title = row.get("title")
    return Draft(
        text=" ".join(filter(None, (row["text"], _caption(row)))),
        title=title,
        about=(title,) if title else (),
        external_id=row["_id"],
        session=None if session is None else str(session),
        speaker=row.get("speaker"),
        position=position,
        said_at=moment.at if moment else None,
        said=said if said and moment is None else None,
        source="benchmark",
    )


def _caption(row: dict[str, Any]) -> str | None:
    caption = row.get("image_caption")
    return f"[image: {caption}]" if caption else None


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)
