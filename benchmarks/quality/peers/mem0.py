"""mem0 as it is without a language model: `infer=False`, its own Qdrant on disk, telemetry off."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.quality.dataset import Dataset, Question
from benchmarks.quality.peers.common import FIRST, ids, package, told, vectors
from neomem.engine import Engine

_NOT_USED = {"provider": "openai", "config": {"api_key": "nobody is asked"}}


class Mem0:
    """A memory per group, each in a folder of its own."""

    name = "mem0"

    def __init__(self, engine: Engine, folder: Path) -> None:
        self._embedder = engine.embedder
        folder.mkdir(parents=True, exist_ok=True)
        # It reads these once, while it is imported.
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder)}  # noqa: TID251
        self._memory = package("mem0").Memory
        self._folder = Path(tempfile.mkdtemp(dir=folder))
        self._bm25 = _word_search(self._folder)
        _lemmas()
        self._given = _Given()
        self._memories: dict[str, Any] = {}

    async def load(self, dataset: Dataset) -> None:
        """Add each text as a message of its group's user."""
        for number, (group, drafts) in enumerate(dataset.texts.items()):
            texts = [told(draft) for draft in drafts]
            rows = await vectors(self._embedder, texts)
            self._given.passages = dict(zip(texts, rows.tolist(), strict=True))
            memory = self._memories[group] = self._new(self._folder / str(number))
            for text, external_id in zip(texts, ids(drafts), strict=True):
                memory.add(text, user_id=group, metadata={"external": external_id}, infer=False)

    async def ask(self, question: Question) -> list[str]:
        """Return what its search does, by meaning and by words."""
        asked = await self._embedder.embed_question(question.text)
        self._given.question = asked.vector.tolist()
        found = self._memories[question.group].search(
            question.text, top_k=FIRST, filters={"user_id": question.group}
        )
        return [each["metadata"]["external"] for each in found["results"]]

    async def close(self) -> None:
        """Take the files away."""
        for memory in self._memories.values():
            memory.vector_store.client.close()
            memory.close()
        shutil.rmtree(self._folder)

    def _new(self, folder: Path) -> Any:  # noqa: ANN401 - mem0's own
        store = {"path": str(folder), "embedding_model_dims": self._embedder.dimensions}
        memory = self._memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "embedder": _NOT_USED,
                "llm": _NOT_USED,
                "history_db_path": str(folder) + ".db",
            }
        )
        memory.embedding_model = self._given
        memory.vector_store._bm25_encoder = self._bm25  # noqa: SLF001 - else it is downloaded
        return memory


class _Given:
    """An embedder of mem0's kind, which only hands over vectors that were made before."""

    def __init__(self) -> None:
        self.passages: dict[str, list[float]] = {}
        self.question: list[float] = []

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self.question if memory_action == "search" else self.passages[text]


def _word_search(folder: Path) -> Any:  # noqa: ANN401 - fastembed's own
    """Return the encoder mem0 would download, which is but rules and a list of stop words."""
    stop_words = package("spacy.lang.en.stop_words").STOP_WORDS
    encoder = package("fastembed").SparseTextEmbedding
    place = str(folder)
    return encoder("Qdrant/bm25", cache_dir=place, specific_model_path=place, stopwords=stop_words)


def _lemmas() -> None:
    """Let a plain tokeniser stand in for the spaCy model mem0 would download.

    Stop words are left out as there; the encoder brings words to their stems by itself. Names are
    not looked for: without a language model, mem0 links none to what it stores.
    """
    spacy, models = package("spacy"), package("mem0.utils.spacy_models")
    if models._nlp_lemma is None:  # noqa: SLF001 - the one place where it looks
        english = spacy.blank("en")
        spacy.Language.component("benchmark_words", func=_words_as_they_are)
        english.add_pipe("benchmark_words")
        models._nlp_lemma, models._load_failed_full = english, True  # noqa: SLF001


def _words_as_they_are(text: Any) -> Any:  # noqa: ANN401 - spaCy's own
    for token in text:
        token.lemma_ = token.text
    return text
