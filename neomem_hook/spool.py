"""What could not be delivered waits on disk, a file an event; the service takes it from there."""

import json
import os
import time

from neomem_hook import home as files
from neomem_hook.limits import Limits
from neomem_hook.plain import Event

SUFFIX = ".json"


def put(home: str, event: Event, limits: Limits) -> bool:
    """Keep an event; tell whether there was room for it."""
    folder = files.private_folder(os.path.join(home, files.SPOOL))
    text = json.dumps(event)
    if waiting_bytes(folder) + len(text) > limits["spool_bytes"]:
        return False
    name = f"{time.time_ns():020d}-{os.getpid()}{SUFFIX}"
    files.write_private(os.path.join(folder, name), text)
    return True


def waiting_bytes(folder: str) -> int:
    """Return the size of all that waits; the service may be taking it away meanwhile."""
    size = 0
    for name in os.listdir(folder):
        if name.endswith(SUFFIX):
            try:
                size += os.stat(os.path.join(folder, name)).st_size
            except FileNotFoundError:
                continue
    return size
