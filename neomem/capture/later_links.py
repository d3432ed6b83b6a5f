"""Links to what comes later, in the same transcript or another of the same run."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from neomem.capture import Tools
from neomem.capture.prepare import Prepared, prepare
from neomem.model import Draft
from neomem.store import queries
from neomem.text import fingerprint

LINK_LATER = queries.load("capture/link_later")

_BATCH = 1000
_Pair = tuple[str, str]  # a memory's dedupe key, and what it links to


@dataclass(slots=True)
class LaterLinks:
    """The links of a run that have not found their end, and those just noted; no others."""

    tools: Tools
    agent: str
    now: datetime
    noted: dict[_Pair, None] = field(default_factory=dict[_Pair, None])
    pending: dict[_Pair, None] = field(default_factory=dict[_Pair, None])

    def noting(self, drafts: Iterable[Draft]) -> Iterator[Draft]:
        """Pass drafts on, and remember what they link to."""
        for draft in drafts:
            if draft.links:
                self._note(draft)
            yield draft

    def _note(self, draft: Draft) -> None:
        prepared = prepare(
            draft,
            agent=self.agent,
            manner="ingest",
            now=self.now,
            longest=self.tools.settings.max_characters,
            patterns=self.tools.patterns,
        )
        if isinstance(prepared, Prepared):
            key = fingerprint(self.agent, prepared.identity)
            self.noted.update(dict.fromkeys((key, to) for to in draft.links))

    async def resolve(self) -> None:
        """Join what was noted to what is there by now, and keep the rest for the end."""
        await self._join(self.noted)
        self.pending |= self.noted
        self.noted.clear()

    async def finish(self) -> int:
        """Join what is left at the end of the run; return how many links lead to nothing."""
        await self._join(self.pending)
        return len(self.pending)

    async def _join(self, links: dict[_Pair, None]) -> None:
        """Make what links can be made, and take them out."""
        pairs = list(links)
        for start in range(0, len(pairs), _BATCH):
            part = pairs[start : start + _BATCH]
            sent = [{"number": n, "key": key, "to": to} for n, (key, to) in enumerate(part)]
            found = await self.tools.graph.write(LINK_LATER, agent=self.agent, links=sent)
            for row in found:
                del links[part[row["number"]]]
