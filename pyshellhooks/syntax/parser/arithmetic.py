"""Arithmetic (bash manual 6.5): C's operators and precedence, plus ``**``.

Expressions are parsed in one of two ways. ``static_parse`` runs while the script is parsed, over text in which
expansions are atoms. If an expansion may be more than an operand (``1$x``, ``$op``), it returns None, and the text is
expanded and parsed at run time by ``ArithmeticParser`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ...errors import Stop
from ...regexes import lazy_pattern
from ...text import paced, parse_digits, pause
from .. import nodes as n

# Represents an expansion in a text for ``static_parse``; no script contains this character.
ATOM = "\0"

_TOKEN = lazy_pattern(
    r"[ \t\n]*(?:([0-9][0-9A-Za-z_@#]*)|([A-Za-z_][A-Za-z0-9_]*)"
    r"|(<<=|>>=|\*\*|\+\+|--|&&|\|\||<<|>>|[-+*/%&^|<>=!]=|[-+*/%&^|<>=!~?:,()])|(\0)|(\Z)|(.))",
    re.DOTALL,
)
_NUMBER, _NAME, _OPERATOR, _ATOM, _END = 1, 2, 3, 4, 5
_NAME_AHEAD = lazy_pattern(r"[ \t\n]*[A-Za-z_]")

_PRECEDENCE = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "**": 11,
}  # fmt: skip
_ASSIGNMENTS = frozenset(("=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="))
_DIGITS = {c: i for i, c in enumerate("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_")}

MakeSubscript = Callable[[str, "list[n.WordPart]", int], "n.Subscript | None"]


class ArithmeticSyntaxError(Exception):
    """The text is not an expression; ``pos`` is the start of the wrong token, ``end`` of the text in bash's message."""

    def __init__(self, message: str, pos: int, end: int | None = None) -> None:
        super().__init__(message)
        self.end = end
        self.message = message
        self.pos = pos


class NotStatic(Exception):
    """The structure of the text depends on the value of an expansion in it."""


