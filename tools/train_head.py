"""Train `neomem/models/heads/MODEL.npz`: `python -m tools.train_head FOLDER [MODEL ...]`.

FOLDER is the evaluation data's `ner`. WNUT-17 train and dev and EWT dev are learnt from: first
without a fifth, to print what to expect, then with all. WNUT-17 test is never read.
"""

import asyncio
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.names import Labelled, read_conll, score
from neomem.config import Config
from neomem.models import choose, token_head
from neomem.models.onnx import OnnxEmbedder
from neomem.models.recipes import RECIPES, recipe_of
from neomem.models.token_head import Floats, Spans, TokenHead
from neomem.ports import Name, Passage
from neomem.sections import EmbedderSettings

HEADS = Path(token_head.__file__).parent / "heads"
LABELS = {
    "person": "person", "PER": "person", "location": "place", "LOC": "place",
    "corporation": "organisation", "ORG": "organisation", "group": "group",
    "product": "product", "creative-work": "work",
}  # fmt: skip
EPOCHS, RATE, DECAY, BATCH = 8, 2e-3, 1e-3, 256
RARE = 0.05
Seen = tuple[NDArray[np.float16], Spans]


@dataclass(slots=True)
class Recorder:
    """Stands where a head stands, and keeps what passes by."""

    seen: dict[str, Seen] = field(default_factory=dict[str, Seen])

    def names(self, hidden: Floats, spans: Spans, text: str) -> tuple[Name, ...]:
        """Keep the vectors of a text's tokens."""
        self.seen[text] = hidden.astype(np.float16), spans
        return ()


def main() -> None:
    """Train each model's head."""
    data = Path(sys.argv[1])
    wnut = [*read_conll(data / "wnut17_train.conll"), *read_conll(data / "wnut17_dev.conll")]
    ewt = read_conll(data / "uner_en_ewt_dev.iob2")
    for model in sys.argv[2:] or RECIPES:
        recorder = asyncio.run(record(model, [*wnut, *ewt]))
        held = [text for number, text in enumerate([*wnut, *ewt]) if number % 5 == 0]
        rest = [text for number, text in enumerate([*wnut, *ewt]) if number % 5]
        trial = train(recorder, rest)
        found = [trial.names(*_as_float(recorder.seen[each.text]), each.text) for each in held]
        print(f"{model}: held back {score(held, found)}", flush=True)
        save(model, train(recorder, [*wnut, *ewt]))


async def record(model: str, texts: list[Labelled]) -> Recorder:
    """Return the vectors a model makes of every token."""
    settings = EmbedderSettings(model=model)
    recorder = Recorder()
    chosen = Config(embedder=settings)
    embedder = OnnxEmbedder(
        settings, recipe_of(settings), lambda: choose.local_files(chosen), recorder
    )
    await embedder.embed_passages([Passage(each.text) for each in texts])
    await embedder.close()
    return recorder


def train(recorder: Recorder, texts: list[Labelled]) -> TokenHead:
    """Learn words and types."""
    rows: list[Floats] = []
    labels: list[int] = []
    means: list[Floats] = []
    types: list[int] = []
    for each in texts:
        hidden, spans = _as_float(recorder.seen[each.text])
        words = token_head.group(spans, each.text)
        if not words:
            continue
        places = [(spans[first][0], spans[last][1]) for first, last in words]
        vectors = token_head.word_vectors(hidden, words)
        rows.append(token_head.features(vectors, places, each.text))
        marks = np.full(len(words), token_head.OUTSIDE)
        for start, end, kind in each.names:
            inside = [i for i, (a, b) in enumerate(places) if a >= start and b <= end]
            if inside:
                marks[inside] = token_head.INSIDE
                marks[inside[0]] = token_head.BEGIN
                means.append(vectors[inside].mean(axis=0))
                types.append(token_head.TYPES.index(LABELS[kind]))  # pyright: ignore[reportArgumentType]
        labels += marks.tolist()
    words_weights = logistic(np.vstack(rows), np.array(labels), 3)
    type_weights = logistic(np.vstack(means), np.array(types), len(token_head.TYPES))
    return TokenHead(*words_weights, *type_weights)


def logistic(rows: Floats, labels: np.ndarray, classes: int) -> tuple[Floats, Floats]:
    """Fit a softmax regression by Adam; small weights preferred."""
    scale = rows.std(axis=0) + 1e-6
    scale[scale < RARE] = 1  # a shape that is hardly ever seen gains no weight by scaling
    rows = (rows / scale).astype(np.float32)
    rng = np.random.default_rng(7)
    weights = np.zeros((rows.shape[1] + 1, classes), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    wanted = np.eye(classes, dtype=np.float32)[labels]
    step = 0
    for epoch in range(EPOCHS):
        for batch in np.array_split(rng.permutation(len(rows)), len(rows) // BATCH or 1):
            inputs = np.hstack([rows[batch], np.ones((len(batch), 1), np.float32)])
            scores = inputs @ weights
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            error = powers / powers.sum(axis=1, keepdims=True) - wanted[batch]
            slope = inputs.T @ error / len(batch) + DECAY * weights
            step += 1
            mean = 0.9 * mean + 0.1 * slope
            square = 0.999 * square + 0.001 * slope**2
            rate = RATE * (1 - epoch / EPOCHS) * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            weights -= rate * mean / (np.sqrt(square) + 1e-8)
    return np.asarray(weights[:-1] / scale[:, None], np.float32), weights[-1]


def save(model: str, head: TokenHead) -> None:
    """Write the weights, half as precise as they were learnt: nothing is lost by it."""
    HEADS.mkdir(exist_ok=True)
    arrays = {name: getattr(head, name).astype(np.float16) for name in TokenHead.__slots__}
    np.savez_compressed(HEADS / f"{model}.npz", **arrays)


def _as_float(seen: Seen) -> tuple[Floats, Spans]:
    return seen[0].astype(np.float32), seen[1]


if __name__ == "__main__":
    main()
