"""How much a run may take: seconds, changes, and a language model's tokens."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Budget:
    """What is left of a night."""

    seconds: float | None = None
    changes: int | None = None
    tokens: int | None = None
    clock: Callable[[], float] = time.monotonic
    spent_changes: int = 0
    spent_tokens: int = 0
    _began: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._began = self.clock()

    def spend(self, tokens: int) -> None:
        """Count what a model has read and written."""
        self.spent_tokens += max(tokens, 0)

    @property
    def out_of_words(self) -> bool:
        """Whether the model has been asked enough."""
        return self.tokens is not None and self.spent_tokens >= self.tokens

    @property
    def over(self) -> str | None:
        """Why the run has to stop now, if so; it goes on there the next time."""
        if self.seconds is not None and self.clock() - self._began >= self.seconds:
            return f"the time was up ({self.seconds:g} s)"
        if self.changes is not None and self.spent_changes >= self.changes:
            return f"the changes were used up ({self.changes})"
        return None

    @property
    def room(self) -> int | None:
        """How many changes may still be made; None is any number."""
        return None if self.changes is None else max(self.changes - self.spent_changes, 0)
