"""The input lines of sed."""

from __future__ import annotations

import stat
from collections.abc import Callable

from ...command import Call, reason
from ...errors import UsageError
from ...patterns.characters import is_valid
from ...streams.base import Stream
from ..support.lines import check_buffer_size

Line = tuple[bytes, bool]  # a line, and whether it had its newline


class LineReader:
    """Lines of one stream."""

    __slots__ = ("_at", "_call", "_ended", "_separator", "_valid", "buffer", "stream")

    def __init__(self, call: Call, stream: Stream, separator: bytes) -> None:
        self._call = call
        self.stream = stream
        self._separator = separator
        self.buffer = b""
        self._at = 0
        self._ended = False
        self._valid: bool | None = None  # whether the buffer is UTF-8; None: not checked

    def next(self) -> tuple[bytes, bool] | None:
        """Return a line and whether it had its newline, or None at the end."""
        found = self.buffer.find(self._separator, self._at)
        if found < 0:
            chunks = [self.buffer[self._at :]]
            size = len(chunks[0])
            while not self._ended:
                chunk = self.stream.read(65536)
                if not chunk:
                    self._ended = True
                    break
                chunks.append(chunk)
                if self._separator in chunk:
                    break
                size += len(chunk)
                check_buffer_size(self._call, size)
            self.buffer = b"".join(chunks)
            self._at = 0
            self._valid = None
            found = self.buffer.find(self._separator)
            if found < 0:
                rest, self.buffer = self.buffer, b""
                return (rest, False) if rest else None
        line = self.buffer[self._at : found]
        self._at = found + 1
        return line, True

    def has_next(self) -> bool:
        """Return whether the buffer has another whole line."""
        return self.buffer.find(self._separator, self._at) >= 0

    def block(self) -> tuple[bytes, int, int]:
        """Return the buffer, and the start and end of the whole lines in it except the last."""
        last = self.buffer.rfind(self._separator)
        return self.buffer, self._at, self.buffer.rfind(self._separator, self._at, max(last, self._at)) + 1

    def is_valid(self) -> bool:
        """Return whether the buffer is UTF-8."""
        if self._valid is None:
            self._valid = self.buffer.isascii() or is_valid(self.buffer)
        return self._valid

    def skip_to(self, at: int) -> None:
        """Skip the lines of the buffer before an offset."""
        self._at = at

    def give_back(self, more: int) -> None:
        """Seek back over unread data and ``more`` bytes before it, for the next reader. A pipe cannot seek."""
        left = len(self.buffer) - self._at + more
        if left:
            try:
                self.stream.seek(-left, 1)
            except OSError:
                pass  # a pipe


def followed(call: Call, name: str) -> str:
    """Return the final target of a chain of links, spelled as in the links."""
    fs, at = call.fs, name
    for _ in range(40):
        try:
            if not stat.S_ISLNK(fs.stat(call.path(at), follow=False).st_mode):
                return at
            target = fs.readlink(call.path(at))
        except OSError as error:
            raise UsageError(f"couldn't readlink {at}: {reason(error)}", 4, hint=False) from None
        if target.startswith("/"):
            at = target
        else:
            at = at[: at.rfind("/") + 1] + target
    raise UsageError(f"couldn't follow symlink {name}: Too many levels of symbolic links", 4, hint=False)


