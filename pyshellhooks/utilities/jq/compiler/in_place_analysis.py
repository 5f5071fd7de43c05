"""Compile updates of a ``reduce`` that only change their input, so that they run in place (assignments.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..parser.syntax import Node
from . import assignments
from .assignments import LEAVING, Change
from .scopes import HIDDEN, Scope, Variable

if TYPE_CHECKING:
    from .compiler import Compiler

_ASSIGNMENTS = frozenset(("=", "|=", "+=", "-=", "*=", "/=", "%=", "//="))
_MOST_BRANCHES = 50


def change_of(compiler: Compiler, node: Node, scope: Scope, branches: int = 0) -> Change | None:
    """Return an update as a change, or None if it does more than change its input."""
    if node.kind == "identity":
        return LEAVING
    if node.kind == "pipe":
        return _pipe(compiler, node, scope)
    if node.kind == "if" and branches < _MOST_BRANCHES:
        return _choice(compiler, node, scope, branches)
    if node.kind == "binary":
        return _binary(compiler, node, scope)
    return None


def _pipe(compiler: Compiler, node: Node, scope: Scope) -> Change | None:
    changes = []
    rest: Node | None = node
    while rest is not None:
        if rest.kind == "pipe":
            stage, rest = rest.parts[0], rest.parts[1]
        else:
            stage, rest = rest, None
        assert stage is not None
        change = change_of(compiler, stage, scope)
        if change is None:
            return None
        changes.append(change)
    return assignments.following(changes)


def _choice(compiler: Compiler, node: Node, scope: Scope, branches: int) -> Change | None:
    test, yes, no = node.parts
    assert test is not None and yes is not None
    then = change_of(compiler, yes, scope, branches + 1)
    otherwise: Change | None = LEAVING
    if no is not None:
        otherwise = change_of(compiler, no, scope, branches + 1)
    if then is None or otherwise is None:
        return None
    return assignments.choosing(compiler.compile(test, scope, False), then, otherwise)


def _binary(compiler: Compiler, node: Node, scope: Scope) -> Change | None:
    operator = str(node.value)
    left, right = node.parts
    assert left is not None and right is not None
    if operator == "+" and left.kind == "identity":
        return assignments.adding(None, compiler.compile(right, scope, False), is_apart(right))
    if operator not in _ASSIGNMENTS:
        return None
    paths = compiler.compile(left, scope, True)
    if operator == "|=":
        return assignments.modifying(paths, compiler.compile(right, scope, False))
    value = compiler.compile(right, scope, False)
    if operator == "=":
        return assignments.setting(paths, value, is_apart(right))
    if operator == "+=":
        return assignments.adding(paths, value, is_apart(right))
    inner = scope.with_value(HIDDEN, Variable)
    update = Node("binary", (Node("identity"), Node("variable", (), HIDDEN)), operator[:-1])
    change = assignments.modifying(compiler.compile(left, inner, True), compiler.compile(update, inner, False))
    if change is None:
        return None
    return assignments.updating(value, change, is_apart(right))


_APART_WITH_PARTS = frozenset(("array", "object", "string", "negate", "index", "slice", "each", "comma", "if"))


def is_apart(node: Node) -> bool:
    """Return whether a filter ignores its input, so that its results can't hold a part of it."""
    if node.kind in ("literal", "variable", "location"):
        return True
    if node.kind == "pipe":
        return node.parts[0] is not None and is_apart(node.parts[0])
    is_operation = node.kind == "binary" and node.value not in _ASSIGNMENTS
    if is_operation or node.kind in _APART_WITH_PARTS:
        if node.kind in ("object", "if") and None in node.parts:
            return False  # {"a"} and a missing else read the input
        return all(is_apart(part) for part in node.parts if part is not None)
    return False
