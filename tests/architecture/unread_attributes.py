"""Attributes that are set and never read: ``python -m tests.architecture.unread_attributes`` prints them.

mypy knows the type of each object whose attribute is read, so that ``job.limits`` does not count as a read of
``runner.limits``. It takes half a minute.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from mypy import build, nodes, types
from mypy.main import process_options

from tests.architecture.rooms import PACKAGE

#: A module of the test, which is checked with the package.
PLANTED = """
from typing import NamedTuple, Protocol

class Reads(Protocol):
    seen: int

class Job(NamedTuple):
    timeout: float
    limits: int

class Runner:
    def __init__(self, job: Job) -> None:
        self.limits = job.timeout
        self.seen = self.lost = 1
        self.lost += 1

def run(runner: Runner, reads: Reads, named: object) -> object:
    return runner.limits, reads.seen, getattr(named, "by_name")

class Named:
    by_name = 1
    forgotten = 2
"""
_GENERATED = "pyshellhooks.types."  # models that users read
_SCHEMAS = ".schema."  # pydantic reads them
_ODD = ("_fields", "_field_types", "_field_defaults", "_source")  # mypy's own, of each NamedTuple


def _stores(source: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a text sets attributes: line, column of the end, name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node.end_lineno or 0, node.end_col_offset or 0, node.attr


def _read_by_name(source: str) -> Iterator[str]:
    """Yield the constant names that ``getattr`` reads."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            yield from (one.value for one in node.args[1:2] if isinstance(one, ast.Constant))


def _classes_of(kind: types.Type | None) -> Iterator[nodes.TypeInfo]:
    """Yield the classes that a value of a type may belong to."""
    proper = types.get_proper_type(kind)
    if isinstance(proper, types.Instance):
        yield proper.type
    elif isinstance(proper, types.UnionType):
        for item in proper.items:
            yield from _classes_of(item)
    elif isinstance(proper, types.TupleType):
        yield proper.partial_fallback.type
    elif isinstance(proper, types.TypeVarType):
        yield from _classes_of(proper.upper_bound)
    elif isinstance(proper, types.TypeType):
        yield from _classes_of(proper.item)
    elif isinstance(proper, types.CallableType) and proper.is_type_obj():
        yield proper.type_object()


def _classes_in(table: nodes.SymbolTable, module: str) -> Iterator[nodes.TypeInfo]:
    """Yield the classes that a module or a class defines."""
    for symbol in table.values():
        node = symbol.node
        if isinstance(node, nodes.TypeInfo) and node.module_name == module:
            yield node
            yield from _classes_in(node.names, module)


def _analyse() -> tuple[build.BuildResult, list[str]]:
    """Type-check the package and ``PLANTED``; return the result and the source texts."""
    sources, options = process_options(["--strict", str(PACKAGE)])
    options.export_types = options.preserve_asts = True
    options.incremental = False
    texts = [Path(one.path).read_text(encoding="utf-8") for one in sources if one.path]
    return build.build([*sources, build.BuildSource(None, "planted", PLANTED)], options), [*texts, PLANTED]


class _Reads:
    """The objects from which attributes of one name are read: their classes, and these with their bases."""

    def __init__(self) -> None:
        self.classes: set[str] = set()
        self.with_bases: set[str] = set()
        self.protocols: set[nodes.TypeInfo] = set()

    def add(self, one: nodes.TypeInfo) -> None:
        self.classes.add(one.fullname)
        self.with_bases.update(_bases(one))
        if one.is_protocol:
            self.protocols.add(one)

    def include(self, one: nodes.TypeInfo) -> bool:
        """Return whether an object of a class may be among them."""
        if one.fullname in self.with_bases or not self.classes.isdisjoint(_bases(one)):
            return True
        return any(all(one.get(name) for name in protocol.protocol_members) for protocol in self.protocols)


def _bases(one: nodes.TypeInfo) -> set[str]:
    """Return a class and its bases, without those of other packages, which unrelated classes share."""
    return {base.fullname for base in one.mro if base.module_name.startswith(("pyshellhooks", "planted"))}


def unread() -> list[str]:
    """Return the attributes of the package's classes that nothing in the package reads: ``module.Class.name``."""
    result, texts = _analyse()
    stores = {place for text in texts for place in _stores(text)}
    by_name = {name for text in texts for name in _read_by_name(text)}
    read: dict[str, _Reads] = defaultdict(_Reads)  # by the name of the attribute
    for node in result.types:
        if isinstance(node, nodes.MemberExpr) and (node.end_line, node.end_column, node.name) not in stores:
            for one in _classes_of(result.types.get(node.expr)):
                read[node.name].add(one)
    found = []
    for module, file in result.files.items():
        if module.startswith("pyshellhooks") or module == "planted":
            for one in _classes_in(file.names, module):
                found += [f"{one.fullname}.{name}" for name in _unread_of(one, read) if name not in by_name]
    return sorted(name for name in found if not name.startswith(_GENERATED) and _SCHEMAS not in name)


def _unread_of(one: nodes.TypeInfo, read: Mapping[str, _Reads]) -> Iterator[str]:
    """Yield the attributes of a class that are read from no object of it, of its bases or of its subclasses."""
    for name, symbol in one.names.items():
        if not isinstance(symbol.node, nodes.Var) or name.startswith("__") or name in _ODD or "-" in name:
            continue
        if name not in read or not read[name].include(one):
            yield name


if __name__ == "__main__":
    sys.stdout.writelines(f"{name}\n" for name in unread())
