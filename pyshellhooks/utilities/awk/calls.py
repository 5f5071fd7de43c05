"""Compiler of function calls and of the eight forms of ``getline``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import Stop
from . import nodes as n
from .frames import LEVELS_BETWEEN_LOOKS, are_short, on_fresh_stack
from .lexer import BUILTINS
from .library import Library
from .ordering import Compare
from .values import UNSET, AwkError, Value, from_input, to_number

Frame = Any
Run = Callable[[Frame], Any]

# Results of statements that jump; None continues with the next statement.
BREAK, CONTINUE, NEXT, NEXT_FILE, EXIT, RETURN = range(1, 7)
JUMPS = {"break": BREAK, "continue": CONTINUE, "next": NEXT, "nextfile": NEXT_FILE}


class JumpError(Exception):
    """``next``, ``nextfile`` or ``exit`` inside a function."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Compiled:
    """A compiled function. Its body is set once all functions are known, since they may call each other."""

    __slots__ = ("body", "name", "padding", "parameters")

    def __init__(self, node: n.Function) -> None:
        self.name = node.name
        self.parameters = node.parameters
        self.body: Run = lambda f: None
        self.padding = [UNSET] * (len(node.parameters) + 1)  # unset parameters, and the return value


class Calls(Library):
    """Compiler of calls."""

    functions: dict[str, Compiled]
    rule: str  # the kind of the running rule
    statement: Callable[[n.Stmt], Run]

    def function_bodies(self) -> None:
        """Compile the functions of the program."""
        self.functions = {name: Compiled(node) for name, node in self.program.functions.items()}
        for name, node in self.program.functions.items():
            self.function = name
            self.parameters = {parameter: place for place, parameter in enumerate(node.parameters)}
            self.functions[name].body = self.statement(node.body)
        self.function = ""
        self.parameters = {}

    def invoke(self, called: Compiled, frame: list[Value]) -> Value:
        """Run a function in its frame."""
        runtime = self.runtime
        depth = runtime.depth = runtime.depth + 1
        try:
            if depth > runtime.call.limits.call_depth:
                raise Stop("limit", f"calls of awk nested deeper than {runtime.call.limits.call_depth}", "call_depth")
            if runtime.call.scope.stop is not None:
                runtime.call.scope.check()
            body = called.body
            if depth % LEVELS_BETWEEN_LOOKS == 0 and are_short():
                code = on_fresh_stack(lambda: body(frame))
            else:
                code = body(frame)
        finally:
            runtime.depth = depth - 1
        if code is not None and code != RETURN:
            # next and exit in a function end the rule that called it.
            raise JumpError(code)
        return frame[-1]

    def call(self, node: n.Call) -> Callable[[Frame], Value]:
        if node.indirect:
            return self._indirect(node)
        called = self.functions.get(node.name)
        if called is None:
            if node.name in self.parameters or node.name in self.usage.names:
                raise AwkError(f"attempt to use non-function `{node.name}' in function call", node.where, "error")
            raise AwkError(f"function `{node.name}' not defined", node.where)
        arguments = self._arguments(node, called)
        count, padding, invoke = len(called.parameters), called.padding, self.invoke
        if len(arguments) > count:
            self.warn(node.where, f"function `{node.name}' called with more arguments than declared")
        missing = padding[min(len(arguments), count) :]  # the function's local variables

        def call(f: Frame) -> Value:
            return invoke(called, [argument(f) for argument in arguments][:count] + missing)

        return call

    def _arguments(self, node: n.Call, called: Compiled) -> list[Callable[[Frame], Value]]:
        out: list[Callable[[Frame], Value]] = []
        for place, argument in enumerate(node.arguments):
            is_array = place < len(called.parameters) and self.usage.is_array(called.name, called.parameters[place])
            while isinstance(argument, n.Group):
                argument = argument.inner
            if is_array and isinstance(argument, n.Name | n.Index):
                # An unset variable becomes an array in the caller; the called function reports a scalar as an error.
                out.append(self.array_or_value(argument))
            elif isinstance(argument, n.Name | n.Index):
                out.append(self.raw(argument))
            else:
                out.append(self.value(argument))
        return out

    def _indirect(self, node: n.Call) -> Callable[[Frame], Value]:
        name = self.text(n.Name(node.where, node.name))
        raws = [self.raw(argument) for argument in node.arguments]
        functions, invoke, builtin = self.functions, self.invoke, self._indirect_builtin(node)
        where = node.where

        def indirect(f: Frame) -> Value:
            wanted = name(f).decode("utf-8", "replace")
            called = functions.get(wanted)
            if called is None:
                return builtin(wanted)(f)
            count = len(called.parameters)
            if len(raws) > count:
                self.warn(where, f"function `{wanted}' called with more arguments than declared")
            return invoke(called, [raw(f) for raw in raws][:count] + called.padding[min(len(raws), count) :])

        return indirect

    def _indirect_builtin(self, node: n.Call) -> Callable[[str], Callable[[Frame], Value]]:
        """Return a function that compiles the call for the name of a built-in function."""
        compiled: dict[str, Callable[[Frame], Value]] = {}
        place = self.function, self.parameters
        # An argument that is a regular expression is matched against the record before such a call (gawk).
        arguments: list[n.Expr] = [
            n.Unary(node.where, "+", item) if isinstance(item, n.Regex) else item for item in node.arguments
        ]

        def builtin(name: str) -> Callable[[Frame], Value]:
            found = compiled.get(name)
            if found is not None:
                return found
            if name not in BUILTINS:
                raise AwkError(f"`{name}' is not a function, so it cannot be called indirectly", node.where)
            count, (least, most) = len(node.arguments), BUILTINS[name]
            if name in ("sub", "gsub") and count != 2:
                raise AwkError(f"{name}: can be called indirectly only with two arguments", node.where)
            if not least <= count <= most or (name == "length" and not count):
                raise AwkError(f"{name}: called with {count} arguments", node.where)
            outer, (self.function, self.parameters) = (self.function, self.parameters), place
            try:
                found = compiled[name] = self.value(n.Builtin(node.where, name, arguments))
            finally:
                self.function, self.parameters = outer
            return found

        return builtin

    def compare_function(self, name: str) -> Compare:
        called = self.functions.get(name)
        if called is None:
            raise AwkError(f"sort comparison function `{name}' is not defined")
        count = len(called.parameters)

        def compare(key: bytes, value: Value, other_key: bytes, other: Value) -> float:
            frame = [key, value, other_key, other][:count]
            return to_number(self.invoke(called, frame + called.padding[len(frame) :]))

        return compare

    # getline

    def getline(self, node: n.Getline) -> Callable[[Frame], float]:
        runtime = self.runtime
        # The place of the target is found before the record is read (gawk).
        target = None if node.target is None else self.reference(node.target)
        if node.source is None:

            def from_main(f: Frame) -> float:
                if self.rule in ("BEGINFILE", "ENDFILE"):
                    raise AwkError(f"non-redirected `getline' invalid inside `{self.rule}' rule")
                place = None if target is None else target[0](f)
                record = runtime.getline()
                if record is None:
                    return 0.0
                runtime.nr += 1.0
                runtime.fnr += 1.0
                if target is None:
                    runtime.take(record)
                else:
                    target[2](f, place, from_input(record))
                return 1.0

            return from_main
        source, kind = self.text(node.source), node.kind
        if runtime.call.opts.sandbox:
            raise AwkError("redirection not allowed in sandbox mode", node.where)

        def redirected(f: Frame) -> float:
            name = source(f)
            place = None if target is None else target[0](f)
            try:
                record = runtime.channels.input(name, kind).next()
            except OSError as error:
                runtime.failed(error)
                if isinstance(error, TimeoutError) and runtime.may_retry(name):
                    return -2.0
                return -1.0
            if record is None:
                return 0.0
            if target is None:
                runtime.take(record)
            else:
                target[2](f, place, from_input(record))
            return 1.0

        return redirected
