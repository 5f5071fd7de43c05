"""Undefined names of a jq program, in jq's order and with its messages.

jq compiles the main code of a program first, then one function after another, each before its inner functions. It drops
functions that are never called before that. If a name in a function is undefined, jq skips the inner functions. Filter
arguments are functions themselves, except those of a builtin or operator that is written in C: they are a part of the
code around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ....errors import Stop
from ..functions.index import INDEX
from ..parser.lexer import Token, go_on, tokens, utf8_as_latin1
from ..parser.syntax import Node, Pattern, Program
from ..parser.syntax_errors import compile_error, located
from .control import CONSTRUCTS
from .definitions import TEXTS
from .modules import ModuleFunction
from .scopes import Scope

if TYPE_CHECKING:
    from ..errors import CompileError
    from ..running import Run
    from .modules import Module

_TURNS = 4096
_WINDOW = 256  # characters in which the end of a construct is searched first
_LARGEST = 1 << 24  # characters of all messages together, if no run has limits
# jq's builtins with arguments that are written in C.
_IN_C = frozenset(
    """
    _equal/2 _notequal/2 _less/2 _lesseq/2 _greater/2 _greatereq/2 _plus/2 _minus/2 _multiply/2 _divide/2 _mod/2
    _strindices/1 _sort_by_impl/1 _group_by_impl/1 _unique_by_impl/1 _min_by_impl/1 _max_by_impl/1 _match_impl/3
    startswith/1 endswith/1 split/1 setpath/2 getpath/1 delpaths/1 has/1 contains/1 bsearch/1 format/1 halt_error/1
    strptime/1 strftime/1 strflocaltime/1
    atan2/2 hypot/2 pow/2 remainder/2 jn/2 yn/2 copysign/2 drem/2 fdim/2 fma/3 fmax/2 fmin/2 fmod/2 nextafter/2
    nexttoward/2 scalb/2 scalbln/2 ldexp/2
    """.split()
)


class _Fault:
    """An undefined name; with ``is_key`` it is a variable at the place of an object's key."""

    __slots__ = ("is_key", "message", "module", "node")

    def __init__(self, message: str, node: Node, module: Module | None, is_key: bool) -> None:
        self.message = message
        self.node = node
        self.module = module
        self.is_key = is_key


class _Block:
    """The code of one function: its faults, and its inner functions, in jq's order.

    A list in ``inner`` is a group of them.
    """

    __slots__ = ("faults", "inner", "is_live", "parent")

    def __init__(self, parent: _Block | None) -> None:
        self.parent = parent
        self.faults: list[_Fault] = []
        self.inner: list[Any] = []
        self.is_live = True


class _Function:
    """A function of a ``def``. ``callers`` are the blocks that call it."""

    __slots__ = ("block", "callers")

    def __init__(self, block: _Block) -> None:
        self.block = block
        self.callers: list[_Block] = []


_KNOWN = object()  # a parameter, a variable, a label, or the function itself
_Item = Node | Callable[[], None]


