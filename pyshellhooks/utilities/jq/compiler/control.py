"""Builtins with a compilation of their own: they give other than one result, keep paths, or read from the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..errors import JqError
from ..json.ordering import compare
from ..parser.syntax import Node
from ..running import END
from . import access, assignments, loops, operators
from .filters import EMPTY, Filter, from_some, gather
from .trampoline import Env

if TYPE_CHECKING:
    from ..running import Run
    from .compiler import Compiler
    from .scopes import Scope

Construct = Callable[["Compiler", "Node", "Scope", bool], "Filter | None"]
CONSTRUCTS: dict[str, Construct] = {}


def _construct(key: str) -> Callable[[Construct], Construct]:
    def declare(construct: Construct) -> Construct:
        CONSTRUCTS[key] = construct
        return construct

    return declare


def _argument(compiler: Compiler, node: Node, position: int, scope: Scope, paths: bool) -> Filter:
    part = node.parts[position]
    assert part is not None
    return compiler.compile(part, scope, paths)


@_construct("empty/0")
def _empty(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter:
    return EMPTY


@_construct("recurse/0")
def _recurse(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter:
    return access.recurse(paths)


@_construct("path/1")
def _path(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter:
    made = access.paths_of(_argument(compiler, node, 0, scope, True))
    return access.lift(made) if paths else made


@_construct("getpath/1")
def _getpath(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter | None:
    if not paths:
        return None  # a function of values
    keys = _argument(compiler, node, 0, scope, False)
    return access.follow(keys)


@_construct("first/1")
def _first(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter:
    return loops.first(_argument(compiler, node, 0, scope, paths))


@_construct("last/1")
def _last(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter:
    return loops.last(_argument(compiler, node, 0, scope, paths), access.rewrap if paths else None)


@_construct("_modify/2")
def _modify(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter | None:
    if paths:
        return access.lift(compiler.compile(node, scope, False))
    # If either side calls itself, this returns None and the definition in jq is used.
    return assignments.modify(_argument(compiler, node, 0, scope, True), _argument(compiler, node, 1, scope, False))


@_construct("sub/3")
def _sub(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter:
    regex, new, flags = node.parts
    assert regex is not None and flags is not None
    pieces = compiler.compile(Node("call", (regex, flags), "_sub"), scope, False)
    made = loops.substitute(pieces, _argument(compiler, node, 1, scope, False))
    if made is None:  # the replacement calls itself
        made = compiler.compile(Node("call", node.parts, "_substitute"), scope, False)
    return access.lift(made) if paths else made


# -- range

_EXACT = 2**53


def _numbers(run: Run, start: Any, end: Any) -> Iterator[Any]:
    are_integers = type(start) is int and type(end) is int
    if are_integers and start >= -_EXACT and end <= _EXACT:
        for count, number in enumerate(range(start, end)):
            if not count & loops.CHECKED:
                run.check()
            yield number
        return
    value, bound = float(start), float(end)
    while not value >= bound:  # as every comparison with nan is false, the loop goes on
        run.check()
        yield start  # the first one with its original text
        value += 1.0
        if value.is_integer() and abs(value) <= _EXACT:
            start = int(value)
        else:
            start = value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and type(value) is not bool


@_construct("range/2")
def _range(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter:
    def numbers(run: Run, value: Any, start: Any, end: Any) -> Iterator[Any]:
        if not _is_number(start) or not _is_number(end):
            raise JqError("Range bounds must be numeric")
        return _numbers(run, start, end)

    bounds = [_argument(compiler, node, n, scope, False) for n in (0, 1)]
    made = loops.spread(gather(bounds, numbers))
    return access.lift(made) if paths else made


@_construct("_range/3")
def _range_by(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter:
    def numbers(run: Run, value: Any, start: Any, end: Any, by: Any) -> Iterator[Any]:
        up = compare(by, 0) > 0
        if not up and compare(by, 0) == 0:
            return
        while compare(start, end) < 0 if up else compare(start, end) > 0:
            run.check()
            yield start
            start = operators.add(run, start, by)

    bounds = [_argument(compiler, node, n, scope, False) for n in (0, 1, 2)]
    made = loops.spread(gather(bounds, numbers))
    return access.lift(made) if paths else made


@_construct("inputs/0")
def _inputs(compiler: Compiler, node: Node, scope: Scope, paths: bool) -> Filter:
    def inputs(value: Any, env: Env, run: Run) -> Iterator[Any]:
        while (found := run.next_input()) is not END:
            run.check()
            yield found

    made = from_some(inputs)
    return access.lift(made) if paths else made
