"""Numeric functions (POSIX XCU awk, "Arithmetic Functions"; gawk manual 9.1.2 and 9.1.6)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from . import nodes as n
from .evaluation import Frame, Getter, optional
from .formatting import to_integer
from .randomness import Generator
from .text_functions import TextFunctions
from .values import AwkError, parse_number

BITS: dict[str, Callable[[int, int], int]] = {
    "and": lambda one, other: one & other,
    "or": lambda one, other: one | other,
    "xor": lambda one, other: one ^ other,
    "lshift": lambda one, other: (one << (other & 63)) & ((1 << 64) - 1),
    "rshift": lambda one, other: one >> (other & 63),
}
_MANTISSA = 1 << 53


class NumberFunctions(TextFunctions):
    """Compiler of calls of numeric functions: one method for each function, ``_do_NAME``."""

    def _do_int(self, node: n.Builtin) -> Getter:
        number = self.number(node.arguments[0])

        def whole(f: Frame) -> float:
            found = number(f)
            return float(int(found)) if found - found == 0.0 else found

        return whole

    def _math(self, node: n.Builtin, function: Callable[[float], float]) -> Getter:
        number = self.number(node.arguments[0])

        def compute(f: Frame) -> float:
            try:
                return function(number(f))
            except (ValueError, OverflowError):
                return math.nan

        return compute

    def _do_sin(self, node: n.Builtin) -> Getter:
        return self._math(node, math.sin)

    def _do_cos(self, node: n.Builtin) -> Getter:
        return self._math(node, math.cos)

    def _do_exp(self, node: n.Builtin) -> Getter:
        def exp(number: float) -> float:
            try:
                return math.exp(number)
            except OverflowError:
                self.warn(node.where, f"exp: argument {self._shown(number)} is out of range")
                return math.inf

        return self._math(node, exp)

    def _shown(self, number: float) -> str:
        return self.runtime.formatter.number(number, b"%g").decode()

    def _do_log(self, node: n.Builtin) -> Getter:
        def log(number: float) -> float:
            if number < 0:
                self.warn(node.where, f"log: received negative argument {self._shown(number)}")
                return -math.nan
            return math.log(number) if number else -math.inf

        return self._math(node, log)

    def _do_sqrt(self, node: n.Builtin) -> Getter:
        def sqrt(number: float) -> float:
            if number < 0:
                self.warn(node.where, f"sqrt: received negative argument {self._shown(number)}")
                return -math.nan
            return math.sqrt(number)

        return self._math(node, sqrt)

    def _do_atan2(self, node: n.Builtin) -> Getter:
        first, second = self.number(node.arguments[0]), self.number(node.arguments[1])
        return lambda f: math.atan2(first(f), second(f))

    def bits(self, node: n.Builtin) -> Getter:
        numbers = [self.number(argument) for argument in node.arguments]
        name, operate, where = node.name, BITS[node.name], node.where
        shift = name in ("lshift", "rshift")

        def compute(f: Frame) -> float:
            values = [number(f) for number in numbers]
            for place, value in enumerate(values, 1):
                if value < 0 or value - value != 0.0:
                    if shift:
                        shown = ", ".join([f"{item:f}" for item in values])
                        raise AwkError(f"{name}({shown}): negative values are not allowed", where)
                    text = self._shown(value)
                    raise AwkError(f"{name}: argument {place} negative value {text} is not allowed", where)
            result = int(values[0])
            for value in values[1:]:
                result = operate(result, int(value))
            return _as_double(result)

        return compute

    def _do_compl(self, node: n.Builtin) -> Getter:
        number, where = self.number(node.arguments[0]), node.where

        def complement(f: Frame) -> float:
            value = number(f)
            if value < 0 or value - value != 0.0:
                raise AwkError(f"compl({value:f}): negative value is not allowed", where)
            return _as_double(~int(value))

        return complement

    def _do_strtonum(self, node: n.Builtin) -> Getter:
        value, convert = self.value(node.arguments[0]), self.runtime.convert

        def strtonum(f: Frame) -> float:
            found = value(f)
            if found.__class__ is float:
                return found
            return _based(convert(found))

        return strtonum

    def _do_rand(self, node: n.Builtin) -> Getter:
        runtime = self.runtime

        def rand(f: Frame) -> float:
            if runtime.generator is None:
                runtime.generator = Generator(1)
            return runtime.generator.random()

        return rand

    def _do_srand(self, node: n.Builtin) -> Getter:
        runtime = self.runtime
        seed = optional(node, 0, self.number, _seconds)

        def srand(f: Frame) -> float:
            whole = to_integer(seed(f))
            before, runtime.seed = runtime.seed, float(whole)
            runtime.generator = Generator(whole)
            return before

        return srand


def _seconds(f: Frame) -> float:
    return float(int(time.time()))


def _as_double(bits: int) -> float:
    """Return a 64-bit integer as a double, which keeps 53 bits, counted from the lowest bit that is set (gawk)."""
    bits &= (1 << 64) - 1
    if bits >= _MANTISSA:
        bits &= (_MANTISSA - 1) * (bits & -bits)
    return float(bits)


def _based(text: bytes) -> float:
    """Parse a number that may be hexadecimal or octal."""
    if text[:2] in (b"0x", b"0X"):
        end = 2
        while end < len(text) and text[end : end + 1] in b"0123456789abcdefABCDEF":
            end += 1
        return float(int(text[2:end], 16)) if end > 2 else 0.0
    if text[:1] == b"0" and text[1:2].isdigit():
        end = 1
        while end < len(text) and text[end : end + 1] in b"01234567":
            end += 1
        if text[end : end + 1] not in (b".", b"e", b"E", b"8", b"9"):
            return float(int(text[:end], 8))
    return parse_number(text)
