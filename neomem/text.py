"""Texts as they come: made fit for models, words that are no names."""

import hashlib
import re
import unicodedata
from functools import cache
from importlib import resources

_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Return text that any model takes, of the same length: no halves of characters, no NUL."""
    return _SURROGATE.sub("\ufffd", text).replace("\0", " ")


def normalise(text: str) -> str:
    """Return text as it is compared: forms of letters, case and spacing set aside."""
    return " ".join(unicodedata.normalize("NFKC", clean(text)).casefold().split())


def fingerprint(*parts: str) -> str:
    """Return a short name for parts of text: the same for the same, never for others."""
    joined = "\x1f".join(part.replace("\x1f", " ") for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def lane(agent: str, *, live: bool = True) -> str:
    """Return an agent as one token of full text, which would split a name such as `ops-1`."""
    digits = int(hashlib.sha256(agent.encode("utf-8", "surrogatepass")).hexdigest()[:24], 16)
    return f"{'l' if live else 'x'}{digits}"


def entity_key(agent: str, name: str) -> str:
    """Return the key of an agent's entity: two spellings of one name have the same."""
    return _own_key(agent, normalise(name))


def session_key(agent: str, session: str) -> str:
    """Return the key of an agent's session."""
    return _own_key(agent, session)


def task_key(agent: str, task: str) -> str:
    """Return the key of an agent's task."""
    return _own_key(agent, task)


def _own_key(agent: str, name: str) -> str:
    return f"{lane(agent)[1:]}:{name}"


def word_set(words: str) -> frozenset[str]:
    """Return a table of words that is written as one text."""
    return frozenset(words.split())


@cache
def ordinary_words() -> frozenset[str]:
    """Words, in lower case, that a capital at the start of a sentence does not make a name."""
    file = resources.files("neomem") / "ordinary_words.txt"
    return frozenset(file.read_text(encoding="ascii").split())
