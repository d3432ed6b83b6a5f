"""Everything that can be set: a YAML file below the environment, read once, then frozen."""

import difflib
import os
import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Self, cast
from urllib.parse import urlsplit

import platformdirs
import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from neomem.errors import ConfigError

LOCAL = "local"

# Variables that bear our prefix and are no settings: which file to read, and what tests look for.
_NO_SETTINGS = re.compile(r"NEOMEM_(CONFIG|TEST_.*|REQUIRE_NEO4J)")

UserPath = Annotated[Path, AfterValidator(lambda path: path.expanduser().absolute())]
Seconds = Annotated[float, Field(gt=0)]
Port = Annotated[int, Field(ge=1, le=65535)]
Bytes = Annotated[str, Field(pattern=r"^[1-9]\d*[kmg]$")]


class Section(BaseModel):
    """A group of settings: no unknown keys, no changes after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Neo4jSettings(Section):
    """Which Neo4j holds the memories, and how long to wait for it."""

    uri: str = Field(default=LOCAL, description="`local` (our own server), or a bolt/neo4j address")
    user: str = Field(
        default="neo4j", min_length=1, description="user name; the local server has its own"
    )
    password: SecretStr | None = Field(
        default=None, description="set NEOMEM_NEO4J__PASSWORD instead of writing it here"
    )
    database: str = Field(default="neo4j", min_length=1, description="database name")
    allow_plain: bool = Field(
        default=False, description="allow an unencrypted connection to another machine"
    )
    connect_timeout: Seconds = Field(default=5, description="seconds to wait for a connection")
    query_timeout: Seconds = Field(
        default=30, description="seconds after which Neo4j stops a query"
    )
    retry_time: Seconds = Field(
        default=10, description="seconds to go on trying after passing errors"
    )
    pool_size: int = Field(default=20, ge=1, le=1000, description="connections kept at most")

    @field_validator("uri")
    @classmethod
    def _known_scheme(cls, uri: str) -> str:
        if uri == LOCAL:
            return uri
        parts = urlsplit(uri)
        if parts.scheme not in {"bolt", "neo4j", "bolt+s", "neo4j+s", "bolt+ssc", "neo4j+ssc"}:
            raise ValueError(
                "should be `local`, or begin with bolt://, neo4j://, bolt+s:// or neo4j+s://"
            )
        if "@" in parts.netloc:
            raise ValueError(
                "should not hold a user or password; use neo4j.user and NEOMEM_NEO4J__PASSWORD"
            )
        if not parts.hostname:
            raise ValueError("should name a host, as in neo4j+s://example.org:7687")
        return uri

    @model_validator(mode="after")
    def _encrypted_beyond_this_machine(self) -> Self:
        if self.uri == LOCAL or self.allow_plain or is_safe_transport(self.uri):
            return self
        raise ValueError(
            "uri should be encrypted (neo4j+s:// or bolt+s://) when it is another machine's; "
            "set allow_plain to accept that others can read along"
        )


class ServerSettings(Section):
    """The Neo4j that neomem runs itself when `neo4j.uri` is `local`."""

    heap: Bytes = Field(
        default="512m", description="largest Java heap; 1g for some 100,000 memories"
    )
    page_cache: Bytes = Field(default="128m", description="memory for the store's pages")
    bolt_port: Port | None = Field(
        default=None, description="fixed port; by default a free one, kept"
    )
    http_port: Port | None = Field(default=None, description="the same for Neo4j Browser")
    java_home: UserPath | None = Field(
        default=None, description="a Java 21 or 25; by default JAVA_HOME if it is one, else our own"
    )
    start_timeout: Seconds = Field(
        default=120, description="seconds to wait for the server to answer"
    )
    stop_timeout: Seconds = Field(
        default=30, description="seconds for a clean stop before it is killed"
    )
    quick_start: bool = Field(
        default=True, description="prepare, once and in the background, a cache that halves starts"
    )


class ArtifactSettings(Section):
    """Where the server's and the models' files come from."""

    repository: str | None = Field(
        default=None, description="a Maven mirror; by default Maven Central"
    )
    threads: int = Field(default=8, ge=1, le=32, description="downloads at a time")
    timeout: Seconds = Field(default=60, description="seconds without an answer before giving up")


class EmbedderSettings(Section):
    """The model that turns texts into vectors; a store remembers the one it was made with."""

    model: str = Field(default="e5-small-v2", min_length=1, description="name of the model")
    dimensions: int = Field(default=384, ge=1, le=4096, description="length of its vectors")


class Config(BaseSettings):
    """Everything that can be set."""

    model_config = SettingsConfigDict(
        env_prefix="NEOMEM_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    home: UserPath = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("neomem", appauthor=False)),
        description="folder of the local server and its data (default: the user's data folder)",
    )
    cache: UserPath = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir("neomem", appauthor=False)),
        description="folder of downloaded files (default: the user's cache folder)",
    )
    language: str = Field(
        default="english",
        min_length=1,
        description="full-text analyzer of a new store: english, german …",
    )
    neo4j: Neo4jSettings = Neo4jSettings()
    server: ServerSettings = ServerSettings()
    artifacts: ArtifactSettings = ArtifactSettings()
    embedder: EmbedderSettings = EmbedderSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let the environment win over the file; read nothing else."""
        del settings_cls, dotenv_settings, file_secret_settings
        return env_settings, init_settings


