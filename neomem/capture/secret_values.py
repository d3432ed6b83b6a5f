"""Telling a real secret from a placeholder, an expression or an ordinary word."""

import math
import re
from collections import Counter

from neomem.capture.families import value_of

_SHORTEST_PASSWORD = 6
_SHORTEST_KEY = 12
_LONGEST_WORD = 20  # a longer one is a phrase written together
_LEAST_ENTROPY = 2.8  # bits per character; twelve random hex digits have about three
_TELLING = 64  # characters of a value that are looked at
_FEWEST_CHARACTERS = 4  # different ones, in anything that is not just a sample

_PLACEHOLDER = re.compile(
    r"""
      x{4,} | [*]{3,} | [.]{3,} | [•●█]{2,} | _{4,} | \?{3,}
    | < | \{\{ | \$[{(] | ^%\w+%$ | ^[$%@:\#&]\{?[a-z_][\w.\[\]]*\}?$ | ^\{[\w.!]+\}$
    | 1234567890 | 0123456789 | abcdefghij | example(?:key)?$
    | (?:^|[-_.\s\[])
      (?:your|my|example|placeholder|insert|replace|redacted|change|dummy|fake|sample|removed|here)
      (?:$|[-_.\s\]])
    """,
    re.VERBOSE,
)
_VOCABULARY = re.compile(
    r"""(?: [-_.@]?+ (?:
        1|a|abc|access|admin|an|api|app|auth|bar|bearer|change|client|correct|database|db|default|demo
      | dev|development|django|dummy|example|fake|false|flask|foo|for|generated|goes|guest|hash
      | hashed|here|in|invalid|is|jwt|key|local|login|long|me|mongo|my|mysql|neo4j|new|none|null|old
      | optional|passphrase|password|passwd|passwort|pass|placeholder|plain|please|postgres|private
      | prod|production|put|pwd|qwerty|rabbit|random|redis|refresh|required|root|safe|sample|secret
      | secure|session|some|staging|string|strong|str|super|test|testing|text|that|the|this|token
      | true|undefined|username|user|users|valid|value|very|welcome|wrong|xyz|your
    ) )++ """,
    re.VERBOSE,
)
_LEET = str.maketrans("@034$!5", "aoeasis")
_TAIL = "0123456789!?.#*$"
_EXPRESSION = re.compile(
    r"[\w\])]\(|\w\[|->|::|=>|&&|\||^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^[A-Za-z]+\s"
)
_PATH = re.compile(r"(?:[~.]{0,2}/|[A-Za-z]:\\|\\\\|https?:|file:)")
_JOINTS = re.compile(r"[-_./:]")
_CAMEL = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]")
_WORD = re.compile(r"[A-Za-z]*\d{0,4}")
_STATES = frozenset(
    {"changed", "correct", "empty", "expired", "incorrect", "invalid", "missing", "required"}
    | {"reset", "strong", "weak", "wrong"}
)
_MEASURE = re.compile(r"\d{1,4}-?(?:char|digit|letter|bit|day|hour|min|sec|month|week|year)")
_SAMPLE_PINS = frozenset({"0000", "1111", "1234", "4321"})
_SEED_LENGTHS = frozenset({12, 15, 18, 21, 24})


def entropy(value: str) -> float:
    """Give the Shannon entropy of a value's characters, in bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def is_token(match: re.Match[str]) -> bool:
    """Tell whether something of a provider's form is more than a sample in its documentation."""
    value = value_of(match)
    return _is_varied(value[-24:]) and not _PLACEHOLDER.search(value.lower())


def is_key(match: re.Match[str]) -> bool:
    """Tell whether the value given to a key, token or secret is a random one."""
    value = value_of(match)[:_TELLING]
    return (
        len(value) >= _SHORTEST_KEY
        and not (_stands_for_another(value) or _may_be_known(match))
        and any(char.isalpha() for char in value)
        and _is_random(value)
        and entropy(value) >= _LEAST_ENTROPY
    )


def is_password(match: re.Match[str]) -> bool:
    """Tell whether the value given to a password is one that somebody chose."""
    value = value_of(match)[:_TELLING]
    if len(value) < _SHORTEST_PASSWORD or _stands_for_another(value) or _may_be_known(match):
        return False
    return _is_mixed(value) or (value.isdecimal() and value not in "0123456789" * 2)


def is_inline_password(match: re.Match[str]) -> bool:
    """Tell whether a password is real where its place alone says that it is one."""
    return not _stands_for_another(value_of(match))


def is_said(match: re.Match[str]) -> bool:
    """Tell whether what follows "my password is" is one: in quotes, or no plain word."""
    value = value_of(match).rstrip(".!?)*")
    if _is_reference(value) or _may_be_known(match):
        return False
    before = match.string[match.start(match.lastindex or 0) - 1]
    if before in "\"'`“”«„「":
        return len(value) >= _FEWEST_CHARACTERS and value.lower() not in _STATES
    return (
        len(value) >= _SHORTEST_PASSWORD
        and not _MEASURE.match(value.lower())
        and (_is_mixed(value) or (len(value) >= _LONGEST_WORD and value.isalpha()))
    )


def is_pem(match: re.Match[str]) -> bool:
    """Tell whether a key block holds a key."""
    return bool(re.search(r"[A-Za-z0-9+/]{16}", match[0].partition("KEY")[2]))


def is_card(match: re.Match[str]) -> bool:
    """Tell whether a number passes the check that payment cards have."""
    digits = [int(char) for char in match[0] if char.isdecimal()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return _is_varied(match[0]) and (sum(doubled) + sum(digits[::-2])) % 10 == 0


def is_pin(match: re.Match[str]) -> bool:
    """Tell whether a PIN is not one that everybody writes as an example."""
    return value_of(match) not in _SAMPLE_PINS


def is_seed(match: re.Match[str]) -> bool:
    """Tell whether a phrase has a length that wallets make, and is no repetition."""
    words = value_of(match).split()
    return len(words) in _SEED_LENGTHS and len(set(words)) > len(words) // 2


def _stands_for_another(value: str) -> bool:
    """Tell whether a value is a placeholder, a piece of code, a path, or only usual words."""
    low = value.lower()
    stem = low.rstrip(_TAIL)
    return _is_reference(value) or any(
        _VOCABULARY.fullmatch(form) for form in (low, stem, stem.translate(_LEET))
    )


def _is_reference(value: str) -> bool:
    return bool(
        _PLACEHOLDER.search(value.lower()) or _EXPRESSION.search(value) or _PATH.match(value)
    )


def _may_be_known(match: re.Match[str]) -> bool:
    """Tell whether the value is that of a hash, or of a public key."""
    before = match.string[max(0, match.start() - 10) : match.start()].lower()
    return any(word in before for word in ("hash", "encrypt", "public"))


def _is_varied(value: str) -> bool:
    return len(set(value)) >= _FEWEST_CHARACTERS


def _is_mixed(value: str) -> bool:
    """Tell whether letters stand with digits, or with signs that no identifier has."""
    letters = any(char.isalpha() for char in value)
    others = any(char.isdecimal() or char in "!@#$%^&*?~+=" for char in value)
    return (letters and others) or _is_random(value)


def _is_random(value: str) -> bool:
    """Tell whether a value is neither a word nor words joined to a name."""
    if any(char.isdecimal() for char in value):
        return not all(_WORD.fullmatch(piece) for piece in _JOINTS.split(value))
    return len(_CAMEL.findall(value)) * 3 > len(value) and any(char.islower() for char in value)
