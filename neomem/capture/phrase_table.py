"""The table of expressions of time: cue words, how it is written, what it means."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from neomem.capture import phrase_meanings as meaning
from neomem.capture.calendar_spans import Span
from neomem.capture.calendar_words import (
    ALL_MONTHS,
    DAY_WORDS,
    HAN_YEARS,
    HOLIDAYS,
    NUMBERS,
    PARTS,
    SEASONS,
    SHORT_WEEKDAYS,
    STEPS,
    STEPS_AFTER,
    UNITS,
    WEEKDAYS,
    any_of,
)
from neomem.capture.phrase_context import Found, Said

Resolver = Callable[[Said, Found], Span | None]

_HAN_LETTERS = "\u4e00-\u9fff"
_TOKEN = re.compile(rf"[{_HAN_LETTERS}]|[^\W\d_{_HAN_LETTERS}]+|\d[\da-z]*")
_PLAIN_TOKEN = re.compile(r"[a-z]+|\d[\da-z]*")
_FIGURE = re.compile(r"\d[\d./-]{3}")


class Row(NamedTuple):
    """A form of words: what may make one look for it, how it is written, what it means."""

    cues: frozenset[str]
    written: str
    resolve: Resolver
    explicit: bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """How it is written, compiled at the first use: all of them would slow the start."""
        return _compiled(self.written)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def rows_for(text: str) -> set[Row]:
    """Return the rows that a text in lower case has a cue for."""
    tokens = set((_PLAIN_TOKEN if text.isascii() else _TOKEN).findall(text))
    rows = {row for cue in tokens & _BY_CUE.keys() for row in _BY_CUE[cue]}
    if _FIGURE.search(text):
        rows.update(_FIGURE_ROWS)
    return rows


def _cues(*words: str) -> frozenset[str]:
    """Return the longest token of each expression, which a text must have to contain it."""
    return frozenset(max(_TOKEN.findall(word), key=len) for word in words)


def _row(cues: frozenset[str], pattern: str, resolve: Resolver) -> Row:
    bounded = rf"\b(?<![$€£])(?<!\d[.,])(?:{pattern})(?!\w)"
    return Row(cues, bounded, resolve, explicit=False)


def _date(cues: frozenset[str], pattern: str, resolve: Resolver) -> Row:
    return _row(cues, pattern, resolve)._replace(explicit=True)


def _free(cues: frozenset[str], pattern: str, resolve: Resolver) -> Row:
    """Return a row that may begin and end within what looks like a word, as in Chinese."""
    return Row(cues, pattern, resolve, explicit=False)


def _parted(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the words with letters, and those in Chinese."""
    all_words = list(words)
    han = [word for word in all_words if re.search(f"[{_HAN_LETTERS}]", word)]
    return [word for word in all_words if word not in han], han


_UNITS, _HAN_UNITS = _parted(UNITS)
_NUMBERS, _HAN_NUMBERS = _parted(NUMBERS)
_DAYS, _HAN_DAYS = _parted(DAY_WORDS)
_SEASONS, _HAN_SEASONS = _parted(SEASONS)
_PERIODS = [word for word in _UNITS if UNITS[word] not in {"hour", "day"}]
_NAMED = [*WEEKDAYS, *SHORT_WEEKDAYS, *ALL_MONTHS, *_SEASONS, *HOLIDAYS]

