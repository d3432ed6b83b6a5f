"""What fits: the pinned memories whole, then the found ones in order while the next fits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from neomem import tokens
from neomem.errors import InputError


class Told(Protocol):
    """Anything with a text that is given to an agent."""

    @property
    def id(self) -> str: ...  # noqa: D102 - the class says it

    @property
    def text(self) -> str: ...  # noqa: D102


Pinned = TypeVar("Pinned", bound=Told)
Found = TypeVar("Found", bound=Told)


@dataclass(frozen=True, slots=True)
class Packed(Generic[Pinned, Found]):
    """An answer within its budget."""

    pinned: tuple[Pinned, ...]
    found: tuple[Found, ...]
    tokens: int
    left_out: int
    """How many found memories there was no room for."""


def pack(
    pinned: Sequence[Pinned], found: Sequence[Found], budget: int | None
) -> Packed[Pinned, Found]:
    """Pack every pinned memory, then found ones up to the first that does not fit the budget."""
    spent = sum(tokens.estimate(memory.text) for memory in pinned)
    if budget is not None and spent > budget:
        raise InputError(
            f"the pinned memories need {spent} tokens, the budget is {budget}",
            hint=f"give a budget of at least {spent}, or unpin some with `neomem pin ID --off`",
        )
    held = {memory.id for memory in pinned}
    rest = [memory for memory in found if memory.id not in held]
    taken: list[Found] = []
    for memory in rest:
        after = spent + tokens.estimate(memory.text)
        if budget is not None and after > budget:
            break
        taken.append(memory)
        spent = after
    return Packed(tuple(pinned), tuple(taken), spent, len(rest) - len(taken))
