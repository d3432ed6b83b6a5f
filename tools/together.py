"""Several evaluation sets as one: all their texts in one store, as memories of many things are."""

from dataclasses import dataclass, replace
from functools import cached_property

from benchmarks.quality.dataset import ALL, Dataset, Question
from neomem.model import Draft


@dataclass(frozen=True)
class Together(Dataset):
    """The texts and questions of one set, and of another."""

    other: Dataset | None = None

    @property
    def sets(self) -> list[Dataset]:
        """Both."""
        return [Dataset(self.folder), *([self.other] if self.other else [])]

    @property
    def name(self) -> str:
        """What it is called."""
        return " and ".join(each.name for each in self.sets)

    @cached_property
    def texts(self) -> dict[str, list[Draft]]:
        """What they say; both count their texts from nought, so each goes by its set's name too."""
        return {
            ALL: [
                replace(draft, external_id=f"{each.name} {draft.external_id}")
                for each in self.sets
                for draft in each.texts[ALL]
            ]
        }

    @cached_property
    def questions(self) -> list[Question]:
        """What is asked of each."""
        return [
            replace(
                question, gold={f"{each.name} {name}": gain for name, gain in question.gold.items()}
            )
            for each in self.sets
            for question in each.questions
        ]
