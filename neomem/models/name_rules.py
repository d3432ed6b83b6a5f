"""Names by rule: what can be said of a name from how it is written and what stands around it.

Plain functions over words; spaCy, which cuts a text into them, is behind its own door.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from neomem.models.name_words import (
    BEFORE_MONTHS,
    BEFORE_SUBJECTS,
    CALENDAR,
    FUNCTION,
    MONTHS_AND_NAMES,
    NEVER,
    PARTICLES,
    SUFFIXES,
    TITLES,
    UNITS,
)
from neomem.ports import EntityType, Found, Name
from neomem.text import ordinary_words


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: where it stands, and whether a sentence begins with it."""

    text: str
    start: int
    end: int
    first: bool


# ---- names that their form gives away ------------------------------------------------------------

_NOBODY = re.compile(
    r"[!-~]{150,}"  # no word is that long, and looking at it takes its square
    r"|\b(?:https?|ftp|file)://\S+|\bwww\.\S+"
    r"|\b[\w.+-]+@[\w-]+\.[\w.-]*\w"
)
_HANDLE = re.compile(r"(?<![\w@./])@[A-Za-z_][\w-]{1,38}(?:\.\w+)*")
_FILE = (
    r"(?:c|cc|cfg|conf|cpp|cs|css|csv|cypher|db|docx|go|h|html|ini|ipynb|java|jpg|js|json|jsonl|jsx"
    r"|kt|lock|log|lua|md|mjs|parquet|pdf|php|png|pptx|proto|py|rb|rs|rst|sh|sql|sqlite|svg|swift"
    r"|toml|ts|tsx|txt|vue|wasm|xlsx|xml|ya?ml|zip)"
)
_CODE = re.compile(
    r"`(?P<ticked>[^`\s][^`\n]{0,78}?)`"
    r"|(?<![\w/.])(?:~|\.{1,2})?/(?:[\w.@+-]+/)*[\w.@+-]*\w/?(?![\w/])"  # /etc/hosts, ./run
    rf"|(?<![\w/.])(?:[\w@+-]+/)+[\w.@+-]+\.{_FILE}\b"  # src/app.py
    rf"|(?<![\w./])[\w-]+(?:\.[\w-]+)*\.{_FILE}\b"  # app.py, TASKS.md
    r"|\b[A-Za-z]:\\[\w\\.-]+"  # C:\temp
    r"|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b"  # NEOMEM_HOME
    r"|\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b(?:\(\))?"  # snake_case
    r"|\b[a-z]{2,}(?:[A-Z][a-z0-9]+)+\b(?:\(\))?"  # camelCase
    r"|\b[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*\(\)"  # call(), module.call()
)
_QUOTED = re.compile(
    r"“([^”\n]{2,60})”|«\s?([^»\n]{2,60}?)\s?»|„([^“”\n]{2,60})[“”]|(?<!\w)\"([^\"\n]{2,60})\"(?!\w)"
    r"|(?<!\w)_([A-Z][^_\n]{1,60})_(?!\w)|(?<![\w*])\*([A-Z][^*\n]{1,60})\*(?![\w*])"
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)*[a-z]?")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_MIXED_CASE = re.compile(r"[a-z]{1,3}[A-Z][a-z]|[A-Z][a-z]+[A-Z]|[A-Z]{2,}[a-z]{2,}")
_MODEL_NUMBER = re.compile(r"[A-Z][A-Za-z]*-?\d+[A-Za-z]*$")
_LETTERS = re.compile(r"[^\W\d_]+")
_SHORT_WORD, _LONGEST_TITLE = 3, 8


def readable(text: str) -> str:
    """Return the text, of the same length, without addresses and what is no language."""
    return _NOBODY.sub(lambda match: " " * len(match[0]), text)


def written(text: str) -> list[Found]:
    """Return handles, code, files and quoted titles."""
    found = [_found(text, *m.span(), "handle", 0.95) for m in _HANDLE.finditer(text)]
    for match in _CODE.finditer(text):
        span = match.span("ticked") if match["ticked"] else match.span()
        found.append(_found(text, *span, "code", 0.9))
    for match in _QUOTED.finditer(text):
        start, end = match.span(match.lastindex or 0)
        if _is_title(text[start:end]):
            found.append(_found(text, start, end, "work", 0.7))
    return found


def _is_title(quoted: str) -> bool:
    """Tell "The Name of the Wind" from "I told you so"."""
    words = quoted.split()
    long = [word for word in words if len(word) > _SHORT_WORD or word is words[0]]
    return (
        len(words) <= _LONGEST_TITLE
        and quoted[-1] not in ".,!?;:"
        and all(word[:1].isupper() or word[:1].isdigit() for word in long)
        and not (len(words) == 1 and words[0].lower() in ordinary_words())
    )


