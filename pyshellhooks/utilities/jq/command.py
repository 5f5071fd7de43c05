"""The ``jq`` command: jq 1.8's options, messages and statuses.

Statuses: 0, 1 (``-e``: the last result is false or null), 2 (usage, files), 3 (the filter does not compile), 4 (``-e``:
no result), 5 (the input is not JSON, or an error in the filter), or the status that ``halt_error`` sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any

from ...command import Call, Direct, Flag, reason, utility
from ...errors import Stop
from ...text import encode
from .arguments import Arguments, Misuse, read_arguments
from .compiler.filters import results
from .compiler.program import get_program, make_env
from .errors import CompileError, Halt, InputError, JqError
from .fast_input import MISSED, Ahead
from .json.reading import END
from .printer import Printer, Unprintable
from .running import PATIENCE, PER_CHARACTER, Answered, Run, clean

if TYPE_CHECKING:
    from .inputs import Inputs
    from .libjq_race import Handover
    from .lines import Lines

OK, NOTHING, NO_OUTPUT = 0, -1, -4  # positive: the status with or without -e
_SYSTEM, _COMPILE, _UNKNOWN = 2, 3, 5
_MUCH = 4096  # buffered characters that may be many lines


class _End(Exception):
    """Ends the command with a status and a message."""

    def __init__(self, status: int, message: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message


_LISTED = (
    Flag("-n", "--null-input", help="run once, with null as the input"),
    Flag("-R", "--raw-input", help="each line is a string, not JSON"),
    Flag("-s", "--slurp", help="all inputs as one array (with -R: one string)"),
    Flag("-c", "--compact-output", help="one line a value"),
    Flag("-r", "--raw-output", help="write strings as they are"),
    Flag("--raw-output0", help="-r, and NUL after each value"),
    Flag("-j", "--join-output", help="-r, and nothing after a value"),
    Flag("-a", "--ascii-output", help="escape all non-ASCII characters"),
    Flag("-S", "--sort-keys", help="sort the keys of objects"),
    Flag("-C", "--color-output", help="color, also when not on a terminal"),
    Flag("-M", "--monochrome-output", help="no color"),
    Flag("--tab", help="indent with tabs"),
    Flag("--indent N", help="indent with N spaces, 0 to 7"),
    Flag("--unbuffered", help="write after each value"),
    Flag("--stream", help="inputs are the events of a streaming parse"),
    Flag("--stream-errors", help="--stream, and an error in the text is an event too"),
    Flag("--seq", help="values are separated by RS (RFC 7464)"),
    Flag("-f", "--from-file", help="the first operand names a file with the filter"),
    Flag("-L DIR", "--library-path DIR", help="look for modules in DIR"),
    Flag("--arg NAME TEXT", help="$NAME is a string"),
    Flag("--argjson NAME JSON", help="$NAME is a JSON value"),
    Flag("--slurpfile NAME FILE", help="$NAME is the array of the file's JSON values"),
    Flag("--rawfile NAME FILE", help="$NAME is the file's text"),
    Flag("--args", help="operands after the filter are strings"),
    Flag("--jsonargs", help="operands after the filter are JSON"),
    Flag("-e", "--exit-status", help="status 1 for a last value of false or null, 4 for none"),
    Flag("-b", "--binary", help="ignored"),
    Flag("-V", "--version", help="write the version"),
    Flag("--build-configuration", help="write the build configuration"),
    Flag("-h", "--help", help="write this"),
)
_CONFIGURATION = "pyshellhooks"
NO_VARIABLES: dict[str, Any] = {
    "ARGS": {"positional": [], "named": {}},
    "JQ_BUILD_CONFIGURATION": _CONFIGURATION,
}
_HINT = (
    "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs at https://jqlang.org\n"
)


def _direct(words: Sequence[str]) -> Direct | None:
    from .fast_path import make_direct

    return make_direct(words)


@utility(
    "jq",
    summary="Run a jq 1.8 filter on each JSON value of the files, or of standard input.",
    usage="[OPTION]... FILTER [FILE]...",
    flags=None,
    listed=_LISTED,
    usage_status=2,
    error_status=2,
    hears=False,
    direct=_direct,
)
def jq(call: Call) -> int:
    """Run jq; jq manual 1.8."""
    try:
        arguments = read_arguments(call.argv[1:])
    except Misuse as misuse:
        text = f"{misuse.message}\n"
        if misuse.hint:
            text += _HINT
        call.stderr.write(encode(text))
        return _SYSTEM
    if arguments.shows:
        call.out.write(
            {"help": jq.help(), "version": "jq-1.8.2\n"}.get(arguments.shows, f"{_CONFIGURATION}\n").encode()
        )
        return OK
    if arguments.raw_input:
        call.read_text()
    try:
        return _Command(call, arguments).run()
    except _End as end:
        call.out.flush()
        call.stderr.write(encode(end.message))
        return end.status
    except RecursionError:
        raise Stop("limit", "jq: out of stack") from None


class _Command:
    """One invocation of the command."""

    __slots__ = (
        "_ahead",
        "_arguments",
        "_call",
        "_env",
        "handover",
        "_has_read",
        "_lines",
        "_made",
        "_printer",
        "_run",
        "_text",
        "_named_variables",
        "item",
        "status",
    )

    def __init__(self, call: Call, arguments: Arguments) -> None:
        self._call = call
        self._arguments = arguments
        self._run = Run(call)
        self._run.search = arguments.search
        self.status = NO_OUTPUT
        self._printer = Printer(self._run, arguments)
        self._env: Any = None
        self._has_read = not arguments.null_input
        self._ahead: Ahead | None = None  # the first value was read ahead
        self._made: Inputs | None = None
        self.item: Any = END  # the evaluator's current input, while its evaluation can still be given up
        self.handover: Handover | None = None  # a worker may have the next input
        self._lines: Any = MISSED

    @property
    def _inputs(self) -> Inputs:
        """The inputs, opened at the first use; a value that was read ahead is skipped."""
        made = self._made
        if made is None:
            from .inputs import open_inputs

            arguments, ahead = self._arguments, self._ahead
            if ahead is not None:
                ahead.put_back()
            made = self._made = open_inputs(
                self._run,
                arguments.files,
                raw=arguments.raw_input,
                slurp=arguments.slurp,
                seq=arguments.seq,
                stream=arguments.stream,
                stream_errors=arguments.stream_errors,
            )
            if ahead is not None:
                made.next()
        return made

    # -- filter and variables

    def _filter_text(self) -> str:
        arguments = self._arguments
        if not arguments.from_file:
            if arguments.filter is None:
                return "."
            return clean(arguments.filter)
        if arguments.filter is None:
            from .command import jq as command

            raise _End(_SYSTEM, command.help())
        from .inputs import read_file

        try:
            data = read_file(self._call, arguments.filter)
        except OSError as error:
            raise _End(_SYSTEM, f"jq: Could not open {arguments.filter}: {reason(error)}\n") from None
        if b"\0" in data:
            raise _End(_SYSTEM, "jq: program file contains NUL bytes\n")
        return data.decode("utf-8", "replace")

    def _origin(self) -> str | None:
        """Return the directory of the filter's file, None if the filter is an operand."""
        arguments = self._arguments
        if not arguments.from_file or arguments.filter is None:
            return None
        return self._call.path(arguments.filter).rpartition("/")[0]

    def _variables(self) -> dict[str, Any]:
        arguments = self._arguments
        named: dict[str, Any] = {}
        for kind, name, text in arguments.named:
            if kind == "arg":
                value: Any = clean(text)
            elif kind == "argjson":
                value = self._json_argument(text, "--argjson")
            else:
                value = self._file_argument(kind, name, text)
            named[clean(name)] = value
        positional = [
            self._json_argument(text, "--jsonargs") if is_json else clean(text)
            for is_json, text in arguments.positional
        ]
        return {
            **named,
            "ARGS": {"positional": positional, "named": named},
            "JQ_BUILD_CONFIGURATION": named.get("JQ_BUILD_CONFIGURATION", _CONFIGURATION),
        }

    def _json_argument(self, text: str, option: str) -> Any:
        from .json.reader import read_values
        from .json.tokens import ParseError

        try:
            values = read_values(self._run, encode(text))
        except ParseError:
            values = []
        if len(values) != 1:
            raise _End(_SYSTEM, f"jq: invalid JSON text passed to {option}\n{_HINT}")
        return values[0]

    def _file_argument(self, kind: str, name: str, file: str) -> Any:
        from .inputs import read_file
        from .json.reader import read_values
        from .json.tokens import ParseError

        which = f"jq: Bad JSON in --{kind} {name} {file}: "
        try:
            data = read_file(self._call, file)
        except OSError as error:
            raise _End(_SYSTEM, f"{which}Could not open {file}: {reason(error)}\n") from None
        if kind == "rawfile":
            return data.decode("utf-8", "replace")
        try:
            return read_values(self._run, data)
        except ParseError as error:
            raise _End(_SYSTEM, f"{which}{error}\n") from None

    # -- running

    def run(self) -> int:
        """Compile the filter, run it on each input, and return the status."""
        arguments, run = self._arguments, self._run
        run.command = self
        if arguments.named or arguments.positional:
            variables = self._variables()
        else:
            variables = NO_VARIABLES
        self._text, self._named_variables = self._filter_text(), variables
        try:
            filter_ = get_program(run, self._text, tuple(variables), self._origin())
        except CompileError as error:
            raise _End(_COMPILE, f"{error}\n") from None
        self._env = make_env(variables.values())
        last: int | None = None
        try:
            if arguments.null_input:
                self._process(filter_, None)
            elif not (arguments.is_usual and self._process_first(filter_)):
                last = self._process_inputs(filter_)
        except InputError as error:
            self._report_failure(f"jq: parse error: {error}\n")
        except Halt as halt:
            self._call.out.flush()
            if halt.message is not None:
                self._call.stderr.write(halt.message)
            self.status = halt.status
        finally:
            if self.handover is not None:
                self.handover.close()
        if self._made is not None and self._made.failures:
            self.status = _SYSTEM
        return self._final(last)

    def _process_inputs(self, filter_: Any) -> int | None:
        """Run the filter on all inputs; return the status of the last one with a result, None without any."""
        last = self.status if self.status in (OK, NOTHING) else None
        inputs = self._inputs
        while not inputs.failures and (value := self._next_input()) is not END:
            self._process(filter_, value)
            if self.status in (OK, NOTHING):
                last = self.status
            text, start, at = inputs._window()
            if len(text) + start - at > _MUCH:
                last = self._process_lines(filter_, inputs, last)
        return last

    def _final(self, last: int | None) -> int:
        status = self.status
        if not self._arguments.exit_status:
            return max(0, status) & 255
        if status == NO_OUTPUT and last is not None:
            status = last
        return abs(status) & 255

    def _next_input(self) -> Any:
        """Return the next input of the main loop; with ``--seq`` invalid JSON is reported and skipped."""
        while True:
            try:
                return self._inputs.next()
            except InputError as error:
                if not self._arguments.seq:
                    raise
                self._write_stderr(f"jq: ignoring parse error: {error}\n")

    def _process_lines(self, filter_: Any, inputs: Inputs, last: int | None) -> int | None:
        """Run the filter on buffered lines of JSON, if they are; return the last status other than ``NO_OUTPUT``."""
        if self._lines is MISSED:
            from .lines import make_lines

            self._lines = make_lines(self._run, self._arguments, self._text, inputs)
        if self._lines is None:
            return last
        lines: Lines = self._lines
        lines.last = last
        try:
            lines.process(filter_, self._env)
        except Answered:
            self._pass_on(filter_, self.item)
            if self.status in (OK, NOTHING):
                return self.status
        return lines.last

    def _process_first(self, filter_: Any) -> bool:
        """Run the filter on the first value if the fast path can read it; return whether it was the whole input."""
        ahead = Ahead(self._call)
        value = ahead.value()
        if value is MISSED:
            ahead.put_back()
            return False
        self._ahead = ahead
        self._process(filter_, value)
        return self._made is None and ahead.is_all()

    # -- called by builtins

    def read(self) -> Any:
        """Return the next value for ``input``; a parse error is a ``JqError``, so that ``try`` can catch it."""
        self._has_read = True
        try:
            return self._inputs.next()
        except InputError as error:
            raise JqError(str(error)) from None

    def file(self) -> str | None:
        """Return the name of the current input file."""
        return self._inputs.file()

    def line(self) -> int:
        """Return the number of newlines read from the current input file."""
        return self._inputs.line()

    def spell(self, value: Any) -> str:
        """Render a value on one line, with the output options of the command line."""
        return self._printer.on_one_line(value)

    def _process(self, filter_: Any, value: Any) -> None:
        """Run the filter on one input and write the results."""
        self.status = NO_OUTPUT
        self._run.check()  # a filter with one result polls no deadline, and one piece may hold thousands of inputs
        if self.handover is not None and self.handover.advance(value, self._made):
            self._pass_on(filter_, value)
        else:
            self._evaluate(filter_, value)

    def _evaluate(self, filter_: Any, value: Any, passed_over: int = -1) -> None:
        """Evaluate the filter; skip ``passed_over`` results, those that a worker gave before it was lost."""
        run, write = self._run, self._printer.value
        self.item = value if passed_over < 0 else END  # a worker gets it only once
        passed_over = max(passed_over, 0)
        try:
            if filter_.one is not None and not passed_over:
                result = filter_.one(value, self._env, run)
                self.item = END
                write(result)
                self.status = NOTHING if result is None or result is False else OK
                return
            for number, result in enumerate(islice(results(filter_, value, self._env, run), passed_over, None)):
                self.item = END
                write(result)
                if not number & 127:
                    run.check()
                self.status = NOTHING if result is None or result is False else OK
            self.item = END
        except JqError as error:
            self.complain(error.value)
        except Unprintable:
            self.complain("Cannot dump a string containing NUL with --raw-output0 option")
        except Answered:
            self._pass_on(filter_, value)

    # -- a worker

    def look(self, spent: float) -> float:
        """Start or poll a worker after ``spent`` seconds of CPU time; return the CPU time of the next look."""
        if self.handover is None:
            if not getattr(self._call.start, "spawn_allowed", True):
                return inf
            if spent < (due := PATIENCE + self.size() * PER_CHARACTER):
                return due
            from .libjq_race import Handover

            self.handover = Handover(self._run, self._arguments, self._text, self._named_variables)
        return self.handover.look(spent, self.item, self._made)

    def size(self) -> int:
        """Return the number of input characters that were parsed so far."""
        return 0 if self._made is None else self._made._window()[2]

    def _pass_on(self, filter_: Any, value: Any) -> None:
        """Write the worker's results; evaluate the results that it can't give."""
        self.item = END
        assert self.handover is not None
        if not self.handover.pass_on(self):
            self._evaluate(filter_, value, self.handover.written)

    def write(self, value: Any) -> None:
        """Write a result."""
        self._printer.value(value)
        self.status = NOTHING if value is None or value is False else OK

    def write_text(self, text: bytes) -> None:
        """Write a result that is already rendered for output."""
        self._call.out.write(text if self._arguments.join else text + b"\n")
        self.status = NOTHING if text in (b"null", b"false") else OK

    def complain(self, value: Any) -> None:
        """Report an error of the filter on stderr."""
        self.item = END
        position = self._inputs.position() if self._has_read else "<unknown>"
        if type(value) is str:
            self._report_failure(f"jq: error (at {position}): {value.partition(chr(0))[0]}\n")
        else:
            from .json.writer import compact

            self._report_failure(f"jq: error (at {position}) (not a string): {compact(self._run, value)}\n")

    def _report_failure(self, message: str) -> None:
        self._write_stderr(message)
        self.status = _UNKNOWN

    def _write_stderr(self, message: str) -> None:
        self._call.out.flush()
        self._call.stderr.write(encode(message))
