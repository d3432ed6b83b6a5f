"""What must hold for any text and any date of reading times."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from neomem.capture.calendar_words import DAY_WORDS, MONTHS, NUMBERS, STEPS, UNITS, WEEKDAYS
from neomem.capture.event_time import Moment, event_time, read_date

ZONES = st.timezones()
SAID = st.datetimes(timezones=ZONES)
USUAL = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=ZONES)  # noqa: DTZ001
ANYTHING = st.text(st.characters(codec=None), max_size=60)
WORDS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *(*DAY_WORDS, *MONTHS, *NUMBERS, *STEPS, *UNITS, *WEEKDAYS),
                *(
                    "ago",
                    "in",
                    "the",
                    "before",
                    "after",
                    "from",
                    "now",
                    "of",
                    "for",
                    "have",
                    "year",
                ),
                *(
                    "Christmas",
                    "Easter",
                    "early",
                    "May",
                    "90s",
                    "1900s",
                    ":",
                    ",",
                    "-",
                    "/",
                    ".",
                    "年",
                ),
            ]
        ),
        st.integers(-10, 10_000).map(str),
        st.integers(0).map(str),
        ANYTHING,
    ),
    max_size=8,
)
TEXTS = st.one_of(ANYTHING, WORDS.map(" ".join), WORDS.map("".join))


def is_sound(found: Moment | None) -> bool:
    if found is None:
        return True
    return found.at.tzinfo is UTC and (
        found.until is None or (found.until.tzinfo is UTC and found.until > found.at)
    )


@given(text=TEXTS, said_at=SAID)
def test_any_text_has_a_sound_time_or_none(text, said_at):
    assert is_sound(event_time(text, said_at))


@given(written=st.one_of(TEXTS, st.integers(), st.floats(), st.none()), zone=ZONES)
def test_any_field_is_a_sound_date_or_none(written, zone):
    assert is_sound(read_date(written, zone=zone))


@given(days=st.integers(0, 3650), said_at=USUAL)
def test_so_many_days_ago_is_exactly_that_day_where_it_was_said(days, said_at):
    found = event_time(f"It was {days} days ago.", said_at)

    assert found is not None
    assert found.until is None
    midnight = said_at.replace(hour=0, minute=0, second=0, microsecond=0)
    assert found.at == (midnight - timedelta(days=days)).astimezone(UTC)


@given(text=TEXTS, said_at=USUAL, space=st.text(" \t\n", max_size=3))
def test_spaces_around_a_text_change_nothing(text, said_at, space):
    assert event_time(space + text + space, said_at) == event_time(text, said_at)


@given(said=USUAL, zone=ZONES)
def test_an_iso_time_is_read_as_it_was_written(said, zone):
    found = read_date(said.isoformat(), zone=zone)

    assert found is not None
    assert found.at == said.astimezone(UTC)


@given(said=USUAL, zone=ZONES)
def test_seconds_since_1970_are_read_as_that_time(said, zone):
    seconds = int(said.timestamp())

    found = read_date(seconds, zone=zone)

    if seconds >= 10**8:
        assert found == Moment(at=datetime.fromtimestamp(seconds, UTC))
