"""``--debug``: a canonical listing of the script, then a trace of each command (GNU sed 4.9 manual 2.2)."""

from __future__ import annotations

from ...command import Call
from ...text import encode, paced
from .run import RESTART, Run
from .script import Address, Command, Program, Replacement
from .settings import Settings

_NAMED = {7: b"\\a", 9: b"\\t", 10: b"\\n", 11: b"\\v", 12: b"\\f", 13: b"\\r", 92: b"\\\\"}


def _shown(byte: int) -> bytes:
    if byte in _NAMED:
        return _NAMED[byte]
    if 32 <= byte < 127:
        return b"%c" % byte
    if byte > 127:
        byte |= 0xFFFFFF00  # GNU's printf gets a non-ASCII byte as a negative number
    return b"\\o%03o" % byte


_SHOWN = [_shown(byte) for byte in range(256)]
_SHOWS = {"g": "H", "G": "P", "h": "H", "H": "H", "s": "P", "x": "PH", "y": "P", "z": "P", "n": "P", "N": "P"}


def _visible(data: bytes) -> bytes:
    return b"".join([_SHOWN[byte] for byte in paced(data)])


def _replacement(right: Replacement) -> bytes:
    """Format the replacement of ``s``, with a case operator before each part where the case mode changes."""
    out: list[bytes] = []
    pending = b""
    mode = once = last = ""

    def flush() -> None:
        nonlocal last, pending
        if (kind := once or mode) != last:
            out.append(encode(f"\\{kind or 'E'}"))
            last = kind
        out.append(pending)
        pending = b""

    for part in right.parts:
        if isinstance(part, bytes):
            pending = part
            continue
        flush()
        once = ""
        if isinstance(part, int):
            if part == 0:
                out.append(b"&")
            else:
                out.append(b"\\%d" % part)
        elif part in "ul":
            once = part
        else:
            mode = "" if part == "E" else part
    if pending:
        flush()
    return b"".join(out)


def _address(address: Address | None) -> bytes:
    if address is None:
        return b""
    if address.kind == "regex":
        return _regex(address.shown) + encode(address.flags)
    number, step = address.number, address.step
    if address.kind in ("plus", "multiple"):
        if not number:
            return b"[ADDR-NULL]"  # GNU's name for an address that it has dropped
        return (b"+%d" if address.kind == "plus" else b"~%d") % number
    return {"number": b"%d" % number, "step": b"%d~%d" % (number, step), "last": b"$"}[address.kind]


def _regex(shown: str) -> bytes:
    return b"/" + b"\\/".join([_visible(part) for part in encode(shown).split(b"/")]) + b"/"


class Listing:
    """The listing of commands, indented inside entered blocks."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self.done: set[int] = set()  # e commands that have run: GNU has replaced the newline of their text by a NUL

    def line(self, command: Command) -> bytes:
        """Return the listing of a command."""
        self._depth -= command.name == "}"
        head = _address(command.listed)
        if command.second:
            head += b"," + _address(command.second)
        if command.negated:
            head += b"!"
        if command.listed:
            head += b" "
        line = b"  " * self._depth + head
        self._depth += command.name == "{"
        return line + encode(command.name) + self._arguments(command) + b"\n"

    def _arguments(self, command: Command) -> bytes:
        name, label = command.name, encode(command.label)
        if name in "aic":
            return b"\\" + (command.text or b"")
        if name == "e":
            if not command.text:
                return b" "
            return b" " + command.text + (b"\0" if command.index in self.done else b"\n")
        if name in "btTrR":
            if label:
                return b" " + label
            return b""
        if name in ":wW":
            return label
        if name in "lqQ":
            if command.number < 0:
                return b""
            return b" %d" % command.number
        if name == "y":
            return b"/" + b"/".join(encode("".join(side)) for side in command.sides) + b"/"
        if name != "s":
            return b""
        return self._substitution(command)

    def _substitution(self, command: Command) -> bytes:
        made = command.substitution
        assert made is not None
        out = _regex(made.shown) + _replacement(made.replacement) + b"/" + encode(made.flags)
        out += b"g" * made.every + b"e" * made.evaluate + b"p" * made.printed
        if made.numbered:
            out += b"%d" % made.number
        if made.target is not None:
            return out + b"w" + encode(made.target)
        return out


class TracedRun(Run):
    """A run that traces its commands on standard output, between the script's own output."""

    def __init__(self, call: Call, program: Program, settings: Settings, names: list[str]) -> None:
        listing = Listing(1)
        call.out.write(b"SED PROGRAM:\n")
        for command in paced(program.commands):
            call.out.write(listing.line(command))
        super().__init__(call, program, settings, names)
        self._listing = Listing(0)
        self._restarted = False
        self._in_bulk = False

    def _write_spaces(self, what: str) -> None:
        for space in what:
            if space == "H":
                self._call.out.write(b"HOLD:    " + _visible(self._hold) + b"\n")
            else:
                self._call.out.write(b"PATTERN: " + _visible(self._space) + b"\n")

    def _write_end(self) -> None:
        self._call.out.write(b"END-OF-CYCLE:\n")

    def _cycle(self) -> int:
        if not self._restarted:
            name = self._input.name
            if self._input.name == "-":
                name = "STDIN"
            self._call.out.write(encode(f"INPUT:   '{name}' line {self._line}\n"))
            self._write_spaces("P")
        result = self._run_commands()
        self._restarted = result == RESTART
        return result

    def _run_commands(self) -> int:
        self._substituted = False
        at = 0
        while at < len(self._commands):
            self._call.check()
            command = self._commands[at]
            at += 1
            self._call.out.write(b"COMMAND: " + self._listing.line(command))
            name = command.name
            selected = self._selects(command) is not command.negated
            if name == "{" and not selected:
                at = command.jump
            if not selected or name in "{}:":
                continue
            if name in "btT":
                if self._branches(name):
                    at = command.jump
                continue
            result = self._act(command)
            if result is not None:
                self._flush_appended()
                return result
        self._write_end()
        self._end_cycle()
        return 0

    def _selects(self, command: Command) -> bool:
        if command.first is None:
            return True
        if command.second is None:
            return self._matches(command.first)
        return self._ranges.selects(command, self._line, self._matches)

    def _act(self, command: Command) -> int | None:
        """Run a command other than branches and blocks, and trace its effect."""
        name = command.name
        ends = name == "N" and self._input.is_last()
        if ends:
            self._write_end()
        if name == "s":
            self._write_match(command)
        result = self._handlers[name](command)
        if name == "e":
            self._listing.done.add(command.index)
        if result is None:
            self._write_spaces(_SHOWS.get(name, ""))
        elif result == RESTART:
            self._write_spaces("P")
        elif name in "cdn":
            self._write_end()
        return result

    def _write_match(self, command: Command) -> None:
        """Write the spans of the groups of ``s`` in the first match, up to the first unmatched group."""
        assert command.substitution is not None
        spans = self._regex(command.substitution.regex).search(self._space, scope=self._call.scope)
        if spans is None:
            return
        self._call.out.write(b"MATCHED REGEX REGISTERS\n")
        for number, (low, high) in enumerate(spans):
            if low < 0:
                break
            self._call.out.write(b"  regex[%d] = %d-%d '%b'\n" % (number, low, high, self._space[low:high]))
