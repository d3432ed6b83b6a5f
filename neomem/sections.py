"""The settings by section: names, defaults, limits, and what each is for."""

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)

from neomem.model import Fusion, Preset, Signal

LOCAL = "local"

UserPath = Annotated[Path, AfterValidator(lambda path: path.expanduser().absolute())]
Seconds = Annotated[float, Field(gt=0)]
Port = Annotated[int, Field(ge=1, le=65535)]
Cosine = Annotated[float, Field(ge=-1, lt=1)]
Share = Annotated[float, Field(ge=0, le=1)]
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
    java_options: tuple[str, ...] = Field(
        default=(), description="more options for Java, such as `-XX:MaxDirectMemorySize=1g`"
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

    provider: Literal["local", "openai"] = Field(
        default="local", description="`local` (this machine), or `openai` (an endpoint)"
    )
    model: str = Field(
        default="e5-small-v2",
        min_length=1,
        description="one of ours, a folder with model.onnx and tokenizer.json, or the endpoint's",
    )
    dimensions: int = Field(default=384, ge=1, le=4096, description="length of its vectors")
    floor: Cosine | None = Field(
        default=None, description="cosine of unrelated texts; known for our own models, else 0"
    )
    question_prefix: str | None = Field(
        default=None, description="put before questions; known for our own models, else nothing"
    )
    passage_prefix: str | None = Field(default=None, description="the same before memories")
    pooling: Literal["mean", "first"] | None = Field(
        default=None, description="how a folder's model makes one vector of many; else `mean`"
    )
    max_tokens: int | None = Field(
        default=None,
        ge=16,
        description="where texts are cut; known for our own models, else 512 (endpoint: 8191)",
    )
    threads: int | None = Field(
        default=None, ge=1, le=64, description="cores a local model may use; by default up to 4"
    )
    cached_questions: int = Field(
        default=1024, ge=0, description="questions whose vectors are remembered"
    )


class OpenAISettings(Section):
    """An OpenAI-compatible endpoint, for embeddings or answers: OpenAI, Ollama, vLLM, llama.cpp."""

    base_url: str | None = Field(
        default=None, description="as in http://localhost:11434/v1; by default OpenAI's own"
    )
    api_key: SecretStr | None = Field(
        default=None, description="set NEOMEM_OPENAI__API_KEY instead of writing it here"
    )
    language_model: str | None = Field(
        default=None, description="model that answers; by default none is asked"
    )
    allow_plain: bool = Field(
        default=False, description="allow an unencrypted connection to another machine"
    )
    timeout: Seconds = Field(default=30, description="seconds to wait for one answer")
    attempts: int = Field(default=4, ge=1, le=20, description="tries in all")
    retry_time: Seconds = Field(default=90, description="seconds to go on trying")
    batch: int = Field(default=64, ge=1, le=2048, description="texts per embedding request")
    concurrency: int = Field(default=4, ge=1, le=64, description="requests at a time")

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, url: str | None) -> str | None:
        parts = urlsplit(url or "https://host")
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("should be an address such as http://localhost:11434/v1")
        if "@" in parts.netloc:
            raise ValueError("should not hold a user or password; use NEOMEM_OPENAI__API_KEY")
        return url

    @model_validator(mode="after")
    def _encrypted_beyond_this_machine(self) -> Self:
        if self.base_url and not self.allow_plain and not is_safe_transport(self.base_url):
            raise ValueError(
                "base_url should begin with https:// when it is another machine's; "
                "set allow_plain to accept that others can read along"
            )
        return self


class EntitySettings(Section):
    """How names are found in texts."""

    pipeline: str | None = Field(
        default=None, description="an installed spaCy pipeline, such as en_core_web_sm"
    )


