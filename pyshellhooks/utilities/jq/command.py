"""The ``jq`` command: jq 1.8's options, messages and statuses around libjq.

Statuses: 0, 1 (``-e``: false or null came last), 2 (usage, files), 3 (the filter does not compile), 4 (``-e``: no
result), 5 (the input is no JSON, or an error in the filter), or what ``halt_error`` says.
"""

from __future__ import annotations

from json import JSONEncoder
from math import inf
from typing import TYPE_CHECKING

from ...command import Call, Flag, reason, utility
from ...errors import Stop
from ...text import encode
from .arguments import Arguments, Misuse, read_arguments
from .engine import Engine, Halt
from .old_inputs import InputError, JsonInputs, LineInputs, read_file, shallow
from .output import Decline, compact, spell, unspell
from .printer import Printer, Unprintable
from .program import CompileError, Program, cut_here, get_program

if TYPE_CHECKING:
    from .paths import Path

_OK, _NOTHING, _NO_OUTPUT = 0, -1, -4  # positive: a status whatever -e says
_SYSTEM, _COMPILE, _UNKNOWN = 2, 3, 5
_dump = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class _End(Exception):
    """Nothing more to do; with the status."""

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
    Flag("-a", "--ascii-output", help="escape all that is not ASCII"),
    Flag("-S", "--sort-keys", help="sort the keys of objects"),
    Flag("-C", "--color-output", help="color, also when not on a terminal"),
    Flag("-M", "--monochrome-output", help="no color"),
    Flag("--tab", help="indent with tabs"),
    Flag("--indent N", help="indent with N spaces, 0 to 7"),
    Flag("--unbuffered", help="write after each value"),
    Flag("--stream", help="inputs are the events of a streaming parse"),
    Flag("--seq", help="values are separated by RS (RFC 7464)"),
    Flag("-f", "--from-file", help="the first operand names a file with the filter"),
    Flag("--arg NAME TEXT", help="$NAME is a string"),
    Flag("--argjson NAME JSON", help="$NAME is a JSON value"),
    Flag("--slurpfile NAME FILE", help="$NAME is the array of the file's JSON values"),
    Flag("--rawfile NAME FILE", help="$NAME is the file's text"),
    Flag("--args", help="operands after the filter are strings"),
    Flag("--jsonargs", help="operands after the filter are JSON"),
    Flag("-e", "--exit-status", help="status 1 for a last value of false or null, 4 for none"),
    Flag("-b", "--binary", help="ignored"),
    Flag("-V", "--version", help="write the version"),
    Flag("-h", "--help", help="write this"),
)


