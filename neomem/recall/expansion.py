"""Memories beside the found ones: one hop, and no further."""

from collections.abc import Iterable, Mapping


def expand(
    scores: Mapping[str, float],
    edges: Iterable[tuple[str, str]],
    share: float = 0.6,
    floor: float = 0.2,
) -> dict[str, tuple[float, str]]:
    """Return the neighbours, either way, with their best parent's score · share and its id.

    What has a score already or would be below the floor is left out; the best come first. Of
    parents with the same score the id decides.
    """
    parents: dict[str, str] = {}
    for one, other in edges:
        for parent, neighbour in ((one, other), (other, one)):
            if parent not in scores or neighbour in scores:
                continue
            now = parents.get(neighbour)
            if now is None or (-scores[parent], parent) < (-scores[now], now):
                parents[neighbour] = parent
    reached = {name: (scores[parent] * share, parent) for name, parent in parents.items()}
    best_first = sorted(reached.items(), key=lambda item: (-item[1][0], item[0]))
    return {name: found for name, found in best_first if found[0] >= floor}
