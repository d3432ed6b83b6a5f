"""Hybrid search by the two packages that offer it on Neo4j, on the server of the run.

Neither can filter a hybrid search, so each group has a label and two indexes of its own, made by
the packages' own functions with their own defaults.
"""

import asyncio
import hashlib
import logging
from pathlib import Path
from typing import Any

from benchmarks.quality.dataset import Dataset, Question
from benchmarks.quality.peers.common import FIRST, ids, package, told, vectors
from neomem.engine import Engine
from neomem.model import Draft
from neomem.store import health


class Langchain:
    """`Neo4jVector` with `search_type="hybrid"`."""

    name = "langchain-neo4j"

    def __init__(self, engine: Engine, _folder: Path) -> None:
        self._neo4j_vector = package("langchain_neo4j").Neo4jVector
        # Its queries are deprecated, and the driver says so at every one.
        logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
        self._engine = engine
        self.stores: dict[str, Any] = {}

    async def load(self, dataset: Dataset) -> None:
        """Write each group; writing it again changes nothing."""
        for group, drafts in dataset.texts.items():
            self.stores[group] = await self._written(drafts)
        await _indexes_online(self._engine)

    async def ask(self, question: Question) -> list[str]:
        """Return what its hybrid search does."""
        asked = await self._engine.embedder.embed_question(question.text)
        found = await asyncio.to_thread(
            self.stores[question.group].similarity_search_by_vector,
            asked.vector.tolist(),
            k=FIRST,
            query=question.text,
        )
        return [document.metadata["id"] for document in found]

    async def close(self) -> None:
        """Close the connections."""
        for store in self.stores.values():
            store._driver.close()  # noqa: SLF001 - there is no other way to it

    async def _written(self, drafts: list[Draft]) -> Any:  # noqa: ANN401 - langchain's own
        engine, texts = self._engine, [told(draft) for draft in drafts]
        rows = (await vectors(engine.embedder, texts)).tolist()
        label = _label(self.name, ids(drafts), texts)
        address = engine.graph.address
        return await asyncio.to_thread(
            self._neo4j_vector.from_embeddings,
            list(zip(texts, rows, strict=True)),
            embedding=None,  # never asked: the vectors are given, and their length
            embedding_dimension=engine.embedder.dimensions,
            ids=ids(drafts),
            search_type="hybrid",
            node_label=label,
            index_name=f"{label}_vectors",
            keyword_index_name=f"{label}_words",
            url=address.uri,
            username=address.user,
            password=address.password.get_secret_value() if address.password else "",
        )


class Neo4jGraphrag:
    """`HybridRetriever`, over texts that langchain's `Neo4jVector` has written for it."""

    name = "neo4j-graphrag"

    def __init__(self, engine: Engine, folder: Path) -> None:
        self._retriever = package("neo4j_graphrag.retrievers").HybridRetriever
        self._clean = package("langchain_neo4j.vectorstores.neo4j_vector").remove_lucene_chars
        self._engine = engine
        self._writer = Langchain(engine, folder)
        self._writer.name = self.name
        self._retrievers: dict[str, Any] = {}

    async def load(self, dataset: Dataset) -> None:
        """Write each group; writing it again changes nothing."""
        await self._writer.load(dataset)
        for group, store in self._writer.stores.items():
            self._retrievers[group] = await asyncio.to_thread(
                self._retriever,
                store._driver,  # noqa: SLF001 - it is open already
                store.index_name,
                store.keyword_index_name,
                return_properties=["id"],
            )

    async def ask(self, question: Question) -> list[str]:
        """Return what its default ranker does; a question mark would be a wildcard to Lucene."""
        asked = await self._engine.embedder.embed_question(question.text)
        found = await asyncio.to_thread(
            self._retrievers[question.group].get_search_results,
            query_text=self._clean(question.text),
            query_vector=asked.vector.tolist(),
            top_k=FIRST,
        )
        return [record["node"]["id"] for record in found.records]

    async def close(self) -> None:
        """Close the connections."""
        await self._writer.close()


def _label(*parts: object) -> str:
    """Return a label that changes with what is written under it."""
    return f"Peer_{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"


async def _indexes_online(engine: Engine) -> None:
    while True:
        states = {index.state for index in await health.indexes(engine.graph)}
        if "FAILED" in states:
            raise RuntimeError("Neo4j could not build a peer's index: see its debug.log")
        if states <= {"ONLINE"}:
            return
        await asyncio.sleep(0.1)
