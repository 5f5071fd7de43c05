"""Whether a program ends soon: a bound on its work from the sizes of its input.

No C code that may hold the GIL for long runs in the host. So the program's tree is evaluated once over *sizes* instead
of values: how many results a construct can have, how large they can be, and how many steps of libjq that takes. Every
rule is an upper bound and convex in the sizes; a stream of parts then costs no more than its whole at once plus each
part as nothing, which is what keeps ``.[] | .[]`` linear. What no rule bounds (``repeat``, recursion, ``range`` of an
unknown number) costs infinity.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING

from .lexer import Number
from .syntax import Node, Pattern

if TYPE_CHECKING:
    from .rules import Rule

BYTE = 1 / 256  # steps that a scan over one byte takes
DEPTH = 500


class Size:
    """How large a value can be: nodes, bytes of text, depth, and the largest number in it."""

    __slots__ = ("bytes", "depth", "nodes", "number")

    def __init__(self, nodes: float, bytes_: float, depth: float = 0, number: float = 0) -> None:
        self.nodes = nodes
        self.bytes = bytes_
        self.depth = depth
        self.number = number

    def plus(self, other: Size) -> Size:
        """Bound what holds both."""
        return Size(
            self.nodes + other.nodes,
            self.bytes + other.bytes,
            max(self.depth, other.depth),
            max(self.number, other.number),
        )

    def times(self, count: float) -> Size:
        """Bound ``count`` of them."""
        return Size(scale(self.nodes, count), scale(self.bytes, count), self.depth, self.number)

    def text(self) -> float:
        """Bound the length as JSON; a computed number takes up to 25 characters."""
        return self.bytes + 26 * self.nodes

    def nothing(self) -> Size:
        """Give the least value with the same numbers."""
        return Size(1, 0, 0, self.number)


def scale(left: float, right: float) -> float:
    """Multiply; nothing of an infinity is nothing."""
    return 0 if not left or not right else left * right


class Flow:
    """What a construct gives: how many results, the size of each and of all, steps, whether parts of the data."""

    __slots__ = ("count", "each", "part", "steps", "total")

    def __init__(self, count: float, each: Size, steps: float, total: Size | None = None, part: bool = False) -> None:
        self.count = count
        self.each = each
        self.total = each.times(count) if total is None else total
        self.steps = steps
        self.part = part


class Unbounded(Exception):
    """No rule bounds it."""


Closure = tuple[Node, "Scope"]


class Scope:
    """The variables and functions seen at a place; copied when it grows."""

    __slots__ = ("functions", "variables")

    def __init__(self, variables: Mapping[str, tuple[Size, bool]], functions: Mapping[str, object]) -> None:
        self.variables = variables
        self.functions = functions

    def with_variable(self, name: str, size: Size, part: bool) -> Scope:
        """Add a variable."""
        return Scope({**self.variables, name: (size, part)}, self.functions)

    def with_function(self, key: str, function: object) -> Scope:
        """Add a function or a parameter that is one."""
        return Scope(self.variables, {**self.functions, key: function})


class _Function:
    __slots__ = ("body", "parameters", "scope")

    def __init__(self, body: Node, parameters: tuple[str, ...], scope: Scope) -> None:
        self.body = body
        self.parameters = parameters
        self.scope = scope


class Evaluation:
    """One evaluation; ``work`` bounds the evaluation itself, since calls are followed wherever they go."""

    __slots__ = ("brackets", "data", "level", "work")

    def __init__(self, data: Size, brackets: float) -> None:
        self.data = data
        self.brackets = brackets  # that strings in the data hold: how deep fromjson may go
        self.work = 4000
        self.level = 0

    def flow(self, node: Node | None, given: Size, part: bool, scope: Scope) -> Flow:
        """Evaluate a construct for an input of a size; ``part``: the input is a part of the data."""
        self.work -= 1
        self.level += 1
        if self.work < 0 or self.level > 120 or node is None:
            raise Unbounded
        found: Flow = _RULES[node.kind](self, node, given, part, scope)
        self.level -= 1
        if found.steps > 1e12 or found.each.depth > DEPTH or found.each.text() > 1e9:
            raise Unbounded
        return found

    def after(self, left: Flow, node: Node | None, scope: Scope) -> Flow:
        """Evaluate a construct for each of a flow's results."""
        if left.count <= 1:
            right = self.flow(node, left.each, left.part, scope)
            return Flow(right.count, right.each, left.steps + right.steps, right.total, right.part)
        whole = self.flow(node, left.total, left.part, scope)
        least = self.flow(node, left.each.nothing(), left.part, scope)
        count = left.count
        return Flow(
            whole.count + scale(count, least.count),
            whole.each,
            left.steps + whole.steps + scale(count, least.steps),
            whole.total.plus(least.total.times(count)),
            whole.part,
        )

    def grow(self, start: Size, turns: float, node: Node | None, scope: Scope) -> Size:
        """Bound the state of a fold after some turns: what a turn adds must not depend on the state."""
        base = self.flow(node, start, False, scope).each
        far = Size(start.nodes + 1e6, start.bytes + 1e6, start.depth + 100, start.number + 1e6)
        there = self.flow(node, far, False, scope).each
        for name in ("nodes", "bytes", "depth"):
            if getattr(there, name) - getattr(base, name) > getattr(far, name) - getattr(start, name) + 0.5:
                raise Unbounded
        added = self.flow(node, Size(1, 0), False, scope).each
        number = inf
        if there.number - base.number <= far.number - start.number:
            number = max(start.number, base.number) + scale(turns, added.number)
        depth = start.depth + scale(turns, added.depth)
        if depth > DEPTH:
            raise Unbounded
        nodes = start.nodes + scale(turns, added.nodes)
        return Size(nodes, start.bytes + scale(turns, added.bytes), depth, number)

    def bind(self, source: Flow, patterns: object, scope: Scope, *, whole: bool) -> Scope:
        """Give the scope with what a pattern binds."""
        assert isinstance(patterns, tuple)
        size = source.total if whole else source.each.nothing()
        for pattern in patterns:
            assert isinstance(pattern, Pattern)
            for name in pattern.names:
                scope = scope.with_variable(name, size, source.part)
        return scope


