"""``[[ … ]]`` under ``set -x``: each test shows its expanded operands before it is evaluated (bash)."""

from __future__ import annotations

from collections.abc import Callable

from ...state.context import ExecutionContext as Ctx
from ...syntax import nodes as n
from ..trace import trace_text
from . import WORDS
from .tests import PATTERN_OPERATORS, String, Test, binary_test, operands, unary_test


def compile_traced(node: n.Test, inverted: bool = False) -> Test:
    """Compile a traced test. ``inverted``: a ``!`` precedes it and is shown with it."""
    match node:
        case n.TestNot():
            operand = compile_traced(node.operand, not inverted)
            return lambda ctx: not operand(ctx)
        case n.TestAnd():
            every = [compile_traced(operand) for operand in operands(node, n.TestAnd)]
            return lambda ctx: all(test(ctx) for test in every)
        case n.TestOr():
            some = [compile_traced(operand) for operand in operands(node, n.TestOr)]
            return lambda ctx: any(test(ctx) for test in some)
        case n.TestWord():
            return _unary(None, WORDS.string(node.word), inverted)
        case n.TestUnary():
            return _unary(node, WORDS.string(node.word), inverted)
        case n.TestBinary():
            return _binary(node, inverted)


def _fixed(text: str) -> String:
    return lambda ctx: text


def _unary(node: n.TestUnary | None, word: String, inverted: bool) -> Test:
    op = "-n" if node is None else node.op

    def run(ctx: Ctx) -> bool:
        text = word(ctx)
        _show(ctx, inverted, f"{op} {text or _EMPTY}")
        return unary_test(node, _fixed(text))(ctx)

    return run


def _binary(node: n.TestBinary, inverted: bool) -> Test:
    op = node.op
    left = WORDS.string(node.left)
    right: Callable[[Ctx], str]
    if op in PATTERN_OPERATORS:
        right = WORDS.pattern_all_escaped(node.right)
    elif op == "=~":
        right = WORDS.regex(node.right)
    else:
        right = WORDS.string(node.right)

    def run(ctx: Ctx) -> bool:
        first = left(ctx)
        second = right(ctx)
        _show(ctx, inverted, f"{first or _EMPTY} {op} {second or _EMPTY}")
        return binary_test(op, _fixed(first), _fixed(second))(ctx)

    return run


_EMPTY = "''"


def _show(ctx: Ctx, inverted: bool, text: str) -> None:
    trace_text(ctx, f"[[ {'! ' if inverted else ''}{text} ]]")
