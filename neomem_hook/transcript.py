"""What is new in a transcript since the last look, without tool traffic; a position per session."""

import json
import os

from neomem_hook import home as files
from neomem_hook.plain import Event, a_list, an_object, loads

_BATCH = 500_000  # characters sent at once
_FIELDS = (
    *("type", "id", "uuid", "sessionId", "leafUuid", "timestamp"),
    *("isMeta", "isSidechain", "isCompactSummary", "isApiErrorMessage"),
)


class Batch:
    """Lines of a transcript, the number of the first, and where the next batch begins."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.lines: list[str] = []
        self.offset = 0

    @property
    def next(self) -> int:
        """The number of the line after the last."""
        return self.first + len(self.lines)


class Position:
    """How far a transcript has been read; kept in a file, lost without harm."""

    def __init__(self, home: str, path: str, session: str) -> None:
        plain = "".join(c if c.isalnum() or c == "-" else "_" for c in session or path)
        self._file = os.path.join(home, files.POSITIONS, plain[-120:])
        self._path = path

    def read(self) -> tuple[int, int]:
        """Return the bytes and lines read before; none of another file, or of one cut since."""
        try:
            with open(self._file, encoding="utf-8") as stream:
                kept = loads(stream.read())
            size = os.path.getsize(self._path)
        except (OSError, ValueError):
            return 0, 1
        offset, line = kept.get("offset"), kept.get("line")
        if isinstance(offset, int) and isinstance(line, int) and kept.get("path") == self._path:
            return (offset, line) if size >= offset else (0, 1)
        return 0, 1

    def write(self, batch: Batch) -> None:
        """Note that a batch is in good hands."""
        files.private_folder(os.path.dirname(self._file))
        kept = {"path": self._path, "offset": batch.offset, "line": batch.next}
        files.write_private(self._file, json.dumps(kept))


def batches(path: str, offset: int, line: int) -> list[Batch]:
    """Return the whole lines after an offset; one that is still being written waits."""
    found: list[Batch] = []
    batch, size = Batch(line), 0
    with open(path, "rb") as stream:
        stream.seek(offset)
        for raw in stream:
            if not raw.endswith(b"\n"):
                break
            kept = said(raw.decode("utf-8", "replace"))
            batch.lines.append(kept)
            offset += len(raw)
            batch.offset, size = offset, size + len(kept)
            if size >= _BATCH:
                found.append(batch)
                batch, size = Batch(batch.next), 0
    return [*found, batch] if batch.lines else found


def said(line: str) -> str:
    """Return a line without what nobody said: tools, thinking, pictures; empty when that is all.

    What is no entry of an agent's transcript is returned as it is.
    """
    try:
        entry = loads(line)
    except ValueError:
        return line.strip()
    if "type" not in entry:
        return line.strip()
    kept: Event = {name: entry[name] for name in _FIELDS if name in entry}
    message = an_object(entry.get("message"))
    if message is not None:
        content = message.get("content")
        blocks = a_list(content)
        content = content if blocks is None else [each for each in blocks if _is_text(each)]
        if not content:
            return ""
        kept["message"] = {"role": message.get("role"), "content": content}
    elif entry["type"] != "session":
        return ""
    return json.dumps(kept)


def _is_text(block: object) -> bool:
    return isinstance(block, str) or (an_object(block) or {}).get("type") == "text"
