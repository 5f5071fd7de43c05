"""Compiler from nodes to filters.

Functions that do not call themselves are inlined, with their filter arguments in place of the parameters; so
``map(select(.a))`` is a loop, not two calls. A function that calls itself, or whose inlining would get too long, has a
body of its own, which runs on the machine.

Constructs that may be chains of thousands are walked in a loop (see ``Node``); the parser bounds all other depth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....errors import Stop
from ....text import pause
from ..errors import CompileError
from ..json.numbers import read_number
from ..parser.lexer import Number
from ..parser.syntax import Node, Pattern
from . import access
from .filters import (
    EMPTY,
    IDENTITY,
    Filter,
    alternative,
    attempt,
    build,
    comma,
    condition,
    from_one,
    gather,
    logic,
    pipe,
)
from .indexing import index
from .scopes import (
    HIDDEN,
    Body,
    Definition,
    Inline,
    LabelSlot,
    Parameter,
    Scope,
    Slot,
    Undefined,
    Variable,
    reach,
    read_slot,
)
from .trampoline import Env, Machine, Next, State

_MOST_INLINED = 4000  # calls that are replaced by the called function's body
_MOST_FUNCTIONS = 4095
# Filters of a program: Python's garbage collector visits all their closures in one pass, which nothing interrupts.
_MOST_FILTERS = 100_000
_TOO_MANY = f"jq: error: too many function parameters or local function definitions (max {_MOST_FUNCTIONS})\njq: 1 compile error"


def _part(node: Node, position: int) -> Node:
    part = node.parts[position]
    assert part is not None
    return part


class Argument:
    """A filter argument of a function with a body of its own, in both forms."""

    __slots__ = ("_compiler", "_node", "_paths", "_scope", "values")

    def __init__(self, compiler: Compiler, node: Node, scope: Scope) -> None:
        self._compiler = compiler
        self._node = node
        self._scope = scope
        self._paths: Filter | None = None
        self.values = compiler.compile(node, scope, False)

    def filter(self, paths: bool) -> Filter:
        """Return the form for values or for paths."""
        if not paths:
            return self.values
        if self._paths is None:
            self._paths = self._compiler.compile(self._node, self._scope, True)
        return self._paths


class Compiler:
    """Compiler of one program."""

    __slots__ = ("_bodies", "_filters", "_inlined", "_open", "_recursive")

    def __init__(self) -> None:
        self._filters = 0
        self._inlined = 0
        self._bodies: dict[tuple[Definition, bool], Body] = {}
        self._open: set[Definition] = set()  # being inlined
        self._recursive: set[Definition] = set()  # those that have a body of their own

    # -- chains

    def compile(self, node: Node, scope: Scope, paths: bool) -> Filter:
        """Compile a node. With ``paths`` the filter works on pairs of path and value (access.py)."""
        self._count()
        kind = node.kind
        if paths and kind == "literal":
            value = literal(node)
            return from_one(lambda item, env, run: access.off(item, value))
        is_update = kind == "binary" and str(node.value) in _UPDATES
        if paths and is_update:
            made = self._assignment(str(node.value), _part(node, 0), _part(node, 1), scope, "_modified")
            return pipe((access.lift(made), from_one(access.refuse_update)))
        is_operation = kind == "binary" and node.value != "//"
        if paths and (is_operation or kind in _VALUES):
            return access.lift(self.compile(node, scope, False))
        if kind in _TAILS:
            return self._tail(node, scope, paths)
        if _leans(node):
            return self._spine(node, scope, paths)
        if kind in _VALUES:
            return _VALUES[kind](self, node, scope)
        return _CONTROLS[kind](self, node, scope, paths)

    def _count(self) -> None:
        self._filters += 1
        if self._filters > _MOST_FILTERS:
            raise Stop("limit", f"a program of jq has more than {_MOST_FILTERS} parts", "memory")
        if not self._filters & 255:
            pause()

    def _tail(self, node: Node, scope: Scope, paths: bool) -> Filter:
        """Compile ``|``, ``def``, ``as`` and ``label``, whose right side extends as far as possible."""
        wraps: list[Callable[[Filter], Filter]] = []
        stages: list[Filter] = []
        outer: list[list[Filter]] = []
        defined = 0

        def wrap(function: Callable[[Filter], Filter]) -> None:
            nonlocal stages
            wraps.append(function)
            outer.append(stages)
            stages = []

        while node.kind in _TAILS:
            if node.kind == "pipe":
                # A loop instead of a recursion: programs are written with hundreds of stages.
                stages.append(self.compile(_part(node, 0), scope, paths))
                node = _part(node, 1)
            elif node.kind == "def":
                signature: tuple[str, tuple[str, ...]] = node.value  # type: ignore[assignment]
                defined += 1
                if max(defined, len(signature[1])) > _MOST_FUNCTIONS:
                    raise CompileError(_TOO_MANY)
                scope = define(scope, *signature, _part(node, 0))
                node = _part(node, 1)
            elif node.kind == "label":
                scope = scope.with_value(f"*{node.value}", LabelSlot)
                from .loops import label

                wrap(label)
                node = _part(node, 0)
            else:
                scope, function = self._bindings(node, scope, paths)
                if function is None:  # ?// has its body in it
                    stages.append(self._alternatives(node, scope, paths))
                    break
                wrap(function)
                node = _part(node, 1)
        else:
            stages.append(self.compile(node, scope, paths))
        body = pipe(stages)
        for function, before in zip(reversed(wraps), reversed(outer), strict=False):
            body = pipe([*before, function(body)])
        return body

    def _spine(self, node: Node, scope: Scope, paths: bool) -> Filter:
        """Compile a left-leaning chain: ``.a.b[0]?``, ``a + b + c``."""
        spine: list[Node] = []
        while _leans(node) and not (paths and node.kind == "binary"):
            spine.append(node)
            node = _part(node, 0)
        spine.reverse()
        if node.kind == "identity":
            made = None
        else:
            made = self.compile(node, scope, paths)
        at = 0
        while at < len(spine):
            node = spine[at]
            if node.kind == "index" and not paths:
                keys = []
                while at < len(spine) and (key := _plain_key(spine[at])) is not None:
                    keys.append(key)
                    at += 1
                if keys:
                    made = access.fields(made, tuple(keys))
                    continue
            self._count()
            made = _LEFT_COMPILERS[node.kind](self, node, made or IDENTITY, scope, paths)
            at += 1
        assert made is not None
        return made

    # -- terms

    def _identity(self, node: Node, scope: Scope, paths: bool) -> Filter:
        return IDENTITY

    def _recurse(self, node: Node, scope: Scope, paths: bool) -> Filter:
        return access.recurse(paths)

    def _literal(self, node: Node, scope: Scope) -> Filter:
        value = literal(node)
        return from_one(lambda item, env, run: value)

    def _location(self, node: Node, scope: Scope) -> Filter:
        place = {"file": "<top-level>", "line": node.value}
        return from_one(lambda item, env, run: place)

    def _format(self, node: Node, scope: Scope) -> Filter:
        from .terms import format_filter

        return format_filter(str(node.value))

    def _string(self, node: Node, scope: Scope) -> Filter:
        """Compile a string with interpolations; the last expression is the outermost loop."""
        from .terms import format_filter, interpolation

        name = str(node.value)
        texts = [str(part.value) for part in node.parts[::2] if part is not None]
        operands = [self.compile(part, scope, False) for part in node.parts[1::2] if part is not None]
        if name != "text":
            operands = [pipe((operand, format_filter(name))) for operand in operands]
        return gather(operands[::-1], interpolation(texts))

    def _array(self, node: Node, scope: Scope) -> Filter:
        from .loops import collect

        body = self.compile(_part(node, 0), scope, False) if node.parts else None
        return collect(body)

    def _object(self, node: Node, scope: Scope) -> Filter:
        if not node.parts:
            return from_one(lambda item, env, run: {})
        keys = node.parts[::2]
        if all(key is not None and key.kind == "literal" and type(key.value) is str for key in keys):
            names = [str(key.value) for key in keys if key is not None]
            values = [self.compile(_part(node, 2 * n + 1), scope, False) for n in range(len(names))]
            return gather(values, lambda run, item, *found: dict(zip(names, found, strict=False)))
        from .terms import make_object

        return gather([self._entry(node, n, scope) for n in range(0, len(node.parts), 2)], make_object)

    def _entry(self, node: Node, position: int, scope: Scope) -> Filter:
        """Return the filter of an entry's (key, value); without a value, ``{"\\(.a)"}``, it is the input's field."""
        key = self.compile(_part(node, position), scope, False)
        value = node.parts[position + 1]
        if value is None:
            return gather((key,), lambda run, item, name: (name, index(run, item, name)))
        from .terms import make_entry

        return gather((key, self.compile(value, scope, False)), make_entry)

    def _negate(self, node: Node, scope: Scope) -> Filter:
        from .operators import negate

        operand = self.compile(_part(node, 0), scope, False)
        return gather((operand,), lambda run, item, value: negate(run, value))

    def _variable(self, node: Node, scope: Scope) -> Filter:
        name = str(node.value)
        entry = scope.find(name)
        if entry is None:
            if name != "$ENV":
                raise Undefined(node)
            return from_one(lambda item, env, run: run.environment())
        if isinstance(entry, Slot):
            return read_slot(entry, scope)
        value = entry.value  # of a data file, known at compile time
        return from_one(lambda item, env, run: value)

    def _break(self, node: Node, scope: Scope, paths: bool) -> Filter:
        from .loops import break_

        entry = scope.find(f"*{node.value}")
        if entry is None:
            raise Undefined(node)
        return break_(reach(scope.depth - entry.depth))

    # -- left-leaning

    def _index(self, node: Node, term: Filter, scope: Scope, paths: bool) -> Filter:
        key = _part(node, 1)
        if node.value and not paths and key.kind == "literal":
            return pipe((term, access.optional_field(literal(key))))
        return access.down(self.compile(key, scope, False), term, paths, bool(node.value))

    def _slice(self, node: Node, term: Filter, scope: Scope, paths: bool) -> Filter:
        bounds = [
            from_one(lambda item, env, run: None) if part is None else self.compile(part, scope, False)
            for part in node.parts[1:]
        ]
        key = gather(bounds, access.slice_key)
        return access.down(key, term, paths, bool(node.value))

    def _each(self, node: Node, term: Filter, scope: Scope, paths: bool) -> Filter:
        if node.value:
            step = access.EACH_PAIR_OPTIONAL if paths else access.EACH_OPTIONAL
        else:
            step = access.EACH_PAIR if paths else access.EACH
        return step if term is IDENTITY else pipe((term, step))

    def _left_try(self, node: Node, body: Filter, scope: Scope, paths: bool) -> Filter:
        return attempt(body, EMPTY, None)

    def _left_comma(self, node: Node, left: Filter, scope: Scope, paths: bool) -> Filter:
        return comma((left, self.compile(_part(node, 1), scope, paths)))

    def _left_binary(self, node: Node, left: Filter, scope: Scope, paths: bool) -> Filter:
        """Compile ``+`` and other operators whose right side is the outer loop."""
        right = self.compile(_part(node, 1), scope, False)
        operator = str(node.value)
        if operator == "and" or operator == "or":
            return logic(left, right, operator == "or")
        from .terms import operators_filter

        return operators_filter(operator, left, right)

    # -- conditions and errors

    def _binary(self, node: Node, scope: Scope, paths: bool) -> Filter:
        operator = str(node.value)
        if operator == "//":
            operands = []
            while node.kind == "binary" and node.value == "//":
                operands.append(self.compile(_part(node, 0), scope, paths))
                node = _part(node, 1)
            made = self.compile(node, scope, paths)
            of = access.value_getter(paths)
            for operand in reversed(operands):
                made = alternative(operand, made, of)
            return made
        return self._assignment(operator, _part(node, 0), _part(node, 1), scope, "_modify")

    def _assignment(self, operator: str, left: Node, right: Node, scope: Scope, modify: str) -> Filter:
        if operator == "=":
            from .assignments import assign

            made = assign(self.compile(left, scope, True), self.compile(right, scope, False))
            return made or self._named("_assign", (left, right), scope)
        if operator == "|=":
            return self._named(modify, (left, right), scope)
        # a += b is b as $x | a |= . + $x
        name = f"{HIDDEN}{scope.depth}"
        update = Node("binary", (Node("identity"), Node("variable", (), name)), operator[:-1])
        body = Node("call", (left, update), modify)
        return self.compile(Node("bind", (right, body), (Pattern("variable", name),)), scope, False)

    def _named(self, name: str, arguments: tuple[Node, ...], scope: Scope) -> Filter:
        return self._call(Node("call", arguments, name), scope, False)

    def _if(self, node: Node, scope: Scope, paths: bool) -> Filter:
        branches = []
        rest: Node | None = node
        while rest is not None and rest.kind == "if":
            branches.append((self.compile(_part(rest, 0), scope, False), self.compile(_part(rest, 1), scope, paths)))
            rest = rest.parts[2]
        made = IDENTITY if rest is None else self.compile(rest, scope, paths)
        of = access.value_getter(paths)
        for test, then in reversed(branches):
            made = condition(test, then, made, of)
        return made

    def _try(self, node: Node, scope: Scope, paths: bool) -> Filter:
        body = self.compile(_part(node, 0), scope, paths)
        handler = self.compile(_part(node, 1), scope, paths)
        return attempt(body, handler, access.rewrap if paths else None)

    # -- variables

    def _bindings(self, node: Node, scope: Scope, paths: bool) -> tuple[Scope, Callable[[Filter], Filter] | None]:
        """``source as PATTERN | ...``: return the scope of the body, and the function that wraps the body's filter."""
        from . import loops

        patterns: tuple[Pattern, ...] = node.value  # type: ignore[assignment]
        if len(patterns) > 1:
            return scope, None
        source = self.compile(_part(node, 0), scope, False)
        of = access.value_getter(paths)
        pattern = patterns[0]
        if pattern.kind == "variable":
            inner = scope.with_value(pattern.name, Variable)
            return inner, lambda body: loops.bind(source, body, of)
        inner = scope.with_value(HIDDEN, Variable)
        from .destructuring import take_apart

        sources, inner = take_apart(self, pattern, inner, scope)

        def wrap(body: Filter) -> Filter:
            for part in reversed(sources):
                body = loops.bind(part, body, of)
            return loops.bind(source, body, of)

        return inner, wrap

    def _alternatives(self, node: Node, scope: Scope, paths: bool) -> Filter:
        """``source as A ?// B | body``: the body sees all names of all patterns; those that a pattern lacks are null."""
        from . import loops
        from .destructuring import take_apart

        patterns: tuple[Pattern, ...] = node.value  # type: ignore[assignment]
        names = sorted({name for pattern in patterns for name in pattern.names})
        source = self.compile(_part(node, 0), scope, False)
        of = access.value_getter(paths)
        outer = scope.with_value(HIDDEN, Variable)
        inner = outer
        for name in names:
            inner = inner.with_value(name, Variable)
        body = self.compile(_part(node, 1), inner, paths)
        base = outer.depth
        made = []
        for pattern in patterns:
            sources, last = take_apart(self, pattern, outer, scope, last_counts=True)
            choice = _packed(
                body, [last.find(name) if name in pattern.names else None for name in names], last.depth, base
            )
            for part in reversed(sources):
                choice = loops.bind(part, choice, of)
            made.append(choice)
        return loops.bind(source, loops.bind_alternatives(made, access.rewrap if paths else None), of)

    # -- loops

    def _reduce(self, node: Node, scope: Scope, paths: bool) -> Filter:
        from . import loops

        source, pattern = self._source(node, scope, paths)
        initial = self.compile(_part(node, 1), scope, paths)
        inner = scope.with_value(HIDDEN if pattern else _only(node).name, Variable)
        if not paths and pattern is None:
            from .assignments import reduce_draft
            from .in_place_analysis import change_of

            change = change_of(self, _part(node, 2), inner)
            made = None if change is None else reduce_draft(source, initial, change)
            if made is not None:
                return made
        update = self._destructured(_part(node, 2), pattern, inner, scope, paths)
        if paths:
            return loops.reduce_paths(source, initial, update)
        return loops.reduce(source, initial, update)

    def _foreach(self, node: Node, scope: Scope, paths: bool) -> Filter:
        from . import loops

        source, pattern = self._source(node, scope, paths)
        initial = self.compile(_part(node, 1), scope, paths)
        inner = scope.with_value(HIDDEN if pattern else _only(node).name, Variable)
        last = node.parts[3]
        if pattern is None:
            update = self.compile(_part(node, 2), inner, paths)
            extract = IDENTITY if last is None else self.compile(last, inner, paths)
        else:
            update = self._destructured(_part(node, 2), pattern, inner, scope, paths)
            if last is None:
                extract = IDENTITY
            else:
                extract = self._destructured(last, pattern, inner, scope, paths)
        return (loops.foreach_paths if paths else loops.foreach)(source, initial, update, extract)

    def _source(self, node: Node, scope: Scope, paths: bool) -> tuple[Filter, tuple[Pattern, ...] | None]:
        """Return the source of a loop, and the patterns that the body must destructure, None for a plain variable.

        Without paths, the source destructures a single pattern: the loop gets arrays of the variables' values.
        """
        patterns: tuple[Pattern, ...] = node.value  # type: ignore[assignment]
        source = _part(node, 0)
        if len(patterns) == 1 and patterns[0].kind == "variable":
            return self.compile(source, scope, paths), None
        if paths or len(patterns) > 1:
            return self.compile(source, scope, paths), patterns
        names = sorted(set(patterns[0].names))
        variables: Node = Node("array")
        if names:
            list_: Node = Node("variable", (), names[0])
            for name in names[1:]:
                list_ = Node("comma", (list_, Node("variable", (), name)))
            variables = Node("array", (list_,))
        array = Pattern("array", "", tuple(Pattern("variable", name) for name in names))
        return self.compile(Node("bind", (source, variables), patterns), scope, False), (array,)

    def _destructured(
        self, body: Node, patterns: tuple[Pattern, ...] | None, inner: Scope, scope: Scope, paths: bool
    ) -> Filter:
        if patterns is None:
            return self.compile(body, inner, paths)
        return self.compile(Node("bind", (Node("variable", (), HIDDEN), body), patterns), inner, paths)

    # -- calls

    def _call(self, node: Node, scope: Scope, paths: bool) -> Filter:
        key = f"{node.value}/{len(node.parts)}"
        entry = scope.find(key)
        if entry is None:
            from ..functions import find as find_function
            from . import definitions
            from .control import CONSTRUCTS

            construct = CONSTRUCTS.get(key)
            if construct is not None:
                made = construct(self, node, scope, paths)
                if made is not None:
                    return made
            function = find_function(key)
            if paths and key in definitions.PATH_TEXTS:
                entry = definitions.find(key, definitions.PATH_TEXTS)
            elif function is not None:
                operands = [self.compile(_part(node, n), scope, False) for n in range(len(node.parts))]
                from .terms import call_function

                made = call_function(function, operands)
                return access.lift(made) if paths else made
            else:
                entry = definitions.find(key)
            if entry is None:
                raise Undefined(node)
            if entry.scope is None:
                entry.scope = _ROOT
        if isinstance(entry, Inline):
            entry.used = True
            return self.compile(entry.node, entry.scope.at(scope.depth), paths)
        if isinstance(entry, Parameter):
            return _call_parameter(reach(scope.depth - entry.depth), paths)
        return self._call_definition(entry, node, scope, paths)

    def _call_definition(self, definition: Definition, node: Node, scope: Scope, paths: bool) -> Filter:
        if definition in self._open:
            self._recursive.add(definition)
        elif definition not in self._recursive and self._inlined < _MOST_INLINED:
            made = self._inline(definition, node, scope, paths)
            if made is not None:
                return made
        body = self._body(definition, paths)
        arguments = [Argument(self, _part(node, n), scope) for n in range(len(node.parts))]
        assert definition.scope is not None
        return _call_body(body, arguments, scope.depth - definition.scope.depth)

    def _inline(self, definition: Definition, node: Node, scope: Scope, paths: bool) -> Filter | None:
        self._inlined += 1
        inner = definition.scope
        assert inner is not None
        inner = inner.at(scope.depth)
        arguments = [Inline(part, scope) for part in node.parts if part is not None]
        for name, filter_ in zip(definition.parameters, arguments, strict=False):
            inner = inner.with_entry(f"{name}/0", filter_)
        self._open.add(definition)
        made = self.compile(definition.body, inner, paths)
        self._open.discard(definition)
        for filter_ in arguments:
            if not filter_.used:  # compile it anyway, to report undefined names
                self.compile(filter_.node, scope, False)
        return None if definition in self._recursive else made

    def _body(self, definition: Definition, paths: bool) -> Body:
        body = self._bodies.get((definition, paths))
        if body is not None:
            return body
        body = self._bodies[definition, paths] = Body()
        scope = definition.scope
        assert scope is not None
        for name in definition.parameters:
            scope = scope.with_value(f"{name}/0", Parameter)
        self._recursive.add(definition)
        body.filter = self.compile(definition.body, scope, paths)
        return body


