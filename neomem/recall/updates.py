"""Of two statements of the same thing the newer comes first, when it is asked how things stand.

"How many sources are in my library?" may be answered by "45 sources, tagged by theme" almost as
well as by "I have now added 52 sources", and words alone cannot tell which still holds. The newer
one counts as the update of an older one when both were said by the same speaker, both have a
figure, and the newer one says that something is new.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from neomem.recall.evidence import Candidate
from neomem.recall.scoring import Scored

_OUTDATED = 0.99
"""Just enough to come after what has replaced it."""
_LOOKED_AT = 5
"""Best hits among which updates are looked for."""
_AMENDS = 2.0
"""How much further an update reaches that sleep has found."""

_PRESENT = re.compile(
    r"\b(?:is|are|am|do|does|have|has|should|currently|now)\b|'s\b", re.IGNORECASE
)
_PAST = re.compile(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
_FIGURE = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b", re.IGNORECASE
)
_NEWS = re.compile(
    r"\b(?:now|new|newly|recently|updated?|changed|increased|decreased|adjusted|reschedul\w+|moved|"
    r"moving|extended|expanded|improved|instead|no longer|anymore|switched|grown?|growth|reached|"
    r"latest|revised|raised|reduced|shifted|postponed|pushed)\b",
    re.IGNORECASE,
)


def asks_how_it_is(question: str) -> bool:
    """Tell whether a question is about the present."""
    return bool(_PRESENT.search(question)) and not _PAST.search(question)


def newer_first(question: str, scored: Sequence[Scored], reach: float) -> list[Scored]:
    """Let an update answer as well as what it updates, and come before it.

    Unless the older one is better by more than `reach`, in logarithms of the odds.
    """
    if not reach or not asks_how_it_is(question):
        return list(scored)
    best = _looked_at(scored)
    raised = {each.id: each for each in best}
    # From the oldest on, so that an update of an update comes before both.
    for newer in sorted(best, key=lambda each: _said(each.candidate)):
        older = [raised[each.id] for each in best if _updates(newer, each, reach)]
        if not older:
            continue
        top = max((raised[newer.id], *older), key=lambda each: each.score)
        raised[newer.id] = replace(raised[newer.id], relevance=top.relevance, score=top.score)
        raised |= {each.id: _outdated(each) for each in older}
    joined = [raised.get(each.id, each) for each in scored]
    return sorted(joined, key=lambda each: (-each.score, each.id))


def _looked_at(scored: Sequence[Scored]) -> list[Scored]:
    """Return the best, and what is known to update one of them, wherever it is ranked."""
    best = {each.id for each in scored[:_LOOKED_AT]}
    return [
        each for each in scored if each.id in best or not best.isdisjoint(each.candidate.amends)
    ]


def _outdated(older: Scored) -> Scored:
    factor = older.factors.get("outdated", 1.0) * _OUTDATED
    factors = {**older.factors, "outdated": factor}
    return replace(older, factors=factors, score=older.score * _OUTDATED)


def _updates(newer: Scored, older: Scored, reach: float) -> bool:
    """Tell whether one of two hits is an update of the other, which is ranked above it."""
    new, old = newer.candidate, older.candidate
    lead = _odds(older.score) - _odds(newer.score)
    if lead <= 0 or lead >= reach * (_AMENDS if old.id in new.amends else 1.0):
        return False
    return old.id in new.amends or (
        _said_after(new, old)
        and bool(_NEWS.search(new.text))
        and bool(_FIGURE.search(new.text))
        and bool(_FIGURE.search(old.text))
    )


def _said_after(new: Candidate, old: Candidate) -> bool:
    """Tell whether the same speaker said one after the other; facts go by their capture.

    A summary goes by the source it is judged by, and beside other summaries only: one turn of
    yesterday is no news of all that it stands for.
    """
    comparable = new.speaker == old.speaker and _sort(new) == _sort(old)
    return comparable and _said(new) > _said(old)


def _sort(each: Candidate) -> tuple[bool, bool]:
    return each.kind == "summary", bool(each.turn_order)


def _said(each: Candidate) -> tuple[str, float]:
    return each.turn_order or "", each.created_at


def _odds(chance: float) -> float:
    kept = min(max(chance, 1e-12), 1 - 1e-12)
    return math.log(kept / (1 - kept))
