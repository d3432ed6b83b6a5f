"""The settings of the warm service and of the hooks that ask it."""

from typing import Annotated

import regex
from pydantic import AfterValidator, Field

from neomem.model import DEFAULT_AGENT
from neomem.sections import Port, Seconds, Section, Share
from neomem_hook import limits


def _pattern(text: str) -> str:
    try:
        regex.compile(text)
    except regex.error as error:
        raise ValueError(f"should be a regular expression: {error}") from None
    return text


Pattern = Annotated[str, AfterValidator(_pattern)]


class ServiceSettings(Section):
    """The warm process that hooks and other programs ask (`neomem serve`)."""

    agent: str = Field(
        default=DEFAULT_AGENT, min_length=1, max_length=200, description="whose memories it serves"
    )
    choose_agent: bool = Field(
        default=False, description="let those who ask name another agent; all have the same token"
    )
    port: Port | None = Field(
        default=None, description="listen on this loopback port too, not on the unix socket alone"
    )
    idle_minutes: float = Field(
        default=30, ge=0, description="minutes without a request before it stops; 0: never"
    )
    rate: float = Field(
        default=200, gt=0, description="requests a second; twice as many at once after a pause"
    )
    concurrency: int = Field(default=16, ge=1, le=1000, description="requests worked on at a time")
    waiting: int = Field(
        default=256, ge=0, le=10_000, description="requests that may wait for their turn"
    )
    timeout: Seconds = Field(default=30, description="seconds a request may take, waiting included")
    max_body: int = Field(
        default=4_000_000, ge=10_000, description="bytes a request may have at most"
    )


class HookSettings(Section):
    """What agents are told before a prompt, and what is taken from them after a turn."""

    limit: int = Field(default=5, ge=0, le=100, description="memories given before a prompt")
    budget: int = Field(
        default=1500, ge=0, description="tokens they have at most; what is pinned is given whole"
    )
    min_score: Share = Field(
        default=0.07, description="memories below this are not given; e5-small-v2 was measured"
    )
    hide_finished: bool = Field(
        default=True, description="leave out what belongs to finished tasks of capture.tasks_file"
    )
    session_hours: float = Field(
        default=24, gt=0, description="hours for which it is known what a session was given"
    )
    skip_prompts: tuple[Pattern, ...] = Field(
        default=(r"^\s*/[\w:-]+(\s|$)",),
        description="regular expressions of prompts that are neither answered nor captured",
    )
    skip_sessions: tuple[Pattern, ...] = Field(
        default=(),
        description="the same of sessions, by their id, working folder or transcript",
    )
    timeout: Seconds = Field(
        default=limits.TIMEOUT, description="seconds a hook waits for memories"
    )
    capture_timeout: Seconds = Field(
        default=limits.CAPTURE_TIMEOUT, description="seconds it waits until turns are stored"
    )
    start_wait: float = Field(
        default=limits.START_WAIT,
        ge=0,
        description="seconds it waits for a service it had to start",
    )
    failures: int = Field(
        default=limits.FAILURES, ge=1, description="failures in a row after which hooks are silent"
    )
    pause: Seconds = Field(default=limits.PAUSE, description="seconds for which they are")
    spool_bytes: int = Field(
        default=limits.SPOOL_BYTES, ge=0, description="bytes of turns that may wait for the service"
    )
