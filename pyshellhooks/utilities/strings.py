"""strings: print the printable strings of files (GNU binutils 2.40; always the whole file, no object formats)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..command import Call, Flag, Flags, RawArgument, utility
from ..command.call import reason
from ..command.flags import Kind
from ..errors import UsageError
from ..streams.base import Stream
from ..text import encode, paced
from .support.kinds import Loose
from .support.lines import check_buffer_size, read_all
from .support.records import Inputs, blocks

_RADIX = {"o": b"%7o ", "d": b"%7d ", "x": b"%7x "}
# The number of zero bytes before and after the character, for each encoding of more than one byte.
_WIDE = {"b": (1, 0), "l": (0, 1), "B": (3, 0), "L": (0, 3)}


def _class(encoding: str, blanks: bool) -> bytes:
    members = rb"\t-\r\x20-\x7e" if blanks else rb"\t\x20-\x7e"
    if encoding == "S":
        members += rb"\x80-\xff"
    return b"[" + members + b"]"


def _found(call: Call, stream: Stream, encoding: str, least: int, blanks: bool) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, string) of each run."""
    one = _class(encoding, blanks)
    if encoding in _WIDE:
        before, behind = _WIDE[encoding]
        pattern = rb"(?:\0{%d}%s\0{%d}){%d,}" % (before, one, behind, least)
        for match in re.finditer(pattern, read_all(call, stream)):
            yield match.start(), match[0].replace(b"\0", b"")
        return
    search = re.compile(b"%s{%d,}" % (one, least)).finditer
    # Bytes of strings become 1, all others 0, so one rfind finds the start of the last run.
    marks = bytes(re.fullmatch(one, bytes((byte,))) is not None for byte in range(256))
    position = size = 0
    # An unfinished string is joined once: repeated joins of a long one would take quadratic time.
    chunks: list[bytes] = []
    for chunk in blocks(call, stream):
        cut = chunk.translate(marks).rfind(b"\0") + 1
        if not cut:
            chunks.append(chunk)
            size += len(chunk)
            check_buffer_size(call, size)
            continue
        data = b"".join([*chunks, chunk])
        for match in search(data, 0, size + cut):
            yield position + match.start(), match[0]
        position += size + cut
        chunks, size = [chunk[cut:]], len(chunk) - cut
    if size >= least:
        yield position, b"".join(chunks)


class _Files(Inputs):
    __slots__ = ()

    def report(self, name: str, error: OSError) -> None:
        if isinstance(error, IsADirectoryError):
            self.call.error(f"Warning: '{name}' is a directory")
        elif isinstance(error, FileNotFoundError):
            self.call.error(f"'{name}': No such file")
        elif isinstance(error, PermissionError):  # the file exists, but cannot be opened
            self.call.error(f"{name}: {reason(error)}")
        else:
            self.call.error(f"Warning: could not locate '{name}'.  reason: {reason(error)}")
        self.failed = True


def _letter(option: str, known: str) -> Kind:
    def read(argument: RawArgument) -> str:
        if len(argument.text) != 1 or argument.text not in known:
            raise UsageError(f"invalid argument to {option}: {argument.text}")
        return argument.text

    return read


_LEAST = Loose("invalid integer argument {text}", -(10**40), 10**40, base=0)


@utility(
    "strings",
    paths=True,
    summary="Display printable strings in [file(s)] (stdin by default).",
    usage="[option(s)] [file(s)]",
    flags=Flags(
        [
            Flag("-a", "--all", help="scan the entire file (default)"),
            Flag("-f", "--print-file-name", help="print the name of the file before each string"),
            Flag(
                "-n", "--bytes", value="NUMBER", kind=_LEAST, help="print sequences of at least NUMBER characters (4)"
            ),
            Flag(
                "-t",
                "--radix",
                value="RADIX",
                kind=_letter("-t", "".join(_RADIX)),
                help="print the location of the string in base 8, 10 or 16 (o, d, x)",
            ),
            Flag("-w", "--include-all-whitespace", help="include all whitespace as valid string characters"),
            Flag("-o", help="an alias for --radix=o"),
            Flag(
                "-e",
                "--encoding",
                value="ENCODING",
                kind=_letter("-e", "sS" + "".join(_WIDE)),
                help="s: 7-bit, S: 8-bit, b, l: 16-bit, B, L: 32-bit",
            ),
            Flag("-s", "--output-separator", value="STRING", help="string used to separate strings in output"),
            Flag("-h", dest="help", help="display this information"),
            Flag("-v", "-V", "--version", help="print the program's version number"),
        ],
        numeric="bytes",
    ),
)
def strings(call: Call) -> int:
    opts = call.opts
    if opts.version:
        call.out.write(b"strings (pyshellhooks, as GNU binutils) 2.40\n")
        return 0
    least = opts.integer("bytes", 4)
    if not 0 < least < 2**31:
        raise UsageError(f"invalid minimum string length {least}", hint=False)
    radix = "o" if opts.last_of("radix", "o") == "o" else opts.value("radix")
    encoding = opts.value("encoding", "s")
    end = encode(opts.value("output_separator", "\n"))
    # A lone - requests the whole file, which is the default here.
    names = [name for name in paced(call.args) if name != "-"]
    if call.args and not names:
        raise UsageError("no file named")
    inputs = _Files(call, names)
    write = call.out.write
    for name, stream in inputs:
        head = b""
        if opts.print_file_name:
            head = encode("{standard input}: " if name == "-" else f"{name}: ")
        for at, text in _found(call, stream, encoding, least, "include_all_whitespace" in opts):
            place = _RADIX[radix] % at if radix else b""
            write(head + place + text + end)
    return int(inputs.failed)