_COUNT = rf"(?<!half )(?P<n>\d[\d,]{{0,7}}|{any_of(_NUMBERS)})"
_COUNTS = rf"{_COUNT}(?: ?(?:-|\u2013|to|or|bis|oder|à|ou) ?(?P<m>\d{{1,4}}|{any_of(_NUMBERS)}))?"
_UNIT = rf"(?P<unit>{any_of(_UNITS)})"
_PERIOD = rf"(?P<period>{any_of([*_PERIODS, *_NAMED])})"
_STEP = rf"(?P<step>{any_of(STEPS)})"
_PART = rf"(?:(?P<part>{any_of(PARTS)})(?: of| de)?(?: the)?[ -])?"
_IN = (
    r"(?:in|during|since|until|till|by|im|seit|bis|en|dans|depuis|desde|durante|nel|dal|sinds|"
    r"в|во|\u0441|до) (?:the |l'|el |le |year |jahr )?"
)
_LED = rf"(?P<lead>{_IN}|(?={any_of(PARTS)}\b)){_PART}"
_YEAR = r"(?P<year>(?:19|20)\d\d)(?![.,:/-]?\d|%|-)"
_OF_YEAR = rf"(?:,? (?:of |de |del )?(?:{_YEAR}|(?:in )?(?P<step>last|this|next) year))"
_MONTH = rf"(?P<month>{any_of(ALL_MONTHS)})"
_SEASON = rf"(?P<season>{any_of(_SEASONS)})"
_DAY = r"(?P<date>[0-3]?\d)"
_NO_VERB = r"(?! (?:i|be|not|you|we|he|she|they|it|have|seem)\b)"
_FIGURES = (
    r"[0-9][0-9]{0,3}[./-]\d\d?[./-]\d{1,4}"
    r"(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?(?![\w/-]|\.\d)"
)
_YEARS = (
    r"(?P<year>(?:19|20)\d\d)(?: ?(?:to|and|until|till|-|\u2013) ?(?P<last>(?:19|20)\d\d))?"
    r"(?P<russian> год\w*)?(?![\w%]|[.,:/-]\d|-)"
    r"(?! (?:percent|people|persons?|steps|met(?:er|re)s|miles|words|dollars|euros|bucks|km|users|"
    r"pages|rows|lines|items|calories|points|times|hours|minutes|characters|tokens|files)\b)"
)
_HAN_AWAY = rf"(?P<n>\d{{1,4}}|{any_of(_HAN_NUMBERS)})(?P<unit>{any_of(_HAN_UNITS)})(?:之|以)?"

_UNIT_CUES = _cues(*(word for word in _PERIODS if word != "an"), "days", "tagen")
_MONTH_CUES, _SEASON_CUES = _cues(*ALL_MONTHS), _cues(*_SEASONS)
_DECADE_CUES = frozenset(
    f"{century}{tens}{mark}"
    for century in ("", "18", "19", "20")
    for tens in ("00", *range(10, 100, 10))
    for mark in ("s", "er")
)

