"""Paths and what is as plain, run on Python data: the usual filter of a hook costs no libjq.

``.tool_input.command // empty`` and its like are nine of ten filters. Only constructs whose answer is jq's by
construction are here; numbers keep their spelling (``Number``) and are never computed with; whatever jq would
call an error, and whatever is not surely the same, is ``Decline``: libjq then runs it all again. Nothing is written before
the last result is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .lexer import Number
from .output import Decline, compact, plain_number
from .syntax import Node

One = Callable[[Any], Any]  # a value to its one result
Many = Callable[[Any], list[Any]]


class Failed(Decline):
    """jq would raise an error here: ``?`` may catch it."""


class Path:
    """A compiled path: ``run(value)`` gives the results or raises ``Decline``."""

    __slots__ = ("many", "one")

    def __init__(self, one: One | None, many: Many | None) -> None:
        self.one = one
        self.many = many

    def run(self, value: Any) -> list[Any]:
        """Give all results for one input, as ``inputs`` has read it."""
        if self.one is not None:
            return [self.one(value)]
        assert self.many is not None
        return self.many(value)

    def stream(self) -> Many:
        """Give the form with any number of results."""
        if self.many is not None:
            return self.many
        one = self.one
        assert one is not None
        return lambda value: [one(value)]

    def collected(self) -> Path:
        """Give the form with one array of the results."""
        many = self.stream()
        return Path(lambda value: list(many(value)), None)


# -- navigation


def _fields(keys: tuple[str, ...]) -> One:
    def run(value: Any) -> Any:
        for key in keys:
            if type(value) is dict:
                value = value.get(key)
            elif value is not None:
                raise Failed
        return value

    return run


def _item(position: int) -> One:
    def run(value: Any) -> Any:
        if type(value) is list:
            return value[position] if -len(value) <= position < len(value) else None
        if value is None:
            return None
        raise Failed

    return run


def _each(value: Any) -> list[Any]:
    if type(value) is list:
        return value
    if type(value) is dict:
        return list(value.values())
    raise Failed


def _tolerant(step: Path) -> Path:
    """``?`` after one step: no result where the step itself fails."""
    many = step.stream()

    def run(value: Any) -> list[Any]:
        try:
            return many(value)
        except Failed:
            return []

    return Path(None, run)


def _literal(value: Any) -> Path:
    return Path(lambda _: value, None)


def _then(left: Path, right: Path) -> Path:
    if left.one is not None and right.one is not None:
        first, second = left.one, right.one
        return Path(lambda value: second(first(value)), None)
    if left.one is not None:
        first, rest = left.one, right.stream()
        return Path(None, lambda value: rest(first(value)))
    start, following = left.stream(), right.stream()
    return Path(None, lambda value: [result for part in start(value) for result in following(part)])


def _otherwise(left: Path, right: Path) -> Path:
    """``//``: what is neither null nor false, else the alternative. Errors on the left stay errors (jq 1.7 on)."""
    if left.one is None:
        many, others = left.stream(), right.stream()

        def run(value: Any) -> list[Any]:
            found = [result for result in many(value) if result is not None and result is not False]
            return found or others(value)

        return Path(None, run)
    one = left.one
    if right.one is not None:
        other = right.one

        def choose(value: Any) -> Any:
            found = one(value)
            return other(value) if found is None or found is False else found

        return Path(choose, None)
    rest = right.stream()

    def pick(value: Any) -> list[Any]:
        found = one(value)
        return rest(value) if found is None or found is False else [found]

    return Path(None, pick)


# -- functions


def _length(value: Any) -> Any:
    if type(value) is str or type(value) is list or type(value) is dict:
        return Number(len(value))
    if value is None:
        return Number(0)
    raise Decline


def _type(value: Any) -> Any:
    return "null" if value is None else _TYPES[type(value)]


_TYPES = {str: "string", Number: "number", bool: "boolean", list: "array", dict: "object"}


def _keys(value: Any) -> Any:
    if type(value) is dict:
        return sorted(value)
    raise Decline


def _not(value: Any) -> Any:
    return value is None or value is False


def _tostring(value: Any) -> Any:
    return value if type(value) is str else compact(value)


