"""Memories that are alike are joined, so that one can lead to the other."""

from collections.abc import AsyncIterator, Sequence
from typing import get_args

from neomem.model import Kind
from sleep_cycle.near import Near, near
from sleep_cycle.phase import Change, Decided, Edge, Night, Phase, memory

_KINDS = tuple(kind for kind in get_args(Kind) if kind != "summary")


async def find(night: Night) -> AsyncIterator[list[Near]]:
    """Yield memories that were not looked at, with those most alike."""
    settings = night.settings
    pages = near(night, "links", kinds=_KINDS, least=settings.link_similarity, most=settings.links)
    async for page in pages:
        yield page


async def decide(night: Night, found: Sequence[Near]) -> Decided:
    """Join each to what is alike."""
    del night
    changes = [change for each in found if (change := _change(each))]
    return Decided(changes, {"Memory": [each.id for each in found]})


def _change(each: Near) -> Change | None:
    others = [other for other in each.others if not other.joined]
    if not others:
        return None
    return Change(
        action="join",
        about=each.id,
        why=f"alike: {len(others)}",
        evidence={other.id: round(other.similarity, 4) for other in others},
        expects={each.id: each.version} | {other.id: other.version for other in others},
        edges=tuple(
            Edge(
                "SIMILAR",
                memory(each.id),
                memory(other.id),
                {"score": round(other.similarity, 4)},
            )
            for other in others
        ),
    )


PHASE = Phase("links", find, decide)
