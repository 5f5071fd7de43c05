"""The syntax tree of an awk program.

``Expr`` and ``Stmt`` are the closed unions; ``where`` is a position in the source (``cmd. line:3``).
"""

from __future__ import annotations


class Node:
    """A node with a position in the source."""

    __slots__ = ("where",)

    def __init__(self, where: str) -> None:
        self.where = where


class Number(Node):
    """A number."""

    __slots__ = ("value",)

    def __init__(self, where: str, value: float) -> None:
        self.where = where
        self.value = value


class String(Node):
    """A string."""

    __slots__ = ("value",)

    def __init__(self, where: str, value: bytes) -> None:
        self.where = where
        self.value = value


class Regex(Node):
    """``/x/``, or ``@/x/`` if ``typed``."""

    __slots__ = ("text", "typed")

    def __init__(self, where: str, text: bytes, typed: bool) -> None:
        self.where = where
        self.text = text
        self.typed = typed


class Name(Node):
    """A variable, parameter or array by its name."""

    __slots__ = ("name",)

    def __init__(self, where: str, name: str) -> None:
        self.where = where
        self.name = name


class Index(Node):
    """``base[subscripts]``; the base is a Name, or an Index for arrays of arrays."""

    __slots__ = ("base", "subscripts")

    def __init__(self, where: str, base: Name | Index, subscripts: list[Expr]) -> None:
        self.where = where
        self.base = base
        self.subscripts = subscripts


class Field(Node):
    """``$x``."""

    __slots__ = ("index",)

    def __init__(self, where: str, index: Expr) -> None:
        self.where = where
        self.index = index


class Assign(Node):
    """``target = value``; ``operator`` is the arithmetic operator of a compound assignment, else empty."""

    __slots__ = ("operator", "target", "value")

    def __init__(self, where: str, operator: str, target: Target, value: Expr) -> None:
        self.where = where
        self.operator = operator
        self.target = target
        self.value = value


class Step(Node):
    """``++`` and ``--`` before or after a target."""

    __slots__ = ("amount", "prefix", "target")

    def __init__(self, where: str, target: Target, amount: float, prefix: bool) -> None:
        self.where = where
        self.target = target
        self.amount = amount
        self.prefix = prefix


class Unary(Node):
    """``! - +``."""

    __slots__ = ("operand", "operator")

    def __init__(self, where: str, operator: str, operand: Expr) -> None:
        self.where = where
        self.operator = operator
        self.operand = operand


class Binary(Node):
    """Arithmetic, comparison, ``&& || ~ !~``."""

    __slots__ = ("left", "operator", "right")

    def __init__(self, where: str, operator: str, left: Expr, right: Expr) -> None:
        self.where = where
        self.operator = operator
        self.left = left
        self.right = right


class Conditional(Node):
    """``a ? b : c``."""

    __slots__ = ("no", "test", "yes")

    def __init__(self, where: str, test: Expr, yes: Expr, no: Expr) -> None:
        self.where = where
        self.test = test
        self.yes = yes
        self.no = no


class Concat(Node):
    """A concatenation: expressions side by side."""

    __slots__ = ("parts",)

    def __init__(self, where: str, parts: list[Expr]) -> None:
        self.where = where
        self.parts = parts


class In(Node):
    """``(i, j) in a``."""

    __slots__ = ("array", "subscripts")

    def __init__(self, where: str, subscripts: list[Expr], array: Name | Index) -> None:
        self.where = where
        self.subscripts = subscripts
        self.array = array


class Group(Node):
    """An expression in parentheses: not a target of assignments, and one operand of a concatenation."""

    __slots__ = ("inner",)

    def __init__(self, where: str, inner: Expr) -> None:
        self.where = where
        self.inner = inner


class Grouping(Node):
    """``(a, b)`` before ``in``, or as the whole argument list of ``print``."""

    __slots__ = ("items",)

    def __init__(self, where: str, items: list[Expr]) -> None:
        self.where = where
        self.items = items


class Call(Node):
    """A call of a function of the program; ``indirect`` if ``@name(...)`` takes the name from a variable."""

    __slots__ = ("arguments", "indirect", "name")

    def __init__(self, where: str, name: str, arguments: list[Expr], indirect: bool) -> None:
        self.where = where
        self.name = name
        self.arguments = arguments
        self.indirect = indirect


class Builtin(Node):
    """A call of a built-in function."""

    __slots__ = ("arguments", "name")

    def __init__(self, where: str, name: str, arguments: list[Expr]) -> None:
        self.where = where
        self.name = name
        self.arguments = arguments