def _downcase(value: Any) -> Any:
    if type(value) is not str:
        raise Failed
    return value.translate(_LOWER)


_LOWER = {code: code + 32 for code in range(65, 91)}

_FUNCTIONS: dict[str, Path] = {
    "empty": Path(None, lambda _: []),
    "length": Path(_length, None),
    "type": Path(_type, None),
    "keys": Path(_keys, None),
    "not": Path(_not, None),
    "tostring": Path(_tostring, None),
    "tojson": Path(compact, None),
    "ascii_downcase": Path(_downcase, None),
}


def _affix(name: str, text: str) -> Path:
    def run(value: Any) -> Any:
        if type(value) is not str:
            raise Failed
        return value.startswith(text) if name == "startswith" else value.endswith(text)

    return Path(run, None)


def _join_items(separator: str) -> Path:
    def run(value: Any) -> Any:
        if type(value) is not list:
            raise Decline
        for item in value:
            if type(item) is list or type(item) is dict:
                raise Decline
        return separator.join(["" if item is None else _tostring(item) for item in value])

    return Path(run, None)


def _select(condition: One) -> Path:
    def run(value: Any) -> list[Any]:
        found = condition(value)
        return [] if found is None or found is False else [value]

    return Path(None, run)


# -- operators


def _same(left: One, right: One, wanted: bool) -> Path:
    def run(value: Any) -> Any:
        second, first = right(value), left(value)
        if type(first) not in _COMPARABLE or type(second) not in _COMPARABLE:
            raise Decline  # numbers compare by value
        return (type(first) is type(second) and first == second) is wanted

    return Path(run, None)


_COMPARABLE = (str, bool, type(None))


def _logic(left: One, right: One, stops: bool) -> Path:
    def run(value: Any) -> Any:
        first = left(value)
        if (first is None or first is False) is not stops:
            return stops
        second = right(value)
        return second is not None and second is not False

    return Path(run, None)


def _join(left: One, right: One) -> Path:
    def run(value: Any) -> Any:
        second, first = right(value), left(value)
        if first is None:
            return second
        if second is None:
            return first
        if type(first) is str and type(second) is str:
            return first + second
        if type(first) is list and type(second) is list:
            return first + second
        raise Decline

    return Path(run, None)


def _choice(condition: One, then: Path, otherwise: Path) -> Path:
    if then.one is not None and otherwise.one is not None:
        one, other = then.one, otherwise.one

        def choose(value: Any) -> Any:
            found = condition(value)
            return other(value) if found is None or found is False else one(value)

        return Path(choose, None)
    many, others = then.stream(), otherwise.stream()

    def run(value: Any) -> list[Any]:
        found = condition(value)
        return others(value) if found is None or found is False else many(value)

    return Path(None, run)


# -- compilation


def compile_path(node: Node) -> Path | None:
    """Give a program as a path, or None where it has more in it than that."""
    try:
        return _compile(node) if _copies(node) <= 64 else None
    except (Decline, RecursionError, UnicodeEncodeError):
        return None


def _copies(node: Node) -> int:
    """Bound how many copies of its input a construct's results can hold: doubling, piped into itself, explodes."""
    parts = [1 if part is None else _copies(part) for part in node.parts]
    if node.kind == "pipe":
        return parts[0] * parts[1]
    return max(1, sum(parts)) if node.kind != "index" else parts[0]


def _compile(node: Node) -> Path:
    compiler = _COMPILERS.get(node.kind)
    if compiler is None:
        raise Decline
    return compiler(node)


def _part(node: Node, position: int) -> Path:
    part = node.parts[position]
    assert part is not None
    return _compile(part)


def _one(node: Node, position: int) -> One:
    """Compile what must give exactly one result: several would make a product in jq's order."""
    path = _part(node, position)
    if path.one is None:
        raise Decline
    return path.one


