"""Parsing of xargs's input into items: with POSIX quoting, or separated by delimiters (POSIX XCU xargs)."""

from __future__ import annotations

from collections.abc import Iterator

from ...command import Call
from ...errors import UsageError
from ...regexes import lazy_pattern
from ...streams.base import Stream

_BLANK = b" \t"
_SPACE = b" \t\n\v\f\r"
_PLAIN = lazy_pattern(rb"""[^ \t\n\\'"\0]+""")
_SPECIAL = lazy_pattern(rb"""[\\'"\0\v\f\r]""")
_NEWLINE, _BACKSLASH, _DOUBLE = 10, 92, 34


class Items:
    """Items of a stream. ``lines`` counts the finished lines; ``ended``: no more items follow.

    ``room`` is the maximum size of an item in bytes, ``eof`` the item that marks the end of the input; with ``whole``
    each line is one item.
    """

    __slots__ = ("_at", "_call", "_data", "_eof", "_room", "_stream", "_warned", "_whole", "ended", "lines")

    def __init__(self, call: Call, stream: Stream, room: int, eof: bytes | None, *, whole: bool) -> None:
        self._call = call
        self._stream = stream
        self._room = room
        self._eof = eof
        self._whole = whole
        self._data = b""
        self._at = 0
        self._warned = False
        self.ended = False
        self.lines = 0

    def delimited(self, delimiter: int) -> Iterator[bytes]:
        """Yield the items between delimiters; the last one needs no delimiter."""
        mark = bytes([delimiter])
        rest = b""
        while True:
            self._call.check()
            block = self._stream.read()
            pieces = (rest + block).split(mark)
            rest = pieces.pop()
            for piece in pieces:
                if len(piece) > self._room:
                    raise _too_long()
                self.lines += 1
                yield _cut(piece)
            if len(rest) > self._room:
                raise _too_long()
            if not block:
                break
        if rest:
            self.lines += 1
            yield _cut(rest)

    def words(self) -> Iterator[list[bytes]]:
        """Yield items as long as no byte is special and only blanks separate them; ``line`` continues from there.

        For inputs where neither line ends nor an end string matter.
        """
        rest = b""
        while not self.ended:
            self._call.check()
            block = self._stream.read()
            data = rest + block
            end = max(data.rfind(b" "), data.rfind(b"\t"), data.rfind(b"\n")) + 1
            items = data[:end].split()
            # An item that spans more than two reads ends it too, as each read would scan the item again.
            spans_reads = rest != b"" and not end
            if not block or spans_reads or _SPECIAL.search(block) or self._has_too_long(items):
                self._data, self._at = data, 0
                return
            rest = data[end:]
            yield items

    def _has_too_long(self, items: list[bytes]) -> bool:
        return max(map(len, items), default=0) > self._room

    def _byte(self) -> int:
        """Return the next byte, or -1 at the end."""
        if self._at >= len(self._data):
            self._call.check()
            self._data = self._stream.read()
            self._at = 0
            if not self._data:
                return -1
        self._at += 1
        return self._data[self._at - 1]

    def line(self) -> Iterator[tuple[bytes, bool]]:
        """Yield the items of one line, each with whether it ends the line.

        After trailing blanks a line continues on the next.
        """
        item = bytearray()
        skipping, escaped, quoted = True, False, 0
        first, seen = True, False
        byte = before = 32
        while not self.ended:
            # Most bytes have no meaning: a run of them is taken at once.
            is_plain = not (skipping or escaped or quoted)
            if is_plain and (run := _PLAIN.match(self._data, self._at)):
                byte = self._put_all(item, run.group())
                continue
            before, byte = byte, self._byte()
            if byte < 0:
                yield from self._last(item, first, quoted)
                return
            if skipping:
                if byte in _SPACE:
                    continue
                skipping = False
            if quoted:
                if byte == _NEWLINE:
                    raise _unmatched(quoted)
                if byte == quoted:
                    quoted, seen = 0, True
                    continue
            elif escaped:
                escaped = False
            elif byte == _NEWLINE or (byte in _BLANK and not self._whole):
                # POSIX XCU xargs, -L: a line that ends in a blank continues on the next one.
                self.lines += byte == _NEWLINE and before not in _BLANK
                if not item and not seen:
                    skipping = True
                    continue
                if bytes(item) == self._eof:
                    self.ended = True
                    return
                yield _cut(item), byte == _NEWLINE
                if byte == _NEWLINE:
                    return
                item = bytearray()
                skipping, first, seen = True, False, False
                continue
            elif byte == _BACKSLASH:
                escaped = True
                continue
            elif byte in b"'\"":
                quoted = byte
                continue
            self._put(item, byte)

    def _put(self, item: bytearray, byte: int) -> None:
        if byte == 0 and not self._warned:
            self._warned = True
            self._call.error(
                "WARNING: a NUL character occurred in the input.  It cannot be passed through in the argument list.  "
                "Did you mean to use the --null option?"
            )
        if len(item) >= self._room:
            raise _too_long()
        item.append(byte)

    def _put_all(self, item: bytearray, run: bytes) -> int:
        """Append bytes without special ones. Return the last one."""
        self._at += len(run)
        if len(item) + len(run) > self._room:
            raise _too_long()
        item += run
        return run[-1]

    def _last(self, item: bytearray, first: bool, quoted: int) -> Iterator[tuple[bytes, bool]]:
        """Yield the last item at the end of the input. An end string counts there only if it is alone on its line."""
        self.ended = True
        if item and quoted:  # an unclosed empty quote is ignored
            raise _unmatched(quoted)
        is_end = first and bytes(item) == self._eof
        if item and not is_end:
            yield _cut(item), True


def _cut(item: bytes | bytearray) -> bytes:
    """Return the part of an item before a NUL, like a C string."""
    return bytes(item).partition(b"\0")[0]


def _too_long() -> UsageError:
    return UsageError("argument line too long", 1, hint=False)


def _unmatched(quoted: int) -> UsageError:
    kind = "double" if quoted == _DOUBLE else "single"
    return UsageError(
        f"unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option", 1, hint=False
    )
