"""The committed runs as a picture and tables: `python -m benchmarks.speed.plot`.

Writes docs/speed.svg; `tables` and `summary` are for the docs, once there are runs to show.
"""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.growth import growth

RESULTS = Path(__file__).parents[1] / "results" / "speed"
_OTHERS = {
    "against neo4j-graphrag": ("neomem against", "neo4j-graphrag"),
    "against langchain-neo4j": ("neomem against", "langchain-neo4j"),
    "recalls a second, one client": ("recalls a second", "one client"),
    "eight clients against one": ("eight clients against one",),
    "captures a second": ("capture", "a second"),
    "capture against the embedder alone": ("capture", "against the embedder alone"),
    "of the 20 nearest, found by the index": ("ann recall@20",),
    "store, MB": ("store MB",),
    "server, MB": ("server MB",),
}
"""What else is told of a run, and where it stands."""
_LEFT, _TOP, _WIDTH, _HEIGHT = 60, 20, 480, 260
_COLOURS = ("#1f5fa8", "#d07b2c", "#5a9b57", "#8a6fb0")


def runs() -> list[dict[str, Any]]:
    """Return the committed runs, the smallest store first."""
    read = [json.loads(file.read_text(encoding="utf-8")) for file in RESULTS.glob("*.json")]
    return sorted(read, key=lambda run: run["memories"])


def tables(every: Sequence[Mapping[str, Any]]) -> str:
    """Return whole recalls by system, our steps, and the rest of what was measured."""
    systems = _rows(every, "systems") + _rows(every, "doors", "neomem through the ")
    parts = [
        _table("p50, p95 in ms", every, systems),
        _table("step, p50, p95 in ms", every, _rows(every, "steps")),
        _table("part alone, p50, p95 in ms", every, _rows(every, "parts alone")),
        _table("", every, _others(every)),
    ]
    return "\n\n".join(parts)


def summary(every: Sequence[Mapping[str, Any]]) -> str:
    """Return the medians of all systems, a column for each size."""
    rows = [(name, [_middle(run, name) for run in every]) for name in _names(every, "systems")]
    return _table("p50 of a whole recall, ms", every, rows)


def _middle(run: Mapping[str, Any], name: str) -> str:
    each = run["systems"].get(name)
    return f"{each['p50_ms']:.0f}" if each else ""


def _names(every: Sequence[Mapping[str, Any]], part: str) -> list[str]:
    return list(dict.fromkeys(name for run in every for name in run.get(part, {})))


def _rows(
    every: Sequence[Mapping[str, Any]], part: str, before: str = ""
) -> list[tuple[str, list[str]]]:
    rows: list[tuple[str, list[str]]] = []
    for name in _names(every, part):
        each = [run.get(part, {}).get(name) for run in every]
        cells = [f"{one['p50_ms']:.1f}, {one['p95_ms']:.1f}" if one else "" for one in each]
        points = [(r["memories"], o["p50_ms"]) for r, o in zip(every, each, strict=True) if o]
        cells.append(f"n^{growth(points):.2f}" if len(points) > 1 else "")
        rows.append((before + name, cells))
    return rows


def _others(every: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    return [(name, [*(_at(run, way) for run in every), ""]) for name, way in _OTHERS.items()]


def _at(run: Mapping[str, Any], way: Sequence[str]) -> str:
    value: Any = run
    for step in way:
        value = value.get(step, {})
    return "" if value == {} else str(value)


def _table(
    what: str, every: Sequence[Mapping[str, Any]], rows: Sequence[tuple[str, Sequence[str]]]
) -> str:
    grows = bool(rows) and len(rows[0][1]) > len(every)
    heads = [what, *(f"{run['memories']:,}" for run in every), *(["growth"] if grows else [])]
    lines = [f"| {' | '.join(heads)} |", "| --- |" + " --: |" * (len(heads) - 1)]
    lines += [f"| {name} | {' | '.join(cells)} |" for name, cells in rows]
    return "\n".join(lines)


def svg(every: Sequence[Mapping[str, Any]]) -> str:
    """Return a line for each system: median milliseconds over memories, both as powers of ten."""
    names = _names(every, "systems")
    most = max(each["p50_ms"] for run in every for each in run["systems"].values())
    sizes = [run["memories"] for run in every]
    wide = max(math.log10(sizes[-1] / sizes[0]), 1e-9)

    def at(size: int, milliseconds: float) -> tuple[float, float]:
        across = math.log10(size / sizes[0]) / wide
        up = math.log10(max(milliseconds, 1)) / math.log10(most * 1.5)
        return _LEFT + across * _WIDTH, _TOP + (1 - up) * _HEIGHT

    parts = [
        f'<text x="{at(size, 1)[0]:.0f}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle">'
        f"{size:,}</text>"
        for size in sizes
    ]
    for milliseconds in (1, 3, 10, 30, 100, 300, 1000):
        if milliseconds < most * 1.5:
            y = at(sizes[0], milliseconds)[1]
            parts.append(
                f'<path d="M{_LEFT} {y:.0f}h{_WIDTH}" class="grid"/>'
                f'<text x="{_LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{milliseconds} ms</text>'
            )
    for place, (name, colour) in enumerate(zip(names, _COLOURS, strict=False)):
        dots = [
            at(run["memories"], run["systems"][name]["p50_ms"])
            for run in every
            if name in run["systems"]
        ]
        line = " ".join(f"{x:.0f},{y:.0f}" for x, y in dots)
        top = _TOP + 16 * place + 4
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
            + "".join(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3" fill="{colour}"/>' for x, y in dots)
            + f'<text x="{_LEFT + _WIDTH + 16}" y="{top + 8}" style="fill:{colour}">{name}</text>'
        )
    style = "text{font:12px sans-serif;fill:#333}.grid{stroke:#ddd}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + 150}"'
        f' height="{_TOP + _HEIGHT + 34}"><style>{style}</style>{"".join(parts)}</svg>\n'
    )


def main() -> None:
    """Write the picture."""
    docs = Path(__file__).parents[2] / "docs"
    (docs / "speed.svg").write_text(svg(runs()), encoding="utf-8")


if __name__ == "__main__":
    main()
