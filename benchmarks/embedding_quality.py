"""What each local model is worth on conversations, alone and in context: nDCG@10 by vector only.

`python -m benchmarks.embedding_quality FOLDER [MODEL ...]`, with LoCoMo's folder. Only the half
that may be tuned on is read, since this is what the default model is chosen by.
"""

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from neomem.config import Config
from neomem.models import choose
from neomem.models.recipes import RECIPES
from neomem.ports import Passage
from neomem.sections import EmbedderSettings

TUNED = ("conv-26", "conv-30", "conv-41", "conv-42", "conv-43")
BEST = 10
CONTEXT = 400


@dataclass(frozen=True, slots=True)
class Data:
    """Turns and questions of the tuned conversations, and which turns answer which question."""

    turns: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    right: dict[str, set[str]]


def main() -> None:
    """Embed everything with each model and print a line per model and form."""
    data = read(Path(sys.argv[1]))
    print(f"{len(data.turns)} turns, {len(data.questions)} questions; mean over categories")
    for model in sys.argv[2:] or RECIPES:
        for form, value in asyncio.run(judge(model, data)).items():
            print(f"{model:22} {form:10} nDCG@10 {value:.4f}", flush=True)


def read(folder: Path) -> Data:
    """Read what may be tuned on."""
    turns = [row for row in lines(folder / "corpus.jsonl") if row["conv"] in TUNED]
    known = {turn["_id"] for turn in turns}
    right: dict[str, set[str]] = defaultdict(set)
    for row in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, turn, score = row.split("\t")
        if turn in known and float(score) > 0:
            right[question].add(turn)
    questions = [row for row in lines(folder / "queries.jsonl") if row["_id"] in right]
    return Data(turns, questions, right)


def lines(file: Path) -> list[dict[str, Any]]:
    """Read a file of one JSON object a line."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


async def judge(model: str, data: Data) -> dict[str, float]:
    """Return nDCG@10 of a model for turns alone, in context, and for the sum of both."""
    embedder = choose.embedder(Config(embedder=EmbedderSettings(model=model, cached_questions=0)))
    alone = await embedder.embed_passages([Passage(spoken(turn)) for turn in data.turns])
    inside = await embedder.embed_passages(in_context(data.turns))
    asked = [await embedder.embed_question(row["text"]) for row in data.questions]
    await embedder.close()
    vectors = {
        "alone": np.stack([each.vector for each in alone]),
        "in context": np.stack([each.vector for each in inside]),
    }
    questions = np.stack([each.vector for each in asked])
    scores = {form: questions @ matrix.T for form, matrix in vectors.items()}
    scores["both"] = scores["alone"] + scores["in context"]
    return {form: mean_ndcg(each, data) for form, each in scores.items()}


def spoken(turn: dict[str, Any]) -> str:
    """Return a turn as it is captured: date, speaker, words, caption."""
    caption = f" [image: {turn['image_caption']}]" if turn.get("image_caption") else ""
    return f"({turn['date']}) {turn['speaker']}: {turn['text']}{caption}"


def in_context(turns: Sequence[dict[str, Any]]) -> list[Passage]:
    """Return each turn with the end of the one before it in its session."""
    passages: list[Passage] = []
    before: dict[str, Any] | None = None
    for turn in turns:
        same = before and (before["conv"], before["session"]) == (turn["conv"], turn["session"])
        context = f"{before['speaker']}: {before['text'][-CONTEXT:]}" if before and same else ""
        passages.append(Passage(spoken(turn), context))
        before = turn
    return passages


def mean_ndcg(scores: np.ndarray, data: Data) -> float:
    """Return the plain mean over the categories of nDCG@10, each question in its conversation."""
    conversation = np.array([turn["conv"] for turn in data.turns])
    by_category: dict[str, list[float]] = defaultdict(list)
    for row, question in enumerate(data.questions):
        right = data.right[question["_id"]]
        home = next(turn["conv"] for turn in data.turns if turn["_id"] in right)
        places = np.flatnonzero(conversation == home)
        best = places[np.argsort(-scores[row, places], kind="stable")[:BEST]]
        gain = [1.0 if data.turns[place]["_id"] in right else 0.0 for place in best]
        by_category[str(question["category"])].append(ndcg(gain, len(right)))
    return float(np.mean([np.mean(values) for values in by_category.values()]))


def ndcg(gains: Sequence[float], relevant: int) -> float:
    """Return the discounted gain as a share of the best possible."""
    discounts = 1 / np.log2(np.arange(2, BEST + 2))
    return float(np.dot(gains, discounts[: len(gains)]) / discounts[: min(relevant, BEST)].sum())


if __name__ == "__main__":
    main()
