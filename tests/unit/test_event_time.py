from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from neomem.capture.event_time import Moment, event_time, read_date

SAID = datetime(2023, 6, 9, 13, 56, tzinfo=UTC)  # a Friday


def stated(found: Moment | None) -> str | None:
    """A moment as the tables write it: a day or a time, or two of them with dots between."""
    if found is None:
        return None
    ends = [found.at, found.until] if found.until else [found.at]
    return "..".join(end.strftime("%Y-%m-%dT%H:%M").removesuffix("T00:00") for end in ends)


# --- dates in fields ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2023-05-08", "2023-05-08"),
        ("2023-05-08T13:56:00Z", "2023-05-08T13:56"),
        ("2023-05-08 13:56", "2023-05-08T13:56"),
        ("2023-05-08T13:56:00.123456789+02:00", "2023-05-08T11:56"),
        ("20230508T135600Z", "2023-05-08T13:56"),
        ("20230508", "2023-05-08"),
        ("20230508135600", "2023-05-08T13:56"),
        ("8 May, 2023", "2023-05-08"),
        ("May 8, 2023", "2023-05-08"),
        ("May 8th, 2023", "2023-05-08"),
        ("March-15-2024", "2024-03-15"),
        ("2024 March 15", "2024-03-15"),
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56"),
        ("12 am on 1 Jan 2020", "2020-01-01"),
        ("12:30 a.m. on 1 Jan 2020", "2020-01-01T00:30"),
        ("2023/05/08 (Mon) 13:56", "2023-05-08T13:56"),
        ("2023-05-08 1:56 PM", "2023-05-08T13:56"),
        ("Mon, 08 May 2023 13:56:00 +0200", "2023-05-08T11:56"),
        ("Mon, 08 May 2023 13:56:00 GMT", "2023-05-08T13:56"),
        ("8 May 2023 13:56 EST", "2023-05-08T18:56"),
        ("Mon May 08 2023 13:56:00 GMT+0200 (Central European Summer Time)", "2023-05-08T11:56"),
        ("Mon May  8 13:56:00 2023", "2023-05-08T13:56"),
        ("13:56 oct 8 2023", "2023-10-08T13:56"),
        ("05/08/2023", "2023-05-08"),
        ("25/12/2023", "2023-12-25"),
        ("12/25/2023", "2023-12-25"),
        ("08.05.2023", "2023-05-08"),
        ("2023. 5. 8.", "2023-05-08"),
        ("05/08/23", "2023-05-08"),
        ("8-May-23", "2023-05-08"),
        ("8 May '99", "1999-05-08"),
        ("1 Jan 68", "2068-01-01"),
        ("1 Jan 69", "1969-01-01"),
        ("8. März 2023", "2023-03-08"),
        ("8. Mai 2023 um 14:30 Uhr", "2023-05-08T14:30"),
        ("8 août 2023", "2023-08-08"),
        ("1er janvier 2020", "2020-01-01"),
        ("le 8 mai 2023 à 14h30", "2023-05-08T14:30"),
        ("8 de mayo de 2023", "2023-05-08"),
        ("8 maggio 2023", "2023-05-08"),
        ("8 mei 2023", "2023-05-08"),
        ("8 мая 2023", "2023-05-08"),
        ("2023年5月8日", "2023-05-08"),
        ("May 2023", "2023-05-01..2023-06-01"),
        ("December 2023", "2023-12-01..2024-01-01"),
        ("2023-05", "2023-05-01..2023-06-01"),
        ("05/2023", "2023-05-01..2023-06-01"),
        ("2023年5月", "2023-05-01..2023-06-01"),
        ("2023", "2023-01-01..2024-01-01"),
        ("1683554160", "2023-05-08T13:56"),
        ("1683554160123", "2023-05-08T13:56"),
        ("9999-12-31", "9999-12-31"),
    ],
)
def test_a_date_is_read_in_any_common_form(written, expected):
    assert stated(read_date(written)) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (2023, "2023-01-01..2024-01-01"),
        (20230508, "2023-05-08"),
        (1683554160, "2023-05-08T13:56"),
        (1683554160.5, "2023-05-08T13:56"),
        (1683554160123, "2023-05-08T13:56"),
        (1683554160123456, "2023-05-08T13:56"),
        (1683554160123456789, "2023-05-08T13:56"),
    ],
)
def test_a_number_is_a_year_a_compact_date_or_the_time_since_1970(written, expected):
    assert stated(read_date(written)) == expected


