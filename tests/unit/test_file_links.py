from pathlib import Path

import pytest

from neomem.capture.chunks import placed_links, split
from neomem.capture.file_links import FileLink, anchor, found_in

ROOT, FILE = Path("/notes"), Path("/notes/sub/here.md")


def targets(text: str, size: int = 400) -> list[FileLink]:
    kept = [(chunk, f"m{n}") for n, chunk in enumerate(split(text, size=size, overlap=0))]
    return list(found_in(text, FILE, ROOT, kept))


def test_a_link_comes_from_the_chunk_that_holds_it():
    filler = "Nothing is linked in these words. " * 20
    text = f"# A\n\n{filler}\n\n# B\n\nSee [there](../b.md).\n\n# C\n\n{filler}\n"

    found = targets(text, size=60)

    holder = next(
        n for n, chunk in enumerate(split(text, size=60, overlap=0)) if "b.md" in chunk.text
    )
    assert found == [FileLink(f"m{holder}", "/notes/b.md", "")]


def test_of_one_long_line_only_the_part_with_the_link_is_linked():
    words = "Some words that are long enough to fill a chunk or two. " * 30
    text = f"{words}See [there](b.md). {words}"

    assert len(split(text, size=60, overlap=0)) > 5
    assert len(targets(text, size=60)) == 1


@pytest.mark.parametrize(
    ("written", "path", "heading"),
    [
        ("[x](b.md)", "/notes/sub/b.md", ""),
        ("[x](b.md#how-to-install)", "/notes/sub/b.md", "how-to-install"),
        ("[[b#How to|shown]]", "/notes/sub/b.md", "How to"),
        ("[[b]]", "/notes/sub/b.md", ""),
        ("[x](../../elsewhere/c.md)", "/elsewhere/c.md", ""),
        ("[x](with%20space.md)", "/notes/sub/with space.md", ""),
    ],
)
def test_links_lead_to_files_and_headings(written, path, heading):
    assert targets(written) == [FileLink("m0", path, heading)]


def test_a_path_from_the_top_is_one_of_the_folder():
    assert FileLink("m0", "/notes/guide.md", "") in targets("[x](/guide.md)")


def test_a_file_does_not_link_to_itself():
    assert targets("[x](here.md#part) [y](#part)") == []


def test_lines_are_counted_past_fences_and_comments():
    text = (
        "```\n[no](no.md)\n```\n<!--\n[no](no.md)\n-->\r\n`[no](no.md)` [x](b.md)\r\n\n[x]: c.md\n"
    )

    found = list(placed_links(text, "a.md"))

    assert [(link.path, link.line) for link in found] == [("b.md", 7), ("c.md", 9)]


@pytest.mark.parametrize(
    ("heading", "name"),
    [("How to install", "how-to-install"), ("What's new?", "whats-new"), ("`a_b` & C", "a_b--c")],
)
def test_headings_have_the_names_they_are_linked_by(heading, name):
    assert anchor(heading) == anchor(name) == name
