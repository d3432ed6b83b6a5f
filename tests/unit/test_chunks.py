import re
from datetime import date
from itertools import pairwise
from time import perf_counter

import pytest

from neomem import tokens
from neomem.capture.chunks import Chunk, dated, links, split

GUIDE = """\
# Guide

How to get going.

## Install

### Linux

Take the package.

### Mac

Take the other package.
"""


def sentences(count: int, first: int = 0) -> str:
    """Sentences of 7 tokens, each said once."""
    return " ".join(f"Sentence number {n:06} ends." for n in range(first, first + count))


def repeated(before: Chunk, after: Chunk) -> str:
    """The longest end of one chunk that begins the next."""
    longest = min(len(before.text), len(after.text))
    ends = (after.text[:n] for n in range(longest, 0, -1))
    return next((end for end in ends if before.text.endswith(end)), "")


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n\r\n ", "\ufeff"])
def test_an_empty_file_has_no_chunks(text):
    assert split(text) == []


def test_a_small_file_is_one_chunk():
    assert split(GUIDE) == [
        Chunk(GUIDE.strip(), line_from=1, line_to=13, headings=("Guide",), context="")
    ]


def test_each_section_that_says_something_is_a_chunk_under_its_headings():
    found = split(GUIDE, size=16, overlap=0)

    assert [(chunk.line_from, chunk.line_to, chunk.headings) for chunk in found] == [
        (1, 3, ("Guide",)),
        (5, 9, ("Guide", "Install")),
        (11, 13, ("Guide", "Install", "Mac")),
    ]


def test_a_heading_begins_a_chunk_and_repeats_nothing():
    text = f"# A\n\n{sentences(30)}\n\n# B\n\n{sentences(30, 50)}\n"

    first, second = split(text)

    assert (first.headings, first.line_from, first.line_to) == (("A",), 1, 3)
    assert (second.headings, second.line_from, second.line_to) == (("B",), 5, 7)
    assert second.text.startswith("# B\n\nSentence")
    assert second.context.endswith("Sentence number 000029 ends.")
    assert len(second.context) <= 400


def test_a_small_section_shares_a_chunk_with_the_next():
    text = f"# All\n\n## Small\n\nA word.\n\n## Large\n\n{sentences(20)}\n"

    (chunk,) = split(text)

    assert chunk.headings == ("All",)


def test_the_end_of_a_long_section_is_not_mixed_with_the_next():
    text = f"# A\n\n{sentences(60)}\n\n# B\n\n{sentences(20, 100)}\n"

    assert [chunk.headings for chunk in split(text)] == [("A",), ("A",), ("B",)]


def test_nothing_is_repeated_beyond_a_heading():
    text = f"Before it.\n\n# B\n\n{sentences(8)}\n\n{sentences(30, 100)}"

    first, second, *_ = split(text, size=100, overlap=70)

    assert first.text.startswith("Before it.")
    assert second.text.startswith("# B")


def test_a_heading_is_never_parted_from_its_text():
    text = f"{sentences(8)}\n\n## Heading\n\n{sentences(60, 100)}\n"

    found = split(text, size=100, overlap=20)

    assert not any(chunk.text.endswith("## Heading") for chunk in found)
    assert any("## Heading\n\nSentence number 000100" in chunk.text for chunk in found)


def test_a_heading_closes_those_below_it():
    text = "# A\n## B\n### C\nc\n## D\nd\n#### E\ne\n# F\nf\n"

    found = [chunk.headings for chunk in split(text, size=1, overlap=0)]

    assert list(dict.fromkeys(found)) == [
        ("A",),
        ("A", "B"),
        ("A", "B", "C"),
        ("A", "D"),
        ("A", "D", "E"),
        ("F",),
    ]


def test_a_long_section_is_cut_between_paragraphs_and_says_the_last_words_again():
    paragraphs = [sentences(10, 100 * n) for n in range(12)]
    text = "# Long\n\n" + "\n\n".join(paragraphs)

    found = split(text)

    assert len(found) > 2
    assert all(chunk.headings == ("Long",) for chunk in found)
    for before, after in pairwise(found):
        again = repeated(before, after)
        assert 0 < tokens.estimate(again) <= 80
        assert before.text.endswith("09 ends.")
        assert after.context
        assert not after.text.startswith(after.context)


def test_the_context_ends_where_the_chunk_begins():
    text = sentences(300)

    for chunk in split(text)[1:]:
        assert f"{chunk.context} {chunk.text}" in text


def test_a_list_is_cut_between_its_items():
    text = "\n".join(f"- item {n:05} of a long list of things" for n in range(200))

    found = split(text, overlap=0)

    assert len(found) > 2
    assert all(chunk.text.startswith("- item") for chunk in found)


