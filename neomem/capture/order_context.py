"""Telling an order that is given from one that is only told of, by what stands around it."""

import base64
import re

_NEAR = 160
_REPORTED = re.compile(
    r"\b(?:(?:told|asked|tells|asks|advised|reminded|taught|ordered)\s\S{1,20}\s(?:not\s)?to"
    r"|i|he|she|we|they|people|who|didn't|don't|won't|wouldn't|can't|shouldn't|never)\s*$"
)
_ORDER = re.compile(
    r"\b(?:(?:ignore|disregard) (?:all|any|the|your|previous|everything)"
    r"|you (?:must|should|will|shall|are now)|do not (?:tell|mention|reveal)"
    r"|ai (?:assistant|agent|model)s?|language models?|system prompt|instructions?:|assistant[,:]"
    r"|always (?:recommend|respond|reply|answer))"
)
_DEMAND = re.compile(
    r"\b(?:you (?:must|should|need to|have to|will)|always|(?:ai|llm) agents?|assistants?[,:]"
    r"|before (?:answering|replying|responding))\b"
)


def is_given(match: re.Match[str]) -> bool:
    """Tell whether an order is given, not told of ("she told me to ignore …")."""
    start = match.start()
    return not _REPORTED.search(match.string[max(0, start - _NEAR // 4) : start])


def has_order(match: re.Match[str]) -> bool:
    """Tell whether what was found holds an order."""
    return bool(_ORDER.search(match[0]))


def precedes_order(match: re.Match[str]) -> bool:
    """Tell whether an order comes soon after."""
    return bool(_ORDER.search(match.string, match.end(), match.end() + _NEAR))


def follows_demand(match: re.Match[str]) -> bool:
    """Tell whether somebody is told to do it, shortly before."""
    return bool(_DEMAND.search(match.string, max(0, match.start() - _NEAR), match.start()))


def decodes_to_order(match: re.Match[str]) -> bool:
    """Tell whether a base64 text is an order in disguise."""
    blob = match[0].rstrip("=").replace("-", "+").replace("_", "/")
    data = base64.b64decode(blob[: len(blob) // 4 * 4])
    return bool(_ORDER.search(data.decode("utf-8", "replace").lower()))
