"""Compiler of assignments to variables, elements and fields, and of arrays and regular expressions as operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...patterns.engines import Regex
from . import nodes as n
from .analysis import Usage
from .formatting import to_integer
from .operators import power, remainder
from .runtime import Runtime
from .values import UNSET, Array, AwkError, Value, misused, to_number

Frame = Any
Getter = Callable[[Frame], Value]
Reference = tuple[Callable[[Frame], Any], Callable[[Frame, Any], Value], Callable[[Frame, Any, Value], None]]
_ORDINALS = ("first", "second", "third", "fourth")


class Targets:
    """Compiler of assignments. The subclass ``Evaluation`` compiles the expressions."""

    runtime: Runtime
    program: n.Program
    usage: Usage
    function: str
    parameters: dict[str, int]

    value: Callable[[n.Expr], Getter]
    number: Callable[[n.Expr], Callable[[Frame], float]]
    text: Callable[[n.Expr], Callable[[Frame], bytes]]
    raw: Callable[[n.Expr], Getter]

    # Arrays

    def constant_array(self, node: n.Expr) -> Array | None:
        """Return the array itself if the name can only be an array, else None."""
        if isinstance(node, n.Name) and node.name not in self.parameters and self.usage.is_only_array(node.name):
            held = self.runtime.slots[self.runtime.slot(node.name)]
            # With -v it may be a scalar after all; using it then raises the error.
            if held is UNSET or isinstance(held, Array):
                return self.runtime.array(node.name)
            return None
        return None

    def array_argument(self, node: n.Builtin, at: int) -> Callable[[Frame], Array]:
        """Return the closure for an argument that must be an array."""
        argument = node.arguments[at]
        text = f"{node.name}: {_ORDINALS[at]} argument is not an array"
        if not isinstance(argument, n.Name | n.Index):
            raise AwkError(text, node.where)
        if self.constant_array(argument) is not None:
            return self.array_of(argument)
        given, where = self.array_or_value(argument), node.where

        def checked(f: Frame) -> Array:
            found = given(f)
            if isinstance(found, Array):
                return found
            raise AwkError(text, where)

        return checked

    def optional_array(self, node: n.Builtin, at: int) -> Callable[[Frame], Array] | None:
        """Return the closure for an array to fill, None if the call does not give it."""
        if at >= len(node.arguments):
            return None
        return self.filled_array(node, at)

    def filled_array(self, node: n.Builtin, at: int, text: str = "") -> Callable[[Frame], Array]:
        """Return the closure for an array argument that the function fills; a read-only array is an error."""
        given, argument = self.array_argument(node, at), node.arguments[at]
        if self.constant_array(argument).__class__ is Array:
            return given
        ordinal = _ORDINALS[at]

        def filled(f: Frame) -> Array:
            found = given(f)
            if found.__class__ is Array:
                return found
            raise AwkError(f"{node.name}: {text or f'cannot use %s as {ordinal} argument'}" % found.name)

        return filled

    def array_or_value(self, node: n.Name | n.Index) -> Getter:
        """Return the closure for the value or array of a name or element; an unset one becomes an array."""
        if isinstance(node, n.Index):
            base, key = self.array_of(node.base), self.key(node.subscripts)

            def element(f: Frame) -> Value:
                held, subscript = base(f), key(f)
                found = held[subscript]
                return held.subarray(subscript) if found is UNSET else found

            return element
        raw, array = self.raw(node), self.array_of(node)

        def named(f: Frame) -> Value:
            found = raw(f)
            return array(f) if found is UNSET else found

        return named

    def array_of(self, node: n.Name | n.Index) -> Callable[[Frame], Array]:
        """Return the closure for an array, which is created if it does not exist."""
        constant = self.constant_array(node)
        if constant is not None:
            held = constant
            return lambda f: held
        if isinstance(node, n.Index):
            base, key = self.array_of(node.base), self.key(node.subscripts)
            return lambda f: base(f).subarray(key(f))
        name = node.name
        at = self.parameters.get(name)
        if at is None:
            runtime = self.runtime
            return lambda f: runtime.array(name)
        place, gauge = at, self.runtime.gauge

        def parameter(f: Frame) -> Array:
            found = f[place]
            if isinstance(found, Array):
                return found
            if found is not UNSET:
                raise AwkError(f"attempt to use scalar parameter `{name}' as an array")
            array = f[place] = Array(name, gauge)
            return array

        return parameter

    def key(self, subscripts: list[n.Expr]) -> Callable[[Frame], bytes]:
        """Return the closure for an array key; several subscripts are joined with SUBSEP."""
        if len(subscripts) == 1:
            return self.text(subscripts[0])
        texts = [self.text(subscript) for subscript in subscripts]
        runtime = self.runtime
        return lambda f: runtime.subsep.join([text(f) for text in texts])

    # Regular expressions

    def constant_regex(self, node: n.Regex) -> Regex:
        """Compile a regular expression literal; an invalid one is an error before the program runs."""
        try:
            return self.runtime.regexes.get(node.text)
        except AwkError as error:
            text = error.message.removeprefix("invalid regexp: ")
            raise AwkError(text, node.where, "error") from None

    def fixed_regex(self, node: n.Expr) -> Regex | None:
        """Return the compiled expression if the node is a literal and no IGNORECASE can change it, else None.

        A literal in parentheses is a value, 0 or 1 (gawk).
        """
        if isinstance(node, n.Regex):
            regex = self.constant_regex(node)
            return None if "IGNORECASE" in self.usage.names else regex
        return None

    def fixed_literal(self, node: n.Expr) -> bytes | None:
        """Return the text of a regular expression literal that matches only this text, else None."""
        if not isinstance(node, n.Regex):
            return None
        return self.runtime.regexes.literal(node.text)

    def pattern_of(self, node: n.Expr) -> Callable[[Frame], bytes]:
        """Return the closure for the source text of a regular expression, literal or computed."""
        if isinstance(node, n.Regex):
            self.constant_regex(node)
            text = node.text
            return lambda f: text
        return self.text(node)

    def regex_of(self, node: n.Expr, captures: bool = False) -> Callable[[Frame], Regex]:
        """Return the closure for a compiled regular expression."""
        pattern, get = self.pattern_of(node), self.runtime.regexes.get
        return lambda f: get(pattern(f), captures)

    # Targets

    def setter(self, node: n.Target) -> Callable[[Frame, Value], None]:
        """Return the closure that assigns to a target."""
        place, _, put = self.reference(node)
        return lambda f, value: put(f, place(f), value)

    def reference(self, node: n.Target) -> Reference:
        """Return closures that find a target's place, read it and write it: its subscripts are computed once."""
        if isinstance(node, n.Field):
            index, runtime = self.number(node.index), self.runtime
            return (
                lambda f: to_integer(index(f)),
                lambda f, place: runtime.field(place),
                lambda f, place, value: runtime.set_field(place, value),
            )
        if isinstance(node, n.Index):
            return self._element_reference(node)
        return self._name_reference(node)

    def _element_reference(self, node: n.Index) -> Reference:
        array, key = self.array_of(node.base), self.key(node.subscripts)

        def place(f: Frame) -> tuple[Array, bytes]:
            held, subscript = array(f), key(f)
            if held[subscript].__class__ is Array:  # this creates the element, whether it will be written or not (gawk)
                raise misused(held[subscript])
            return held, subscript

        def get(f: Frame, found: tuple[Array, bytes]) -> Value:
            return found[0][found[1]]

        def put(f: Frame, found: tuple[Array, bytes], value: Value) -> None:
            found[0][found[1]] = value

        return place, get, put

    def _name_reference(self, node: n.Name) -> Reference:
        name, runtime, slots = node.name, self.runtime, self.runtime.slots
        at = self.parameters.get(name)
        read = self.value(node)
        if at is not None:
            parameter = at

            def put_parameter(f: Frame, place: Any, value: Value) -> None:
                if isinstance(f[parameter], Array):
                    read(f)
                f[parameter] = value

            return (lambda f: None), (lambda f, place: read(f)), put_parameter
        slot = runtime.slot(name)
        if name in runtime.setters or self.usage.is_array("", name):
            return (lambda f: None), (lambda f, place: read(f)), (lambda f, place, value: runtime.assign(name, value))

        def put(f: Frame, place: Any, value: Value) -> None:
            slots[slot] = value

        return (lambda f: None), (lambda f, place: read(f)), put

    def plain_slot(self, node: n.Expr) -> int:
        """Return the slot of a global scalar whose assignment has no side effects, else -1."""
        if isinstance(node, n.Name) and node.name not in self.parameters:
            if node.name not in self.runtime.setters and node.name != "RT" and not self.usage.is_array("", node.name):
                return self.runtime.slot(node.name)
        return -1

    def assign(self, node: n.Assign) -> Getter:
        """Compile an assignment. The right side is evaluated first (gawk)."""
        if node.operator:
            return self._compound(node)
        value = self.value(node.value)
        slots, slot = self.runtime.slots, self.plain_slot(node.target)
        if slot >= 0:

            def assign_slot(f: Frame) -> Value:
                found = slots[slot] = value(f)
                return found

            return assign_slot
        if isinstance(node.target, n.Index):
            return self._assign_element(node.target, value)
        place, _, put = self.reference(node.target)

        def assign(f: Frame) -> Value:
            found = value(f)
            put(f, place(f), found)
            return found

        return assign

    def _assign_element(self, node: n.Index, value: Getter) -> Getter:
        array, key = self.array_of(node.base), self.key(node.subscripts)
        constant = self.constant_array(node.base)
        if constant is not None:
            only = constant

            def assign_element_of(f: Frame) -> Value:
                found = value(f)
                subscript = key(f)
                old = only.get(subscript)
                if old is None:
                    only.gauge.array(len(only) + 1)
                elif old.__class__ is Array:
                    raise misused(old)
                only[subscript] = found
                return found

            return assign_element_of

        def assign_element(f: Frame) -> Value:
            found = value(f)
            held, subscript = array(f), key(f)
            old = held.get(subscript)
            if old is None:
                held.gauge.array(len(held) + 1)
            elif old.__class__ is Array:
                raise misused(old)
            held[subscript] = found
            return found

        return assign_element

    def _compound(self, node: n.Assign) -> Callable[[Frame], float]:
        right, where = self.number(node.value), node.where
        slots, slot = self.runtime.slots, self.plain_slot(node.target)
        if slot >= 0 and node.operator == "+":

            def add(f: Frame) -> float:
                amount = right(f)
                old = slots[slot]
                if old.__class__ is not float:
                    old = to_number(old)
                result: float = old + amount
                slots[slot] = result
                return result

            return add
        operate = _operation(node.operator, where)
        if isinstance(node.target, n.Index):
            return self._compound_element(node.target, right, operate)
        place, get, put = self.reference(node.target)

        def compound(f: Frame) -> float:
            amount = right(f)
            found = place(f)
            result = operate(to_number(get(f, found)), amount)
            put(f, found, result)
            return result

        return compound

    def _compound_element(
        self, node: n.Index, right: Callable[[Frame], float], operate: Callable[[float, float], float]
    ) -> Callable[[Frame], float]:
        array, key = self.array_of(node.base), self.key(node.subscripts)

        def compound(f: Frame) -> float:
            amount = right(f)
            held, subscript = array(f), key(f)
            old = held[subscript]
            result = held[subscript] = operate(old if old.__class__ is float else to_number(old), amount)
            return result

        return compound

    def step(self, node: n.Step) -> Callable[[Frame], float]:
        """Compile ``++`` and ``--``."""
        amount, prefix = node.amount, node.prefix
        slots, slot = self.runtime.slots, self.plain_slot(node.target)
        if slot >= 0:

            def step_slot(f: Frame) -> float:
                old = slots[slot]
                if old.__class__ is not float:
                    old = to_number(old)
                new = slots[slot] = old + amount
                return new if prefix else old

            return step_slot
        if isinstance(node.target, n.Index):
            array, key = self.array_of(node.target.base), self.key(node.target.subscripts)
            constant = self.constant_array(node.target.base)
            if constant is not None:
                only = constant

                def step_element_of(f: Frame) -> float:
                    subscript = key(f)
                    old = only[subscript]
                    if old.__class__ is not float:
                        old = to_number(old)
                    new = only[subscript] = old + amount
                    return new if prefix else old

                return step_element_of

            def step_element(f: Frame) -> float:
                held, subscript = array(f), key(f)
                old = held[subscript]
                if old.__class__ is not float:
                    old = to_number(old)
                new = held[subscript] = old + amount
                return new if prefix else old

            return step_element
        place, get, put = self.reference(node.target)

        def step(f: Frame) -> float:
            found = place(f)
            old = to_number(get(f, found))
            put(f, found, old + amount)
            return old + amount if prefix else old

        return step


def _operation(operator: str, where: str) -> Callable[[float, float], float]:
    def divide(left: float, right: float) -> float:
        if right == 0.0:
            raise AwkError("division by zero attempted in `/='", where)
        return left / right

    def modulo(left: float, right: float) -> float:
        if right == 0.0:
            raise AwkError("division by zero attempted in `%='", where)
        return remainder(left, right)

    return {
        "+": lambda left, right: left + right,
        "-": lambda left, right: left - right,
        "*": lambda left, right: left * right,
        "/": divide,
        "%": modulo,
        "^": power,
    }[operator]
