"""The systems neomem is measured beside: the same texts, the same vectors, the same questions."""

from collections.abc import Callable, Collection
from pathlib import Path

from benchmarks.quality.dataset import Dataset
from benchmarks.quality.peers.bm25 import Bm25
from benchmarks.quality.peers.common import Peer
from benchmarks.quality.peers.mem0 import Mem0
from benchmarks.quality.peers.on_neo4j import Langchain, Neo4jGraphrag
from benchmarks.quality.peers.vector import ExactVector
from neomem.engine import Engine

__all__ = ["PEERS", "Peer", "beside"]

PEERS: dict[str, Callable[[Engine, Path], Peer]] = {
    peer.name: peer for peer in (Bm25, ExactVector, Neo4jGraphrag, Langchain, Mem0)
}


def beside(
    engine: Engine,
    dataset: Dataset,
    folder: Path,
    *,
    names: Collection[str] = tuple(PEERS),
    say: Callable[[str], None] = print,
) -> list[Peer]:
    """Return the peers that can take part, still empty; say which are left out, and why.

    What they keep on disk is in the folder, which is theirs alone.
    """
    peers: list[Peer] = []
    for name in names:
        if name == Mem0.name and not dataset.conversation:
            say(f"{name}: left out, it remembers what is said to it, and {dataset.name} is no talk")
            continue
        try:
            peers.append(PEERS[name](engine, folder / name))
        except ModuleNotFoundError as missing:
            say(f"{name}: left out, {missing.name} is not installed; `make .venv-bench` brings it")
    return peers
