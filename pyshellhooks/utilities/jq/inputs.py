"""The inputs of a run: the values for the main loop, and for ``input`` and ``inputs``.

``open_inputs`` returns JSON values, events of JSON (``--stream``) or lines (``-R``), all with the same interface::

    inputs.next()      -> the next value, or END; raises InputError(message) if the text is not JSON
    inputs.slurped()   -> the rest as one array (-s), or one string (-Rs)
    inputs.file()      -> the name for input_filename, None while nothing was read
    inputs.line()      -> the number for input_line_number
    inputs.position()  -> "<stdin>:3" or "<unknown>", for "jq: error (at <stdin>:3): ..."
    inputs.failures    -> how many files could not be read (messages are on stderr): the final status is 2

With ``slurp`` the first ``next()`` returns the slurped value and the second END. After an ``InputError`` ``next()`` may
be called again, as by ``try input``: jq continues after its last read, which is one line or a block of at most 4 KiB.
With ``--seq`` it continues right after the error. The main loop prints ``jq: parse error: MESSAGE`` and ends with 2, or
with ``--seq`` prints ``jq: ignoring parse error: MESSAGE`` and continues.
"""

from __future__ import annotations

import errno
import os
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

from ...command import reason
from ...errors import Stop
from .errors import InputError
from .json.reading import END, MORE, ParseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...command import Call
    from ...streams import Stream
    from .json.reader import Parser
    from .json.streaming import Streamer
    from .running import Run

__all__ = ["END", "InputError", "Inputs", "JsonInputs", "LineInputs", "open_inputs", "read_file"]

_PIECE: Final = 65536
_BLOCK: Final = 4091  # bytes of a line that jq reads at once; its line numbers depend on it


def open_inputs(
    run: Run,
    names: list[str],
    *,
    raw: bool = False,
    slurp: bool = False,
    seq: bool = False,
    stream: bool = False,
    stream_errors: bool = False,
) -> Inputs:
    """Return the inputs for a command line; nothing is opened yet. Without names they come from standard input."""
    if raw:
        return LineInputs(run, names, slurp)
    if stream or stream_errors:
        from .json.streaming import Streamer

        return JsonInputs(run, names, slurp, Streamer(run.check, seq, stream_errors, run.made))
    from .json.reader import Parser

    return JsonInputs(run, names, slurp, Parser(run.check, seq))


class _Source:
    """The bytes of all files as one text, since in jq a value may continue in the next file.

    ``files`` has the start position and the name of each. With ``apart`` a character ends with its file.
    """

    __slots__ = ("_apart", "_call", "_decode", "_ended", "_names", "_run", "_stream", "failures", "files", "size")

    def __init__(self, run: Run, names: list[str], apart: bool) -> None:

        from .json.utf8 import decoder

        self._run = run
        self._call = run.call
        self._apart = apart
        self._names = iter(names or ["-"])
        self._stream: Stream | None = None
        self._decode = decoder()
        self._ended = False
        self.files: list[tuple[int, str]] = []
        self.failures = 0
        self.size = 0  # characters read

    def read(self) -> str:
        """Return the next piece of the text, "" only at the end."""
        text = ""
        while not text and not self._ended:
            if self._stream is None:
                text = self._open_next()
            else:
                text = self._read_stream(self._stream)
        self.size += len(text)
        return text

    def _open_next(self) -> str:
        name = next(self._names, None)
        if name is None:
            self._ended = True
            return self._decode(b"", True)
        self.files.append((self.size, "<stdin>" if name == "-" else name))
        try:
            self._stream = self._call.open_input(name)
        except OSError as error:
            self.failures += 1
            if error.errno == errno.EISDIR:  # jq opens a directory, and fails to read it
                self._complain(f"jq: error: {reason(error)}")
            else:
                self._complain(f"jq: error: Could not open file {name}: {reason(error)}")
        return ""

    def _read_stream(self, stream: Stream) -> str:
        self._run.check()
        try:
            data = stream.read(_PIECE)
        except OSError as error:
            self.failures += 1
            self._complain(f"jq: error: {reason(error)}")
            data = b""
        if not data:
            self._stream = None
            stream.release()
            return self._decode(b"", True) if self._apart else ""
        self._run.made(4 * len(data) + 64 * (data.count(b"[") + data.count(b"{")))
        return self._decode(data, False)

    def _complain(self, message: str) -> None:
        from ...text import encode

        self._call.out.flush()
        self._call.stderr.write(encode(f"{message}\n"))

    def is_ended(self) -> bool:
        """Return whether nothing is left to read."""
        return self._ended


