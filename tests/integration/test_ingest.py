"""Folders and transcripts, on the real server."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from neomem import keeping
from neomem.capture import Tools
from neomem.capture.files import ingest
from neomem.errors import InputError, NotFound
from neomem.ports import Embedding, Passage
from neomem.sections import CaptureSettings
from neomem.testing import FakeEmbedder
from tests.conftest import environment
from tests.integration.test_capture import ORDER, TEXTS, tools  # noqa: F401 - a fixture
from tests.support import cypher
from tests.unit.test_masking import KEY

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
CHUNKS = cypher(
    "MATCH (m:Memory {agent: $agent, kind: 'chunk'}) RETURN m.text AS text, m.live AS live, "
    "m.line_from AS first, m.line_to AS last, m.title AS title, m.evergreen AS evergreen, "
    "m.dedupe_key AS key ORDER BY live DESC, text"
)

IDS = cypher("MATCH (m:Memory {agent: $agent, text: $text}) RETURN m.id AS id")
WHOLE = cypher(
    "MATCH (m:Memory {agent: $agent}) RETURN m.text AS text, m.context AS context, "
    "m.title AS title, m.line_to AS last"
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


@dataclass(frozen=True)
class Meddling(FakeEmbedder):
    """An embedder during whose work other things happen, one a call."""

    dimensions: int = 384
    model: str = "e5-small-v2"
    happening: list[Callable[[], Awaitable[object]]] = field(default_factory=list)

    async def embed_passages(self, passages: Sequence[Passage]) -> list[Embedding]:
        if self.happening:
            await self.happening.pop()()
        return [self._embed(passage) for passage in passages]


async def live(tools: Tools, agent: str) -> list[str]:  # noqa: F811
    rows = await tools.graph.read(CHUNKS, agent=agent)
    return sorted(row["text"] for row in rows if row["live"])


async def test_a_folder_ingested_twice_at_once_is_there_once(tools, agent, tmp_path):  # noqa: F811
    for n in range(12):
        (tmp_path / f"{n:02}.md").write_text(f"Note {n} is old.\n")
    await taken(tools, agent, tmp_path)
    for n in range(6):
        (tmp_path / f"{n:02}.md").write_text(f"Note {n} is new.\n")
    (tmp_path / "11.md").unlink()

    results = await asyncio.gather(*(taken(tools, agent, tmp_path) for _ in range(4)))

    assert await live(tools, agent) == [
        f"Note {n} is {'new' if n < 6 else 'old'}." for n in (0, 1, 10, 2, 3, 4, 5, 6, 7, 8, 9)
    ]
    assert sum(result.retired for result in results) == 7
    assert not any(result.problems for result in results)


async def test_two_processes_ingest_one_folder_at_once(config, tools, agent, tmp_path):  # noqa: F811
    folder = tmp_path / "notes"
    folder.mkdir()
    for n in range(5):
        (folder / f"{n}.md").write_text(f"Note {n}.\n")
    variables = environment(config)
    command = [sys.executable, "-m", "neomem", "ingest", str(folder), "--agent", agent]

    started = [await asyncio.create_subprocess_exec(*command, env=variables) for _ in range(2)]
    codes = [await process.wait() for process in started]

    assert codes == [0, 0]
    assert await live(tools, agent) == [f"Note {n}." for n in range(5)]


async def test_a_file_written_while_it_is_ingested_is_read_again(tools, agent, tmp_path):  # noqa: F811
    file = tmp_path / "a.md"
    file.write_text("The first state.\n")

    async def write() -> None:
        file.write_text("The second state.\n")

    result = await taken(replace(tools, embedder=Meddling(happening=[write])), agent, tmp_path)

    assert await live(tools, agent) == ["The second state."]
    assert (result.tally.outcomes, result.retired, result.problems) == ({"stored": 1}, 1, {})


async def test_what_another_run_has_read_since_is_not_retired(tools, agent, tmp_path):  # noqa: F811
    file = tmp_path / "a.md"
    file.write_text("The first state.\n")

    async def overtake() -> None:
        file.write_text("The second state.\n")
        (tmp_path / "new.md").write_text("A new file.\n")
        await taken(tools, agent, tmp_path)

    await taken(replace(tools, embedder=Meddling(happening=[overtake])), agent, tmp_path)

    assert await live(tools, agent) == ["A new file.", "The second state."]


async def test_a_file_that_never_rests_is_named_and_loses_nothing(tools, agent, tmp_path):  # noqa: F811
    file = tmp_path / "a.md"
    file.write_text("State 0.\n")
    await taken(tools, agent, tmp_path)
    states = iter(range(1, 100))

    async def write() -> None:
        file.write_text(f"State {next(states)}.\n")

    file.write_text("State.\n")
    restless = Meddling(happening=[write] * 50)
    result = await taken(replace(tools, embedder=restless), agent, tmp_path)
    await taken(tools, agent, tmp_path)

    assert list(result.problems.values()) == [["changes while it is read; run it again"]]
    assert result.retired == 0
    assert await live(tools, agent) == [file.read_text().strip()]


async def test_the_last_file_of_a_folder_may_go_and_a_hidden_folder_has_its_own_chunks(
    tools,  # noqa: F811
    agent,
    tmp_path,
):
    hidden = tmp_path / ".hidden"
    hidden.mkdir()
    (hidden / "a.md").write_text("Hidden.\n")
    (tmp_path / "b.md").write_text("Seen.\n")
    await taken(tools, agent, hidden)
    await taken(tools, agent, tmp_path)

    (tmp_path / "b.md").unlink()
    result = await taken(tools, agent, tmp_path)

    assert (result.files, result.retired) == (0, 1)
    assert await live(tools, agent) == ["Hidden."]


async def test_a_pinned_chunk_outlives_its_file(tools, agent, tmp_path):  # noqa: F811
    (tmp_path / "a.md").write_text("Never forget.\n")
    (tmp_path / "b.md").write_text("B.\n")
    await taken(tools, agent, tmp_path)
    ids = await tools.graph.read(IDS, agent=agent, text="Never forget.")
    await keeping.pin(tools.graph, agent, ids[0]["id"], budget=2000)

    (tmp_path / "a.md").unlink()
    await taken(tools, agent, tmp_path)

    assert await live(tools, agent) == ["B.", "Never forget."]


async def test_a_secret_between_two_chunks_is_masked_in_both(tools, agent, tmp_path):  # noqa: F811
    words = "Words that come before the key and fill it. " * 12
    (tmp_path / "a.md").write_text(f"{words}\n\n{KEY}\n\n{words}\nThe last line.\n")
    small = replace(tools, settings=CaptureSettings(chunk_tokens=60, chunk_overlap=15))

    result = await taken(small, agent, tmp_path)

    rows = await tools.graph.read(WHOLE, agent=agent)
    assert len(rows) > 4
    assert not any("MIIE" in str(value) for row in rows for value in row.values())
    assert max(row["last"] for row in rows) == 5 + KEY.count("\n") + 1
    assert result.tally.masked == 1


async def test_chunks_and_files_are_as_large_as_the_settings_say(tools, agent, tmp_path):  # noqa: F811
    (tmp_path / "a.md").write_text(" ".join(f"Sentence {n} of some length." for n in range(38)))
    (tmp_path / "b.md").write_text("B" * 1200)
    small = replace(
        tools, settings=CaptureSettings(chunk_tokens=40, chunk_overlap=0, largest_file=1100)
    )

    result = await taken(small, agent, tmp_path)

    assert len(await live(tools, agent)) > 5
    assert result.problems == {str(tmp_path / "b.md"): ["is larger than 0.0011 MB"]}


async def test_a_name_that_is_no_text_is_told(tools, agent, tmp_path):  # noqa: F811
    (tmp_path / "good.md").write_text("Good.\n")
    (tmp_path / os.fsdecode(b"bad\xff.md")).write_text("Bad.\n")

    result = await taken(tools, agent, tmp_path)

    assert await live(tools, agent) == ["Good."]
    assert list(result.problems.values()) == [["has a name that is no UTF-8 text"]]