_ROWS = (
    # the days around today
    _row(_cues(*_DAYS), rf"(?P<day>{any_of(_DAYS)})(?!(?<=today)'s)", meaning.day_word),
    _free(_cues(*_HAN_DAYS), rf"(?P<day>{any_of(_HAN_DAYS)})", meaning.day_word),
    _row(_cues("other"), r"the other day", meaning.the_other_day),
    # so many days, weeks, months ago
    _row(
        _cues("ago", "back"),
        rf"{_COUNTS} {_UNIT}(?P<half> and a half)? (?:ago|back)(?! (?:to|in)\b)",
        meaning.ago,
    ),
    _row(_cues("vor", "seit"), rf"(?:vor|seit) {_COUNTS} {_UNIT}", meaning.ago),
    _row(_cues("il", "depuis"), rf"(?:il y a|depuis) {_COUNTS} {_UNIT}", meaning.ago),
    _row(_cues("hace"), rf"hace {_COUNTS} {_UNIT}", meaning.ago),
    _row(_cues("fa", "geleden"), rf"{_COUNTS} {_UNIT} (?:fa|geleden)", meaning.ago),
    _row(_cues("назад"), rf"(?:{_COUNT} )?{_UNIT} назад", meaning.ago),
    _free(_cues("前"), rf"{_HAN_AWAY}前", meaning.ago),
    _row(
        _UNIT_CUES,
        rf"(?:have|has|been|\w+'ve)\b[^.!?]{{0,60}}? for (?:\w+ ){{0,2}}?{_COUNTS} {_UNIT}",
        meaning.ago,
    ),
    # so many from now
    _row(_UNIT_CUES, rf"{_COUNTS} {_UNIT} from now", meaning.ahead),
    _row(_UNIT_CUES, rf"in {_COUNTS} {_UNIT}", meaning.ahead),
    _row(_cues("dans", "dentro"), rf"(?:dans|dentro de) {_COUNTS} {_UNIT}", meaning.ahead),
    _row(_cues("через"), rf"через (?:{_COUNT} )?{_UNIT}", meaning.ahead),
    _free(_cues("后"), rf"{_HAN_AWAY}后", meaning.ahead),
    # stretches that end or begin today
    _row(_UNIT_CUES, rf"{_STEP} {_COUNT} {_UNIT}", meaning.rolling),
    _row(
        _UNIT_CUES,
        rf"(?P<step>(?<=the )(?:last|next)|past|coming) (?P<n>){_UNIT}(?! of)",
        meaning.rolling,
    ),
    # the last, this, the next
    _row(
        _UNIT_CUES | _cues(*_NAMED),
        rf"(?:(?<!the )|(?=past)){_STEP} {_PERIOD}(?! of)",
        meaning.directed,
    ),
    _row(
        _cues("weekend", "wochenende"),
        r"(?:for|over|on|during|at|am|le) (?P<step>)(?:the )?(?P<period>weekend|wochenende)",
        meaning.directed,
    ),
    _row(_cues(*STEPS_AFTER), rf"{_PERIOD} (?P<step>{any_of(STEPS_AFTER)})", meaning.directed),
    _free(
        _cues("上", "下", "这", "本"),
        r"(?P<step>上上|下下|上|下|这|本)个?(?P<unit>周末|周|星期|礼拜|月)"
        r"(?P<weekday>[一二三四五六日天])?",
        meaning.han_period,
    ),
    _row(
        _cues(*WEEKDAYS),
        rf"(?<!black )(?<!good )(?P<from>{any_of(WEEKDAYS)}(?: to | through | bis | ?[-\u2013] ?))?"
        rf"(?P<weekday>{any_of(WEEKDAYS)})(?: (?:of )?(?P<step>last|this|next) week)?"
        r"(?! (?:morning|afternoon|evening|night)s\b)",
        meaning.weekday,
    ),
    _row(
        _cues(*SHORT_WEEKDAYS),
        rf"(?P<from>)(?<=on )(?P<weekday>{any_of(SHORT_WEEKDAYS)})(?P<step>)",
        meaning.weekday,
    ),
    _row(
        _cues(*HOLIDAYS),
        rf"(?P<holiday>{any_of(HOLIDAYS)}){_OF_YEAR}?",
        meaning.holiday,
    ),
    # dates
    _date(
        _MONTH_CUES,
        rf"{_MONTH}\.? {_DAY}(?P<th>st|nd|rd|th)?(?![\w:%]|[.,/]\d){_OF_YEAR}?",
        meaning.month_day,
    ),
    _date(
        _MONTH_CUES,
        rf"{_DAY}(?P<th>st|nd|rd|th|er|\.|º| of)?(?: of| de)? {_MONTH}{_NO_VERB}{_OF_YEAR}?",
        meaning.month_day,
    ),
    _date(_MONTH_CUES, rf"(?P<lead>){_PART}{_MONTH}\.?{_OF_YEAR}", meaning.month),
    _date(_MONTH_CUES, rf"{_LED}{_MONTH}{_OF_YEAR}?", meaning.month),
    _date(_SEASON_CUES, rf"{_PART}{_SEASON}{_OF_YEAR}", meaning.season),
    _row(
        _SEASON_CUES,
        rf"(?:in|during|over|for|since|im|en|au|in de) (?:the |l'|el )?{_PART}{_SEASON}",
        meaning.season,
    ),
    _row(_cues("летом"), r"(?P<season>летом|зимой|весной|осенью)", meaning.season),
    _date(_DECADE_CUES, rf"{_PART}(?P<century>1[89]|20)(?P<tens>\d0)(?:s|er)", meaning.decade),
    _date(
        _DECADE_CUES,
        rf"(?:the |den ){_PART}'?(?P<century>)(?P<tens>[2-9]0)(?:s|er)",
        meaning.decade,
    ),
    _free(
        _cues(*HAN_YEARS),
        rf"(?P<year>{any_of(HAN_YEARS)})的?(?P<season>{any_of(_HAN_SEASONS)})?",
        meaning.han_year,
    ),
    _free(
        _cues("年"),
        r"(?P<year>(?:19|20)\d\d)年(?:(?P<month>1?\d)月(?:(?P<date>[1-3]?\d)[日号])?)?",
        meaning.han_date,
    ),
    _free(_cues("月"), r"(?P<year>)(?P<month>1?\d)月(?P<date>[1-3]?\d)[日号]", meaning.han_date),
)
# Tried on a text with a long number; a pattern that begins with a figure is found fast.
_FIGURE_ROWS = (
    Row(frozenset(), _FIGURES, meaning.written, explicit=True),
    Row(frozenset(), _YEARS, meaning.year, explicit=True),
)


def _index() -> dict[str, tuple[Row, ...]]:
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for row in _ROWS:
        for cue in row.cues:
            found[cue].append(row)
    return {cue: tuple(rows) for cue, rows in found.items()}


_BY_CUE = _index()
