"""The engine for code that is not async: the same methods, each of which waits for its answer."""

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from neomem import engine
from neomem.config import Config
from neomem.progress import Notify, silent

T = TypeVar("T")


class Engine:
    """A connected memory engine; safe to share between threads."""

    def __init__(self, inner: engine.Engine, loop: asyncio.AbstractEventLoop) -> None:
        self._inner, self._loop = inner, loop

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the engine has
        """Return a method of the engine that waits, or one of its parts."""
        found = getattr(self._inner, name)
        return self._waiting(found) if inspect.iscoroutinefunction(found) else found

    def __dir__(self) -> list[str]:
        return [name for name in dir(self._inner) if not name.startswith("_")]

    def _waiting(self, method: Callable[..., Coroutine[Any, Any, T]]) -> Callable[..., T]:
        @wraps(method)
        def wait(*args: object, **kwargs: object) -> T:
            return _wait(self._loop, method(*args, **kwargs))

        return wait


@contextmanager
def connect(
    config: Config | Path | str | None = None, *, notify: Notify = silent
) -> Generator[Engine]:
    """Connect as `neomem.connect` does; the work is done in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="neomem", daemon=True)
    thread.start()
    try:
        opened = engine.connect(config, notify=notify)
        inner = _wait(loop, opened.__aenter__())
        try:
            yield Engine(inner, loop)
        finally:
            _wait(loop, opened.__aexit__(None, None, None))
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _wait(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T]) -> T:
    """Wait for work in the loop's thread; given up here, it is given up there."""
    future = asyncio.run_coroutine_threadsafe(work, loop)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
