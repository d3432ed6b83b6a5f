"""Renew `neomem/ordinary_words.txt`: `python -m tools.ordinary_words FOLDER` (the evaluation data).

A capital at the start of a sentence says nothing of an ordinary word. Which words are ordinary is
counted: those that stand in lower case where a name would not, in the training texts whose
licence allows it. Only the words are kept, no text.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

WORDS = Path(__file__).parents[1] / "neomem" / "ordinary_words.txt"
WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
SENTENCE = re.compile(r"(?<=[.!?:;\n])\s+|[\"“”*#>|]+")

SEEN = 3
SHARE = 0.5
TUNED_CHATS = {f"100K-{number}" for number in range(1, 11)}


def main() -> None:
    """Count, choose, write."""
    lower, capital = Counter[str](), Counter[str]()
    for text in texts(Path(sys.argv[1])):
        for sentence in SENTENCE.split(CODE.sub(" ", text)):
            for word in WORD.findall(sentence)[1:]:
                (lower if word.islower() else capital)[word.lower()] += 1
    words = sorted(
        word
        for word, count in lower.items()
        if count >= SEEN and len(word) > 1 and count / (count + capital[word]) >= SHARE
    )
    WORDS.write_text("\n".join(words) + "\n", encoding="ascii")
    print(f"{WORDS.name}: {len(words):,} words")


def texts(data: Path) -> Iterator[str]:
    """Yield what may be tuned on: passages, the first ten chats, labelled sentences."""
    for folder in ("hotpotqa-train100", "musique-train100", "beam-100K"):
        for line in (data / folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if "conv" not in row or row["conv"] in TUNED_CHATS:
                yield row["text"]
    for file in ("wnut17_train.conll", "wnut17_dev.conll"):
        for block in (data / "ner" / file).read_text(encoding="utf-8").split("\n\n"):
            yield " ".join(line.partition("\t")[0] for line in block.splitlines())


if __name__ == "__main__":
    main()