class Inputs(ABC):
    """Base of JSON inputs and line inputs: the files, and the position in them.

    jq's line number is the number of newlines that it has read, and it reads a line at a time, in blocks of 4091
    bytes. Newlines are counted only when the number is needed, or when the text is dropped.
    """

    __slots__ = ("_block", "_counted", "_file", "_lines", "_run", "_slurp", "_source")

    def __init__(self, run: Run, names: list[str], slurp: bool, apart: bool) -> None:
        self._run = run
        self._source = _Source(run, names, apart)
        self._slurp = slurp
        self._counted = 0  # the position up to which newlines are counted:
        self._file = -1  # the number of the file there,
        self._lines = 0  # its newlines, and the bytes in the block of the last character
        self._block = _BLOCK

    @property
    def failures(self) -> int:
        """The number of files that could not be read."""
        return self._source.failures

    def next(self) -> Any:
        """Return the next input, or END. Raise ``InputError`` if it is not JSON."""
        if self._slurp:
            value = self.slurped()
            self._slurp = False
            return value
        return self._next()

    def file(self) -> str | None:
        """Return the name of the file that was read last, None if none was."""
        number = self._find_file()
        return None if number < 0 else self._source.files[number][1]

    def line(self) -> int:
        """Return the number of newlines that jq has read of that file."""
        self._count()
        if self._file < 0:
            return 0
        return self._lines + self._is_line_read()

    def position(self) -> str:
        """Return ``file:lines`` as in jq's error messages."""
        name = self.file()
        return "<unknown>" if name is None else f"{name}:{self.line()}"

    # -- for the subclasses

    @abstractmethod
    def _next(self) -> Any:
        """Return the next input, or END."""

    @abstractmethod
    def slurped(self) -> Any:
        """Return the rest of the inputs as one value."""

    @abstractmethod
    def _window(self) -> tuple[str, int, int]:
        """Return the buffered text, its start position and the current position."""

    @abstractmethod
    def _has_ended(self) -> bool:
        """Return whether the end was reached, so that jq has opened the last file."""

    def _is_line_read(self) -> bool:
        """Return whether jq has already read the end of the current line."""
        return False

    # -- position

    def _find_file(self) -> int:
        files = self._source.files
        number = len(files) - 1
        if not self._has_ended():
            at = max(self._window()[2], 1)
            while number > 0 and files[number][0] >= at:
                number -= 1
        return number

    def _count(self) -> None:
        """Count the newlines up to the current position."""
        number = self._find_file()
        if number < 0:
            return
        text, start, at = self._window()
        if number != self._file:
            self._file = number
            self._counted = self._source.files[number][0]
            self._lines = 0
            self._block = _BLOCK
        if at <= self._counted:
            return
        begin, end = self._counted - start, at - start
        if begin < 0:  # a byte order mark was dropped
            begin, self._block = 0, 3
        self._counted = at
        newlines = text.count("\n", begin, end)
        if newlines:
            self._lines += newlines
            begin = text.rfind("\n", begin, end) + 1
            self._block = _BLOCK
        if begin < end:
            self._block = _fill(text[begin:end], self._block)


def _fill(text: str, block: int) -> int:
    """Return the bytes in a line's last block after ``text`` was added to a block of ``block`` bytes."""
    if text.isascii():
        if block < _BLOCK:
            return (block + len(text) - 1) % _BLOCK + 1
        return (len(text) - 1) % _BLOCK + 1
    for character in text:
        # A block ends with a whole character.
        if block >= _BLOCK:
            block = 0
        block += len(character.encode("utf-8", "surrogateescape"))
    return block