class _Walk:
    """Walk over code that resolves names, with an explicit stack."""

    __slots__ = ("_block", "_inner", "_module", "_names", "_run", "_scope", "_stack", "called", "texts")

    def __init__(self, text: str, run: Run | None) -> None:
        self._run = run
        self.texts: dict[Module | None, str] = {None: utf8_as_latin1(text.partition("\0")[0])}
        self._names: dict[str, list[Any]] = {}
        self._stack: list[_Item] = []
        self._module: Module | None = None
        # Functions of modules, with the blocks that call them.
        self.called: list[tuple[ModuleFunction, _Block]] = []

    def walk(self, body: Node, scope: Scope, module: Module | None, own: _Block, names: list[str]) -> _Block:
        """Walk over a main program or a function of a module; ``names`` are the function and its parameters."""
        self._scope = scope
        self._module = module
        if module is not None and module not in self.texts:
            self.texts[module] = utf8_as_latin1(module.text)
        self._enter(own)
        self._names = {name: [_KNOWN] for name in names}
        stack = self._stack
        stack.append(body)
        turns = 0
        while stack:
            turns += 1
            if not turns % _TURNS and self._run is not None:
                self._run.check()
            item = stack.pop()
            if isinstance(item, Node):
                visit = _VISITS.get(item.kind)
                if visit is not None:
                    visit(self, item)
            else:
                item()
        return own

    # -- names

    def _do(self, *items: _Item | None) -> None:
        self._stack.extend(item for item in reversed(items) if item is not None)

    def _bind(self, names: list[str], entry: Any = _KNOWN) -> None:
        for name in names:
            self._names.setdefault(name, []).append(entry)

    def _unbind(self, names: list[str]) -> None:
        for name in names:
            self._names[name].pop()

    def _find(self, name: str) -> Any:
        entries = self._names.get(name)
        return entries[-1] if entries else self._scope.find(name)

    def _fault(self, node: Node, name: str, is_key: bool = False) -> None:
        self._block.faults.append(_Fault(f"{name} is not defined", node, self._module, is_key))

    def _enter(self, block: _Block, inner: list[Any] | None = None) -> None:
        """Continue in a block; its inner functions are appended to ``inner``."""
        self._block = block
        self._inner = block.inner if inner is None else inner

    def _decide(self, function: _Function) -> None:
        """Mark a function as dropped if all its callers are dropped."""
        home = function.block.parent
        assert home is not None
        function.block.is_live = any(_is_live(caller, home) for caller in function.callers)

    # -- nodes

    def _parts(self, node: Node) -> None:
        self._do(*node.parts)

    def _last_first(self, node: Node) -> None:
        """Visit ``a[b:c]`` in the order b, c, a."""
        self._do(*node.parts[1:], node.parts[0])

    def _binary(self, node: Node) -> None:
        left, right = node.parts
        assert left is not None and right is not None
        operator = node.value
        if operator == "=" or operator == "|=":
            self._closures((left, right))
        elif operator in _UPDATES:
            self._do(right, partial(self._closures, (left,)))
        elif operator == "//" or operator == "and" or operator == "or":
            self._do(left, right)
        else:
            self._call_in_c(node)

    def _closures(self, parts: tuple[Node | None, ...], hidden: bool = False) -> None:
        """Visit the filter arguments of a function; with ``hidden`` only their calls count, not their faults."""
        outer, inner = self._block, self._inner
        items: list[_Item] = []
        for part in parts:
            assert part is not None
            block = _Block(outer)
            if not hidden:
                inner.append(block)
            items += (partial(self._enter, block), part)
        self._do(*items, partial(self._enter, outer, inner))

    def _call_in_c(self, node: Node) -> None:
        """Visit arguments that are part of the code: inner functions of the last come first, though not its faults."""
        outer, inner = self._block, self._inner
        lists: list[list[Any]] = []
        items: list[_Item | None] = []
        for part in node.parts:
            lists.append([])
            items += (partial(self._enter, outer, lists[-1]), part)
        inner.extend(reversed(lists))
        self._do(*items, partial(self._enter, outer, inner))

    def _call(self, node: Node) -> None:
        name = str(node.value)
        key = f"{name}/{len(node.parts)}"
        entry = self._find(key)
        if isinstance(entry, _Function):
            entry.callers.append(self._block)
        elif isinstance(entry, ModuleFunction):
            self.called.append((entry, self._block))
        elif entry is None:
            if not _is_builtin(key):
                self._fault(node, key)
                self._closures(node.parts, hidden=True)
                return
            if key in _IN_C:
                self._call_in_c(node)
                return
        self._closures(node.parts)

    def _variable(self, node: Node, is_key: bool = False) -> None:
        name = str(node.value)
        if not self.texts[self._module].startswith(name, node.at):  # $$$$x
            if not self._names.get(name):
                self._fault(node, f"{name[1:]}/-1")
        elif self._find(name) is None and name != "$ENV":
            self._fault(node, name, is_key)

    def _object(self, node: Node) -> None:
        items: list[_Item | None] = list(node.parts)
        for at in range(0, len(items), 2):
            key = node.parts[at]
            if key is not None and key.kind == "variable":
                items[at] = partial(self._variable, key, True)
        self._do(*items)

    def _break(self, node: Node) -> None:
        if self._find(f"*{node.value}") is None:
            self._fault(node, f"$*label-{str(node.value)[1:]}")

    def _label(self, node: Node) -> None:
        names = [f"*{node.value}"]
        self._do(partial(self._bind, names), node.parts[0], partial(self._unbind, names))

    def _define(self, node: Node) -> None:
        assert isinstance(node.value, tuple)
        name, parameters = node.value
        outer, inner = self._block, self._inner
        function = _Function(_Block(outer))
        inner.append(function.block)
        key = f"{name}/{len(parameters)}"
        own = [key, *_parameter_names(parameters)]
        self._do(
            partial(self._enter, function.block),
            partial(self._bind, own),
            node.parts[0],
            partial(self._unbind, own),
            partial(self._enter, outer, inner),
            partial(self._bind, [key], function),
            node.parts[1],
            partial(self._unbind, [key]),
            partial(self._decide, function),
        )

    def _as(self, node: Node) -> None:
        source, body = node.parts
        self._do(source, *self._bound(node, (body,)))

    def _loop(self, node: Node) -> None:
        source, initial, *rest = node.parts
        self._do(initial, source, *self._bound(node, tuple(rest)))

    def _bound(self, node: Node, body: tuple[Node | None, ...]) -> list[_Item | None]:
        """Return the items to visit in patterns and body. Keys see the variables only if there are several patterns."""
        patterns = node.value
        assert isinstance(patterns, tuple)
        names = [name for pattern in patterns for name in pattern.names]
        keys = [key for pattern in patterns for key in _keys(pattern)]
        bind = partial(self._bind, names)
        first: list[_Item | None] = [bind, *keys] if len(patterns) > 1 else [*keys, bind]
        return [*first, *body, partial(self._unbind, names)]


