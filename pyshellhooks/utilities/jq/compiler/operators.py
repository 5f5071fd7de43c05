"""jq's operators on values of all kinds: ``+ - * / %``, comparisons, the unary minus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from ..errors import JqError
from ..json import numbers
from ..json.numbers import LARGEST, Literal, to_long
from ..json.ordering import compare
from ..json.values import describe, equal

if TYPE_CHECKING:
    from ..running import Run

Operator = Callable[["Run", Any, Any], Any]

_NUMBERS = frozenset({int, float, Literal})
_DEPTH = 10_000  # levels that jq merges
_LARGE = 4096  # characters or elements above which a result's memory is counted
_LONGEST = 2_147_483_639  # bytes; jq's strings are shorter
_PIECE = 1 << 18  # characters or elements that one slow call in C gets at most


# -- arithmetic


def add(run: Run, a: Any, b: Any) -> Any:
    """``a + b``: the sum, the concatenation of strings or arrays, or the merged objects; null is neutral."""
    kind_a, kind_b = type(a), type(b)
    if kind_a is int and kind_b is int:
        total = a + b
        # A computed zero is a double: its negation is -0 in jq, that of a zero from a text is 0.
        if -LARGEST <= total <= LARGEST and total:
            return total
        return float(total)
    if kind_a is kind_b and kind_a in _JOINED:
        size = len(a) + len(b)
        if size > _LARGE:
            if kind_a is str:
                run.text(size)
            else:
                run.made(64 * size)
                return _joined(run, a, b)
        return {**a, **b} if kind_a is dict else a + b
    if a is None:
        return b
    if b is None:
        return a
    if kind_a in _NUMBERS and kind_b in _NUMBERS:
        return float(a) + float(b)
    raise JqError(f"{describe(a)} and {describe(b)} cannot be added")


_JOINED = frozenset({str, list, dict})


def _joined(run: Run, a: Any, b: Any) -> Any:
    joined = a.copy()
    if type(a) is dict:
        update(run, joined, b)
    else:
        extend(run, joined, b)
    return joined


def extend(run: Run, items: list[Any], more: list[Any]) -> None:
    """Append elements to a list, in steps that let other threads run."""
    if len(more) <= _PIECE:
        items += more
        return
    size = len(more)  # ``more`` may be ``items``
    run.array(len(items) + size)
    for start in range(0, size, _PIECE):
        run.check()
        items += more[start : min(start + _PIECE, size)]


def update(run: Run, fields: dict[str, Any], more: dict[str, Any]) -> None:
    """Update an object with the fields of another, in steps that let other threads run."""
    if len(more) <= _PIECE:
        fields.update(more)
        return
    pairs = iter(more.items())
    while piece := dict(islice(pairs, _PIECE >> 2)):
        run.check()
        fields.update(piece)


def subtract(run: Run, a: Any, b: Any) -> Any:
    """``a - b``: the difference, or the elements of the first array that are not in the second."""
    kind_a, kind_b = type(a), type(b)
    if kind_a is int and kind_b is int:
        difference = a - b
        if -LARGEST <= difference <= LARGEST and difference:
            return difference
        return float(difference)
    if kind_a in _NUMBERS and kind_b in _NUMBERS:
        return float(a) - float(b)
    if kind_a is list and kind_b is list:
        return _without(run, a, b)
    raise JqError(f"{describe(a)} and {describe(b)} cannot be subtracted")


def _without(run: Run, items: list[Any], others: list[Any]) -> list[Any]:
    """Return the items that equal none of the others. Strings and integers are looked up in sets."""
    if len(items) + len(others) > _LARGE:
        run.made(64 * (len(items) + len(others)))
    found: dict[type, set[Any]] = {str: set(), int: set()}
    rest: list[Any] = []
    for start in range(0, len(others), _PIECE):
        run.check()
        piece = others[start : start + _PIECE]
        found[str].update(item for item in piece if type(item) is str)
        found[int].update(item for item in piece if type(item) is int)
        rest += [item for item in piece if type(item) is not str]
    numbers_only = all(type(item) is int for item in rest)
    remaining = []
    turns = 0
    for item in items:
        turns += 1
        if not turns & 1023:
            run.check()
        kind = type(item)
        if kind in found:
            if item in found[kind]:
                continue
            if kind is str or numbers_only:  # an integer may also equal a float or a literal
                remaining.append(item)
                continue
        for other in rest:
            turns += 1
            if not turns & 1023:
                run.check()
            if equal(item, other, run):
                break
        else:
            remaining.append(item)
    return remaining


def multiply(run: Run, a: Any, b: Any) -> Any:
    """``a * b``: the product, the repeated string, or the recursively merged objects."""
    kind_a, kind_b = type(a), type(b)
    if kind_a is int and kind_b is int:
        product = a * b
        # For zero, the product of doubles has the right sign.
        if -LARGEST <= product <= LARGEST and product:
            return product
        return float(a) * b
    if kind_a in _NUMBERS:
        if kind_b in _NUMBERS:
            return float(a) * float(b)
        if kind_b is str:
            return _repeat(run, b, float(a))
    elif kind_b in _NUMBERS:
        if kind_a is str:
            return _repeat(run, a, float(b))
    elif kind_a is dict and kind_b is dict:
        return _merge(run, a, b)
    raise JqError(f"{describe(a)} and {describe(b)} cannot be multiplied")


def _repeat(run: Run, text: str, times: float) -> str | None:
    if times < 0 or isnan(times):
        return None
    count = int(min(times, 2_147_483_647.0))
    size = len(text) * count
    if size > _LARGE:
        if size * 4 >= _LONGEST and _bytes(text) * count >= _LONGEST:
            raise JqError("Repeat string result too long")
        run.text(size)
    return text * count


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _merge(run: Run, a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    """Merge objects recursively."""
    merged: dict[str, Any] = add(run, a, b)
    stack = [(merged, iter(_both(a, b)))]
    turns = 0
    while stack:
        target, pairs = stack[-1]
        for key, left, right in pairs:
            if len(stack) > _DEPTH:
                raise JqError("Object merge too deep")
            turns += 1
            if not turns & 63:
                run.check()
                run.made(64 * 240)
            inner = target[key] = add(run, left, right)
            stack.append((inner, iter(_both(left, right))))
            break
        else:
            stack.pop()
    return merged


def _both(a: dict[str, Any], b: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Return an iterator over the keys with an object in both, and those objects."""
    return ((key, a[key], item) for key, item in b.items() if type(item) is dict and type(a.get(key)) is dict)


