"""Folders and transcripts, on the real server."""

import json
from datetime import UTC, datetime

import pytest

from neomem.capture import Tools
from neomem.capture.files import ingest
from neomem.errors import InputError, NotFound
from tests.integration.test_capture import ORDER, TEXTS, tools  # noqa: F401 - a fixture
from tests.support import cypher

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
CHUNKS = cypher(
    "MATCH (m:Memory {agent: $agent, kind: 'chunk'}) RETURN m.text AS text, m.live AS live, "
    "m.line_from AS first, m.line_to AS last, m.title AS title, m.evergreen AS evergreen, "
    "m.dedupe_key AS key ORDER BY live DESC, text"
)


async def taken(tools: Tools, agent: str, path):  # noqa: F811
    return await ingest(tools, path, agent=agent, now=NOW)


async def test_a_folder_of_markdown_becomes_chunks_with_lines(tools, agent, tmp_path):  # noqa: F811
    (tmp_path / "guide.md").write_text("# Guide\n\n## Install\n\nRun the installer on Linux.\n")
    (tmp_path / "2026-01-02.md").write_text("Met Caroline in Lisbon.\n")

    result = await taken(tools, agent, tmp_path)

    rows = await tools.graph.read(CHUNKS, agent=agent)
    assert result.tally.outcomes == {"stored": 2}
    assert [(row["first"], row["last"]) for row in rows] == [(1, 5), (1, 1)]
    assert [row["evergreen"] for row in rows] == [True, False]


async def test_a_changed_file_replaces_its_chunks_and_a_removed_ones_are_archived(
    tools,  # noqa: F811
    agent,
    tmp_path,
):
    file, other = tmp_path / "a.md", tmp_path / "b.md"
    file.write_text("The port is 8080.\n")
    other.write_text("Another note.\n")
    await taken(tools, agent, tmp_path)

    unchanged = await taken(tools, agent, tmp_path)
    file.write_text("The port is 9090.\n")
    other.unlink()
    changed = await taken(tools, agent, tmp_path)

    rows = await tools.graph.read(CHUNKS, agent=agent)
    assert unchanged.tally.outcomes == {"duplicate": 2}
    assert (changed.tally.outcomes, changed.retired) == ({"stored": 1}, 2)
    assert [(row["text"], row["live"]) for row in rows] == [
        ("The port is 9090.", True),
        ("Another note.", False),
        ("The port is 8080.", False),
    ]
    assert [row["key"] is None for row in rows] == [False, True, True]


async def test_plain_jsonl_gives_turns_and_memories(tools, agent, tmp_path):  # noqa: F811
    file = tmp_path / "talk.jsonl"
    lines = [
        {"id": "1", "session": "s1", "speaker": "Ann", "date": "8 May, 2023", "text": "Hi Bob!"},
        {"id": "2", "session": "s1", "speaker": "Bob", "date": "someday", "text": "Hi Ann!"},
        {"text": "Ann likes tea.", "kind": "preference", "about": ["Ann"]},
    ]
    file.write_text("\n".join(map(json.dumps, lines)) + '\n{"text": "cut of')

    result = await taken(tools, agent, file)
    again = await taken(tools, agent, file)

    texts = [row["text"] for row in await tools.graph.read(TEXTS, agent=agent)]
    assert result.tally.outcomes == {"stored": 3}
    assert again.tally.outcomes == {"duplicate": 3}
    assert texts == ["Ann likes tea.", "Ann: Hi Bob!", "Bob: Hi Ann!"]
    assert result.undated == 1
    assert list(result.problems.values()) == [
        ["line 4: " + next(iter(result.problems.values()))[0].partition(": ")[2]]
    ]


async def test_a_named_transcript_is_one_session(tools, agent, tmp_path):  # noqa: F811
    file = tmp_path / "chat.txt"
    file.write_text("Ann: Shall we hike?\nBob: Yes, on Friday.\nAnn: Good.\n")

    await taken(tools, agent, file)

    (row,) = await tools.graph.read(ORDER, agent=agent)
    assert row["texts"] == ["Ann: Shall we hike?", "Bob: Yes, on Friday.", "Ann: Good."]


async def test_a_link_out_of_the_folder_is_not_followed(tools, agent, tmp_path):  # noqa: F811
    outside = tmp_path / "outside.md"
    outside.write_text("Not yours.\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "inside.md").write_text("Yours.\n")
    (folder / "link.md").symlink_to(outside)

    await taken(tools, agent, folder)

    assert [row["text"] for row in await tools.graph.read(TEXTS, agent=agent)] == ["Yours."]


async def test_what_cannot_be_read_is_named_and_the_rest_is_taken(tools, agent, tmp_path):  # noqa: F811
    (tmp_path / "good.md").write_text("Fine.\n")
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\x00binary\x00")
    (tmp_path / "odd.jsonl").write_bytes(bytes(range(256)))

    result = await taken(tools, agent, tmp_path)

    assert result.tally.outcomes["stored"] == 1
    assert {file.rpartition("/")[2] for file in result.problems} == {"bad.md", "odd.jsonl"}


async def test_nothing_to_ingest_is_an_error(tools, agent, tmp_path):  # noqa: F811
    with pytest.raises(NotFound):
        await taken(tools, agent, tmp_path / "nowhere")
    with pytest.raises(InputError):
        await taken(tools, agent, tmp_path)
