from pathlib import Path

import pytest
from pydantic import SecretStr

from neomem import config as settings
from neomem.config import Config, load, redact
from neomem.errors import ConfigError
from neomem.sections import Neo4jSettings

EXAMPLE = Path(__file__).parents[2] / "config.example.yaml"


@pytest.fixture(autouse=True)
def _no_user_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(settings.platformdirs, "user_config_dir", lambda *_, **__: str(tmp_path))


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "given.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_without_file_or_environment_everything_has_a_default():
    assert load().neo4j.uri == "local"


def test_environment_wins_over_the_file_and_sections_merge(tmp_path, monkeypatch):
    monkeypatch.setenv("NEOMEM_NEO4J__PASSWORD", "s3cret")
    monkeypatch.setenv("NEOMEM_NEO4J__DATABASE", "from-environment")
    file = written(tmp_path, "neo4j: {uri: 'neo4j+s://example.org', database: from-file}")

    loaded = load(file).neo4j

    assert loaded.uri == "neo4j+s://example.org"
    assert loaded.database == "from-environment"
    assert loaded.password == SecretStr("s3cret")


def test_the_users_own_file_is_found(tmp_path):
    (tmp_path / "config.yaml").write_text("language: german", encoding="utf-8")

    assert load().language == "german"


def test_the_file_named_by_the_environment_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv("NEOMEM_CONFIG", str(written(tmp_path, "language: french")))

    assert load().language == "french"


def test_three_mistakes_are_reported_together_with_their_paths(tmp_path, monkeypatch):
    monkeypatch.setenv("NEOMEM_NEO4J__URL", "bolt://localhost")
    file = written(tmp_path, "server: {heap: lots}\nneo4j: {pool_sise: 3}")

    with pytest.raises(ConfigError) as caught:
        load(file)

    assert sorted(problem.partition(":")[0] for problem in caught.value.problems) == [
        "NEOMEM_NEO4J__URL",
        "neo4j.pool_sise",
        "server.heap",
    ]
    assert "did you mean neo4j.pool_size?" in str(caught.value)
    assert "did you mean NEOMEM_NEO4J__URI?" in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("- a\n- list", "should hold settings"),
        ("neo4j: [", "cannot be read as YAML"),
        ("neo4j: {uri: 'http://localhost'}", "should be `local`, or begin with"),
        ("neo4j: {uri: 'bolt://'}", "should name a host"),
        ("neo4j: {uri: 'bolt://example.org'}", "should be encrypted"),
        ("server: {bolt_port: 70000}", "less than or equal to 65535"),
        ("neo4j: 3", "neo4j: "),
    ],
)
def test_a_bad_file_says_what_is_wrong(tmp_path, text, complaint):
    with pytest.raises(ConfigError, match=complaint):
        load(written(tmp_path, text))


def test_a_file_that_is_no_text_is_a_plain_error(tmp_path):
    file = tmp_path / "given.yaml"
    file.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(ConfigError, match="cannot be read"):
        load(file)


def test_a_missing_file_is_an_error_when_it_was_asked_for(tmp_path):
    with pytest.raises(ConfigError, match="no such settings file"):
        load(tmp_path / "nowhere.yaml")


def test_a_section_in_the_environment_that_is_no_json_is_reported(monkeypatch):
    monkeypatch.setenv("NEOMEM_NEO4J", "{broken")

    with pytest.raises(ConfigError, match="neo4j"):
        load()


def test_an_empty_file_means_defaults(tmp_path):
    assert load(written(tmp_path, "")) == load()


def test_a_password_in_the_address_is_refused_and_not_repeated(tmp_path):
    with pytest.raises(ConfigError) as caught:
        load(written(tmp_path, "neo4j: {uri: 'bolt://ada:hunter2@localhost'}"))

    assert "hunter2" not in str(caught.value)
    assert "NEOMEM_NEO4J__PASSWORD" in str(caught.value)


@pytest.mark.parametrize(
    "uri",
    [
        "bolt://localhost:7687",
        "neo4j://127.0.0.1",
        "bolt://[::1]:7687",
        "bolt+s://example.org",
        "neo4j+s://abc.databases.neo4j.io",
        "neo4j+ssc://example.org",
    ],
)
def test_safe_addresses_are_taken(uri):
    assert Neo4jSettings(uri=uri).uri == uri


def test_plain_transport_to_another_machine_must_be_allowed():
    assert Neo4jSettings(uri="bolt://example.org", allow_plain=True).allow_plain


def test_the_password_does_not_show():
    config = Neo4jSettings(password=SecretStr("hunter2"))

    assert "hunter2" not in repr(config)
    assert "hunter2" not in config.model_dump_json()


def test_settings_cannot_be_changed_afterwards():
    with pytest.raises(ValueError, match="frozen"):
        load().language = "german"  # type: ignore[misc]


def test_paths_are_made_absolute(monkeypatch):
    monkeypatch.setenv("NEOMEM_HOME", "~/memories")

    assert load().home == Path.home() / "memories"


def test_redact_drops_user_password_and_query():
    redacted = redact("neo4j://ada:hunter2@localhost:7687?policy=x")

    assert redacted == "neo4j://localhost:7687"


def test_the_server_is_told_no_secrets(monkeypatch):
    monkeypatch.setenv("NEOMEM_NEO4J__PASSWORD", "hunter2")

    assert "hunter2" not in str(settings.server_environment())


def test_the_example_is_valid_complete_and_equals_the_defaults(monkeypatch):
    named = settings.yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
    paths = {
        f"{key}.{inner}" if isinstance(value, dict) else key
        for key, value in named.items()
        for inner in (value if isinstance(value, dict) else [None])
    }

    assert load(EXAMPLE) == Config()
    # Folders differ from machine to machine, and secrets do not belong into files.
    assert paths | {"home", "cache", "neo4j.password", "openai.api_key"} == set(
        settings.setting_names()
    )


def test_an_address_is_required_to_be_our_own_for_up_and_down():
    config = Config(neo4j=Neo4jSettings(uri="bolt://localhost:7687"))

    with pytest.raises(ConfigError, match="does not run"):
        settings.require_local(config)


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("ftp://localhost", "should be an address"),
        ("http://", "should be an address"),
        ("https://me:key@example.org/v1", "should not hold a user or password"),
        ("http://example.org/v1", "should begin with https"),
    ],
)
def test_an_endpoint_must_be_an_address_that_nobody_reads_along(tmp_path, url, complaint):
    with pytest.raises(ConfigError) as caught:
        load(written(tmp_path, f"openai: {{base_url: '{url}'}}"))

    assert complaint in str(caught.value)


def test_an_endpoint_on_this_machine_may_be_plain(tmp_path):
    file = written(tmp_path, "openai: {base_url: 'http://localhost:11434/v1'}")

    assert load(file).openai.base_url == "http://localhost:11434/v1"
