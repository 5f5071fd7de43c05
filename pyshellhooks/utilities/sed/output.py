"""The output files of sed."""

from __future__ import annotations

import stat

from ...command import Call, reason
from ...errors import UsageError
from ...streams.base import Stream
from ...streams.capture import LineWriter
from ..support.beside import create_beside
from .settings import Settings


class Output:
    """An output file. A last line without newline gets one only if more output follows."""

    __slots__ = ("_missing", "_separator", "stream", "writer")

    def __init__(self, writer: LineWriter, separator: bytes, stream: Stream | None = None) -> None:
        self.writer = writer
        self._separator = separator
        self._missing = False
        self.stream = stream  # to release at the end; None for the call's own output

    def line(self, text: bytes, ended: bool) -> None:
        """Write a line, with a newline if the input line had one."""
        if self._missing:
            self.complete()
        if ended:
            self.writer.write(text + self._separator)
        else:
            self.writer.write(text)
            self._missing = True

    def text(self, text: bytes) -> None:
        """Write bytes unchanged."""
        self.complete()
        self.writer.write(text)

    def complete(self) -> None:
        """Write the newline that the last line lacks."""
        if self._missing:
            self.writer.write(self._separator)
            self._missing = False

    def close(self) -> None:
        """Flush, and release a file."""
        self.writer.flush()
        if self.stream is not None:
            self.stream.release()
            self.stream = None


class Edited:
    """A file edited in place (``-i``): a temporary file that replaces it at the end."""

    __slots__ = ("_call", "_name", "_path", "_suffix", "_temporary", "output")

    def __init__(self, call: Call, name: str, settings: Settings) -> None:
        self._call = call
        self._name = name
        self._path = call.path(name)
        self._suffix = settings.suffix
        mode = stat.S_IMODE(call.fs.stat(self._path).st_mode)
        if settings.follow:
            self._path = call.fs.realpath(self._path)
        self._temporary, stream = _create_beside(call, name, self._path, mode)
        self.output = Output(LineWriter(stream), settings.separator, stream)

    def commit(self) -> None:
        """Replace the file, after renaming the old one to its backup if ``-i`` has a suffix."""
        self.output.close()
        fs, path = self._call.fs, self._path
        if self._suffix:
            directory, slash, base = path.rpartition("/")
            if "*" in self._suffix:
                backup = self._suffix.replace("*", base)
            else:
                backup = base + self._suffix
            if "/" in backup:
                goal = self._call.path(backup)
            else:
                goal = f"{directory}{slash}{backup}"
            try:
                fs.rename(path, goal)
            except OSError as error:
                fs.unlink(self._temporary)
                raise UsageError(f"cannot rename {self._name}: {reason(error)}", 4, hint=False) from None
        fs.rename(self._temporary, path)

    def abandon(self) -> None:
        """Leave the original file unchanged."""
        self.output.close()
        self._call.fs.unlink(self._temporary)


def _create_beside(call: Call, name: str, path: str, mode: int) -> tuple[str, Stream]:
    try:
        temporary, stream = create_beside(call, path, "sed")
    except OSError as error:
        shown = f"{name.rpartition('/')[0] or '.'}/{str(error.filename).rpartition('/')[2]}"
        raise UsageError(f"couldn't open temporary file {shown}: {reason(error)}", 4, hint=False) from None
    call.fs.chmod(temporary, mode)
    return temporary, stream
