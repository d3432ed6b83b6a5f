"""Links between files and between lines of transcripts, on the real server."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from neomem.capture import Tools
from neomem.capture.files import Ingested, ingest
from neomem.sections import CaptureSettings
from neomem.store.graph import Graph
from tests.conftest import REMOVE
from tests.integration.test_capture import tools  # noqa: F401 - a fixture
from tests.support import cypher

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
LINKS = cypher(
    "MATCH (a:Memory {agent: $agent})-[:LINKS]->(b) WHERE a.live AND b.live "
    "RETURN a.text AS a, b.text AS b ORDER BY a, b"
)
FILLER = "Some words of no importance that fill the section. " * 40


@pytest.fixture
async def other(graph: Graph, agent: str) -> AsyncIterator[str]:
    """Another agent, whose name begins like the first."""
    name = f"{agent}-other"
    yield name
    await graph.write(REMOVE, agent=name)


async def taken(tools: Tools, agent: str, path: Path) -> Ingested:  # noqa: F811
    return await ingest(tools, path, agent=agent, now=NOW)


async def links(tools: Tools, agent: str) -> list[tuple[str, str]]:  # noqa: F811
    rows = await tools.graph.read(LINKS, agent=agent)
    return [(row["a"][:20].strip(), row["b"][:20].strip()) for row in rows]


def jsonl(file: Path, *rows: dict[str, object]) -> None:
    file.write_text("\n".join(map(json.dumps, rows)))


async def test_files_that_link_to_one_another_are_joined(tools, agent, tmp_path):  # noqa: F811
    (tmp_path / "a.md").write_text("From a to [b](sub/b.md).\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.md").write_text("From b to [a](../a.md), [c](c.md).\n")

    first = await taken(tools, agent, tmp_path)
    again = await taken(tools, agent, tmp_path)

    assert (first.linked, again.linked) == (2, 2)
    assert await links(tools, agent) == [
        ("From a to [b](sub/b.", "From b to [a](../a.m"),
        ("From b to [a](../a.m", "From a to [b](sub/b."),
    ]


async def test_a_link_is_made_once_its_file_is_there(tools, agent, tmp_path):  # noqa: F811
    (tmp_path / "a.md").write_text("To [b](b.md).\n")
    await taken(tools, agent, tmp_path)

    (tmp_path / "b.md").write_text("Here.\n")
    await taken(tools, agent, tmp_path)

    assert await links(tools, agent) == [("To [b](b.md).", "Here.")]


async def test_links_follow_a_change_on_either_side(tools, agent, tmp_path):  # noqa: F811
    (tmp_path / "a.md").write_text("To [b](b.md) and [c](c.md).\n")
    (tmp_path / "b.md").write_text("Old b.\n")
    (tmp_path / "c.md").write_text("C.\n")
    await taken(tools, agent, tmp_path)

    (tmp_path / "b.md").write_text("New b.\n")
    await taken(tools, agent, tmp_path)
    before = await links(tools, agent)
    (tmp_path / "a.md").write_text("To [c](c.md) alone.\n")
    await taken(tools, agent, tmp_path)

    assert [b for _, b in before] == ["C.", "New b."]
    assert [b for _, b in await links(tools, agent)] == ["C."]


async def test_a_heading_leads_to_its_own_chunk(tools, agent, tmp_path):  # noqa: F811
    (tmp_path / "a.md").write_text("See [x](b.md#how-to-install), [[c#Nowhere]].\n")
    for name in ("b", "c"):
        (tmp_path / f"{name}.md").write_text(
            f"# First of {name}\n\n{FILLER}\n\n## How to install?\n\n{FILLER}\n"
        )

    await taken(tools, agent, tmp_path)

    assert [b.partition("\n")[0] for _, b in await links(tools, agent)] == [
        "# First of c",
        "## How to install?",
    ]


async def test_links_lead_into_other_folders_of_the_same_agent_only(tools, agent, other, tmp_path):  # noqa: F811
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, text in ((one, "To [two](../two/a.md).\n"), (two, "Two.\n")):
        folder.mkdir()
        (folder / "a.md").write_text(text)
    await taken(tools, other, two)
    await taken(tools, agent, one)
    before = await links(tools, agent)

    await taken(tools, agent, two)
    await taken(tools, agent, one)

    assert before == []
    assert await links(tools, agent) == [("To [two](../two/a.md", "Two.")]


@pytest.mark.parametrize("batch", [1, 256])
async def test_a_line_may_link_to_a_later_one(tools, agent, tmp_path, batch):  # noqa: F811
    small = Tools(
        graph=tools.graph,
        embedder=tools.embedder,
        fit=tools.fit,
        names=tools.names,
        settings=CaptureSettings(batch=batch),
    )
    rows = [{"text": "The very first.", "links": ["z", "b1", "never"]}]
    rows += [{"id": f"m{n}", "text": f"In between {n}."} for n in range(20)]
    rows += [{"id": "z", "text": "The very last.", "links": ["m3", "z"]}]
    jsonl(tmp_path / "a.jsonl", *rows)
    turns = {"session": "s", "speaker": "Ann", "id": "b1", "text": "Hello.", "links": ["z"]}
    jsonl(tmp_path / "b.jsonl", turns)

    first = await taken(small, agent, tmp_path)
    again = await taken(small, agent, tmp_path)

    assert (first.unlinked, again.unlinked) == (1, 1)
    assert await links(tools, agent) == [
        ("Ann: Hello.", "The very last."),
        ("The very first.", "Ann: Hello."),
        ("The very first.", "The very last."),
        ("The very last.", "In between 3."),
    ]


async def test_a_later_line_of_another_agent_is_not_linked_to(tools, agent, other, tmp_path):  # noqa: F811
    jsonl(tmp_path / "a.jsonl", {"text": "Mine.", "links": ["z"]})
    jsonl(tmp_path / "b.jsonl", {"id": "z", "text": "Others'."})
    await taken(tools, other, tmp_path / "b.jsonl")

    result = await taken(tools, agent, tmp_path / "a.jsonl")

    assert result.unlinked == 1
    assert await links(tools, agent) == []
