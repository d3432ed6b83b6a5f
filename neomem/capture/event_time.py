"""The time a text speaks of, read against the day it was said.

Each row of the table is a form of words and what it means; the rows whose cue words a text has
are tried on it, so a text without any costs one look at its words. What is decided:

- The most exact expression wins; among equals one that names a date, then the first.
- Weeks begin on Monday; "last week", "two months ago" and "in 2019" are whole calendar weeks,
  months and years, "the past week" is the seven days up to now. Seasons are northern.
- "last Friday" is the latest before today, "next Friday" the first after it, "Friday" the last
  one when the nearest verb is in the past, else the coming one. "In May" is the latest May unless
  words of the future are near. "On 7 May" and holidays are the nearest one when that is within 60
  days, else the tense decides, else again the nearest.
- "Since 2016" and "have … for three years" are the time it began. Habits have no time.
"""

from collections.abc import Iterator
from datetime import datetime
from operator import itemgetter

from neomem.capture.calendar_spans import Grain, Moment, Span
from neomem.capture.phrase_context import Said, beside, is_habit, with_clock
from neomem.capture.phrase_table import Row, rows_for
from neomem.capture.written_dates import read_date

__all__ = ["Moment", "event_time", "read_date"]

Rank = tuple[Grain, bool, int, int, str]

_LONGEST = 20_000


def event_time(text: str, said_at: datetime) -> Moment | None:
    """Return the time the text speaks of, seen from `said_at`, or None when it names none.

    Only the first 20,000 characters are read.
    """
    if said_at.tzinfo is None:
        raise ValueError("said_at needs a time zone")
    rows = rows_for(text[:_LONGEST].lower())
    if not rows:
        return None
    written = " ".join(text[:_LONGEST].replace("\u2019", "'").split())
    now = said_at.replace(tzinfo=None)
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    said = Said(written, written.lower(), today, now)
    found = [pair for row in rows for pair in _look(row, said)]
    return min(found, key=itemgetter(0))[1].moment(said_at.tzinfo) if found else None


def _look(row: Row, said: Said) -> Iterator[tuple[Rank, Span]]:
    """Yield what a row finds, each with a rank that puts the best first whatever row found it."""
    for found in row.pattern.finditer(said.text):
        if is_habit(said, found):
            continue
        try:
            span = row.resolve(said, found)
            span = span and beside(said, found, span)
            span = span and with_clock(said, found, span)
        except (ValueError, OverflowError):  # a day that is not in the calendar
            continue
        if span:
            rank = (span.grain, not row.explicit, found.start(), -found.end(), str(span.start))
            yield rank, span
