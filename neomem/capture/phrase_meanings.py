"""What an expression of time means, given the words around it and the day it was said."""

import re

from neomem.capture import calendar_spans as spans
from neomem.capture.calendar_spans import DAY, Grain, Span
from neomem.capture.calendar_words import (
    ALL_MONTHS,
    DAY_WORDS,
    HAN_WEEKDAYS,
    HAN_YEARS,
    HOLIDAYS,
    PARTS,
    SEASONS,
    SHORT_WEEKDAYS,
    STEPS,
    STEPS_AFTER,
    UNITS,
    WEEKDAYS,
    any_of,
    count,
)
from neomem.capture.phrase_context import Found, Said, tense
from neomem.capture.written_dates import read_span

_FRENCH = re.compile(r"\b(?:ai|suis|est|était|nous|vous|avec|dans|les|une|avons|soir|matin)\b")
_NOT_A_DAY = re.compile(
    r"(?:(?:like|as if) (?:it (?:was|were) )?(?:just |only )?|"
    r"\b(?:guten|goede|am|der|den|diesen|la|una|the) )$"
)
_HOLIDAY_LEADS = re.compile(
    r"\b(?:on|at|for|over|during|since|before|after|until|till|by|around|to|in|an|zu|über|nach|vor|"
    r"à|en|pour|por|de|para)(?: the)? $"
)
_YEAR_LEADS = re.compile(
    r"\b(?:(?:in|during|since|until|till|by|before|after|from|between|around|born|year|im|seit|bis|"
    r"en|dans|depuis|desde|durante|nel|dal|sinds|в|\u0441|до) )?(?:the |el )?(?:year |jahre? |año |"
    rf"(?P<part>{any_of(PARTS)})(?: of| de)?[ -])?(?<=\w[ -])$"
)
_YEAR_BEFORE = re.compile(r"\b(?P<step>last|this|next) year,? (?:in |on )?$")
_NOT_FIGURES = re.compile(r"(?:[\w./$€£-]|\b(?:version|release) )$")
_FIGURES = re.compile(
    r"(?:(?:19|20)\d\d([/-])\d\d?\1\d\d?|\d\d?([./-])\d\d?\2(?:19|20)\d\d|\d\d?/\d\d?/\d\d)(?!\d)"
)
_DOUBTFUL = frozenset({"may", "march", "mar", "mars", "sat", "sun", "mon"})
_ALL_STEPS = STEPS | STEPS_AFTER | {"": 0}
_FEW = 5
_REACH = 24
_NEAR = 60 * DAY  # who speaks of another year's date than the near one says so
_DECADES_FROM = 2000


def _is_capital(said: Said, found: Found, group: str) -> bool:
    return said.written[found.start(group) : found.start(group) + 1].isupper()


def day_word(said: Said, found: Found) -> Span | None:
    """Return the day that "yesterday" or "heute" names."""
    word = found["day"]
    if _NOT_A_DAY.search(said.text, max(0, found.start() - 20), found.start()):
        return None
    if word == "hier" and not _FRENCH.search(said.text):
        return None  # German and Dutch for "here"
    return spans.day(said.today + DAY_WORDS[word] * DAY)


def ago(said: Said, found: Found) -> Span | None:
    """Return what lies a number of units before today."""
    return _away(said, found, -1)


def ahead(said: Said, found: Found) -> Span | None:
    """Return what lies a number of units after today."""
    if found[0].startswith("in ") and tense(said, found) < 0:
        return None  # "I finished it in two days" is how long it took
    return _away(said, found, 1)


def _away(said: Said, found: Found, sign: int) -> Span | None:
    low, high = _counted(found)
    unit = UNITS[found["unit"]]
    if unit == "hour":
        return spans.day(said.now + sign * low * DAY / 24)
    if found.groupdict().get("half"):
        return _and_a_half(said, unit, sign * low)
    near, far = (spans.unit(unit, said.today, sign * steps) for steps in (low, high))
    if low == high:
        return near
    first, last = (far, near) if sign < 0 else (near, far)
    return Span(first.start, last.over, Grain(max(near.grain, Grain.DAYS)))


