"""Files and commands that a program opens by name with redirections and getline (POSIX XCU awk, getline).

Commands run as ``sh -c`` through ``Call.start``. A command after ``|`` gets its whole input when it is closed, unless
the input is more than a block or the program flushes: then it runs concurrently, on a pipe. A command after ``|&``
always runs concurrently (``two_way``).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from ...command import reason
from ...command.call import Call, Running
from ...errors import Stop
from ...streams.base import BytesReader, Stream
from ...streams.capture import LineWriter
from ...streams.pipe import MemoryPipe, as_text
from ...text import decode
from .reader import Reader
from .values import AwkError

if TYPE_CHECKING:
    from .runtime import Runtime
    from .two_way import TwoWay

_NETWORK = (b"/inet/", b"/inet4/", b"/inet6/")  # gawk's special files
_PIPES = ("|", "|&")
_READ = {"<": "<", "|": "|getline", "|&": "|&"}  # kinds of input; "|" alone is the kind of a command that is written to


def status_of(running: Running) -> float:
    """Wait for a command and return its status as gawk does: 256 plus the number if a signal ended it."""
    code = running.wait()
    return float(code if running.signaled is None else 256 + running.signaled)


def output_of(pipe: MemoryPipe, call: Call) -> Stream:
    """Return the end of a pipe from which the output of a command is read."""
    if call.reads_text:
        return as_text(pipe.reader)
    return pipe.reader


class Output:
    """A file that is written to, or the stdout or stderr of awk itself."""

    __slots__ = ("_owned", "_unbuffered", "_writer")

    def __init__(self, writer: LineWriter, owned: bool, unbuffered: bool = False) -> None:
        self._writer = writer
        self._owned = owned
        self._unbuffered = unbuffered

    def write(self, data: bytes) -> None:
        """Write data."""
        self._writer.write(data)
        if self._unbuffered:
            self._writer.flush()

    def flush(self) -> None:
        """Write the buffered data."""
        self._writer.flush()

    def close(self) -> float:
        """Flush and release the stream."""
        self._writer.flush()
        if self._owned:
            self._writer.stream.release()
        return 0.0

    def is_closed(self) -> bool:
        """Return whether the output no longer accepts data."""
        return False

    def abandon(self) -> None:
        """Release the stream after a ``Stop``."""
        self.close()


class CommandOutput(Output):
    """A command that reads the printed data."""

    __slots__ = ("_channels", "_command", "_parts", "_pipe", "_running", "_size")

    def __init__(self, channels: Channels, command: str) -> None:
        self._channels = channels
        self._command = command
        self._parts: list[bytes] = []
        self._size = 0
        self._pipe: MemoryPipe | None = None
        self._running: Running | None = None

    def write(self, data: bytes) -> None:
        """Buffer data; more than a block starts the command."""
        self._parts.append(data)
        self._size += len(data)
        if self._size >= 32768:
            self.flush()

    def flush(self) -> None:
        """Start the command if necessary and write the buffered data to it."""
        if not self._parts:
            return
        if self._pipe is None:
            runtime = self._channels.runtime
            self._pipe = MemoryPipe(runtime.call.scope, runtime.call.limits.pipe)
            self._pipe.writer.retain()
            self._running = self._channels.start(self._command, stdin=self._pipe.reader, beside=True)
        data = b"".join(self._parts)
        self._parts = []
        self._size = 0
        self._pipe.writer.write(data)

    def close(self) -> float:
        """End the command's input and return its status."""
        if self._pipe is None:
            data, self._parts = b"".join(self._parts), []
            return status_of(self._channels.start(self._command, stdin=BytesReader(data)))
        try:
            self.flush()
        except BrokenPipeError:
            pass  # the command ended without reading all its input
        self._pipe.writer.release()
        assert self._running is not None
        return status_of(self._running)

    def abandon(self) -> None:
        """End the command's input without waiting for the command."""
        if self._pipe is not None:
            self._pipe.writer.release()


