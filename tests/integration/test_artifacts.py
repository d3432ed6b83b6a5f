"""Downloads against a real repository on loopback that behaves as badly as the internet."""

import asyncio
import gc
import hashlib
import resource
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from neomem import local
from neomem.config import Config
from neomem.errors import InstallError
from neomem.models import artifacts
from neomem.models.artifacts import Artifact
from neomem.progress import Progress
from neomem.sections import ArtifactSettings

# jgo leaves the connection of a broken download to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")

CONTENT = {f"org.example:part-{n}:1.0": bytes([n]) * (20_000 + n) for n in range(12)}


class Repository:
    """A Maven repository whose faults a test can choose."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.fault: Callable[[BaseHTTPRequestHandler, bytes], bool] = lambda *_: False
        files = {f"/{a.path.as_posix()}": CONTENT[a.coordinate] for a in locked()["parts"]}
        repository = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content = files.get(self.path)
                if content is None:
                    self.send_error(404)
                    return
                repository.requests.append(self.path)
                if repository.fault(self, content):
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def settings(self) -> ArtifactSettings:
        return ArtifactSettings(repository=f"http://127.0.0.1:{self.server.server_port}", timeout=5)


def locked() -> dict[str, tuple[Artifact, ...]]:
    return {
        "parts": tuple(
            Artifact(coordinate, hashlib.sha256(content).hexdigest(), len(content))
            for coordinate, content in CONTENT.items()
        )
    }


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    monkeypatch.setattr(artifacts, "lock", locked)
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda _: None)
    repository = Repository()
    yield repository
    repository.server.shutdown()
    repository.server.server_close()
    gc.collect()


def files(folder: Path) -> set[str]:
    return {p.name for p in folder.rglob("*") if p.is_file() and p.suffix == ".jar"}


def test_everything_arrives_checked_and_is_not_fetched_twice(repository, tmp_path):
    events: list[Progress] = []

    artifacts.install(["parts"], tmp_path, repository.settings, events.append)
    artifacts.install(["parts"], tmp_path, repository.settings)

    assert artifacts.damaged("parts", tmp_path) == []
    assert len(repository.requests) == len(CONTENT)
    total = sum(map(len, CONTENT.values()))
    assert max(event.done for event in events) == total == events[-1].total


def test_eight_downloads_run_at_a_time(repository, tmp_path):
    together = threading.Barrier(8, timeout=10)

    def wait_for_seven_others(*_: object) -> bool:
        if len(repository.requests) <= 8:
            together.wait()
        return False

    repository.fault = wait_for_seven_others

    artifacts.install(["parts"], tmp_path, repository.settings)

    assert not together.broken


def test_a_wrong_checksum_leaves_nothing_of_that_file(repository, tmp_path):
    def tampered(handler: BaseHTTPRequestHandler, content: bytes) -> bool:
        if "part-3" not in handler.path:
            return False
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(b"x" * len(content))
        return True

    repository.fault = tampered

    with pytest.raises(InstallError, match=r"part-3:1\.0 did not arrive as it should") as caught:
        artifacts.install(["parts"], tmp_path, repository.settings)

    assert caught.value.hint
    assert "part-3-1.0.jar" not in files(tmp_path)
    assert not (tmp_path / "staging").exists()


def test_a_connection_that_breaks_once_is_tried_again(repository, tmp_path):
    broken: set[str] = set()

    def cut_once(handler: BaseHTTPRequestHandler, content: bytes) -> bool:
        if handler.path in broken:
            return False
        broken.add(handler.path)
        return cut(handler, content)

    repository.fault = cut_once

    artifacts.install(["parts"], tmp_path, repository.settings)

    assert artifacts.damaged("parts", tmp_path) == []


def cut(handler: BaseHTTPRequestHandler, content: bytes) -> bool:
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content[: len(content) // 2])
    handler.close_connection = True
    return True


def test_a_connection_that_stays_broken_says_so_and_the_next_run_goes_on(repository, tmp_path):
    repository.fault = lambda handler, content: "part-7" in handler.path and cut(handler, content)

    with pytest.raises(InstallError, match="broke off") as caught:
        artifacts.install(["parts"], tmp_path, repository.settings)
    arrived = files(tmp_path)
    repository.requests.clear()
    repository.fault = lambda *_: False
    artifacts.install(["parts"], tmp_path, repository.settings)

    assert "what has arrived is kept" in str(caught.value.hint)
    assert "part-7-1.0.jar" not in arrived
    assert len(repository.requests) == len(CONTENT) - len(arrived)
    assert artifacts.damaged("parts", tmp_path) == []


def test_a_repository_that_is_not_there_says_what_to_check(repository, tmp_path):
    nowhere = ArtifactSettings(repository="http://127.0.0.1:9", timeout=1)

    with pytest.raises(InstallError) as caught:
        artifacts.install(["parts"], tmp_path, nowhere)

    assert "artifacts.repository" in str(caught.value.hint)


def test_a_repository_without_the_file_says_so(repository, tmp_path):
    def missing(handler: BaseHTTPRequestHandler, _: bytes) -> bool:
        handler.send_error(404)
        return True

    repository.fault = missing

    with pytest.raises(InstallError, match="not in the Maven repository"):
        artifacts.install(["parts"], tmp_path, repository.settings)


def test_a_disk_that_fills_up_leaves_nothing_half_installed(repository, tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(InstallError, match="no room left") as caught:
            artifacts.install(["parts"], tmp_path, repository.settings)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert "NEOMEM_CACHE" in str(caught.value.hint)
    assert files(tmp_path) == set()


def test_too_little_room_is_noticed_before_anything_is_fetched(repository, tmp_path, monkeypatch):
    monkeypatch.setattr(artifacts.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 5})())

    with pytest.raises(InstallError, match="no room left"):
        artifacts.install(["parts"], tmp_path, repository.settings)

    assert repository.requests == []


def test_a_cache_folder_that_cannot_be_written_to_is_named(repository, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")

    with pytest.raises(InstallError, match="cannot write to"):
        artifacts.install(["parts"], blocked / "cache", repository.settings)


def test_a_truncated_file_is_fetched_again(repository, tmp_path):
    artifacts.install(["parts"], tmp_path, repository.settings)
    victim = artifacts.paths("parts", tmp_path)[4]
    victim.write_bytes(victim.read_bytes()[:100])
    repository.requests.clear()

    artifacts.install(["parts"], tmp_path, repository.settings)

    assert len(repository.requests) == 1
    assert artifacts.damaged("parts", tmp_path) == []


def test_a_changed_file_of_the_same_size_is_found_when_reading_everything(repository, tmp_path):
    artifacts.install(["parts"], tmp_path, repository.settings)
    victim = artifacts.paths("parts", tmp_path)[4]
    victim.write_bytes(b"?" * victim.stat().st_size)

    artifacts.install(["parts"], tmp_path, repository.settings)
    noticed = artifacts.damaged("parts", tmp_path)
    artifacts.install(["parts"], tmp_path, repository.settings, thorough=True)

    assert [artifact.coordinate for artifact in noticed] == ["org.example:part-4:1.0"]
    assert artifacts.damaged("parts", tmp_path) == []


def test_two_processes_at_once_fetch_each_file_once(repository, tmp_path):
    threads = [
        threading.Thread(target=artifacts.install, args=(["parts"], tmp_path, repository.settings))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(repository.requests) == len(CONTENT)


def test_an_interrupted_installation_ends_and_the_next_goes_on(repository, tmp_path):
    stop = threading.Event()

    def stop_at_the_third(event: Progress) -> None:
        if event.done > 60_000:
            stop.set()

    with pytest.raises(artifacts._Stopped):
        artifacts.install(["parts"], tmp_path, repository.settings, stop_at_the_third, stop=stop)
    artifacts.install(["parts"], tmp_path, repository.settings)

    assert artifacts.damaged("parts", tmp_path) == []


async def test_a_cancelled_installation_stops_its_downloads(monkeypatch, tmp_path):
    started, stopped = threading.Event(), threading.Event()

    def endless(*_: object, stop: threading.Event, **__: object) -> None:
        started.set()
        if stop.wait(20):
            stopped.set()

    monkeypatch.setattr(artifacts, "install", endless)
    task = asyncio.create_task(local.install(Config(cache=tmp_path)))
    await asyncio.to_thread(started.wait, 20)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(stopped.wait, 20)
