"""cat: concatenate files (POSIX XCU cat; GNU coreutils 9.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..command import Call, Direct, Flag, utility
from ..streams.base import Stream
from ..streams.capture import LineWriter
from ..text import paced
from .support.quoting import name_of, report
from .support.records import is_output

_ODD = re.compile(rb"[^\n -~]").search


class _Display:
    """The conversion of -b -E -n -s -T -v, with a state that continues from file to file."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        letters = "".join(_MEANINGS.get(dest, "") for dest, _ in opts.given)
        self.nonblank = opts.number_nonblank
        self.number = opts.number or self.nonblank
        self.squeeze = opts.squeeze_blank
        self.ends = "E" in letters
        self.visible = "v" in letters
        self.tabs = "T" in letters
        shown = visible_bytes(self.tabs) if self.visible else {}
        if self.ends:
            shown[10] = b"$\n"
        self.table = [(shown.get(byte) or bytes((byte,))).decode("latin-1") for byte in range(256)]
        self.by_lines = self.number or self.squeeze
        self.plain = not letters and not self.by_lines
        self.line = 0
        self.at_start = True
        self.blanks = 0
        self.pending = b""  # a CR at the end of a block, which a newline may follow

    def show(self, data: bytes, out: LineWriter) -> None:
        """Write a block."""
        data = self._visible(data) if self.visible else self._with_ends(data)
        out.write(self._by_lines(data) if self.by_lines else data)

    def _visible(self, data: bytes) -> bytes:
        """Convert the bytes for ``-v``, one by one unless all are printable ASCII."""
        if _ODD(data):
            # Via str, since joining many small str objects is faster than joining bytes.
            return "".join(map(self.table.__getitem__, data)).encode("latin-1")
        return data.replace(b"\n", b"$\n") if self.ends else data

    def _with_ends(self, data: bytes) -> bytes:
        """Convert tabs and the ends of lines, without ``-v``."""
        if self.tabs:
            data = data.replace(b"\t", b"^I")
        if self.ends:
            # coreutils 9.1: -E shows a CR before the end of a line even without -v.
            data = self.pending + data
            self.pending = data[-1:] if data.endswith(b"\r") else b""
            data = data.removesuffix(b"\r").replace(b"\r\n", b"^M\n").replace(b"\n", b"$\n")
        return data

    def finish(self, out: LineWriter) -> None:
        """Write the CR that ends the last file."""
        pending, self.pending = self.pending, b""
        out.write(self._by_lines(pending) if self.by_lines else pending)

    def _by_lines(self, data: bytes) -> bytes:
        """Return the lines with numbers (-n, -b) and without repeated empty lines (-s)."""
        lines = data.split(b"\n")
        last = lines.pop()
        made: list[bytes] = []
        if not self.at_start and lines:
            # The rest of a line that began in the previous block and got its number there.
            made.append(lines.pop(0) + b"\n")
            self.at_start = True
        empty = b"$" if self.ends else b""
        for line in lines:
            blank = line == empty
            self.blanks = self.blanks + 1 if blank else 0
            if self.squeeze and self.blanks > 1:
                continue
            if self.number and not (blank and self.nonblank):
                self.line += 1
                made.append(b"%6d\t%b\n" % (self.line, line))
            else:
                made.append(line + b"\n")
        if last:
            if self.at_start:
                self.blanks = 0
                if self.number:
                    self.line += 1
                    made.append(b"%6d\t" % self.line)
            made.append(last)
            self.at_start = False
        return b"".join(made)


def visible_bytes(tabs: bool) -> dict[int, bytes]:
    """Return the ``^X`` and ``M-x`` notation of the bytes that need it; newline never, tab if ``tabs``."""
    unchanged = b"\n" if tabs else b"\n\t"
    table: dict[int, bytes] = {}
    for byte in range(256):
        low = byte & 0x7F
        if low == 127:
            shown = b"^?"
        elif low < 32:
            shown = b"^" + bytes((low + 64,))
        else:
            shown = bytes((low,))
        if byte >= 128:
            table[byte] = b"M-" + shown
        elif len(shown) > 1 and byte not in unchanged:
            table[byte] = shown
    return table


def _copy(call: Call, stream: Stream, display: _Display) -> None:
    plain = display.plain
    while chunk := stream.read(65536):
        if call.scope.stop is not None:
            call.check()
        if plain:
            # Unbuffered, so that data from an interactive writer appears at once.
            call.out.flush()
            call.stdout.write(chunk)
        else:
            display.show(chunk, call.out)


def _direct(words: Sequence[str]) -> Direct | None:
    if words and tuple(words) != ("-",):
        return None
    return lambda data, context: (0, data)


@utility(
    "cat",
    paths=True,
    summary="Concatenate FILE(s) to standard output.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag("-A", "--show-all", help="equivalent to -vET"),
        Flag("-b", "--number-nonblank", help="number nonempty output lines, overrides -n"),
        Flag("-e", help="equivalent to -vE"),
        Flag("-E", "--show-ends", help="display $ at end of each line"),
        Flag("-n", "--number", help="number all output lines"),
        Flag("-s", "--squeeze-blank", help="suppress repeated empty output lines"),
        Flag("-t", help="equivalent to -vT"),
        Flag("-T", "--show-tabs", help="display TAB characters as ^I"),
        Flag("-u", help="(ignored)"),
        Flag("-v", "--show-nonprinting", help="use ^ and M- notation, except for LFD and TAB"),
    ],
    direct=_direct,
)
def cat(call: Call) -> int:
    display = _Display(call)
    status = 0
    for name in paced(call.args or ["-"]):
        try:
            stream = call.open_input(name)
        except OSError as error:
            report(call, name, error)
            status = 1
            continue
        try:
            if is_output(call, stream):
                call.error(f"{name_of(name)}: input file is output file")
                status = 1
            else:
                _copy(call, stream, display)
        except BrokenPipeError:
            raise
        except OSError as error:
            report(call, name, error)
            status = 1
        finally:
            stream.release()
    if display.pending:
        display.finish(call.out)
    return status


# The letters of -v, -E and -T that each option means.
_MEANINGS = {
    "show_all": "vET",
    "e": "vE",
    "t": "vT",
    "show_ends": "E",
    "show_nonprinting": "v",
    "show_tabs": "T",
}