@pytest.mark.parametrize(
    "written",
    [
        *(None, True, "", "   ", "tomorrow", "room 2023", "v1.2.2023", "May", "13:56", "8 May"),
        *("0000-01-01", "0000", "2023-02-30", "Feb 30 2023", "2023-13", "13/2023", "99/99/2023"),
        *("2023-05-08T25:00", "8 May 2023 25:00", "8 May 2023 13 pm", "0 May 2023", "8 May 123"),
        *("May June 2023", "May 1 2 2023", "1 2 3 4", "May 2023 13:56", "²", "\ud800", "x" * 1000),
        *("9" * 5000, "2" + "0" * 30, "-7", -5, 0, 12345, 10**30, -1e300),
        *(float("nan"), float("inf"), "9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00"),
    ],
)
def test_what_is_no_date_is_not_read(written):
    assert read_date(written) is None


def test_the_last_year_of_the_calendar_ends_with_it():
    first = datetime(9999, 1, 1, tzinfo=UTC)

    assert read_date("9999") == Moment(at=first, until=datetime.max.replace(tzinfo=UTC))


def test_a_date_without_a_zone_is_in_the_one_given():
    found = read_date("2023-05-08 13:56", zone=ZoneInfo("Europe/Berlin"))

    assert stated(found) == "2023-05-08T11:56"
    assert stated(read_date("2023-05-08 13:56Z", zone=ZoneInfo("Europe/Berlin"))) == (
        "2023-05-08T13:56"
    )


