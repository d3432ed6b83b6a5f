"""Files that exports go to and come from."""

import errno
import os
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from neomem.errors import InputError, NeomemError, NotFound


@contextmanager
def beside(file: Path) -> Generator[BinaryIO]:
    """Give a new file that takes the place of `file` when all went well, and else vanishes."""
    with written(str(file)):
        place = file.resolve()
        if place.exists() and not place.is_file():
            raise InputError(f"{file} is no file", hint="name a file, or `-` for stdout")
        if not place.parent.is_dir():
            raise NotFound(f"{place.parent}: no such folder", hint="make it first")
        # Only its owner may read it: that is how temporary files are made.
        number, name = tempfile.mkstemp(prefix=".neomem-", suffix=".partial", dir=place.parent)
        try:
            with os.fdopen(number, "wb") as target:
                yield target
                target.flush()
                os.fsync(number)
            Path(name).replace(place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


@contextmanager
def written(name: str) -> Generator[None]:
    """Say plainly why something could not be written."""
    try:
        yield
    except BrokenPipeError:  # whoever read it has heard enough
        raise
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
        hint = "make room and run it again; nothing was left half written" if full else None
        raise NeomemError(f"{name} cannot be written: {error.strerror}", hint=hint) from error


@contextmanager
def opened(file: Path) -> Generator[BinaryIO]:
    """Open a file to read it twice."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise InputError(f"{file} is no file", hint="name a file made by `neomem export`")
        source = file.open("rb")
    except FileNotFoundError:
        raise NotFound(f"{file}: no such file") from None
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from error
    with source:
        yield source
