"""How memories look in a terminal."""

from collections.abc import Sequence

from neomem.model import FOREVER, Memory

# Of a UUIDv7 the time and 26 random bits: enough to name one of a batch captured at one moment.
_SHOWN_ID = 23
_SHOWN_TEXT = 100


def print_memories(memories: Sequence[Memory], *, talk: bool = False) -> None:
    """Print a line or two per memory, with enough of its id to name it."""
    from neomem.cli import output

    rows = [
        (
            memory.id[:_SHOWN_ID],
            f"{memory.created_at:%Y-%m-%d}",
            " ".join([memory.kind, *_states(memory)]),
            shortened(memory.text),
        )
        for memory in memories
    ]
    output.print_table(["id", "captured", "kind", "memory"], rows, talk=talk)


def print_memory(memory: Memory) -> None:
    """Print one memory with what is known of it, its text last and whole."""
    from neomem.cli import output

    output.print_pairs(
        {
            "id": memory.id,
            "kind": " ".join([memory.kind, *_states(memory)]),
            "title": memory.title,
            "speaker": memory.speaker,
            "session": memory.session,
            "task": memory.task_id,
            "file": memory.path and f"{memory.path}:{memory.line_from}-{memory.line_to}",
            "source": memory.source,
            "captured": f"{memory.created_at:%Y-%m-%d %H:%M %Z}",
            "happened": f"{memory.event_at:%Y-%m-%d %H:%M %Z}",
            "valid until": None if _open(memory) else f"{memory.valid_until:%Y-%m-%d %H:%M %Z}",
            "importance": memory.importance,
            "seen": memory.seen,
            "recalled": memory.retrievals,
        }
    )
    output.print_text(f"\n{memory.text}")


def shortened(text: str) -> str:
    """Return the beginning of a text, in one line."""
    line = " ".join(text[: 4 * _SHOWN_TEXT].split())
    return line if len(line) <= _SHOWN_TEXT else f"{line[: _SHOWN_TEXT - 1]}…"


def _states(memory: Memory) -> list[str]:
    states = {
        "pinned": memory.pinned,
        "archived": memory.archived_at,
        "quarantined": memory.quarantined,
    }
    return [name for name, holds in states.items() if holds]


def _open(memory: Memory) -> bool:
    return memory.valid_until.year == FOREVER.year
