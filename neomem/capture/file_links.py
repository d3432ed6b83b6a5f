"""Links between Markdown files, as edges between their chunks."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from neomem import markdown
from neomem.capture import chunks
from neomem.capture.chunks import Chunk
from neomem.store import queries
from neomem.store.graph import Graph, Row

LINK_FILES = queries.load("capture/link_files")
FILE_TEXTS = queries.load("capture/file_texts")

_BATCH = 1000  # links a transaction
_FILES = 20  # whose texts are read at a time
_NO_ANCHOR = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class FileLink:
    """A chunk, by its memory's id, and the file and heading it links to."""

    memory: str
    path: str
    heading: str


def found_in(
    text: str, file: Path, root: Path, kept: Sequence[tuple[Chunk, str]]
) -> Iterator[FileLink]:
    """Yield the links of a file's text from the chunks that hold them.

    A path that begins with `/` is one from the folder that was ingested; any other may lead out of
    it, to what else the agent has registered.
    """
    top = root if root != file else root.parent
    bases = ((top, file.relative_to(top)), (Path(file.anchor), file.relative_to(file.anchor)))
    seen: set[FileLink] = set()
    for folder, base in bases:
        for link in chunks.placed_links(text, base.as_posix()):
            for memory in _holders(link, kept):
                found = FileLink(memory, str(folder / link.path), link.heading)
                if found not in seen:
                    seen.add(found)
                    yield found


def _holders(link: chunks.Link, kept: Sequence[tuple[Chunk, str]]) -> list[str]:
    """Return the chunks a link is in: by its line, and if that is cut, by its words."""
    first = bisect_left(kept, link.line, key=lambda each: each[0].line_to)
    near = kept[first : bisect_right(kept, link.line, key=lambda each: each[0].line_from)]
    whole = [memory for chunk, memory in near if link.written in chunk.text]
    return whole or [memory for _, memory in near[:1]]


async def join(graph: Graph, agent: str, links: Sequence[FileLink]) -> int:
    """Make the links whose files are there; return how many those are."""
    headed = sorted({link.path for link in links if link.heading})
    places: dict[tuple[str, str], str] = {}
    for start in range(0, len(headed), _FILES):
        rows = await graph.read(FILE_TEXTS, agent=agent, paths=headed[start : start + _FILES])
        places |= _headings(rows)
    linked = 0
    for start in range(0, len(links), _BATCH):
        sent = [
            {
                "memory": link.memory,
                "path": link.path,
                "chunk": places.get((link.path, anchor(link.heading))),
            }
            for link in links[start : start + _BATCH]
        ]
        linked += (await graph.write(LINK_FILES, agent=agent, links=sent))[0]["linked"]
    return linked


def _headings(rows: Sequence[Row]) -> dict[tuple[str, str], str]:
    """Return the first chunk that has each heading, by file and anchor."""
    places: dict[tuple[str, str], str] = {}
    for row in rows:
        for line in markdown.lines(row["text"]):
            heading = markdown.heading(line)
            if heading:
                places.setdefault((row["path"], anchor(heading[1])), row["id"])
    return places


def anchor(heading: str) -> str:
    """Return the name by which a heading is linked to: small letters, hyphens, no punctuation."""
    return _NO_ANCHOR.sub("", heading.strip().lower()).replace(" ", "-")
