"""What comes from a file passes the same guard as what is said."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from neomem.capture import guard
from neomem.progress import Notify, silent
from neomem.store import transfer
from neomem.store.graph import Graph
from neomem.store.transfer import Imported


async def import_file(
    graph: Graph,
    agent: str,
    file: Path,
    *,
    patterns: Sequence[guard.Pattern] = (),
    notify: Notify = silent,
) -> Imported:
    """Bring an export back for an agent; what the guard would refuse comes back quarantined."""
    judge = partial(_refusal, patterns)
    return await transfer.import_file(graph, agent, file, judge=judge, notify=notify)


def _refusal(patterns: Sequence[guard.Pattern], text: str) -> str | None:
    verdict = guard.scan(text, patterns)
    secrets = sorted({finding.family for finding in verdict.secrets})
    orders = sorted({finding.family for finding in verdict.orders})
    reasons = [
        *(f"secrets: {name}" for name in secrets),
        *(f"orders: {name}" for name in orders),
        *(f"not judged in time: {name}" for name in verdict.timed_out),
    ]
    return "; ".join(reasons) or None
