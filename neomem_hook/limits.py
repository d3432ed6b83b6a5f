"""How long a hook waits, and what it gives up on; the service writes its settings down for it."""

import os

from neomem_hook import home as files
from neomem_hook.plain import loads

TIMEOUT = 3.0
"""Seconds a recall may take."""
CAPTURE_TIMEOUT = 20.0
"""Seconds a capture may take."""
START_WAIT = 0.0
"""Seconds to wait for a service that had to be started."""
FAILURES = 5
"""Failures in a row after which hooks are silent."""
PAUSE = 60.0
"""Seconds for which they are."""
SPOOL_BYTES = 20_000_000
"""What may wait on disk for the service."""

Limits = dict[str, float]

DEFAULTS: Limits = {
    "timeout": TIMEOUT,
    "capture_timeout": CAPTURE_TIMEOUT,
    "start_wait": START_WAIT,
    "failures": FAILURES,
    "pause": PAUSE,
    "spool_bytes": SPOOL_BYTES,
}


def read(home: str) -> Limits:
    """Return the limits of the last service that ran here, else the usual ones."""
    try:
        with open(os.path.join(home, files.LIMITS), encoding="utf-8") as stream:
            written = loads(stream.read())
    except (OSError, ValueError):
        return DEFAULTS
    numbers = {name: written.get(name) for name in DEFAULTS}
    return DEFAULTS | {name: n for name, n in numbers.items() if isinstance(n, int | float)}
