"""A private name at the top of a module is used: by the module itself, or by one that imports it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from rooms import PACKAGE, imports, sources, tree

pytestmark = pytest.mark.not_on_windows("same-everywhere")


def _private(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the private functions, classes and constants of a module, with their lines; a decorator may use what it decorates."""
    for node in module.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names = [] if node.decorator_list else [node.name]
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            names = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
        else:
            names = []
        yield from ((name, node.lineno) for name in names if name.strip("_") and name[0] == "_" != name[1])


def _used(module: ast.Module) -> set[str]:
    """Return the names that a module reads."""
    return {node.id for node in ast.walk(module) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def unused(module: ast.Module, elsewhere: set[str]) -> list[tuple[str, int]]:
    """Return the private names of a module that neither it reads nor another imports, with their lines."""
    used = _used(module) | elsewhere
    return [(name, line) for name, line in _private(module) if name not in used]


def test_unused_names_are_found() -> None:
    module = ast.parse("_A, _B = 1, 2\n_C: int = _A\ndef _d(): return _d\ndef _e(): pass\n@door\ndef _f(): pass\ng = 1")
    assert unused(module, {"_C"}) == [("_B", 1), ("_e", 4)]


def test_private_names_are_used() -> None:
    imported: dict[str, set[str]] = {}
    for path in sources():
        for module, _ in imports(path):
            where, _, name = module.rpartition(".")
            imported.setdefault(where, set()).add(name)
    found = []
    for path in sources():
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        names = unused(tree(path), imported.get(module, set()))
        found += [f"{path.relative_to(PACKAGE)}:{line} {name}" for name, line in names]
    assert not found, found
