"""A language model's opinion, where one is configured; in doubt there is none, and things stay."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from neomem.errors import ModelError
from neomem.ports import LanguageModel
from sleep_cycle.budget import Budget

Shape = TypeVar("Shape", bound=BaseModel)
Said = TypeVar("Said")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Judge:
    """Asks a model as long as tokens are left; a failing one is not asked again tonight."""

    model: LanguageModel | None
    budget: Budget
    seconds: float = 60.0
    failures: int = 0

    @property
    def there(self) -> bool:
        """Whether anybody can be asked."""
        return self.model is not None and self.failures < _PATIENCE and not self.budget.out_of_words

    async def ask(self, instructions: str, data: str, shape: type[Shape]) -> Shape | None:
        """Return the model's answer, or None: nobody to ask, nonsense, too late, an error."""
        return await self._said(lambda model: model.ask(instructions, data, shape))

    async def ask_sure(
        self, instructions: str, data: str, shape: type[Shape]
    ) -> tuple[Shape, float | None] | None:
        """Return the answer and how likely the model found it, if it says so; or None."""
        return await self._said(lambda model: model.ask_sure(instructions, data, shape))

    async def _said(self, asking: Callable[[LanguageModel], Awaitable[Said]]) -> Said | None:
        if self.model is None or not self.there:
            return None
        before = self.model.usage
        try:
            async with asyncio.timeout(self.seconds):
                answer = await asking(self.model)
        except (ModelError, TimeoutError) as error:
            self.failures += 1
            log.warning("no opinion", extra={"error": type(error).__name__})
            return None
        finally:
            used = self.model.usage
            self.budget.spend(used.read + used.written - before.read - before.written)
        self.failures = 0
        return answer


_PATIENCE = 3
"""Failures in a row after which the model is left alone."""
