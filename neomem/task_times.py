"""Times as people write them into a task file, with the zone they mean."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

_MOMENT = re.compile(
    r"""
    \W* (?P<date> [0-9]{4}-[0-9]{2}-[0-9]{2})
    (?: (?:T|\s+) (?P<hour> [0-9]{1,2}) (?P<rest> :[0-9]{2} (?: :[0-9]{2} (?:\.[0-9]{1,6})? )? )
        \s* \(? (?P<zone> [A-Za-z][A-Za-z0-9_/+:-]* | [+-][0-9:]{1,5} )?
    )?
    """,
    re.VERBOSE,
)
_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])([0-9]{1,2})(?::?([0-9]{2}))?")

# Where two places share letters, the one whose people write them most.
_ZONES = (
    "UTC=0 GMT=0 Z=0 WET=0 WEST=1 BST=1 WAT=1 CET=1 CEST=2 SAST=2 EET=2 EEST=3 EAT=3 MSK=3 TRT=3 "
    "PKT=5 IST=5.5 ICT=7 WIB=7 SGT=8 HKT=8 MYT=8 PHT=8 AWST=8 JST=9 KST=9 "  # codespell:ignore
    "ACST=9.5 AEST=10 AEDT=11 NZST=12 NZDT=13 BRT=-3 ART=-3 EST=-5 EDT=-4 CST=-6 CDT=-5 MST=-7 "
    "MDT=-6 PST=-8 PDT=-7 AKST=-9 AKDT=-8 HST=-10"
)
_HOURS = {name: float(hours) for name, _, hours in (z.partition("=") for z in _ZONES.split())}


def moment(written: str, zone: tzinfo) -> datetime | None:
    """Return the moment a text begins with, in its own zone or in `zone`; a date is midnight."""
    found = _MOMENT.match(written)
    if not found:
        return None
    time = f"{int(found['hour'] or 0):02}{found['rest'] or ':00'}"
    try:
        return datetime.fromisoformat(f"{found['date']}T{time}").replace(
            tzinfo=_zone(found["zone"] or "") or zone
        )
    except ValueError:
        return None


def written_moment(at: datetime) -> str:
    """Return a moment as `moment` reads it, exact to the minute."""
    plain = at.replace(tzinfo=None)
    known = _zone(at.tzname() or "")
    same = known is not None and known.utcoffset(plain) == at.utcoffset()
    zone = at.tzname() if same else at.strftime("%z")
    return f"{plain.isoformat(' ', 'minutes')} {zone}".rstrip()


def _zone(name: str) -> tzinfo | None:
    hours = _HOURS.get(name.upper())
    if hours is not None:
        return timezone(timedelta(hours=hours), name.upper()) if hours else UTC
    offset = _OFFSET.fullmatch(name.upper())
    try:
        if offset:
            ahead = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
            return timezone(ahead if offset[1] == "+" else -ahead)
        return ZoneInfo(name) if "/" in name else None
    except (ValueError, KeyError, OSError):  # no such zone, or none are installed
        return None
