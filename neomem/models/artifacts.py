"""Locked downloads: the server's jars and the models' files, each checked by its SHA-256.

Files stand in the user's cache folder in Maven's own layout. One arrives in a staging folder, is
checked, and is then moved into place, so what stands there is whole.
"""

import errno
import hashlib
import json
import logging
import shutil
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import tenacity
from filelock import FileLock

from neomem.errors import InstallError
from neomem.progress import Notify, Progress, silent
from neomem.sections import ArtifactSettings

log = logging.getLogger(__name__)

LOCK_FILE = "artifacts.lock"
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file of a Maven repository, with what it must be."""

    coordinate: str
    sha256: str
    size: int

    @property
    def path(self) -> Path:
        """Where it stands below a repository's root."""
        group, name, version, *classifier = self.coordinate.split(":")
        return Path(
            *group.split("."), name, version, "-".join([name, version, *classifier]) + ".jar"
        )


class _Stopped(Exception):
    """A download was abandoned because another failed or the user interrupted."""


@cache
def lock() -> dict[str, tuple[Artifact, ...]]:
    """Everything that may be fetched, by the name of what it belongs to."""
    text = (resources.files("neomem.models") / LOCK_FILE).read_text(encoding="utf-8")
    return {
        name: tuple(Artifact(*entry) for entry in entries)
        for name, entries in json.loads(text).items()
    }


def paths(name: str, folder: Path) -> list[Path]:
    """Where the files of `name` stand once installed."""
    return [_place(folder, artifact) for artifact in lock()[name]]


def missing(name: str, folder: Path) -> list[Artifact]:
    """Files that are absent or cut short; a quick look that reads none of them."""
    return [artifact for artifact in lock()[name] if not _has_size(folder, artifact)]


def damaged(name: str, folder: Path) -> list[Artifact]:
    """Files that are absent or not what they must be; reads every one."""
    return [
        artifact
        for artifact in lock()[name]
        if not _has_size(folder, artifact) or _sha256(_place(folder, artifact)) != artifact.sha256
    ]


def install(
    names: Sequence[str],
    folder: Path,
    settings: ArtifactSettings,
    notify: Notify = silent,
    *,
    thorough: bool = False,
    stop: threading.Event | None = None,
) -> None:
    """Fetch what is missing, or, when `thorough`, whatever is not as it should be.

    After `stop` is set, the next call goes on where this one ended.
    """
    lacking = damaged if thorough else missing
    if not any(lacking(name, folder) for name in names):
        return
    with _explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        # Two processes may want the same files: the second waits, and finds them there.
        with FileLock(folder / "install.lock"):
            wanted = [artifact for name in names for artifact in lacking(name, folder)]
            count = _Counter(sum(artifact.size for artifact in wanted), notify)
            _fetch_all(wanted, folder, settings, count, stop or threading.Event())


def _fetch_all(
    wanted: Sequence[Artifact],
    folder: Path,
    settings: ArtifactSettings,
    count: "_Counter",
    stop: threading.Event,
) -> None:
    total = sum(artifact.size for artifact in wanted)
    if shutil.disk_usage(folder).free < total:
        raise OSError(errno.ENOSPC, f"{total:,} bytes are needed")
    staging = folder / "staging"
    shutil.rmtree(staging, ignore_errors=True)  # left by a run that was killed
    staging.mkdir()
    pool = ThreadPoolExecutor(settings.threads, thread_name_prefix="download")
    try:
        fetch = _fetcher(staging, settings, stop, count)
        futures = [pool.submit(fetch, artifact, folder) for artifact in wanted]
        for future in futures:
            future.result()
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
        shutil.rmtree(staging, ignore_errors=True)


class _Counter:
    """Adds up what arrives on all threads and passes it on."""

    def __init__(self, total: int, notify: Notify) -> None:
        self._done, self._total, self._notify = 0, total, notify
        self._lock = threading.Lock()

    def add(self, size: int) -> None:
        """Count bytes; negative ones when a download begins again."""
        with self._lock:
            self._done += size
            self._notify(Progress("Downloading", self._done, self._total, "bytes"))


def _fetcher(
    staging: Path, settings: ArtifactSettings, stop: threading.Event, count: _Counter
) -> Callable[[Artifact, Path], None]:
    """Return the function that brings one artifact, run on several threads."""
    from jgo.maven import MavenContext, PythonResolver

    mirror = {"mirror": settings.repository.rstrip("/")} if settings.repository else None

    @tenacity.retry(
        retry=tenacity.retry_if_exception(_is_network),
        stop=tenacity.stop_after_attempt(3),
        wait=tenacity.wait_exponential_jitter(max=5),
        before_sleep=tenacity.before_sleep_log(log, logging.INFO),
        reraise=True,
    )
    def fetch(artifact: Artifact, folder: Path) -> None:
        arrived = 0

        @contextmanager
        def watch(_filename: str, _size: int) -> Generator[Callable[[int], None]]:
            def update(size: int) -> None:
                nonlocal arrived
                if stop.is_set():
                    raise _Stopped
                arrived += size
                count.add(size)

            yield update

        resolver = PythonResolver(progress_callback=watch)
        context = MavenContext(
            resolver=resolver,
            repo_cache=staging,
            remote_repos=mirror,
            timeout=int(settings.timeout),
        )
        group, name, version, *classifier = artifact.coordinate.split(":")
        component = context.project(group, name).at_version(version)
        try:
            staged = component.artifact(classifier="".join(classifier)).resolve()
            _check(staged, artifact)
            place = _place(folder, artifact)
            place.parent.mkdir(parents=True, exist_ok=True)
            staged.replace(place)
        except BaseException:
            count.add(-arrived)
            (staging / artifact.path).unlink(missing_ok=True)
            raise

    return fetch


def _check(file: Path, artifact: Artifact) -> None:
    if _sha256(file) != artifact.sha256:
        raise InstallError(
            f"{artifact.coordinate} did not arrive as it should: its checksum is another",
            hint="run it again; if it stays so, the repository (artifacts.repository) is at fault",
        )


def _is_network(error: BaseException) -> bool:
    """Tell a broken connection from a local fault: only the latter carries an error number."""
    return isinstance(error, OSError) and error.errno is None


@contextmanager
def _explained(folder: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        if _is_network(error):
            raise InstallError(
                f"a download broke off: {type(error).__name__}",
                hint="check the network (HTTPS_PROXY, artifacts.repository) and run it again; "
                "what has arrived is kept",
            ) from error
        if error.errno in _NO_ROOM:
            raise InstallError(
                f"no room left in {folder}: {error.strerror}",
                hint="free some space, or set NEOMEM_CACHE to another folder, and run it again",
            ) from error
        raise InstallError(
            f"cannot write to {folder}: {error.strerror}",
            hint="set NEOMEM_CACHE to a folder you may write to",
        ) from error
    except RuntimeError as error:  # jgo: no repository has it
        raise InstallError(
            "a file is not in the Maven repository",
            hint="check artifacts.repository: it must mirror Maven Central",
        ) from error


def _place(folder: Path, artifact: Artifact) -> Path:
    return folder / "maven" / artifact.path


def _has_size(folder: Path, artifact: Artifact) -> bool:
    try:
        return _place(folder, artifact).stat().st_size == artifact.size
    except OSError:
        return False


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
