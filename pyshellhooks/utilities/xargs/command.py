"""xargs: build command lines from input and run them (POSIX XCU xargs; GNU findutils 4.9.0)."""

from __future__ import annotations

from collections.abc import Sequence

from ...command import Call, Flag, Flags, RawArgument, utility
from ...command.call import reason
from ...errors import UsageError
from ...streams.base import NullStream, Stream
from ...text import decode, encode, parse_digits
from ..find.commands import ARGUMENTS, Launched, inserted, launch, most_bytes, size_of
from ..support.kinds import Number
from ..support.quoting import quote, quote_name
from .input import Items

_ESCAPES = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92}
_QUOTED = frozenset(" \t\n\r\a\b\f\v\\\"'`$&()*;<=>?[^|!")
_MOST_AT_ONCE = 32  # threads; -P 0 means as many as possible


class _Ended(Exception):
    """Ends the run with a status, after its message has been written."""

    def __init__(self, status: int) -> None:
        self.status = status


class _Plan:
    """The meaning of the options."""

    __slots__ = (
        "interactive",
        "delimiter",
        "eof",
        "exit",
        "lines",
        "most",
        "names",
        "parallel",
        "replace",
        "slot",
        "trace",
    )

    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.delimiter: int | None = None
        last = opts.last_of("null", "delimiter")
        if last == "delimiter":
            self.delimiter = opts.integer("delimiter", 0)
        elif last == "null":
            self.delimiter = 0
        self.eof = encode(opts.value("eof")) or None
        self.most = min(ARGUMENTS, most_bytes(call.env))
        for text, requested in zip(opts.all("max_chars"), opts.read("max_chars", int), strict=True):
            self.most = _limited_size(call, text, requested)
        most_at_once = _most_at_once(call)
        self.parallel = min(opts.integer("max_procs", 1) or most_at_once, most_at_once)
        self.slot = opts.value("process_slot_var")
        self.interactive = opts.interactive
        self.trace = opts.verbose
        self.replace: str | None = None
        self.lines = 0
        self.names = 0
        self._read(call)
        self.exit = opts.exit or self.replace is not None or self.lines > 0
        if self.delimiter is not None and self.eof is not None:
            call.error("warning: the -E option has no effect if -0 or -d is used.\n")
            self.eof = None

    def _read(self, call: Call) -> None:
        """Parse the options that exclude each other; the last one wins."""
        for dest, value in call.opts.given:
            if dest == "replace":
                if value is None:
                    self.replace = "{}"
                else:
                    self.replace = value
                self._only(call, "replace", "--replace/-I/-i")
            elif dest in ("L", "max_lines"):
                self.lines = parse_digits(value or "1")
                self._only(call, "lines", "-L" if dest == "L" else "--max-lines/-l")
            elif dest == "max_args":
                self.names = parse_digits(value or "")
                if self.names == 1 and self.replace is not None:
                    self.names = 0  # POSIX: -I implies one item per command anyway
                else:
                    self._only(call, "names", "--max-args/-n")

    def _only(self, call: Call, chosen: str, option: str) -> None:
        """Drop the options excluded by the last one, with a warning."""
        spellings = {"names": "--max-args", "lines": "--max-lines", "replace": "--replace"}
        for other, name in spellings.items():
            is_set = self.replace is not None if other == "replace" else getattr(self, other)
            if other == chosen or not is_set:
                continue
            call.error(f"warning: options {name} and {option} are mutually exclusive, ignoring previous {name} value")
            setattr(self, other, None if other == "replace" else 0)