class JsonInputs(Inputs):
    """The JSON values of the files, or their events with ``--stream``."""

    __slots__ = ("_limit", "_parser", "_slurping")

    def __init__(self, run: Run, names: list[str], slurp: bool, parser: Parser | Streamer) -> None:
        super().__init__(run, names, slurp, False)
        self._parser = parser
        self._slurping: list[Any] = []
        self._limit = run.call.limits.string

    def _next(self) -> Any:
        parser = self._parser
        if parser.failed:
            self._skip_broken_block()
        try:
            while (value := parser.next()) is MORE:
                self._feed()
        except ParseError as error:
            if parser.too_deep:
                # A guard that can't read its payload allows everything, and a sender may nest one like this on purpose.
                raise Stop("limit", f"jq: {error}") from None
            raise InputError(str(error)) from None
        return value

    def slurped(self) -> Any:
        """Return the remaining values as an array; the values before an error are kept for the next call."""
        values = self._slurping
        parser = self._parser
        while (value := self._next()) is not END:
            values.append(value)
            if not len(values) & 1023:
                self._run.check()
            if parser.is_closing():
                self._feed()
                if parser.last:  # jq stops here: the next call reports an unfinished value
                    values.append(parser.next())
                    break
        self._slurping = []
        return values

    def _feed(self) -> None:
        parser = self._parser
        self._count()
        piece = self._source.read()
        parser.feed(piece, not piece)
        if parser.pending() > self._limit:
            raise Stop("limit", f"jq: an input is larger than {self._limit} characters", "string")

    def _window(self) -> tuple[str, int, int]:
        parser = self._parser
        return parser.text, parser.start, parser.position()

    def _has_ended(self) -> bool:
        return self._parser.ended

    def _is_line_read(self) -> bool:
        return self._block_end()[1]

    def _block_end(self) -> tuple[int, bool]:
        """Return the end position of the block that jq has read, and whether it ends with a newline.

        If the block is incomplete, more is read: jq would wait for it, too.
        """
        self._count()
        parser = self._parser
        while True:
            text, start, at = self._window()
            begin = at - start
            files = self._source.files
            # A wrong byte order mark is an error before anything is consumed.
            room = _BLOCK - self._block if at > files[self._file][0] else _BLOCK
            if room <= 0:
                return at, False
            part = text[begin : begin + room]
            newline = part.find("\n")
            if newline >= 0:
                part = part[: newline + 1]
            following = self._file + 1
            if following < len(files) and files[following][0] < at + len(part):
                return files[following][0], False
            if not part.isascii():
                part = _cut(part, room)
            if newline >= 0 and len(part) > newline:
                return at + newline + 1, True
            if len(part.encode("utf-8", "surrogateescape")) >= room or self._source.is_ended():
                return at + len(part), False
            if following < len(files):
                return files[following][0], False
            piece = self._source.read()
            parser.feed(piece, not piece)

    def _skip_broken_block(self) -> None:
        """Continue after the block that jq had read when it found the error."""
        end, _ = self._block_end()
        self._parser.skip(end)


def _cut(text: str, room: int) -> str:
    """Return the start of a text, up to the character that fills ``room`` bytes."""
    for number, character in enumerate(text):
        room -= len(character.encode("utf-8", "surrogateescape"))
        if room <= 0:
            return text[: number + 1]
    return text


