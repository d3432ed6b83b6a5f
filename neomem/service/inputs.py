"""What may be asked of the service, checked at the door."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from neomem.model import Draft, Fusion, Kind, Preset, Signal
from neomem.sections import Share

_LONGEST_QUESTION = 100_000
_LONGEST_TEXT = 1_000_000


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("is outside the calendar") from None


def _whole(number: object) -> object:
    """Take 5.0 for the integer it is; JSON knows no difference."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        pattern=r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$",
    ),
]
Id = Annotated[str, Field(pattern=r"^[0-9a-fA-F][0-9a-fA-F-]{7,35}$")]
Question = Annotated[str, Field(max_length=_LONGEST_QUESTION)]
Text = Annotated[str, Field(max_length=_LONGEST_TEXT, pattern=r"[^\s\x00-\x1f\x7f-\xa0]")]
Count = Annotated[int, Field(ge=1, le=1_000_000_000), BeforeValidator(_whole)]
Position = Annotated[int, Field(ge=0, le=1_000_000_000), BeforeValidator(_whole)]
Limit = Annotated[int, Field(ge=0, le=100), BeforeValidator(_whole)]
Budget = Annotated[int, Field(ge=0, le=1_000_000), BeforeValidator(_whole)]
OwnKind = Literal["fact", "preference", "decision", "event", "lesson", "other"]


class Input(BaseModel):
    """A request: nothing unknown in it, nothing taken for what it is not."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    agent: Name | None = Field(
        default=None, description="whose memories; only where the service lets callers choose"
    )


class Recall(Input):
    """A question, and how it is to be answered; what is left out is as the settings say."""

    question: Question = Field(description="an empty one gives what is pinned")
    limit: Limit | None = Field(default=None, description="memories at most")
    budget: Budget | None = Field(default=None, description="tokens of the whole answer at most")
    session: Name | None = Field(default=None, description="only what was said in this session")
    since: Moment | None = Field(default=None, description="only what happened then or later")
    until: Moment | None = Field(default=None, description="only what happened before")
    as_of: Moment | None = Field(default=None, description="what held then, not now")
    kinds: Annotated[tuple[Kind, ...], Field(max_length=9)] = Field(
        default=(), description="only of these kinds"
    )
    signals: Annotated[tuple[Signal, ...], Field(min_length=1, max_length=3)] | None = Field(
        default=None, description="which signals are asked"
    )
    fusion: Fusion | None = Field(default=None, description="how signals become a score")
    preset: Preset | None = Field(default=None, description="rank as another system does")
    min_score: Share | None = Field(default=None, description="leave out what scores less")
    hide_finished: bool | None = Field(
        default=None, description="leave out what belongs to finished tasks"
    )


class Capture(Input):
    """A text to be remembered; with a session, a turn of a conversation."""

    text: Text
    kind: OwnKind | None = Field(default=None, description="what it is; not for turns")
    title: Name | None = Field(default=None, description="a short caption; it is about that")
    about: Annotated[tuple[Name, ...], Field(max_length=20)] = Field(
        default=(), description="whom or what it is about"
    )
    links: Annotated[tuple[Id, ...], Field(max_length=50)] = Field(
        default=(), description="ids of memories it belongs to"
    )
    said_at: Moment | None = Field(default=None, description="when it was said; by default now")
    expires_at: Moment | None = Field(default=None, description="when it ceases to matter")
    importance: Share | None = None
    session: Name | None = Field(default=None, description="the conversation it was said in")
    speaker: Name | None = Field(default=None, description="who said it")
    external_id: Name | None = Field(
        default=None, description="tells turns of a session apart; sent again, it is kept once"
    )
    position: Position | None = Field(default=None, description="its place in the session")

    def draft(self) -> Draft:
        """Return what is to be kept."""
        fields = self.model_dump(exclude={"agent"})
        return Draft(**fields, source="http")


class Captures(Input):
    """Texts to be remembered together: all of them, or none."""

    memories: Annotated[tuple[Capture, ...], Field(min_length=1, max_length=500)]
    automatic: bool = Field(
        default=False,
        description="drop small talk and mask secrets, as hooks do, rather than refuse them",
    )


class Get(Input):
    """A memory by its id, or by a beginning of it that only one has."""

    id: Id


class GetLines(Input):
    """Lines of a file in the folders the agent has ingested."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    start: Count = Field(default=1, alias="from", description="the first line")
    lines: Count | None = Field(default=None, description="how many; by default all that fit")


class Forget(Input):
    """Memories to be archived, so that nothing recalls them; restoring is done by hand."""

    ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=100)]


class Nothing(Input):
    """No more than whose memories."""
