"""Arithmetic operators, and facts about an expression that are known before its evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..regexes import lazy_pattern
from ..state.failure import ExpansionError
from ..syntax import nodes as n
from ..text import paced, pause

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx

Eval = Callable[["Ctx"], int]

MAX = (1 << 63) - 1
MIN = -(1 << 63)


def wrap(value: int) -> int:
    """Return a value wrapped to 64 bits, two's complement."""
    if MIN <= value <= MAX:
        return value
    value &= (1 << 64) - 1
    if value > MAX:
        value -= 1 << 64
    return value


class Facts:
    """Facts about an expression: its ``expansions``, and whether it has branches or divisions.

    ``early``: its expansions have no side effects, and are all read before it changes a variable.
    """

    __slots__ = ("branches", "divides", "early", "expansions")

    def __init__(self, root: n.Arith) -> None:
        self.expansions: list[n.Expansion] = []
        self.branches = self.divides = False
        changes = False
        nodes: list[n.Node] = [root]
        while nodes:
            pause()
            node = nodes.pop()
            match node:
                case n.Expansion():
                    self.expansions.append(node)
                case n.Assignment() | n.IncDec():
                    # An assignment that is the whole expression comes after all that it reads, but for its subscript.
                    if node is not root or node.target.index is not None:
                        changes = True
                case n.Ternary() | n.Binary(op="&&" | "||"):
                    self.branches = True
            if isinstance(node, n.Binary | n.Assignment) and node.op.rstrip("=") in FAULTY:
                self.divides = True
            nodes.extend(_children(node))
        self.early = not changes and all(map(pure, self.expansions))


def _children(node: n.Node) -> Iterator[n.Node]:
    """Yield the operands of an expression; words and subscripts are evaluated by themselves."""
    for slot in type(node).__slots__:
        child = getattr(node, slot)
        if isinstance(child, n.Word | n.Subscript):
            continue
        if isinstance(child, n.Node):
            yield child


def pure(node: n.Expansion) -> bool:
    """Return whether an expansion has no side effect, so that it can be read twice."""
    for part in node.word.parts:
        if not isinstance(part, n.Parameter):
            return False
        if part.op or part.index is not None:
            return False
    return True


class ArithmeticFault(Exception):
    """A division by zero or a negative exponent. ``pos``: its operand's place in the source, -1 for the last token."""

    def __init__(self, what: str, pos: int = -1) -> None:
        super().__init__(what)
        self.what = what
        self.pos = pos

    def message(self, text: str, base: int) -> ExpansionError:
        """Return the failure with bash's message: the expression, and its rest from the fault on."""
        # bash's error token begins at its parser's position: before an operand, or before the parentheses around it.
        at = self.pos - base
        has_place = self.pos >= base
        if not has_place or not text[at:].strip():
            at = max(match.start() for match in paced(_LAST.finditer(text)))
        if has_place:
            while text[:at].rstrip().endswith("("):
                at = text.rindex("(", 0, at)
        return ExpansionError(f'{text.lstrip()}: {self.what} (error token is "{text[at:].lstrip()}")')


_LAST = lazy_pattern(r"\w+|\S")


def _divide(left: int, right: int) -> int:
    if right == 0:
        raise ArithmeticFault("division by 0")
    # C truncates a quotient towards zero, Python's ``//`` rounds it down.
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return wrap(quotient)


def _modulo(left: int, right: int) -> int:
    if right == 0:
        raise ArithmeticFault("division by 0")
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return left - right * quotient


def _power(left: int, right: int) -> int:
    if right < 0:
        raise ArithmeticFault("exponent less than 0")
    # The modulus keeps a large power small while it is computed.
    return wrap(pow(left, right, 1 << 64))


BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: wrap(a + b),
    "-": lambda a, b: wrap(a - b),
    "*": lambda a, b: wrap(a * b),
    "/": _divide,
    "%": _modulo,
    "**": _power,
    # C leaves a shift by 64 or more undefined; x86 uses the lowest six bits of the count, and so does bash there.
    "<<": lambda a, b: wrap(a << (b & 63)),
    ">>": lambda a, b: a >> (b & 63),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


UNARY: dict[str, Callable[[int], int]] = {
    "-": lambda a: wrap(-a),
    "+": lambda a: a,
    "!": lambda a: int(not a),
    "~": lambda a: ~a,
}

FAULTY = ("/", "%", "**")


def _place(node: n.Binary) -> int:
    # The position of bash's parser at the fault: for ``**`` after the operand, otherwise before it.
    return node.right.end if node.op == "**" else node.right.pos


def faulty(node: n.Binary, run: Eval) -> Eval:
    """Wrap an operation that can fail, so that its fault has a place in the source."""
    pos = _place(node)

    def located(ctx: Ctx) -> int:
        try:
            return run(ctx)
        except ArithmeticFault as fault:
            raise ArithmeticFault(fault.what, pos) if fault.pos < 0 else fault from None

    return located


def stepped(node: n.Binary) -> Callable[[int, int], int]:
    """Return the function of an operator in a long chain; its fault has a place in the source."""
    function = BINARY[node.op]
    if node.op not in FAULTY:
        return function
    pos = _place(node)

    def located(left: int, right: int) -> int:
        try:
            return function(left, right)
        except ArithmeticFault as fault:
            raise ArithmeticFault(fault.what, pos) from None

    return located


COMPARE: dict[str, Callable[[Eval, Eval], Eval]] = {
    "<": lambda left, right: lambda ctx: 1 if left(ctx) < right(ctx) else 0,
    "<=": lambda left, right: lambda ctx: 1 if left(ctx) <= right(ctx) else 0,
    ">": lambda left, right: lambda ctx: 1 if left(ctx) > right(ctx) else 0,
    ">=": lambda left, right: lambda ctx: 1 if left(ctx) >= right(ctx) else 0,
    "==": lambda left, right: lambda ctx: 1 if left(ctx) == right(ctx) else 0,
    "!=": lambda left, right: lambda ctx: 1 if left(ctx) != right(ctx) else 0,
}
