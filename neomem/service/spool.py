"""What hooks could not deliver: taken from disk, stored, and only then removed."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from neomem.errors import InputError, NeomemError
from neomem.service.events import Spoken
from neomem_hook import home as files
from neomem_hook.spool import SUFFIX

log = logging.getLogger(__name__)

LOOK = 5.0
"""Seconds between two looks."""
_OLD = 60 * 86400
"""Seconds after which a session is not expected to go on."""

_SPOKEN = TypeAdapter(Spoken)


class Spool:
    """The folder where hooks leave what they could not deliver."""

    def __init__(self, home: Path, take: Callable[[Spoken], Awaitable[object]]) -> None:
        self._folder = home / files.SPOOL
        self._positions = home / files.POSITIONS
        self._take = take

    def waiting(self) -> list[Path]:
        """Return what waits, oldest first."""
        return sorted(self._folder.glob(f"*{SUFFIX}")) if self._folder.is_dir() else []

    async def keep_empty(self) -> None:
        """Look now and then, for ever; what cannot be stored now waits for the next look."""
        await asyncio.to_thread(self._clear_old)
        while True:
            try:
                await self.drain()
            except NeomemError as error:
                log.warning("turns are waiting: %s", error)
            await asyncio.sleep(LOOK)

    async def drain(self) -> int:
        """Store what waits; a file is removed when the store has it. Stored twice, it is once."""
        stored = 0
        for file in self.waiting():
            try:
                await self._take(_SPOKEN.validate_json(file.read_bytes()))
                stored += 1
            except (ValidationError, InputError) as error:
                log.warning("turns that cannot be used were dropped: %s", type(error).__name__)
            except FileNotFoundError:
                continue
            file.unlink(missing_ok=True)
        return stored

    def _clear_old(self) -> None:
        """Remove positions of sessions long over, and drafts of hooks that were killed."""
        folders = [folder for folder in (self._positions, self._folder) if folder.is_dir()]
        for file in (file for folder in folders for file in folder.iterdir()):
            age = time.time() - file.stat().st_mtime
            if file.is_file() and not file.name.endswith(SUFFIX) and age > _OLD:
                file.unlink(missing_ok=True)