def _most_at_once(call: Call) -> int:
    """Return how many commands run side by side; half of the run's threads are left to their own pipelines."""
    return max(1, min(_MOST_AT_ONCE, call.limits.jobs, call.limits.threads // 2))


def _limited_size(call: Call, text: str, requested: int) -> int:
    """Return the value of ``-s``, limited to the allowed range; if it is limited, report that."""
    most = most_bytes(call.env)
    allowed = max(1, min(requested, most))
    if allowed != requested:
        bound = ">= 1" if requested < 1 else f"<= {most}"
        call.error(f"value {text} for -s option should be {bound}")
    return allowed


class _Limit(Number):
    """A number of things, with xargs's messages for invalid ones."""

    __slots__ = ("letter",)

    def __init__(self, letter: str, least: int, most: int = 10**40) -> None:
        super().__init__("", least, most)
        self.letter = letter

    def error(self, argument: RawArgument, fault: str, value: int) -> UsageError:
        if not fault and value > self.most:
            return UsageError(f"value {argument.text} for -{self.letter} option should be <= {self.most}")
        if fault in ("", "sign"):
            return UsageError(f"value {argument.text} for -{self.letter} option should be >= {self.least}")
        return UsageError(f'invalid number "{argument.text}" for -{self.letter} option')


def _delimiter(argument: RawArgument) -> int:
    """Parse the value of ``-d``: a character or an escape sequence."""
    text = argument.text
    data = encode(text)
    if len(data) == 1:
        return data[0]
    letter = text[1:2]
    if not text.startswith("\\"):
        raise UsageError(
            f"Invalid input delimiter specification {text}: the delimiter must be either a single character or an escape "
            "sequence starting with \\.",
            1,
            hint=False,
        )
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    wrong = f"Invalid escape sequence {text} in input delimiter specification"
    if not letter or letter not in "x01234567":
        raise UsageError(f"{wrong}.", 1, hint=False)
    if letter == "x":
        base, digits, largest = 16, text[2:], "ff"
        rest = digits.lstrip("0123456789abcdefABCDEF")
    else:
        base, digits, largest = 8, text[1:], "377"
        rest = digits.lstrip("01234567")
    if rest:
        raise UsageError(f"{wrong}; trailing characters {rest} not recognised.", 1, hint=False)
    value = int(digits or "0", base)
    if value > 255:
        raise UsageError(f"{wrong}; character values must not exceed {largest}.", 1, hint=False)
    return value


def _variable(argument: RawArgument) -> str:
    if not argument.text:
        raise UsageError("failed to unset environment variable : Invalid argument", 1, hint=False)
    if "=" in argument.text:
        raise UsageError("option --process-slot-var may not be set to a value which includes `='", 1, hint=False)
    return argument.text


class _Runner:
    """Runs the commands, several at once with -P, and records the worst status."""

    __slots__ = ("_call", "_plan", "_running", "_stdin", "runs", "status")

    def __init__(self, call: Call, plan: _Plan, stdin: Stream | None) -> None:
        self._call = call
        self._plan = plan
        self._stdin = stdin
        self._running: list[tuple[Launched, str, int]] = []
        self.runs = 0
        self.status = 0

    def run(self, argv: Sequence[str]) -> None:
        """Run a command. Wait while the maximum number of commands is running."""
        call, plan = self._call, self._plan
        self.runs += 1
        call.check()
        if plan.interactive:
            call.stderr.write(encode(" ".join(map(_shown, argv))))
            raise UsageError("failed to open /dev/tty for reading: No such device or address", 1, hint=False)
        if plan.trace:
            call.stderr.write(encode(" ".join(map(_shown, argv))) + b"\n")
        while len(self._running) >= plan.parallel:
            self._finish(*self._running.pop(0))
        used = {slot for _, _, slot in self._running}
        slot = next(n for n in range(plan.parallel) if n not in used)  # GNU: the lowest free slot
        if not plan.slot:
            env = None
        else:
            env = {**call.env, plan.slot: str(slot)}
        stdin = self._stdin
        if stdin is None:  # xargs itself reads standard input: the commands get an empty one
            stdin = NullStream().retain()
        try:
            launched = launch(call, argv, stdin=stdin, env=env, beside=plan.parallel > 1)
        except OSError as error:
            raise self._not_started(argv[0], error)
        self._running.append((launched, argv[0], slot))
        if plan.parallel == 1:
            self._finish(*self._running.pop())

    def finish(self) -> None:
        """Wait for all commands."""
        while self._running:
            self._finish(*self._running.pop(0))

    def drain(self) -> None:
        """Wait for the commands still running after a fatal error; their statuses do not matter."""
        while self._running:
            launched, _, _ = self._running.pop(0)
            try:
                launched.wait()
            except OSError:
                continue

    def _not_started(self, name: str, error: OSError) -> _Ended:
        self._call.error(f"{name}: {reason(error)}")
        return _Ended(127 if isinstance(error, FileNotFoundError) else 126)

    def _finish(self, launched: Launched, name: str, slot: int) -> None:
        try:
            status = launched.wait()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._not_started(name, error)
        if launched.signaled is not None:
            self._call.error(f"{name}: terminated by signal {launched.signaled}")
            raise _Ended(125)
        if status == 255:
            self._call.error(f"{name}: exited with status 255; aborting")
            raise _Ended(124)  # POSIX XCU xargs: 255 ends it
        if status:
            self.status = 123


def _shown(argument: str) -> str:
    """Quote an argument for -t, only if a shell would need it."""
    if not argument or argument in ("{", "}") or argument[0] in "#~":
        return quote_name(argument)
    if not argument.isprintable() or _QUOTED & set(argument):
        return quote_name(argument)
    return argument


class _Lines:
    """The command line being built."""

    __slots__ = ("_initial", "_items", "_plan", "_runner", "_size", "_words")

    def __init__(self, plan: _Plan, runner: _Runner, words: list[str]) -> None:
        self._plan = plan
        self._runner = runner
        self._words = words
        self._initial = sum(map(size_of, words))
        self._items: list[str] = []
        self._size = 0
        if plan.replace is None and self._initial > plan.most:
            raise UsageError("cannot fit single argument within argument list size limit", 1, hint=False)

    def add(self, item: str) -> None:
        """Append an item, first running the command line if it is full.

        ``Items`` rejects items that would never fit.
        """
        plan = self._plan
        size = size_of(item)
        if self._initial + self._size + size > plan.most:
            if plan.exit and (plan.lines or plan.names):
                raise UsageError("argument list too long", 1, hint=False)
            self.run()
        self._items.append(item)
        self._size += size
        if len(self._items) == plan.names:
            self.run()

    def run(self) -> None:
        """Run the command line with its items."""
        items, self._items, self._size = self._items, [], 0
        self._runner.run([*self._words, *items])

    @property
    def pending(self) -> bool:
        return bool(self._items)

    def run_with_item(self, item: str) -> None:
        """Run the command line with the replace string replaced by the item, except in the command's name."""
        pattern = self._plan.replace or ""
        self._runner.run(inserted(self._words[:1], self._words[1:], pattern, item, self._plan.most))


_FLAGS = Flags(
    [
        Flag("-0", "--null", help="items are separated by NUL; quotes and backslashes are ordinary characters"),
        Flag("-a", "--arg-file", value="FILE", help="read arguments from FILE, not standard input"),
        Flag(
            "-d",
            "--delimiter",
            value="CHARACTER",
            kind=_delimiter,
            help="items are separated by CHARACTER; quotes and backslashes are ordinary characters",
        ),
        Flag("-E", value="END", dest="eof", help="ignore the input after an item equal to END"),
        Flag("-e", "--eof", value="END", optional=True, help="as -E END; without END: no end string"),
        Flag("-I", value="R", dest="replace", help="replace R in the initial arguments with each line"),
        Flag("-i", "--replace", value="R", optional=True, help="as -I R; without R: {}"),
        Flag("-L", value="MAX-LINES", kind=_Limit("L", 1), help="use at most MAX-LINES non-blank lines a command"),
        Flag(
            "-l",
            "--max-lines",
            value="MAX-LINES",
            optional=True,
            kind=_Limit("l", 1),
            help="as -L; without MAX-LINES: 1",
        ),
        Flag(
            "-n", "--max-args", value="MAX-ARGS", kind=_Limit("n", 1), help="use at most MAX-ARGS arguments a command"
        ),
        Flag("-o", "--open-tty", help="(an error: commands have no terminal)"),
        Flag(
            "-s",
            "--max-chars",
            value="MAX-CHARS",
            kind=_Limit("s", -(10**40)),
            help="use at most MAX-CHARS bytes a command",
        ),
        Flag(
            "-P",
            "--max-procs",
            value="MAX-PROCS",
            kind=_Limit("P", 0, 2**31 - 1),
            help="run up to MAX-PROCS commands at a time",
        ),
        Flag("-p", "--interactive", help="(runs nothing: it can't ask for confirmation)"),
        Flag(
            "--process-slot-var", value="VAR", kind=_variable, help="set VAR to the number of the slot in each command"
        ),
        Flag("-r", "--no-run-if-empty", help="run nothing if the input has no arguments"),
        Flag("--show-limits", help="write the limits of command lines to standard error"),
        Flag("-t", "--verbose", help="write each command to standard error before it runs"),
        Flag("-x", "--exit", help="exit if MAX-CHARS is exceeded"),
        Flag("--version", help="display version information and exit"),
    ],
    permute=False,
)


@utility(
    "xargs",
    summary="Run COMMAND (default: echo) with arguments read from input after INITIAL-ARGS.",
    usage="[OPTION]... [COMMAND [INITIAL-ARGS]...]",
    flags=_FLAGS,
    hears=False,
)
def xargs(call: Call) -> int:
    """Run commands.

    Return 0; 123 if one failed, 124 if one exited with 255, 125 if a signal killed one, 126 or 127 if one could not be
    run, 1 for other errors.
    """
    opts = call.opts
    if opts.version:
        call.out.write(b"xargs (pyshellhooks, as GNU findutils) 4.9.0\n")
        return 0
    if opts.open_tty:
        raise UsageError("option -o is not supported: commands have no terminal", 1, hint=False)
    plan = _Plan(call)
    if opts.show_limits:
        _show_limits(call, plan)
    stream, stdin = call.stdin.retain(), None
    name = opts.value("arg_file", "-")
    if name != "-":
        stream.release()
        try:
            stream, stdin = call.open(name), call.stdin
        except OSError as error:
            raise UsageError(f"Cannot open input file {quote(name, call.env)}: {reason(error)}", 1, hint=False)
    runner = _Runner(call, plan, stdin)
    try:
        return _run(call, plan, runner, stream)
    except _Ended as ended:
        runner.drain()
        return ended.status
    finally:
        stream.release()


def _show_limits(call: Call, plan: _Plan) -> None:
    upper = most_bytes(call.env)
    used = most_bytes({}) - upper
    call.stderr.write(
        encode(
            f"Your environment variables take up {used} bytes\n"
            f"POSIX upper limit on argument length (this system): {upper}\n"
            "POSIX smallest allowable upper limit on argument length (all systems): 4096\n"
            f"Maximum length of command we could actually use: {upper - used}\n"
            f"Size of command buffer we are actually using: {plan.most}\n"
            f"Maximum parallelism (--max-procs must be no greater): {_most_at_once(call)}\n"
        )
    )


def _run(call: Call, plan: _Plan, runner: _Runner, stream: Stream) -> int:
    command = list(call.args) or ["echo"]
    lines = _Lines(plan, runner, command)
    taken = 0
    if plan.replace is None:  # with -I the size of each command is checked when its item is inserted
        taken = sum(map(size_of, command))
    source = Items(call, stream, plan.most - taken - 1, plan.eof, whole=plan.replace is not None)
    try:
        if plan.delimiter is not None:
            for item in source.delimited(plan.delimiter):
                _take(plan, lines, source, decode(item), True)
        else:
            needs_lines = plan.replace is not None or plan.lines
            if not needs_lines and plan.eof is None:
                for words in source.words():
                    for word in words:
                        lines.add(decode(word))
            while not source.ended:
                for data, end in source.line():
                    _take(plan, lines, source, decode(data), end)
    except UsageError as error:
        # The items before the error are run.
        is_of_input = error.message.startswith(("unmatched", "argument line"))
        if is_of_input and lines.pending and not plan.exit:
            lines.run()
        runner.finish()
        raise
    # POSIX XCU xargs: without any item the command runs once, unless each item needs a command of its own (-I).
    runs_without_items = plan.replace is None and "no_run_if_empty" not in call.opts
    if lines.pending or (runs_without_items and not runner.runs):
        lines.run()
    runner.finish()
    return runner.status


def _take(plan: _Plan, lines: _Lines, source: Items, item: str, complete: bool) -> None:
    if plan.replace is not None:
        lines.run_with_item(item)
        return
    lines.add(item)
    if not plan.lines:
        return
    if complete and source.lines >= plan.lines:
        if lines.pending:
            lines.run()
        source.lines = 0