_TAILS = frozenset(("pipe", "def", "bind", "label"))
_UPDATES = frozenset("|= += -= *= /= %= //=".split())
_VALUES: dict[str, Callable[[Compiler, Node, Scope], Filter]] = {
    "literal": Compiler._literal,
    "location": Compiler._location,
    "format": Compiler._format,
    "string": Compiler._string,
    "array": Compiler._array,
    "object": Compiler._object,
    "negate": Compiler._negate,
    "variable": Compiler._variable,
}
_CONTROLS: dict[str, Callable[[Compiler, Node, Scope, bool], Filter]] = {
    "identity": Compiler._identity,
    "recurse": Compiler._recurse,
    "break": Compiler._break,
    "binary": Compiler._binary,
    "if": Compiler._if,
    "try": Compiler._try,
    "reduce": Compiler._reduce,
    "foreach": Compiler._foreach,
    "call": Compiler._call,
}
_LEFT = frozenset(("index", "slice", "each", "comma"))
_LEFT_OPERATORS = frozenset(("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or"))
_LEFT_COMPILERS: dict[str, Callable[[Compiler, Node, Filter, Scope, bool], Filter]] = {
    "index": Compiler._index,
    "slice": Compiler._slice,
    "each": Compiler._each,
    "comma": Compiler._left_comma,
    "try": Compiler._left_try,
    "binary": Compiler._left_binary,
}
_ROOT = Scope(None, "", None, 0)