# --- the time a text speaks of ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I went to a concert yesterday.", "2023-06-08"),
        ("Yesterday's game was great", "2023-06-08"),
        ("I feel great today", "2023-06-09"),
        ("See you tonight", "2023-06-09"),
        ("I ran this morning", "2023-06-09"),
        ("We slept badly last night", "2023-06-08"),
        ("See you tomorrow at 3pm", "2023-06-10T15:00"),
        ("at 3 pm tomorrow", "2023-06-10T15:00"),
        ("Yesterday at 7:30 am we left", "2023-06-08T07:30"),
        ("the day before yesterday", "2023-06-07"),
        ("the day after tomorrow", "2023-06-11"),
        ("Just the other day I found it", "2023-06-02..2023-06-09"),
        ("a couple of days ago", "2023-06-07"),
        ("a few days ago", "2023-06-04..2023-06-08"),
        ("three hours ago", "2023-06-09T10:56"),
        ("two weeks ago", "2023-05-22..2023-05-29"),
        ("2-3 weeks ago", "2023-05-15..2023-05-29"),
        ("two weekends ago", "2023-05-27..2023-05-29"),
        ("a few months ago", "2023-01-01..2023-05-01"),
        ("10 years ago", "2013-01-01..2014-01-01"),
        ("a few years back", "2018-01-01..2022-01-01"),
        ("a year and a half ago", "2021-12-01..2022-01-01"),
        ("a month and a half ago", "2023-04-24..2023-05-01"),
        ("two decades ago", "2000-01-01..2010-01-01"),
        ("3 days from now", "2023-06-12"),
        ("a week from today", "2023-06-16"),
        ("It starts in two weeks", "2023-06-19..2023-06-26"),
        ("in a few days", "2023-06-11..2023-06-15"),
        ("I have known them for 4 years", "2019-01-01..2020-01-01"),
        ("I've lived here for about three months", "2023-03-01..2023-04-01"),
        ("the past week was hard", "2023-06-02..2023-06-10"),
        ("over the past few weeks", "2023-05-05..2023-06-10"),
        ("in the last month", "2023-05-09..2023-06-10"),
        ("in the next 3 days", "2023-06-09..2023-06-13"),
        ("in the coming weeks", "2023-06-09..2023-07-15"),
    ],
)
def test_days_and_counted_units_are_taken_from_the_day_it_was_said(text, expected):
    assert stated(event_time(text, SAID)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("last Friday", "2023-06-02"),
        ("last fri", "2023-06-02"),
        ("this past Tuesday", "2023-06-06"),
        ("by next Tuesday", "2023-06-13"),
        ("next Friday", "2023-06-16"),
        ("this Friday", "2023-06-09"),
        ("We met on Monday", "2023-06-05"),
        ("We will meet on Monday", "2023-06-12"),
        ("The exam is on Monday", "2023-06-12"),
        ("I worked. The exam is on Monday", "2023-06-12"),
        ("On Friday we met", "2023-06-02"),
        ("See you on Friday", "2023-06-16"),
        ("It's Friday!", "2023-06-09"),
        ("on Sat", "2023-06-10"),
        ("since Monday", "2023-06-05"),
        ("I finished all of it that is due by Monday", "2023-06-12"),
        ("Monday of next week", "2023-06-12"),
        ("Tuesday last week", "2023-05-30"),
        ("last week", "2023-05-29..2023-06-05"),
        ("next month", "2023-07-01..2023-08-01"),
        ("this year", "2023-01-01..2024-01-01"),
        ("last year", "2022-01-01..2023-01-01"),
        ("last decade", "2010-01-01..2020-01-01"),
        ("this weekend", "2023-06-10..2023-06-12"),
        ("We went camping this weekend", "2023-06-03..2023-06-05"),
        ("Any plans for the weekend?", "2023-06-10..2023-06-12"),
        ("this past weekend", "2023-06-03..2023-06-05"),
        ("last weekend", "2023-06-03..2023-06-05"),
        ("last summer", "2022-06-01..2022-09-01"),
        ("this summer", "2023-06-01..2023-09-01"),
        ("next summer", "2024-06-01..2024-09-01"),
        ("last winter", "2022-12-01..2023-03-01"),
        ("We went there in spring", "2023-03-01..2023-06-01"),
        ("summer of 2019", "2019-06-01..2019-09-01"),
        ("last May", "2023-05-01..2023-06-01"),
        ("next May", "2024-05-01..2024-06-01"),
        ("this March", "2023-03-01..2023-04-01"),
    ],
)
def test_last_this_and_next_name_a_calendar_stretch(text, expected):
    assert stated(event_time(text, SAID)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in May", "2023-05-01..2023-06-01"),
        ("in July", "2022-07-01..2022-08-01"),
        ("I will start in July", "2023-07-01..2023-08-01"),
        ("in June", "2023-06-01..2023-07-01"),
        ("in May 2021", "2021-05-01..2021-06-01"),
        ("May of last year", "2022-05-01..2022-06-01"),
        ("last year in May", "2022-05-01..2022-06-01"),
        ("in late May", "2023-05-21..2023-06-01"),
        ("at the beginning of April", "2023-04-01..2023-04-11"),
        ("on 7 May", "2023-05-07"),
        ("May 7th", "2023-05-07"),
        ("march 8th", "2023-03-08"),
        ("the 5th of June", "2023-06-05"),
        ("June 5-7", "2023-06-05"),
        ("5 May last year", "2022-05-05"),
        ("at 5 pm on 7 May", "2023-05-07T17:00"),
        ("I want to prepare for May 31", "2023-05-31"),
        ("The meeting was on December 1", "2022-12-01"),
        ("It will be on December 1", "2023-12-01"),
        ("February 29", "2024-02-29"),
        ("the week before 9 June 2023", "2023-06-02..2023-06-09"),
        ("the week after the 9th of June 2023", "2023-06-10..2023-06-17"),
        ("two weeks before 9 June 2023", "2023-05-26"),
        ("the month before May 2021", "2021-04-01..2021-05-01"),
        ("the weekend before 9 June 2023", "2023-06-03..2023-06-05"),
        ("the Sunday before 25 May 2023", "2023-05-21"),
        ("two days before Christmas 2022", "2022-12-23"),
        ("back in 2019", "2019-01-01..2020-01-01"),
        ("since 2016", "2016-01-01..2017-01-01"),
        ("in early 2020", "2020-01-01..2020-05-02"),
        ("from 2010 to 2015", "2010-01-01..2016-01-01"),
        ("in the 90s", "1990-01-01..2000-01-01"),
        ("the late '80s", "1986-09-01..1990-01-01"),
        ("the 20s", "2020-01-01..2030-01-01"),
        ("music of the 1990s", "1990-01-01..2000-01-01"),
        ("a book from the 1900s", "1900-01-01..2000-01-01"),
        ("We met at Christmas", "2022-12-25"),
        ("We are going to Rome for Christmas", "2023-12-25"),
        ("this Christmas", "2023-12-25"),
        ("on New Year\u2019s Eve", "2022-12-31"),
        ("for Halloween last year", "2022-10-31"),
        ("last Thanksgiving", "2022-11-24"),
        ("on Memorial Day", "2023-05-29"),
        ("on Mother's Day", "2023-05-14"),
        ("at Easter 2024", "2024-03-31"),
        ("at Easter 2019", "2019-04-21"),
        ("It broke at 2023-05-08T13:56:00Z", "2023-05-08T13:56"),
        ("Let's meet 2023-06-15 14:00", "2023-06-15T14:00"),
        ("on 08.05.2023", "2023-05-08"),
        ("on 05/08/2023", "2023-05-08"),
        ("12/31/22", "2022-12-31"),
    ],
)
def test_dates_months_years_and_holidays_are_found_in_a_text(text, expected):
    assert stated(event_time(text, SAID)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gestern", "2023-06-08"),
        ("übermorgen", "2023-06-11"),
        ("letzte Woche", "2023-05-29..2023-06-05"),
        ("letzten Freitag", "2023-06-02"),
        ("vor zwei Wochen", "2023-05-22..2023-05-29"),
        ("seit drei Jahren", "2020-01-01..2021-01-01"),
        ("Am Montag war ich dort", "2023-06-05"),
        ("am 5. Mai 2022", "2022-05-05"),
        ("im Mai", "2023-05-01..2023-06-01"),
        ("Nous avons mangé hier", "2023-06-08"),
        ("la semaine dernière", "2023-05-29..2023-06-05"),
        ("l\u2019été dernier", "2022-06-01..2022-09-01"),
        ("il y a deux jours", "2023-06-07"),
        ("dans trois jours", "2023-06-12"),
        ("en mars 2020", "2020-03-01..2020-04-01"),
        ("samedi prochain", "2023-06-10"),
        ("ayer", "2023-06-08"),
        ("la semana pasada", "2023-05-29..2023-06-05"),
        ("el próximo mes", "2023-07-01..2023-08-01"),
        ("hace dos semanas", "2023-05-22..2023-05-29"),
        ("5 de mayo de 2022", "2022-05-05"),
        ("вчера", "2023-06-08"),
        ("на прошлой неделе", "2023-05-29..2023-06-05"),
        ("две недели назад", "2023-05-22..2023-05-29"),
        ("через неделю", "2023-06-12..2023-06-19"),
        ("прошлым летом", "2022-06-01..2022-09-01"),
        ("в 2019 году", "2019-01-01..2020-01-01"),
        ("昨天", "2023-06-08"),
        ("我上周去了北京", "2023-05-29..2023-06-05"),
        ("上周五", "2023-06-02"),
        ("下个月", "2023-07-01..2023-08-01"),
        ("去年", "2022-01-01..2023-01-01"),
        ("去年夏天", "2022-06-01..2022-09-01"),
        ("两周前", "2023-05-22..2023-05-29"),
        ("三天后", "2023-06-12"),
        ("2023年5月8日", "2023-05-08"),
        ("2023年5月", "2023-05-01..2023-06-01"),
        ("2019年", "2019-01-01..2020-01-01"),
        ("5月8日", "2023-05-08"),
    ],
)
def test_the_commonest_forms_are_known_in_other_languages(text, expected):
    assert stated(event_time(text, SAID)) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "at noon", "at 3 pm", "a while ago", "months ago", "one day", "the next day"),
        *("May I come?", "I may go", "this may be", "7 may be enough", "too late may be bad"),
        *("march on", "They march 10 miles", "This march was great", "Mars 2020", "mayo"),
        *("a second", "sunny", "he sat on it", "on sun", "mon ami", "April went home"),
        *("2019 people", "in 2000 steps", "room 2023", "class of 2010", "$1999", "in $2019"),
        *("version 1.2.2023", "v2023.5", "10.12.2023.4", "2023-05-08-1", "a/2023/05/08", "1/2 cup"),
        *("in 2019%", "from 2015 to 2010", "APR 5.2%", "31.02.2023", "February 30", "in 2024-99"),
        *(
            "every Friday",
            "every other Friday",
            "on Fridays",
            "Friday nights",
            "each May",
            "any May",
        ),
        *("once a week", "three times a year", "Monday to Friday", "Black Friday", "jeden Montag"),
        *("Christmas tree", "I love Halloween", "every Christmas", "I love hiking in summer"),
        *(
            "like it was yesterday",
            "in today's world",
            "the last week of school",
            "half a year ago",
        ),
        *("I did it in two weeks", "We were teammates for four years", "since we last talked"),
        *(
            "last time",
            "next adventure",
            "in her 30s",
            "24/7",
            "1.5 years ago",
            "a decade and a half ago",
        ),
        *("Wir sind hier", "Guten Morgen", "por la mañana", "每周五", "99月99日", "the past hour"),
        *("Feb 29 2023", "99999999 years ago", "99999999 days from now", "9" * 5000, "\ud800 is"),
    ],
)
def test_what_only_looks_like_a_time_is_none(text):
    assert event_time(text, SAID) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Last year was good, but yesterday was better", "2023-06-08"),
        ("Since 2016 we meet; last week we did", "2023-05-29..2023-06-05"),
        ("Today I signed up for 7 May 2024", "2024-05-07"),
        ("Yesterday rained, tomorrow will not", "2023-06-08"),
        ("In 2019, or three years ago", "2019-01-01..2020-01-01"),
        ("every Friday, but last Friday too", "2023-06-02"),
    ],
)
def test_the_most_exact_then_the_one_with_a_date_then_the_first_wins(text, expected):
    assert stated(event_time(text, SAID)) == expected


