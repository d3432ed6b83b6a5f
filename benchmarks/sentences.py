"""Memories of real sentences, for benchmarks that need many."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from neomem import capture
from neomem.engine import Engine
from neomem.model import Draft

SESSION = 20
"""Turns of a session."""
_SENTENCE = re.compile(r"[A-Z][^.!?\n]{30,180}[.!]")
_BATCH = 500


def sentences(folder: Path) -> Iterator[str]:
    """Yield the sentences of a folder's texts (`corpus.jsonl`)."""
    with (folder / "corpus.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield from _SENTENCE.findall(json.loads(line)["text"])


async def remember(engine: Engine, agent: str, drafts: Sequence[Draft], now: datetime) -> None:
    """Capture as a user would, but without comparing: likeness is for others to find."""
    tools = engine.capture_tools
    for start in range(0, len(drafts), _BATCH):
        some = drafts[start : start + _BATCH]
        begun = await capture.start(tools, some, agent=agent, manner="ingest", now=now)
        await capture.finish(tools, begun, agent=agent, now=now, near=False)
        print(f"\r{agent}: {start + len(some)}/{len(drafts)}", end="", flush=True)
    print()
