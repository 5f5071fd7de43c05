"""Compiler from statements to closures, which return None or the code of a jump."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...command import reason
from . import nodes as n
from .calls import BREAK, CONTINUE, EXIT, JUMPS, RETURN, Calls, Frame
from .formatting import to_integer
from .operators import comparable
from .ordering import ordered
from .traversal import traversal
from .values import UNSET, AwkError, whole_text

Run = Callable[[Frame], Any]


def located(where: str, run: Run) -> Run:
    """Return a closure that adds a position to errors without one."""

    def at_place(f: Frame) -> Any:
        try:
            return run(f)
        except AwkError as error:
            raise error.at(where) from None

    return at_place


class Statements(Calls):
    """Compiler of statements, with one method for each kind of node."""

    def statement(self, node: n.Stmt) -> Run:
        if isinstance(node, n.Block):
            return self.block(node.body)
        if isinstance(node, n.Simple):
            return self._simple(node)
        if isinstance(node, n.Print):
            return self._print(node)
        if isinstance(node, n.If):
            return self._if(node)
        if isinstance(node, n.Loop):
            return self._loop(node)
        if isinstance(node, n.ForIn):
            return located(node.where, self._for_in(node))
        if isinstance(node, n.Switch):
            return located(node.where, self._switch(node))
        if isinstance(node, n.Delete):
            return located(node.where, self._delete(node))
        return self._jump(node)

    def block(self, body: list[n.Stmt]) -> Run:
        """Compile a sequence of statements."""
        steps: list[Run] = []
        plain: list[n.Simple] = []
        for node in body:
            if isinstance(node, n.Simple):
                plain.append(node)
                continue
            if plain:
                steps.append(self._row(plain))
                plain = []
            steps.append(self.statement(node))
        if plain:
            steps.append(self._row(plain))
        if not steps:
            return lambda f: None
        if len(steps) == 1:
            return steps[0]
        if len(steps) == 2:
            first, second = steps

            def two(f: Frame) -> Any:
                return first(f) or second(f)

            return two

        def several(f: Frame) -> Any:
            for step in steps:
                code = step(f)
                if code is not None:
                    return code
            return None

        return several

    def _row(self, nodes: list[n.Simple]) -> Run:
        """Compile a sequence of expression statements to one closure."""
        if len(nodes) == 1:
            return self._simple(nodes[0])
        # One try for all of them: the position of an error is looked up only if there is one.
        values = [self.value(node.value) for node in nodes]
        places = dict(zip(values, [node.where for node in nodes], strict=True))

        def row(f: Frame) -> None:
            value = values[0]
            try:
                for value in values:
                    value(f)
            except AwkError as error:
                raise error.at(places[value]) from None

        return row

    def _simple(self, node: n.Simple) -> Run:
        value, where = self.value(node.value), node.where

        def simple(f: Frame) -> None:
            try:
                value(f)
            except AwkError as error:
                raise error.at(where) from None

        return simple

    # Output

    def _printable(self, node: n.Expr) -> Callable[[Frame], bytes]:
        """Return the closure for the text that ``print`` writes for an expression: numbers are formatted with OFMT."""
        kind = self.kind(node)
        if kind == "text" or isinstance(node, n.Field):
            return self.text(node)
        runtime, formatter = self.runtime, self.runtime.formatter
        if kind in ("number", "test"):
            number = self.number(node)

            def of_number(f: Frame) -> bytes:
                found = number(f)
                return whole_text(found) or formatter.number(found, runtime.ofmt)

            return of_number
        value, convert = self.value(node), runtime.convert

        def of_any(f: Frame) -> bytes:
            found = value(f)
            if found.__class__ is bytes:
                return found
            if found.__class__ is float:
                return formatter.number(found, runtime.ofmt)
            return convert(found)

        return of_any

    def _print(self, node: n.Print) -> Run:
        runtime = self.runtime
        made: Callable[[Frame], bytes]
        if node.formatted and not node.arguments:
            return self._without_format(node.where)
        if node.formatted:
            form, values = self.text(node.arguments[0]), [self.value(item) for item in node.arguments[1:]]
            make = runtime.formatter.format

            def formatted(f: Frame) -> bytes:
                return make(form(f), [value(f) for value in values])

            made = formatted
        else:
            made = self._print_line(node.arguments)
        if node.target is None:
            write, where = runtime.call.out.write, node.where

            def to_stdout(f: Frame) -> None:
                try:
                    write(made(f))
                except AwkError as error:
                    raise error.at(where) from None

            return to_stdout
        if runtime.call.opts.sandbox:
            raise AwkError("redirection not allowed in sandbox mode", node.where)
        name, operator, where = self.text(node.target), node.redirection, node.where
        shown = "printf" if node.formatted else "print"

        def redirected(f: Frame) -> None:
            data = made(f)
            target = name(f)
            try:
                runtime.channels.output(target, operator).write(data)
            except OSError as error:
                if runtime.channels.may_fail(target):
                    runtime.failed(error)
                    return
                text = target.decode("utf-8", "replace")
                why = "reason unknown" if operator == "|&" else reason(error)
                raise AwkError(f'{shown} to "{text}" failed: {why}', where) from None

        return located(where, redirected)

    @staticmethod
    def _without_format(where: str) -> Run:
        def fail(f: Frame) -> Any:
            raise AwkError("printf: no arguments", where)

        return fail

    def _print_line(self, arguments: list[n.Expr]) -> Callable[[Frame], bytes]:
        runtime = self.runtime
        texts = [self._printable(item) for item in arguments]
        if not texts:
            return lambda f: runtime.record() + runtime.ors
        if len(texts) == 1:
            text = texts[0]
            return lambda f: text(f) + runtime.ors
        return lambda f: runtime.ofs.join([text(f) for text in texts]) + runtime.ors

    # Control

    def _if(self, node: n.If) -> Run:
        test, yes, where = self.test(node.test), self.statement(node.yes), node.where
        no = self.statement(node.no) if node.no is not None else None

        def choose(f: Frame) -> Any:
            try:
                wanted = test(f)
            except AwkError as error:
                raise error.at(where) from None
            if wanted:
                return yes(f)
            return no(f) if no is not None else None

        return choose

    def _loop(self, node: n.Loop) -> Run:
        first = self.statement(node.first) if node.first is not None else None
        test = self.test(node.test) if node.test is not None else (lambda f: True)
        step: Run | None = None
        if isinstance(node.step, n.Simple) and node.step.where == node.where:
            step = self.value(node.step.value)  # the loop itself adds the position to errors
        elif node.step is not None:
            step = self.statement(node.step)
        body, scope, late = self.statement(node.body), self.runtime.call.scope, node.late

        def loop(f: Frame) -> Any:
            if first is not None:
                first(f)
            if late:
                code = body(f)
                if code is not None and code != CONTINUE:
                    return None if code == BREAK else code
            while test(f):
                if scope.stop is not None:
                    scope.check()
                code = body(f)
                if code is not None and code != CONTINUE:
                    return None if code == BREAK else code
                if step is not None:
                    step(f)
            return None

        return located(node.where, loop)

    def _for_in(self, node: n.ForIn) -> Run:
        array, put, body = self.array_of(node.array), self.setter(node.target), self.statement(node.body)
        runtime, scope = self.runtime, self.runtime.call.scope
        about = runtime.array("PROCINFO")

        def for_in(f: Frame) -> Any:
            held = array(f)
            how = about.get(b"sorted_in", UNSET)
            if how is UNSET:
                keys = traversal(held)  # a copy: the body may add and delete elements
            else:
                keys = [key for key, _ in ordered(runtime, held, runtime.convert(how), self.compare_function)]
            for key in keys:
                if scope.stop is not None:
                    scope.check()
                put(f, key)
                code = body(f)
                if code is not None and code != CONTINUE:
                    return None if code == BREAK else code
            return None

        return for_in

    def _switch(self, node: n.Switch) -> Run:
        value = self.value(node.value)
        labels: list[tuple[Callable[[Frame, Any], bool], int]] = []
        default = len(node.cases)
        for place, (label, _) in enumerate(node.cases):
            if label is None:
                default = place
            else:
                labels.append((self._case(label), place))
        # A case continues with the next one, as in C.
        bodies = [self.block(block.body) for _, block in node.cases]

        def switch(f: Frame) -> Any:
            subject = value(f)
            start = next((place for matches, place in labels if matches(f, subject)), default)
            for body in bodies[start:]:
                code = body(f)
                if code is not None:
                    return None if code == BREAK else code
            return None

        return switch

    def _case(self, label: n.Label) -> Callable[[Frame, Any], bool]:
        """Return a function that tests a value against a label: with == or, for a regular expression, by matching."""
        convert, scope = self.runtime.convert, self.runtime.call.scope
        if isinstance(label, n.Regex):
            regex = self.regex_of(label)
            return lambda f, subject: regex(f).test(convert(subject), scope=scope)
        value, runtime = label.value, self.runtime

        def equals(f: Frame, subject: Any) -> bool:
            one, other = comparable(subject, value, runtime)
            return bool(one == other)

        return equals

    def _delete(self, node: n.Delete) -> Run:
        array = self.array_of(node.array)
        if node.subscripts is None:
            return lambda f: array(f).clear()
        key = self.key(node.subscripts)

        def delete(f: Frame) -> None:
            wanted = key(f)
            array(f).pop(wanted, None)

        return delete

    def _jump(self, node: n.Jump) -> Run:
        kind = node.kind
        if kind == "exit":
            return located(node.where, self._exit(node))
        if kind == "return":
            if node.value is None:
                return lambda f: RETURN
            value = self.value(node.value)

            def give(f: Frame) -> int:
                f[-1] = value(f)
                return RETURN

            return located(node.where, give)
        code = JUMPS[kind]
        if kind in ("next", "nextfile") and self.function:
            return located(node.where, lambda f: self._checked_next(code, kind))
        return lambda f: code

    def _checked_next(self, code: int, kind: str) -> int:
        # BEGINFILE and ENDFILE allow nextfile, but no next (gawk manual 7.1.4).
        in_special_rule = self.rule in ("BEGIN", "END")
        if in_special_rule or (self.rule and kind == "next"):
            raise AwkError(f"`{kind}' cannot be called from a `{self.rule}' rule")
        return code

    def _exit(self, node: n.Jump) -> Run:
        runtime = self.runtime
        value = self.number(node.value) if node.value is not None else None

        def leave(f: Frame) -> int:
            if value is not None:
                runtime.exit_status = to_integer(value(f)) & 255
            return EXIT

        return leave
