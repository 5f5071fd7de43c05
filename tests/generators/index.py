"""Write the indexes of utilities and builtins from their declarations: ``python -m tests.generators.index``.

The declarations are read, never imported. ``tests/architecture/test_index.py`` fails when the index is stale.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

import pyshellhooks

_HEAD = '"""Generated from the @{kind} declarations by ``python -m tests.generators.index``; do not edit."""\n'


def _files(directory: str, prefix: str = "") -> Iterator[tuple[str, str]]:
    for entry in sorted(os.scandir(directory), key=lambda entry: entry.name):
        if entry.is_file() and entry.name.endswith(".py") and not entry.name.startswith("_"):
            yield f"{prefix}{entry.name[:-3]}", entry.path
        elif entry.is_dir():
            package = f"{prefix}{entry.name}"
            if os.path.isfile(path := os.path.join(entry.path, "__init__.py")):
                yield package, path
            yield from _files(entry.path, f"{package}.")


def declared(source: str, kind: str = "utility") -> Iterator[tuple[str, str]]:
    """Yield (name, attribute) of each ``@utility("name", ...)`` at the top of a module."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                name = _name_of(decorator, kind)
                if name is not None:
                    yield name, node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            # egrep = utility("egrep", ...)(run)
            call = node.value
            name = _name_of(call.func, kind) if isinstance(call, ast.Call) else None
            if name is not None:
                yield name, node.targets[0].id


def _name_of(node: ast.expr, kind: str) -> str | None:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == kind):
        return None
    first = node.args[0] if node.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


ROOMS = {"utilities": "utility", "builtins": "builtin"}


def build(package_dir: str, room: str = "utilities") -> str:
    """Return the text of a room's ``_index.py`` for the package in ``package_dir``."""
    index: dict[str, str] = {}
    for module, path in _files(os.path.join(package_dir, room)):
        if module.startswith("windows."):  # ``utilities.windows`` has an index of its own
            continue
        with open(path, encoding="utf-8") as file:
            source = file.read()
        for name, attribute in declared(source, ROOMS[room]):
            if name in index:
                raise ValueError(f"two commands are called {name!r}: {index[name]} and {module}:{attribute}")
            index[name] = f"pyshellhooks.{room}.{module}:{attribute}"
    rows = "".join(f'    "{name}": "{index[name]}",\n' for name in sorted(index))
    head = _HEAD.format(kind=ROOMS[room])
    return f"{head}\nfrom __future__ import annotations\n\nINDEX: dict[str, str] = {{\n{rows}}}\n"


def main() -> None:
    """Write the indexes beside the commands."""
    package = os.path.dirname(pyshellhooks.__file__)
    for room in ROOMS:
        with open(os.path.join(package, room, "_index.py"), "w", encoding="utf-8", newline="\n") as file:
            file.write(build(package, room))


if __name__ == "__main__":
    main()
