"""The committed figures as a picture and a table: `python -m benchmarks.quality.plot`.

Writes docs/quality.svg; docs/quality.md shows `table_of` and `worth`, the README `summary`.
"""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from benchmarks.quality.gate import RESULTS
from benchmarks.quality.report import line, table
from benchmarks.quality.ways import ABLATIONS

SHOWN = {
    "locomo": "mean_ndcg@10",
    "beam-100K": "mean_ndcg@10",
    "musique": "recall@5",
    "scifact": "ndcg@10",
}
_ROW, _LEFT, _WIDTH, _TOP = 18, 150, 520, 34


def results(folder: Path = RESULTS) -> list[dict[str, Any]]:
    """Return the committed runs, in the order they are shown."""
    files = [folder / f"{name}.json" for name in SHOWN]
    return [json.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()]


def table_of(figures: dict[str, Any]) -> str:
    """Return one run as a table with its heading."""
    return f"### {figures['data']}, {figures['questions']} questions\n\n{table(figures)}\n"


def summary(runs: Sequence[dict[str, Any]]) -> str:
    """Return a row for each data set: ours and the best of the others, the better one in bold."""
    lines = ["| | measure | neomem | best other | BM25 | vectors |", "|---|---|--:|--:|--:|--:|"]
    for run in runs:
        measure = SHOWN[run["data"]]
        values = {name: 100 * each[measure] for name, each in run["systems"].items()}
        best = max((name for name in values if name != "neomem"), key=lambda name: values[name])
        ours, theirs = f"{values['neomem']:.1f}", f"{values[best]:.1f}"
        if values["neomem"] > values[best]:
            ours = f"**{ours}**"
        else:
            theirs = f"**{theirs}**"
        lines.append(
            f"| {run['data']} | {measure} | {ours} | {theirs} ({best}) |"
            f" {values['bm25']:.1f} | {values['vector']:.1f} |"
        )
    return "\n".join(lines)


def worth(runs: Sequence[dict[str, Any]]) -> str:
    """Return what a change to neomem adds or costs on each data set, in hundredths."""
    head = ["", *(f"{run['data']} ({run['questions']} questions)" for run in runs)]
    lines = [head, ["---", *("--:" for _ in runs)]]
    measured = {
        run["data"]: {name: 100 * each[SHOWN[run["data"]]] for name, each in run["systems"].items()}
        for run in runs
    }
    lines.append(["neomem", *(f"{values['neomem']:.1f}" for values in measured.values())])
    for way in ABLATIONS:
        changes = (values[way] - values["neomem"] for values in measured.values())
        lines.append([way, *(f"{change:+.1f}" for change in changes)])
    return "\n".join(map(line, lines))


def svg(runs: Sequence[dict[str, Any]]) -> str:
    """Return bars: a block for each data set, a bar for each system, ours darker."""
    parts: list[str] = []
    height = 10
    for run in runs:
        measure = SHOWN[run["data"]]
        parts.append(f'<text x="10" y="{height + 18}" class="h">{run["data"]}, {measure}</text>')
        height += _TOP
        ordered = sorted(run["systems"].items(), key=lambda item: -item[1][measure])
        for name, each in ordered:
            parts.append(_bar(name, each[measure], height))
            height += _ROW
        height += 10
    style = (
        "text{font:12px sans-serif;fill:#333}.h{font-weight:bold;font-size:13px}"
        ".us{fill:#1f5fa8}.other{fill:#b8c4d0}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + 60}" height="{height}">'
        f"<style>{style}</style>{''.join(parts)}</svg>\n"
    )


def _bar(name: str, value: float, top: int) -> str:
    kind = "us" if name == "neomem" else "other"
    return (
        f'<text x="{_LEFT - 8}" y="{top + 12}" text-anchor="end">{escape(name)}</text>'
        f'<rect x="{_LEFT}" y="{top + 2}" width="{value * _WIDTH:.0f}" height="13" class="{kind}"/>'
        f'<text x="{_LEFT + value * _WIDTH + 6:.0f}" y="{top + 12}">{100 * value:.1f}</text>'
    )


def main() -> None:
    """Write the picture."""
    docs = Path(__file__).parents[2] / "docs"
    (docs / "quality.svg").write_text(svg(results()), encoding="utf-8")


if __name__ == "__main__":
    main()