def test_a_paragraph_is_cut_between_sentences():
    found = split(sentences(200), overlap=0)

    assert len(found) > 2
    assert all(chunk.text.startswith("Sentence") and chunk.text.endswith(".") for chunk in found)
    assert all((chunk.line_from, chunk.line_to) == (1, 1) for chunk in found)


def test_sentences_without_spaces_are_cut_at_their_own_marks():
    found = split("記憶は図になる。" * 200, overlap=0)

    assert len(found) > 2
    assert all(chunk.text.endswith("。") for chunk in found)


def test_a_line_of_a_megabyte_is_cut_by_characters_and_in_time():
    begun = perf_counter()
    found = split("x" * 1_000_000)

    assert perf_counter() - begun < 5
    assert all(tokens.estimate(chunk.text) <= 400 for chunk in found)
    assert sum(len(chunk.text) for chunk in found) >= 1_000_000
    assert {(chunk.line_from, chunk.line_to) for chunk in found} == {(1, 1)}


def test_a_long_sentence_is_cut_between_words():
    found = split("word " * 5000, overlap=0)

    assert all(re.fullmatch(r"word(?: word)*", chunk.text) for chunk in found)


@pytest.mark.parametrize("mark", ["```", "~~~~"])
def test_a_fence_is_kept_whole_where_it_fits(mark):
    code = f"{mark}python\n" + "call(something)\n" * 90 + f"{mark}\n"
    text = f"{sentences(30)}\n\n{code}\n{sentences(30, 50)}\n"

    assert any(code.strip() in chunk.text for chunk in split(text))


def test_a_fence_half_as_large_again_as_a_chunk_is_still_kept_whole():
    code = "```\n" + "call(something)\n" * 140 + "```"
    text = f"Before.\n\n{code}\n\nAfter."

    assert 400 < tokens.estimate(code) <= 600
    assert any(code in chunk.text for chunk in split(text))


def test_a_larger_fence_is_cut_between_its_lines():
    code = "```\n" + "".join(f"    call({n:06})\n" for n in range(400)) + "```"

    found = split(code, overlap=0)

    assert len(found) > 2
    assert all(chunk.text.startswith("    call(") for chunk in found[1:])


@pytest.mark.parametrize(
    "code",
    [
        "```\n# no heading\n```",
        "~~~\n# no heading\n```\n# nor this\n~~~",
        "````\n```\n# no heading\n```\n````",
        "```sh\nTitle\n===\n```",
        "- item\n\n  ```\n  x\n# no heading\n  ```",
        "```\n        ```\n# no heading\n```",
        "<!-- a comment\n# no heading\n-->",
        "    # no heading, but code",
        "\t# no heading, but code",
        "#hashtag",
        "- item\n---",
        "a long\nparagraph\n---",
        "> quoted\n===",
        "```\n# never closed",
    ],
)
def test_no_heading_is_seen_where_there_is_none(code):
    (chunk,) = split(f"# Real\n\n{code}\n")

    assert chunk.headings == ("Real",)
    assert all(
        found.headings in {("Real",), ()} for found in split(f"# Real\n\n{code}", size=4, overlap=0)
    )


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# Plain", "Plain"),
        ("## Closed ##", "Closed"),
        ("# C#", "C#"),
        ("   # Indented", "Indented"),
        ("#\tTabbed", "Tabbed"),
        ("Underlined\n===", "Underlined"),
        ("Underlined\n---\n", "Underlined"),
        ("\ufeff# After a mark", "After a mark"),
        ("<!-- done --> \n# After a comment", "After a comment"),
        ("```\ncode\n```\n# After code", "After code"),
        ("``` not `a fence\n# After it", "After it"),
        ("# " + "long " * 100, ("long " * 40).strip()),
    ],
)
def test_headings_of_every_form_are_seen(text, heading):
    (chunk,) = split(f"{text}\n\nbody")

    assert [found.strip() for found in chunk.headings] == [heading]


def test_an_empty_heading_has_no_place_in_the_path():
    (chunk,) = split("#\n\n## Real\n\nbody")

    assert chunk.headings == ("Real",)


def test_front_matter_is_text_and_no_heading():
    text = "---\n# a comment\ntitle: Deploying\ntags: [a, b]\n---\n\n# Guide\n\nbody\n"

    (chunk,) = split(text)

    assert chunk.text.startswith("---\n# a comment\ntitle: Deploying")
    assert chunk.headings == ("Guide",)


