"""Whether a score can say "nothing here": questions asked of another conversation's memory."""

from benchmarks.quality import store
from benchmarks.quality.dataset import Dataset, Question
from benchmarks.quality.measures import auroc
from neomem.engine import Engine


async def measured(engine: Engine, dataset: Dataset) -> dict[str, float]:
    """Return the AUROC of answerable against unanswerable, by the best hit's score."""
    groups = list(dataset.texts)
    if len(groups) < 2:  # noqa: PLR2004 - nobody else to ask
        return {}
    other = dict(zip(groups, groups[1:] + groups[:1], strict=True))

    async def best(question: Question) -> list[float]:
        scores: list[float] = []
        for group in (question.group, other[question.group]):
            agent = store.agent_of(dataset, group)
            answer = await engine.recall(question.text, agent=agent, limit=1)
            scores.append(answer.hits[0].score if answer.hits else 0.0)
        return scores

    answers = [scores for _, scores in await store.asked(dataset.questions, best)]
    here, there = [first for first, _ in answers], [second for _, second in answers]
    figures = {"auroc": round(auroc(here, there), 4)}
    for share in (0.02, 0.05, 0.1):
        at = sorted(here)[int(share * len(here))]
        silent = sum(score < at for score in there) / len(there)
        figures[f"score that keeps {1 - share:.0%}"] = round(at, 4)
        figures[f"silenced there at {1 - share:.0%}"] = round(silent, 4)
    return figures
