"""Runs bc's code: a stack, variables, and calls without recursion in Python (GNU bc 1.07's operations and messages)."""

from __future__ import annotations

from collections.abc import Callable

from ...command import Call
from ...errors import Stop
from ...host import current
from ...text import encode, pause
from . import numbers
from .code import Code, Frame, Function
from .library import Library
from .numbers import ONE, ZERO, Number
from .randomness import Randomness

_LARGEST = 2147483647
_LAST_INDEX = 16777215
_DEEPEST = 100_000  # calls of functions in each other
_LARGE_BITS = 32768
_MEASURE_EVERY = 64 * 1024 * 1024
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "q": '"', "r": "\r", "t": "\t", "\\": "\\"}
_SPECIAL = frozenset(("ibase", "obase", "scale"))
_COMPARE: dict[str, Callable[[int], bool]] = {
    "=": lambda sign: sign == 0,
    "#": lambda sign: sign != 0,
    "<": lambda sign: sign < 0,
    ">": lambda sign: sign > 0,
    "{": lambda sign: sign <= 0,
    "}": lambda sign: sign >= 0,
}
LIMITS = (
    f"BC_BASE_MAX     = {_LARGEST}\nBC_DIM_MAX      = {_LAST_INDEX}\nBC_SCALE_MAX    = {_LARGEST}\n"
    f"BC_STRING_MAX   = {_LARGEST}\nMAX Exponent    = {2**63 - 1}\nNumber of vars  = 32767\n"
)


class RuntimeFailure(Exception):
    """What is being run ends with a message."""


class Halt(Exception):
    """``halt`` was run."""