# ---- names by their capitals ---------------------------------------------------------------------

_SURE = 0.8
"""What evidence must amount to where a capital says little, and what a version adds up to."""
_ACRONYM = 3
_MOSTLY = 0.6


def capitals(words: Sequence[Word], text: str, *, nouns_too: bool = False) -> list[Found]:
    """Return runs of capitalised and mixed-case words, as sure as the evidence makes them.

    `nouns_too`: a language that gives every noun a capital, so that one alone says nothing.
    """
    if _is_shouted(words):
        return []
    inside = {word.text for word in words if not word.first and _is_capital(word.text)}
    found: list[Found] = []
    for begin, end in _runs(words):
        first = _after_opening(words, begin, end, inside)
        name = _judge(words, first, end, text, inside) if first < end else None
        doubtful = nouns_too and end - first == 1
        if name and (name.confidence >= _SURE or not doubtful):
            found.append(name)
    return found


def _runs(words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield where words with capitals stand together, with what joins them in between."""
    index = 0
    while index < len(words):
        if not _is_name_word(words, index):
            index += 1
            continue
        end = index + 1
        while step := _continues(words, end):
            end += step
        yield index, end
        index = end


def _continues(words: Sequence[Word], end: int) -> int:
    """Return how many words further the run goes: over particles, hyphens, initials' dots."""
    for step, word in enumerate(words[end : end + _LONGEST_JOINT], start=1):
        if word.first and not _abbreviates(words[end - 1]):
            return 0
        if _is_name_word(words, end + step - 1):
            return 0 if _is_title_word(word) and not _is_title_word(words[end - 1]) else step
        if not _joins(words, end + step - 1):
            return 0
    return 0


_LONGEST_JOINT = 3


def _joins(words: Sequence[Word], index: int) -> bool:
    """Tell the hyphen of Jean-Paul and the & of Marks & Spencer from other signs."""
    word, before = words[index], words[index - 1]
    after = words[index + 1] if index + 1 < len(words) else None
    if word.text in {"-", "'", "’"}:
        return after is not None and before.end == word.start and word.end == after.start
    if word.text == ".":
        return len(before.text) == 1 and before.end == word.start
    return word.text == "&" or word.text in PARTICLES


def _abbreviates(word: Word) -> bool:
    return len(word.text.rstrip(".")) <= 1 or _is_title_word(word)


def _is_title_word(word: Word) -> bool:
    return word.text.rstrip(".").lower() in TITLES


def _is_name_word(words: Sequence[Word], index: int) -> bool:
    text = words[index].text
    lower = text.lower()
    if not _is_capital(text) or text in NEVER or lower in CALENDAR:
        return False
    if lower in MONTHS_AND_NAMES and _in_date(words, index):
        return False
    return not (text.isupper() and len(text) > _ACRONYM and lower in ordinary_words())


def _in_date(words: Sequence[Word], index: int) -> bool:
    """Tell the month from May and April, who are people too."""
    before = words[index - 1].text.lower() if index else ""
    after = words[index + 1].text if index + 1 < len(words) else ""
    return before in BEFORE_MONTHS or before[:1].isdigit() or after[:1].isdigit()


def _is_capital(word: str) -> bool:
    if word[-1:].isdigit():
        return bool(_MODEL_NUMBER.match(word))
    return word[:1].isupper() or bool(_MIXED_CASE.match(word))


def _is_shouted(words: Sequence[Word]) -> bool:
    letters = [word.text for word in words if word.text.isalpha()]
    return len(letters) > _ACRONYM and sum(map(str.isupper, letters)) > _MOSTLY * len(letters)


def _after_opening(words: Sequence[Word], first: int, end: int, inside: set[str]) -> int:
    """Pass over a word that has its capital from the sentence alone, and what joined it."""
    word = words[first]
    if not (word.first and _is_ordinary(word.text) and word.text not in inside):
        return first
    first += 1
    while first < end and not _is_capital(words[first].text):
        first += 1
    return first


def _is_ordinary(word: str) -> bool:
    return word.lower() in ordinary_words() and not _MIXED_CASE.match(word)


def _judge(
    words: Sequence[Word], first: int, end: int, text: str, inside: set[str]
) -> Found | None:
    titled = first > 0 and _is_title_word(words[first - 1])
    while first < end and _is_title_word(words[first]):
        titled, first = True, first + 1
    if first == end:
        return None  # a title alone is nobody
    run = words[first:end]
    kind, confidence = ("person", 0.9) if titled else _evidence(run, inside)
    stop = run[-1].end
    version = _version_after(words, end)
    if version and kind in {"other", "product"}:
        kind, confidence, stop = "product", max(confidence, _SURE), version.end
    return _found(text, run[0].start, stop, kind, confidence)


def _evidence(run: Sequence[Word], inside: set[str]) -> tuple[EntityType, float]:
    head, *rest = (word.text.lower().rstrip(".") for word in run)
    if rest and rest[-1] in SUFFIXES:
        return SUFFIXES[rest[-1]], 0.85
    if rest and rest[0] == "of" and head in SUFFIXES:
        return SUFFIXES[head], 0.8
    if any(_MIXED_CASE.match(word.text) or _MODEL_NUMBER.match(word.text) for word in run):
        return "product", 0.8
    ordinary = all(_is_ordinary(word.text) for word in run)
    if rest:
        return "other", 0.75 if ordinary else 0.85
    if run[0].first and run[0].text not in inside:
        return "other", 0.5
    return "other", 0.45 if ordinary else 0.75


def _version_after(words: Sequence[Word], index: int) -> Word | None:
    """Return the version number behind a product; years and measures are none."""
    if index >= len(words) or words[index].first:
        return None
    number = words[index]
    follows = words[index + 1].text.lower() if index + 1 < len(words) else ""
    plain = _VERSION.fullmatch(number.text) and not _YEAR.fullmatch(number.text)
    return number if plain and follows not in UNITS else None


# ---- which of them the text is about -------------------------------------------------------------


def with_subjects(found: Sequence[Found], words: Sequence[Word]) -> list[Found]:
    """Mark the names that open their sentence, before anything is said of them."""
    return [replace(each, subject=_opens(each, words)) for each in found]


def _opens(name: Found, words: Sequence[Word]) -> bool:
    before: list[str] = []
    for word in words:
        if word.first:
            before = []
        if word.start >= name.start:
            break
        before.append(word.text.lower().rstrip("."))
    after = next((word.text for word in words if word.start >= name.end), "")
    return after not in {"'s", "’s", "'", "’"} and all(
        word in BEFORE_SUBJECTS or word in TITLES or not word.isalnum() for word in before
    )


# ---- one answer from several voices --------------------------------------------------------------

# How sure a rule, or the head, must be of a name the other does not see, and a rule to cut a name
# its own way where they overlap; chosen on the dev sets (docs/models.md).
RULE_ALONE, HEAD_ALONE, RULE_CUTS = 0.86, 0.6, 0.85


def agreed(by_rule: Sequence[Found], names: Sequence[Name], text: str) -> list[Found]:
    """Put the rules' names and the head's together; where they cut differently, the surer wins."""
    names = [name for name in names if could_be_name(text[name.start : name.end])]
    found: list[Found] = []
    seen: set[Name] = set()
    for rule in by_rule:
        others = [name for name in names if _overlap(rule, (name.start, name.end))]
        seen.update(others)
        same = next((n for n in others if (n.start, n.end) == (rule.start, rule.end)), None)
        if same:
            sure = 1 - (1 - rule.confidence) * (1 - same.confidence)
            kind = same.type if rule.type == "other" else rule.type
            found.append(replace(rule, type=kind, confidence=round(sure, 3)))
        elif not others:
            found += [rule] if rule.confidence >= RULE_ALONE else []
        elif rule.confidence >= RULE_CUTS:
            kind = others[0].type if rule.type == "other" else rule.type
            found.append(replace(rule, type=kind))
        else:
            found += [_of(name, text) for name in others]
    found += [_of(n, text) for n in names if n not in seen and n.confidence >= HEAD_ALONE]
    return found


def could_be_name(written: str) -> bool:
    """Tell whether something may be a name at all: not function words, nor ordinary small ones."""
    words = _LETTERS.findall(written)
    if words and all(word.lower() in FUNCTION for word in words):
        return written.isupper() and len(written) > 1  # US, IT
    return not words or any(not word.islower() or not _is_ordinary(word) for word in words)


def _of(name: Name, text: str) -> Found:
    return _found(text, name.start, name.end, name.type, name.confidence)


def merge(*voices: Sequence[Found]) -> list[Found]:
    """Return what was found in order; where two overlap, the earlier voice wins, then length."""
    kept: list[Found] = []
    for voice in voices:
        for found in sorted(voice, key=lambda each: (each.start - each.end, each.start)):
            if not any(_overlap(other, (found.start, found.end)) for other in kept):
                kept.append(found)
    return sorted(kept, key=lambda each: each.start)


# ---- small things --------------------------------------------------------------------------------


def _found(text: str, start: int, end: int, kind: EntityType, confidence: float) -> Found:
    return Found(" ".join(text[start:end].split()), kind, start, end, confidence)


def _overlap(found: Found, span: tuple[int, int]) -> bool:
    return found.start < span[1] and span[0] < found.end
