"""Loops over operands give way: of a word such as ``$x`` there may be a million, and a deadline has to end them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rooms import PACKAGE, tree

UTILITIES = sorted((PACKAGE / "utilities").rglob("*.py"))


def loops(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what is gone through."""
    for part in ast.walk(node):
        if isinstance(part, ast.For | ast.comprehension):
            yield part.iter


def names_all_operands(given: ast.expr) -> bool:
    """Say whether it is ``call.args``, or that with something in the place of none."""
    if isinstance(given, ast.BoolOp):
        return any(map(names_all_operands, given.values))
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "enumerate":
        return names_all_operands(given.args[0])
    return ast.unparse(given).endswith("call.args")


def test_loops_over_all_operands_are_paced() -> None:
    bare = [
        f"{path.relative_to(PACKAGE)}:{given.lineno} {ast.unparse(given)}"
        for path in UTILITIES
        for given in loops(tree(path))
        if names_all_operands(given)
    ]
    assert not bare, "write paced(call.args) (text.py)"


def test_the_check_can_fail() -> None:
    found = [
        names_all_operands(given)
        for given in loops(ast.parse("for a in call.args or ['-']: pass\n[b for b in paced(call.args)]"))
    ]
    assert found == [True, False]
