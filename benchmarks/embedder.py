"""The local embedder beside the plainest loops over onnxruntime, on the same texts, in one run.

Questions: one after another. Many texts: one after another, and in padded batches as they come.

`python -m benchmarks.embedder FOLDER [--model NAME] [--rounds N]`, with the evaluation data.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # pyright: ignore[reportMissingTypeStubs]
from tokenizers import Tokenizer

from neomem.config import Config
from neomem.models import choose
from neomem.models.recipes import ModelFiles, recipe_of
from neomem.ports import Passage, Vector
from neomem.sections import EmbedderSettings

MIX = {"locomo": 150, "musique-train100": 50, "beam-100K": 30}
QUESTIONS = 100
BLOCK = (
    20  # a session's threads spin for a while after its run: changing over often would cost both
)
BATCH = 32


class PlainLoop:
    """What one would write first: a default session, texts as they come, mean of the tokens."""

    def __init__(self, files: ModelFiles, pooling: str, max_tokens: int) -> None:
        runtime: Any = onnxruntime
        self.session = runtime.InferenceSession(files.onnx, providers=["CPUExecutionProvider"])
        self.names = [each.name for each in self.session.get_inputs()]
        self.tokenizer: Any = Tokenizer.from_file(str(files.tokenizer))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(max_tokens)
        self.pooling = pooling

    def embed(self, *texts: str) -> Vector:
        """Return the vectors of a batch, padded to its longest text."""
        encodings = self.tokenizer.encode_batch(list(texts))
        width = max(len(encoding.ids) for encoding in encodings)
        ids, mask = np.zeros((2, len(texts), width), np.int64)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding.ids)], mask[row, : len(encoding.ids)] = encoding.ids, 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self.session.run(None, {name: feed[name] for name in self.names})[0]
        weights = mask[..., None] / mask.sum(axis=1)[:, None, None]
        vectors = (hidden * weights).sum(axis=1) if self.pooling == "mean" else hidden[:, 0]
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def main() -> None:
    """Alternate the two and print medians, ratios, and how far the vectors are apart."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--model", default=EmbedderSettings().model)
    arguments.add_argument("--rounds", type=int, default=3)
    asyncio.run(run(arguments.parse_args()))


async def run(given: argparse.Namespace) -> None:
    """Measure."""
    config = Config(embedder=EmbedderSettings(model=given.model, cached_questions=0))
    recipe = recipe_of(config.embedder)
    ours = choose.embedder(config)
    plain = PlainLoop(choose.local_files(config), recipe.pooling, recipe.max_tokens)
    texts, questions = sample(given.folder)
    passages = [Passage(text) for text in texts]
    await ours.embed_passages(passages[:20])
    table: dict[str, list[float]] = defaultdict(list)
    apart = 0.0
    for _ in range(given.rounds):
        for start in range(0, len(questions), BLOCK):
            block = questions[start : start + BLOCK]
            with timed(table["plain"], len(block)):
                for question in block:
                    plain.embed(recipe.question_prefix + question)
            with timed(table["ours"], len(block)):
                for question in block:
                    await ours.embed_question(question)
        prefixed = [recipe.passage_prefix + text for text in texts]
        with timed(table["one by one"]):
            expected = [plain.embed(text)[0] for text in prefixed]
        with timed(table["ours, bulk"]):
            found = await ours.embed_passages(passages)
        with timed(table["in batches"]):
            for start in range(0, len(texts), BATCH):
                plain.embed(*prefixed[start : start + BATCH])
        apart = max(apart, distance(expected, [each.vector for each in found]))
    await ours.close()
    print(f"{given.model}: {len(texts)} texts of mixed length, {len(questions)} questions")
    report(table, len(texts))
    print(f"cosines    at most {apart:.1e} apart")


def report(table: dict[str, list[float]], texts: int) -> None:
    """Print medians and ratios."""
    median = {name: statistics.median(values) for name, values in table.items()}
    print(f"question   plain {median['plain'] * 1e3:.2f} ms, ours {median['ours'] * 1e3:.2f} ms")
    print(f"           ours / plain = {median['ours'] / median['plain']:.3f}")
    print(f"bulk       ours {texts / median['ours, bulk']:.1f} texts/s")
    for name in ("one by one", "in batches"):
        ratio = median[name] / median["ours, bulk"]
        print(f"           plain {name} {texts / median[name]:.1f}; ours / plain = {ratio:.2f}")


@contextmanager
def timed(times: list[float], count: int = 1) -> Generator[None]:
    """Note the seconds a piece of work takes."""
    start = time.perf_counter()
    yield
    times.append((time.perf_counter() - start) / count)


def distance(expected: Sequence[Vector], found: Sequence[Vector]) -> float:
    """Return the largest difference between two matrices of cosines."""
    one, other = np.stack(expected), np.stack(found)
    return float(np.abs(one @ one.T - other @ other.T).max())


def sample(folder: Path) -> tuple[list[str], list[str]]:
    """Return texts of mixed length and questions, always the same ones."""
    random.seed(7)
    texts = [
        text for name, count in MIX.items() for text in random.sample(read(folder, name), count)
    ]
    random.shuffle(texts)
    return texts, random.sample(read(folder, "locomo", "queries.jsonl"), QUESTIONS)


def read(folder: Path, name: str, file: str = "corpus.jsonl") -> list[str]:
    """Return the texts of a data set."""
    lines = (folder / name / file).read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


if __name__ == "__main__":
    main()
