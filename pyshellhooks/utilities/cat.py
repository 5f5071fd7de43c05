"""cat: concatenate files (POSIX XCU cat; GNU coreutils 9.1)."""

from __future__ import annotations

from collections.abc import Sequence

from ..command import Call, Direct, Flag, utility
from ..streams.base import Stream
from ..streams.capture import LineWriter
from .quoting import name_of, report


class _Display:
    """What -b -E -n -s -T -v do to a stream of bytes, across the files."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        every = opts.show_all is True
        self.nonblank = opts.number_nonblank is True
        self.number = opts.number is True or self.nonblank
        self.squeeze = opts.squeeze_blank is True
        self.ends = every or opts.show_ends is True or opts.e is True
        self.visible = every or opts.show_nonprinting is True or opts.e is True or opts.t is True
        tabs = every or opts.show_tabs is True or opts.t is True
        self.table = visible_bytes(tabs) if self.visible else {9: b"^I"} if tabs else {}
        self.line = 0
        self.at_start = True
        self.blanks = 0

    @property
    def plain(self) -> bool:
        return not (self.number or self.squeeze or self.ends or self.table)

    def show(self, piece: bytes, out: LineWriter) -> None:
        """Write one line, or a piece of one that its block cut."""
        newline = piece.endswith(b"\n")
        text = piece[:-1] if newline else piece
        if self.at_start:
            blank = newline and not text
            self.blanks = self.blanks + 1 if blank else 0
            if self.squeeze and self.blanks > 1:
                return
            if self.number and not (blank and self.nonblank):
                self.line += 1
                out.write(b"%6d\t" % self.line)
        if self.table:
            table = self.table
            text = b"".join([table.get(byte) or bytes((byte,)) for byte in text])
        if newline and self.ends:
            # 9.1: a CR before the end of the line is shown with -E, without -v too.
            if not self.visible and text.endswith(b"\r"):
                text = text[:-1] + b"^M"
            text += b"$"
        out.write(text + b"\n" if newline else text)
        self.at_start = newline


def visible_bytes(tabs: bool) -> dict[int, bytes]:
    """Give the ``^X`` and ``M-x`` notation of the bytes that need it; newline never, tab if ``tabs``."""
    table: dict[int, bytes] = {}
    for byte in range(256):
        low = byte & 0x7F
        shown = b"^?" if low == 127 else b"^" + bytes((low + 64,)) if low < 32 else bytes((low,))
        if byte >= 128:
            table[byte] = b"M-" + shown
        elif (low < 32 or low == 127) and byte != 10 and (tabs or byte != 9):
            table[byte] = shown
    return table


def _copy(call: Call, stream: Stream, display: _Display) -> None:
    plain = display.plain
    while chunk := stream.read(65536):
        if call.scope.stop is not None:
            call.check()
        if plain:
            # Straight on, so that an interactive writer is seen at once.
            call.out.flush()
            call.stdout.write(chunk)
        else:
            for piece in chunk.splitlines(True) if b"\r" not in chunk else _lines(chunk):
                display.show(piece, call.out)


def _lines(chunk: bytes) -> list[bytes]:
    pieces = [piece + b"\n" for piece in chunk.split(b"\n")]
    last = pieces.pop()[:-1]
    return [*pieces, last] if last else pieces


def _is_output(call: Call, stream: Stream) -> bool:
    """Say whether a regular file would be copied to its own end for ever."""
    source, goal = stream.path(), call.stdout.path()
    if source is None or goal is None or source != goal or source.startswith("/dev/"):
        return False
    try:
        return call.fs.stat(source).st_size > 0
    except OSError:
        return False


def _direct(words: Sequence[str]) -> Direct | None:
    return (lambda data, surroundings: (0, data)) if not words or tuple(words) == ("-",) else None


@utility(
    "cat",
    summary="Concatenate FILE(s) to standard output.",
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
    for name in call.args or ["-"]:
        try:
            stream = call.open_input(name)
        except OSError as error:
            report(call, name, error)
            status = 1
            continue
        try:
            if name != "-" and _is_output(call, stream):
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
    return status
