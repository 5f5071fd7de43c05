"""Compile-time scopes: functions, labels and variables, with the positions of their values in the ``env``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..parser.syntax import Node, Pattern
from .filters import Filter, from_one
from .trampoline import Env

HIDDEN = "$ "  # the name of a variable that no program can use


class Undefined(Exception):
    """A name is not defined; ``node`` has it."""

    def __init__(self, node: Node) -> None:
        super().__init__(str(node.value))
        self.node = node


class Scope:
    """A name, with a link to the enclosing scope. ``depth`` is the number of values in ``env``."""

    __slots__ = ("depth", "entry", "key", "parent")

    def __init__(self, parent: Scope | None, key: str, entry: Any, depth: int) -> None:
        self.parent = parent
        self.key = key
        self.entry = entry
        self.depth = depth

    def find(self, key: str) -> Any:
        """Return the entry of ``$name``, ``name/arity`` or ``*$label``; None if it is not defined."""
        scope: Scope | None = self
        while scope is not None:
            if scope.key == key:
                return scope.entry
            scope = scope.parent
        return None

    def with_value(self, key: str, kind: type[Slot]) -> Scope:
        """Return a scope with one more name, whose value is in ``env``."""
        depth = self.depth + 1
        return Scope(self, key, kind(depth), depth)

    def with_entry(self, key: str, entry: Any) -> Scope:
        """Return a scope with one more name, which has no value in ``env``."""
        return Scope(self, key, entry, self.depth)

    def at(self, depth: int) -> Scope:
        """Return a scope with the same names for an ``env`` with ``depth`` values."""
        if depth == self.depth:
            return self
        return Scope(self, "", None, depth)


class Slot:
    """A value in ``env``, the ``depth``-th from the bottom."""

    __slots__ = ("depth",)

    def __init__(self, depth: int) -> None:
        self.depth = depth


class Variable(Slot):
    """``$x``."""


class LabelSlot(Slot):
    """A label."""


class Parameter(Slot):
    """A filter argument of a function: a closure, ``(Argument, env)``."""


class Inline:
    """A filter argument of an inlined function, compiled at each call."""

    __slots__ = ("node", "scope", "used")

    def __init__(self, node: Node, scope: Scope) -> None:
        self.node = node
        self.scope = scope
        self.used = False


class Definition:
    """A function. ``scope`` is the scope of its body, which includes the function itself."""

    __slots__ = ("body", "name", "parameters", "scope")

    def __init__(self, name: str, parameters: tuple[str, ...], body: Node) -> None:
        self.name = name
        self.parameters = tuple(parameter.removeprefix("$") for parameter in parameters)
        for parameter in reversed(parameters):
            if parameter.startswith("$"):  # def f($a): g; is def f(a): a as $a | g;
                source = Node("call", (), parameter[1:])
                body = Node("bind", (source, body), (Pattern("variable", parameter),))
        self.body = body
        self.scope: Scope | None = None

    @property
    def key(self) -> str:
        """The name in scopes, ``name/arity``."""
        return f"{self.name}/{len(self.parameters)}"


class Body:
    """The compiled body of a function that is not inlined; its filter is set after those that call it."""

    __slots__ = ("filter",)

    def __init__(self) -> None:
        self.filter: Filter | None = None


def reach(hops: int) -> Callable[[Env], Any]:
    """Return a function that returns the value ``hops`` before the newest one in an env."""
    if hops == 0:
        return lambda env: env[0]
    if hops == 1:
        return lambda env: env[1][0]
    if hops == 2:
        return lambda env: env[1][1][0]

    def far(env: Env) -> Any:
        for _ in range(hops):
            env = env[1]
        return env[0]

    return far


def read_slot(slot: Slot, scope: Scope) -> Filter:
    """Return a filter that reads a variable."""
    hops = scope.depth - slot.depth
    if hops == 0:
        return from_one(lambda item, env, run: env[0])
    if hops == 1:
        return from_one(lambda item, env, run: env[1][0])
    find = reach(hops)
    return from_one(lambda item, env, run: find(env))
