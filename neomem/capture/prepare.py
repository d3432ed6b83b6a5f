"""A draft into what will be kept, as far as the text alone decides."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from neomem.capture import gate, guard
from neomem.capture.event_time import Moment, event_time
from neomem.errors import InputError
from neomem.model import FOREVER, Draft, Kind, Scope
from neomem.text import clean, fingerprint, normalise, session_key

Manner = Literal["by hand", "ingest", "automatic"]
"""By hand: a secret is refused. Ingest: it is masked. Automatic: the gate decides first."""

_BY_HAND, _AUTOMATIC = 0.7, 0.5
_YEAR_ONE = datetime(1, 1, 1, tzinfo=FOREVER.tzinfo)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A text that passed guard and gate, with what it says of itself."""

    draft: Draft
    text: str
    quarantined: bool
    reason: str | None
    masked: tuple[str, ...]
    kind: Kind
    scope: Scope
    importance: float
    said_at: datetime
    event: Moment
    identity: str
    session_key: str | None
    turn_order: str | None

    @property
    def read(self) -> str:
        """The text as the embedder reads it."""
        return as_read(
            self.text, kind=self.kind, title=self.draft.title, turn_order=self.turn_order
        )

    @property
    def lead(self) -> int:
        """Characters in `read` before the text itself."""
        return len(self.read) - len(self.text)

    @property
    def valid_from(self) -> datetime:
        """What is said of the future holds from the day it was said."""
        return min(self.event.at, self.said_at)


def prepare(
    draft: Draft,
    *,
    agent: str,
    manner: Manner,
    now: datetime,
    longest: int,
    patterns: Sequence[guard.Pattern] = (),
) -> Prepared | str:
    """Return what will be kept, or why nothing is.

    By hand, a secret, an empty text and one that is too long are InputError.
    """
    said = gate.strip(draft.text) if manner == "automatic" else draft.text
    text = _spoken(draft, said)
    problem = _problem(text, longest)
    if problem and manner == "by hand":
        raise InputError(
            f"the text is {problem}", hint="split long texts, or `neomem ingest` a file"
        )
    if problem:
        return problem
    if manner == "automatic":
        judgement = gate.judge(said)
        if not judgement.keep:
            return judgement.reason
    verdict = guard.scan(text, patterns)
    families = tuple(sorted({finding.family for finding in verdict.secrets}))
    if families and manner == "by hand":
        raise _refusal("the text", families)
    if families:
        text = guard.mask_all(text, patterns)
    around = replace(
        draft,
        context=_harmless(draft.context, patterns) if draft.context else "",
        title=guard.mask_all(draft.title, patterns) if draft.title else None,
    )
    return _judged(around, text, families, verdict, agent, manner, now)


def refuse_secrets(text: str, patterns: Sequence[guard.Pattern] = (), *, what: str) -> None:
    """Refuse words somebody gives by hand that hold a secret, without repeating it."""
    families = tuple(sorted({each.family for each in guard.scan(text, patterns).secrets}))
    if families:
        raise _refusal(what, families)


def as_read(text: str, *, kind: str, title: str | None, turn_order: str | None) -> str:
    """Return a memory's text as the embedder reads it: a turn by its day, others under their title.

    All it is made of is kept, so that another embedder can read the same.
    """
    if turn_order:
        said = said_at(turn_order)
        return f"({said.day} {said:%B %Y}) {text}"
    if not title or kind == "chunk" or text.startswith(title):
        return text  # a chunk has its headings before it, as context
    return f"{title}. {text}"


def said_at(turn_order: str) -> datetime:
    """Return when a turn was said, by its place among all that was said."""
    return _YEAR_ONE + timedelta(milliseconds=int(turn_order.partition(":")[0]))


def _refusal(what: str, families: Sequence[str]) -> InputError:
    return InputError(
        f"{what} holds a secret ({', '.join(families)}), which is never stored",
        hint="take it out, and keep it where secrets belong",
    )


def _harmless(context: str, patterns: Sequence[guard.Pattern]) -> str:
    """Return what came before with its secrets masked, or nothing when it gives orders."""
    verdict = guard.scan(context, patterns)
    if verdict.orders or verdict.timed_out:
        return ""
    return guard.mask_all(context, patterns) if verdict.secrets else context


def _judged(  # noqa: PLR0913, PLR0917 - all that decides is here
    draft: Draft,
    text: str,
    masked: tuple[str, ...],
    verdict: guard.Verdict,
    agent: str,
    manner: Manner,
    now: datetime,
) -> Prepared:
    orders = sorted({finding.family for finding in verdict.orders})
    reasons = [*(f"orders: {name}" for name in orders)]
    reasons += [f"not judged in time: {name}" for name in verdict.timed_out]
    said_at = draft.said_at or now
    kind: Kind = draft.kind or ("turn" if draft.session else "other")
    importance = draft.importance
    if importance is None:
        importance = _BY_HAND if manner == "by hand" else _AUTOMATIC
    return Prepared(
        draft=draft,
        text=text,
        quarantined=bool(reasons),
        reason="; ".join(reasons) or None,
        masked=masked,
        kind=kind,
        scope="session" if draft.session else "user",
        importance=importance,
        said_at=said_at,
        event=event_time(text, said_at) or Moment(at=said_at.astimezone(FOREVER.tzinfo)),
        identity=_identity(draft, text, said_at),
        session_key=session_key(agent, draft.session) if draft.session else None,
        turn_order=_order(said_at, draft.position) if draft.session else None,
    )


def _spoken(draft: Draft, text: str) -> str:
    text = clean(text).strip()
    return f"{draft.speaker}: {text}" if draft.speaker and text else text


def _problem(text: str, longest: int) -> str | None:
    if not text:
        return "empty"
    if len(text) > longest:
        return f"too long: {len(text):,} characters, and {longest:,} are taken at once"
    return None


def _identity(draft: Draft, text: str, said_at: datetime) -> str:
    """Return what makes a draft the same as another, the agent apart."""
    if draft.session:
        given = draft.external_id or (f"#{draft.position}" if draft.position is not None else None)
        return f"turn:{draft.session}:{given or fingerprint(said_at.isoformat(), normalise(text))}"
    if draft.path:
        return f"chunk:{draft.path}:{draft.line_from}:{fingerprint(text)}"
    return f"text:{fingerprint(normalise(text))}"


def _order(said_at: datetime, position: int | None) -> str:
    """Return a turn's place as text that sorts: its moment, then its position."""
    milliseconds = (said_at - _YEAR_ONE) // timedelta(milliseconds=1)
    return f"{max(milliseconds, 0):016d}:{position or 0:010d}"
