"""sleep: wait (POSIX XCU sleep; GNU: fractions, suffixes, several operands)."""

from __future__ import annotations

from ..command import Call, utility
from ..errors import UsageError
from ..text import paced

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds_of(text: str) -> float | None:
    """Parse ``1.5``, ``2m`` or ``infinity``. Return None if the text is not an interval."""
    unit = 1
    number = text
    if text[-1:] in _UNITS:
        unit = _UNITS[text[-1]]
        number = text[:-1]
    # float() accepts "1_0" and trailing blanks, which strtod does not.
    if "_" in number or number != number.rstrip() or not number.isascii():
        return None
    try:
        value = float(number)
    except ValueError:
        return _hexadecimal(number, unit)
    return value * unit if value >= 0 else None


def _hexadecimal(number: str, unit: int) -> float | None:
    """Parse a number that C's strtod accepts and Python's float does not: 0x1p4."""
    if not number.lower().startswith("0x"):
        return None
    try:
        value = float.fromhex(number)
    except (ValueError, OverflowError):
        return None
    return value * unit if value >= 0 else None


@utility("sleep", summary="Pause for NUMBER seconds.", version="GNU coreutils 9.1", usage="NUMBER[SUFFIX]...")
def sleep(call: Call) -> int:
    if len(call.argv) < 2:
        raise UsageError("missing operand")
    total = 0.0
    bad = False
    for word in paced(call.args):
        seconds = seconds_of(word)
        if seconds is None:
            call.error(f"invalid time interval \N{LEFT SINGLE QUOTATION MARK}{word}\N{RIGHT SINGLE QUOTATION MARK}")
            bad = True
        else:
            total += seconds
    if bad:
        call.stderr.write(b"Try 'sleep --help' for more information.\n")
        return 1
    call.sleep(total)
    return 0
