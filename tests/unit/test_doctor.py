"""What the doctor makes of what it finds; the real patient is in integration."""

from datetime import UTC, datetime, timedelta

import pytest

from neomem import doctor
from neomem.config import Config
from neomem.models import choose
from neomem.sections import EmbedderSettings, EntitySettings, OpenAISettings, ServerSettings
from neomem.store import health, migrate, queries


@pytest.mark.parametrize(
    ("version", "state"),
    [("2026.08.1", "ok"), ("2027.01.0-aura", "ok"), ("2026.06.1", "failed"), ("5.26.1", "failed")],
)
def test_a_server_without_filtered_search_is_too_old(version, state):
    assert doctor._version(version).state == state


@pytest.mark.parametrize(("seconds", "state"), [(0, "ok"), (-3600, "warning"), (60, "warning")])
def test_clocks_that_disagree_are_noticed(seconds, state):
    assert doctor._clock(datetime.now(UTC) + timedelta(seconds=seconds)).state == state


def test_pending_migrations_name_the_command():
    check = doctor._schema(2)

    assert (check.state, check.hint) == ("failed", "run `neomem migrate`")


def test_indexes_that_are_missing_or_not_online_are_named():
    states = [
        health.Index(name=name, type="RANGE", state="ONLINE", percent=100)
        for name in queries.index_names()[2:]
    ]
    states.append(health.Index(name="slow", type="VECTOR", state="POPULATING", percent=40))

    check = doctor._indexes(states)

    assert check.state == "failed"
    assert "slow is populating" in check.detail
    assert f"{queries.index_names()[0]} is missing" in check.detail


def vectors(model="e5-small-v2", dimensions=384, language="english", **more) -> migrate.Vectors:
    space = migrate.EmbeddingSpace(model=model, dimensions=dimensions, language=language)
    return migrate.Vectors(**{"space": space, "becoming": None, "unfinished": False, **more})


@pytest.mark.parametrize(
    "store", [vectors(model="other"), vectors(dimensions=768), vectors(becoming=("other", 768))]
)
def test_a_store_of_another_embedder_is_noticed_with_the_command(store):
    (check,) = doctor._embedder(store, Config())

    assert check.state == "failed"
    assert store.space.model in check.detail
    assert "neomem reembed" in str(check.hint)


def test_an_unfinished_re_embedding_is_a_warning():
    (check,) = doctor._embedder(vectors(unfinished=True), Config())

    assert (check.state, "neomem reembed" in str(check.hint)) == ("warning", True)


def test_another_language_is_only_a_warning():
    embedder, language = doctor._embedder(vectors(language="german"), Config())

    assert (embedder.state, language.state) == ("ok", "warning")
    assert "german" in language.detail


def test_a_store_that_was_never_migrated_has_no_embedder_to_compare():
    assert list(doctor._embedder(None, Config())) == []


def test_an_embedder_of_somebody_elses_is_not_fetched():
    config = Config(embedder=EmbedderSettings(provider="openai", model="text-embedding-9"))

    assert choose.locked_names(config) == ()
    assert doctor._models(config).state == "ok"


async def test_an_embedder_that_cannot_be_opened_is_named(tmp_path):
    config = Config(cache=tmp_path, embedder=EmbedderSettings(model=str(tmp_path)))

    check = await doctor._embedding(config)

    assert (check.state, "tokenizer.json" in check.detail) == ("failed", True)


async def test_an_endpoint_that_is_not_there_is_named():
    openai = OpenAISettings(
        base_url="http://127.0.0.1:9/v1", language_model="some-model", attempts=1
    )
    embedder = EmbedderSettings(provider="openai", model="some-embedder")
    config = Config(openai=openai, embedder=embedder)

    checks = [await doctor._embedding(config), await doctor._language_model(config)]

    assert [check.state for check in checks] == ["failed", "failed"]
    assert all("127.0.0.1:9" in check.detail for check in checks)


def test_a_pipeline_that_is_not_installed_is_named():
    config = Config(entities=EntitySettings(pipeline="en_core_web_none"))

    assert doctor._entities(config).state == "failed"
    assert doctor._entities(Config()).detail == "built in, english"


def test_a_heap_beyond_the_machine_is_refused():
    assert doctor._memory(Config(server=ServerSettings(heap="4000g"))).state == "failed"


def test_little_memory_is_a_warning_when_the_server_is_yet_to_start(tmp_path, monkeypatch):
    class Little:
        total, available = 8 << 30, 100 << 20

    monkeypatch.setattr(doctor.psutil, "virtual_memory", Little)

    assert doctor._memory(Config(home=tmp_path)).state == "warning"


def test_a_full_disk_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 5})())

    assert doctor._disk(Config(home=tmp_path / "not" / "yet")).state == "failed"


def test_a_java_that_does_not_fit_fails(tmp_path):
    check = doctor._java(Config(server=ServerSettings(java_home=tmp_path)))

    assert (check.name, check.state) == ("java", "failed")


def test_a_java_home_that_is_passed_over_is_mentioned(tmp_path, monkeypatch):
    (tmp_path / "release").write_text('JAVA_VERSION="17.0.1"\n')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))

    check = doctor._java(Config())

    assert check.state == "ok"
    assert "JAVA_HOME is Java 17.0.1, not used" in check.detail


def test_missing_files_name_the_command(tmp_path):
    check = doctor._files(Config(cache=tmp_path))

    assert check.state == "failed"
    assert "and 219 more" in check.detail
    assert "neomem up --verify" in str(check.hint)
