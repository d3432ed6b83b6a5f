"""What a text looks like, whatever it is about: it asks, tells of oneself, names a time."""

import re
import time
from dataclasses import dataclass
from functools import lru_cache

from neomem.recall import terms

_HOW_MANY = re.compile(r"\bhow (?:many|much|often|old|long|far)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|dozen|couple)\b",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:i(?:'m|'ve|'d|'ll)?|my|me|mine|myself|we(?:'re|'ve)?|our|us)\b", re.IGNORECASE
)
_OTHER = re.compile(r"\b(?:you(?:'re|'ve|'ll)?|yours?|ur?)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+|\"[^\"]+\"|'[A-Z][^']+'")
_REACTION = re.compile(
    r"(?:wow|woah|thanks|thank|that's|that is|(?:that )?sounds|congrats|awesome|great|cool|nice|"
    r"amazing|glad|sorry|yeah|yes|no problem|sure|absolutely|definitely|totally|hey|hi|hello|oh|"
    r"aww?)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z']+")
_A_FEW = 5
"""Words added to a text's own, so that one word of a short text is no large share."""

_MONTHS: dict[str, int] = {
    name: number
    for number, name in enumerate(
        re.findall(
            r"\w+",
            "january february march april may june july august september october november december",
        ),
        start=1,
    )
}
_DATE = re.compile(
    rf"\b(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?:of\s+)?)?(?P<month>{'|'.join(_MONTHS)})\b"
    r"(?:\s+(?P<after>\d{1,2})(?:st|nd|rd|th)?\b)?,?(?:\s+(?P<year>\d{4}))?"
    r"|\b(?P<alone>(?:19|20)\d\d)(?:-(?P<m>\d\d)(?:-(?P<d>\d\d))?)?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Form:
    """Signs that can be seen without knowing the question."""

    asks: bool
    time: bool
    number: bool
    of_self: float
    """Share of its words that are the speaker's "I" and "my"."""
    to_other: float
    """The same of "you"."""
    names: bool
    """Something is called by a name inside a sentence, or quoted."""
    reacts: bool
    """It begins as an answer to what somebody said: "Wow", "Thanks"."""


@lru_cache(maxsize=20_000)
def form(text: str, speaker: str | None = None) -> Form:
    """Return what a text looks like; who says it stands before it and is not looked at."""
    said = text.removeprefix(f"{speaker}: ") if speaker else text
    words = len(_WORD.findall(said)) + _A_FEW
    return Form(
        asks=terms.is_question(said),
        time=terms.has_time(said),
        number=bool(_NUMBER.search(said)),
        of_self=len(_SELF.findall(said)) / words,
        to_other=len(_OTHER.findall(said)) / words,
        names=bool(_NAME.search(said)),
        reacts=bool(_REACTION.match(said)),
    )


def asks_how_many(question: str) -> bool:
    """Tell whether a question asks for a number."""
    return bool(_HOW_MANY.search(question))


Date = tuple[int | None, int | None, int | None]
"""Year, month and day, as far as they were said."""


def date_named(question: str) -> Date | None:
    """Return the date a question names; the word "may" alone is none."""
    for found in _DATE.finditer(question):
        if found["alone"]:
            return int(found["alone"]), _number(found["m"]), _number(found["d"])
        day = _number(found["before"] or found["after"])
        month = _MONTHS[found["month"].lower()]
        if day or found["year"] or found["month"] != "may":
            return _number(found["year"]), month, day
    return None


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None


def falls_on(at: float, date: Date) -> tuple[bool, bool]:
    """Tell whether a moment is in the month that was named, and whether it is on the day."""
    moment = time.gmtime(at)
    fits = [
        said is None or said == is_
        for said, is_ in zip(date, (moment.tm_year, moment.tm_mon, moment.tm_mday), strict=True)
    ]
    return all(fits[:2]), all(fits)