class LineInputs(Inputs):
    """``-R``: each line as a string, without its newline."""

    __slots__ = ("_at", "_ended", "_parts", "_parts_size", "_start", "_text")

    def __init__(self, run: Run, names: list[str], slurp: bool) -> None:
        super().__init__(run, names, slurp, True)
        self._text = ""
        self._start = 0
        self._at = 0
        self._parts: list[str] = []
        self._parts_size = 0
        self._ended = False

    def _next(self) -> Any:
        while True:
            text = self._text
            at = self._at
            end = text.find("\n", at)
            if end >= 0:
                self._at = end + 1
                line = text[at:end]
                if not self._parts and line.isascii():
                    return line
                return self._line(line, end)
            if at < len(text):
                self._parts.append(text[at:])
                self._parts_size += len(text) - at
                self._at = len(text)
            if not self._read():
                return self._line("", 0) if self._parts else END

    def slurped(self) -> Any:
        """Return all that is left as one string."""
        parts: list[str] = []
        size = 0
        while True:
            text = self._text[self._at :]
            size += len(text)
            self._bound(size)
            self._at = len(self._text)
            parts.append(text)
            if not self._read():
                break
        text = "".join(parts)
        return self._replace(text, self._start, True)

    def _line(self, text: str, end: int) -> str:
        if self._parts:
            self._parts.append(text)
            text = "".join(self._parts)
            self._parts.clear()
            self._parts_size = 0
        if text.isascii():
            return text
        return self._replace(text, self._start + end, False)

    def _replace(self, text: str, end: int, lines: bool) -> str:
        """Replace invalid UTF-8 as jq does, which decodes each read separately: a line at most, within one file.

        ``end`` is the position of the text's end. With ``lines`` the text consists of lines.
        """
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
        from .json.utf8 import find_escaped

        start = end - len(text)
        ends = [at - start for at, _ in self._source.files if start < at < end]
        parts: list[str] = []
        at = 0
        while (found := find_escaped(text, at)) is not None:
            if not len(parts) & 1023:
                self._run.check()
            while ends and ends[0] <= found.start():
                at = self._keep(parts, text, at, ends.pop(0))
            begin = text.rfind("\n", at, found.start()) + 1 if lines else 0
            at = self._keep(parts, text, at, begin)
            to = text.find("\n", at) + 1 if lines else 0
            to = min(to or len(text), ends[0] if ends else len(text))
            parts.append(_replace_line(text[at:to], self._run.check))
            at = to
        parts.append(text[at:])
        return "".join(parts)

    @staticmethod
    def _keep(parts: list[str], text: str, at: int, end: int) -> int:
        """Append the text from ``at`` to ``end`` unchanged, and return the end."""
        if end <= at:
            return at
        parts.append(text[at:end])
        return end

    def _read(self) -> bool:
        self._count()
        piece = self._source.read()
        self._start += self._at
        self._text = piece
        self._at = 0
        if not piece:
            self._ended = True
        elif self._parts:
            self._bound(self._parts_size)
        return bool(piece)

    def _bound(self, size: int) -> None:
        limit = self._run.call.limits.string
        if size > limit:
            raise Stop("limit", f"jq: an input is larger than {limit} characters", "string")

    def _window(self) -> tuple[str, int, int]:
        return self._text, self._start, self._start + self._at

    def _has_ended(self) -> bool:
        return self._ended


def _replace_line(text: str, check: Callable[[], object]) -> str:
    """Replace invalid UTF-8 in a line, block by block.

    If a block ends inside a sequence that a newline cuts off, jq also joins the next line; this function does not.
    """

    from .json.utf8 import decode, missing, replace_escaped

    if len(text) <= _BLOCK // 3:
        return replace_escaped(text)
    data = text.encode("utf-8", "surrogateescape")
    parts: list[str] = []
    start = 0
    while start < len(data):
        check()
        end = min(start + _BLOCK, len(data))
        if end < len(data):
            end += missing(data, start, end)
        parts.append(decode(data[start:end]))
        start = end
    return "".join(parts)


def read_file(call: Call, name: str, who: str = "jq") -> bytes:
    """Read a whole file (``--rawfile``, ``--slurpfile``, ``-f``). ``who`` raises ``Stop`` past ``Limits.string``."""
    stream = call.open(name, os.O_RDONLY)
    chunks: list[bytes] = []
    size = 0
    try:
        while chunk := stream.read(_PIECE):
            call.check()
            size += len(chunk)
            if size > call.limits.string:
                raise Stop("limit", f"{who}: {name} is larger than {call.limits.string} bytes", "string")
            chunks.append(chunk)
    finally:
        stream.release()
    return b"".join(chunks)
