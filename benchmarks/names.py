"""How well names are found: exact spans on labelled text, precision on people who really speak.

`python -m benchmarks.names FOLDER` with the evaluation data.
"""

import argparse
import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from neomem.config import Config
from neomem.models import choose
from neomem.models.spacy import SpacyFinder
from neomem.ports import Embedding, EntityType, Name, Passage


class Span(Protocol):
    """A name, by whomever it was found."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...

    @property
    def type(self) -> EntityType:
        """What it names."""
        ...


Found = Sequence[Sequence[Span]]
Names = Sequence[tuple[Name, ...] | None]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text and its names: start, end, label."""

    text: str
    names: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Exact spans, types ignored."""

    f1: float
    precision: float
    recall: float

    def __str__(self) -> str:
        return f"F1 {self.f1:.3f} (precision {self.precision:.3f}, recall {self.recall:.3f})"


def read_conll(file: Path) -> list[Labelled]:
    """Read a text per block of `word<TAB>label` lines, or of numbered IOB2 lines."""
    column = 1 if file.suffix == ".iob2" else 0
    blocks: list[list[list[str]]] = [[]]
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            blocks.append([])
        elif not (column and line.startswith("# ")):
            blocks[-1].append(line.split("\t"))
    return [
        _labelled([row[column] for row in block], [row[column + 1] for row in block])
        for block in blocks
        if block
    ]


def _labelled(words: list[str], labels: list[str]) -> Labelled:
    names: list[tuple[int, int, str]] = []
    place = 0
    for word, label in zip(words, labels, strict=True):
        mark, _, kind = label.partition("-")
        if mark == "I" and names and names[-1][1] == place - 1:
            names[-1] = names[-1][0], place + len(word), names[-1][2]
        elif mark in {"B", "I"}:
            names.append((place, place + len(word), kind))
        place += len(word) + 1
    return Labelled(" ".join(words), tuple(names))


def score(texts: Sequence[Labelled], found: Found) -> Score:
    """Compare the spans found with those that are right."""
    right = [{(start, end) for start, end, _ in each.names} for each in texts]
    given = [{(n.start, n.end) for n in names if n.type not in UNSCORED} for names in found]
    hits = sum(len(a & b) for a, b in zip(right, given, strict=True))
    precision = hits / max(sum(map(len, given)), 1)
    recall = hits / max(sum(map(len, right)), 1)
    both = precision + recall
    return Score(2 * precision * recall / both if both else 0.0, precision, recall)


# ---- the table -----------------------------------------------------------------------------------

TUNED = {"conv-26", "conv-30", "conv-41", "conv-42", "conv-43"}
SPOKEN = 1000
UNSCORED = {"handle", "code"}  # WNUT-17 and EWT have no labels for these


def main() -> None:
    """Print span F1 on WNUT-17 test, and what is found where LoCoMo's speakers are named."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path, help="the evaluation data")
    arguments.add_argument("--pipeline", action="append", default=[], help="an installed pipeline")
    given = arguments.parse_args()
    config = Config()
    labelled = read_conll(given.folder / "ner" / "wnut17_test.conll")
    spoken, speakers = conversations(given.folder / "locomo" / "corpus.jsonl")
    embeddings = asyncio.run(embed(config, [each.text for each in labelled] + spoken))
    names = [each.names for each in embeddings]
    none: list[tuple[Name, ...] | None] = [None] * len(names)
    built_in = SpacyFinder.open("english")
    rows: list[tuple[str, Callable[[str, tuple[Name, ...] | None], Sequence[Span]], Names]] = [
        ("rules", built_in.find, none),
        ("head", lambda _, found: found or (), names),
        ("rules and head", built_in.find, names),
        *((each, SpacyFinder.open("english", each).find, none) for each in given.pipeline),
    ]
    print(f"{'':16} WNUT-17 test{'':34} LoCoMo: speakers found, names right, per text")
    for label, find, hints in rows:
        find("Warm up.", ())
        found = [find(each.text, hint) for each, hint in zip(labelled, hints, strict=False)]
        start = time.perf_counter()
        said = [find(*pair) for pair in zip(spoken, hints[len(labelled) :], strict=True)]
        took = (time.perf_counter() - start) / len(spoken) * 1e6
        named, right = on_speakers(spoken, speakers, said), plausible(spoken, said)
        print(f"{label:16} {score(labelled, found)}  {named:.3f}  {right:.3f}  {took:4.0f} µs")


def conversations(file: Path) -> tuple[list[str], list[str]]:
    """Return turns of the conversations that may be looked at, and the people in them."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    turns = [row for row in rows if row["conv"] in TUNED]
    return [row["text"] for row in turns[:SPOKEN]], sorted({row["speaker"] for row in turns})


async def embed(config: Config, texts: Sequence[str]) -> list[Embedding]:
    """Return what the embedder makes of the texts, names included."""
    embedder = choose.embedder(config)
    try:
        return await embedder.embed_passages([Passage(text) for text in texts])
    finally:
        await embedder.close()


def on_speakers(texts: Sequence[str], people: Sequence[str], found: Found) -> float:
    """Return the share of places where a speaker is named that were found, exactly."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, people))})\b")
    places = hits = 0
    for text, names in zip(texts, found, strict=True):
        spans = {(name.start, name.end) for name in names}
        for match in pattern.finditer(text):
            places += 1
            hits += match.span() in spans
    return hits / places


def plausible(texts: Sequence[str], found: Found) -> float:
    """Return the share of names that are not mostly written small in the same conversations.

    A measure that needs no labels: "Pottery" at the start of a sentence is caught by the many
    times it is written "pottery".
    """
    small = Counter(word for text in texts for word in re.findall(r"\b[a-z]+\b", text))
    large = Counter(
        word.lower() for text in texts for word in re.findall(r"(?<=[a-z,] )[A-Z][a-z]+\b", text)
    )
    names = [
        text[name.start : name.end]
        for text, each in zip(texts, found, strict=True)
        for name in each
        if name.type not in UNSCORED
    ]
    wrong = sum(
        all(small[word] > large[word] for word in re.findall(r"[a-z]+", name.lower()))
        for name in names
    )
    return 1 - wrong / max(len(names), 1)


if __name__ == "__main__":
    main()
