"""Compiler from expressions to closures.

Every closure takes the frame: the list of the running function's parameters (None outside of a function). A node has
four closures: ``value`` (any kind), ``number`` (a float), ``text`` (bytes) and ``test`` (a bool). Each kind of node
implements the one that is native to it; the others convert its result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..support.gauge import LARGE
from . import nodes as n
from .analysis import Usage, constant_index
from .formatting import to_integer
from .operators import comparison, of_numbers, power, remainder, variable_with_number, with_number
from .runtime import Runtime
from .targets import Targets
from .values import (
    NO_FIELD,
    Array,
    AwkError,
    TypedRegex,
    Value,
    from_input,
    misused,
    parse_number,
    to_bool,
    to_number,
    whole_text,
)

_Part = TypeVar("_Part")
_Absent = TypeVar("_Absent")
Frame = Any
Getter = Callable[[Frame], Value]
Numeric = Callable[[Frame], float]
Textual = Callable[[Frame], bytes]
Test = Callable[[Frame], bool]

_COMPARISONS = frozenset(("<", "<=", "==", "!=", ">", ">="))
_COUNTS = ("NR", "FNR", "NF")
_NUMERIC = ("number", "test")
_TESTS = frozenset(("!", "&&", "||", "~", "!~")) | _COMPARISONS
_KINDS: dict[type[n.Expr], str] = {
    n.Number: "number",
    n.Step: "number",
    n.Getline: "number",
    n.String: "text",
    n.Concat: "text",
    n.In: "test",
}


class Evaluation(Targets):
    """Compiler of the expressions of one run. Subclasses compile calls and ``getline``."""

    builtin_kind: Callable[[str], str]
    builtin: Callable[[n.Builtin], Getter]
    call: Callable[[n.Call], Getter]
    getline: Callable[[n.Getline], Numeric]

    def __init__(self, runtime: Runtime, program: n.Program, usage: Usage) -> None:
        self.runtime = runtime
        self.program = program
        self.usage = usage
        self.function = ""
        self.parameters: dict[str, int] = {}

    def kind(self, node: n.Expr) -> str:
        """Return the native kind of a node's result: ``number``, ``text``, ``test`` (0 or 1) or ``any``."""
        if isinstance(node, n.Group):
            return self.kind(node.inner)
        if isinstance(node, n.Name):
            if node.name in _COUNTS and node.name not in self.parameters:
                return "number"
            return "any"
        if isinstance(node, n.Unary | n.Binary):
            return "test" if node.operator in _TESTS else "number"
        if isinstance(node, n.Assign):
            return "number" if node.operator else "any"
        if isinstance(node, n.Regex):
            return "any" if node.typed else "test"
        if isinstance(node, n.Builtin):
            return self.builtin_kind(node.name)
        return _KINDS.get(type(node), "any")

    # The four forms. A node is compiled to the form that its user needs, so that most values are never converted.

    def value(self, node: n.Expr) -> Getter:
        """Return the closure for a value of any kind."""
        kind = self.kind(node)
        if kind in _NUMERIC:
            return self.number(node)
        if kind == "text":
            return self.text(node)
        return self._any(node)

    def number(self, node: n.Expr) -> Numeric:
        """Return the closure for a number."""
        if isinstance(node, n.Group):
            return self.number(node.inner)
        kind = self.kind(node)
        if kind == "test":
            test = self.test(node)
            return lambda f: 1.0 if test(f) else 0.0
        if kind == "number":
            return self._native_number(node)
        if isinstance(node, n.Field) and (at := constant_index(node)) > 0:
            return self._field_number(at - 1)
        if (slot := self.plain_slot(node)) >= 0:
            slots = self.runtime.slots

            def of_variable(f: Frame) -> float:
                found = slots[slot]
                return found if found.__class__ is float else to_number(found)

            return of_variable
        value = self.text(node) if kind == "text" else self._any(node)

        def number(f: Frame) -> float:
            found = value(f)
            return found if found.__class__ is float else to_number(found)

        return number

    def text(self, node: n.Expr) -> Textual:
        """Return the closure for a string."""
        if isinstance(node, n.Group):
            return self.text(node.inner)
        kind = self.kind(node)
        if kind == "text":
            return self._native_text(node)
        convert = self.runtime.convert
        if kind in ("number", "test"):
            numeric = self.number(node)

            def from_number(f: Frame) -> bytes:
                found = numeric(f)
                return whole_text(found) or convert(found)

            return from_number
        if isinstance(node, n.Field):
            return self._field_text(node)
        if (slot := self.plain_slot(node)) >= 0:
            slots = self.runtime.slots

            def of_variable(f: Frame) -> bytes:
                found = slots[slot]
                if found.__class__ is bytes:
                    return found
                return (found.__class__ is float and whole_text(found)) or convert(found)

            return of_variable
        value = self._any(node)

        def text(f: Frame) -> bytes:
            found = value(f)
            if found.__class__ is bytes:
                return found
            return (found.__class__ is float and whole_text(found)) or convert(found)

        return text

    def test(self, node: n.Expr) -> Test:
        """Return the closure for a truth value."""
        if isinstance(node, n.Group):
            return self.test(node.inner)
        if self.kind(node) == "test":
            return self._native_test(node)
        if self.kind(node) == "number":
            numeric = self.number(node)
            return lambda f: numeric(f) != 0.0
        value = self.value(node)
        return lambda f: to_bool(value(f))

    # Native closures, by kind of result

    def _any(self, node: n.Expr) -> Getter:
        if isinstance(node, n.Group):
            return self.value(node.inner)
        if isinstance(node, n.Name):
            return self._name(node)
        if isinstance(node, n.Index):
            return self._element(node)
        if isinstance(node, n.Field):
            return self._field(node)
        if isinstance(node, n.Assign):
            return self.assign(node)
        if isinstance(node, n.Conditional):
            test, yes, no = self.test(node.test), self.value(node.yes), self.value(node.no)
            return lambda f: yes(f) if test(f) else no(f)
        if isinstance(node, n.Call):
            return self.call(node)
        if isinstance(node, n.Builtin):
            return self.builtin(node)
        assert isinstance(node, n.Regex)
        self.constant_regex(node)
        typed = TypedRegex(node.text)
        return lambda f: typed

    def _native_number(self, node: n.Expr) -> Numeric:
        if isinstance(node, n.Number):
            constant = node.value
            return lambda f: constant
        if isinstance(node, n.Binary):
            return self._arithmetic(node)
        if isinstance(node, n.Name):
            return self._name(node)
        if isinstance(node, n.Unary):
            operand = self.number(node.operand)
            if node.operator == "-":
                return lambda f: -operand(f)
            return operand
        if isinstance(node, n.Step):
            return self.step(node)
        if isinstance(node, n.Assign):
            return self.assign(node)
        if isinstance(node, n.Getline):
            return self.getline(node)
        assert isinstance(node, n.Builtin)
        return self.builtin(node)

    def _native_text(self, node: n.Expr) -> Textual:
        if isinstance(node, n.String):
            constant = node.value
            return lambda f: constant
        if isinstance(node, n.Concat):
            return self._concat(node)
        assert isinstance(node, n.Builtin)
        return self.builtin(node)

    def _native_test(self, node: n.Expr) -> Test:
        if isinstance(node, n.Binary):
            if node.operator in _COMPARISONS:
                if self.kind(node.left) in _NUMERIC and self.kind(node.right) in _NUMERIC:
                    return of_numbers(node.operator, self.number(node.left), self.number(node.right))
                slot = self.plain_slot(node.left)
                if isinstance(node.right, n.Number) and slot >= 0:
                    return variable_with_number(node.operator, slot, node.right.value, self.runtime)
                left = self.value(node.left)
                if isinstance(node.right, n.Number):
                    return with_number(node.operator, left, node.right.value, self.runtime)
                return comparison(node.operator, left, self.value(node.right), self.runtime)
            if node.operator in ("~", "!~"):
                return self._match(node)
            first, second = self.test(node.left), self.test(node.right)
            if node.operator == "&&":
                return lambda f: first(f) and second(f)
            return lambda f: first(f) or second(f)
        if isinstance(node, n.Unary):
            operand = self.test(node.operand)
            return lambda f: not operand(f)
        if isinstance(node, n.In):
            key, array = self.key(node.subscripts), self.array_of(node.array)

            def is_in(f: Frame) -> bool:
                wanted = key(f)
                return wanted in array(f)

            return is_in
        assert isinstance(node, n.Regex)
        return self._record_matches(node)

    # Names, elements and fields

    def _name(self, node: n.Name) -> Getter:
        runtime, slots = self.runtime, self.runtime.slots
        at = self.parameters.get(node.name)
        name = node.name
        if at is not None:
            place = at

            def parameter(f: Frame) -> Value:
                found = f[place]
                if isinstance(found, Array):
                    shown = name if found.name == name else f"{name} (from {found.name})"
                    raise AwkError(f"attempt to use array `{shown}' in a scalar context")
                return found

            return parameter
        if name == "NR":
            return lambda f: runtime.nr
        if name == "FNR":
            return lambda f: runtime.fnr
        if name == "NF":

            def field_count(f: Frame) -> float:
                fields = runtime.fields
                if fields is None:
                    fields = runtime.split()
                return float(len(fields))

            return field_count
        if name == "RT":
            return lambda f: runtime.rt
        slot = runtime.slot(name)
        if not self.usage.is_array("", name):
            return lambda f: slots[slot]

        def either(f: Frame) -> Value:
            found = slots[slot]
            if isinstance(found, Array):
                raise misused(found)
            return found

        return either

    def _element(self, node: n.Index) -> Getter:
        key = self.key(node.subscripts)
        constant = self.constant_array(node.base)
        if constant is not None:
            held = constant

            def element_of(f: Frame) -> Value:
                found = held[key(f)]
                if found.__class__ is Array:
                    raise misused(found)
                return found

            return element_of
        array = self.array_of(node.base)

        def element(f: Frame) -> Value:
            found = array(f)[key(f)]
            if found.__class__ is Array:
                raise misused(found)
            return found

        return element

    def _field(self, node: n.Field) -> Getter:
        runtime = self.runtime
        at = constant_index(node)
        if at == 0:
            return lambda f: runtime.record_value()
        if at > 0:
            place = at - 1

            def constant(f: Frame) -> Value:
                fields = runtime.fields
                if fields is None:
                    fields = runtime.split()
                if place >= len(fields):
                    return NO_FIELD
                piece = fields[place]
                if piece.__class__ is bytes:  # as split, not assigned by the program
                    return from_input(piece)
                return runtime.field(at)

            return constant
        index = self.number(node.index)
        return lambda f: runtime.field(to_integer(index(f)))

    def _field_number(self, place: int) -> Numeric:
        runtime = self.runtime

        def number(f: Frame) -> float:
            fields = runtime.fields
            if fields is None:
                fields = runtime.split()
            if place >= len(fields):
                return 0.0
            piece = fields[place]
            if piece.__class__ is bytes:
                return parse_number(piece)
            return to_number(runtime.field(place + 1))

        return number

    def _field_text(self, node: n.Field) -> Textual:
        runtime = self.runtime
        at = constant_index(node)
        if at == 0:
            return lambda f: runtime.record()
        if at > 0:
            place = at - 1

            def constant(f: Frame) -> bytes:
                fields = runtime.fields
                if fields is None:
                    fields = runtime.split()
                if place >= len(fields):
                    return b""
                piece = fields[place]
                if piece.__class__ is bytes:
                    return piece
                return runtime.convert(piece)

            return constant
        index = self.number(node.index)
        return lambda f: runtime.field_text(to_integer(index(f)))

    # Operators

    def _arithmetic(self, node: n.Binary) -> Numeric:
        left, right = self.number(node.left), self.number(node.right)
        operator, where = node.operator, node.where
        # A constant operand saves one call for each evaluation.
        if isinstance(node.right, n.Number) and operator in "+-*":
            constant = node.right.value
            if operator == "*":
                return lambda f: left(f) * constant
            if operator == "-":
                constant = -constant
            return lambda f: left(f) + constant
        if operator == "+":
            return lambda f: left(f) + right(f)
        if operator == "-":
            return lambda f: left(f) - right(f)
        if operator == "*":
            return lambda f: left(f) * right(f)
        if operator in "/%" and isinstance(node.right, n.Number) and node.right.value == 0.0:
            place = " in `%'" if operator == "%" else ""
            raise AwkError(f"division by zero attempted{place}", where, "error")
        if operator == "%":
            return lambda f: remainder(left(f), right(f))
        if operator == "^":
            return lambda f: power(left(f), right(f))

        def divide(f: Frame) -> float:
            over = left(f)
            under = right(f)
            if under == 0.0:
                raise AwkError("division by zero attempted", where)
            return over / under

        return divide

    def _concat(self, node: n.Concat) -> Textual:
        parts = [self.text(part) for part in node.parts]
        large = self.runtime.gauge.text
        if len(parts) == 2:  # the most frequent case, without a list for each evaluation
            first, second = parts

            def pair(f: Frame) -> bytes:
                text = first(f) + second(f)
                if len(text) > LARGE:
                    large(len(text))
                return text

            return pair

        def several(f: Frame) -> bytes:
            text = b"".join([part(f) for part in parts])
            if len(text) > LARGE:
                large(len(text))
            return text

        return several

    def _match(self, node: n.Binary) -> Test:
        text, regex = self.text(node.left), self.regex_of(node.right)
        scope, wanted = self.runtime.call.scope, node.operator == "~"
        fixed = self.fixed_regex(node.right)
        if fixed is not None:
            literal = self.fixed_literal(node.right)
            if literal is not None:
                if wanted:
                    return lambda f: literal in text(f)
                return lambda f: literal not in text(f)
            check = fixed.test
            return lambda f: check(text(f), scope=scope) is wanted

        def matches(f: Frame) -> bool:
            subject = text(f)
            return regex(f).test(subject, scope=scope) is wanted

        return matches

    def _record_matches(self, node: n.Regex) -> Test:
        runtime, scope = self.runtime, self.runtime.call.scope
        fixed = self.fixed_regex(node)
        if fixed is not None:
            literal = self.fixed_literal(node)
            if literal is not None:
                return lambda f: literal in runtime.record()
            check = fixed.test
            return lambda f: check(runtime.record(), scope=scope)
        regex = self.regex_of(node)
        return lambda f: regex(f).test(runtime.record(), scope=scope)

    def integer(self, node: n.Expr) -> Callable[[Frame], int]:
        """Return the closure for a number truncated to an integer."""
        number = self.number(node)

        def integer(f: Frame) -> int:
            value = number(f)
            try:
                return int(value)
            except (OverflowError, ValueError):  # infinity; no number
                return to_integer(value)

        return integer


def optional(node: n.Builtin, at: int, compiled: Callable[[n.Expr], _Part], absent: _Absent) -> _Part | _Absent:
    """Return the compiled argument of a builtin, ``absent`` if the call does not give it."""
    if at >= len(node.arguments):
        return absent
    return compiled(node.arguments[at])


__all__ = ["Evaluation", "Frame", "Getter", "Numeric", "Test", "Textual", "optional"]
