"""Which memories may be in an answer at all: whose, of what kinds, of what times."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, get_args

from neomem.model import FOREVER, Kind

EVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """What every search filters on, inside the database."""

    agents: tuple[str, ...]
    as_of: datetime
    kinds: tuple[Kind, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    session: str | None = None
    """Key of the session, which the vector index knows nothing of."""
    past: bool = False
    """Whether it is asked how things were, not how they are."""

    @property
    def narrow(self) -> bool:
        """Whether memories of some kind or time are asked for."""
        return bool(self.kinds or self.since or self.until or self.past)

    @property
    def parameters(self) -> dict[str, Any]:
        """The filters as queries take them; what is not asked for is null."""
        return {
            "agents": list(self.agents),
            "kinds": list(self.kinds) or None,
            "since": self.since,
            "until": self.until,
            "as_of": self.as_of,
            "session": self.session,
        }

    @property
    def in_index(self) -> dict[str, Any]:
        """The filters as the vector index takes them, which knows no null."""
        return {
            "agents": list(self.agents),
            "kinds": list(self.kinds or get_args(Kind)),
            "since": self.since or EVER,
            "until": self.until or FOREVER,
            "as_of": self.as_of,
        }
