"""The binary operators of jq on all kinds of values."""

from __future__ import annotations

from math import isinf, isnan
from typing import TYPE_CHECKING, Any

from . import numbers
from .errors import JqError
from .numbers import LARGEST, Literal
from .values import compare, describe, equal

if TYPE_CHECKING:
    from .running import Run

_NUMBERS = frozenset({int, float, Literal})


def add(run: Run, a: Any, b: Any) -> Any:
    """``a + b``"""
    kind_a, kind_b = type(a), type(b)
    if kind_a is int and kind_b is int:
        total = a + b
        # A sum of zero is a double, for its negation is -0 in jq; that of a zero that was read is not.
        return total if -LARGEST <= total <= LARGEST and total else float(total)
    if kind_a is str and kind_b is str:
        size = len(a) + len(b)
        if size > 4096:
            run.text(size)
        return a + b
    if a is None:
        return b
    if b is None:
        return a
    if kind_a in _NUMBERS and kind_b in _NUMBERS:
        return float(a) + float(b)
    if kind_a is list and kind_b is list:
        run.made(64 * (len(a) + len(b)))
        return a + b
    if kind_a is dict and kind_b is dict:
        run.made(64 * (len(a) + len(b)))
        return {**a, **b}
    raise JqError(f"{describe(a)} and {describe(b)} cannot be added")


def subtract(run: Run, a: Any, b: Any) -> Any:
    """``a - b``"""
    kind_a, kind_b = type(a), type(b)
    if kind_a is int and kind_b is int:
        difference = a - b
        return difference if -LARGEST <= difference <= LARGEST and difference else float(difference)
    if kind_a in _NUMBERS and kind_b in _NUMBERS:
        return float(a) - float(b)
    if kind_a is list and kind_b is list:
        return without(run, a, b)
    raise JqError(f"{describe(a)} and {describe(b)} cannot be subtracted")


def without(run: Run, a: list[Any], b: list[Any]) -> list[Any]:
    """Give what is in one array and not in the other."""
    kept = []
    for item in a:
        for other in b:
            run.check()
            if equal(item, other, run):
                break
        else:
            kept.append(item)
    return kept


def multiply(run: Run, a: Any, b: Any) -> Any:
    """``a * b``"""
    kind_a, kind_b = type(a), type(b)
    if kind_a is int and kind_b is int:
        product = a * b
        if product:
            return product if -LARGEST <= product <= LARGEST else float(product)
        return float(a) * float(b)
    if kind_a in _NUMBERS and kind_b in _NUMBERS:
        return float(a) * float(b)
    if kind_a is str and kind_b in _NUMBERS:
        return _repeat(run, a, float(b))
    if kind_b is str and kind_a in _NUMBERS:
        return _repeat(run, b, float(a))
    if kind_a is dict and kind_b is dict:
        return _merge(run, a, b)
    raise JqError(f"{describe(a)} and {describe(b)} cannot be multiplied")


def _repeat(run: Run, text: str, times: float) -> Any:
    if times < 0 or isnan(times):
        return None
    count = int(min(times, 2147483647.0))
    size = len(text) * count
    if size > 4096:
        run.text(size)
    return text * count


def _merge(run: Run, a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    merged = {**a, **b}
    for key, value in b.items():
        run.check()
        if type(value) is dict and type(a.get(key)) is dict:
            merged[key] = _merge(run, a[key], value)
    return merged


def divide(run: Run, a: Any, b: Any) -> Any:
    """``a / b``"""
    kind_a, kind_b = type(a), type(b)
    if kind_a in _NUMBERS and kind_b in _NUMBERS:
        left, right = float(a), float(b)
        if right == 0:
            raise JqError(f"{describe(a)} and {describe(b)} cannot be divided because the divisor is zero")
        return left / right
    if kind_a is str and kind_b is str:
        return split(run, a, b)
    raise JqError(f"{describe(a)} and {describe(b)} cannot be divided")


def split(run: Run, text: str, separator: str) -> list[str]:
    """Give the parts of a text between separators; no separator is between all its characters."""
    run.made(64 * len(text))
    if not separator:
        return list(text)
    return text.split(separator) if text else []


def modulo(run: Run, a: Any, b: Any) -> Any:
    """``a % b``"""
    kind_a, kind_b = type(a), type(b)
    if kind_a in _NUMBERS and kind_b in _NUMBERS:
        left, right = float(a), float(b)
        if isnan(left) or isnan(right):
            return float("nan")
        divisor = _intmax(right)
        if divisor == 0:
            raise JqError(f"{describe(a)} and {describe(b)} cannot be divided (remainder) because the divisor is zero")
        dividend = _intmax(left)
        rest = abs(dividend) % abs(divisor)
        return (-rest if dividend < 0 else rest) or 0.0
    raise JqError(f"{describe(a)} and {describe(b)} cannot be divided (remainder)")


def _intmax(double: float) -> int:
    """Cut a double to C's ``intmax_t``."""
    if isinf(double) or not -9.223372036854775e18 < double < 9.223372036854775e18:
        return -(2**63) if double < 0 else 2**63 - 1
    return int(double)


def negate(run: Run, a: Any) -> Any:
    """``-a``"""
    if type(a) is int:
        return -a
    if type(a) in _NUMBERS:
        return numbers.negate(a)
    raise JqError(f"{describe(a)} cannot be negated")


def equals(run: Run, a: Any, b: Any) -> bool:
    """``a == b``"""
    return equal(a, b, run)


def differs(run: Run, a: Any, b: Any) -> bool:
    """``a != b``"""
    return not equal(a, b, run)


def less(run: Run, a: Any, b: Any) -> bool:
    """``a < b``"""
    return compare(a, b, run) < 0


def less_equal(run: Run, a: Any, b: Any) -> bool:
    """``a <= b``"""
    return compare(a, b, run) <= 0


def greater(run: Run, a: Any, b: Any) -> bool:
    """``a > b``"""
    return compare(a, b, run) > 0


def greater_equal(run: Run, a: Any, b: Any) -> bool:
    """``a >= b``"""
    return compare(a, b, run) >= 0
