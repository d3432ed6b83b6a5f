"""What one said in a transcript, as a draft."""

from neomem.capture.event_time import read_date
from neomem.capture.transcripts import Turn, spoken
from neomem.model import Draft


def as_draft(turn: Turn, *, source: str) -> Draft:
    """Return the draft of a turn; a date that cannot be read is kept as it was written."""
    moment = read_date(turn.said)
    return Draft(
        text=spoken(turn),
        kind=turn.kind,  # pyright: ignore[reportArgumentType] - one of the kinds, or none
        title=turn.title,
        said_at=moment.at if moment else None,
        said=turn.said if turn.said and moment is None else None,
        importance=turn.importance,
        about=turn.about,
        links=turn.links,
        source=source,
        session=turn.session,
        speaker=turn.speaker or turn.role,
        external_id=turn.external_id,
        position=turn.position,
    )
