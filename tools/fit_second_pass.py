"""Fit the second pass's weights on the tune sets, as recall itself sees their candidates.

`python -m tools.fit_second_pass DATA HOME`: DATA is the folder of evaluation sets, HOME one for the
benchmark's server. Only tune sets are looked at; how weights do on conversations, or fifths, that
they were not fitted on is printed; with `--worth`, also without each kind of evidence.
"""

# numpy's annotations lose the type of a loop's own result.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import argparse
import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality import measures, store
from benchmarks.quality.dataset import ALL, TUNE, Dataset, Question
from neomem.engine import Engine
from neomem.recall import Clock, gather, scoring
from neomem.recall.features import FEATURES, Matrix, features
from neomem.recall.request import Request, plan
from neomem.sections import RecallSettings
from tools.bursts import Bursts
from tools.claims import Claims, Messages
from tools.together import Together

SETS = {
    "people": ("locomo", "locomo in bursts"),
    "assistant": ("beam-100K",),
    "texts": ("musique-train100 and hotpotqa-train100",),
    "statements": (
        "claims of musique-train100 and hotpotqa-train100",
        "claims of beam-100K's long messages",
    ),
}
"""What each part is fitted on; the weights of one kind of talk fail on the other."""
RIDGE = 100.0
"""How close to nought weights are held. Less does no better, and a store of few memories far worse:
what is near the middle of the nearest is then held against the only memory there is."""
BRIDGE = {"texts": 4.0}
"""What being about something that a hit names adds to the odds; 1 to 4 differ by a point of R@5."""
_SETTLED = 1e-7
BY_HAND = {"rank as written": 1.5}
"""Symbols and ids must be found as written; the sets have too few of them to learn it from."""
KINDS = {
    "ranks": ("rank alone", "rank words", "rank entities"),
    "as written": ("rank as written",),
    "first pass": ("fused", "fused against best"),
    "likeness": ("similarity", "similarity against best", "best similarity"),
    "likeness in context": ("context similarity", "context similarity against best"),
    "second look": ("rank second look",),
    "feedback of the nearest": ("feedback", "feedback against best"),
    "bm25": ("bm25", "bm25 against best"),
    "words shared": ("rare coverage",),
    "turns beside": tuple(
        name for name in FEATURES if name.endswith((" before", " after", " beside", " around"))
    ),
    "answers a question": ("answers a question", "answers a like question"),
    "session": ("session", "session similarity", "session similarity against best"),
    "subject": ("subject", "other subject"),
    "time": ("time", "month asked for", "day asked for"),
    "form": ("question", "number", "of self", "to other", "names", "reacts", "short"),
    "who speaks": ("assistant",),
}
"""Evidence that is taken away together, to see what it is worth."""
OF_TEXTS = ("ranks", "as written", "likeness", "feedback of the nearest", "bm25")
OF_TALK = tuple(kind for kind in KINDS if kind not in {"ranks", "second look"})
USED = {
    "people": OF_TALK,
    "assistant": OF_TALK,
    "texts": (*OF_TEXTS, "second look", "words shared"),
    "statements": OF_TEXTS,
}
"""The evidence each part looks at. Texts come from anywhere: with the form of a text among it,
weights from one set of statements did worse on the other than BM25 alone (38.8, BM25 43.8). Of a
talk's turns the ranks say nothing that the first pass and likeness do not."""


@dataclass(frozen=True)
class Seen:
    """A question's candidates as recall saw them."""

    question: Question
    ids: list[str]
    evidence: Matrix
    gold: NDArray[np.float64]


def main() -> None:
    """Fit, check, write."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path)
    arguments.add_argument("home", type=Path)
    arguments.add_argument(
        "--parts", nargs="+", default=[*SETS], choices=[*SETS], help="only these"
    )
    arguments.add_argument("--worth", action="store_true", help="what each evidence is worth")
    given = arguments.parse_args()
    asyncio.run(run(given.data, given.home, given.parts, worth=given.worth))


async def run(data: Path, home: Path, parts: Sequence[str], *, worth: bool) -> None:
    """Gather every tune question's evidence, then fit and check."""
    async with store.opened(home, RecallSettings(record=False, signal_timeout=60)) as engine:
        texts = Together(data / "musique-train100", other=Dataset(data / "hotpotqa-train100"))
        sets = [
            Bursts(data / "locomo", TUNE["locomo"]),
            *(Dataset(data / name, TUNE[name]) for name in ("locomo", "beam-100K")),
            texts,
            Claims(texts.folder, inner=texts),
            Claims(data, inner=Messages(data / "beam-100K", TUNE["beam-100K"])),
        ]
        wanted = {name for part in parts for name in SETS[part]}
        seen = {each.name: await gathered(engine, each) for each in sets if each.name in wanted}
        model = engine.embedder.model
    fitted: dict[str, object] = {}
    for part in parts:
        used = {kind: KINDS[kind] for kind in USED[part]}
        own = {name: only(seen[name], used) for name in SETS[part]}
        fitted[part] = checked(own, used, RIDGE) | (
            {"bridge": BRIDGE[part]} if part in BRIDGE else {}
        )
        if worth:
            tell_worth(own, used, RIDGE)
    file = Path(scoring.__file__).parent / "weights" / f"{model}.json"
    before = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    kept = {**before, **fitted, "fitted on": SETS}
    file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


