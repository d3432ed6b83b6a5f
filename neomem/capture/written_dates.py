"""Dates as people, programs and mail write them."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from neomem.capture.calendar_spans import LAST_MONTH, Moment, Span, day, local, month, year
from neomem.capture.calendar_words import WRITTEN_MONTHS, WRITTEN_WEEKDAYS, ZONES, any_of, fold

_LONGEST = 100
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TURN_OF_CENTURY = 69  # POSIX: a year 69 is 1969, a year 68 is 2068
_ISO = re.compile(r"\d{4}-?\d{2}-?\d{2}(?:[t ]\d{2}.*)?", re.DOTALL)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?")
_ASIDE = re.compile(r"\([^)]*\)")
_CLOCK = re.compile(
    r"""(?<![\w.:/-])(?:
        (?P<hour>\d{1,2})\s?[:h]\s?(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?
        (?:\s?(?P<half>[ap])\.?m\b\.?)? | (?P<full>\d{1,2})\s?(?P<noon>[ap])\.?m\b\.?
    )(?:\s?uhr\b)?
    (?:\s*(?P<zone>(?:utc|gmt)?[+-]\d{2}:?\d{2}(?!\d)|"""
    rf"{any_of(ZONES)}\b))?",
    re.VERBOSE,
)
_IDLE = WRITTEN_WEEKDAYS | {
    *("on", "at", "the", "of", "le", "el", "il", "del", "de", "den", "der", "am", "um"),
    *("a", "las", "uhr", "st", "nd", "rd", "th", "er"),
}
_PIECE = re.compile(r"\d+|[^\W\d_]+|[^\w\s,]")
_HAN = str.maketrans({"年": "-", "月": "-", "日": " ", "号": " ", "년": "-", "월": "-", "일": " "})


def read_date(written: str | float | None, *, zone: tzinfo = UTC) -> Moment | None:
    """Return the moment a date field states, or None when it cannot be read.

    A date without a zone is in `zone`. `05/08/2023` is month first and `08.05.2023` day first,
    unless a number above 12 settles it. Numbers are a year (four digits), a compact date (8 or
    14), or the time since 1970 in seconds, milli-, micro- or nanoseconds, by their size.
    """
    span = read_span(written)
    return span.moment(zone) if span else None


def read_span(written: str | float | None) -> Span | None:
    """Return the stretch of time a date field states, or None when it cannot be read."""
    try:
        if isinstance(written, bool) or written is None:
            return None
        if not isinstance(written, str):
            return _number(written)
        plain = written.strip()
        if not plain or len(plain) > _LONGEST:
            return None
        if re.fullmatch(r"\d+(?:\.\d+)?", plain, re.ASCII) and not plain.startswith("0"):
            return _number(plain)
        return _iso(plain) or _words(fold(plain))
    except (ValueError, OverflowError, OSError):
        return None


def _number(written: str | float) -> Span | None:
    digits = str(written).partition(".")[0]
    compact = _COMPACT.fullmatch(digits)
    if _is_year(digits):
        return year(int(digits))
    if compact:
        return day(local(*(int(part or 0) for part in compact.groups())))
    value = float(written)
    for size in (1, 1e3, 1e6, 1e9):
        if 1e8 <= value / size < 1e11:  # noqa: PLR2004 - 1973 to 5138
            return day(_EPOCH + timedelta(seconds=value / size))
    return None


def _iso(plain: str) -> Span | None:
    if not _ISO.fullmatch(plain.lower()):
        return None
    try:
        return day(datetime.fromisoformat(plain.upper()))
    except ValueError:
        return None


def _words(plain: str) -> Span | None:
    rest = _ASIDE.sub(" ", plain).translate(_HAN)
    clock = _CLOCK.search(rest)
    if clock:
        rest = f"{rest[: clock.start()]} {rest[clock.end() :]}"
    span = _date(_pieces(rest))
    if clock is None or span is None:
        return span
    return day(at_clock(span.start, clock)) if span.end is None else None


def find_clock(text: str, start: int = 0) -> re.Match[str] | None:
    """Return a time of day that stands exactly there."""
    return _CLOCK.match(text, start)


def at_clock(date: datetime, clock: re.Match[str]) -> datetime:
    """Return the day at a time of day, in its zone if it names one."""
    hour = int(clock["hour"] or clock["full"])
    half = clock["half"] or clock["noon"]
    if half and hour not in range(1, 13):
        raise ValueError("no such hour")
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    minute, second = int(clock["minute"] or 0), int(clock["second"] or 0)
    time = date.replace(hour=hour, minute=minute, second=second)
    return time.replace(tzinfo=_zone(clock["zone"])) if clock["zone"] else time


def _zone(written: str) -> tzinfo | None:
    offset = re.search(r"([+-])(\d{2}):?(\d{2})", written)
    if not offset:
        return timezone(timedelta(hours=ZONES[written])) if written in ZONES else None
    ahead = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
    return timezone(ahead if offset[1] == "+" else -ahead)


def _pieces(written: str) -> list[str]:
    """Return the numbers, words and separators that matter."""
    return [piece for piece in _PIECE.findall(written) if piece not in _IDLE]


def _date(pieces: list[str]) -> Span | None:
    dotted = "." in pieces
    parts = [piece for piece in pieces if piece not in {"-", "/", ".", "'"}]
    if not all(part.isdigit() or part in WRITTEN_MONTHS for part in parts):
        return None
    names = [part for part in parts if part in WRITTEN_MONTHS]
    numbers = [part for part in parts if part.isdigit()]
    if len(names) == 1:
        return _named(WRITTEN_MONTHS[names[0]], numbers)
    return _numeric(numbers, day_first=dotted) if not names else None


def _named(number: int, others: list[str]) -> Span | None:
    """Return a date whose month is a word."""
    match others:
        case [whole] if _is_year(whole):
            return month(int(whole), number)
        case [first, second] if _is_year(first):
            return _day(int(first), number, int(second))
        case [first, second]:
            return _day(_year(second), number, int(first))
        case _:
            return None


def _numeric(numbers: list[str], *, day_first: bool) -> Span | None:
    match numbers:
        case [whole] if _is_year(whole):
            return year(int(whole))
        case [first, second] if _is_year(first):
            return month(int(first), _checked(second))
        case [first, second] if _is_year(second):
            return month(int(second), _checked(first))
        case [first, second, third] if _is_year(first):
            return _day(int(first), int(second), int(third))
        case [first, second, third]:
            date, number = int(first), int(second)
            if number > LAST_MONTH or (date <= LAST_MONTH and not day_first):
                date, number = number, date
            return _day(_year(third), number, date)
        case _:
            return None


def _checked(number: str) -> int:
    if not 1 <= int(number) <= LAST_MONTH:
        raise ValueError("no such month")
    return int(number)


def _day(year: int, month: int, date: int) -> Span:
    return day(local(year, month, date))


def _is_year(written: str) -> bool:
    return len(written) == 4  # noqa: PLR2004 - digits


def _year(written: str) -> int:
    if len(written) == 2:  # noqa: PLR2004 - years of two digits
        return int(written) + (1900 if int(written) >= _TURN_OF_CENTURY else 2000)
    if not _is_year(written):
        raise ValueError("no such year")
    return int(written)
