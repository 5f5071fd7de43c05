"""The expressions of ``(( … ))``."""

from __future__ import annotations

from typing import TypeAlias

from .base import Node
from .words import Subscript, Word


class Number(Node):
    """A constant, already converted (and wrapped to 64 bits)."""

    __slots__ = ("value",)

    def __init__(self, value: int, pos: int, end: int) -> None:
        self.value = value
        self.pos = pos
        self.end = end


class Variable(Node):
    """``x`` or ``x[i]``: its value is evaluated as an expression in turn."""

    __slots__ = ("index", "name")

    def __init__(self, name: str, index: Subscript | None, pos: int, end: int) -> None:
        self.name = name
        self.index = index
        self.pos = pos
        self.end = end


class Expansion(Node):
    """``$x``, ``${…}``, ``$( )``, ``$(( ))``, backquotes, or several of them joined, as an atom.

    If at run time the text is not a plain number, the evaluator falls back to the whole text (see Arithmetic).
    """

    __slots__ = ("word",)

    def __init__(self, word: Word, pos: int, end: int) -> None:
        self.word = word
        self.pos = pos
        self.end = end


class Unary(Node):
    """``- + ! ~``."""

    __slots__ = ("op", "operand")

    def __init__(self, op: str, operand: Arith, pos: int, end: int) -> None:
        self.op = op
        self.operand = operand
        self.pos = pos
        self.end = end


class Binary(Node):
    """``** * / % + - << >> < <= > >= == != & ^ | && ||``."""

    __slots__ = ("left", "op", "right")

    def __init__(self, op: str, left: Arith, right: Arith, pos: int, end: int) -> None:
        self.op = op
        self.left = left
        self.right = right
        self.pos = pos
        self.end = end


class Ternary(Node):
    """``condition ? yes : no``."""

    __slots__ = ("condition", "no", "yes")

    def __init__(self, condition: Arith, yes: Arith, no: Arith, pos: int, end: int) -> None:
        self.condition = condition
        self.yes = yes
        self.no = no
        self.pos = pos
        self.end = end


class Assignment(Node):
    """``x = e``; ``op`` is ``=`` or ``*= /= %= += -= <<= >>= &= ^= |=``."""

    __slots__ = ("op", "target", "value")

    def __init__(self, op: str, target: Variable, value: Arith, pos: int, end: int) -> None:
        self.op = op
        self.target = target
        self.value = value
        self.pos = pos
        self.end = end


class IncDec(Node):
    """``++x`` (prefix) or ``x--``; ``op`` is ``++`` or ``--``."""

    __slots__ = ("op", "prefix", "target")

    def __init__(self, op: str, prefix: bool, target: Variable, pos: int, end: int) -> None:
        self.op = op
        self.prefix = prefix
        self.target = target
        self.pos = pos
        self.end = end


class Comma(Node):
    """``left, right``."""

    __slots__ = ("left", "right")

    def __init__(self, left: Arith, right: Arith, pos: int, end: int) -> None:
        self.left = left
        self.right = right
        self.pos = pos
        self.end = end


Arith: TypeAlias = Number | Variable | Expansion | Unary | Binary | Ternary | Assignment | IncDec | Comma
