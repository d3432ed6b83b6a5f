"""Everything that can be set: a YAML file below the environment, read once, then frozen."""

import difflib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import platformdirs
import yaml
from pydantic import BaseModel, Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from neomem.errors import ConfigError
from neomem.sections import (
    LOCAL,
    ArtifactSettings,
    CaptureSettings,
    EmbedderSettings,
    EntitySettings,
    Neo4jSettings,
    OpenAISettings,
    RecallSettings,
    Section,
    ServerSettings,
    UserPath,
)
from neomem.service_settings import HookSettings, ServiceSettings
from neomem.sleep_settings import SleepSettings

# Variables that bear our prefix and are no settings: which file to read, and what tests look for.
_NO_SETTINGS = re.compile(r"NEOMEM_(CONFIG|TEST_.*|REQUIRE_NEO4J)")


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
    openai: OpenAISettings = OpenAISettings()
    entities: EntitySettings = EntitySettings()
    capture: CaptureSettings = CaptureSettings()
    recall: RecallSettings = RecallSettings()
    sleep: SleepSettings = SleepSettings()
    service: ServiceSettings = ServiceSettings()
    hooks: HookSettings = HookSettings()

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


def has_display() -> bool:
    """Tell whether a window can be opened here, which on Linux takes a display."""
    shown = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in {"darwin", "win32"} or any(map(os.environ.get, shown))  # noqa: TID251


def server_environment() -> dict[str, str]:
    """Return what the local server may know of this environment: no settings, no secrets.

    The locale makes Java understand any folder name.
    """
    passed = ("PATH", "HOME", "TMPDIR", "TZ")
    kept = {name: os.environ[name] for name in passed if name in os.environ}  # noqa: TID251
    return {**kept, "LC_ALL": "C.UTF-8"}


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