class ArithmeticParser:
    """Precedence climbing over a text; ``atoms`` are the expansions of its ATOM characters, in order."""

    __slots__ = ("at", "atoms", "base", "depth", "end", "kind", "last", "start", "subscript", "taken", "text", "value")

    def __init__(
        self, text: str, atoms: list[n.WordPart], subscript: MakeSubscript, base: int = 0, depth: int = 100
    ) -> None:
        self.text = text
        self.atoms = atoms
        self.subscript = subscript
        self.base = base
        self.depth = depth
        self.taken = 0
        self.at = 0  # end of the current token
        self.kind = 0
        self.value = ""  # its text; only an operator has an operator's text
        self.start = 0
        self.last = 0  # kind of the token before the current one
        self.end = 0  # end of the token before the current one

    def parse(self) -> n.Arith:
        """Parse the whole text; an empty one is 0."""
        self.advance()
        if self.kind == _END:
            return n.Number(0, self.base, self.base)
        tree = self.comma()
        if self.kind != _END:
            if self.kind > _END:
                raise ArithmeticSyntaxError("syntax error: invalid arithmetic operator", self.start)
            raise ArithmeticSyntaxError("syntax error in expression", self.start)
        return tree

    # --- tokens -------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Read the next token."""
        self.last = self.kind
        self.end = self.at
        match = _TOKEN.match(self.text, self.at)
        assert match is not None
        kind = match.lastindex or _END
        self.value = match.group(kind)
        if kind != _END:
            self.start = match.start(kind)  # at the end, an error shows the last real token
        self.at = match.end()
        if kind == _ATOM:
            # The expansion's text may continue a number or a name beside it.
            before = self.text[self.start - 1] if self.at > 1 else ""
            following = self.text[self.at : self.at + 1]
            if before.isalnum() or before in ("_", "#", "@"):
                raise NotStatic
            if following.isalnum() or following in ("_", "#", "@", ATOM, "[", "("):
                raise NotStatic
        elif self.value in ("++", "--") and self.last != _NAME and not _NAME_AHEAD.match(self.text, self.at):
            if self.last == _ATOM or ATOM in self.text[self.at :].lstrip()[:1]:
                raise NotStatic
            self.value = self.value[0]  # 1++2 is 1 + +2
            self.at -= 1
        self.kind = kind

    def operand_expected(self) -> ArithmeticSyntaxError:
        """Return the error for a token that cannot begin an operand."""
        return ArithmeticSyntaxError("syntax error: operand expected", self.start)

    def enter(self) -> None:
        """Enter one more level. Raises ``Stop("limit")`` if there are too many."""
        self.depth -= 1
        if self.depth < 0:
            raise Stop("limit", "an arithmetic expression is nested too deeply")

    # --- levels -------------------------------------------------------------------------------------

    def comma(self) -> n.Arith:
        """Parse ``a, b``."""
        left = self.assignment()
        while self.value == ",":
            pause()
            self.advance()
            right = self.assignment()
            left = n.Comma(left, right, left.pos, right.end)
        return left

    def assignment(self) -> n.Arith:
        """Parse ``x = a`` or anything that binds tighter."""
        bare = self.kind == _NAME  # (x)=1 is not an assignment
        left = self.ternary()
        if self.value in _ASSIGNMENTS:
            if not isinstance(left, n.Variable) or not bare:
                if isinstance(left, n.Expansion):
                    raise NotStatic
                raise ArithmeticSyntaxError("attempted assignment to non-variable", self.start)
            op = self.value
            self.advance()
            self.enter()
            value = self.assignment()
            self.depth += 1
            return n.Assignment(op, left, value, left.pos, value.end)
        return left

    def ternary(self) -> n.Arith:
        """Parse ``a ? b : c``."""
        condition = self.binary(1)
        if self.value != "?":
            return condition
        self.enter()
        self.advance()
        if self.kind == _END or self.value == ":":
            raise ArithmeticSyntaxError("expression expected", self.start)
        yes = self.comma()
        if self.value != ":":
            raise ArithmeticSyntaxError("`:' expected for conditional expression", self.start)
        self.advance()
        if self.kind == _END:
            raise ArithmeticSyntaxError("expression expected", self.start)
        no = self.ternary()
        self.depth += 1
        return n.Ternary(condition, yes, no, condition.pos, no.end)

    def binary(self, minimum: int) -> n.Arith:
        """Parse operators that bind at least as tightly as ``minimum``."""
        left = self.unary()
        while (level := _PRECEDENCE.get(self.value, 0)) >= minimum:
            op = self.value
            pause()
            self.advance()
            if level == 11:
                self.enter()
                right = self.binary(11)
                self.depth += 1
            else:
                right = self.binary(level + 1)
            left = n.Binary(op, left, right, left.pos, right.end)
        return left

    def unary(self) -> n.Arith:
        """Parse a sign, a negation or ``++x``."""
        pos = self.base + self.start
        op = self.value
        if op not in ("-", "+", "!", "~", "++", "--"):
            return self.primary()
        self.advance()
        if op in ("++", "--"):
            target = self.variable()
            return n.IncDec(op, True, target, pos, target.end)
        self.enter()
        operand = self.unary()
        self.depth += 1
        return n.Unary(op, operand, pos, operand.end)

    def primary(self) -> n.Arith:
        """Parse a number, a variable (``x++`` too), an expansion or parentheses."""
        kind = self.kind
        start = self.base + self.start
        if kind == _NUMBER:
            number = n.Number(self.number(self.value), start, self.base + self.at)
            self.advance()
            return number
        if kind == _NAME:
            variable = self.variable()
            if self.value in ("++", "--"):
                op = self.value
                self.advance()
                return n.IncDec(op, False, variable, start, self.base + self.end)
            return variable
        if kind == _ATOM:
            part = self.atoms[self.taken]
            self.taken += 1
            self.advance()
            if self.kind not in (_OPERATOR, _END) or self.value in ("!", "~", "("):
                raise NotStatic
            return n.Expansion(n.Word((part,), part.pos, part.end), part.pos, part.end)
        if self.value != "(":
            raise self.operand_expected()
        self.enter()
        self.advance()
        tree = self.comma()
        if self.value != ")":
            raise ArithmeticSyntaxError("missing `)'", self.start)
        self.depth += 1
        self.advance()
        return tree

    def variable(self) -> n.Variable:
        """Parse a name and its subscript."""
        name = self.value
        start = self.base + self.start
        index = None
        if self.text[self.at : self.at + 1] == "[":
            index = self._index()
        end = self.base + self.at
        self.advance()
        self.last = _NAME
        return n.Variable(name, index, start, end)

    def _index(self) -> n.Subscript | None:
        close = closing_bracket(self.text, self.at)
        if close < 0:
            raise ArithmeticSyntaxError("bad array subscript", self.start)
        inside = self.text[self.at + 1 : close]
        count = inside.count(ATOM)
        atoms = self.atoms[self.taken : self.taken + count]
        self.taken += count
        index = self.subscript(inside, atoms, self.base + self.at + 1)
        self.at = close + 1
        following = self.text[self.at : self.at + 2]
        if following in ("++", "--"):  # let advance() see the name's end
            self.kind = _NAME
        return index

    def number(self, text: str) -> int:
        """Convert a constant, wrapped to 64 bits."""
        if "#" in text:
            base_text, digits = text.split("#", 1)
            if not base_text.isdigit() and base_text[0] != "0":
                raise ArithmeticSyntaxError("value too great for base", self.start, self.at)
            if base_text[0] == "0":
                raise ArithmeticSyntaxError("invalid number", self.start)
            base = parse_digits(base_text)
            if not 2 <= base <= 64:
                raise ArithmeticSyntaxError("invalid arithmetic base", self.start)
            if not digits or digits[0] == "#":
                raise ArithmeticSyntaxError("invalid integer constant", self.start)
            return wrap(self._digits(digits, base))
        if text[:2] in ("0x", "0X"):
            return wrap(self._digits(text[2:], 16))
        if text[0] == "0":
            return wrap(self._digits(text, 8))
        return wrap(self._digits(text, 10))

    def _digits(self, digits: str, base: int) -> int:
        if base == 10 and digits.isdigit():
            if len(digits) < 4000:
                return int(digits)
            return _big(digits, 10)
        value = 0
        for char in paced(digits):
            if char == "#":
                raise ArithmeticSyntaxError("invalid number", self.start)
            digit = _DIGITS[char]
            if base <= 36 and 36 <= digit < 62:  # up to base 36, upper-case letters are the same digits (bash)
                digit -= 26
            if digit >= base:
                raise ArithmeticSyntaxError("value too great for base", self.start, self.at)
            value = (value * base + digit) & 0xFFFFFFFFFFFFFFFF
        return value


