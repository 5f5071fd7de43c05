"""Functions on jq's values of any kind: kind, truth, equality, and their text in error messages."""

from __future__ import annotations

from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any

from ..errors import JqError
from .numbers import Literal, compare_numbers, spell_number

if TYPE_CHECKING:
    from ..running import Run

DEPTH = 10_000  # levels that jq compares

_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    Literal: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_ALIKE = ({str}, {int})
_WORDS = {None: "null", True: "true", False: "false"}


def kind(value: Any) -> str:
    """Return the name of a value's kind, as ``type`` does."""
    return _KINDS[type(value)]


def truth(value: Any) -> bool:
    """Return whether a value is true as a condition: all but ``null`` and ``false`` are."""
    return value is not None and value is not False


# -- equality


def equal(a: Any, b: Any, run: Run | None = None) -> bool:
    """Return whether two values are equal. Pass the run if they may be large."""
    kind_a, kind_b = type(a), type(b)
    if kind_a is kind_b:
        if kind_a is str or kind_a is int or kind_a is float:
            result: bool = a == b
            return result
        if kind_a is list or kind_a is dict:
            # The same object is equal to itself, even with a nan in it.
            return a is b or _equal_deeply(a, b, run)
        if kind_a is not Literal:
            return a is b
    elif _KINDS[kind_a] != "number" or _KINDS[kind_b] != "number":
        return False
    return compare_numbers(a, b) == 0


def _equal_deeply(a: Any, b: Any, run: Run | None) -> bool:
    pairs = _pairs(a, b, 0)
    if pairs is None:
        return False
    stack = [pairs]
    turns = 0
    while stack:
        for left, right in stack[-1]:
            turns += 1
            if not turns & 1023 and run is not None:
                run.check()
            kind = type(left)
            if (kind is list or kind is dict) and kind is type(right):
                if left is right:
                    continue
                pairs = _pairs(left, right, len(stack))
                if pairs is None:
                    return False
                stack.append(pairs)
                break
            if not equal(left, right):
                return False
        else:
            stack.pop()
    return True


def _pairs(a: Any, b: Any, depth: int) -> Iterator[tuple[Any, Any]] | None:
    """Return pairs of the values in two containers of one kind, None if the containers can't be equal."""
    if len(a) != len(b):
        return None
    if type(a) is list:
        if len(a) > 8:
            kinds = set(map(type, a))
            if kinds in _ALIKE and kinds == set(map(type, b)):
                return iter(()) if a == b else None
        pairs: Iterator[tuple[Any, Any]] = zip(a, b, strict=True)
    else:
        if a.keys() != b.keys():
            return None
        pairs = ((value, b[key]) for key, value in a.items())
    if depth >= DEPTH and a:
        raise JqError("Equality check too deep")
    return pairs


# -- error messages


def describe(value: Any) -> str:
    """Describe a value in an error message: ``number (5)``."""
    return f"{kind(value)} ({dump_truncated(value)})"


def dump_truncated(value: Any, size: int = 30) -> str:
    """Return the JSON text of a value within ``size`` - 1 bytes of UTF-8, as jq's errors quote it."""
    pieces: list[str] = []
    length = 0
    for piece in _dump(value, size):
        pieces.append(piece)
        length += len(piece)
        if length > size:
            break
    text = "".join(pieces)
    data = text.encode()
    if len(data) < size:
        return text
    end = {'"': '"', "[": "]", "{": "}"}.get(text[0], "")
    return data[: size - 4 - len(end)].decode("utf-8", "ignore") + "..." + end


def _dump(value: Any, size: int) -> Iterator[str]:
    """Yield at least the first ``size`` characters; each level yields some, so the recursion is never deep."""
    if type(value) is str:
        yield _spell(value[:size])
    elif type(value) is list:
        yield "["
        comma = ""
        for item in value:
            yield comma
            yield from _dump(item, size)
            comma = ","
        yield "]"
    elif type(value) is dict:
        yield "{"
        comma = ""
        for key, item in value.items():
            yield f"{comma}{_spell(key[:size])}:"
            yield from _dump(item, size)
            comma = ","
        yield "}"
    else:
        yield _WORDS[value] if value is None or type(value) is bool else spell_number(value)


def _spell(text: str) -> str:
    return encode_basestring(text).replace("\x7f", "\\u007f")