class CaptureSettings(Section):
    """How texts become memories."""

    max_characters: int = Field(
        default=100_000, ge=100, description="longest text taken at once; split longer ones"
    )
    context_characters: int = Field(
        default=400, ge=0, description="how much of the turn before is read along"
    )
    near_duplicate: float = Field(
        default=0.9, ge=0, le=1, description="similarity from which two texts may say the same"
    )
    near_batch: int = Field(
        default=200,
        ge=0,
        description="memories a call compares with the kept ones; more wait for sleep",
    )
    batch: int = Field(default=256, ge=1, le=5000, description="memories per transaction")
    known_names: int = Field(
        default=5000, ge=0, description="names of the graph that are looked for in new texts"
    )
    pinned_budget: int = Field(
        default=2000, ge=0, description="tokens all pinned memories and files of an agent may take"
    )
    pinned_files: tuple[UserPath, ...] = Field(
        default=(), description="files that are in every answer, such as AGENTS.md"
    )
    chunk_tokens: int = Field(default=400, ge=20, description="about as large is a file's chunk")
    chunk_overlap: int = Field(
        default=80, ge=0, description="tokens a chunk may repeat of the one before"
    )
    largest_file: int = Field(
        default=20_000_000,
        ge=1,
        description="bytes of the largest file that is read as Markdown, or read back",
    )
    tasks_file: UserPath | None = Field(
        default=None, description="a TASKS.md: what is said while one task is active is tagged"
    )
    patterns: dict[str, str] = Field(
        default={}, description="further secrets, by name: regular expressions"
    )

    @model_validator(mode="after")
    def _smaller_overlap(self) -> Self:
        if self.chunk_overlap >= self.chunk_tokens:
            raise ValueError("chunk_overlap should be less than chunk_tokens")
        return self


class RecallSettings(Section):
    """How questions are answered."""

    limit: int = Field(default=10, ge=0, le=1000, description="memories an answer has at most")
    budget: int | None = Field(
        default=None, ge=0, description="tokens an answer has at most, pinned memories included"
    )
    min_score: Share = Field(default=0, description="hits below this are left out")
    preset: Preset = Field(
        default="neomem", description="rank as neomem does, or as another system would"
    )
    fusion: Fusion = Field(
        default="evidence",
        description="`evidence` scores twice; the others are the first pass alone",
    )
    signals: tuple[Signal, ...] = Field(
        default=("vector", "bm25", "graph"), min_length=1, description="which are asked"
    )
    include_shared: bool = Field(
        default=False, description="read the memories of the agent `shared` along"
    )
    hide_finished: bool = Field(
        default=False, description="leave out what belongs to finished tasks of capture.tasks_file"
    )
    record: bool = Field(default=True, description="note which memories were recalled, and when")
    embed_timeout: Seconds = Field(
        default=5, description="seconds for the question's vector; then without"
    )
    signal_timeout: Seconds = Field(
        default=5, description="seconds for each signal; then without it"
    )
    max_characters: int = Field(default=1000, ge=1, description="where questions are cut")
    width: int = Field(
        default=40, ge=1, le=200, description="candidates a voice brings at least; at most 200"
    )
    width_per_hit: int = Field(default=4, ge=1, le=20, description="or so many per hit asked for")
    candidates: int = Field(
        default=25,
        ge=1,
        le=1000,
        description="best by words and entities that are looked at closely, beside the nearest",
    )
    second_look: bool = Field(
        default=True, description="search once more by the question together with the nearest text"
    )
    k: float = Field(
        default=15, gt=0, description="how fast a rank's worth falls: weight / (k + rank)"
    )
    depth: int = Field(default=1, ge=0, le=3, description="steps from entity to entity")
    firing: Share = Field(default=0.3, description="a path less certain than this is not walked on")
    hub: int = Field(
        default=2000, ge=1, description="an entity with more memories is not walked through"
    )
    best: int = Field(
        default=5, ge=0, le=50, description="best hits that raise what is about something they name"
    )
    half_life: float = Field(
        default=30, gt=0, description="days in which a memory's recency falls to half"
    )
    recency: Share = Field(
        default=0, description="how much recency counts in a score: 0 not at all, 1 fully"
    )
    update_reach: float = Field(
        default=3,
        ge=0,
        description="log odds by which an older statement may lead and still come after its update",
    )
    diversity: Share = Field(
        default=1, description="1 ranks by score alone; less (.7) avoids saying things twice"
    )
    expand: int = Field(
        default=3, ge=0, le=50, description="best hits whose neighbours may come along"
    )
    expand_share: Share = Field(default=0.6, description="of a hit's score that a neighbour gets")
    expand_floor: Share = Field(default=0.2, description="neighbours below this do not come")


def is_safe_transport(uri: str) -> bool:
    """Tell whether nobody on the way can read along: encrypted, or this machine alone."""
    parts = urlsplit(uri)
    return (
        parts.scheme.endswith(("+s", "+ssc"))
        or parts.scheme == "https"
        or is_loopback(parts.hostname or "")
    )


def is_loopback(host: str) -> bool:
    """Tell whether a host name can only mean this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
