"""No worse than before: a run's figures against the committed ones."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[1] / "results"
WATCHED = ("mean_ndcg@10", "ndcg@10", "recall@5")
SLACK = 0.005
"""Vector search is not exact, and its index is built anew for every run."""


def fallen(figures: Mapping[str, Any], folder: Path = RESULTS) -> list[str]:
    """Return which of neomem's figures are lower than the committed ones of the same data."""
    file = folder / f"{figures['data']}.json"
    if not file.is_file():
        return []
    before: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    if before["questions"] != figures["questions"]:
        return []  # only a part of the data was asked for
    then, now = before["systems"]["neomem"], figures["systems"]["neomem"]
    return [
        f"{name} was {100 * then[name]:.1f} and is {100 * now[name]:.1f}"
        for name in WATCHED
        if now[name] < then[name] - SLACK
    ]