def _and_a_half(said: Said, unit: str, steps: int) -> Span | None:
    sign = -1 if steps < 0 else 1
    match unit:
        case "year":
            return spans.unit("month", said.today, 12 * steps + 6 * sign)
        case "month":
            return spans.week(spans.shifted("month", said.today, steps) + 15 * sign * DAY)
        case _:
            return None


def _counted(found: Found) -> tuple[int, int]:
    low, high = count(found["n"] or "one")
    more = found.groupdict().get("m")
    return (low, max(high, count(more)[1])) if more else (low, high)


def rolling(said: Said, found: Found) -> Span | None:
    """Return the stretch of some units that ends or begins today."""
    unit, sign = UNITS[found["unit"]], STEPS[found["step"]]
    some = _FEW if found["unit"].endswith("s") else 1
    steps = _counted(found)[1] if found["n"] else some
    if unit in {"hour", "weekend"} or (unit == "day" and steps == 1):
        return None
    other = spans.shifted(unit, said.today, sign * steps)
    first, last = (other, said.today) if sign < 0 else (said.today, other)
    grain = spans.unit(unit, said.today, 0).grain
    return Span(first, last + DAY, Grain(max(grain, Grain.DAYS)))


def the_other_day(said: Said, _found: Found) -> Span:
    """Return the days of the past week."""
    return Span(said.today - 7 * DAY, said.today, Grain.DAYS)


def directed(said: Said, found: Found) -> Span | None:
    """Return the last, this or the next week, Friday, May, summer or Christmas."""
    name, step = found["period"], _ALL_STEPS[found["step"]]
    if name in UNITS:
        return _unit(said, found, UNITS[name], step)
    if step == 0 and name in _DOUBTFUL and not _is_capital(said, found, "period"):
        return None  # "this may be"
    name = _whole(name)
    around = spans.occurrences(name, said.today)
    if step:
        return spans.pick(around, said.today, step)
    return _recurring(said, found, around, 1 if name in WEEKDAYS or name in HOLIDAYS else None)


def _unit(said: Said, found: Found, unit: str, step: int) -> Span | None:
    if "past" in found["step"] and unit != "weekend":
        return None  # a stretch that ends today
    over = unit == "weekend" and step == 0 and said.today.weekday() < WEEKDAYS["saturday"]
    return spans.unit(unit, said.today, -1 if over and tense(said, found) < 0 else step)


def _whole(name: str) -> str:
    """Return the whole name of a shortened weekday."""
    number = SHORT_WEEKDAYS.get(name)
    return next((day for day, place in WEEKDAYS.items() if place == number), name)


def weekday(said: Said, found: Found) -> Span | None:
    """Return the Friday that the tense, or "of last week", points to."""
    name = _whole(found["weekday"])
    if found["from"] or (name != found["weekday"] and not _is_capital(said, found, "weekday")):
        return None  # "Monday to Friday"; "on sun"
    if found["step"]:
        monday = spans.unit("week", said.today, STEPS[found["step"]]).start
        return spans.day(monday + WEEKDAYS[name] * DAY)
    around, direction = spans.occurrences(name, said.today), tense(said, found)
    here = spans.present(around, said.today)
    return here if here and not direction else spans.pick(around, said.today, direction or 1)


def holiday(said: Said, found: Found) -> Span | None:
    """Return a holiday that something happens on; a Christmas tree is none."""
    name = found["holiday"]
    at = _year_given(said, found)
    if at:
        return spans.day(spans.holiday(name, at))
    if not _HOLIDAY_LEADS.search(said.text, max(0, found.start() - 16), found.start()):
        return None
    return _yearless(said, found, spans.occurrences(name, said.today))


def _recurring(
    said: Said, found: Found, around: list[Span], idle: int | None = None
) -> Span | None:
    here = spans.present(around, said.today)
    return here or spans.pick(around, said.today, tense(said, found) or idle)


def _yearless(said: Said, found: Found, around: list[Span]) -> Span | None:
    """Return the nearest one if it is near, else the one that the tense points to."""
    nearest = spans.pick(around, said.today, None)
    here = spans.present(around, said.today)
    near = nearest and abs(nearest.start - said.today) <= _NEAR
    return here or (nearest if near else spans.pick(around, said.today, tense(said, found) or None))