def _big(digits: str, base: int) -> int:
    # int() refuses more than 4300 digits
    value = 0
    for char in paced(digits):
        value = (value * base + ord(char) - 48) & 0xFFFFFFFFFFFFFFFF
    return value


def wrap(value: int) -> int:
    """Reduce a number to 64 bits with a sign, as C's intmax_t overflows."""
    return ((value + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


def closing_bracket(text: str, opened: int) -> int:
    """Return the offset of the ``]`` for the ``[`` at ``opened``, past quotes and nested constructs; -1 if missing."""
    awaited = [""]  # closers of the open constructs, innermost last
    at = opened
    while at < len(text):
        pause()
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "'" and awaited[-1] != '"':
            at = text.find("'", at + 1)
            if at < 0:
                return -1
        elif char == awaited[-1]:
            awaited.pop()
            if len(awaited) == 1:
                return at
        elif char in '"`':
            awaited.append(char)
        elif text[at : at + 2] in ("$(", "${"):
            at += 1
            awaited.append(")" if text[at] == "(" else "}")
        elif char == "(" and awaited[-1] == ")":
            awaited.append(")")
        elif char == "[" and awaited[-1] in ("", "]"):
            awaited.append("]")
        at += 1
    return -1


def flatten(parts: tuple[n.WordPart, ...], out: list[str], atoms: list[n.WordPart]) -> None:
    """Turn the parts of an arithmetic text into text with ATOMs."""
    for part in parts:
        if isinstance(part, n.Literal | n.Quoted):
            out.append(part.text)
        elif isinstance(part, n.DoubleQuoted):
            flatten(part.parts, out, atoms)
        else:
            out.append(ATOM)
            atoms.append(part)


def static_parse(word: n.Word, subscript: MakeSubscript) -> n.Arith | None:
    """Parse an arithmetic text with its expansions as atoms; None if its structure is known at run time only."""
    parts = word.parts
    if len(parts) == 1:
        part = parts[0]
        if isinstance(part, n.Parameter | n.CommandSub | n.Arithmetic):
            return n.Expansion(n.Word((part,), part.pos, part.end), part.pos, part.end)
    out: list[str] = []
    atoms: list[n.WordPart] = []
    flatten(parts, out, atoms)
    return parse_flat("".join(out), atoms, subscript, word.pos)


def parse_flat(text: str, atoms: list[n.WordPart], subscript: MakeSubscript, pos: int) -> n.Arith | None:
    """Parse text with ATOMs; None if it has no static parse."""
    try:
        return ArithmeticParser(text, atoms, subscript, pos).parse()
    except (ArithmeticSyntaxError, NotStatic):
        return None
