"""Static analysis of a program: which globals and parameters are arrays, and which fields it uses."""

from __future__ import annotations

from collections.abc import Iterator

from . import nodes as n
from .parser import SPECIAL
from .values import AwkError

# The arguments of built-in functions that are arrays.
_ARRAYS = {"asort": (0, 1), "asorti": (0, 1), "match": (2,), "patsplit": (1, 3), "split": (1, 3)}
# Built-in functions whose argument may be an array or a scalar.
_EITHER = frozenset(("isarray", "length", "typeof"))
_PROVIDED = ("ARGV", "ENVIRON", "FUNCTAB", "PROCINFO", "SYMTAB")
_PROCESSES = (b"pid", b"ppid", b"pgrpid")  # keys of PROCINFO


def children(node: object) -> Iterator[n.Node]:
    """Yield the child nodes of a node."""
    for kind in type(node).__mro__:
        for slot in getattr(kind, "__slots__", ()):
            yield from _nodes(getattr(node, slot))


def _nodes(value: object) -> Iterator[n.Node]:
    if isinstance(value, n.Node):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _nodes(item)


def constant_index(node: n.Field) -> int:
    """Return the index of a field if it is a number literal, else -1."""
    index = node.index
    while isinstance(index, n.Group):
        index = index.inner
    if isinstance(index, n.Number) and index.value < 1e9:
        return int(index.value)
    return -1


class Usage:
    """The uses of names. ``arrays`` and ``scalars`` hold (function, name), with "" as the function of globals.

    ``fields``: the number of fields that a record must be split into, None for all.
    """

    __slots__ = ("_links", "_program", "arrays", "reads_process_facts", "fields", "names", "scalars")

    def __init__(self, program: n.Program) -> None:
        self._program = program
        self.arrays: set[tuple[str, str]] = {("", name) for name in _PROVIDED}
        self.scalars: set[tuple[str, str]] = {("", name) for name in SPECIAL if name not in _PROVIDED}
        self.names: set[str] = set()  # of all globals
        self.fields: int | None = 0
        self.reads_process_facts = False
        self._links: list[tuple[tuple[str, str], tuple[str, str]]] = []  # argument, parameter
        for rule in program.rules:
            self._look_below(rule, "", frozenset())
        for function in program.functions.values():
            self._look_below(function.body, function.name, frozenset(function.parameters))
        if "SYMTAB" in self.names:
            self.names |= SPECIAL  # the program may use any of them by name
        if "NF" in self.names:
            self.fields = None
        changed = True
        while changed:
            changed = False
            for argument, parameter in self._links:
                if parameter in self.arrays and argument not in self.arrays:
                    self.arrays.add(argument)
                    changed = True

    def is_array(self, function: str, name: str) -> bool:
        """Return whether a name is used as an array anywhere."""
        return (function, name) in self.arrays

    def is_only_array(self, name: str) -> bool:
        """Return whether a global is used only as an array."""
        return ("", name) in self.arrays and ("", name) not in self.scalars

    def _look_below(self, root: n.Node, function: str, parameters: frozenset[str]) -> None:
        pending: list[n.Node] = [root]  # no recursion: a chain of a thousand operators must not be a thousand frames
        while pending:
            node = pending.pop()
            if isinstance(node, n.Name):
                self._note(node, function, parameters, self.scalars)
                continue
            self._count_fields(node)
            if isinstance(node, n.String):
                self.reads_process_facts = self.reads_process_facts or node.value in _PROCESSES
            below = list(children(node))
            skip: list[n.Node] = []
            for name in self._array_names(node):
                self._note(name, function, parameters, self.arrays)
                skip.append(name)
            if isinstance(node, n.Call):
                skip += self._link(node, function, parameters)
            elif isinstance(node, n.Builtin) and node.name in _EITHER:
                skip += [name for name in node.arguments if isinstance(name, n.Name)]
                for bare in skip:
                    assert isinstance(bare, n.Name)
                    self._note(bare, function, parameters, set())
            pending += [child for child in below if not any(child is name for name in skip)]

    def _count_fields(self, node: n.Node) -> None:
        """Record how many fields the node needs: a program that only reads $1 and $2 needs two.

        Reading $0 needs no splitting. An assignment to any field, $0 included, needs all fields.
        """
        if isinstance(node, n.Field) and self.fields is not None:
            at = constant_index(node)
            self.fields = None if at < 0 else max(self.fields, at)
            return
        target: object = None
        if isinstance(node, n.Assign | n.Step | n.Getline | n.ForIn):
            target = node.target
        elif isinstance(node, n.Builtin) and node.name in ("sub", "gsub"):
            target = node.arguments[2] if len(node.arguments) > 2 else None
        while isinstance(target, n.Group):
            target = target.inner
        if isinstance(target, n.Field):
            self.fields = None

    @staticmethod
    def _array_names(node: n.Node) -> Iterator[n.Name]:
        base: object = None
        if isinstance(node, n.Index):
            base = node.base
        elif isinstance(node, n.In | n.ForIn | n.Delete):
            base = node.array
        elif isinstance(node, n.Builtin):
            for at in _ARRAYS.get(node.name, ()):
                if at < len(node.arguments) and isinstance(found := node.arguments[at], n.Name):
                    yield found
        if isinstance(base, n.Name):
            yield base

    def _note(
        self, node: n.Name, function: str, parameters: frozenset[str], where: set[tuple[str, str]]
    ) -> tuple[str, str]:
        if node.name in self._program.functions:
            text = f"function `{node.name}' called with space between name and `(',\nor used as a variable or an array"
            raise AwkError(text, node.where, "error")
        key = (function, node.name) if node.name in parameters else ("", node.name)
        if not key[0]:
            self.names.add(node.name)
        where.add(key)
        return key

    def _link(self, call: n.Call, function: str, parameters: frozenset[str]) -> list[n.Node]:
        """Link each argument that is a bare name to its parameter: if the parameter is an array, so is the name."""
        skip: list[n.Node] = []
        if call.indirect:
            key = (function, call.name) if call.name in parameters else ("", call.name)
            self.scalars.add(key)
        called = self._program.functions.get(call.name)
        for at, argument in enumerate(call.arguments):
            if isinstance(argument, n.Name):
                key = self._note(argument, function, parameters, set())
                skip.append(argument)
                if called is not None and not call.indirect and at < len(called.parameters):
                    self._links.append((key, (called.name, called.parameters[at])))
        return skip
