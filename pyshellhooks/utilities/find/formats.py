"""``-printf``: parser from a format to functions that each return a part of the output (GNU find manual 3.2.2.1)."""

from __future__ import annotations

import errno
import stat
from collections.abc import Callable

from ...regexes import lazy_pattern
from ...text import encode, pause
from ...times.moments import moment, strftime
from ..support.modes import mode_string
from ..support.owners import Owners
from .files import File, letter_of
from .state import State, wrong
from .times import STAMPS

Part = Callable[[File], bytes]
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
# The time conversions that may follow %A, %C and %T.
_TIMES = frozenset("@aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ+")
_WITH_FRACTION = {"S": "%S", "T": "%H:%M:%S", "+": "%Y-%m-%d+%H:%M:%S", "X": "%H:%M:%S"}


_PLAIN = lazy_pattern(r"[^%\\]+")


class Format:
    """A parsed format. A ``\\c`` ends the output of each file."""

    __slots__ = ("parts",)

    def __init__(self, state: State, text: str) -> None:
        self.parts = _Reader(state, text).read()

    def write(self, file: File) -> bytes:
        """Return the output for a file."""
        return b"".join([part(file) for part in self.parts])


class _Reader:
    __slots__ = ("_at", "_literal", "_parts", "_state", "_text")

    def __init__(self, state: State, text: str) -> None:
        self._state = state
        self._text = text
        self._at = 0
        self._literal: list[bytes] = []
        self._parts: list[Part] = []

    def read(self) -> list[Part]:
        text = self._text
        while self._at < len(text):
            pause()
            char = text[self._at]
            self._at += 1
            if char == "\\":
                if not self._escape():
                    break
            elif char == "%":
                self._directive()
            else:
                match = _PLAIN.match(text, self._at)
                end = match.end() if match is not None else self._at
                self._literal.append(encode(text[self._at - 1 : end]))
                self._at = end
        self._end_literal()
        return self._parts

    def _end_literal(self) -> None:
        if self._literal:
            data = b"".join(self._literal)
            self._literal = []
            self._parts.append(lambda file: data)

    def _add_literal(self, text: str) -> None:
        self._literal.append(encode(text))

    def _escape(self) -> bool:
        text = self._text
        if self._at == len(text):
            self._state.call.error("warning: escape `\\' followed by nothing at all")
            self._add_literal("\\")
            return True
        char = text[self._at]
        if char in "01234567":
            end = self._at
            while end < len(text) and end < self._at + 3 and text[end] in "01234567":
                end += 1
            self._literal.append(bytes([int(text[self._at : end], 8) & 255]))
            self._at = end
            return True
        self._at += 1
        if char == "c":
            return False
        if char not in _ESCAPES:
            self._state.call.error(f"warning: unrecognized escape `\\{char}'")
            self._add_literal("\\" + char)
        else:
            self._add_literal(_ESCAPES[char])
        return True

    def _directive(self) -> None:
        text = self._text
        start = self._at
        while self._at < len(text) and text[self._at] in "-+ #0":
            self._at += 1
        flags = text[start : self._at]
        width, precision = self._number(), -1
        if text[self._at : self._at + 1] == ".":
            self._at += 1
            precision = max(self._number(), 0)  # C: a point without digits means 0
        letter = text[self._at : self._at + 1]
        self._at += 1
        if not letter:
            raise wrong("error: % at end of format string")
        if letter == "%":
            self._add_literal("%" + text[start : self._at - 1])
            return
        if letter in "{[(":
            raise wrong(f"error: the format directive `%{letter}' is reserved for future use")
        if letter in "FZB":
            meaning = {"F": "types of file systems", "Z": "security contexts", "B": "times of birth"}[letter]
            raise wrong(f"-printf %{letter} is not supported: {meaning} are unknown here")
        make: Callable[[File], str | int] | None = None
        if letter in "ACT":
            conversion = text[self._at : self._at + 1]
            self._at += 1
            if conversion and conversion in _TIMES:
                make = _stamp(self._state, letter.lower().replace("t", "m"), conversion)
            else:
                self._add_literal("%" + conversion)  # as GNU find, which drops the letter
                return
        else:
            make = _value(self._state, letter)
        if make is None:
            self._state.call.error(f"warning: unrecognized format directive `%{letter}'")
            self._add_literal("%" + text[start : self._at])
            return
        self._end_literal()
        self._parts.append(_padded(make, letter, flags, min(width, 1 << 16), precision))

    def _number(self) -> int:
        start = self._at
        while self._at < len(self._text) and self._text[self._at] in "0123456789":
            self._at += 1
        if self._at - start > 8:
            return 1 << 16  # more than any width that is used
        return int(self._text[start : self._at] or -1)