def divide(run: Run, a: Any, b: Any) -> Any:
    """``a / b``: the quotient, or the string split at the separator."""
    kind_a, kind_b = type(a), type(b)
    if kind_a in _NUMBERS and kind_b in _NUMBERS:
        divisor = float(b)
        if divisor == 0:
            raise JqError(f"{describe(a)} and {describe(b)} cannot be divided because the divisor is zero")
        return float(a) / divisor
    if kind_a is str and kind_b is str:
        return split(run, a, b)
    raise JqError(f"{describe(a)} and {describe(b)} cannot be divided")


def split(run: Run, text: str, separator: str) -> list[str]:
    """Split a text at a separator; an empty separator splits between all characters."""
    if not text:
        return []
    if len(text) <= _PIECE:
        parts = text.split(separator) if separator else list(text)
        if len(parts) > _LARGE:
            run.made(64 * len(parts))
        return parts
    return _split_long(run, text, separator)


def _split_long(run: Run, text: str, separator: str) -> list[str]:
    parts: list[str] = []
    start = 0
    while True:
        run.check()
        window = text[start : start + _PIECE]
        found = window.split(separator) if separator else list(window)
        run.made(64 * len(found))
        if start + _PIECE >= len(text):
            parts += found
            return parts
        if not separator:
            parts += found
            start += _PIECE
        elif len(found) > 1:
            # The last part may continue. The others are final, since separators match leftmost first.
            start += _PIECE - len(found.pop())
            parts += found
        else:
            end = text.find(separator, max(start, start + _PIECE - len(separator) + 1))
            if end < 0:
                parts.append(text[start:])
                return parts
            parts.append(text[start:end])
            start = end + len(separator)


def modulo(run: Run, a: Any, b: Any) -> Any:
    """``a % b`` of the numbers' integral parts, with the sign of ``a``."""
    kind_a, kind_b = type(a), type(b)
    if kind_a not in _NUMBERS or kind_b not in _NUMBERS:
        raise JqError(f"{describe(a)} and {describe(b)} cannot be divided (remainder)")
    if a != a or b != b:
        return nan
    dividend = a if kind_a is int else to_long(a)
    divisor = b if kind_b is int else to_long(b)
    if divisor == 0:
        raise JqError(f"{describe(a)} and {describe(b)} cannot be divided (remainder) because the divisor is zero")
    if dividend >= 0 and divisor > 0:
        rest = dividend % divisor
    else:
        rest = abs(dividend) % abs(divisor)
    if dividend < 0:
        rest = -rest
    if -LARGEST <= rest <= LARGEST and rest:
        return rest
    return float(rest)


def negate(run: Run, value: Any) -> Any:
    """``-value``"""
    if type(value) not in _NUMBERS:
        raise JqError(f"{describe(value)} cannot be negated")
    return numbers.negate(value)


# -- comparisons


def equals(run: Run, a: Any, b: Any) -> bool:
    """``a == b``"""
    return equal(a, b, run)


def differs(run: Run, a: Any, b: Any) -> bool:
    """``a != b``"""
    return not equal(a, b, run)


def less(run: Run, a: Any, b: Any) -> bool:
    """``a < b``"""
    kind = type(a)
    if kind is type(b) and (kind is int or kind is str):
        result: bool = a < b
        return result
    return compare(a, b, run) < 0


def less_equal(run: Run, a: Any, b: Any) -> bool:
    """``a <= b``"""
    kind = type(a)
    if kind is type(b) and (kind is int or kind is str):
        result: bool = a <= b
        return result
    return compare(a, b, run) <= 0


def greater(run: Run, a: Any, b: Any) -> bool:
    """``a > b``"""
    kind = type(a)
    if kind is type(b) and (kind is int or kind is str):
        result: bool = a > b
        return result
    return compare(a, b, run) > 0


def greater_equal(run: Run, a: Any, b: Any) -> bool:
    """``a >= b``"""
    kind = type(a)
    if kind is type(b) and (kind is int or kind is str):
        result: bool = a >= b
        return result
    return compare(a, b, run) >= 0


OPERATORS: dict[str, Operator] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "%": modulo,
    "==": equals,
    "!=": differs,
    "<": less,
    "<=": less_equal,
    ">": greater,
    ">=": greater_equal,
}