def test_a_line_of_dashes_is_no_front_matter():
    (chunk,) = split("---\n\n# Guide\n\nbody\n\n---\n")

    assert chunk.headings == ("Guide",)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(end):
    text = f"# A\n\n{sentences(30)}\n\n```\ncode\n```\n\nB\n---\n\n{sentences(80, 50)}"

    assert split(text.replace("\n", end)) == split(text)


def test_lines_are_counted_as_an_editor_does():
    text = "one\x0bstill one\u2028and still\n\n\ntwo\n"

    (chunk,) = split(text)

    assert (chunk.line_from, chunk.line_to) == (1, 4)


def test_blank_lines_without_end_cost_nothing():
    found = split("first\n" + "\n" * 100_000 + "last")

    assert [(chunk.text, chunk.line_from) for chunk in found] == [("first", 1), ("last", 100_002)]


def test_blank_lines_make_no_chunk_that_only_repeats():
    found = split(f"{sentences(12)}\n\n{sentences(2, 50)}" + "\n" * 5_000, size=100, overlap=40)

    assert [chunk.text for chunk in found] == list(dict.fromkeys(chunk.text for chunk in found))
    assert not found[0].text.endswith(found[-1].text)


def test_the_first_line_of_a_chunk_keeps_its_indent():
    (chunk,) = split("\n\n    code()\n    more()\n")

    assert chunk.text == "    code()\n    more()"
    assert chunk.line_from == 3


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_sizes_that_make_no_sense_are_refused(size, overlap):
    with pytest.raises(ValueError, match="overlap"):
        split("x", size=size, overlap=overlap)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[x](other.md)", ["notes/other.md"]),
        ("[x](other.md#part) and [y](other.md?raw=1)", ["notes/other.md"]),
        ("[x](./sub/other.md 'title')", ["notes/sub/other.md"]),
        ("[x](../top.md)", ["top.md"]),
        ("[x](/docs/top.md)", ["docs/top.md"]),
        ("[x](my%20notes.md)", ["notes/my notes.md"]),
        ("[x](<my notes.md>)", ["notes/my notes.md"]),
        ("[x](a(1).md)", ["notes/a(1).md"]),
        ("[a [b] c](other.md)", ["notes/other.md"]),
        ("[![picture](p.png)](page.md)", ["notes/page.md"]),
        ("see [x]\n\n[x]: other.md 'title'", ["notes/other.md"]),
        ("[[Other Page]]", ["notes/Other Page.md"]),
        ("[[sub/page|shown]] [[page#part]]", ["notes/sub/page.md", "notes/page.md"]),
        ("| [[page\\|shown]] |", ["notes/page.md"]),
        ("[[data.csv]]", ["notes/data.csv"]),
        ("[b](b.md) [a](a.md) [b](b.md)", ["notes/b.md", "notes/a.md"]),
        ("[x](#part) [y]() [z](here.md) [w](sub/)", []),
        ("[x](https://example.org/a.md) [y](mailto:a@b.c) [z](//host/a.md)", []),
        ("[x](C:/a.md) [y](a%00.md) [z](../../out.md) [w](../..)", []),
        ("![p](p.png) ![[embedded]]", []),
        ("`[x](code.md)`", []),
        ("```\n[x](code.md)\n```\n[y](other.md)", ["notes/other.md"]),
        ("[x] (other.md) [y", []),
    ],
)
def test_links_to_other_files_are_found(text, found):
    assert links(text, "notes/here.md") == found


def test_a_link_from_the_top_stays_at_the_top():
    assert links("[x](b.md) [y](../c.md)", "a.md") == ["b.md"]


@pytest.mark.parametrize(
    "text", ["[" * 200_000, "[a" * 100_000, "[[]" * 70_000, "](" * 100_000, "`" * 200_000]
)
def test_looking_for_links_ends_in_time(text):
    begun = perf_counter()
    links(text, "a.md")

    assert perf_counter() - begun < 5


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("2026-01-02.md", date(2026, 1, 2)),
        ("2026-01-02-notes.md", date(2026, 1, 2)),
        ("notes_20260102.md", date(2026, 1, 2)),
        ("a/b/2026_01_02.md", date(2026, 1, 2)),
        ("2026-01-02T1030.md", date(2026, 1, 2)),
        ("2026-02-30 2026-03-01.md", date(2026, 3, 1)),
        ("2026-02-30.md", None),
        ("2026-0102.md", None),
        ("2026-13-01.md", None),
        ("12026-01-02.md", None),
        ("202601023.md", None),
        ("10101010.md", None),
        ("2026-01-02/notes.md", None),
        ("notes.md", None),
        ("", None),
    ],
)
def test_a_date_in_a_file_name_is_read(name, found):
    assert dated(name) == found
