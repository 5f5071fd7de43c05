"""Numbers as Python's readers have them, for jq."""

from __future__ import annotations

from math import isinf

from ..jq.numbers import LARGEST, Literal

MOST_DIGITS = 4300  # of an integer: what Python turns into text and back without being told to


def literal(number: int | float) -> int | float:
    """Return a number that jq writes as Python's ``json`` does: ``1.0`` stays so, as jq 1.8 keeps what it reads."""
    if type(number) is int:
        return number if -LARGEST <= number <= LARGEST else Literal(_double(number), str(number))
    if number != number:
        return Literal(number, "NaN")
    if isinf(number):
        return Literal(number, "Infinity" if number > 0 else "-Infinity")
    return Literal(number, repr(number))


def _double(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
