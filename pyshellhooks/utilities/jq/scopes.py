"""What names mean where: the compiler's picture of the variables that a filter will find in its ``env``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .filters import Filter, from_one
from .machine import Env
from .syntax import Node, Pattern

HIDDEN = "$ "  # a variable that no program can name


class Undefined(Exception):
    """A name that nothing is known of; ``node`` has it."""

    def __init__(self, node: Node) -> None:
        super().__init__(str(node.value))
        self.node = node


class Scope:
    """One more name. ``depth`` is the number of values in ``env`` where this scope ends."""

    __slots__ = ("depth", "entry", "key", "parent")

    def __init__(self, parent: Scope | None, key: str, entry: Any, depth: int) -> None:
        self.parent = parent
        self.key = key
        self.entry = entry
        self.depth = depth

    def find(self, key: str) -> Any:
        """Return the entry of ``$name``, ``name/arity`` or ``*$label``; None where there is none."""
        scope: Scope | None = self
        while scope is not None:
            if scope.key == key:
                return scope.entry
            scope = scope.parent
        return None

    def with_value(self, key: str, kind: type[Slot]) -> Scope:
        """Add a name that has a value in ``env``."""
        depth = self.depth + 1
        return Scope(self, key, kind(depth), depth)

    def with_entry(self, key: str, entry: Any) -> Scope:
        """Add a name that the compiler knows all of."""
        return Scope(self, key, entry, self.depth)

    def at(self, depth: int) -> Scope:
        """Return the same names where ``env`` has grown to ``depth`` values."""
        return self if depth == self.depth else Scope(self, "", None, depth)


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
    """A filter that a function was given: a closure, ``(Argument, env)``."""


class Inline:
    """A filter given to a function that is compiled on the spot: compiled where it is called."""

    __slots__ = ("node", "scope", "used")

    def __init__(self, node: Node, scope: Scope) -> None:
        self.node = node
        self.scope = scope
        self.used = False


class Definition:
    """A function. ``scope`` is what it sees, itself included."""

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
        """The name as scopes have it."""
        return f"{self.name}/{len(self.parameters)}"


class Body:
    """The compiled body of a function that is really called; its filter comes after those that call it."""

    __slots__ = ("filter",)

    def __init__(self) -> None:
        self.filter: Filter | None = None


def reach(hops: int) -> Callable[[Env], Any]:
    """Return the function that finds a value ``hops`` from the newest in an env."""
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
    """Return the filter of a variable."""
    hops = scope.depth - slot.depth
    if hops == 0:
        return from_one(lambda item, env, run: env[0])
    if hops == 1:
        return from_one(lambda item, env, run: env[1][0])
    find = reach(hops)
    return from_one(lambda item, env, run: find(env))
