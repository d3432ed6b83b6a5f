"""The circuit breaker: after some failures in a row hooks are silent for a while."""

import os
import time

from neomem_hook import home as files
from neomem_hook.limits import Limits


class Breaker:
    """Failures in a row, kept in a small file; lost or broken, it means none."""

    def __init__(self, home: str, limits: Limits) -> None:
        self._file = os.path.join(home, files.BREAKER)
        self._limits = limits

    @property
    def is_open(self) -> bool:
        """Whether the service is left alone for now."""
        failures, last = self._read()
        return (
            failures >= self._limits["failures"] and 0 <= time.time() - last < self._limits["pause"]
        )

    def failed(self) -> None:
        """Note a failure; after the pause, one is enough to be silent again."""
        failures, _ = self._read()
        files.private_folder(os.path.dirname(self._file))
        files.write_private(self._file, f"{failures + 1} {time.time()}")

    def worked(self) -> None:
        """Forget the failures."""
        try:
            os.unlink(self._file)
        except OSError:
            return

    def _read(self) -> tuple[int, float]:
        try:
            with open(self._file, encoding="ascii") as stream:
                failures, last = stream.read().split()
            return int(failures), float(last)
        except (OSError, ValueError):
            return 0, 0.0