def test_the_day_is_the_one_where_it_was_said():
    late = datetime(2023, 6, 9, 23, 30, tzinfo=timezone(timedelta(hours=-5)))

    found = event_time("yesterday", late)

    assert found == Moment(at=datetime(2023, 6, 8, 5, tzinfo=UTC))


def test_a_time_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        event_time("yesterday", SAID.replace(tzinfo=None))


@pytest.mark.parametrize("text", ["yesterday", "last decade", "in May", "last Friday", "last week"])
def test_a_time_before_the_calendar_is_none(text):
    assert event_time(text, datetime(1, 1, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize(
    "text", ["tomorrow", "next year", "in two weeks", "next Friday", "next May"]
)
def test_a_time_after_the_calendar_is_none(text):
    assert event_time(text, datetime(9999, 12, 31, tzinfo=UTC)) is None


def test_a_text_is_read_to_a_limit_only():
    assert event_time("x " * 10_000 + "yesterday", SAID) is None


@pytest.mark.parametrize("until", [SAID, SAID - timedelta(days=1)])
def test_a_moment_ends_after_it_begins(until):
    with pytest.raises(ValueError, match="ends after"):
        Moment(at=SAID, until=until)


def test_a_moment_is_in_utc():
    with pytest.raises(ValueError, match="UTC"):
        Moment(at=SAID.astimezone(timezone(timedelta(hours=1))))
