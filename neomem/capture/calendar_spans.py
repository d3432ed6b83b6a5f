"""Days, weeks, months, seasons and years as stretches of time, and the moment one becomes."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import IntEnum
from typing import NamedTuple

from neomem.capture.calendar_words import ALL_MONTHS, HOLIDAYS, SEASONS, WEEKDAYS

DAY = timedelta(days=1)
LAST_MONTH = 12
_SATURDAY = 5
_LAST_YEAR = 9999


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A time in UTC; `until`, the exclusive end, is there only for what is vaguer than a day.

    `at` is the time given, else the start of the day. A month, weekend, season or "last week" is
    the range `at` to `until`, and what is meant lies somewhere in it.
    """

    at: datetime
    until: datetime | None = None

    def __post_init__(self) -> None:
        if self.at.tzinfo is not UTC or (self.until and self.until.tzinfo is not UTC):
            raise ValueError("a moment is in UTC")
        if self.until and self.until <= self.at:
            raise ValueError("a moment ends after it begins")


class Grain(IntEnum):
    """How exact a stretch of time is, the most exact first."""

    DAY = 0
    DAYS = 1
    WEEK = 2
    MONTH = 3
    SEASON = 4
    YEAR = 5
    DECADE = 6


class Span(NamedTuple):
    """A stretch in the local time of whoever wrote it; without an end it is exact to the day."""

    start: datetime
    end: datetime | None
    grain: Grain

    @property
    def over(self) -> datetime:
        """The first moment after it."""
        return self.end or self.start.replace(hour=0, minute=0, second=0, microsecond=0) + DAY

    def moment(self, zone: tzinfo) -> Moment | None:
        """Return it in UTC, or None when that leaves the calendar."""
        try:
            at = _utc(self.start, zone)
            return Moment(at=at, until=_utc(self.end, zone) if self.end else None)
        except (ValueError, OverflowError):
            return None


def _utc(time: datetime, zone: tzinfo) -> datetime:
    return (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(UTC)


def local(*parts: int) -> datetime:
    """Return a time from year, month, day and so on; it has no zone until it is a moment."""
    return datetime(*parts)  # noqa: DTZ001 # pyright: ignore[reportArgumentType]


def day(date: datetime) -> Span:
    """Return the day, or the time of day, as a span."""
    return Span(date, None, Grain.DAY)


def week(date: datetime) -> Span:
    """Return the week of a date, from Monday on."""
    monday = date - date.weekday() * DAY
    return Span(monday, monday + 7 * DAY, Grain.WEEK)


def weekend(date: datetime) -> Span:
    """Return the weekend of a date's week."""
    saturday = date + (_SATURDAY - date.weekday()) * DAY
    return Span(saturday, saturday + 2 * DAY, Grain.DAYS)


def months(first: int, count: int, grain: Grain) -> Span:
    """Return months by their number since year 0; the calendar's end is the end of 9999."""
    return Span(_month_start(first), _month_start(first + count), grain)


def _month_start(number: int) -> datetime:
    if number == (_LAST_YEAR + 1) * 12:
        return datetime.max  # noqa: DTZ901 - local, like all spans
    return local(number // 12, number % 12 + 1, 1)


def month(year: int, number: int) -> Span:
    """Return a month of a year."""
    return months(year * 12 + number - 1, 1, Grain.MONTH)


def year(number: int) -> Span:
    """Return a year."""
    return months(number * 12, 12, Grain.YEAR)


def decade(first: int) -> Span:
    """Return the ten years from one on."""
    return months(first * 12, 120, Grain.DECADE)


def season(year: int, number: int) -> Span:
    """Return a northern season, spring being 0; winter begins in the year it is counted to."""
    return months(year * 12 + 2 + 3 * number, 3, Grain.SEASON)


def unit(name: str, today: datetime, steps: int) -> Span:
    """Return the day, week, month … that lies so many steps from today's."""
    match name:
        case "day":
            return day(today + steps * DAY)
        case "week":
            return week(today + steps * 7 * DAY)
        case "weekend":
            return weekend(today + steps * 7 * DAY)
        case "month":
            return months(today.year * 12 + today.month - 1 + steps, 1, Grain.MONTH)
        case "year":
            return year(today.year + steps)
        case _:
            return decade((today.year // 10 + steps) * 10)


def shifted(name: str, date: datetime, steps: int) -> datetime:
    """Return a date so many units away; a day that the month lacks becomes its last."""
    if name in {"day", "week", "weekend"}:
        return date + steps * (DAY if name == "day" else 7 * DAY)
    size = {"month": 1, "year": 12, "decade": 120}[name]
    first = _month_start(date.year * 12 + date.month - 1 + size * steps)
    last = _month_start(first.year * 12 + first.month) - DAY
    return date.replace(year=first.year, month=first.month, day=min(date.day, last.day))


def third(whole: Span, part: int) -> Span:
    """Return the first, second or last third of a span, cut at midnight."""
    days = (whole.over - whole.start).days
    cuts = [whole.start + (days * cut // 3) * DAY for cut in range(3)]
    return Span(cuts[part], ([*cuts, whole.over])[part + 1], Grain(max(whole.grain - 1, 1)))


def holiday(name: str, year: int) -> datetime:
    """Return the day a holiday falls on."""
    rule = HOLIDAYS[name]
    if not rule:
        return _easter(year)
    first = local(year, rule[0], 1)
    if len(rule) == 2:  # noqa: PLR2004 - month and day
        return first.replace(day=rule[1])
    days = [first + offset * DAY for offset in range(31) if (first + offset * DAY).month == rule[0]]
    chosen = [date for date in days if date.weekday() == rule[1]]
    return chosen[rule[2] - 1 if rule[2] > 0 else rule[2]]


def _easter(year: int) -> datetime:
    """Return Easter Sunday by the Gregorian reckoning of Meeus, Jones and Butcher."""
    century, rest = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (year % 19 + 11 * moon + 22 * sunday) // 451
    month, date = divmod(moon + sunday - 7 * late + 114, 31)
    return local(year, month, date + 1)


def occurrences(name: str, today: datetime) -> list[Span]:
    """Return the weekdays, months, seasons or holidays of a name that lie around today."""
    around = range(-2, 3)
    if name in WEEKDAYS:
        monday = today - today.weekday() * DAY
        return [day(monday + (7 * step + WEEKDAYS[name]) * DAY) for step in around]
    years = [today.year + step for step in around if 0 < today.year + step < _LAST_YEAR]
    if name in SEASONS:
        return [season(number, SEASONS[name]) for number in years]
    if name in HOLIDAYS:
        return [day(holiday(name, number)) for number in years]
    return [month(number, ALL_MONTHS[name]) for number in years]


def dates(month: int, date: int, today: datetime) -> list[Span]:
    """Return the day of a month in the years around today; leap days need eight."""
    found: list[Span] = []
    for number in range(today.year - 8, today.year + 9):
        with suppress(ValueError):
            found.append(day(local(number, month, date)))
    return found


def pick(spans: Iterable[Span], today: datetime, towards: int | None) -> Span | None:
    """Return the last one wholly before today (-1), the next (1), or the nearest (None)."""
    found: Sequence[Span] = list(spans)
    before = next((span for span in reversed(found) if span.over <= today), None)
    after = next((span for span in found if span.start > today), None)
    if towards is not None or not (before and after):
        return (before if towards < 0 else after) if towards else before or after
    return before if today - before.over < after.start - today else after


def present(spans: Iterable[Span], today: datetime) -> Span | None:
    """Return the one that today lies in."""
    return next((span for span in spans if span.start <= today < span.over), None)
