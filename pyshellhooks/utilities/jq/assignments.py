"""What operators, assignments and paths of jq can cost: rules over sizes, for ``bounded``."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from .bounded import BYTE, Evaluation, Flow, Scope, Size, Unbounded, scale
from .lexer import Number
from .syntax import Node

_SCALAR = Size(1, 0)

# -- operators: size and steps of one result


def is_number(node: Node | None) -> bool:
    """Say whether a construct is a number written out."""
    return node is not None and node.kind == "literal" and isinstance(node.value, Number)


def _plus(left: Size, right: Size, node: Node) -> tuple[Size, float]:
    number = left.number + right.number
    if is_number(node.parts[0]) or is_number(node.parts[1]):
        return Size(1, 0, 0, number), 2
    both = left.plus(right)
    both.number = number
    return both, 2 + both.nodes + both.bytes * BYTE


def _minus(left: Size, right: Size, _: Node) -> tuple[Size, float]:
    number = left.number + right.number
    return Size(left.nodes, 0 if not left.bytes else left.bytes, left.depth, number), 2 + scale(
        left.nodes, right.nodes
    ) + (left.bytes + right.bytes) * BYTE


def _multiply(left: Size, right: Size, _: Node) -> tuple[Size, float]:
    both = left.plus(right)
    # A string times a number repeats it.
    repeated = scale(left.bytes, right.number) + scale(right.bytes, left.number)
    size = Size(both.nodes, both.bytes + repeated, both.depth, scale(left.number, right.number))
    return size, 2 + both.nodes + size.bytes * BYTE


def _divide(left: Size, right: Size, _: Node) -> tuple[Size, float]:
    return Size(1 + left.bytes, left.bytes, 1, inf if left.number else 0), 2 + left.bytes + right.bytes * BYTE


def _modulo(left: Size, right: Size, _: Node) -> tuple[Size, float]:
    return Size(1, 0, 0, min(left.number, right.number)), 2


def _compare(left: Size, right: Size, _: Node) -> tuple[Size, float]:
    return _SCALAR, 2 + left.nodes + right.nodes + (left.bytes + right.bytes) * BYTE


OPERATORS: dict[str, Callable[[Size, Size, Node], tuple[Size, float]]] = {
    "+": _plus,
    "-": _minus,
    "*": _multiply,
    "/": _divide,
    "%": _modulo,
    **dict.fromkeys(("==", "!=", "<", ">", "<=", ">=", "and", "or"), _compare),
}
ASSIGNMENTS = frozenset(("=", "|=", "+=", "-=", "*=", "/=", "%=", "//="))


# -- assignments and paths


def _path_shape(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> tuple[float, bool, float]:
    """Give for a path its steps, whether its paths can't nest, and how long an array its numbers can make."""
    length, simple, growth = 0.0, True, 0.0
    for inner in node.walk():
        if inner.kind in ("index", "each", "slice"):
            length += 1
        elif inner.kind in ("comma", "recurse", "def", "reduce", "foreach"):
            simple = False
        elif inner.kind == "call" and inner.value not in ("select", "first", "last", "empty", "getpath"):
            simple = False
            if inner.value not in _PATH_CALLS:
                raise Unbounded
        keys = [inner.parts[1]] if inner.kind == "index" else []
        if inner.kind == "call" and inner.value == "getpath":
            keys = list(inner.parts)
            simple = False
        for key in keys:
            if key is not None and key.kind != "negate":
                growth += run.flow(key, given, part, scope).each.number
    return length, simple, growth


_PATH_CALLS = frozenset(
    ("recurse", "map", "arrays", "objects", "strings", "numbers", "booleans", "nulls", "values", "scalars", "not")
    + ("type", "has", "test", "startswith", "endswith", "contains", "length", "tostring", "any", "all", "keys", "limit")
)


def _added_to(target: Node, value: Node | None) -> Node | None:
    """Give ``b`` of ``a = (a // 0) + b``: the old value goes as the new one comes."""
    if value is None or value.kind != "binary" or value.value != "+":
        return None
    for position in (0, 1):
        old, other = value.parts[position], value.parts[1 - position]
        if old is not None and old.kind == "binary" and old.value == "//" and old.parts[1] is not None:
            old = old.parts[0] if old.parts[1].kind == "literal" else None
        if old is not None and repr(old) == repr(target):
            return other
    return None


