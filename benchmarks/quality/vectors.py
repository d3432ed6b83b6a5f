"""Embeddings kept on disk by model and text, so that a second run does not wait for the model."""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from neomem.ports import Embedder, Embedding, Name, Passage


class KeptVectors:
    """An embedder that asks another only for what it has not been asked before."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self.inner = inner
        self.model, self.dimensions = inner.model, inner.dimensions
        self.floor, self.reads_context = inner.floor, inner.reads_context
        folder.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(folder / f"{inner.model.replace('/', '_')}.sqlite", timeout=60)
        self._file.execute(
            "create table if not exists kept (key blob primary key, vector blob, more text)"
        )

    async def embed_question(self, text: str) -> Embedding:
        """Return a question's vector, kept or new."""
        key = _key("question", text)
        kept = self._kept([key])
        if key not in kept:
            kept[key] = await self.inner.embed_question(text)
            self._keep({key: kept[key]})
        return kept[key]

    async def embed_passages(self, passages: Sequence[Passage]) -> list[Embedding]:
        """Return vectors of passages, kept or new."""
        keys = [_key("passage", each.text, each.context) for each in passages]
        kept = self._kept(keys)
        new = {key: each for key, each in zip(keys, passages, strict=True) if key not in kept}
        if new:
            made = await self.inner.embed_passages(list(new.values()))
            fresh = dict(zip(new, made, strict=True))
            self._keep(fresh)
            kept |= fresh
        return [kept[key] for key in keys]

    async def close(self) -> None:
        """Close the file and the model."""
        self._file.close()
        await self.inner.close()

    def _kept(self, keys: Sequence[bytes]) -> dict[bytes, Embedding]:
        found: dict[bytes, Embedding] = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            marks = ",".join("?" * len(part))
            rows = self._file.execute(
                f"select key, vector, more from kept where key in ({marks})",  # noqa: S608
                part,
            )
            found |= {key: _read(vector, more) for key, vector, more in rows}
        return found

    def _keep(self, made: dict[bytes, Embedding]) -> None:
        rows = [(key, each.vector.tobytes(), _more(each)) for key, each in made.items()]
        with self._file:
            self._file.executemany("insert or replace into kept values (?, ?, ?)", rows)


def _key(*parts: str) -> bytes:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()[:16]


def _more(each: Embedding) -> str:
    names = None if each.names is None else [asdict(name) for name in each.names]
    return json.dumps({"cut": each.cut, "names": names})


def _read(vector: bytes, more: str) -> Embedding:
    said: dict[str, Any] = json.loads(more)
    names = said["names"]
    return Embedding(
        vector=np.frombuffer(vector, dtype=np.float32),
        cut=said["cut"],
        names=None if names is None else tuple(Name(**name) for name in names),
    )
