"""Facts between two entities that a text states plainly: who lives where, works for whom.

Only the plainest forms are read, each with the subject and the object where one expects them; a
language model reads more.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from neomem.ports import Found

ONE_AT_A_TIME = frozenset({"LIVES_IN", "WORKS_AT", "MARRIED_TO"})
"""Relations of which a person has one at a time: a new one ends the old."""

_CONFIDENCE = 0.7
_HEDGE = re.compile(
    r"\b(?:not|n't|never|no longer|used to|might|may|could|would|want(?:s|ed)? to|if|maybe|"
    r"hop(?:e|es|ing) to|plan(?:s|ning|ned)? to|perhaps|dream\w*|wish\w*|visit\w*|thinking)\b|\?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")


@dataclass(frozen=True, slots=True)
class Relation:
    """A fact between two entities of a text, by their names."""

    source: str
    type: str
    target: str
    confidence: float = _CONFIDENCE


_VERBS: tuple[tuple[str, re.Pattern[str], frozenset[str]], ...] = tuple(
    (type_, re.compile(rf"(?:{pattern})\s+(?:the\s+)?$", re.IGNORECASE), frozenset(kinds.split()))
    for type_, pattern, kinds in (
        (
            "LIVES_IN",
            (
                r"\b(?:lives?|living|reside[sd]?|settled)\s+in|\b(?:moved|relocated)(?:\s+back)?\s+to"
                r"|\b(?:am|'m|is|are)\s+(?:now\s+)?(?:living|based)\s+in"
            ),
            "place other",
        ),
        (
            "WORKS_AT",
            (
                r"\bworks?\s+(?:at|for)|\bworking\s+(?:at|for)|\bjoined|\bgot\s+hired\s+(?:at|by)"
                r"|\bstarted\s+(?:working\s+)?(?:at|with)"
            ),
            "organisation other product",
        ),
        (
            "STUDIES_AT",
            r"\bstud(?:y|ies|ied|ying)\s+at|\bgraduated\s+from|\benrolled\s+(?:at|in)",
            "organisation other place",
        ),
        ("BORN_IN", r"\b(?:was|were)\s+born\s+in|\bgrew\s+up\s+in", "place other"),
        ("MARRIED_TO", r"\b(?:is|am|'m|got)\s+married\s+to|\bmarried", "person other"),
        (
            "RELATED_TO",
            (
                r"\b(?:my|his|her|our|their)\s+(?:wife|husband|partner|sister|brother|mother|father|"
                r"mum|mom|dad|son|daughter|cousin|aunt|uncle|niece|nephew|girlfriend|boyfriend),?"
            ),
            "person other",
        ),
        (
            "KEEPS",
            r"\b(?:my|our)\s+(?:dog|cat|puppy|kitten|parrot|rabbit|hamster|horse),?",
            "person other place product work",
        ),
    )
)
_MYSELF = re.compile(r"\b(?:i|we|my|our|i'm|i've|we're|we've)\b", re.IGNORECASE)


def relations(text: str, speaker: str | None, found: Sequence[Found]) -> list[Relation]:
    """Return the facts a text states between its entities, or between its speaker and one."""
    lead = len(f"{speaker}: ") if speaker and text.startswith(f"{speaker}: ") else 0
    stated: dict[tuple[str, str, str], Relation] = {}
    for sentence in _SENTENCE.finditer(text, lead):
        if _HEDGE.search(sentence[0]):
            continue
        inside = [f for f in found if sentence.start() <= f.start and f.end <= sentence.end()]
        for each in inside:
            before = text[sentence.start() : each.start]
            for type_, verb, kinds in _VERBS:
                match = verb.search(before)
                source = _subject(before[: match.start()], speaker, inside) if match else None
                if match and type_ in _OWN and speaker:
                    source = speaker
                if source and each.type in kinds and source != each.name:
                    stated[source, type_, each.name] = Relation(source, type_, each.name)
    return list(stated.values())


_OWN = frozenset({"RELATED_TO", "KEEPS"})
"""Relations whose words name the owner themselves: "my sister Ann"."""


def _subject(before: str, speaker: str | None, inside: Sequence[Found]) -> str | None:
    """Return who the verb is about: the one name before it, or the speaker by "I"."""
    names = [each.name for each in inside if each.name in before]
    if speaker and _MYSELF.search(before) and not names:
        return speaker
    return names[0] if len(names) == 1 and not _MYSELF.search(before) else None