def _rule_identity(_: Evaluation, __: Node, given: Size, part: bool, ___: Scope) -> Flow:
    return Flow(1, given, 1, part=part)


def _rule_recurse(_: Evaluation, __: Node, given: Size, part: bool, ___: Scope) -> Flow:
    return Flow(given.nodes, given, 4 * given.nodes + 4, given.times(given.depth + 1), part)


def _rule_literal(_: Evaluation, node: Node, __: Size, ___: bool, ____: Scope) -> Flow:
    value = node.value
    if isinstance(value, Number):
        return Flow(1, Size(1, 0, 0, float(value)), 1)
    return Flow(1, Size(1, len(value) * 4 if isinstance(value, str) else 0), 1)


def _rule_string(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    count, length, steps = 1.0, 0.0, 1.0
    factor = 1 if node.value in ("text", "json") else 7
    for piece in node.parts:
        flow = run.flow(piece, given, part, scope)
        steps += scale(count, flow.steps + 8 + flow.each.text() * BYTE)
        count *= max(1, flow.count)
        length += flow.each.text() * factor
    return Flow(count, Size(1, length), steps)


def _rule_format(_: Evaluation, __: Node, given: Size, ___: bool, ____: Scope) -> Flow:
    return Flow(1, Size(1, given.text() * 7), 8 + given.nodes + given.text() * BYTE)


def _rule_index(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    term = run.flow(node.parts[0], given, part, scope)
    key = run.flow(node.parts[1], given, part, scope)
    searched = 0.0 if node.parts[1] is not None and node.parts[1].kind == "literal" else term.total.nodes
    each = Size(term.each.nodes, term.each.bytes, max(0, term.each.depth - 1), term.each.number)
    if key.each.depth:
        each = Size(each.nodes + 1, each.bytes, max(1, each.depth), each.nodes)  # indices of a subarray
    count = scale(term.count, key.count)
    steps = term.steps + key.steps + scale(key.count, 2 * term.count + searched * key.each.nodes)
    return Flow(count, each, steps, term.total.times(key.count), term.part)


def _rule_slice(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    term = run.flow(node.parts[0], given, part, scope)
    count, steps = term.count, term.steps
    for bound in node.parts[1:]:
        if bound is not None:
            flow = run.flow(bound, given, part, scope)
            count = scale(count, flow.count)
            steps += flow.steps
    each = term.each
    steps += scale(count, 8 + each.nodes + each.bytes * BYTE)
    return Flow(count, each, steps, part=term.part)


def _rule_each(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    term = run.flow(node.parts[0], given, part, scope)
    inner = Size(term.each.nodes, term.each.bytes, max(0, term.each.depth - 1), term.each.number)
    count = max(0.0, term.total.nodes - term.count)
    return Flow(count, inner, term.steps + 2 * count + 2, term.total, term.part)


def _rule_array(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    if not node.parts:
        return Flow(1, Size(1, 0, 1), 1)
    body = run.flow(node.parts[0], given, part, scope)
    size = Size(body.total.nodes + 1, body.total.bytes, body.each.depth + 1, body.each.number)
    return Flow(1, size, body.steps + body.count + 4)


def _rule_object(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    count, steps, size = 1.0, 4.0, Size(1, 0, 1)
    for position, piece in enumerate(node.parts):
        flow = run.flow(piece, given, part, scope)
        steps += scale(count, flow.steps + 4)
        count = count * max(1, flow.count)
        each = flow.each
        if position % 2:
            each = Size(each.nodes, each.bytes, each.depth + 1, each.number)
        size = size.plus(each)
    return Flow(count, size, steps + 2 * count)


def _rule_negate(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    flow = run.flow(node.parts[0], given, part, scope)
    return Flow(flow.count, flow.each, flow.steps + 2 * flow.count)


def _rule_pipe(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    return run.after(run.flow(node.parts[0], given, part, scope), node.parts[1], scope)


def _rule_comma(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    left = run.flow(node.parts[0], given, part, scope)
    right = run.flow(node.parts[1], given, part, scope)
    return _either(left, right)


def _either(left: Flow, right: Flow) -> Flow:
    each = Size(
        max(left.each.nodes, right.each.nodes),
        max(left.each.bytes, right.each.bytes),
        max(left.each.depth, right.each.depth),
        max(left.each.number, right.each.number),
    )
    total = left.total.plus(right.total)
    return Flow(left.count + right.count, each, left.steps + right.steps, total, left.part and right.part)


def _rule_binary(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    from . import assignments

    operator = str(node.value)
    if operator in assignments.ASSIGNMENTS:
        return assignments.assign(run, node, given, part, scope)
    left = run.flow(node.parts[0], given, part, scope)
    right = run.flow(node.parts[1], given, part, scope)
    if operator == "//":
        both = _either(left, right)
        both.steps += 4 * left.count
        return both
    count = scale(left.count, right.count)
    size, steps = assignments.OPERATORS[operator](left.each, right.each, node)
    return Flow(count, size, left.steps + max(1, left.count) * right.steps + scale(count, steps + 4))


def _rule_if(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    test = run.flow(node.parts[0], given, part, scope)
    then = run.flow(node.parts[1], given, part, scope)
    if node.parts[2] is None:
        otherwise = Flow(1, given, 1, part=part)
    else:
        otherwise = run.flow(node.parts[2], given, part, scope)
    found = _either(then, otherwise)
    # One branch for each outcome of the test.
    count = scale(test.count, max(then.count, otherwise.count))
    steps = test.steps + scale(test.count, 2 + max(then.steps, otherwise.steps))
    total = found.total if test.count <= 1 else found.total.times(test.count)
    return Flow(count, found.each, steps, total, found.part)


def _rule_try(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    body = run.flow(node.parts[0], given, part, scope)
    body.steps += 4
    if node.parts[1] is None:
        return body
    raised = given.plus(body.total).plus(Size(4, 256, 1))
    handler = run.flow(node.parts[1], raised, False, scope)
    return _either(body, handler)


def _rule_fold(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    source = run.flow(node.parts[0], given, part, scope)
    start = run.flow(node.parts[1], given, part, scope)
    for key in (key for pattern in node.value for key in pattern.keys):  # type: ignore[attr-defined]
        run.flow(key, source.each, False, scope)
    ways = scale(max(1, start.count), len(node.value))  # type: ignore[arg-type]
    # Turns with small parts and one with all there is: convexity again, now in the variable.
    whole = run.bind(source, node.value, scope, whole=True)
    least = run.bind(source, node.value, scope, whole=False)
    update = node.parts[2]
    state = run.grow(run.grow(start.each, source.count, update, least), 1, update, whole)
    steps = scale(source.count, run.flow(update, state, False, least).steps)
    more = run.flow(update, state, False, whole).steps
    steps = source.steps + start.steps + scale(ways, steps + more + 8 * source.count + 8)
    if node.kind == "reduce":
        return Flow(max(1, start.count), state, steps)
    if node.parts[3] is None:
        return Flow(scale(ways, source.count), state, steps)
    extract = run.flow(node.parts[3], state, False, whole)
    turns = scale(ways, source.count)
    return Flow(scale(turns, extract.count), extract.each, steps + scale(turns, extract.steps))


def _rule_bind(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    source = run.flow(node.parts[0], given, part, scope)
    patterns = node.value
    assert isinstance(patterns, tuple)
    steps = 0.0
    for key in (key for pattern in patterns for key in pattern.keys):
        flow = run.flow(key, source.each, False, scope)
        if flow.count > 1:
            raise Unbounded
        steps += scale(source.count, flow.steps)
    whole = run.flow(node.parts[1], given, part, run.bind(source, patterns, scope, whole=True))
    steps += source.steps + len(patterns) * (whole.steps + 4 * source.count)
    if source.count <= 1:
        count = whole.count * len(patterns)
        return Flow(count, whole.each, steps, whole.total.times(len(patterns)), whole.part)
    least = run.flow(node.parts[1], given, part, run.bind(source, patterns, scope, whole=False))
    times = source.count * len(patterns)
    total = whole.total.plus(least.total.times(times))
    count = whole.count * len(patterns) + scale(times, least.count)
    return Flow(count, whole.each, steps + scale(times, least.steps), total, whole.part)


def _rule_label(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    return run.flow(node.parts[0], given, part, scope)


def _rule_break(_: Evaluation, __: Node, ___: Size, ____: bool, _____: Scope) -> Flow:
    return Flow(0, Size(1, 0), 2)


def _rule_variable(run: Evaluation, node: Node, _: Size, __: bool, scope: Scope) -> Flow:
    size, part = scope.variables.get(str(node.value), (run.data, True))
    return Flow(1, size, 1, part=part)


def _rule_location(_: Evaluation, __: Node, ___: Size, ____: bool, _____: Scope) -> Flow:
    return Flow(1, Size(3, 32, 1, 1e6), 1)


def _rule_def(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    body = node.parts[0]
    assert body is not None and isinstance(node.value, tuple)
    name, parameters = node.value
    function = _Function(body, parameters, scope)
    inner = scope.with_function(f"{name}/{len(parameters)}", function)
    # Its own name means itself in the body. Following that never ends, so ``work`` and ``level`` refuse it.
    function.scope = inner
    return run.flow(node.parts[1], given, part, inner)


def _rule_call(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    key = f"{node.value}/{len(node.parts)}"
    function = scope.functions.get(key)
    if function is None:
        from . import rules

        rule: Rule | None = rules.RULES.get(key)
        if rule is None:
            raise Unbounded
        return rule(run, node, given, part, scope)
    if not isinstance(function, _Function):
        assert isinstance(function, tuple)
        body, outer = function
        return run.flow(body, given, part, outer)
    inner = function.scope
    flow = Flow(1, given, 2, part=part)
    count = 1.0
    for parameter, argument in zip(function.parameters, node.parts, strict=True):
        assert argument is not None
        name = parameter.removeprefix("$")
        inner = inner.with_function(f"{name}/0", (argument, scope))
        if parameter != name:
            value = run.flow(argument, given, part, scope)
            flow.steps += scale(count, value.steps)
            count *= max(1, value.count)
            inner = inner.with_variable(parameter, value.each, value.part)
    found = run.flow(function.body, given, part, inner)
    total = found.total if count <= 1 else found.total.times(count)
    return Flow(scale(count, found.count), found.each, flow.steps + scale(count, found.steps), total, found.part)


_RULES = {
    "identity": _rule_identity,
    "recurse": _rule_recurse,
    "literal": _rule_literal,
    "string": _rule_string,
    "format": _rule_format,
    "index": _rule_index,
    "slice": _rule_slice,
    "each": _rule_each,
    "array": _rule_array,
    "object": _rule_object,
    "negate": _rule_negate,
    "pipe": _rule_pipe,
    "comma": _rule_comma,
    "binary": _rule_binary,
    "if": _rule_if,
    "try": _rule_try,
    "reduce": _rule_fold,
    "foreach": _rule_fold,
    "bind": _rule_bind,
    "label": _rule_label,
    "break": _rule_break,
    "call": _rule_call,
    "variable": _rule_variable,
    "location": _rule_location,
    "def": _rule_def,
}


def bound_steps(program: Node, data: Size, brackets: float) -> float:
    """Bound the steps that libjq takes for a program on data of a size; ``inf`` where nothing bounds them."""
    run = Evaluation(data, brackets)
    try:
        found = run.flow(program, data, True, Scope({}, {}))
    except (Unbounded, RecursionError, OverflowError):
        return inf
    return found.steps + 4 * found.count + found.total.text() * BYTE
