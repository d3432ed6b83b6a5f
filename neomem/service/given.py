"""What each session has been given, so that nothing is repeated in it; forgotten after a while."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

_MOST_SESSIONS = 1000
_MOST_IDS = 2000

Session = tuple[str, str]
"""An agent, and a session of it."""


@dataclass(slots=True)
class Given:
    """Ids by session, those asked last at the end."""

    seconds: float
    clock: Callable[[], float] = time.monotonic
    _known: OrderedDict[Session, tuple[float, dict[str, None]]] = field(
        default_factory=OrderedDict[Session, tuple[float, dict[str, None]]]
    )

    def of(self, session: Session) -> AbstractSet[str]:
        """Return what a session has been given."""
        self._expire()
        return self._known.get(session, (0.0, {}))[1].keys()

    def add(self, session: Session, ids: Iterable[str]) -> None:
        """Note what a session is given now."""
        _, known = self._known.pop(session, (0.0, {}))
        known |= dict.fromkeys(ids)
        for name in list(known)[: max(0, len(known) - _MOST_IDS)]:
            del known[name]
        self._known[session] = self.clock(), known
        while len(self._known) > _MOST_SESSIONS:
            self._known.popitem(last=False)

    def forget(self, session: Session) -> None:
        """Let a session be given everything again: its agent no longer sees what it was given."""
        self._known.pop(session, None)

    def _expire(self) -> None:
        before = self.clock() - self.seconds
        for session, (at, _) in list(self._known.items()):
            if at >= before:
                break
            del self._known[session]
