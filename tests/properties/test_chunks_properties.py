"""What must hold of chunks for any text and any size."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from neomem import tokens
from neomem.capture.chunks import dated, links, split

PARTS = st.sampled_from(
    [
        "# Heading",
        "## Deeper ##",
        "Underlined\n===",
        "---",
        "title: x",
        "```",
        "~~~~",
        "<!--",
        "-->",
        "- item",
        "  1. nested item",
        "| a | b |",
        "> quoted",
        "A sentence. And another one! 記憶は図になる。短い。",
        "word " * 40,
        "x" * 300,
        "память " * 30,
        "字" * 90,
        "    code",
        "\tcode",
        "",
        " \t ",
        "\n" * 30,
    ]
)
ENDS = st.sampled_from(["\n", "\n\n", "\r\n", "\r", "\r\n\r\n"])
DOCUMENTS = st.lists(st.tuples(PARTS, ENDS)).map(lambda parts: "".join(a + b for a, b in parts))
TEXTS = st.one_of(DOCUMENTS, st.text(st.characters(exclude_categories=[])))
SIZES = st.integers(1, 120).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1)))


def source_lines(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text)


@given(text=TEXTS, limits=SIZES)
def test_chunks_cover_every_line_that_says_something(text, limits):
    found = split(text, size=limits[0], overlap=limits[1])

    covered = {n for chunk in found for n in range(chunk.line_from, chunk.line_to + 1)}
    spoken = {n for n, line in enumerate(source_lines(text), 1) if line.strip("\ufeff").strip()}
    assert spoken <= covered
    assert found == split(text, size=limits[0], overlap=limits[1])


@given(text=TEXTS, limits=SIZES)
def test_a_chunk_is_in_its_lines_and_in_order(text, limits):
    found = split(text, size=limits[0], overlap=limits[1])

    lines = source_lines(text)
    for chunk in found:
        assert chunk.text in "\n".join(lines[chunk.line_from - 1 : chunk.line_to])
        assert chunk.text.strip()
        assert chunk.context in "\n".join(lines[: chunk.line_from])
    assert [chunk.line_from for chunk in found] == sorted(chunk.line_from for chunk in found)
    assert [chunk.line_to for chunk in found] == sorted(chunk.line_to for chunk in found)


@given(text=TEXTS, limits=SIZES)
def test_no_chunk_is_over_the_cap_however_it_is_written(text, limits):
    size, overlap = limits

    for chunk in split(text, size=size, overlap=overlap):
        assert tokens.weight(chunk.text) <= size * tokens.WHOLE * 3 / 2


@given(
    words=st.lists(st.sampled_from([" ", ". ", "\n", "\n\n", "\n- ", "\n# "]), max_size=200),
    limits=SIZES,
)
def test_no_more_is_repeated_than_asked_and_nothing_is_lost(words, limits):
    text = "".join(f"{mark}word{n:04}" for n, mark in enumerate(words))

    found = split(text, size=limits[0], overlap=limits[1])

    said = [word for chunk in found for word in re.findall(r"[a-z0-9]+", chunk.text)]
    if limits[0] > 20:  # below, words themselves are cut
        assert set(said) == set(re.findall(r"[a-z0-9]+", text))
        for before, after in pairwise(found):
            again = [w for w in re.findall(r"word\d+", after.text) if w in before.text]
            assert tokens.estimate(" ".join(again)) <= limits[1]


@given(text=TEXTS, base=st.text())
def test_links_never_leave_the_folder(text, base):
    for path in links(text, base):
        assert not path.startswith(("/", "../"))


@given(name=st.text())
def test_any_name_may_be_asked_for_its_date(name):
    dated(name)
