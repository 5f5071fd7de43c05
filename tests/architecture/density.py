"""How many branches the functions of the package have.

A branch is what makes a way through a function that the line above does not have: ``if``, ``elif``, a conditional
expression, a loop, a comprehension's ``for`` and ``if``, ``except``, a ``case``, each ``and`` and ``or``. A function
inside another one counts for itself. ``python -m tests.architecture.density`` writes ``dense.txt`` anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .rooms import PACKAGE, sources, tree

DENSE = Path(__file__).with_name("dense.txt")
MOST = 15

_ONE = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case)
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def branches(function: ast.AST) -> int:
    """Count the branches of a function, without those of functions in it."""
    found = 0
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, _FUNCTION):
            continue
        if isinstance(node, ast.BoolOp):
            found += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            found += 1 + len(node.ifs)
        else:
            found += isinstance(node, _ONE)
        waiting.extend(ast.iter_child_nodes(node))
    return found


def functions(node: ast.AST, within: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield the functions of a module with their names, those of classes and functions as ``Outer.inner``."""
    for child in ast.iter_child_nodes(node):
        name = within
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            name = f"{within}.{child.name}" if within else child.name
            if not isinstance(child, ast.ClassDef):
                yield name, child
        yield from functions(child, name)


@cache
def measured() -> dict[str, int]:
    """Return each function of the package with its branches, the twins of a name in a file by the larger one."""
    found: dict[str, int] = {}
    for path in sources():
        for name, function in functions(tree(path)):
            key = f"{path.relative_to(PACKAGE).as_posix()} {name}"
            found[key] = max(found.get(key, 0), branches(function))
    return found


def dense() -> dict[str, int]:
    """Return the functions with more than ``MOST``."""
    return {key: count for key, count in sorted(measured().items()) if count > MOST}


def listed() -> dict[str, int]:
    """Return the exceptions that are written down."""
    rows = (line.rsplit(" ", 1) for line in DENSE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {key: int(count) for key, count in rows}


def main() -> None:
    """Write the exceptions as they are."""
    head = "# Functions of more than 15 branches, and how many they have. Rows may go and numbers may fall; nothing is added.\n"
    DENSE.write_text(head + "".join(f"{key} {count}\n" for key, count in dense().items()), encoding="utf-8")


if __name__ == "__main__":
    main()