class Machine:
    """The state of a bc: variables, functions, output column."""

    def __init__(self, call: Call, line_length: int, *, standard: bool) -> None:
        self.call = call
        self.functions: dict[str, Function] = {}
        self.variables: dict[str, Number] = {}
        self.arrays: dict[str, dict[int, Number]] = {}
        self.ibase = self.obase = 10
        self.scale = 0
        self.read_line: Callable[[], str | None] = lambda: None
        self._line_length = line_length
        self._standard = standard
        self._column = 0
        self._stack: list[Number] = []
        self._frames: list[Frame] = []
        self._function: Function | None = None
        self._address = 0
        self._held = 0
        self._resident: int | None = None
        self._random = Randomness()
        self._passed: dict[int, str] = {}
        self._numbers: dict[str, int] = {}

    # Output.

    def say(self, message: str) -> None:
        """Write to standard error, after all that is on its way to standard output."""
        self.call.out.flush()
        self.call.stderr.write(encode(message))

    def _put(self, text: str) -> None:
        """Write, breaking lines that are too long."""
        room = self._line_length - 2
        if room < 1 or self._column + len(text) <= room:
            self._column += len(text)
            self.call.out.write(encode(text))
            return
        pieces = []
        at = 0
        while at < len(text):
            pause()
            if self._column >= room:
                pieces.append("\\\n")
                self._column = 0
            piece = text[at : at + room - self._column]
            pieces.append(piece)
            at += len(piece)
            self._column += len(piece)
        self.call.out.write(encode("".join(pieces)))

    def _newline(self) -> None:
        self.call.out.write(b"\n")
        self._column = 0

    def _text(self, text: str) -> None:
        """Write a string; a newline in it begins a new line."""
        if self._standard:
            self.call.out.write(encode(text))
            return
        first, *others = text.split("\n")
        self._put(first)
        for line in others:
            self._newline()
            self._put(line)

    def _print_text(self, text: str) -> None:
        out = []
        chars = iter(text)
        for char in chars:
            if char == "\\":
                out.append(_ESCAPES.get(next(chars, ""), ""))
            else:
                out.append(char)
        self._text("".join(out))

    def _warn(self, message: str) -> None:
        self.say(f"Runtime warning (func={self._place()}, adr={self._address}): {message}\n")

    def _report(self, message: str) -> None:
        self.say(f"Runtime error (func={self._place()}, adr={self._address}): {message}\n")

    def _place(self) -> str:
        return "(main)" if self._function is None else self._function.name

    # Variables.

    def _load(self, name: str) -> Number:
        if name in _SPECIAL:
            return {"ibase": self.ibase, "obase": self.obase, "scale": self.scale}[name], 0
        return self.variables.get(name, ZERO)

    def _store(self, name: str, value: Number) -> None:
        if name in _SPECIAL:
            self._store_special(name, numbers.whole(value))
        else:
            self._weigh(value)
            self.variables[name] = value

    def _store_special(self, name: str, value: int) -> None:
        least, most = (0, _LARGEST) if name == "scale" else (2, 36 if name == "ibase" else _LARGEST)
        if value < least:
            self._warn("negative scale, set to 0" if name == "scale" else f"{name} too small, set to 2")
        elif value > most:
            self._warn(f"{name} too large, set to {most}")
        setattr(self, name, min(max(value, least), most))

    def _index(self, name: str, number: Number) -> int:
        index = numbers.whole(number)
        if not 0 <= index <= _LAST_INDEX:
            raise RuntimeFailure(f"Array {name} subscript out of bounds.")
        return index

    def _set_element(self, name: str, index: int, value: Number) -> None:
        array = self.arrays.setdefault(name, {})
        array[index] = value
        self._weigh(value)
        if len(array) > self.call.limits.array:
            raise Stop("limit", f"an array of bc has more than {self.call.limits.array} elements", "array")

    def _weigh(self, value: Number) -> None:
        """Count what is kept; large numbers in an array are what could fill the memory."""
        self._held += 100 if value[0].bit_length() < _LARGE_BITS else value[0].bit_length() // 8
        if self._held < _MEASURE_EVERY:
            return
        self._held = 0
        resident = current().resident()
        if resident is None:
            return
        if self._resident is None:
            self._resident = resident
        elif resident - self._resident > self.call.limits.memory:
            raise Stop("limit", f"the bc program takes more than {self.call.limits.memory} bytes of memory", "memory")

    # Running.

    def run(self, code: Code) -> None:
        """Run one item; a failure ends it with a message."""
        self._stack.clear()
        try:
            self._execute(code)
        except RuntimeFailure as failure:
            self._report(str(failure))
            while self._frames:
                self._leave()

    def _execute(self, code: Code) -> None:
        stack = self._stack
        scope = self.call.scope
        at = 0
        while at < len(code.instructions):
            op, argument, self._address = code.instructions[at]
            at += 1
            if op in "JZB":
                if scope.stop is not None:
                    scope.check()
                assert isinstance(argument, int)
                # Z jumps on 0 and B on anything else; B leaves nothing behind either.
                if op == "J" or (stack.pop()[0] != 0) == (op == "B"):
                    at = code.labels[argument]
            elif op == "C":
                called = self._enter(argument, code, at)
                if called is not None:
                    code, at = called, 0
            elif op == "R":
                value = stack.pop()
                scope.check()
                code, at, void = self._leave()
                if void:
                    value = ZERO
                stack.append(value)
            elif op == "h":
                raise Halt
            else:
                self._operate(op, argument)

    def _operate(self, op: str, argument: object) -> None:
        stack = self._stack
        simple = _SIMPLE.get(op)
        if simple is not None:
            simple(self)
        elif op in _COMPARE:
            right = stack.pop()
            stack.append(ONE if _COMPARE[op](numbers.compare(stack.pop(), right)) else ZERO)
        elif op in "+-*/%^":
            right = stack.pop()
            stack.append(self._arithmetic(op, stack.pop(), right))
        elif isinstance(argument, str):
            _NAMED[op](self, argument)
        else:
            self.call.out.flush()
            self._text(LIMITS if op == "limits" else "There is no warranty.\n")

    def _arithmetic(self, op: str, left: Number, right: Number) -> Number:
        if self.call.scope.stop is not None:
            self.call.scope.check()
        try:
            if op == "+":
                return numbers.add(left, right)
            if op == "-":
                return numbers.subtract(left, right)
            if op == "*":
                return numbers.multiply(left, right, self.scale)
            if op == "/":
                return numbers.divide(left, right, self.scale)
            if op == "%":
                return numbers.modulo(left, right, self.scale)
        except ZeroDivisionError:
            raise RuntimeFailure("Modulo by zero" if op == "%" else "Divide by zero") from None
        if right[1]:
            self._warn("non-zero scale in exponent")
        exponent = numbers.whole(right)
        if abs(exponent) >= 2**63:
            raise RuntimeFailure("exponent too large in raise")
        try:
            return numbers.power(left, exponent, self.scale)
        except ZeroDivisionError:
            raise RuntimeFailure("divide by zero") from None

    # Calls.

    def _enter(self, argument: object, code: Code, at: int) -> Code | None:
        assert isinstance(argument, tuple)
        name, arguments, head = argument
        begin = self._address - head - len(arguments) - 1
        function = self.functions.get(name)
        if function is None:
            self._address = begin + head
            raise RuntimeFailure(f"Function {name} not defined.")
        self._fit(function, arguments, begin + head)
        if function.native:
            given = [self._stack.pop() for _ in arguments][::-1]
            self._stack.append(Library(self.scale, self.call.check).call(function.native, given))
            return None
        assert function.code is not None
        if len(self._frames) >= _DEEPEST:
            raise Stop("limit", f"functions of bc are called more than {_DEEPEST} deep")
        if self.call.scope.stop is not None:
            self.call.scope.check()
        # What the parameters and local names were; all of them are looked up before any is set.
        values: list[Number | dict[int, Number]] = []
        for kind, _ in reversed(function.params):
            value = self._stack.pop()
            if kind == "simple":
                values.append(value)
            else:
                shared = self.arrays.setdefault(self._passed[value[0]], {})
                values.append(shared if kind == "shared" else dict(shared))
        values.reverse()
        values += [ZERO if kind == "simple" else {} for kind, _ in function.autos]
        saved: list[tuple[str, str, Number | dict[int, Number] | None]] = []
        for (kind, local), new in zip([*function.params, *function.autos], values, strict=True):
            if isinstance(new, dict):
                saved.append(("array", local, self.arrays.get(local)))
                self.arrays[local] = new
            else:
                saved.append((kind, local, self.variables.get(local)))
                self.variables[local] = new
        self._frames.append((code, at, self._function, saved, self.ibase))
        self._function = function
        return function.code

    def _fit(self, function: Function, arguments: list[str], address: int) -> None:
        end = self._address
        fits = len(function.params) == len(arguments)
        for (kind, name), given in zip(function.params, arguments, strict=False):
            address += 1
            self._address = address
            if kind == "simple" and given != "simple":
                self._report("Parameter type mismatch, parameter (null).")
            elif kind != "simple" and given == "simple":
                self._report(f"Parameter type mismatch parameter {name}.")
            else:
                continue
            fits = False
        self._address = end
        if not fits:
            raise RuntimeFailure("Parameter number mismatch")

    def _leave(self) -> tuple[Code, int, bool]:
        void = self._function is not None and self._function.void
        code, at, self._function, saved, _ = self._frames.pop()
        for kind, name, value in reversed(saved):
            if isinstance(value, dict):
                self.arrays[name] = value
            elif value is not None:
                self.variables[name] = value
            else:
                (self.variables if kind == "simple" else self.arrays).pop(name, None)
        return code, at, void

    # Operations.

    def _write(self, *, line: bool) -> None:
        value = self._stack.pop()
        numbers.write(value, self.obase, self._put)
        if line:
            self._newline()
        self.variables["last"] = value

    def _negate(self) -> None:
        a, s = self._stack.pop()
        self._stack.append((-a, s))

    def _not(self) -> None:
        self._stack.append(ZERO if self._stack.pop()[0] else ONE)

    def _swap_element(self) -> None:
        value, index = self._stack.pop(), self._stack.pop()
        self._stack += [value, index]

    def _root(self) -> None:
        value = self._stack.pop()
        if value[0] < 0:
            raise RuntimeFailure("Square root of a negative number")
        self._stack.append(numbers.root(value, self.scale))

    def _read(self) -> None:
        line = self.read_line()
        text = (line or "").strip()
        sign = -1 if text.startswith("-") else 1
        text = text[1:] if text[:1] in ("-", "+") else text
        kept = 0
        while kept < len(text) and (text[kept] in "0123456789." or "A" <= text[kept] <= "Z"):
            kept += 1
        before, _, after = text[:kept].partition(".")
        a, s = numbers.parse(f"{before or '0'}.{after.partition('.')[0]}".rstrip("."), self.ibase)
        self._stack.append((sign * a, s))

    def _element_name(self, name: str) -> None:
        number = self._numbers.setdefault(name, len(self._numbers))
        self._passed[number] = name
        self._stack.append((number, 0))

    def _constant(self, text: str) -> None:
        self._stack.append(numbers.parse(text, self.ibase))

    def _load_element(self, name: str) -> None:
        index = self._index(name, self._stack.pop())
        self._stack.append(self.arrays.get(name, {}).get(index, ZERO))

    def _store_element(self, name: str) -> None:
        value = self._stack.pop()
        self._set_element(name, self._index(name, self._stack.pop()), value)
        self._stack.append(value)

    def _step_element(self, name: str, by: int) -> None:
        index = self._index(name, self._stack.pop())
        old = self.arrays.get(name, {}).get(index, ZERO)
        self._set_element(name, index, numbers.add(old, (by, 0)))

    def _step(self, name: str, by: int) -> None:
        self._store(name, numbers.add(self._load(name), (by, 0)))


