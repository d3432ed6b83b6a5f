"""How well the gate tells what is worth keeping: `python -m benchmarks.gate [--errors PART]`."""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from neomem.capture import gate

LABELLED = Path(__file__).parents[1] / "tests" / "data" / "gate.jsonl"
ROUNDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A turn and whether it is worth keeping; only the part `dev` was used to write the rules."""

    text: str
    keep: bool
    role: str
    lang: str
    part: str


@dataclass(frozen=True, slots=True)
class Score:
    """How what was kept compares with what should have been."""

    right: int
    kept: int
    worth: int
    turns: int

    @property
    def precision(self) -> float:
        """The share of what was kept that is worth it."""
        return self.right / self.kept if self.kept else 1.0

    @property
    def recall(self) -> float:
        """The share of what is worth it that was kept."""
        return self.right / self.worth if self.worth else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def __str__(self) -> str:
        return (
            f"precision {self.precision:.3f}  recall {self.recall:.3f}  F1 {self.f1:.3f}"
            f"  ({self.turns} turns, {self.worth} worth keeping)"
        )


def read(file: Path = LABELLED) -> list[Labelled]:
    """Read the labelled turns."""
    return [Labelled(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def keeps(text: str) -> bool:
    """Pass a turn through the whole gate."""
    return gate.judge(gate.strip(text)).keep


def score(turns: Iterable[Labelled]) -> Score:
    """Compare the gate's judgements with the labels."""
    pairs = [(keeps(turn.text), turn.keep) for turn in turns]
    return Score(
        right=sum(kept and worth for kept, worth in pairs),
        kept=sum(kept for kept, _ in pairs),
        worth=sum(worth for _, worth in pairs),
        turns=len(pairs),
    )


def microseconds(turns: Sequence[Labelled]) -> tuple[float, float]:
    """Measure the time a turn takes: the median and the slowest of a few rounds' best."""
    times: list[float] = []
    for turn in turns:
        best = float("inf")
        for _ in range(ROUNDS):
            start = perf_counter()
            keeps(turn.text)
            best = min(best, perf_counter() - start)
        times.append(best * 1e6)
    times.sort()
    return times[len(times) // 2], times[-1]


def main(arguments: Sequence[str]) -> None:
    """Print the scores by part and language, the time, and if asked the errors of a part."""
    turns = read()
    for part in ("dev", "test"):
        chosen = [turn for turn in turns if turn.part == part]
        print(f"{part:5} {score(chosen)}")
        for lang in sorted({turn.lang for turn in chosen}):
            print(f"   {lang:3} {score(turn for turn in chosen if turn.lang == lang)}")
    median, slowest = microseconds(turns)
    print(f"µs a turn: {median:.1f} median, {slowest:.1f} slowest")
    if arguments[:1] == ["--errors"]:
        for turn in turns:
            judgement = gate.judge(gate.strip(turn.text))
            if turn.part in arguments[1:] and judgement.keep != turn.keep:
                error = "lost" if turn.keep else "kept"
                print(f"{turn.lang} {error}, {judgement.reason}: {turn.text!r}")


if __name__ == "__main__":
    main(sys.argv[1:])