def month(said: Said, found: Found) -> Span | None:
    """Return a month, of the year given or the one that the tense points to."""
    name, at = found["month"], _year_given(said, found)
    capital = _is_capital(said, found, "month")
    sure = at or capital or found["lead"]
    if (name == "mars" and capital) or (name in _DOUBTFUL and not sure):
        return None  # the planet; "too late may be"
    if at:
        return _part(found, spans.month(at, ALL_MONTHS[name]))
    return _part(found, _recurring(said, found, spans.occurrences(name, said.today), -1))


def month_day(said: Said, found: Found) -> Span | None:
    """Return a day of a month, of the year given or the one that the tense points to."""
    name, date, at = found["month"], int(found["date"]), _year_given(said, found)
    number = ALL_MONTHS.get(name) or int(name)
    sure = at or _is_capital(said, found, "month") or found.groupdict().get("th")
    if name in _DOUBTFUL and not sure:
        return None  # "7 may be enough"
    if at:
        return spans.day(spans.local(at, number, date))
    around = spans.dates(number, date, said.today)
    return _yearless(said, found, around)


def _year_given(said: Said, found: Found) -> int | None:
    groups, start = found.groupdict(), found.start()
    if groups.get("year"):
        return int(groups["year"])
    before = _YEAR_BEFORE.search(said.text, max(0, start - _REACH), start)
    step = groups.get("step") or (before["step"] if before else None)
    return said.today.year + STEPS[step] if step else None


def _part(found: Found, whole: Span | None) -> Span | None:
    part = found.groupdict().get("part")
    return spans.third(whole, PARTS[part]) if part and whole else whole


def season(said: Said, found: Found) -> Span | None:
    """Return a season of a year, or the one that the tense points to; with neither, none."""
    at = _year_given(said, found)
    if at:
        return _part(found, spans.season(at, SEASONS[found["season"]]))
    if not tense(said, found):
        return None  # "I love hiking in summer"
    return _part(found, _recurring(said, found, spans.occurrences(found["season"], said.today)))


def year(said: Said, found: Found) -> Span | None:
    """Return a year, or the years from one to another, that a word like "in" leads to."""
    start = found.start()
    lead = _YEAR_LEADS.search(said.text, max(0, start - _REACH), start)
    if not lead and not found["russian"]:
        return None
    first, last = spans.year(int(found["year"])), found["last"]
    if last:
        end = spans.year(int(last)).end
        return Span(first.start, end, Grain.YEAR) if end and end > first.start else None
    part = lead["part"] if lead else None
    return spans.third(first, PARTS[part]) if part else first


def decade(said: Said, found: Found) -> Span | None:
    """Return a decade; without its century, the latest one that has begun."""
    century, tens = found["century"], int(found["tens"])
    first = (int(century) if century else said.today.year // 100) * 100 + tens
    if century and not tens and first < _DECADES_FROM:
        return spans.months(first * 12, 1200, Grain.DECADE)  # "the 1900s" are a century
    whole = spans.decade(first if century or first <= said.today.year else first - 100)
    return _part(found, whole)


def written(said: Said, found: Found) -> Span | None:
    """Return a date in figures; a path, a version or a longer number is none."""
    start = found.start()
    if _NOT_FIGURES.search(said.text, max(0, start - _REACH), start):
        return None
    return read_span(found[0]) if _FIGURES.match(found[0]) else None


def han_period(said: Said, found: Found) -> Span | None:
    """Return 上周, 下个月 or 上周五."""
    step = {"上上": -2, "上": -1, "下": 1, "下下": 2}.get(found["step"], 0)
    place = spans.unit(UNITS[found["unit"]], said.today, step)
    weekday = found["weekday"]
    return spans.day(place.start + HAN_WEEKDAYS[weekday] * DAY) if weekday else place


def han_year(said: Said, found: Found) -> Span | None:
    """Return 去年, or 去年夏天."""
    number = said.today.year + HAN_YEARS[found["year"]]
    return spans.season(number, SEASONS[found["season"]]) if found["season"] else spans.year(number)


def han_date(said: Said, found: Found) -> Span | None:
    """Return 2023年5月8日, 2023年5月, 5月8日 or 2023年."""
    at, number, date = (
        int(part) if part else None for part in found.group("year", "month", "date")
    )
    if date and number:
        return month_day(said, found)
    if at and number:
        return spans.month(at, number)
    return spans.year(at) if at else None