def _sign(value: int, flags: str) -> bytes:
    """Return the sign of a number with the flags of printf(3), where ``+`` overrides a blank."""
    if value < 0:
        return b"-"
    if "+" in flags:
        return b"+"
    if " " in flags:
        return b" "
    return b""


def _padded(make: Callable[[File], str | int], letter: str, flags: str, width: int, precision: int) -> Part:
    """Return a part that formats a value as printf(3) does: numbers with %d and %o, all else with %s."""
    if not flags and width < 0 and precision < 0:
        if letter == "m":
            return lambda file: f"{make(file):o}".encode()
        return lambda file: encode(str(make(file)))

    def part(file: File) -> bytes:
        value = make(file)
        sign = b""
        if isinstance(value, int):
            digits = b"%o" % value if letter == "m" else b"%d" % abs(value)
            if letter == "m" and "#" in flags and value:
                digits = b"0" + digits
            elif letter == "d":
                sign = _sign(value, flags)
            digits = digits.rjust(precision, b"0")
            if "0" in flags and "-" not in flags and precision < 0:
                digits = digits.rjust(width - len(sign), b"0")
            data = sign + digits
        else:
            data = encode(value)
            if precision >= 0:
                data = data[:precision]
        if "-" in flags:
            return data.ljust(width)
        return data.rjust(width)

    return part


def _stamp(state: State, which: str, conversion: str) -> Callable[[File], str]:
    stamp = STAMPS[which]
    zone = state.call.zone
    if conversion == "@":
        return lambda file: _seconds(stamp(file.found))
    if conversion not in _WITH_FRACTION:
        fmt = "%" + conversion
        return lambda file: strftime(fmt, moment(stamp(file.found), zone))
    fmt = _WITH_FRACTION[conversion]

    def text(file: File) -> str:
        nanoseconds = stamp(file.found)
        return strftime(fmt, moment(nanoseconds, zone)) + f".{nanoseconds % 10**9:09d}0"

    return text


def _seconds(nanoseconds: int) -> str:
    return f"{nanoseconds // 10**9}.{nanoseconds % 10**9:09d}0"


def _ctime(state: State, which: str) -> Callable[[File], str]:
    stamp = STAMPS[which]
    zone = state.call.zone

    def text(file: File) -> str:
        nanoseconds = stamp(file.found)
        at = moment(nanoseconds, zone)
        return strftime("%a %b %e %H:%M:%S", at) + f".{nanoseconds % 10**9:09d}0" + strftime(" %Y", at)

    return text


def _directory(file: File) -> str:
    if "/" in file.path:
        return file.path.rpartition("/")[0]
    return "."


def _other(file: File) -> str:
    try:
        if file.kind != "l":
            return file.kind
        return letter_of(file.settings.call.fs.stat(file.place).st_mode)
    except OSError as error:
        return {errno.ELOOP: "L", errno.ENOENT: "N", errno.ENOTDIR: "N"}.get(error.errno or 0, "?")


def _sparseness(file: File) -> str:
    size = file.found.st_size
    if not size:
        return "1"
    return f"{512 * file.blocks() / size:g}"


def _value(state: State, letter: str) -> Callable[[File], str | int] | None:
    owners = Owners(state.call.fs)
    plain: dict[str, Callable[[File], str | int]] = {
        "a": _ctime(state, "a"),
        "b": lambda file: str(file.blocks()),
        "c": _ctime(state, "c"),
        "d": lambda file: file.depth,
        "D": lambda file: str(file.found.st_dev),
        "f": lambda file: file.name,
        "g": lambda file: owners.group(file.found.st_gid, file.place),
        "G": lambda file: str(file.found.st_gid),
        "h": _directory,
        "H": lambda file: file.start,
        "i": lambda file: str(file.found.st_ino),
        "k": lambda file: str((file.blocks() + 1) // 2),
        "l": lambda file: file.link() or "",
        "m": lambda file: stat.S_IMODE(file.found.st_mode),
        "M": lambda file: mode_string(file.found.st_mode),
        "n": lambda file: str(file.found.st_nlink),
        "p": lambda file: file.path,
        "P": lambda file: file.relative,
        "s": lambda file: str(file.found.st_size),
        "S": _sparseness,
        "t": _ctime(state, "m"),
        "u": lambda file: owners.user(file.found.st_uid, file.place),
        "U": lambda file: str(file.found.st_uid),
        "y": lambda file: file.kind,
        "Y": _other,
    }
    return plain.get(letter)