@utility(
    "jq",
    summary="Run a jq 1.8 filter on each JSON value of the files, or of standard input.",
    usage="[OPTION]... FILTER [FILE]...",
    flags=None,
    listed=_LISTED,
    usage_status=2,
    error_status=2,
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
    if arguments.help or arguments.version:
        call.out.write(jq.help().encode() if arguments.help else b"jq-1.8.2\n")
        return _OK
    try:
        return _Run(call, arguments).run()
    except _End as end:
        call.out.flush()
        call.stderr.write(encode(end.message))
        return end.status


_HINT = (
    "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs at https://jqlang.org\n"
)


class _Run:
    """One run of jq."""

    __slots__ = (
        "arguments",
        "call",
        "engine",
        "has_read",
        "inputs",
        "named",
        "path",
        "positional",
        "printer",
        "program",
        "status",
    )

    def __init__(self, call: Call, arguments: Arguments) -> None:
        self.call = call
        self.arguments = arguments
        self.named: dict[str, str] = {}
        self.positional: list[str] = []
        if arguments.named or arguments.positional:
            self._read_values()
        text = self._read_filter()
        names = tuple(name for name in self.named if name.isidentifier() and name.isascii())
        self.program: Program = get_program(text, names)
        self.printer = Printer(call, arguments)
        self.status = _NO_OUTPUT
        self.has_read = not arguments.null_input
        files = arguments.files
        inputs = LineInputs if arguments.raw_input else JsonInputs
        self.inputs: JsonInputs | LineInputs = inputs(call, files, cut_here)
        if isinstance(self.inputs, JsonInputs):
            self.inputs.separated = arguments.seq
        self.engine: Engine | None = None
        self.path: Path | None = self.program.path()

    # -- what is given

    def _read_filter(self) -> str:
        arguments = self.arguments
        if not arguments.from_file:
            return "." if arguments.filter is None else _text(arguments.filter)
        if arguments.filter is None:
            raise _End(_SYSTEM, jq.help())
        try:
            data = read_file(self.call, arguments.filter)
        except OSError as error:
            raise _End(_SYSTEM, f"jq: Could not open {arguments.filter}: {reason(error)}\n") from None
        if b"\0" in data:
            raise _End(_SYSTEM, "jq: program file contains NUL bytes\n")
        return data.decode("utf-8", "replace")

    def _read_values(self) -> None:
        for kind, name, text in self.arguments.named:
            if kind == "arg":
                value = spell(_text(text))
            elif kind == "argjson":
                value = self._json_argument(text, "--argjson")
            else:
                value = self._file_argument(kind, name, text)
            self.named[_text(name)] = value
        for is_json, text in self.arguments.positional:
            self.positional.append(self._json_argument(text, "--jsonargs") if is_json else spell(_text(text)))

    def _json_argument(self, text: str, option: str) -> str:
        try:
            values = list(cut_here(shallow(_text(text))))
        except ValueError:
            values = []
        if len(values) != 1:
            raise _End(_SYSTEM, f"jq: invalid JSON text passed to {option}\n{_HINT}")
        return values[0]

    def _file_argument(self, kind: str, name: str, file: str) -> str:
        which = f"jq: Bad JSON in --{kind} {name} {file}: "
        try:
            text = read_file(self.call, file).decode("utf-8", "replace")
        except OSError as error:
            raise _End(_SYSTEM, f"{which}Could not open {file}: {reason(error)}\n") from None
        if kind == "rawfile":
            return spell(text)
        try:
            return f"[{','.join(cut_here(shallow(text.removeprefix(chr(0xFEFF)))))}]"
        except ValueError as error:
            raise _End(_SYSTEM, f"{which}{str(error).removeprefix('parse error: ')}\n") from None

    # -- running

    def run(self) -> int:
        arguments = self.arguments
        if self.path is None:
            self._check_program()
        last: int | None = None
        try:
            if arguments.null_input:
                self._process("null", None, True)
            elif arguments.slurp:
                self._process(self._slurped(), None, False)
            else:
                inputs = self.inputs
                while inputs.failures == 0:
                    text = inputs.next_text()
                    if text is None:
                        break
                    if arguments.stream:
                        last = self._process_events(text, last)
                        continue
                    self._process(text, inputs.value, inputs.is_read())
                    if self.status in (_OK, _NOTHING):
                        last = self.status
        except InputError as error:
            self.call.out.flush()
            self.call.stderr.write(encode(f"jq: parse error: {error}\n"))
            self.status = _UNKNOWN
        except Halt as halt:
            self.status = self._halt(halt)
        if self.inputs.failures:
            self.status = _SYSTEM
        return self._final(last)

    def _final(self, last: int | None) -> int:
        status = self.status
        if not self.arguments.exit_status:
            return max(0, status) & 255
        if status == _NO_OUTPUT and last is not None:
            status = last
        return abs(status) & 255

    def _check_program(self) -> None:
        """Find out that the program does not compile before any input is waited for."""
        refusal = self.program.refusal()
        if refusal is not None:
            raise _End(_COMPILE, f"{refusal}\n")
        reads = self.program.reads
        if self.program.reads_unclearly() or (reads is not None and reads.partial and not self._reads_only_here()):
            shown = self.program.filter[:200]
            raise Stop("refused", f"jq: it can't be foreseen how often this reads input or inputs: {shown}")
        if self.program.calls & {"debug", "stderr"}:
            self.call.stderr.write(b"jq: note: messages of debug and stderr are not shown here\n")
        self.engine = Engine(self.call, self.program, self._extras)
        try:
            self.engine.prepare()
        except CompileError as error:
            raise _End(_COMPILE, f"{error}\n") from None

    def _reads_only_here(self) -> bool:
        """Say that the program runs once, so that no later run misses what it leaves."""
        return self.arguments.null_input or self.arguments.slurp

    def _slurped(self) -> str:
        inputs = self.inputs
        if isinstance(inputs, LineInputs):
            return inputs.everything()
        texts: list[str] = []
        while (text := inputs.next_text()) is not None:
            texts.append(text)
        return shallow(f"[{','.join(texts)}]")

    def _process(self, text: str, value: object, read: bool) -> None:
        """Run the program on one input, as ``process`` in jq's main.c."""
        if self.path is not None:
            if read and self._run_path(text, value):
                return
            if self.engine is None:
                self._check_program()
        engine = self.engine
        assert engine is not None
        self.status = _NO_OUTPUT
        printer = self.printer
        try:
            for event in engine.run(text):
                if type(event) is str:
                    printer.text(event)
                    self.status = _NOTHING if event == "null" or event == "false" else _OK
                else:
                    self._complain(event)
        except Unprintable:
            self._say("Cannot dump a string containing NUL with --raw-output0 option")
        except ValueError as error:
            if not str(error).startswith("parse error: "):
                raise
            raise InputError(str(error).removeprefix("parse error: ")) from None

    def _run_path(self, text: str, value: object) -> bool:
        """Answer without libjq, if it can be done; nothing is written otherwise."""
        assert self.path is not None
        if "\\u" in text and ("\\ud" in text or "\\uD" in text):
            return False  # Python takes lone surrogates, jq does not
        try:
            results = self.path.run(value)
            for result in results[1:]:
                compact(result)  # declines while nothing is written yet
            self.status = _NO_OUTPUT
            for result in results:
                self.printer.value(result)
                self.status = _NOTHING if result is None or result is False else _OK
        except (Decline, RecursionError):
            return False
        except Unprintable:
            self._say("Cannot dump a string containing NUL with --raw-output0 option")
        return True

    def _process_events(self, text: str, last: int | None) -> int | None:
        """``--stream``: each event of the value is an input."""
        streamer = Engine(self.call, get_program("tostream"), self._extras)
        streamer.prepare()
        for event in list(streamer.run(text)):
            assert isinstance(event, str)
            self._process(event, None, False)
            if self.status in (_OK, _NOTHING):
                last = self.status
        return last

    def _complain(self, event: object) -> None:
        assert isinstance(event, list)
        text = event[0]
        if text.startswith('"'):
            self._say(unspell(text).partition("\0")[0])
        else:
            self._say(text, " (not a string)")

    def _say(self, message: str, note: str = "") -> None:
        call = self.call
        call.out.flush()
        position = self.inputs.position() if self.has_read else "<unknown>"
        call.stderr.write(encode(f"jq: error (at {position}){note}: {message}\n"))
        self.status = _UNKNOWN

    def _halt(self, halt: Halt) -> int:
        call = self.call
        call.out.flush()
        if halt.message is not None:
            call.stderr.write(encode(halt.message))
        return halt.status

    def _extras(self, program: Program) -> dict[str, str]:
        """Give what the program is given besides its input, as JSON texts."""
        named = ",".join(f"{spell(name)}:{value}" for name, value in self.named.items())
        extras = {"args": f'{{"positional":[{",".join(self.positional)}],"named":{{{named}}}}}'}
        if program.reads_environment:
            extras["env"] = _dump({_text(name): _text(value) for name, value in self.call.env.items()})
        if "input_filename" in program.calls:
            extras["file"] = _dump(None if self.arguments.null_input else self._file())
        if "input_line_number" in program.calls:
            extras["line"] = "0" if self.arguments.null_input else str(self.inputs.line())
        if program.reads is not None:
            extras["rest"] = self._rest(inf if program.reads.all else len(program.reads.places))
        return extras

    def _file(self) -> str | None:
        name = self.inputs.file()
        return name if name is None else _text(name)

    def _rest(self, most: float) -> str:
        """Read what the program will read."""
        texts: list[str] = []
        while len(texts) < most and (text := self.inputs.next_text()) is not None:
            texts.append(text)
        self.has_read = self.has_read or bool(texts) or most > 0
        return shallow(f"[{','.join(texts)}]")


def _text(text: str) -> str:
    """Give a shell string as libjq would see it: bytes that are no UTF-8 become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return encode(text).decode("utf-8", "replace")
    return text
