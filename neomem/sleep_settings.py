"""The settings of the night: what sleep may do, how much of it, and when it leaves things alone."""

from pydantic import Field

from neomem.sections import Seconds, Section, Share


class SleepSettings(Section):
    """What happens overnight."""

    seconds: Seconds | None = Field(
        default=None, description="time a run may take; it goes on there the next time"
    )
    tokens: int | None = Field(
        default=200_000, ge=0, description="tokens a language model may read and write in a run"
    )
    changes: int | None = Field(default=None, ge=0, description="changes a run may make")
    batch: int = Field(default=200, ge=1, le=2000, description="changes per transaction")
    lease: Seconds = Field(
        default=60, description="seconds after which a sleeper that went silent is replaced"
    )
    journal_days: float = Field(
        default=90, gt=0, description="days for which a run can be looked at and undone"
    )
    task_days: float = Field(
        default=7, gt=0, description="days after a task's end in which its memories are judged"
    )
    duplicate: Share = Field(
        default=0.9, description="similarity from which two memories may say the same"
    )
    ask_duplicate: Share = Field(
        default=0.8, description="the same, when a language model is there to ask"
    )
    same_entity: Share = Field(
        default=0.75, description="evidence from which two names are one entity's"
    )
    compact_after: float = Field(
        default=7, ge=0, description="days since a session ended before it is summed up"
    )
    compact_size: int = Field(default=20, ge=2, le=200, description="turns a summary stands for")
    compact_least: int = Field(
        default=4, ge=2, description="turns of a session that are worth a summary"
    )
    compact_share: float = Field(
        default=0.35, gt=0, le=1, description="of its turns' length that a summary may have"
    )
    link_similarity: Share = Field(
        default=0.64, description="similarity from which two memories are joined"
    )
    links: int = Field(default=5, ge=0, le=50, description="most alike a memory is joined to")
    fade_days: float = Field(
        default=30, gt=0, description="days in which an unused memory's strength falls to a third"
    )
    weakest: Share = Field(default=0.1, description="strength below which a memory is archived")
    youngest: float = Field(
        default=30, ge=0, description="days in which no memory is too weak to stay"
    )
    purge_days: float | None = Field(
        default=None, gt=0, description="days after which the archived is deleted; never by default"
    )
