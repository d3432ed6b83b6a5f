"""How many tokens a text will be, without asking a model: an estimate by script."""

import re

WHOLE = 40
"""The weight of one token; a character weighs 25, 16 or 10 by its script (1/1.6, 1/2.5, 1/4)."""

_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u2fff\u3001-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff01-\uffef\U0001aff0-\U0001b16f\U00020000-\U0003ffff]+"
)
_DENSE = re.compile(  # Cyrillic, Hebrew, Arabic
    "[\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f"
    "\u0590-\u05ff\ufb1d-\ufb4f"
    "\u0600-\u06ff\u0750-\u077f\u0870-\u08ff\ufb50-\ufdff\ufe70-\ufefc]+"
)


def estimate(text: str) -> int:
    """Return the tokens of a text: characters / 1.6 of CJK, / 2.5 of dense scripts, / 4 of others.

    The sum is rounded up once, so parts together count at most one per part more than the whole.
    """
    return -(-weight(text) // WHOLE)


def weight(text: str) -> int:
    """Return the size of a text in fortieths of a token, which add up without rounding."""
    if text.isascii():
        return 10 * len(text)
    cjk = sum(map(len, _CJK.findall(text)))
    dense = sum(map(len, _DENSE.findall(text)))
    return 10 * len(text) + 15 * cjk + 6 * dense
