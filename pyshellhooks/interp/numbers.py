"""The numbers that builtins take as operands (C's ``strtoimax`` and ``atoi``, as bash calls them)."""

from __future__ import annotations

from ..regexes import lazy_pattern

# Any number of leading zeros, and at most thirty other digits: longer numbers never fit.
_DIGITS = r"[ \t\n\v\f\r]*([-+]?)0*([0-9]{1,30})(?![0-9])"
_BEGIN = lazy_pattern(_DIGITS)
_WHOLE = lazy_pattern(_DIGITS + r"[ \t]*")


def whole_number(text: str, least: int = -(2**63), most: int = 2**63 - 1) -> int | None:
    """Parse a decimal number with blanks around it; None for any other text or a number beyond the bounds."""
    match = _WHOLE.fullmatch(text)
    if match is None:
        return None
    number = int(match[1] + match[2])
    return number if least <= number <= most else None


def invalid_number(text: str) -> str:
    """Return bash's message for a text that is not a number; it guesses the intended base."""
    if text[:1] == "0" and "0" <= text[1:2] <= "9":
        return f"{text}: invalid octal number"
    if text[:2] == "0x":
        return f"{text}: invalid hex number"
    return f"{text}: invalid number"


def number_at_start(text: str) -> int:
    """Return the number that a text begins with, or 0."""
    match = _BEGIN.match(text)
    return int(match[1] + match[2]) if match is not None else 0
