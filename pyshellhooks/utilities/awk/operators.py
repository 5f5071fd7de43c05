"""Arithmetic and comparison of doubles (POSIX XCU awk, "Expressions in awk")."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import copysign, fmod, inf, isinf, nan
from typing import Any

from .runtime import Runtime
from .values import AwkError, StrNum, Unset, Value

_OPERATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}


def power(base: float, exponent: float) -> float:
    """Return a power, with the infinities and NaN of C's ``pow``."""
    try:
        result = base**exponent
    except OverflowError:
        if base < 0 and fmod(exponent, 2.0):
            return -inf
        return inf
    except ZeroDivisionError:
        if copysign(1.0, base) < 0 and abs(fmod(exponent, 2.0)) == 1.0:
            return -inf
        return inf
    return -nan if isinstance(result, complex) else float(result)


def remainder(over: float, under: float) -> float:
    """Return the remainder as C's ``fmod`` does: with the sign of the left operand."""
    if under == 0.0:
        raise AwkError("division by zero attempted in `%'")
    if isinf(over) or over != over:
        return -nan
    return fmod(over, under)


def _number_of(value: Value) -> float | None:
    """Return the value as a number for a comparison, or None if it compares as a string."""
    kind = value.__class__
    if kind is float:
        return value  # type: ignore[no-any-return]
    if kind is StrNum:
        return value.number  # type: ignore[no-any-return]
    if kind is Unset:
        return 0.0
    return None


def comparable(left: Value, right: Value, runtime: Runtime) -> tuple[Any, Any]:
    """Return two values as two numbers, or as two strings if either is a string."""
    one, other = _number_of(left), _number_of(right)
    if one is not None and other is not None:
        return one, other
    first, second = runtime.convert(left), runtime.convert(right)
    if runtime.regexes.ignore_case:
        return first.lower(), second.lower()
    return first, second


def comparison(
    name: str, left: Callable[[Any], Value], right: Callable[[Any], Value], runtime: Runtime
) -> Callable[[Any], bool]:
    """Return the closure for a comparison: of numbers if both are numbers or look like numbers, else of strings."""
    compare = _OPERATIONS[name]

    def compared(f: Any) -> bool:
        one = left(f)
        other = right(f)
        if one.__class__ is float:
            if other.__class__ is float:
                return compare(one, other)
            if other.__class__ is StrNum:
                return compare(one, other.number)
        elif one.__class__ is StrNum and other.__class__ is float:
            return compare(one.number, other)
        elif one.__class__ is bytes and other.__class__ is bytes and not runtime.regexes.ignore_case:
            return compare(one, other)
        first, second = comparable(one, other, runtime)
        return compare(first, second)

    return compared


def of_numbers(name: str, left: Callable[[Any], float], right: Callable[[Any], float]) -> Callable[[Any], bool]:
    """Return the closure for a comparison of operands that can only be numbers."""
    compare = _OPERATIONS[name]
    return lambda f: compare(left(f), right(f))


def with_number(name: str, left: Callable[[Any], Value], number: float, runtime: Runtime) -> Callable[[Any], bool]:
    """Return the closure for a comparison with a number literal."""
    compare = _OPERATIONS[name]

    def compared(f: Any) -> bool:
        one = left(f)
        if one.__class__ is float:
            return compare(one, number)
        if one.__class__ is StrNum:
            return compare(one.number, number)
        first, second = comparable(one, number, runtime)
        return compare(first, second)

    return compared


def variable_with_number(name: str, slot: int, number: float, runtime: Runtime) -> Callable[[Any], bool]:
    """Return the closure for a comparison of a global variable with a number literal."""
    compare, slots = _OPERATIONS[name], runtime.slots
    other = with_number(name, lambda f: slots[slot], number, runtime)

    def compared(f: Any) -> bool:
        one = slots[slot]
        if one.__class__ is float:
            return compare(one, number)
        return other(f)

    return compared
