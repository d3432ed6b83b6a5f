"""Statements to be found again: a sentence of a text is asked for, and the text is kept without it.

The multi-hop sets ask questions only, with several texts to each. What people say to an agent is
as often a statement, and one text answers it.
"""

import hashlib
import re
from dataclasses import dataclass, replace
from functools import cached_property

from benchmarks.quality.dataset import ALL, Dataset, Question
from neomem.model import Draft
from neomem.recall import terms

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(])")
_WORDS = range(8, 31)
"""How long a sentence is that says something by itself."""
_REST = 2
"""Sentences that are left of a text at least."""
_LONG = 60
"""Words of a message that could be a text."""


@dataclass(frozen=True)
class Claims(Dataset):
    """The texts of a set, some without one of their sentences, which are the questions."""

    inner: Dataset | None = None
    count: int = 300

    @property
    def name(self) -> str:
        """What it is called."""
        return f"claims of {self._set.name}"

    @property
    def _set(self) -> Dataset:
        return self.inner or Dataset(self.folder)

    @cached_property
    def _taken(self) -> dict[str, tuple[str, str]]:
        """The sentence of each chosen text, and what is left; texts that answer stay whole."""
        answers = {name for question in self._set.questions for name in question.gold}
        cut: dict[str, tuple[str, str]] = {}
        for draft in sorted(self._set.texts[ALL], key=lambda each: _chance(each.external_id)):
            name = draft.external_id or ""
            parts = _SENTENCE.split(draft.text)
            fit = [part for part in parts if len(part.split()) in _WORDS]
            if name in answers or len(parts) <= _REST or not fit:
                continue
            claim = min(fit, key=_chance)
            if not terms.is_question(claim):
                cut[name] = claim, " ".join(part for part in parts if part is not claim)
            if len(cut) == self.count:
                break
        return cut

    @cached_property
    def texts(self) -> dict[str, list[Draft]]:
        """What is kept."""
        return {ALL: [self._left(draft) for draft in self._set.texts[ALL]]}

    def _left(self, draft: Draft) -> Draft:
        taken = self._taken.get(draft.external_id or "")
        return replace(draft, text=taken[1]) if taken else draft

    @cached_property
    def questions(self) -> list[Question]:
        """What is asked for."""
        return [
            Question(f"claim {name}", ALL, claim, ALL, {name: 1.0})
            for name, (claim, _) in self._taken.items()
        ]


@dataclass(frozen=True)
class Messages(Dataset):
    """The long messages of talks, as texts that stand alone and have no subject."""

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.folder.name}'s long messages"

    @cached_property
    def texts(self) -> dict[str, list[Draft]]:
        """What they say."""
        talks = Dataset(self.folder, self.groups).texts.values()
        said = (draft for drafts in talks for draft in drafts if len(draft.text.split()) >= _LONG)
        return {ALL: [Draft(text=each.text, external_id=each.external_id) for each in said]}

    @cached_property
    def questions(self) -> list[Question]:
        """None: what is asked is of the talk."""
        return []


def _chance(text: str | None) -> str:
    """Return what sorts texts in an order that has nothing to do with them."""
    return hashlib.sha256((text or "").encode()).hexdigest()
