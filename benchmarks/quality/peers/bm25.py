"""BM25 alone, at its best on the tune sets: bm25s, stemmed, k1 and b as in Anserini."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.quality.dataset import Dataset, Question
from benchmarks.quality.peers.common import FIRST, ids, package, told
from neomem.engine import Engine

_STOP_WORDS = "en_plus"


@dataclass(frozen=True)
class _Index:
    ids: list[str]
    ranker: Any


class Bm25:
    """An index of words per group."""

    name = "bm25"

    def __init__(self, _engine: Engine, _folder: Path) -> None:
        self._bm25s = package("bm25s")
        self._stemmer = package("Stemmer").Stemmer("english")
        self._indexes: dict[str, _Index] = {}

    async def load(self, dataset: Dataset) -> None:
        """Count the words of each group."""
        for group, drafts in dataset.texts.items():
            ranker = self._bm25s.BM25(k1=0.9, b=0.4)
            ranker.index(self._words([told(draft) for draft in drafts]), show_progress=False)
            self._indexes[group] = _Index(ids(drafts), ranker)

    async def ask(self, question: Question) -> list[str]:
        """Return what shares the most telling words with the question."""
        index = self._indexes[question.group]
        places, scores = index.ranker.retrieve(
            self._words([question.text]), k=min(FIRST, len(index.ids)), show_progress=False
        )
        ranked = zip(places[0], scores[0], strict=True)
        return [index.ids[place] for place, score in ranked if score > 0]

    async def close(self) -> None:
        """Do nothing: all is in memory."""

    def _words(self, texts: list[str]) -> Any:  # noqa: ANN401 - bm25s's own
        return self._bm25s.tokenize(
            texts, stopwords=_STOP_WORDS, stemmer=self._stemmer, show_progress=False
        )