async def gathered(engine: Engine, dataset: Dataset) -> list[Seen]:
    """Return what recall sees for every question of a set."""
    await store.load(engine, dataset)
    names = await store.external_ids(engine, dataset)
    tools = engine.recall_tools
    seen: list[Seen] = []
    for question in dataset.questions:
        agent = store.agent_of(dataset, question.group)
        asked_for = Request(question=question.text, agent=agent)
        planned = plan(asked_for, tools.settings, datetime.now(UTC))
        asked, heard, known = await gather(tools, planned, question.text, Clock())
        first = scoring.fused(heard.voices, heard.weights, known, tools.settings.k)
        evidence = features(asked, known, heard.voices, first)
        ids = [names[each] for each in known]
        gold = np.array([each in question.gold for each in ids], dtype=float)
        seen.append(Seen(question, ids, evidence, gold))
    print(f"{dataset.name}: {len(seen)} questions")
    return seen


def only(seen: Sequence[Seen], used: Mapping[str, Sequence[str]]) -> list[Seen]:
    """Return the same with no other evidence than these kinds."""
    names = {name for kind in used.values() for name in kind}
    kept = np.array([name in names for name in FEATURES], dtype=float)
    return [replace(one, evidence=one.evidence * kept) for one in seen]


def checked(
    seen: Mapping[str, Sequence[Seen]], used: Mapping[str, Sequence[str]], ridge: float
) -> dict[str, object]:
    """Return the weights fitted on all the sets; print how they do on what they have not seen."""
    every = [one for each in seen.values() for one in each]
    left_out = folds(every, ridge)
    for name, own in seen.items():
        _say(f"{name}, left out", quality(own, [left_out[_fold(one)] for one in own]))
        others = [one for other in seen if other != name for one in seen[other]]
        if others:
            apart = fit(others, ridge)
            _say("  from the other alone", quality(own, [apart] * len(own)))
    bias, weights = fit(every, ridge)
    names = {name for kind in used.values() for name in kind}
    return {
        "bias": round(float(bias), 4),
        "weights": {
            name: round(float(weight), 4)
            for name, weight in zip(FEATURES, weights, strict=True)
            if name in names
        },
    }


def tell_worth(
    seen: Mapping[str, Sequence[Seen]], used: Mapping[str, Sequence[str]], ridge: float
) -> None:
    """Print how weights that never saw a kind of evidence do on what they were not fitted on."""
    for kind in used:
        rest = {name: names for name, names in used.items() if name != kind}
        less = {name: only(each, rest) for name, each in seen.items()}
        left_out = folds([one for each in less.values() for one in each], ridge)
        for name, each in less.items():
            own = [left_out[_fold(one)] for one in each]
            _say(f"{name}, without {kind}", quality(each, own))


def _say(what: str, figures: Mapping[str, float]) -> None:
    print(f"{what}:", " ".join(f"{key} {value:.1f}" for key, value in figures.items()), flush=True)


def _fold(one: Seen) -> str:
    """Return what is left out together: a conversation, however it is told, or a fifth."""
    if one.question.group != ALL:
        return one.question.group
    return str(int(hashlib.sha256(one.question.id.encode()).hexdigest(), 16) % 5)


def folds(seen: Sequence[Seen], ridge: float) -> dict[str, tuple[float, NDArray[np.float64]]]:
    """Return for each fold the weights that were fitted without it."""
    return {
        fold: fit([one for one in seen if _fold(one) != fold], ridge)
        for fold in sorted({_fold(one) for one in seen})
    }


def fit(seen: Sequence[Seen], ridge: float) -> tuple[float, NDArray[np.float64]]:
    """Return bias and weights of a logistic model, by Newton's method with a ridge."""
    evidence: Matrix = np.concatenate([one.evidence for one in seen])
    gold = np.concatenate([one.gold for one in seen])
    given = np.array([BY_HAND.get(name, 0.0) for name in FEATURES])
    free = np.array([name not in BY_HAND for name in FEATURES])
    said: NDArray[np.float64] = evidence @ given
    middle, spread = evidence.mean(axis=0), evidence.std(axis=0) + 1e-9
    rows: Matrix = np.c_[np.ones(len(evidence)), free * (evidence - middle) / spread]
    penalty = np.diag([0.0, *[ridge] * evidence.shape[1]])
    weights: NDArray[np.float64] = np.zeros(rows.shape[1])
    for _ in range(30):
        chance: NDArray[np.float64] = 1 / (1 + np.exp(-(rows @ weights + said)))
        slope: NDArray[np.float64] = rows.T @ (chance - gold) + penalty @ weights
        curve: Matrix = (rows * (chance * (1 - chance))[:, None]).T @ rows + penalty
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < _SETTLED:
            break
    scaled: NDArray[np.float64] = weights[1:] / spread * free
    return float(weights[0] - scaled @ middle), scaled + given


def quality(
    seen: Sequence[Seen], fitted: Sequence[tuple[float, NDArray[np.float64]]]
) -> dict[str, float]:
    """Return nDCG@10, mean over categories, and Recall@5, in hundredths."""
    by_category: dict[str, list[float]] = {}
    found: list[float] = []
    for one, (_, weights) in zip(seen, fitted, strict=True):
        order: list[int] = np.argsort(-(one.evidence @ weights), kind="stable")[:10].tolist()
        names = [one.ids[index] for index in order]
        gain = measures.ndcg(names, one.question.gold)
        by_category.setdefault(one.question.category, []).append(gain)
        found.append(measures.recall(names, one.question.gold, 5))
    means = [np.mean(values) for values in by_category.values()]
    return {"nDCG@10": float(np.mean(means)) * 100, "R@5": float(np.mean(found)) * 100}


if __name__ == "__main__":
    main()
