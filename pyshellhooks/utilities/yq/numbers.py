"""Conversion of numbers from Python's parsers to jq's."""

from __future__ import annotations

from math import isinf

from ..jq.json.numbers import LARGEST, Literal

MOST_DIGITS = 4300  # of an integer: Python's default limit for conversion between int and str


def literal(number: int | float) -> int | float:
    """Return a number that jq writes as Python's ``json`` does: as jq 1.8 preserves literals, ``1.0`` stays ``1.0``."""
    if type(number) is int:
        if -LARGEST <= number <= LARGEST:
            return number
        return Literal(_double(number), str(number))
    if number != number:
        return Literal(number, "NaN")
    if isinf(number):
        text = "Infinity" if number > 0 else "-Infinity"
        return Literal(number, text)
    return Literal(number, repr(number))


def _double(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        if number > 0:
            return float("inf")
        return float("-inf")
