"""The run of a script over its input (POSIX XCU sed, EXTENDED DESCRIPTION)."""

from __future__ import annotations

import os
from collections.abc import Callable

from ...command import Call, reason
from ...errors import Stop, UsageError
from ...patterns.engines import Regex
from ...streams.base import BytesReader, Stream
from ...streams.capture import Capture, LineWriter
from ...text import Spelling, decode, encode, translated
from .arrangement import Arrangement, arrangement_of
from .bulk import plan_of
from .input import Input, LineReader
from .output import Edited, Output
from .ranges import Ranges
from .script import Address, Command, Program, Substitution
from .settings import Quit, Settings
from .substitute import expand, visible

_NEXT_CYCLE = -1  # without printing; returned by commands that end the cycle
RESTART = -2  # D: run the script again without reading


_WORTHWHILE = 2048  # bytes
_MOST_STOPS = 24


def _end_of_lines(data: bytes, at: int, end: int, lines: int) -> int:
    """Return the end of the next ``lines`` lines, or ``end``."""
    if lines >= data.count(b"\n", at, end):
        return end
    for _ in range(lines):
        at = data.find(b"\n", at) + 1
    return at


class Run:
    """One run: pattern space, hold space, ranges, and the queue of text to append after a line."""

    def __init__(self, call: Call, program: Program, settings: Settings, names: list[str]) -> None:
        self._call = call
        self._program = program
        self._commands = program.commands
        self._settings = settings
        self._quiet = settings.quiet or program.quiet
        self._stdout = Output(call.out, settings.separator)
        self._out = self._stdout
        self._edited: Edited | None = None
        separate = settings.separate or settings.in_place
        self._input = Input(
            call,
            names or ["-"],
            settings.separator,
            separate=separate,
            opened=self._begin_file if settings.in_place else None,
            closed=self._end_file if settings.in_place else None,
            follow=settings.follow,
        )
        self._files = self._open_files()
        if settings.in_place and not names:
            raise UsageError("no input files", 4, hint=False)
        self._readers: dict[str, LineReader | None] = {}  # R
        self._space = b""
        self._ended = True  # the line in the pattern space had its newline
        self._hold = b""
        self._hold_ended = True
        self._line = 0
        self._file = 0
        self._separate = separate
        self._flushing = settings.unbuffered
        self._substituted = False
        self._appended: list[bytes | str] = []  # text of a, and file names of r
        self._ranges = Ranges(self._commands)
        self._in_bulk = settings.separator == b"\n" and not settings.unbuffered
        self._block = b""  # the last buffer tried in bulk
        self._stops = 0  # the number of cycles needed in it
        self._turns = 0
        self._last_regex: Regex | None = None
        self._of_address = False  # an address has matched since the last s
        self._handlers: dict[str, Callable[[Command], int | None]] = {
            "=": self._print_number,
            "a": self._append_text,
            "c": self._change,
            "d": self._delete,
            "D": self._delete_first_line,
            "e": self._execute,
            "F": self._print_name,
            "g": self._get,
            "G": self._get_appending,
            "h": self._keep,
            "H": self._keep_appending,
            "i": self._insert,
            "l": self._list,
            "n": self._next,
            "N": self._next_appending,
            "p": self._print,
            "P": self._print_first_line,
            "q": self._quit,
            "Q": self._quit_silently,
            "r": self._read_file,
            "R": self._read_line,
            "s": self._substitute,
            "w": self._write,
            "W": self._write_first_line,
            "x": self._exchange,
            "y": self._transliterate,
            "z": self._empty,
        }

    # Files

    def _open_files(self) -> dict[str, Output]:
        files: dict[str, Output] = {}
        for name in self._program.files:
            if name in files:
                continue
            if name == "/dev/stdout":
                files[name] = self._stdout
                continue
            if name == "/dev/stderr":
                files[name] = Output(LineWriter(self._call.stderr.stream), self._settings.separator)
                continue
            try:
                stream = self._call.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            except OSError as error:
                raise UsageError(f"couldn't open file {name}: {reason(error)}", 4, hint=False) from None
            files[name] = Output(LineWriter(stream), self._settings.separator, stream)
        return files

    def _begin_file(self, name: str) -> None:
        self._edited = Edited(self._call, name, self._settings)
        self._out = self._edited.output

    def _end_file(self) -> None:
        if self._edited is not None:
            edited, self._edited = self._edited, None
            self._out = self._stdout
            edited.commit()

    def _abandon_file(self) -> None:
        if self._edited is not None:
            edited, self._edited = self._edited, None
            edited.abandon()

    # The cycle

    def run(self) -> int:
        """Run to the end of the input or to ``q``. Return the exit status."""
        status = 0
        try:
            again = False
            while again or self._read():
                again = self._cycle() == RESTART
                if self._in_bulk and not again:
                    self._bulk()
        except Quit as quitting:
            status = quitting.status
        except BaseException:
            self._abandon_file()
            raise
        finally:
            self._finish()
        return status or self._input.status

    def _finish(self) -> None:
        self._input.finish()
        for output in self._files.values():
            output.close()
        for reader in self._readers.values():
            if reader is not None:
                reader.stream.release()

    def _read(self) -> bool:
        """Read the next line into the pattern space."""
        self._turns += 1
        if not self._turns & 63 or len(self._space) > 4096:
            self._call.check()
        found = self._input.next()
        if found is None:
            return False
        self._space, self._ended = found
        if self._separate:
            self._count_anew()
        self._line += 1
        return True

    def _count_anew(self) -> None:
        if self._input.file != self._file:
            if self._file:
                self._line = 0
                self._hold = b""
                self._ranges = Ranges(self._commands)
            self._file = self._input.file

    def _bulk(self) -> None:
        """Run the script in bulk for the buffered lines that need no cycle of their own."""
        reader = self._input.reader()
        if reader is None:
            return
        # Too many lines of this buffer needed cycles of their own: planning costs more than it saves.
        if reader.buffer is self._block and self._stops > _MOST_STOPS:
            return
        data, start, end = reader.block()
        if end - start < _WORTHWHILE:
            return
        arrangement = arrangement_of(self._program, self._quiet)
        if arrangement is not None:
            reader.skip_to(self._arranged(arrangement, data, start, end))
            return
        plan = plan_of(self._program, self._quiet)
        if plan is None:
            self._in_bulk = False
            return
        if data is not self._block:
            self._block, self._stops = data, 0
        if plan.utf8 and not reader.is_valid():
            self._stops = _MOST_STOPS + 1
            return
        scope, at = self._call.scope, start
        while at < end:
            self._call.check()
            line = self._line + 1
            if plan.stops(line, self._ranges):
                break
            edge = _end_of_lines(data, at, end, plan.until(line) - line)
            stop = plan.stop_in(data, at, edge, self._ranges, scope)
            text = plan.run(data[at:stop], line, self._ranges, scope)
            if len(text) > self._call.limits.string:  # the ordinary cycle checks the limit of a line
                break
            if text:
                self._out.text(text)
            self._line += data.count(b"\n", at, stop)
            at = stop
            if stop < edge:
                break
        self._stops += at < end
        reader.skip_to(at)

    def _arranged(self, arrangement: Arrangement, data: bytes, start: int, end: int) -> int:
        """Run all whole cycles of the buffered lines in bulk. Return the end of their lines."""
        if (end - start) * arrangement.most > self._call.limits.string:  # a cycle checks the limit of a buffer
            return start
        self._call.check()
        lines = data[start : end - 1].split(b"\n")
        whole = len(lines) - len(lines) % arrangement.step
        end -= sum([len(line) + 1 for line in lines[whole:]])
        del lines[whole:]
        if lines:
            self._out.text(arrangement.written(lines, self._line + 1))
            if (hold := arrangement.hold(lines)) is not None:
                self._hold = hold
            self._line += len(lines)
        return end

    def _cycle(self) -> int:
        """Run the script once for the pattern space."""
        commands = self._commands
        handlers = self._handlers
        self._substituted = False
        size = len(commands)
        at = turns = 0
        while at < size:
            command = commands[at]
            at += 1
            first = command.first
            if first is None:
                selected = True
            elif command.second is None:
                selected = self._matches(first)
            else:
                selected = self._ranges.selects(command, self._line, self._matches)
            if selected is command.negated:
                if command.name == "{":
                    at = command.jump
                continue
            name = command.name
            if name == "{":
                continue
            if name in "btT":
                if self._branches(name):
                    at = command.jump
                    turns += 1
                    if not turns & 63:
                        self._call.check()
                continue
            result = handlers[name](command)
            if result is not None:
                if self._appended or self._flushing:
                    self._flush_appended()
                return result
        self._end_cycle()
        return 0

    def _branches(self, name: str) -> bool:
        if name == "b":
            return True
        substituted, self._substituted = self._substituted, False
        return substituted is (name == "t")

    def _end_cycle(self) -> None:
        if not self._quiet:
            self._out.line(self._space, self._ended)
        if self._appended or self._flushing:
            self._flush_appended()

    def _flush_appended(self) -> None:
        if self._appended:
            queue, self._appended = self._appended, []
            for item in queue:
                if isinstance(item, bytes):
                    self._out.text(item)
                else:
                    self._copy_file(item)
        if self._settings.unbuffered:
            self._out.writer.flush()

    def _copy_file(self, name: str) -> None:
        try:
            stream = self._open(name)
        except OSError:
            return  # an unreadable file counts as empty (POSIX)
        try:
            while chunk := stream.read():
                self._call.check()
                self._out.text(chunk)
        except OSError:
            pass
        finally:
            stream.release()

    def _open(self, name: str) -> Stream:
        """Open the file of r or R. /dev/stdin is the input of the command, which need not have a file."""
        if name == "/dev/stdin":
            return self._call.stdin.retain()
        return self._call.open(name)

    # Addresses

    def _matches(self, address: Address) -> bool:
        kind = address.kind
        if kind == "regex":
            self._of_address |= address.regex is not None
            return self._regex(address.regex).test(self._space, scope=self._call.scope)
        if kind == "number":
            return self._line == address.number
        if kind == "last":
            return self._input.is_last()
        return self._line >= address.number and (self._line - address.number) % address.step == 0

    def _regex(self, regex: Regex | None) -> Regex:
        if regex is None:
            regex = self._last_regex
            if regex is None:
                raise UsageError("-e expression #1, char 0: no previous regular expression", 1, hint=False)
        self._last_regex = regex
        return regex

    # Commands. One that ends the cycle returns a number.

    def _print(self, command: Command) -> None:
        self._out.line(self._space, self._ended)

    def _print_first_line(self, command: Command) -> None:
        self._out.line(*self._first_line())

    def _first_line(self) -> tuple[bytes, bool]:
        head, found, _ = self._space.partition(self._settings.separator)
        return head, bool(found) or self._ended

    def _print_number(self, command: Command) -> None:
        self._out.text(b"%d%b" % (self._line, self._settings.separator))

    def _print_name(self, command: Command) -> None:
        self._out.text(encode(self._input.name) + self._settings.separator)

    def _list(self, command: Command) -> None:
        if command.number < 0:
            width = self._settings.line_length
        else:
            width = command.number
        self._out.text(visible(self._space, width, self._settings.separator))

    def _append_text(self, command: Command) -> None:
        if command.text is not None:
            self._appended.append(command.text)

    def _insert(self, command: Command) -> None:
        if command.text is not None:
            # Its last newline becomes the line separator of -z; that of ``a`` stays a newline (GNU sed 4.9).
            self._out.text(command.text[:-1] + self._settings.separator)

    def _change(self, command: Command) -> int:
        if command.second is None or command.negated or not self._ranges.active(command):
            self._insert(command)
        return _NEXT_CYCLE

    def _delete(self, command: Command) -> int:
        return _NEXT_CYCLE

    def _delete_first_line(self, command: Command) -> int:
        head, found, rest = self._space.partition(self._settings.separator)
        if not found:
            return _NEXT_CYCLE
        self._space = rest
        self._call.check()
        return RESTART

    def _get(self, command: Command) -> None:
        self._space, self._ended = self._hold, self._hold_ended

    def _get_appending(self, command: Command) -> None:
        self._space = self._bounded(self._space + self._settings.separator + self._hold)
        self._ended = self._hold_ended

    def _keep(self, command: Command) -> None:
        self._hold, self._hold_ended = self._space, self._ended

    def _keep_appending(self, command: Command) -> None:
        self._hold = self._bounded(self._hold + self._settings.separator + self._space)
        self._hold_ended = self._ended

    def _bounded(self, data: bytes) -> bytes:
        if len(data) > self._call.limits.string:
            raise Stop("limit", f"a buffer of sed is larger than {self._call.limits.string} bytes", "string")
        return data

    def _exchange(self, command: Command) -> None:
        self._space, self._hold = self._hold, self._space
        self._ended, self._hold_ended = self._hold_ended, self._ended

    def _empty(self, command: Command) -> None:
        self._space = b""

    def _next(self, command: Command) -> int | None:
        if self._input.is_last():
            if not self._quiet:
                self._out.line(self._space, self._ended)
            return _NEXT_CYCLE
        self._end_cycle()
        self._read()
        return None

    def _next_appending(self, command: Command) -> int | None:
        if self._input.is_last():
            if not self._quiet and not self._settings.posix:
                self._out.line(self._space, self._ended)
            return _NEXT_CYCLE
        self._flush_appended()
        space = self._space
        self._read()
        self._space = self._bounded(space + self._settings.separator + self._space)
        return None

    def _quit(self, command: Command) -> int:
        self._end_cycle()
        self._out.complete()  # only q adds the newline that the last line lacks
        raise Quit(max(command.number, 0))

    def _quit_silently(self, command: Command) -> int:
        raise Quit(max(command.number, 0))

    def _read_file(self, command: Command) -> None:
        if command.number:
            self._appended.append(command.label)
        else:
            self._copy_file(command.label)

    def _read_line(self, command: Command) -> None:
        name = command.label
        if name not in self._readers:
            try:
                stream = self._open(name)
                self._readers[name] = LineReader(self._call, stream, self._settings.separator)
            except OSError:
                self._readers[name] = None
        reader = self._readers[name]
        if reader is not None:
            line = reader.next()
        else:
            line = None
        if line is not None:
            self._appended.append(line[0] + self._settings.separator)

    def _write(self, command: Command) -> None:
        self._target(command.label).line(self._space, self._ended)

    def _write_first_line(self, command: Command) -> None:
        self._target(command.label).line(*self._first_line())

    def _target(self, name: str) -> Output:
        # Even with -i, /dev/stdout is the real standard output.
        return self._files[name]

    def _transliterate(self, command: Command) -> None:
        table = command.table
        assert table is not None
        self._space = encode(translated(decode(self._space), Spelling(lambda char: table.get(char, char))))

    def _substitute(self, command: Command) -> None:
        substitution = command.substitution
        assert substitution is not None
        replaced = self._replaced(substitution)
        if replaced is None:
            return
        self._space = self._bounded(replaced)
        self._substituted = True
        if substitution.evaluate:
            self._space = self._output_of(self._space).removesuffix(b"\n")
        if substitution.printed:
            self._out.line(self._space, self._ended)
        if substitution.target is not None:
            self._target(substitution.target).line(self._space, self._ended)

    def _replaced(self, substitution: Substitution) -> bytes | None:
        regex, space, scope = self._regex(substitution.regex), self._space, self._call.scope
        right, number, every = substitution.replacement, substitution.number, substitution.every
        # GNU checks references against the last regex only if it was an address; otherwise missing groups are empty.
        wrong = self._of_address and right.highest > regex.groups
        self._of_address = False
        if wrong:
            text = f"-e expression #1, char 0: invalid reference \\{right.highest} on `s' command's RHS"
            raise UsageError(text, 1, hint=False)
        if number == 1 and not every:
            spans = regex.search(space, scope=scope)
            if spans is None:
                return None
            low, high = spans[0]
            return space[:low] + expand(right, space, spans) + space[high:]
        out: list[bytes] = []
        at = count = 0
        for spans in regex.matches(space, scope):
            count += 1
            if not count & 1023:
                self._call.check()
            if count < number:
                continue
            low, high = spans[0]
            out += (space[at:low], expand(right, space, spans))
            at = high
            if not every:
                break
        if count < number:
            return None
        out.append(space[at:])
        return b"".join(out)

    def _execute(self, command: Command) -> None:
        if command.text:
            self._out.text(self._output_of(command.text))
        else:
            self._space = self._output_of(self._space).removesuffix(b"\n")

    def _output_of(self, script: bytes) -> bytes:
        capture = Capture(self._call.limits.substitution, "a command of sed", "substitution", text=True)
        self._out.writer.flush()
        running = self._call.start(["sh", "-c", decode(script)], stdin=BytesReader(b""), stdout=capture.retain())
        running.wait()
        return capture.getvalue()
