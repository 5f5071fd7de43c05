"""The run of a program: BEGIN, the operands record by record, END (POSIX XCU awk, "Overall Program Structure")."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ...command import Call, reason
from ...errors import Stop
from ...text import decode, encode, paced
from . import nodes as n
from .analysis import Usage
from .calls import EXIT, NEXT, NEXT_FILE, JumpError
from .channels import Channels
from .frames import roomy
from .inplace import InPlace
from .lexer import unescape
from .reader import Reader
from .runtime import Runtime
from .statements import Statements, located
from .symbols import provide
from .values import UNSET, Array, AwkError, from_input, to_number

Run = Callable[[Any], Any]


def assignment(text: str) -> tuple[str, str] | None:
    """Return the name and the value of an operand ``name=value``, or None if it is not an assignment."""
    name, equals, value = text.partition("=")
    if not equals or not _is_name(name):
        return None
    return name, value


def _is_name(text: str) -> bool:
    """Return whether a text is a name of the language, which has only ASCII letters."""
    if not text or not text.isascii() or text[0].isdigit():
        return False
    return text.replace("_", "a").isalnum()


class Execution:
    """One run of a program over its operands."""

    def __init__(self, call: Call, program: n.Program, operands: list[str], in_place: bool = False) -> None:
        self._call = call
        self._program = program
        runtime = self.runtime = Runtime(call)
        runtime.channels = Channels(runtime)
        runtime.getline = self._next_record
        arguments = runtime.array("ARGV")
        arguments[b"0"] = encode(call.name)
        for number, operand in enumerate(paced(operands), 1):
            arguments[b"%d" % number] = from_input(encode(operand))
        runtime.assign("ARGC", float(len(operands) + 1))
        self._operand = 1  # index of the next operand in ARGV
        self._assigning = "exec" not in call.opts
        self._permitted = frozenset(operands) if call.opts.sandbox else None
        self._named = False  # an operand was a file
        self._reader: Reader | None = None
        self._over = False
        self._in_place = InPlace(runtime) if in_place else None
        self._files: dict[str, list[Run]] = {"BEGINFILE": [], "ENDFILE": []}

    def set_variable(self, name: str, text: str, where: str = "") -> None:
        """Assign a variable from the command line: escapes are replaced, and a numeric text becomes a number."""
        if name in self._program.functions:
            raise AwkError(f"cannot use function `{name}' as variable name")
        warnings: list[str] = []
        value = from_input(unescape(text, warnings))
        for warning in warnings:
            self._call.error(f"{where}warning: {warning}")
        self.runtime.assign(name, value)

    def run(self) -> int:
        """Compile and run the program; return the exit status."""
        runtime = self.runtime
        try:
            roomy(self._run_whole)
        except BrokenPipeError:
            runtime.channels.abandon()
            raise
        except RecursionError:
            runtime.channels.abandon()
            raise Stop("limit", "the awk program nests deeper than the stack") from None
        except AwkError as error:
            happened_in_record = runtime.fnr and error.where
            if happened_in_record and error.kind == "fatal":
                shown = decode(runtime.convert(runtime.slots[runtime.names["FILENAME"]]))
                error.record = f"(FILENAME={shown} FNR={int(runtime.fnr)}) "
            self._finish(abandoned=True)
            raise
        except BaseException:
            runtime.channels.abandon()
            self._close_reader()
            raise
        return runtime.exit_status

    def _finish(self, abandoned: bool = False) -> None:
        self._close_reader()
        if abandoned:
            self._call.out.flush()
            with suppress(OSError):
                self.runtime.channels.close_outputs()
            self.runtime.channels.abandon()
        else:
            try:
                self._call.out.flush()
            except BrokenPipeError:
                raise
            except OSError as error:  # sets the exit status only if it is 0 (gawk)
                self._call.error(f"warning: error writing standard output: {reason(error)}")
                self.runtime.exit_status = self.runtime.exit_status or 1
            self.runtime.channels.close_all()

    def _close_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()

    def _run_whole(self) -> None:
        try:
            self._run()
        finally:
            if self._in_place is not None:
                self._in_place.abandon()  # only after an error: finish() has completed the other files

    def _run(self) -> None:
        usage = Usage(self._program)
        self.runtime.environ_used = "ENVIRON" in usage.names
        self.runtime.split_only(usage.fields)
        provide(self.runtime, self._program, usage)
        compiler = self._compiler = Statements(self.runtime, self._program, usage)
        compiler.rule = ""
        compiler.function_bodies()
        begin: list[Run] = []
        end: list[Run] = []
        records: list[Run] = []
        kinds = {"": records, "BEGIN": begin, "END": end, **self._files}
        for rule in self._program.rules:
            if rule.body is not None:
                body = compiler.statement(rule.body)
            else:
                body = self._print_record
            kinds[rule.kind].append(self._rule(rule, body))
        for warning in self._program.warnings:
            self._call.error(warning)
        left = self._run_all(begin, "BEGIN") == EXIT
        # POSIX XCU awk: a program with only BEGIN does not read its input.
        has_file_rules = self._files["BEGINFILE"] or self._files["ENDFILE"]
        reads_input = records or end or has_file_rules
        if reads_input and not left:
            left = self._run_records(records) == EXIT
        if self._in_place is not None:
            self._in_place.finish()
        if end:
            # exit in BEGIN or in a rule continues with END; exit in END ends the program.
            self._run_all(end, "END")
        self._finish()

    def _print_record(self, f: Any) -> None:
        runtime = self.runtime
        self._call.out.write(runtime.record() + runtime.ors)

    def _rule(self, rule: n.Rule, body: Run) -> Run:
        if rule.first is None:
            return body
        test, where = self._compiler.test(rule.first), rule.where
        if rule.last is None:

            def guarded(f: Any) -> Any:
                try:
                    wanted = test(f)
                except AwkError as error:
                    raise error.at(where) from None
                return body(f) if wanted else None

            return guarded
        first = located(rule.where, test)
        last = located(rule.where, self._compiler.test(rule.last))
        inside = False

        def ranged(f: Any) -> Any:
            nonlocal inside
            if not inside and not first(f):
                return None
            inside = not last(f)
            return body(f)

        return ranged

    def _run_all(self, rules: list[Run], kind: str) -> int:
        outer, self._compiler.rule = self._compiler.rule, kind
        code = 0
        try:
            for rule in rules:
                code = rule(None) or 0
                if code:
                    break
        except JumpError as jump:
            code = jump.code
        self._compiler.rule = outer
        return code

    def _run_records(self, rules: list[Run]) -> int:
        """Run the rules on each record; return the code of a jump, 0 at the end of the input."""
        try:
            return self._loop(rules)
        except JumpError as jump:
            return jump.code

    def _loop(self, rules: list[Run]) -> int:
        runtime, scope = self.runtime, self._call.scope
        one = rules[0] if len(rules) == 1 else None
        while True:
            if scope.stop is not None:
                scope.check()
            reader = self._reader
            record: bytes | None
            # The records of a block are cut at once; they are valid until the program sets RS.
            if reader is not None and reader.queue and runtime.rs is reader.cut_at:
                record = reader.queue.pop()
            else:
                record = self._next_record()
                if record is None:
                    return 0
            runtime.nr += 1.0
            runtime.fnr += 1.0
            runtime.take(record)
            code: Any = None
            try:
                if one is not None:
                    code = one(None)
                else:
                    for rule in rules:
                        code = rule(None)
                        if code is not None:
                            break
            except JumpError as jump:
                code = jump.code
            if code is not None and code != NEXT:
                if code == EXIT:
                    return EXIT
                if code == NEXT_FILE and self._end_file() == EXIT:
                    return EXIT

    # The operands

    def _next_record(self) -> bytes | None:
        """Return the next record of the main input, or None at its end."""
        while True:
            reader = self._reader
            if reader is not None:
                try:
                    record = reader.next()
                except OSError as error:
                    self._fail_reading(error)
                    continue
                if record is not None:
                    return record
                if self._end_file() == EXIT:
                    self._leave()
            if self._over or not self._open_next():
                self._over = True
                return None

    def _leave(self) -> None:
        raise JumpError(EXIT)

    def _fail_reading(self, error: OSError) -> None:
        name = decode(self.runtime.convert(self.runtime.slots[self.runtime.names["FILENAME"]]))
        self._close_reader()
        if reason(error) == "Is a directory":
            self._call.error(f"warning: command line argument `{name}' is a directory: skipped")
            return
        raise AwkError(f"error reading input file `{name}': {reason(error)}", self._place())

    def _end_file(self) -> int:
        if self._reader is None:
            return 0
        code = self._run_all(self._files["ENDFILE"], "ENDFILE")
        self._close_reader()
        return code

    def _open_next(self) -> bool:
        runtime = self.runtime
        arguments = runtime.array("ARGV")
        while True:
            if self._operand >= to_number(runtime.slots[runtime.names["ARGC"]]):
                if self._named:
                    return False
                self._named = True
                return self._open("-", 0)
            key = b"%d" % self._operand
            self._operand += 1
            value = arguments.get(key, UNSET)
            operand = "" if value.__class__ is Array else decode(runtime.convert(value))
            if not operand:
                continue
            assigned = assignment(operand) if self._assigning else None
            if assigned is not None:
                self.set_variable(*assigned)
                continue
            if self._permitted is not None and operand not in self._permitted:
                raise AwkError(f"cannot add a new file ({operand}) to ARGV in sandbox mode", self._place())
            self._named = True
            if self._open(operand, self._operand - 1):
                return True

    def _open(self, name: str, place: int) -> bool:
        """Open an operand for reading; return False if it is skipped. ``place``: its index in ARGV."""
        runtime = self.runtime
        runtime.assign("FILENAME", encode(name))
        runtime.assign("ARGIND", float(place))
        runtime.fnr = 0.0
        problem: OSError | None = None
        try:
            if name in ("-", "/dev/stdin"):
                stream = self._call.stdin.retain()
            else:
                stream = self._call.open(name)
            self._reader = Reader(runtime, stream, encode(name))
        except OSError as error:
            problem = error
        if self._in_place is not None:
            self._in_place.begin(name)
        if self._files["BEGINFILE"]:
            if problem is None:
                runtime.set_errno(b"", 0)
            else:
                runtime.failed(problem)
            code = self._run_all(self._files["BEGINFILE"], "BEGINFILE")
            if code == EXIT:
                self._leave()
            if code == NEXT_FILE:
                self._close_reader()
                return False
        if problem is None:
            return True
        if reason(problem) == "Is a directory":
            self._call.error(f"warning: command line argument `{name}' is a directory: skipped")
            return False
        raise AwkError(f"cannot open file `{name}' for reading: {reason(problem)}", self._place())

    def _place(self) -> str:
        """Return the position of the last rule that can have run, or an empty string, for messages."""
        kinds = ("",) if self.runtime.nr else ("BEGIN", "BEGINFILE")
        return next((rule.where for rule in reversed(self._program.rules) if rule.kind in kinds), "")