def _compile_index(node: Node) -> Path:
    keys: list[str] = []
    term: Node = node
    # A chain of plain fields is one loop.
    while term.kind == "index" and not term.value:
        inner, key = term.parts
        assert inner is not None and key is not None
        if key.kind != "literal" or type(key.value) is not str:
            break
        keys.insert(0, key.value)
        term = inner
    if keys:
        step = Path(_fields(tuple(keys)), None)
        return step if term.kind == "identity" else _then(_compile(term), step)
    inner, key = node.parts
    assert inner is not None and key is not None
    sign = 1
    if key.kind == "negate":
        key, sign = key.parts[0], -1
        assert key is not None
    if key.kind != "literal":
        raise Decline
    if type(key.value) is str and sign == 1:
        step = Path(_fields((key.value,)), None)
    elif isinstance(key.value, Number) and key.value.isdecimal() and len(key.value) < 9:
        step = Path(_item(sign * int(key.value)), None)
    else:
        raise Decline
    if node.value:
        step = _tolerant(step)
    return step if inner.kind == "identity" else _then(_compile(inner), step)


def _compile_each(node: Node) -> Path:
    step = Path(None, _each)
    return _then(_part(node, 0), _tolerant(step) if node.value else step)


def _compile_literal(node: Node) -> Path:
    value = node.value
    if type(value) is str:
        value.encode()  # a lone surrogate is libjq's business
    elif isinstance(value, Number) and plain_number(value) is None:
        raise Decline
    return _literal(value)


def _compile_try(node: Node) -> Path:
    body = _part(node, 0)
    if node.parts[1] is not None or body.one is None:
        raise Decline
    return _tolerant(body)


def _compile_comma(node: Node) -> Path:
    left, right = _part(node, 0).stream(), _part(node, 1).stream()
    return Path(None, lambda value: left(value) + right(value))


def _compile_binary(node: Node) -> Path:
    operator = node.value
    if operator == "//":
        return _otherwise(_part(node, 0), _part(node, 1))
    if operator in ("==", "!="):
        return _same(_one(node, 0), _one(node, 1), operator == "==")
    if operator in ("and", "or"):
        return _logic(_one(node, 0), _one(node, 1), operator == "or")
    if operator == "+":
        return _join(_one(node, 0), _one(node, 1))
    raise Decline


def _compile_call(node: Node) -> Path:
    name = str(node.value)
    if not node.parts:
        if name in _FUNCTIONS:
            return _FUNCTIONS[name]
    elif len(node.parts) == 1:
        argument = node.parts[0]
        assert argument is not None
        if name in ("startswith", "endswith") and argument.kind == "literal" and type(argument.value) is str:
            return _affix(name, argument.value)
        if name == "select":
            return _select(_one(node, 0))
        if name == "map":
            return _then(Path(None, _each), _part(node, 0)).collected()
        if name == "join" and argument.kind == "literal" and type(argument.value) is str:
            return _join_items(argument.value)
    raise Decline


def _compile_string(node: Node) -> Path:
    if node.value != "text":
        raise Decline
    pieces = [_one(node, position) for position in range(len(node.parts))]

    def run(value: Any) -> Any:
        # The last interpolation runs first in libjq; only which error comes first could tell.
        return "".join([_tostring(piece(value)) for piece in pieces])

    return Path(run, None)


def _compile_if(node: Node) -> Path:
    otherwise = Path(lambda value: value, None) if node.parts[2] is None else _part(node, 2)
    return _choice(_one(node, 0), _part(node, 1), otherwise)


def _compile_object(node: Node) -> Path:
    members: list[tuple[str, One]] = []
    for position in range(0, len(node.parts), 2):
        key = node.parts[position]
        assert key is not None
        if key.kind != "literal" or type(key.value) is not str:
            raise Decline
        members.append((key.value, _one(node, position + 1)))
    return Path(lambda value: {name: member(value) for name, member in members}, None)


_COMPILERS: dict[str, Callable[[Node], Path]] = {
    "identity": lambda _: Path(lambda value: value, None),
    "literal": _compile_literal,
    "index": _compile_index,
    "each": _compile_each,
    "try": _compile_try,
    "pipe": lambda node: _then(_part(node, 0), _part(node, 1)),
    "comma": _compile_comma,
    "binary": _compile_binary,
    "call": _compile_call,
    "string": _compile_string,
    "if": _compile_if,
    "object": _compile_object,
    "array": lambda node: _part(node, 0).collected() if node.parts else Path(lambda _: [], None),
}