_UPDATES = frozenset(("+=", "-=", "*=", "/=", "%=", "//="))
_VISITS: dict[str, Callable[[_Walk, Node], None]] = {
    "string": _Walk._call_in_c,
    "index": _Walk._last_first,
    "slice": _Walk._last_first,
    "each": _Walk._parts,
    "array": _Walk._parts,
    "object": _Walk._object,
    "negate": _Walk._parts,
    "pipe": _Walk._parts,
    "comma": _Walk._parts,
    "binary": _Walk._binary,
    "if": _Walk._parts,
    "try": _Walk._parts,
    "reduce": _Walk._loop,
    "foreach": _Walk._loop,
    "bind": _Walk._as,
    "label": _Walk._label,
    "break": _Walk._break,
    "call": _Walk._call,
    "variable": _Walk._variable,
    "def": _Walk._define,
}


def _is_builtin(key: str) -> bool:
    return key in INDEX or key in CONSTRUCTS or key in TEXTS


def _parameter_names(parameters: tuple[str, ...]) -> list[str]:
    result = []
    for parameter in parameters:
        result.append(f"{parameter.removeprefix('$')}/0")
        if parameter.startswith("$"):
            result.append(parameter)
    return result


def _keys(pattern: Pattern) -> Iterator[Node]:
    """Yield the keys of a pattern in jq's order: the last element of an array comes first."""
    pending: list[Pattern | Node] = [pattern]
    while pending:
        part = pending.pop()
        if isinstance(part, Node):
            yield part
            continue
        pending.extend(part.elements)
        for key, _, inner in reversed(part.entries):
            if inner is not None:
                pending.append(inner)
            pending.append(key)


def _is_live(block: _Block, home: _Block | None) -> bool:
    """Return whether no function from a block up to ``home`` was dropped."""
    inner: _Block | None = block
    while inner is not None and inner is not home:
        if not inner.is_live:
            return False
        inner = inner.parent
    return True


def _faults(block: _Block) -> list[_Fault]:
    """Return the faults that jq reports."""
    faults: list[_Fault] = []
    pending: list[Any] = [block]
    while pending:
        item = pending.pop()
        if isinstance(item, list):
            pending.extend(reversed(item))
        elif item.is_live:
            faults.extend(item.faults)
            if not item.faults:
                pending.extend(reversed(item.inner))  # a function with a mistake of its own hides those inside it
    return faults


