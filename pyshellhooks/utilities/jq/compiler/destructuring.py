"""Destructuring patterns, ``as [$a, {b: $c}]``, and the order in which their variables are bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..parser.lexer import Number
from ..parser.syntax import Node, Pattern
from . import access
from .filters import IDENTITY, Filter, pipe
from .scopes import HIDDEN, Scope, Variable, read_slot

if TYPE_CHECKING:
    from .compiler import Compiler


class _Taking:
    """The destructuring of one pattern: the sources of its variables, and the scope that contains them."""

    __slots__ = ("compiler", "last_counts", "outer", "scope", "sources", "taken")

    def __init__(self, compiler: Compiler, scope: Scope, outer: Scope, last_counts: bool) -> None:
        self.last_counts = last_counts
        self.compiler = compiler
        self.scope = scope
        self.outer = outer
        self.sources: list[Filter] = []
        self.taken: set[str] = set()

    def bind(self, source: Filter, name: str) -> int:
        """Bind a variable and return its depth. Of two with one name the first is visible, under ``?//`` the last."""
        self.sources.append(source)
        hidden = name in self.taken and not self.last_counts
        self.scope = self.scope.with_value(HIDDEN if hidden else name, Variable)
        self.taken.add(name)
        return self.scope.depth

    def value(self, depth: int) -> Filter:
        """Return a filter that reads the variable at a depth of the env."""
        return read_slot(Variable(depth), self.scope)

    def member(self, depth: int, key: Node) -> Filter:
        """Return a filter that reads a member of that variable. The key's scope has no variable of the pattern."""
        key_filter = self.compiler.compile(key, self.outer.at(self.scope.depth), False)
        return pipe((self.value(depth), access.down(key_filter, IDENTITY, False, False)))

    def pattern(self, pattern: Pattern, depth: int) -> None:
        """Bind a pattern to the value at a depth: an array's last element first, an object's first entry first."""
        if pattern.kind == "variable":
            self.bind(self.value(depth), pattern.name)
        elif pattern.kind == "array":
            for position in range(len(pattern.elements) - 1, -1, -1):
                key = Node("literal", (), Number(str(position)))
                self.inner(pattern.elements[position], self.member(depth, key), None)
        else:
            for key, name, inner in pattern.entries:
                self.inner(inner, self.member(depth, key), name)

    def inner(self, pattern: Pattern | None, source: Filter, name: str | None) -> None:
        """Bind a source to a name, a pattern or both."""
        if pattern is None:
            self.bind(source, name or HIDDEN)
        elif pattern.kind == "variable" and name is None:
            self.bind(source, pattern.name)
        else:
            depth = self.bind(source, name or HIDDEN)
            self.pattern(pattern, depth)


def take_apart(
    compiler: Compiler, pattern: Pattern, inner: Scope, outer: Scope, last_counts: bool = False
) -> tuple[list[Filter], Scope]:
    """Destructure the newest value of ``inner``; return the sources to bind in order, and the scope of the body."""
    taking = _Taking(compiler, inner, outer, last_counts)
    taking.pattern(pattern, inner.depth)
    return taking.sources, taking.scope
