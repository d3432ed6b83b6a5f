"""What stands around an expression of time: tense, habit, a time of day, "the week before"."""

import re
from datetime import datetime
from typing import NamedTuple

from neomem.capture import calendar_spans as spans
from neomem.capture.calendar_spans import DAY, Grain, Span
from neomem.capture.calendar_words import NUMBERS, UNITS, WEEKDAYS, any_of, count
from neomem.capture.written_dates import at_clock, find_clock

Found = re.Match[str]


class Said(NamedTuple):
    """What was said, with single spaces, as written and in lower case, and when."""

    written: str
    text: str
    today: datetime
    now: datetime


_SENTENCE_END = re.compile(r"[.!?;。!?](?=\s|$)")
_SENTENCE = 200
_HABITS = re.compile(
    r"(?:\b(?:(?:every|each|jede[nsr]?|chaque|tous les|cada|todos los|ogni|кажд\w+)(?: \w+)?|any) "
    r"|每个?)$"
)
# "I'm worried" is no past tense.
_REGULAR_PAST = (
    r"(?<!i'm )(?<!so )(?<!kinda )(?<!sorta )(?<!be )(?<!is )(?<!are )(?<!'re )"
    r"(?<!really )(?<!feel )(?!(?:need|feed|speed|indeed|hundred)\b)[a-z]{2,}ed"
)
_TENSES = re.compile(
    r"(?P<future>(?:\b(?:will|shall|won't|going to|gonna|next|upcoming|plans?|planning|hope|"
    r"hoping|soon|can't wait|looking forward|let's|see you|tomorrow|wird|"
    r"werden?|wirst|vais|va|allons|voy|vamos|будет|буду|будем)|'ll)\b|[将会])|"
    r"(?P<past>\b(?:was|were|had|did|didn't|went|got|made|saw|took|came|met|found|bought|been|"
    r"gave|told|said|spent|won|lost|left|began|ran|ate|felt|held|knew|read|sent|wrote|built|"
    r"brought|broke|chose|drove|fell|flew|heard|kept|led|paid|sold|sang|swam|taught|thought|"
    r"war|waren|habe|hat|haben|hatte|ging|ai|avons|était|fui|fue|fuimos|был|была|были|"
    rf"{_REGULAR_PAST})\b|了)"
)
_DEADLINES = ("by ", "until ", "till ")
_ORIGINS = ("since ", "seit ", "depuis ", "desde ", "desde el ")
_CLOCK_LEAD = re.compile(
    r",?(?: (?:morning|afternoon|evening|night|abend))? (?:(?:at|around|about|um|à|a las|в) )?"
)
_CLOCK_REACH = 16
_BESIDE = re.compile(
    rf"(?:(?P<n>the|\d{{1,4}}|{any_of(NUMBERS)}) )?\b(?P<word>{any_of((*UNITS, *WEEKDAYS))}) "
    r"(?P<side>before|after|prior to|from) (?:the )?$"
)
_SIDES = ("before ", "after ", "from ", "to ", "the ")
_BESIDE_REACH = 40


def is_habit(said: Said, found: Found) -> bool:
    """Tell whether "every" or the like stands before it."""
    return bool(_HABITS.search(said.text, max(0, found.start() - 20), found.start()))


def tense(said: Said, found: Found) -> int:
    """Return -1 for the past, 1 for the future, 0 for neither, by the nearest word of tense."""
    start, end = found.span()
    if found[0].startswith(_DEADLINES) or said.text.endswith(_DEADLINES, 0, start):
        return 1
    if said.text.endswith(_ORIGINS, 0, start):
        return -1
    first, last = max(0, start - _SENTENCE), end + _SENTENCE
    left = max(
        (stop.end() for stop in _SENTENCE_END.finditer(said.text, first, start)), default=first
    )
    stop = _SENTENCE_END.search(said.text, end, last)
    right = stop.start() if stop else last
    near = [
        (start - cue.end() if cue.end() <= start else cue.start() - end, cue["past"] is None)
        for cue in _TENSES.finditer(said.text, left, right)
        if cue.end() <= start or cue.start() >= end
    ]
    return (1 if min(near)[1] else -1) if near else 0


def with_clock(said: Said, found: Found, span: Span) -> Span:
    """Add a time of day that stands beside a day."""
    if span.end or span.start != span.start.replace(hour=0, minute=0, tzinfo=None):
        return span
    lead = _CLOCK_LEAD.match(said.text, found.end())
    clock = find_clock(said.text, lead.end()) if lead else None
    if clock is None:
        before = said.text[max(0, found.start() - _CLOCK_REACH) : found.start()]
        starts = [place.start() for place in re.finditer(r"(?<!\S)\d", before)]
        clocks = [find_clock(before, start) for start in starts]
        clock = next((c for c in clocks if c and before[c.end() :].strip() in {"", "on"}), None)
    return spans.day(at_clock(span.start, clock)) if clock else span


def beside(said: Said, found: Found, span: Span) -> Span | None:
    """Apply "the week before" or "two days after" to what it stands before."""
    start = found.start()
    if not said.text.endswith(_SIDES, 0, start):
        return span
    side = _BESIDE.search(said.text[max(0, start - _BESIDE_REACH) : start])
    if side is None:
        return span
    sign = -1 if side["side"] in {"before", "prior to"} else 1
    base = span.start if sign < 0 else span.over - DAY
    counted = None if side["n"] in {None, "the"} else count(side["n"])[0]
    return _stretch_beside(side["word"], base, sign, counted)


def _stretch_beside(word: str, base: datetime, sign: int, counted: int | None) -> Span | None:
    if word in WEEKDAYS:
        return spans.pick(spans.occurrences(word, base), base, sign)
    unit = UNITS[word]
    if unit == "weekend":
        around = [spans.weekend(base + 7 * step * DAY) for step in range(-2, 3)]
        return spans.pick(around, base, sign)
    if unit == "week" and counted is None:
        start = base - 7 * DAY if sign < 0 else base + DAY
        return Span(start, start + 7 * DAY, Grain.WEEK)
    steps = sign * (counted or 1)
    if unit in {"day", "week"}:
        return spans.day(spans.shifted(unit, base, steps))
    return spans.unit(unit, base, steps) if unit != "hour" else None
