"""Constant expressions, as jq's compiler recognizes them.

The metadata of a module, and the path of an import, must be constant; a constant key of an object must be a string.
jq's compiler decides by the generated code: an expression is constant if it is a single instruction that loads a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..errors import JqError
from ..json.numbers import read_number
from ..json.values import describe
from ..parser.lexer import Number
from ..parser.nodes import Node
from .operators import OPERATORS

if TYPE_CHECKING:
    from ..parser.syntax import Builder
    from ..running import Run

NOT_CONSTANT = object()
_NO_CODE = object()  # the value of ``.``, for which jq generates no instruction


class _NoRun:
    """Stand-in for a run, without checks and limits."""

    def check(self) -> None:
        pass

    def made(self, size: int) -> None:
        pass

    def array(self, length: int) -> None:
        pass

    def text(self, size: int) -> None:
        pass


NO_RUN = cast("Run", _NoRun())


def bad_key(key: Node, builder: Builder) -> str:
    """Return the error message for a constant object key in parentheses that is not a string, or ""."""
    value = constant(key, builder)
    builder.known[id(key)] = key, value
    if value is NOT_CONSTANT or type(value) is str:
        return ""
    return f"Cannot use {describe(value)} as object key"


def constant(root: Node, builder: Builder) -> Any:
    """Return the value of an expression that is a constant for jq, else NOT_CONSTANT."""
    pending: list[tuple[Node, int]] = [(root, -1)]  # with its parts' number of values, -1 before them
    found: list[Any] = []
    while pending:
        node, size = pending.pop()
        if size < 0:
            known = builder.known.get(id(node))
            value = _leaf(node, builder.where) if known is None else known[1]
            if value is not _COMBINED:
                if value is NOT_CONSTANT:
                    return value
                found.append(value)
                continue
            parts = _parts(node)
            if parts is None:
                return NOT_CONSTANT
            pending.append((node, len(parts)))
            pending.extend((part, -1) for part in reversed(parts))
            continue
        cut = len(found) - size
        value = _combined(node, found[cut:], builder.run or NO_RUN)
        if value is NOT_CONSTANT:
            return value
        found[cut:] = [value]
    return NOT_CONSTANT if found[0] is _NO_CODE else found[0]


_COMBINED = object()


def _leaf(node: Node, where: str) -> Any:
    kind = node.kind
    if kind == "literal":
        if isinstance(node.value, Number):
            return read_number(node.value)
        return node.value
    if kind == "identity":
        return _NO_CODE
    if kind == "location":
        return {"file": where, "line": node.value}
    is_operation = kind == "binary" and node.value in OPERATORS
    if is_operation or kind in ("array", "object", "pipe", "def"):
        return _COMBINED
    return NOT_CONSTANT


def _parts(node: Node) -> list[Node] | None:
    """Return the parts that must be constant, or None if they can't be."""
    if node.kind == "def":  # its body is dropped, as nothing constant calls it
        rest = node.parts[1]
        assert rest is not None
        return [rest]
    if node.kind == "array" and node.parts:
        elements = []
        part = node.parts[0]
        while part is not None and part.kind == "comma":
            elements.append(part.parts[1])
            part = part.parts[0]
        elements.append(part)
        elements.reverse()
    else:
        elements = list(node.parts)
    parts = [element for element in elements if element is not None]
    return parts if len(parts) == len(elements) else None


def _combined(node: Node, values: list[Any], run: Run) -> Any:
    if node.kind == "pipe":
        left, right = values
        if right is _NO_CODE:
            return left
        return right if left is _NO_CODE else NOT_CONSTANT
    if node.kind == "def":
        return values[0]
    if any(value is _NO_CODE for value in values):
        return NOT_CONSTANT
    if node.kind == "array":
        return values
    if node.kind == "object":
        keys = values[::2]
        if all(type(key) is str for key in keys):
            return dict(zip(keys, values[1::2], strict=True))
        return NOT_CONSTANT
    assert isinstance(node.value, str)
    try:
        return OPERATORS[node.value](run, *values)
    except JqError:  # in jq, too, the error comes at run time
        return NOT_CONSTANT
