"""fold: wrap lines to a width (POSIX XCU fold; GNU coreutils 9.1, where a column is a byte)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from ..command import Call, Flag, Flags, utility
from ..command.flags import Options
from .support.kinds import Count
from .support.records import BLOCK, Inputs, split_blocks

_MOST = 4 * BLOCK  # maximum bytes to split with one regular expression
_AT_ONCE = 4096  # output lines between two checks for a stop
_MOVES = re.compile(rb"[\b\t\r]").search
_DIGIT = re.compile(r"-([bs]*)(\d.*)", re.DOTALL)
_WIDTH = Count("number of columns", 1, 2**64 - 10)


class _FoldFlags(Flags):
    """Options with the width as digits (``-b9``): the rest of the word after the first digit is the width."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        words: list[str] = []
        for at, word in enumerate(argv):
            if word == "--":
                words += argv[at:]
                break
            match = _DIGIT.fullmatch(word)
            is_value = words[-1:] in (["-w"], ["--width"])
            if match is not None and not is_value:
                words.append(f"-{match[1]}w{match[2]}")
            else:
                words.append(word)
        return super().parse(words, env)


def _column(column: int, byte: int) -> int:
    """Return the column after a byte."""
    if byte == _BACKSPACE:
        return max(0, column - 1)
    if byte == _RETURN:
        return 0
    if byte == _TAB:
        return column + 8 - column % 8
    return column + 1


def _cutter(width: int, spaces: bool) -> Callable[[bytes], list[bytes]]:
    """Return a function that splits a text of single-column bytes in one pass, in linear time."""
    whole = rb"[^\n]{1,%d}" % width
    if spaces:
        whole = rb"[^\n]{1,%d}+(?![^\n])|[^\n]{0,%d}[ \t]|[^\n]{%d}" % (width, width - 1, width)
    return re.compile(rb"(" + whole + rb")\n?|\n").findall


def _after_blank(text: bytes | bytearray, start: int, end: int) -> int:
    """Return the place after the last blank of a part of a text, or 0 without one."""
    return max(text.rfind(b" ", start, end), text.rfind(b"\t", start, end)) + 1


def _plain(text: bytes, width: int, spaces: bool) -> Iterator[bytes]:
    """Fold a text in which each byte is one column wide."""
    at = 0
    while len(text) - at > width:
        end = at + width
        if spaces:
            end = _after_blank(text, at, end) or end
        yield text[at:end]
        at = end
    yield text[at:]


def _tabbed(text: bytes, width: int, spaces: bool) -> Iterator[bytes]:
    """Fold a text of tabs and of bytes that are one column wide."""
    start = 0
    while start < len(text):
        end = _reach(text, start, width)
        if end < len(text) and spaces:
            end = _after_blank(text, start, end) or end
        yield text[start:end]
        start = end


def _reach(text: bytes, start: int, width: int) -> int:
    """Return the end of the output line that begins at ``start``; a tab wider than the width is a line by itself."""
    at, column = start, 0
    while at < len(text):
        tab = text.find(b"\t", at)
        end = tab if tab >= 0 else len(text)
        if end - at > width - column:
            return at + width - column
        column += end - at
        if tab < 0:
            return end
        column += 8 - column % 8
        if column > width:
            return max(end, start + 1)
        at = end + 1
    return at


def _moving(text: bytes, width: int, spaces: bool) -> Iterator[bytes]:
    """Fold a text with tabs, backspaces and carriage returns."""
    buffer = bytearray()
    column = 0
    for byte in text:
        while True:
            after = _column(column, byte)
            if after <= width:
                break
            cut = _after_blank(buffer, 0, len(buffer)) if spaces else 0
            if cut:
                yield bytes(buffer[:cut])
                del buffer[:cut]
                # The rest moves to the next line, so its columns are counted again.
                column = 0
                for rest in buffer:
                    column = _column(column, rest)
            elif not buffer:
                break
            else:
                yield bytes(buffer)
                buffer.clear()
                column = 0
        buffer.append(byte)
        column = after
    yield bytes(buffer)


def _fold(call: Call, line: bytes, width: int, spaces: bool, by_bytes: bool) -> Iterator[bytes]:
    """Yield a line with the newlines that fold it."""
    text = line[:-1] if line.endswith(b"\n") else line
    if by_bytes:
        way = _plain
    elif b"\b" in text or b"\r" in text:
        way = _moving
    elif b"\t" in text:
        if len(text) <= width and len(text.expandtabs(8)) <= width:
            yield line
            return
        way = _tabbed
    else:
        way = _plain
    folded = way(text, width, spaces)
    between = b""
    while some := list(islice(folded, _AT_ONCE)):
        call.check()
        yield between + b"\n".join(some)
        between = b"\n"
    yield line[len(text) :]


@utility(
    "fold",
    paths=True,
    summary="Wrap input lines in each FILE, writing to standard output.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=_FoldFlags(
        [
            Flag("-b", "--bytes", help="count bytes rather than columns"),
            Flag("-s", "--spaces", help="break at spaces"),
            Flag("-w", "--width", value="WIDTH", kind=_WIDTH, help="use WIDTH columns instead of 80"),
        ],
    ),
    filters=True,
)
def fold(call: Call) -> int:
    opts = call.opts
    width, spaces, by_bytes = opts.integer("width", 80), opts.spaces, opts.bytes
    # A line of at most this many bytes fits: a byte takes at most 8 columns, a tab.
    short = width if by_bytes else width // 8
    pieces = _cutter(min(width, _MOST), spaces)
    inputs = Inputs(call, call.args)
    write = call.out.write
    for _, stream in inputs:
        for lines, ended in split_blocks(call, stream, b"\n"):
            end = b"\n" if ended else b""
            text = b"\n".join(lines) + end
            if len(text) <= _MOST and (by_bytes or not _MOVES(text)):
                write(b"\n".join(pieces(text)) + end)
                continue
            for line in lines:
                line += end
                if len(line) <= short:
                    write(line)
                    continue
                for piece in _fold(call, line, width, spaces, by_bytes):
                    write(piece)
    return int(inputs.failed)


_BACKSPACE, _TAB, _RETURN = b"\b\t\r"
