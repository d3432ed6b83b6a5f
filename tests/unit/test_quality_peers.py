"""What the peers of the quality benchmark are given, and who takes part."""

import sys
from types import SimpleNamespace

import pytest

from benchmarks.quality.dataset import Question
from benchmarks.quality.peers import PEERS, beside
from benchmarks.quality.peers.common import told, vectors
from neomem.model import Draft
from neomem.testing import FakeEmbedder


@pytest.fixture
def talk():
    return SimpleNamespace(
        name="talk",
        conversation=True,
        texts={
            "a": [
                Draft(text="I bought a red kayak.", speaker="Ann", external_id="a1"),
                Draft(text="Bees sleep in winter.", speaker="Bob", external_id="a2"),
            ],
            "b": [Draft(text="Bees sleep in winter.", speaker="Ann", external_id="b1")],
        },
    )


@pytest.fixture
def passages():
    return SimpleNamespace(name="passages", conversation=False, texts={})


@pytest.fixture
def engine():
    return SimpleNamespace(embedder=FakeEmbedder())


def question(group, text):
    return Question(id="q", group=group, text=text, category="1", gold={})


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        (Draft(text="It leaks.", speaker="Ann"), "Ann: It leaks."),
        (Draft(text="A boat.", title="Kayak"), "Kayak. A boat."),
        (Draft(text="A boat."), "A boat."),
    ],
)
def test_a_text_is_told_with_its_speaker_or_title(draft, expected):
    assert told(draft) == expected


async def test_vectors_are_those_of_the_texts_alone_in_their_order(engine):
    texts = [f"text {number}" for number in range(300)]

    rows = await vectors(engine.embedder, texts)

    alone = await engine.embedder.embed_question(texts[-1])
    assert len(rows) == len(texts)
    assert rows[-1] @ alone.vector == pytest.approx(1.0, abs=1e-5)


async def test_vector_search_ranks_the_nearest_of_its_own_group_first(engine, talk, tmp_path):
    [peer] = beside(engine, talk, tmp_path, names=["vector"])
    await peer.load(talk)

    found = await peer.ask(question("a", "Bees sleep in winter."))

    assert found == ["a2", "a1"]


@pytest.mark.parametrize(
    ("peer", "module"),
    [
        ("bm25", "bm25s"),
        ("neo4j-graphrag", "neo4j_graphrag"),
        ("langchain-neo4j", "langchain_neo4j"),
        ("mem0", "mem0"),
    ],
)
def test_a_peer_that_is_not_installed_is_left_out_with_a_word(
    monkeypatch, engine, talk, tmp_path, peer, module
):
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setenv("MEM0_TELEMETRY", "")
    monkeypatch.setenv("MEM0_DIR", "")
    said = []

    taking_part = beside(engine, talk, tmp_path, names=[peer, "vector"], say=said.append)

    assert [each.name for each in taking_part] == ["vector"]
    assert len(said) == 1
    assert said[0].startswith(f"{peer}: left out, {module}")


def test_mem0_is_given_talks_only(engine, passages, tmp_path):
    said = []

    assert beside(engine, passages, tmp_path, names=["mem0"], say=said.append) == []
    assert said == ["mem0: left out, it remembers what is said to it, and passages is no talk"]


def test_every_peer_is_registered_under_its_own_name():
    assert list(PEERS) == ["bm25", "vector", "neo4j-graphrag", "langchain-neo4j", "mem0"]