def load(path: Path | str | None = None) -> Config:
    """Read the settings: a file (given, named by NEOMEM_CONFIG, or the user's), the environment.

    Every problem is reported at once. A given file must exist; the user's own need not.
    """
    file = config_file(path)
    values, problems = _read(file) if file else ({}, [])
    problems += _misspelt(os.environ)  # noqa: TID251 - the one place that reads it
    try:
        config = Config(**values)
    except ValidationError as error:
        problems += _explain(error)
    except ValueError as error:  # pydantic-settings: a section in the environment that is no JSON
        problems.append(str(error))
    else:
        if not problems:
            return config
    where = f"in {file} or the environment" if file else "in the environment"
    raise ConfigError(*problems, hint=f"correct the settings {where}; `docs/configuration.md`")


def config_file(path: Path | str | None = None) -> Path | None:
    """Return the file to read, or None when there is none; a given one must exist."""
    given = path or os.environ.get("NEOMEM_CONFIG")  # noqa: TID251 - the one place that reads it
    if given:
        file = Path(given).expanduser()
        if not file.is_file():
            raise ConfigError(f"{file}: no such settings file", hint="check --config/NEOMEM_CONFIG")
        return file
    own = Path(platformdirs.user_config_dir("neomem", appauthor=False)) / "config.yaml"
    return own if own.is_file() else None


def ambient_java_home() -> Path | None:
    """Return the JAVA_HOME of this environment, which may be of any age."""
    value = os.environ.get("JAVA_HOME")  # noqa: TID251 - the one place that reads it
    return Path(value) if value else None


def server_environment() -> dict[str, str]:
    """Return what the local server may know of this environment: no settings, no secrets.

    The locale makes Java understand any folder name.
    """
    passed = ("PATH", "HOME", "TMPDIR", "TZ")
    kept = {name: os.environ[name] for name in passed if name in os.environ}  # noqa: TID251
    return {**kept, "LC_ALL": "C.UTF-8"}


def is_safe_transport(uri: str) -> bool:
    """Tell whether nobody on the way can read along: encrypted, or this machine alone."""
    parts = urlsplit(uri)
    return parts.scheme.endswith(("+s", "+ssc")) or is_loopback(parts.hostname or "")


def is_loopback(host: str) -> bool:
    """Tell whether a host name can only mean this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def redact(uri: str) -> str:
    """Return the address without user, password and query, fit for messages and logs."""
    parts = urlsplit(uri)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def setting_names(model: type[BaseModel] = Config, prefix: str = "") -> Iterator[str]:
    """Yield the path of every setting, such as `neo4j.uri`."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, Section):
            yield from setting_names(kind, f"{prefix}{name}.")
        else:
            yield prefix + name


def as_yaml(values: Mapping[str, Any]) -> str:
    """Write settings the way a settings file has them."""
    return yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True).rstrip()


def require_local(config: Config) -> None:
    """Refuse to start or stop a Neo4j that is not ours."""
    if config.neo4j.uri != LOCAL:
        raise ConfigError(
            f"neo4j.uri is {redact(config.neo4j.uri)}, which neomem does not run",
            hint="set neo4j.uri to `local` to use a server of neomem's own",
        )


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return "NEOMEM_" + name.upper().replace(".", "__")


def _read(file: Path) -> tuple[dict[str, Any], list[str]]:
    try:
        content: object = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as error:
        return {}, [f"{file}: cannot be read as YAML: {' '.join(str(error).split())}"]
    if content is None:
        return {}, []
    if not isinstance(content, dict):
        return {}, [f"{file}: should hold settings as `name: value`"]
    return {str(key): value for key, value in cast("dict[Any, Any]", content).items()}, []


def _misspelt(environ: Mapping[str, str]) -> list[str]:
    known = {variable(name) for name in setting_names()}
    known |= {variable(name.partition(".")[0]) for name in setting_names()}
    return [
        f"{name}: no such setting{_closest(name.upper(), known)}"
        for name in sorted(environ)
        if name.upper().startswith("NEOMEM_")
        and name.upper() not in known
        and not _NO_SETTINGS.fullmatch(name.upper())
    ]


def _explain(error: ValidationError) -> list[str]:
    problems: list[str] = []
    for item in error.errors(include_input=False, include_url=False):
        path = ".".join(str(part) for part in item["loc"])
        if item["type"] == "extra_forbidden" and variable(path) in os.environ:  # noqa: TID251
            continue  # named as a misspelt variable already
        if item["type"] == "extra_forbidden":
            problems.append(f"{path}: no such setting{_closest(path, set(setting_names()))}")
        else:
            problems.append(f"{path}: {item['msg'].removeprefix('Value error, ')}")
    return problems


def _closest(name: str, known: set[str]) -> str:
    matches = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {matches[0]}?" if matches else ""
