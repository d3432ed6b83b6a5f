"""A conversation as people type it on a telephone: each sentence of a turn a message of its own.

LoCoMo's turns are long and whole; weights fitted on them alone fail in chats of short messages. So
the fitting sees every conversation twice, as it is and in bursts. Which sentence holds the answer
is guessed by the words it shares with the answer and the question.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from benchmarks.quality.dataset import Dataset, Question
from neomem.model import Draft
from neomem.recall.terms import STOP_WORDS

_BETWEEN = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[a-z0-9]+")
_START = 6
"""Letters by which forms of a word are taken for the same."""


@dataclass(frozen=True)
class Bursts(Dataset):
    """The same talk and questions, in shorter messages."""

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{super().name} in bursts"

    @cached_property
    def texts(self) -> dict[str, list[Draft]]:
        """Every sentence as a turn; a picture stays with the last."""
        return {
            group: [
                replace(each, position=position)
                for position, each in enumerate(part for turn in turns for part in burst(turn))
            ]
            for group, turns in super().texts.items()
        }

    @cached_property
    def questions(self) -> list[Question]:
        """The same questions, each answered by the sentence that shares most with it."""
        parts: dict[str, list[Draft]] = {}
        for drafts in self.texts.values():
            for draft in drafts:
                turn, _, _ = (draft.external_id or "").rpartition("/")
                parts.setdefault(turn, []).append(draft)
        return [
            replace(each, gold={_answering(each, parts[turn]): 1.0 for turn in each.gold})
            for each in super().questions
        ]


def burst(turn: Draft) -> list[Draft]:
    """Return a turn's sentences, in order."""
    said, bracket, caption = turn.text.partition(" [image: ")
    sentences = [part for part in _BETWEEN.split(said) if part.strip()] or [said]
    sentences[-1] += bracket + caption
    return [
        replace(turn, text=sentence, external_id=f"{turn.external_id}/{number}")
        for number, sentence in enumerate(sentences)
    ]


def _answering(question: Question, parts: list[Draft]) -> str:
    answer, asked = _words(str(question.more.get("answer") or "")), _words(question.text)

    def shared(part: Draft) -> tuple[int, int]:
        has = _words(part.text)
        return 2 * len(answer & has) + len(asked & has), len(part.text)

    return max(parts, key=shared).external_id or ""


def _words(text: str) -> set[str]:
    return {word[:_START] for word in _WORD.findall(text.lower()) if word not in STOP_WORDS}
