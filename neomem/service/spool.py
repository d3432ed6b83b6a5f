"""What hooks could not deliver: taken from disk, stored, and only then removed."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from neomem.errors import InputError, NeomemError
from neomem.service.events import Spoken
from neomem.service.faults import Refused, problems
from neomem_hook import home as files
from neomem_hook.spool import SUFFIX

log = logging.getLogger(__name__)

LOOK = 5.0
"""Seconds between two looks."""
_OLD = 60 * 86400
"""Seconds after which a session is not expected to go on."""
_AT_ONCE = 50
"""Events stored together."""


class Spool:
    """The folder where hooks leave what they could not deliver."""

    def __init__(self, home: Path, take: Callable[[Sequence[Spoken]], Awaitable[object]]) -> None:
        self._folder = home / files.SPOOL
        self._positions = home / files.POSITIONS
        self._take = take

    def waiting(self) -> list[Path]:
        """Return what waits, oldest first."""
        return sorted(self._folder.glob(f"*{SUFFIX}")) if self._folder.is_dir() else []

    async def keep_empty(self) -> None:
        """Look now and then, for ever; what cannot be stored now waits for the next look."""
        await asyncio.to_thread(self._clear_old)
        told = ""
        while True:
            try:
                await self.drain()
                told = ""
            except NeomemError as error:
                if told != str(error):  # else every look would be a line
                    log.warning("turns are waiting: %s", error)
                told = str(error)
            await asyncio.sleep(LOOK)

    async def drain(self) -> None:
        """Store what waits; a file is removed when the store has it. Stored twice, it is once."""
        waiting = self.waiting()
        for begin in range(0, len(waiting), _AT_ONCE):
            part = waiting[begin : begin + _AT_ONCE]
            events = await asyncio.to_thread(_read, part)
            try:
                await self._take(list(events.values()))
            except (InputError, Refused):  # one of them: which?
                await self._one_by_one(events)
            for file in part:
                file.unlink(missing_ok=True)

    async def _one_by_one(self, events: Mapping[Path, Spoken]) -> None:
        for file, event in events.items():
            try:
                await self._take([event])
            except (InputError, Refused) as error:
                log.warning("turns that cannot be used were dropped: %s", error)
            file.unlink(missing_ok=True)

    def _clear_old(self) -> None:
        """Remove positions of sessions long over, and drafts of hooks that were killed."""
        folders = [folder for folder in (self._positions, self._folder) if folder.is_dir()]
        for file in (file for folder in folders for file in folder.iterdir()):
            age = time.time() - file.stat().st_mtime
            if file.is_file() and not file.name.endswith(SUFFIX) and age > _OLD:
                file.unlink(missing_ok=True)


def _read(waiting: Sequence[Path]) -> dict[Path, Spoken]:
    """Return what hooks have left, without what nobody can use."""
    events: dict[Path, Spoken] = {}
    for file in waiting:
        try:
            events[file] = Spoken.model_validate_json(file.read_bytes())
        except ValidationError as error:
            log.warning("turns that cannot be used were dropped: %s", problems(error))
    return events
