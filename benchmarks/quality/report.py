"""What was measured, as figures and as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.quality.dataset import Question
from benchmarks.quality.measures import MEASURES, bootstrap


@dataclass
class System:
    """One system's answers to every question."""

    name: str
    answers: list[tuple[Question, list[str]]] = field(
        default_factory=list[tuple[Question, list[str]]]
    )
    missing: int = 0
    """Answers in which a signal was left out."""

    def heard(self, question: Question, found: Sequence[str]) -> None:
        """Keep an answer: the ids of the texts, best first."""
        self.answers.append((question, list(found)))

    def among(self, groups: Sequence[str]) -> "System":
        """Return the answers to the questions of some conversations."""
        return System(self.name, [each for each in self.answers if each[0].group in groups])

    def figures(self, only: Sequence[str] = ()) -> dict[str, Any]:
        """Return the means over questions, over categories, and how sure they are."""
        figures = self._figures()
        return {name: figures[name] for name in only} if only else figures

    def _figures(self) -> dict[str, Any]:
        figures: dict[str, Any] = {}
        for name, measure in MEASURES.items():
            values = [measure(found, question.gold) for question, found in self.answers]
            by_category: dict[str, list[float]] = {}
            for (question, _), value in zip(self.answers, values, strict=True):
                by_category.setdefault(question.category, []).append(value)
            means = {key: sum(each) / len(each) for key, each in sorted(by_category.items())}
            figures[name] = sum(values) / len(values)
            figures[f"mean_{name}"] = sum(means.values()) / len(means)
            figures[f"{name} by category"] = means
            figures[f"{name} interval"] = bootstrap(values)
        return figures | {"answers with a signal missing": self.missing}


COLUMNS = ("mean_ndcg@10", "ndcg@10", "recall@2", "recall@5", "recall@10", "mrr")


def table(figures: Mapping[str, Any]) -> str:
    """Return the figures as Markdown, in hundredths."""
    systems: dict[str, dict[str, Any]] = figures["systems"]
    categories = list(next(iter(systems.values()))["ndcg@10 by category"])
    many = len(categories) > 1
    head = ["", *COLUMNS, *(f"nDCG {name}" for name in categories if many)]
    lines = [line(head), line(["---"] + ["--:"] * (len(head) - 1))]
    for name, each in systems.items():
        by = each["ndcg@10 by category"]
        values = [each[column] for column in COLUMNS] + [by[key] for key in categories if many]
        lines.append(line([name, *(f"{100 * value:.1f}" for value in values)]))
    if figures.get("report half"):
        half = {
            name: f"{100 * each['mean_ndcg@10']:.1f}"
            for name, each in figures["report half"].items()
        }
        lines += [
            "",
            "report half, mean_ndcg@10: " + ", ".join(f"{k} {v}" for k, v in half.items()),
        ]
    for name in ("abstention", "updates"):
        if figures.get(name):
            lines += ["", f"{name}: " + ", ".join(f"{k} {v}" for k, v in figures[name].items())]
    return "\n".join(lines)


def line(cells: Sequence[str]) -> str:
    """Return a row of a table in Markdown."""
    return "| " + " | ".join(cells) + " |"