def _leans(node: Node) -> bool:
    """Return whether a node is a link of a left-leaning chain."""
    if node.kind == "binary":
        return node.value in _LEFT_OPERATORS
    if node.kind == "try":
        return node.parts[1] is None
    return node.kind in _LEFT


def define(scope: Scope, name: str, parameters: tuple[str, ...], body: Node) -> Scope:
    """Add a function to a scope; its body can call it."""
    definition = Definition(name, parameters, body)
    definition.scope = scope.with_entry(definition.key, definition)
    return definition.scope


def literal(node: Node) -> Any:
    """Return the value of a literal node."""
    if type(node.value) is Number:
        return read_number(str(node.value))
    return node.value


def _only(node: Node) -> Pattern:
    patterns: tuple[Pattern, ...] = node.value  # type: ignore[assignment]
    return patterns[0]


def _plain_key(node: Node) -> str | None:
    """Return the key of ``.key``, or None for any other node."""
    if node.kind != "index" or node.value:
        return None
    key = node.parts[1]
    if key is None or key.kind != "literal" or type(key.value) is not str:
        return None
    return key.value


def _call_parameter(find: Callable[[Env], Any], paths: bool) -> Filter:
    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        argument, inner = find(env)
        return argument.filter(paths).step, item, inner, k

    return Filter(step, None, None, 1)