def assign(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    """Bound ``=``, ``|=`` and the arithmetic updates."""
    target, operator = node.parts[0], str(node.value)
    assert target is not None
    if operator == "=" and (added := _added_to(target, node.parts[1])) is not None:
        return assign(run, Node("binary", (target, added), "+="), given, part, scope)
    paths = run.flow(target, given, part, scope)
    if operator == "|=":
        value = run.after(paths, node.parts[1], scope)
        ways, new, depth = 1.0, value.total, value.each.depth
        steps = value.steps
    else:
        value = run.flow(node.parts[1], given, part, scope)
        ways = value.count
        steps = paths.steps + value.steps
        if operator in ("=", "+=", "//="):
            new = value.each.times(paths.count)
            depth = max(value.each.depth, paths.each.depth if operator != "=" else 0)
            if operator == "+=" and is_number(node.parts[1]):
                depth = 0
        else:
            new, more = OPERATORS[operator[:-1]](paths.total, value.each, node)
            steps += scale(ways, more)
            depth = new.depth
    return _assigned(run, target, given, part, scope, paths, new, depth, ways, steps)


def _assigned(
    run: Evaluation,
    target: Node,
    given: Size,
    part: bool,
    scope: Scope,
    paths: Flow,
    new: Size,
    depth: float,
    ways: float,
    steps: float,
) -> Flow:
    length, simple, growth = _path_shape(run, target, given, part, scope)
    made = given.nodes + new.nodes + paths.count * (length + 1) + scale(growth, max(1, paths.count))
    deep = max(given.depth, length + depth) if simple else given.depth + scale(paths.count, length + depth)
    number = given.number + new.number
    size = Size(made, given.bytes + new.bytes, deep, number)
    steps += scale(ways, scale(paths.count, 24 + 2 * length) + given.nodes)
    return Flow(ways, size, steps)


def update_values(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    """Bound ``map_values(f)``, which is ``.[] |= f``."""
    each = Node("each", (Node("identity"),), False)
    return assign(run, Node("binary", (each, node.parts[0]), "|="), given, part, scope)


def delete(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    """Bound ``del(paths)``."""
    paths = run.flow(node.parts[0], given, part, scope)
    return Flow(1, given, paths.steps + scale(paths.count, 24 + given.nodes))


def setpath(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    """Bound ``setpath(path; value)``: a large index makes a long array."""
    path = run.flow(node.parts[0], given, part, scope)
    value = run.flow(node.parts[1], given, part, scope)
    both = given.plus(value.each)
    nodes = both.nodes + path.each.nodes * (1 + path.each.number)
    size = Size(nodes, both.bytes + path.each.bytes, path.each.nodes + both.depth, both.number)
    count = scale(path.count, value.count)
    return Flow(count, size, path.steps + value.steps + scale(count, 8 + size.nodes))


def pick(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    """Bound ``pick(paths)``."""
    paths = run.flow(node.parts[0], given, part, scope)
    assert node.parts[0] is not None
    return _assigned(run, node.parts[0], given, part, scope, paths, paths.total, paths.each.depth, 1, paths.steps)


def path(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    """Bound ``path(paths)``."""
    paths = run.flow(node.parts[0], given, part, scope)
    assert node.parts[0] is not None
    length, _, growth = _path_shape(run, node.parts[0], given, part, scope)
    size = Size(2 + length + given.depth, given.bytes + 32 * length, 2, max(given.nodes, growth))
    return Flow(paths.count, size, paths.steps + scale(paths.count, size.nodes))


def paths(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    """Bound ``paths`` and ``paths(filter)``."""
    size = Size(given.depth + 2, given.bytes, 1, given.nodes)
    steps = scale(given.nodes, 8 + given.depth)
    if node.parts:
        flow = run.after(Flow(given.nodes, given, 0, given.times(given.depth + 1), part), node.parts[0], scope)
        steps += flow.steps
    return Flow(given.nodes, size, steps)


def tostream(_: Evaluation, __: Node, given: Size, ___: bool, ____: Scope) -> Flow:
    """Bound ``tostream``."""
    size = Size(given.depth + 4, given.bytes, 2, max(given.nodes, given.number))
    return Flow(2 * given.nodes, size, scale(given.nodes, 24 + given.depth))
