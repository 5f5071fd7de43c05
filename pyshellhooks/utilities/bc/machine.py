"""Stack machine that runs bc's code (GNU bc 1.07's operations and messages)."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from ...command import Call
from ...errors import Stop
from ...text import encode, pause
from . import numbers
from .library import FUNCTIONS, Library
from .numbers import ONE, ZERO, Number
from .parser import Instruction

_LARGEST = 2147483647
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "q": '"', "r": "\r", "t": "\t", "\\": "\\"}
_COMPARE: dict[str, Callable[[int, int], bool]] = {"==": eq, "!=": ne, "<": lt, ">": gt, "<=": le, ">=": ge}
_ARITHMETIC: dict[str, Callable[[Number, Number, int], Number]] = {
    "+": lambda one, other, _: numbers.add(one, other),
    "-": lambda one, other, _: numbers.subtract(one, other),
    "*": numbers.multiply,
    "/": numbers.divide,
    "%": numbers.modulo,
}
_BY_ZERO = {"/": "Divide by zero", "%": "Modulo by zero", "^": "divide by zero"}
_MOST = {"ibase": 36, "obase": _LARGEST, "scale": _LARGEST}


class _Failure(Exception):
    """A runtime error: the current line ends with this message."""


class Halt(Exception):
    """``halt`` was run."""


def _weight(value: Number) -> int:
    return 200 + value[0].bit_length() // 8


class Machine:
    """The state of a bc: variables and output column. ``mathlib``: the functions of ``-l`` are defined."""

    def __init__(self, call: Call, line_length: int, *, standard: bool, mathlib: bool) -> None:
        self._call = call
        scale = 20 if mathlib else 0  # POSIX XCU bc, -l
        self._variables: dict[str, Number] = {"ibase": (10, 0), "obase": (10, 0), "scale": (scale, 0)}
        self._room = line_length - 2
        self._standard = standard
        self._mathlib = mathlib
        self._column = 0
        self._stack: list[Number] = []
        self._address = 0
        self._cells = 0

    def run(self, code: list[Instruction]) -> None:
        """Run the code of one line; report a runtime error, which ends the line."""
        self._stack.clear()
        scope = self._call.scope
        at = 0
        try:
            while at < len(code):
                if scope.stop is not None:
                    scope.check()
                op, argument, self._address = code[at]
                at = argument if _OPERATIONS[op](self, argument) is True else at + 1
        except _Failure as failure:
            self._write_runtime_message("error", str(failure))

    # Output.

    def write_error(self, message: str) -> None:
        """Write a message to standard error, after flushing standard output."""
        self._call.out.flush()
        self._call.stderr.write(encode(message))

    def _write_runtime_message(self, kind: str, message: str) -> None:
        self.write_error(f"Runtime {kind} (func=(main), adr={self._address}): {message}\n")

    def _put(self, text: str) -> None:
        """Write a text, breaking lines that are too long."""
        if self._room < 1 or self._column + len(text) <= self._room:
            self._column += len(text)
            self._call.out.write(encode(text))
            return
        pieces = []
        at = 0
        while at < len(text):
            pause()
            if self._column >= self._room:
                pieces.append("\\\n")
                self._column = 0
            piece = text[at : at + self._room - self._column]
            pieces.append(piece)
            at += len(piece)
            self._column += len(piece)
        self._call.out.write(encode("".join(pieces)))

    def _text(self, text: str) -> None:
        """Write a string; a newline in it begins a new line."""
        if self._standard:
            self._call.out.write(encode(text))
            return
        for number, line in enumerate(text.split("\n")):
            if number:
                self._newline()
            self._put(line)

    def _newline(self) -> None:
        self._call.out.write(b"\n")
        self._column = 0

    def _print_escaped(self, text: str) -> None:
        chars = iter(text)
        out: list[str] = []
        for char in chars:
            if char == "\\":
                char = _ESCAPES.get(next(chars, ""), "")
            out.append(char)
        self._text("".join(out))

    def _write(self, *, line: bool) -> None:
        value = self._stack.pop()
        self._put(numbers.write(value, self._variables["obase"][0]))
        if line:
            self._newline()
        self._store("last", value)

    # Variables.

    def _load(self, name: str) -> Number:
        return self._variables.get(name, ZERO)

    def _store(self, name: str, value: Number) -> None:
        if name in _MOST:
            value = self._bounded(name, numbers.whole(value)), 0
        if name in self._variables:
            self._cells -= _weight(self._variables[name])
        self._cells += _weight(value)
        most = self._call.limits.memory
        if self._cells > most:
            raise Stop("limit", f"the variables of a bc program need more than {most} bytes", "memory")
        self._variables[name] = value

    def _bounded(self, name: str, value: int) -> int:
        least, most = 2, _MOST[name]
        too_small = f"{name} too small, set to 2"
        if name == "scale":
            least, too_small = 0, "negative scale, set to 0"
        if value < least:
            self._write_runtime_message("warning", too_small)
        elif value > most:
            self._write_runtime_message("warning", f"{name} too large, set to {most}")
        return min(max(value, least), most)

    # Operations.

    def _replace(self, function: Callable[[Number], Number]) -> None:
        self._stack.append(function(self._stack.pop()))

    def _unless(self, wanted: bool) -> bool:
        """Pop the left operand of a logical operator; if it decides the result, push that and return True to jump."""
        value = self._stack.pop()
        if (value[0] != 0) == wanted:
            return False
        self._stack.append(value if wanted else ONE)
        return True

    def _truth(self, op: str) -> None:
        """Replace the right operand of a logical operator by the result. A zero loses its scale for ``||`` only."""
        value = self._stack.pop()
        if value[0]:
            value = ONE
        elif op != "&&":
            value = ZERO
        self._stack.append(value)

    def _step(self, name: str, by: int) -> None:
        self._store(name, numbers.add(self._load(name), (by, 0)))

    def _calculate(self, op: str) -> None:
        right, left = self._stack.pop(), self._stack.pop()
        scale = self._variables["scale"][0]
        try:
            if op == "^":
                self._stack.append(self._power(left, right, scale))
            else:
                self._stack.append(_ARITHMETIC[op](left, right, scale))
        except ZeroDivisionError:
            raise _Failure(_BY_ZERO[op]) from None

    def _compare(self, op: str) -> None:
        right, left = self._stack.pop(), self._stack.pop()
        holds = _COMPARE[op](numbers.subtract(left, right)[0], 0)
        self._stack.append(ONE if holds else ZERO)

    def _power(self, left: Number, right: Number, scale: int) -> Number:
        if right[1]:
            self._write_runtime_message("warning", "non-zero scale in exponent")
        exponent = numbers.whole(right)
        if abs(exponent) >= 2**63:
            raise _Failure("exponent too large in raise")
        return numbers.power(left, exponent, scale)

    def _root(self, value: Number) -> Number:
        if value[0] < 0:
            raise _Failure("Square root of a negative number")
        return numbers.root(value, self._variables["scale"][0])

    def _function(self, name: str, count: int) -> None:
        if not self._mathlib or name not in FUNCTIONS:
            raise _Failure(f"Function {name} not defined.")
        if count != 1:
            self._address += min(count, 1) + 1
            raise _Failure("Parameter number mismatch")
        library = Library(self._variables["scale"][0], self._call.check)
        self._replace(lambda value: library.call(name, value))

    def _halt(self) -> None:
        raise Halt


# An operation that returns True jumps to its argument.
_OPERATIONS: dict[str, Callable[[Machine, Any], object]] = {
    **dict.fromkeys((*_ARITHMETIC, "^"), Machine._calculate),
    **dict.fromkeys(_COMPARE, Machine._compare),
    "if": lambda m, _: not m._stack.pop()[0],
    "else": lambda m, _: True,
    "&&": lambda m, _: m._unless(True),
    "||": lambda m, _: m._unless(False),
    "K": lambda m, text: m._stack.append(numbers.parse(text, m._variables["ibase"][0])),
    "p": lambda m, _: m._stack.pop(),
    "W": lambda m, _: m._write(line=True),
    "P": lambda m, _: m._write(line=False),
    "n": lambda m, _: m._replace(lambda value: (-value[0], value[1])),
    "truth": Machine._truth,
    "!": lambda m, _: m._replace(lambda value: ZERO if value[0] else ONE),
    "length": lambda m, _: m._replace(lambda value: (numbers.length(value), 0)),
    "scale": lambda m, _: m._replace(lambda value: (value[1], 0)),
    "sqrt": lambda m, _: m._replace(m._root),
    "w": Machine._text,
    "O": Machine._print_escaped,
    "l": lambda m, name: m._stack.append(m._load(name)),
    "s": lambda m, name: m._store(name, m._stack[-1]),
    "++": lambda m, name: m._step(name, 1),
    "--": lambda m, name: m._step(name, -1),
    "C": lambda m, call: m._function(*call),
    "h": lambda m, _: m._halt(),
}
