"""The syntax tree: closed unions of slotted classes (frozen by convention; dataclasses cost 42 ms of import).

Offsets (``pos``, ``end``) count characters of ``Source.text``; ``line`` counts from ``Source.first_line``.

Word      = Word(parts: WordPart...)
WordPart  = Literal | Quoted | DoubleQuoted | Parameter | CommandSub | Arithmetic | ProcessSub
Command   = Simple | Pipeline | AndOr | List | Subshell | Group | If | While | For | ForArith | Case
          | Select | Function | TestCommand | ArithCommand | Coproc
Test      = TestUnary | TestBinary | TestWord | TestNot | TestAnd | TestOr
Arith     = Number | Variable | Expansion | Unary | Binary | Ternary | Assignment | IncDec | Comma
"""

from __future__ import annotations

from .arithmetic import Arith, Assignment, Binary, Comma, Expansion, IncDec, Number, Ternary, Unary, Variable
from .base import Node
from .commands import (
    AndOr,
    ArithCommand,
    Case,
    CaseArm,
    Command,
    Compound,
    Coproc,
    For,
    ForArith,
    Function,
    Group,
    If,
    List,
    Pipeline,
    Select,
    Subshell,
    TestCommand,
    While,
)
from .simple import ArrayItem, ArrayLiteral, Assign, HereDoc, Redirect, Simple
from .tests import Test, TestAnd, TestBinary, TestNot, TestOr, TestUnary, TestWord
from .words import (
    Arithmetic,
    CommandSub,
    DoubleQuoted,
    Literal,
    Parameter,
    ProcessSub,
    Quoted,
    Subscript,
    Word,
    WordPart,
)

__all__ = [
    "AndOr",
    "Arith",
    "ArithCommand",
    "Arithmetic",
    "ArrayItem",
    "ArrayLiteral",
    "Assign",
    "Assignment",
    "Binary",
    "Case",
    "CaseArm",
    "Comma",
    "Command",
    "CommandSub",
    "Compound",
    "Coproc",
    "DoubleQuoted",
    "Expansion",
    "For",
    "ForArith",
    "Function",
    "Group",
    "HereDoc",
    "If",
    "IncDec",
    "List",
    "Literal",
    "Node",
    "Number",
    "Parameter",
    "Pipeline",
    "ProcessSub",
    "Quoted",
    "Redirect",
    "Select",
    "Simple",
    "Subscript",
    "Subshell",
    "Ternary",
    "Test",
    "TestAnd",
    "TestBinary",
    "TestCommand",
    "TestNot",
    "TestOr",
    "TestUnary",
    "TestWord",
    "Unary",
    "Variable",
    "While",
    "Word",
    "WordPart",
]