def _call_body(body: Body, arguments: list[Argument], hops: int) -> Filter:
    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        inner = env
        for _ in range(hops):
            inner = inner[1]
        for argument in arguments:
            inner = ((argument, env), inner)
        assert body.filter is not None
        return body.filter.step, item, inner, k

    return Filter(step, None, None, 1)


def _packed(body: Filter, slots: list[Slot | None], depth: int, base: int) -> Filter:
    """Run ``body`` with the values of ``slots`` on top of the first ``base`` values of the env."""
    finders = [None if slot is None else reach(depth - slot.depth) for slot in slots]

    def pack(env: Env) -> Env:
        inner = env
        for _ in range(depth - base):
            inner = inner[1]
        for find in finders:
            inner = (None if find is None else find(env), inner)
        return inner

    def step(m: Machine, item: Any, env: Env, k: Next) -> State:
        return body.step, item, pack(env), k

    some = body.some
    if some is None:
        return build((body,), step)
    return build((body,), step, None, lambda item, env, run: some(item, pack(env), run))


def compile_program(node: Node, scope: Scope) -> Filter:
    """Compile a main filter. Raise ``Undefined`` for an unknown name, ``Stop`` if it is nested too deeply."""
    try:
        return Compiler().compile(node, scope, False)
    except RecursionError:
        raise Stop("limit", "jq: the program is nested too deeply") from None