class Getline(Node):
    """``getline``. ``kind``: empty (the main input), ``<`` (a file), ``|`` (a command) or ``|&`` (a coprocess)."""

    __slots__ = ("kind", "source", "target")

    def __init__(self, where: str, kind: str, source: Expr | None, target: Target | None) -> None:
        self.where = where
        self.kind = kind
        self.source = source
        self.target = target


class Block(Node):
    """A sequence of statements."""

    __slots__ = ("body",)

    def __init__(self, where: str, body: list[Stmt]) -> None:
        self.where = where
        self.body = body


class Simple(Node):
    """An expression as a statement, evaluated for its effect."""

    __slots__ = ("value",)

    def __init__(self, where: str, value: Expr) -> None:
        self.where = where
        self.value = value


class Print(Node):
    """``print`` and ``printf``; ``redirection``: empty, ``>``, ``>>``, ``|`` or ``|&``."""

    __slots__ = ("arguments", "formatted", "redirection", "target")

    def __init__(
        self, where: str, formatted: bool, arguments: list[Expr], redirection: str, target: Expr | None
    ) -> None:
        self.where = where
        self.formatted = formatted
        self.arguments = arguments
        self.redirection = redirection
        self.target = target


class If(Node):
    """``if``."""

    __slots__ = ("no", "test", "yes")

    def __init__(self, where: str, test: Expr, yes: Stmt, no: Stmt | None) -> None:
        self.where = where
        self.test = test
        self.yes = yes
        self.no = no


class Loop(Node):
    """``while``, ``for (;;)`` and ``do``; ``late``: the body runs before the first test (``do``)."""

    __slots__ = ("body", "first", "late", "step", "test")

    def __init__(
        self, where: str, first: Stmt | None, test: Expr | None, step: Stmt | None, body: Stmt, late: bool = False
    ) -> None:
        self.where = where
        self.first = first
        self.test = test
        self.step = step
        self.body = body
        self.late = late


class ForIn(Node):
    """``for (name in array)``."""

    __slots__ = ("array", "body", "target")

    def __init__(self, where: str, target: Target, array: Name | Index, body: Stmt) -> None:
        self.where = where
        self.target = target
        self.array = array
        self.body = body


class Switch(Node):
    """gawk's ``switch``; each case is a pair of its label (None for ``default``) and its statements."""

    __slots__ = ("cases", "value")

    def __init__(self, where: str, value: Expr, cases: list[tuple[Label | None, Block]]) -> None:
        self.where = where
        self.value = value
        self.cases = cases


class Jump(Node):
    """``break continue next nextfile``, and ``exit`` and ``return`` with an optional value."""

    __slots__ = ("kind", "value")

    def __init__(self, where: str, kind: str, value: Expr | None = None) -> None:
        self.where = where
        self.kind = kind
        self.value = value


class Delete(Node):
    """``delete a`` or, with subscripts, ``delete a[x]``."""

    __slots__ = ("array", "subscripts")

    def __init__(self, where: str, array: Name | Index, subscripts: list[Expr] | None) -> None:
        self.where = where
        self.array = array
        self.subscripts = subscripts


class Function(Node):
    """A function of the program."""

    __slots__ = ("body", "name", "parameters")

    def __init__(self, where: str, name: str, parameters: list[str], body: Block) -> None:
        self.where = where
        self.name = name
        self.parameters = parameters
        self.body = body


class Rule(Node):
    """A rule. ``kind``: ``BEGIN END BEGINFILE ENDFILE``, or empty with a pattern, a range (``last``), or neither."""

    __slots__ = ("body", "first", "kind", "last")

    def __init__(self, where: str, kind: str, first: Expr | None, last: Expr | None, body: Block | None) -> None:
        self.where = where
        self.kind = kind
        self.first = first
        self.last = last
        self.body = body


class Program:
    """Rules, functions and the parser's warnings. Holds no state of a run."""

    __slots__ = ("functions", "rules", "warnings")

    def __init__(self, rules: list[Rule], functions: dict[str, Function], warnings: list[str]) -> None:
        self.rules = rules
        self.functions = functions
        self.warnings = warnings


Target = Name | Index | Field
Label = Number | String | Regex
Expr = (
    Number
    | String
    | Regex
    | Name
    | Index
    | Field
    | Assign
    | Step
    | Unary
    | Binary
    | Conditional
    | Concat
    | In
    | Group
    | Grouping
    | Call
    | Builtin
    | Getline
)
Stmt = Block | Simple | Print | If | Loop | ForIn | Switch | Jump | Delete
