"""The lines sed reads and the files it writes."""

from __future__ import annotations

import os
import stat

from ...command import Call, reason
from ...errors import UsageError
from ...streams.base import Stream
from ...streams.capture import LineWriter


class LineReader:
    """Lines of one stream."""

    __slots__ = ("_at", "_buffer", "_ended", "_separator", "stream")

    def __init__(self, stream: Stream, separator: bytes) -> None:
        self.stream = stream
        self._separator = separator
        self._buffer = b""
        self._at = 0
        self._ended = False

    def next(self) -> tuple[bytes, bool] | None:
        """Give a line and whether it had its end, or None."""
        found = self._buffer.find(self._separator, self._at)
        if found < 0:
            chunks = [self._buffer[self._at :]]
            while not self._ended:
                chunk = self.stream.read(65536)
                if not chunk:
                    self._ended = True
                    break
                chunks.append(chunk)
                if self._separator in chunk:
                    break
            self._buffer = b"".join(chunks)
            self._at = 0
            found = self._buffer.find(self._separator)
            if found < 0:
                rest, self._buffer = self._buffer, b""
                return (rest, False) if rest else None
        line = self._buffer[self._at : found]
        self._at = found + 1
        return line, True

    def give_back(self) -> None:
        """Leave what was read ahead to the next reader, where the stream can seek."""
        left = len(self._buffer) - self._at
        if left:
            try:
                self.stream.seek(-left, 1)
            except OSError:
                pass  # a pipe


class Output:
    """A place sed writes to; a last line without its end is completed only when more follows."""

    __slots__ = ("_missing", "_separator", "stream", "writer")

    def __init__(self, writer: LineWriter, separator: bytes, stream: Stream | None = None) -> None:
        self.writer = writer
        self._separator = separator
        self._missing = False
        self.stream = stream  # to release at the end; None for the call's own

    def line(self, text: bytes, ended: bool) -> None:
        """Write a line, with its end if it had one."""
        if self._missing:
            self.complete()
        if ended:
            self.writer.write(text + self._separator)
        else:
            self.writer.write(text)
            self._missing = True

    def text(self, text: bytes) -> None:
        """Write bytes as they are."""
        self.complete()
        self.writer.write(text)

    def complete(self) -> None:
        """Write the end that the last line lacked."""
        if self._missing:
            self.writer.write(self._separator)
            self._missing = False

    def close(self) -> None:
        """Flush, and let go of a file."""
        self.writer.flush()
        if self.stream is not None:
            self.stream.release()
            self.stream = None


class Edited:
    """A file being edited in place: written aside, put in place at the end (``-i``)."""

    __slots__ = ("_call", "_name", "_suffix", "_temporary", "output")

    def __init__(self, call: Call, name: str, suffix: str, separator: bytes) -> None:
        self._call = call
        self._name = name
        self._suffix = suffix
        mode = stat.S_IMODE(call.fs.stat(call.path(name)).st_mode)
        self._temporary, stream = _create_beside(call, call.fs.realpath(call.path(name)), mode)
        self.output = Output(LineWriter(stream), separator, stream)

    def commit(self) -> None:
        """Put the new contents in place, the old ones under the backup's name if one is wanted."""
        self.output.close()
        fs, path = self._call.fs, self._call.path(self._name)
        if self._suffix:
            directory, slash, base = path.rpartition("/")
            backup = self._suffix.replace("*", base) if "*" in self._suffix else base + self._suffix
            if "/" in backup:
                fs.rename(path, self._call.path(backup))
            else:
                fs.rename(path, f"{directory}{slash}{backup}")
        fs.rename(self._temporary, path)

    def abandon(self) -> None:
        """Leave the file as it was."""
        self.output.close()
        self._call.fs.unlink(self._temporary)


def _create_beside(call: Call, path: str, mode: int) -> tuple[str, Stream]:
    directory = path.rpartition("/")[0]
    for number in range(10000):
        temporary = f"{directory}/sed{os.urandom(3).hex()}" if number else f"{directory}/sed{id(call) & 0xFFFFFF:06x}"
        try:
            stream = call.fs.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600).retain()
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(f"couldn't open temporary file {temporary}: {reason(error)}", 4, hint=False) from None
        call.fs.chmod(temporary, mode)
        return temporary, stream
    raise FileExistsError


class Input:
    """The operands as one stream of lines, or one after the other (``-s``, ``-i``).

    Nothing is read ahead until somebody asks for the last line (``$``, ``n``, ``N``).
    """

    __slots__ = ("_ahead", "_call", "_names", "_reader", "_separate", "_separator", "failed", "name", "opened")

    def __init__(self, call: Call, names: list[str], separator: bytes, separate: bool) -> None:
        self._call = call
        self._names = list(reversed(names))
        self._separator = separator
        self._separate = separate
        self._reader: LineReader | None = None
        self._ahead: tuple[bytes, bool] | None = None
        self.name = "-"
        self.failed = 0  # exit status of what could not be read
        self.opened = 0  # how many files were opened

    def _open_next(self) -> bool:
        while self._names:
            name = self._names.pop()
            try:
                if name != "-":
                    self._check_kind(name)
                stream = self._call.open_input(name)
            except OSError as error:
                self._call.error(f"can't read {name}: {reason(error)}")
                self.failed = 2
                continue
            except _NotEditableError as refusal:
                self._call.error(str(refusal))
                self.failed = refusal.status
                continue
            self._reader = LineReader(stream, self._separator)
            self.name = name
            self.opened += 1
            return True
        return False

    in_place = False

    def _check_kind(self, name: str) -> None:
        mode = self._call.fs.stat(self._call.path(name)).st_mode
        if self.in_place and not stat.S_ISREG(mode):
            raise _NotEditableError(f"couldn't edit {name}: not a regular file", 4)
        if stat.S_ISDIR(mode):
            raise _NotEditableError(f"read error on {name}: Is a directory", 2)
