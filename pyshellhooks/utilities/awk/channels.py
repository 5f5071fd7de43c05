"""What a program writes to and reads from beside its input: files and commands, by their names (POSIX XCU awk, getline).

Commands run as ``sh -c`` through ``Call.start``. One that is written to gets its input when it is closed, unless there is
more than a block of it or the program flushes: then it runs beside us, on a pipe.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...command import reason
from ...command.call import Running
from ...errors import Stop
from ...streams.base import BytesReader, Stream
from ...streams.capture import LineWriter
from ...streams.pipe import MemoryPipe
from ...text import decode
from .reader import Reader
from .values import AwkError

if TYPE_CHECKING:
    from .runtime import Runtime


def status_of(running: Running) -> float:
    """Wait for a command and give its status as gawk does: 256 and the number of the signal that ended it."""
    code = running.wait()
    return float(code if running.signaled is None else 256 + running.signaled)


class Output:
    """A file, or our own stdout or stderr."""

    __slots__ = ("_owned", "_unbuffered", "_writer")

    def __init__(self, writer: LineWriter, owned: bool, unbuffered: bool = False) -> None:
        self._writer = writer
        self._owned = owned
        self._unbuffered = unbuffered

    def write(self, data: bytes) -> None:
        """Write."""
        self._writer.write(data)
        if self._unbuffered:
            self._writer.flush()

    def flush(self) -> None:
        """Pass on what is gathered."""
        self._writer.flush()

    def close(self) -> float:
        """Flush and let go."""
        self._writer.flush()
        if self._owned:
            self._writer.stream.release()
        return 0.0


class CommandOutput(Output):
    """A command that reads what is printed."""

    __slots__ = ("_channels", "_command", "_parts", "_pipe", "_running", "_size")

    def __init__(self, channels: Channels, command: str) -> None:
        self._channels = channels
        self._command = command
        self._parts: list[bytes] = []
        self._size = 0
        self._pipe: MemoryPipe | None = None
        self._running: Running | None = None

    def write(self, data: bytes) -> None:
        """Write; what is more than a block starts the command."""
        self._parts.append(data)
        self._size += len(data)
        if self._size >= 32768:
            self.flush()

    def flush(self) -> None:
        """Start the command, and pass on what is gathered."""
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
        """Return the command the end of its input, and its status."""
        if self._pipe is None:
            data, self._parts = b"".join(self._parts), []
            return status_of(self._channels.start(self._command, stdin=BytesReader(data)))
        try:
            self.flush()
        except BrokenPipeError:
            pass  # it ended without reading all
        self._pipe.writer.release()
        assert self._running is not None
        return status_of(self._running)


class Input:
    """A file or command that getline reads."""

    __slots__ = ("_running", "reader")

    def __init__(self, reader: Reader, running: Running | None) -> None:
        self.reader = reader
        self._running = running

    def close(self) -> float:
        """Let go; give a command's status."""
        self.reader.close()
        return 0.0 if self._running is None else status_of(self._running)


class Channels:
    """All that is open, by name."""

    __slots__ = ("_inputs", "_outputs", "runtime")

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._outputs: dict[bytes, Output] = {}
        self._inputs: dict[bytes, Input] = {}

    def start(
        self, command: str, *, stdin: Stream | None = None, stdout: Stream | None = None, beside: bool = False
    ) -> Running:
        """Start a command of the program; ``beside``: on a thread of its own."""
        runtime = self.runtime
        runtime.call.out.flush()
        for output in self._outputs.values():
            if output.__class__ is Output:
                output.flush()
        call = runtime.call
        return call.start(
            ["sh", "-c", command],
            stdin=stdin,
            stdout=stdout,
            env=runtime.environment(),
            scope=call.scope if beside else None,
        )

    def _check_count(self) -> None:
        most = self.runtime.call.limits.open_files
        if len(self._outputs) + len(self._inputs) >= most:
            raise Stop("limit", f"more than {most} open files", "open_files")

    def output(self, name: bytes, operator: str) -> Output:
        """Return what ``print > name`` writes to, opened at its first use."""
        found = self._outputs.get(name)
        if found is not None:
            return found
        if not name:
            raise AwkError(f"expression for `{operator}' redirection has null string value")
        self._check_count()
        found = self._outputs[name] = self._open_output(decode(name), operator)
        return found

    def _open_output(self, name: str, operator: str) -> Output:
        call = self.runtime.call
        if operator == "|":
            return CommandOutput(self, name)
        if name in ("/dev/stdout", "-"):
            return Output(call.out, False)
        if name == "/dev/stderr":
            return Output(LineWriter(call.stderr.stream), False, True)
        flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if operator == ">>" else os.O_TRUNC)
        try:
            return Output(LineWriter(call.open(name, flags)), True)
        except OSError as error:
            raise AwkError(f"cannot redirect to `{name}': {reason(error)}") from None

    def file(self, name: bytes) -> Reader:
        """Return the reader of ``getline < name``; OSError where it cannot be opened."""
        found = self._inputs.get(name)
        if found is None:
            if not name:
                raise AwkError("expression for `<' redirection has null string value")
            self._check_count()
            call, text = self.runtime.call, decode(name)
            stream = call.stdin.retain() if text in ("-", "/dev/stdin") else call.open(text)
            found = self._inputs[name] = Input(Reader(self.runtime, stream), None)
        return found.reader

    def command(self, name: bytes) -> Reader:
        """Return the reader of ``name | getline``."""
        found = self._inputs.get(name)
        if found is None:
            if not name:
                raise AwkError("expression for `|' redirection has null string value")
            self._check_count()
            call = self.runtime.call
            pipe = MemoryPipe(call.scope, call.limits.pipe)
            reader = pipe.reader
            reader.retain()
            running = self.start(decode(name), stdout=pipe.writer, beside=True)
            found = self._inputs[name] = Input(Reader(self.runtime, reader), running)
        return found.reader

    def close(self, name: bytes) -> float:
        """Do ``close(name)``: the status, -1 where nothing of that name is open."""
        status = -1.0
        output = self._outputs.pop(name, None)
        if output is not None:
            status = output.close()
        source = self._inputs.pop(name, None)
        if source is not None:
            status = source.close()
        return status

    def flush(self, name: bytes | None = None) -> float:
        """Do ``fflush``."""
        if name is None:
            self.runtime.call.out.flush()
            for output in self._outputs.values():
                output.flush()
            return 0.0
        found = self._outputs.get(name)
        if found is None:
            return -1.0
        found.flush()
        return 0.0

    def close_all(self) -> None:
        """Close everything at the end of the run."""
        while self._outputs:
            self._outputs.pop(next(iter(self._outputs))).close()
        while self._inputs:
            self._inputs.popitem()[1].close()

    def abandon(self) -> None:
        """Let go of the files after a fatal error or a stop; commands that run see the end of their pipe."""
        for source in self._inputs.values():
            source.reader.close()
        self._inputs.clear()
        for output in self._outputs.values():
            if output.__class__ is Output:
                output.close()
        self._outputs.clear()