class Input:
    """The operands as one stream of lines, or one after the other (``-s``, ``-i``).

    Lines are read ahead only to find out whether a line is the last (``$``, ``n``, ``N``). ``opened`` and ``closed``
    are called at the start and end of an edited file. ``follow``: the name of a link is that of its target.
    """

    __slots__ = (
        "_ahead",
        "_call",
        "_closed",
        "_current",
        "_follow",
        "_names",
        "_opened",
        "_opening",
        "_reader",
        "_separate",
        "_separator",
        "file",
        "name",
        "status",
    )

    def __init__(
        self,
        call: Call,
        names: list[str],
        separator: bytes,
        *,
        separate: bool,
        opened: Callable[[str], None] | None = None,
        closed: Callable[[], None] | None = None,
        follow: bool = False,
    ) -> None:
        self._call = call
        self._names = names[::-1]
        self._separator = separator
        self._separate = separate
        self._opened = opened
        self._closed = closed
        self._follow = follow
        self._reader: LineReader | None = None
        self._ahead: tuple[Line, str, int] | None = None
        self._opening = 0  # the number of the file being read
        self._current = "-"  # the name of the file being read, which may be ahead of ``name``
        self.name = "-"  # the name of the current line's file
        self.file = 0  # and its number, as an operand may occur twice
        self.status = 0  # 2 if a file could not be read

    def next(self) -> Line | None:
        """Return the next line."""
        if self._ahead is not None:
            (line, self.name, self.file), self._ahead = self._ahead, None
            return line
        if self._reader is not None and (next := self._reader.next()) is not None:
            self.name, self.file = self._current, self._opening
            return next
        found = self._advance()
        if found is None:
            return None
        line, self.name, self.file = found
        return line

    def is_last(self) -> bool:
        """Return whether no line follows (with ``-s``: in this file)."""
        if self._ahead is not None:
            return False
        if self._reader is not None and self._reader.has_next():
            return False
        if self._separate:
            if self._reader is not None and (line := self._reader.next()) is not None:
                self._ahead = line, self.name, self.file
            return self._ahead is None
        self._ahead = self._advance(looks=True)
        return self._ahead is None

    def reader(self) -> LineReader | None:
        """Return the reader of the next lines, or None if one of them was read ahead."""
        if self._ahead is not None:
            return None
        return self._reader

    def _advance(self, *, looks: bool = False) -> tuple[Line, str, int] | None:
        """Return the next line; ``looks``: only to find out whether there is one."""
        while True:
            if self._reader is None:
                name = self._open_next(looks)
                if name is None:
                    return None
                self._current = name
            assert self._reader is not None
            line = self._reader.next()
            if line is not None:
                return line, self._current, self._opening
            self._close()

    def _open_next(self, looks: bool) -> str | None:
        """Open the next readable file. A directory ends the run, but is skipped while looking ahead (GNU sed 4.9)."""
        while self._names:
            name = self._names.pop()
            edited = self._opened is not None
            # Standard input cannot be edited, so with -i the operand ``-`` is a file.
            is_file = edited or name != "-"
            shown = followed(self._call, name) if self._follow and is_file else name
            try:
                if is_file and self._is_directory(name):
                    if looks:
                        continue
                    raise UsageError(f"read error on {name}: Is a directory", 4, hint=False)
                if edited:
                    stream = self._call.open(name)
                else:
                    stream = self._call.open_input(name)
            except OSError as error:
                self._call.error(f"can't read {name}: {reason(error)}")
                self.status = 2
                continue
            self._reader = LineReader(self._call, stream, self._separator)
            self._opening += 1
            if self._opened is not None:
                self._opened(name)
            return shown
        return None

    def _is_directory(self, name: str) -> bool:
        mode = self._call.fs.stat(self._call.path(name)).st_mode
        if self._opened is not None and not stat.S_ISREG(mode):
            raise UsageError(f"couldn't edit {name}: not a regular file", 4, hint=False)
        return stat.S_ISDIR(mode)

    def _close(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.stream.release()
            if self._closed is not None:
                self._closed()

    def finish(self) -> None:
        """Close. The next reader of standard input continues after the last line used (POSIX XCU 1.4, INPUT FILES)."""
        ends_in_stdin = self._names == [] and self._current == "-"
        if ends_in_stdin and self._reader is not None:
            unused = 0
            if self._ahead is not None:
                (line, ended), _, _ = self._ahead
                unused = len(line) + ended
            self._reader.give_back(unused)
        self._close()
