"""The start-up cache; recording it is part of setting up the tests, so it is there."""

import asyncio
import shutil
from pathlib import Path

import pytest
from filelock import FileLock

from neomem import local
from neomem.config import Config
from neomem.store import java, quick_start
from neomem.store.local_server import Installation


@pytest.fixture
def installation(config: Config) -> Installation:
    return local.installation(config)


async def test_a_recorded_cache_is_used_by_the_next_start(installation, private_config):
    await local.up(private_config)

    arguments = (private_config.home / "run" / "java.args").read_text()
    refusals = [
        line
        for line in (private_config.home / "logs" / "console.log").read_text().splitlines()
        if "AOT cache" in line and "error" in line.lower()
    ]
    assert f"-XX:AOTCache={installation.cache}" in arguments
    assert refusals == []


async def test_it_is_not_made_twice(installation):
    before = installation.cache.stat().st_mtime_ns

    assert await quick_start.prepare(installation)
    assert installation.cache.stat().st_mtime_ns == before


async def test_it_is_left_to_a_process_that_is_already_at_it(installation, tmp_path):
    elsewhere = Installation(installation.java, installation.jars, tmp_path)

    with FileLock(tmp_path / "quick-start.lock"):
        assert not await quick_start.prepare(elsewhere)


def test_another_java_or_other_jars_need_another_cache(installation, tmp_path):
    jar = Path(shutil.copy(installation.jars[0], tmp_path))
    other_jars = Installation(installation.java, [jar], installation.caches)
    other_java = Installation(
        java.Java(installation.java.home, "25.0.3"), installation.jars, installation.caches
    )

    assert len({installation.cache, other_jars.cache, other_java.cache}) == 3


def test_a_java_without_such_caches_starts_without(installation):
    older = Installation(
        java.Java(installation.java.home, "21.0.8"), installation.jars, installation.caches
    )

    assert not older.has_cache
    assert "--sun-misc-unsafe-memory-access=allow" not in older.flags(Config().server)


def test_a_description_of_the_installation_survives_the_pipe(installation):
    assert quick_start._from_json(quick_start._to_json(installation)) == installation


@pytest.mark.slow
async def test_the_first_up_records_it_in_the_background(cache, tmp_path):
    own_cache = tmp_path / "cache"
    own_cache.mkdir()
    (own_cache / "maven").symlink_to(cache / "maven")
    config = Config(cache=own_cache, home=tmp_path / "home")
    try:
        await local.up(config)
        recorded = local.installation(config).cache
        for _ in range(600):
            if recorded.exists():
                break
            await asyncio.sleep(0.5)
    finally:
        await local.down(config)

    assert recorded.exists()
    assert list(recorded.parent.glob("recording-*")) == []