_SIMPLE: dict[str, Callable[[Machine], object]] = {
    "0": lambda m: m._stack.append(ZERO),
    "1": lambda m: m._stack.append(ONE),
    "p": lambda m: m._stack.pop(),
    "D": lambda m: m._stack.append(m._stack[-1]),
    "x": Machine._swap_element,
    "W": lambda m: m._write(line=True),
    "P": lambda m: m._write(line=False),
    "n": Machine._negate,
    "!": Machine._not,
    "cL": lambda m: m._stack.append((numbers.length(m._stack.pop()), 0)),
    "cS": lambda m: m._stack.append((m._stack.pop()[1], 0)),
    "cR": Machine._root,
    "cI": Machine._read,
    "cX": lambda m: m._stack.append((m._random.next(), 0)),
}
_NAMED: dict[str, Callable[[Machine, str], object]] = {
    "w": Machine._text,
    "O": Machine._print_text,
    "K": Machine._constant,
    "l": lambda m, name: m._stack.append(m._load(name)),
    "s": lambda m, name: m._store(name, m._stack[-1]),
    "i": lambda m, name: m._step(name, 1),
    "d": lambda m, name: m._step(name, -1),
    "L": Machine._load_element,
    "S": Machine._store_element,
    "A": lambda m, name: m._step_element(name, 1),
    "M": lambda m, name: m._step_element(name, -1),
    "A[]": Machine._element_name,
}
