"""What a night is made of: phases that find and decide, and changes as data until they are applied.

Only the journal writes. A phase says what it would change; a dry run prints that, and the journal
applies it together with all that an undo needs.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from neomem.capture.rows import Ready
from neomem.engine import Engine
from neomem.sleep_settings import SleepSettings
from neomem.store.graph import Row
from neomem.store.queries import Query
from neomem.text import fingerprint
from sleep_cycle.judge import Judge

Found = TypeVar("Found")
Label = Literal["Memory", "Entity"]


@dataclass(frozen=True, slots=True)
class Edit:
    """Properties of a memory or an entity that get other values; None takes one away."""

    label: Label
    key: str
    set: Mapping[str, Any] = field(default_factory=dict[str, Any])
    add: Mapping[str, int] = field(default_factory=dict[str, int])
    """Counters, by how much they grow: others count on them meanwhile."""


Place = tuple[Label, str]
"""A memory by its id, or an entity by its key."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge that is made."""

    type: str
    start: Place
    end: Place
    properties: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Closing:
    """A relation between entities that ends."""

    id: str
    source: str
    valid_until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that is done, whole or not at all."""

    action: str
    about: str
    """Id of the memory, or key of the entity, that it is about."""
    why: str
    """For people; repeats nothing of a memory's text."""
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    expects: Mapping[str, int] = field(default_factory=dict[str, int])
    """Memories by id, each in the version it was judged in; all unpinned."""
    unmerged: tuple[str, ...] = ()
    """Entities by key that must still stand for themselves."""
    edits: tuple[Edit, ...] = ()
    edges: tuple[Edge, ...] = ()
    closes: tuple[Closing, ...] = ()
    entities: tuple[Mapping[str, Any], ...] = ()
    """Entities that are made where they are missing."""
    deletes: tuple[Place, ...] = ()
    makes: tuple[Ready, ...] = ()
    """Memories that are made."""

    def fingerprint(self, phase: str) -> str:
        """Return what tells this change from others, tonight and on any other night."""
        touched = {*self.expects, *self.unmerged, *(key for _, key in self.deletes)}
        return fingerprint(phase, self.action, *sorted(touched or {self.about}))


@dataclass(frozen=True, slots=True)
class Decided:
    """What came of a page: what to change, and what need not be looked at again."""

    changes: Sequence[Change] = ()
    looked: Mapping[Label, Sequence[str]] = field(default_factory=dict[Label, Sequence[str]])
    mark: str | bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """What a phase works with."""

    engine: Engine
    agent: str
    now: datetime
    settings: SleepSettings
    judge: Judge

    async def read(self, query: Query, /, **parameters: Any) -> list[Row]:  # noqa: ANN401
        """Ask for rows of this agent."""
        return await self.engine.graph.read(query, agent=self.agent, **parameters)

    async def pages(
        self,
        query: Query,
        size: int,
        /,
        **parameters: Any,  # noqa: ANN401
    ) -> AsyncIterator[list[Row]]:
        """Ask for rows page by page, in the order of the column `id`."""
        after = ""
        while rows := await self.read(query, after=after, limit=size, **parameters):
            yield rows
            after = rows[-1]["id"]


@dataclass(frozen=True, slots=True)
class Phase(Generic[Found]):
    """One kind of work: `find` reads page by page, `decide` judges a page and writes nothing."""

    name: str
    find: Callable[[Night], AsyncIterator[Sequence[Found]]]
    decide: Callable[[Night, Sequence[Found]], Awaitable[Decided]]


@dataclass(slots=True, kw_only=True)
class Report:
    """What a phase did."""

    phase: str
    looked: int = 0
    changes: int = 0
    actions: dict[str, int] = field(default_factory=dict[str, int])
    passed: int = 0
    """Changes left out: what they rest on was changed meanwhile, or a person has undone them."""
    seconds: float = 0.0
    tokens: int = 0
    error: str | None = None
    planned: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """In a dry run: every change it would make."""

    def counted(self, changes: Sequence[Change]) -> None:
        """Add changes that were made, or would be."""
        self.changes += len(changes)
        for each in changes:
            self.actions[each.action] = self.actions.get(each.action, 0) + 1


@dataclass(frozen=True, slots=True)
class PhaseStarted:
    """A phase begins."""

    phase: str
    number: int
    phases: int


@dataclass(frozen=True, slots=True)
class PhaseAdvanced:
    """A page was looked at."""

    phase: str
    looked: int
    changes: int


@dataclass(frozen=True, slots=True)
class PhaseFinished:
    """A phase has ended, well or not."""

    report: Report


Event = PhaseStarted | PhaseAdvanced | PhaseFinished
Watch = Callable[[Event], None]


def unwatched(_: Event) -> None:
    """Say nothing: the default for callers who do not watch."""


def memory(key: str) -> Place:
    """Return a memory's place."""
    return "Memory", key


def entity(key: str) -> Place:
    """Return an entity's place."""
    return "Entity", key
