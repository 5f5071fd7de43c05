"""Implementation of od."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

from ...command import Call, RawArgument
from ...errors import Stop, UsageError
from ...streams.base import Stream
from ...text import encode
from ..support.quoting import report
from ..support.records import BLOCK
from .formats import Format, parse_type

_OLD = {
    "a": "a", "b": "o1", "c": "c", "d": "u2", "D": "u4", "e": "fD", "f": "fF", "h": "x2", "H": "x4", "i": "dI",
    "I": "dL", "o": "o2", "O": "o4", "s": "d2",
}  # fmt: skip
_ADDRESSES = {"o": ("%07o", 7), "d": ("%07d", 7), "x": ("%06x", 6), "n": ("", 0)}
_MODERN = ("address_radix", "skip_bytes", "read_bytes", "format", "output_duplicates", "strings", "width", "endian")


class _Source:
    """The files of a call as one stream of bytes, opened one after the other."""

    def __init__(self, call: Call, names: list[str]) -> None:
        self.call = call
        self.names = iter(names or ["-"])
        self.stream: Stream | None = None
        self.failed = False
        self.ended = False
        self.opened = False

    def read(self, size: int) -> bytes:
        """Return ``size`` bytes, fewer only at the end of the last file."""
        parts: list[bytes] = []
        while size > 0 and not self.ended:
            self.call.check()
            if self.stream is None:
                self._open()
                continue
            chunk = self.stream.read(min(size, BLOCK))
            if not chunk:
                self.close()
                continue
            parts.append(chunk)
            size -= len(chunk)
        return b"".join(parts)

    def _open(self) -> None:
        name = next(self.names, None)
        if name is None:
            self.ended = True
            return
        try:
            self.stream = self.call.open_input(name)
            self.opened = True
        except OSError as error:
            report(self.call, name, error)
            self.failed = True
            self.opened |= isinstance(error, IsADirectoryError)  # GNU od opens a directory and fails to read it

    def skip(self, size: int) -> None:
        while size > 0:
            taken = len(self.read(min(size, BLOCK)))
            if not taken and not self.opened:
                return
            if not taken:
                raise UsageError("cannot skip past end of combined input", hint=False)
            size -= taken

    def close(self) -> None:
        if self.stream is not None:
            self.stream.release()
            self.stream = None


def radix_of(argument: RawArgument) -> str:
    """Return the radix of ``-A``, the first letter of its argument; raise UsageError if it is invalid."""
    radix = argument.text[:1]
    if radix not in _ADDRESSES:
        why = "it must be one character from [doxn]"
        raise UsageError(f"invalid output address radix '{radix or chr(0)}'; {why}", hint=False)
    return radix


def _formats(call: Call) -> list[Format]:
    order = ">" if call.opts.value("endian") == "big" else "<"
    formats: list[Format] = []
    for dest, value in call.opts.given:
        if dest == "format":
            text = value
        else:
            text = _OLD.get(dest)
        if text is not None:
            formats += parse_type(call, text, order)
    return formats or parse_type(call, "o2", order)


def _offset(text: str) -> int | None:
    """Parse an offset in the old syntax, or return None.

    It is octal, with ``b`` and ``B`` for blocks of 512 and 1,024 bytes, or hexadecimal with ``0x``.
    """
    digits = text.removeprefix("+")
    if digits.lower().startswith("0x"):
        base, unit, digits = 16, 1, digits[2:]
    else:
        base, unit = 8, {"b": 512, "B": 1024}.get(digits[-1:], 1)
        if unit > 1:
            digits = digits[:-1]
    if not digits.isalnum():
        return None
    try:
        return int(digits[:30], base) * unit
    except ValueError:
        return None


def _old_operands(call: Call) -> int:
    """Remove the offset of the old syntax (``od FILE +10``) from the operands and return it, 0 without one.

    A newer option on the command line disables the old syntax.
    """
    args = call.args
    if not args or len(args) > 2:
        return 0
    if any(dest in call.opts for dest in _MODERN):
        return 0
    last = args[-1]
    # A number without "+" may be the name of a file, unless another operand is before it (POSIX XCU od).
    follows_file = len(args) == 2
    old = last.startswith("+") or (follows_file and last[:1] in tuple("0123456789"))
    if not old:
        return 0
    offset = _offset(last)
    if offset is None:
        return 0
    args.pop()
    return offset


class _Dump:
    """The output lines of one call."""

    def __init__(self, call: Call, formats: list[Format], radix: str) -> None:
        self.call = call
        self.formats = formats
        self.address, self.indent = _ADDRESSES[radix]
        unit = lcm(*(form.size for form in formats))
        if unit < 16:
            self.width = unit * (16 // unit)
        else:
            self.width = unit
        if "width" in call.opts:
            wanted = call.opts.integer("width", 32)
            if not wanted or wanted % unit:
                call.error(f"warning: invalid width {wanted}; using {unit} instead")
                wanted = unit
            if wanted > call.limits.string // 8:
                raise Stop("limit", f"a line of od is longer than {call.limits.string // 8} bytes", "string")
            self.width = wanted
        widest = max((form.width + 1) * (self.width // form.size) for form in formats)
        for form in formats:
            form.pad = widest - form.width * (self.width // form.size)
        if len({(form.width + 1) * (self.width // form.size) for form in formats}) == 1:
            # All formats have lines of the same width: one blank before each value is the only padding.
            for form in formats:
                form.width, form.pad = form.width + 1, 0

    def at(self, position: int) -> str:
        if not self.address:
            return ""
        return self.address % position

    def run(self, source: _Source, start: int, limit: int) -> None:
        write = self.call.out.write
        verbose = self.call.opts.output_duplicates
        position = start
        previous: bytes | None = None
        starred = False
        for block in self._blocks(source, limit):
            is_repeated = block == previous and len(block) == self.width
            if is_repeated and not verbose:
                if not starred:
                    write(b"*\n")
                starred = True
            else:
                starred = False
                previous = block
                write(encode(self._lines(block, position)))
            position += len(block)
        # GNU od ends with the total offset, unless no file could be opened.
        has_end = source.opened or not source.failed
        if has_end and self.address:
            write(encode(self.at(position)) + b"\n")

    def _blocks(self, source: _Source, limit: int) -> Iterator[bytes]:
        step = max(1, BLOCK // self.width) * self.width
        while limit > 0:
            data = source.read(min(step, limit))
            limit -= len(data)
            for at in range(0, len(data), self.width):
                yield data[at : at + self.width]
            if len(data) < step:
                return

    def _lines(self, block: bytes, position: int) -> str:
        head = self.at(position)
        out = []
        for form in self.formats:
            out.append(f"{head}{form.line(block, self.width)}\n")
            head = " " * self.indent
        return "".join(out)


def _strings(call: Call, source: _Source, radix: str, least: int, start: int, limit: int) -> None:
    """Print strings of at least ``least`` graphic characters that end with a NUL."""
    address = _ADDRESSES[radix][0]
    position = start
    first = start
    buffer = bytearray()
    while limit > 0:
        data = source.read(min(BLOCK, limit))
        if not data:
            return
        limit -= len(data)
        for byte in data:
            position += 1
            if 32 <= byte < 127:
                buffer.append(byte)
                continue
            if not byte and len(buffer) >= least:
                head = b""
                if address:
                    head = encode(address % first) + b" "
                call.out.write(head + buffer + b"\n")
            buffer.clear()
            first = position
        if len(buffer) > call.limits.string:
            raise Stop("limit", f"a string is longer than {call.limits.string} bytes", "string")


def run_od(call: Call) -> int:
    """Run od and return the exit status."""
    opts = call.opts
    radix = opts.value("address_radix", "o")
    skip = opts.integer("skip_bytes", 0)
    limit = opts.integer("read_bytes", 2**64)
    least = opts.integer("strings", 3)
    formats = _formats(call)
    chooses_type = any(dest == "format" or dest in _OLD for dest, _ in opts.given)
    if chooses_type and "strings" in opts:
        raise UsageError("no type may be specified when dumping strings", hint=False)
    skip += _old_operands(call)
    if "strings" in opts:
        dump = None
    else:
        dump = _Dump(call, formats, radix)
    source = _Source(call, call.args)
    try:
        source.skip(skip)
        if dump is None:
            _strings(call, source, radix, least, skip, limit)
        else:
            dump.run(source, skip, limit)
    finally:
        source.close()
    return int(source.failed)