def _walk_modules(walk: _Walk, top: _Block) -> list[_Block]:
    """Walk over all functions of modules that the program reaches; return their blocks in the order of loading."""
    blocks: dict[ModuleFunction, _Block] = {}
    while walk.called:
        called, walk.called = walk.called, []
        for function, caller in called:
            # jq drops the functions that no live code calls, with the mistakes in them.
            if function in blocks or not _is_live(caller, None):
                continue
            block = blocks[function] = _Block(top)
            assert function.scope is not None
            names = [function.key, *_parameter_names(function.parameters)]
            walk.walk(function.body, function.scope, function.module, block, names)
    return [blocks[function] for function in sorted(blocks, key=lambda function: function.place)]


def _end(text: str, node: Node, is_key: bool, check: Callable[[], None]) -> int:
    """Return the end of the construct that jq's message marks: for ``{$x: 1}`` the whole pair."""
    name = str(node.value)
    end = node.at + len(name)
    is_variable = node.kind == "variable" and not is_key
    if is_variable and text.startswith(name, node.at):
        return end
    if node.kind == "call":
        return end
    size = _WINDOW
    while True:
        words = tokens(text[node.at : node.at + size], check)
        last = 1 if node.kind == "break" else _last_token_of_variable(words)
        # Tokens near the end of the window may be cut.
        if last < len(words) - 3 or node.at + size >= len(text):
            return node.at + words[last][2] + len(words[last][1])
        size *= 4  # most constructs are short: a large program is not read to its end for each mistake


def _last_token_of_variable(words: list[Token]) -> int:
    """Return the index of the last token of ``$x: value``, of ``$x``, or of ``$$$$x``."""
    if words[0][0] == "$":
        return min(3, len(words) - 1)
    if words[1][0] != ":":
        return 0
    opened: list[str] = []
    for at in range(2, len(words)):
        kind = words[at][0]
        if not opened and kind in _AFTER_VALUE:
            return at - 1
        following = words[at + 1][0] if at + 1 < len(words) else ""
        opens_if = kind == "if" and following not in (":", ",", "}")  # not a key of an object
        if opens_if or kind in _OPENERS:
            opened.append(_CLOSERS.get(kind, kind))
        elif opened and kind == opened[-1]:
            opened.pop()
    return len(words) - 1


_AFTER_VALUE = frozenset((",", "EOF", "INVALID_CHARACTER"))  # the last one is the object's closing bracket
_CLOSERS = {
    "(": ")",
    "[": "]",
    "{": "}",
    "QQSTRING_START": "QQSTRING_END",
    "QQSTRING_INTERP_START": "QQSTRING_INTERP_END",
    "if": "end",
}
_OPENERS = frozenset(_CLOSERS) - {"if"}


def complain(text: str, program: Program, scope: Scope, run: Run | None = None) -> CompileError:
    """Return the exception for a main program with an undefined name. ``scope`` is the scope after linking."""
    return find_mistakes(text, program, scope, run) or compile_error(["jq: error: a name is not defined"])


def find_mistakes(text: str, program: Program, scope: Scope, run: Run | None = None) -> CompileError | None:
    """Return the exception for all undefined names of a main program, None if there are none."""
    assert program.body is not None
    walk = _Walk(text, run)
    top = _Block(None)
    walk.walk(program.body, scope, None, top, [])
    top.inner = [_walk_modules(walk, top), top.inner]
    faults = _faults(top)
    if not faults:
        return None
    return compile_error(_messages(walk.texts, faults, run))


def _messages(texts: dict[Module | None, str], faults: list[_Fault], run: Run | None) -> list[str]:
    check = go_on if run is None else run.check
    messages = []
    size = 0
    for fault in faults:
        module = fault.module
        source = texts[module]
        place = (fault.node.at, _end(source, fault.node, fault.is_key, check))
        message = located(source, "<top-level>" if module is None else module.path, place, fault.message)
        size += len(message)
        if run is not None:
            run.check()
            run.text(size)
        elif size > _LARGEST:
            raise Stop("limit", "jq: too many names are not defined", "string")
        messages.append(message)
    return messages