class Input:
    """A file or command that getline reads."""

    __slots__ = ("_running", "reader")

    def __init__(self, reader: Reader, running: Running | None) -> None:
        self.reader = reader
        self._running = running

    def close(self) -> float:
        """Release the stream; return the status of a command, 0 for a file."""
        self.reader.close()
        return 0.0 if self._running is None else status_of(self._running)

    def abandon(self) -> None:
        """Release the stream without waiting for the command."""
        self.reader.close()


class Channels:
    """The open files and commands by kind and name, in the order of opening: one name may be a file and a command."""

    __slots__ = ("_open", "runtime", "stdout")

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._open: dict[tuple[str, bytes], Output | Input] = {}
        self.stdout: Stream | None = None  # the output of an edit in place, for commands too

    def start(
        self, command: str, *, stdin: Stream | None = None, stdout: Stream | None = None, beside: bool = False
    ) -> Running:
        """Start a command of the program; ``beside``: concurrently, on a thread."""
        runtime = self.runtime
        runtime.call.out.flush()
        for output in self._open.values():
            if output.__class__ is Output:
                output.flush()
        call = runtime.call
        return call.start(
            ["sh", "-c", command],
            stdin=stdin,
            stdout=stdout or self.stdout,
            env=runtime.environment(),
            scope=call.scope if beside else None,
        )

    def _check(self, name: bytes, operator: str) -> None:
        """Raise an error for an empty name, a network file, or too many open files."""
        if not name:
            raise AwkError(f"expression for `{operator}' redirection has null string value")
        if name.startswith(_NETWORK):
            raise AwkError(f"cannot open `{decode(name)}': networking is not supported")
        most = self.runtime.call.limits.open_files
        if len(self._open) >= most:
            raise Stop("limit", f"more than {most} open files", "open_files")

    def output(self, name: bytes, operator: str) -> Output:
        """Return the output of ``print > name``, opened at its first use.

        Raise OSError if that fails and the program has made the failure nonfatal.
        """
        key = (operator if operator in _PIPES else ">", name)
        found = self._open.get(key)
        if found is None:
            self._check(name, operator)
            found = self._open[key] = self._open_output(name, operator)
        assert isinstance(found, Output)
        return found

    def _open_output(self, name: bytes, operator: str) -> Output:
        call, shown = self.runtime.call, decode(name)
        if operator == "|":
            return CommandOutput(self, shown)
        if operator == "|&":
            return self._coprocess(name)
        if shown in ("/dev/stdout", "-"):
            return Output(call.out, False)
        if shown == "/dev/stderr":
            return Output(LineWriter(call.stderr.stream), False, True)
        flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if operator == ">>" else os.O_TRUNC)
        try:
            return Output(LineWriter(call.open(shown, flags)), True)
        except OSError as error:
            self.runtime.failed(error)
            if self.may_fail(name):
                raise
            raise AwkError(f"cannot redirect to `{shown}': {reason(error)}") from None

    def may_fail(self, name: bytes) -> bool:
        """Return whether the program has made a failure of this output nonfatal (gawk manual 5.10)."""
        about = self.runtime.array("PROCINFO")
        return b"NONFATAL" in about or name + self.runtime.subsep + b"NONFATAL" in about

    def _coprocess(self, name: bytes) -> TwoWay:
        from .two_way import TwoWay  # most programs have no coprocess

        if name + self.runtime.subsep + b"pty" in self.runtime.array("PROCINFO"):
            raise AwkError(f"`{decode(name)}' cannot be run on a terminal: terminals are not supported")
        return TwoWay(self, name)

    def input(self, name: bytes, kind: str) -> Reader:
        """Return the input of ``getline``: a file (``<``), a command (``|``) or a coprocess (``|&``).

        Raise OSError if it cannot be opened.
        """
        key = (_READ[kind], name)
        found = self._open.get(key)
        if found is None:
            self._check(name, kind)
            if kind == "|&":
                found = self._open[key] = self._coprocess(name)
            else:
                found = self._open[key] = self._open_input(name, kind)
        if isinstance(found, Input):
            return found.reader
        return cast("TwoWay", found).incoming()

    def _open_input(self, name: bytes, kind: str) -> Input:
        call, text = self.runtime.call, decode(name)
        if kind == "<":
            if text in ("-", "/dev/stdin"):
                stream = call.stdin.retain()
            else:
                stream = call.open(text)
            return Input(Reader(self.runtime, stream, name), None)
        pipe = MemoryPipe(call.scope, call.limits.pipe)
        pipe.reader.retain()
        running = self.start(text, stdout=pipe.writer, beside=True)
        return Input(Reader(self.runtime, output_of(pipe, call), name), running)

    def close(self, name: bytes, end: str = "") -> float:
        """Return the result of ``close(name, end)``: the status, or -1 if no file or command of that name is open.

        Of several with this name it closes the one that was opened last.
        """
        key = next((key for key in reversed(self._open) if key[1] == name), None)
        if key is None:
            self.runtime.set_errno(b"close of redirection that was never opened", 0)
            return -1.0
        found = self._open[key]
        if end and key[0] == "|&" and not cast("TwoWay", found).close_end(end):
            return 0.0  # the other end is still open
        status = self._close(key)
        if status:
            self.runtime.set_errno(b"", 0)  # as gawk, which has no message for it
        return status

    def _close(self, key: tuple[str, bytes]) -> float:
        try:
            return self._open.pop(key).close()
        except BrokenPipeError:
            raise
        except OSError as error:
            self.runtime.failed(error)
            if not self.may_fail(key[1]):
                raise AwkError(f'flush to "{decode(key[1])}" failed: {reason(error)}') from None
            return 0.0

    def flush(self, name: bytes) -> str:
        """Flush an output for ``fflush(name)``; return the text of a warning, or an empty string."""
        key = next((key for key in reversed(self._open) if key[1] == name), None)
        shown = decode(name)
        if key is None:
            return f"fflush: `{shown}' is not an open file, pipe or co-process"
        found = self._open[key]
        if isinstance(found, Input):
            kind = "file" if key[0] == "<" else "pipe"
            return f"fflush: cannot flush: {kind} `{shown}' opened for reading, not writing"
        if found.is_closed():
            return f"fflush: cannot flush: two-way pipe `{shown}' has closed write end"
        return self._flush(found, name, f"fflush: cannot flush file `{shown}'")

    def flush_all(self) -> str:
        """Flush all outputs for ``fflush()``; return the text of a warning, or an empty string."""
        self._flush_own()
        problems = ""
        for (_, name), found in self._open.items():
            if isinstance(found, Output):
                problems = self._flush(found, name, f"file flush of `{decode(name)}' failed") or problems
        return problems

    def _flush_own(self) -> None:
        try:
            self.runtime.call.out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise AwkError(f"fflush: cannot flush standard output: {reason(error)}") from None

    def _flush(self, output: Output, name: bytes, words: str) -> str:
        try:
            output.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            self.runtime.failed(error)
            problem = f"{words}: {reason(error)}"
            if not self.may_fail(name):
                raise AwkError(problem) from None
            return problem
        return ""

    def close_outputs(self) -> None:
        """Close all outputs: printed data reaches its files and commands at the end and also after an error."""
        for key in [key for key, found in self._open.items() if isinstance(found, Output)]:
            self._close(key)

    def close_all(self) -> None:
        """Close everything at the end of the run."""
        self.close_outputs()
        while self._open:
            self._open.popitem()[1].close()

    def abandon(self) -> None:
        """Release everything after a ``Stop`` without waiting: running commands see the end of their pipe."""
        while self._open:
            self._open.popitem()[1].abandon()
