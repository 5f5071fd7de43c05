"""printf: format and print (bash builtin, POSIX XCU printf)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..command import Call, utility
from ..errors import Stop, UsageError
from ..text import encode, pause, remembered
from .support.escapes import FORMAT, PERCENT_B, expand

if TYPE_CHECKING:
    from .support.longdouble import LongDouble

_FLAGS = "#'-+ 0"
_MODIFIERS = "hjlLtz"
_CONVERSIONS = "bqQsdiouxXeEfFgGaAc"
_CHARACTER_MARKS = ("'", '"')
_STRING_LIMIT = 64 * 1024 * 1024


class Directive:
    """One conversion of a format. A width or precision of -1 is absent, of -2 the next argument."""

    __slots__ = ("alternate", "conversion", "left", "precision", "sign", "time_format", "width", "zero")

    def __init__(self, flags: str, width: int, precision: int, conversion: str, time_format: str = "") -> None:
        self.left = "-" in flags
        self.zero = "0" in flags and not self.left
        self.alternate = "#" in flags
        self.sign = ""
        if "+" in flags:
            self.sign = "+"
        elif " " in flags:
            self.sign = " "
        self.width = width
        self.precision = precision
        self.conversion = conversion
        self.time_format = time_format


class Fault:
    """An error in a format, in place of a directive; a fatal one ends the output."""

    __slots__ = ("fatal", "message")

    def __init__(self, message: str, fatal: bool) -> None:
        self.message = message
        self.fatal = fatal


Part = bytes | Directive | Fault


_DIGITS = "0123456789"


@remembered(256)
def parse(fmt: str) -> tuple[Part, ...]:
    """Split a format into text, directives and faults."""
    parts: list[Part] = []
    at = 0
    while at < len(fmt):
        pause()
        percent = fmt.find("%", at)
        if percent < 0:
            percent = len(fmt)
        if percent > at:
            text, _, messages = expand(encode(fmt[at:percent]), FORMAT)
            parts.extend(Fault(message, False) for message in messages)
            parts.append(text)
        if percent >= len(fmt):
            break
        if fmt.startswith("%%", percent):
            parts.append(b"%")
            at = percent + 2
            continue
        at = _parse_directive(fmt, percent, parts)
    return tuple(parts)


def _number(fmt: str, at: int) -> tuple[int, int]:
    if fmt.startswith("*", at):
        return -2, at + 1
    end = _skip(fmt, at, _DIGITS)
    if end == at:
        return -1, at
    # Twelve digits are more than any limit on a width permits.
    return int(fmt[at:end][:12]), end


def _skip(text: str, at: int, characters: str) -> int:
    """Return the end of a run of some characters."""
    while at < len(text) and text[at] in characters:
        at += 1
    return at


def _parse_directive(fmt: str, start: int, parts: list[Part]) -> int:
    """Parse the directive at a ``%``. Return its end."""
    at = _skip(fmt, start + 1, _FLAGS)
    flags = fmt[start + 1 : at]
    width, at = _number(fmt, at)
    precision = -1
    if fmt.startswith(".", at):
        precision, at = _number(fmt, at + 1)
        if precision == -1:
            precision = 0  # C: a point alone is a precision of 0
    at = _skip(fmt, at, _MODIFIERS)
    conversion = fmt[at : at + 1]
    if conversion == "(":
        end = fmt.find(")", at)
        closing = fmt[end + 1 : end + 2] if end >= 0 else ""
        if closing == "T":
            parts.append(Directive(flags, width, precision, "T", fmt[at + 1 : end] or "%X"))
            return end + 2
        parts.append(Fault(f"warning: `{closing}': invalid time format specification", False))
        parts.append(encode(fmt[start : at + 1]))
        return at + 1
    if not conversion:
        parts.append(Fault(f"`{fmt[start:]}': missing format character", True))
    elif conversion not in _CONVERSIONS:
        parts.append(Fault(f"`{conversion}': invalid format character", True))
    else:
        parts.append(Directive(flags, width, precision, conversion))
    return at + 1


class Printer:
    """One run of printf over its arguments."""

    __slots__ = ("args", "at", "clock", "env", "limit", "messages", "out", "size", "status")

    def __init__(
        self, args: Sequence[str], limit: int, env: Mapping[str, str], clock: tuple[float, float] | None
    ) -> None:
        self.args = args
        self.at = 0
        self.limit = limit
        self.env = env
        self.clock = clock
        self.messages: list[tuple[int, str]] = []  # each with the number of bytes of output before it
        self.out: list[bytes] = []
        self.size = 0
        self.status = 0

    def run(self, parts: Sequence[Part]) -> None:
        """Apply the format once, and again as long as arguments remain."""
        out = self.out
        args = self.args
        while True:
            pause()
            before = self.at
            for part in parts:
                if part.__class__ is bytes:
                    self.put(part)
                elif isinstance(part, Directive):
                    if not self.convert(part):
                        return
                elif isinstance(part, Fault):
                    self.add_message(part.message)
                    if part.fatal:
                        self.status = 1
                        return
            # POSIX: the format is reused until all arguments are used. One without directives uses none of them.
            if self.at >= len(args) or self.at == before:
                return
            if len(out) > 4096:
                out[:] = [b"".join(out)]  # many small objects would hold much more memory than their bytes

    def add_message(self, message: str) -> None:
        """Add a message at the current position of the output."""
        self.messages.append((self.size, message))

    def put(self, data: bytes) -> None:
        """Add output. Raise ``Stop`` above the limit."""
        self.size += len(data)
        if self.size > self.limit:
            raise Stop("limit", f"printf makes more than {self.limit} bytes", "string")
        self.out.append(data)

    def next(self) -> str | None:
        """Return the next argument, or None if all are used up."""
        at = self.at
        self.at = at + 1
        if at < len(self.args):
            return self.args[at]
        return None

    def convert(self, directive: Directive) -> bool:
        """Format one argument. Return False if ``\\c`` ended the output."""
        width, precision, left = directive.width, directive.precision, directive.left
        if width == -2:
            width = self.star()
            if width < 0:
                width, left = -width, True  # C: a negative width means the flag -
        if precision == -2:
            precision = max(-1, self.star())  # C: a negative precision counts as absent
        conversion = directive.conversion
        digits = precision if conversion not in "sbcqQ" else 0  # a precision only cuts a text
        if max(width, digits) > self.limit:
            raise Stop("limit", f"printf: a field is wider than {self.limit}", "string")
        going = True
        if conversion == "s":
            text = encode(self.next() or "")
            if precision >= 0:
                text = text[:precision]
        elif conversion in "bcqQT":
            text, going = self.convert_text(directive, precision)
        elif conversion in "di":
            text = self.convert_signed(directive, precision, width, left)
        elif conversion in "ouxX":
            text = self.convert_unsigned(directive, precision, width, left)
        else:
            text = self.convert_float(directive, precision, width, left)
        if len(text) < width:
            text = text.ljust(width) if left else text.rjust(width)
        self.put(text)
        return going

    def convert_text(self, directive: Directive, precision: int) -> tuple[bytes, bool]:
        """Format ``%b %c %q %Q %(...)T``. Return the text, and False if ``\\c`` ended the output."""
        conversion = directive.conversion
        ended = False
        if conversion == "c":
            # The first byte, as in C, not the first character.
            return encode(self.next() or "")[:1] or b"\0", True
        if conversion == "b":
            text, ended, messages = expand(encode(self.next() or ""), PERCENT_B)
            for message in messages:
                self.add_message(message)
        elif conversion == "T":
            text = encode(self.time(directive.time_format))
        elif conversion == "Q" and precision >= 0:
            # %Q cuts the word before it is quoted, %q the quoted text.
            return self.quoted(precision), True
        else:
            text = self.quoted(-1)
        if precision >= 0:
            text = text[:precision]
        return text, not ended

    def quoted(self, length: int) -> bytes:
        """Return the next argument as a word of the shell, only its first bytes unless ``length`` is negative."""
        from ..syntax.quote import quote

        word = self.next() or ""
        if length >= 0:
            from ..text import decode

            word = decode(encode(word)[:length])
        return encode(quote(word))

    def time(self, fmt: str) -> str:
        """Format ``%(fmt)T``: -1 or no argument means now, -2 the start of the shell."""
        from time import time

        from ..times.moments import local, strftime

        word = self.next()
        seconds = -1 if word is None else self.integer(word)
        now, start = self.clock or (time(), time())
        if seconds == -1:
            seconds = int(now)
        elif seconds == -2:
            seconds = int(start)
        return strftime(fmt, local(seconds, 0, self.env.get("TZ")), extensions="")

    def star(self) -> int:
        word = self.next()
        if word is None:
            return 0
        # C's int: bash clamps a width or precision that does not fit.
        return max(-(2**31), min(2**31 - 1, self.integer(word)))

    def integer(self, word: str, unsigned: bool = False) -> int:
        """Parse an integer as strtoimax(3) does with base 0, with bash's messages."""
        if len(word) < 18 and word.isascii() and word.isdigit() and word[0] != "0":
            return int(word)
        if word[:1] in _CHARACTER_MARKS:
            return self.code(word)
        from .support.kinds import scan

        value, fault = scan(word, base=0)
        if fault and word:
            self.invalid(word)
        # strtoumax accepts a minus and negates within 64 bits.
        low, high = (-(2**64) + 1, 2**64 - 1) if unsigned else (-(2**63), 2**63 - 1)
        if not low <= value <= high:
            self.add_message(f"warning: {word}: Numerical result out of range")
            value = low if value < low and not unsigned else high
        return value & (2**64 - 1) if unsigned else value

    def code(self, word: str) -> int:
        """Return the value of ``'c``: the code point, or the byte where no character is, or where the locale is C."""
        if len(word) < 2:
            return 0
        code = ord(word[1])
        if 0xDC80 <= code <= 0xDCFF:
            return code - 0xDC00
        if code >= 0x80:
            locale = self.env.get("LC_ALL") or self.env.get("LC_CTYPE")
            if locale in ("C", "POSIX"):
                return encode(word[1])[0]
        return code

    def invalid(self, word: str) -> None:
        """Report an invalid number and set the status; the output continues."""
        kind = ""
        if word.startswith(("0x", "0X")):
            kind = "hex "
        elif word.startswith("0") and word[1:2].isdigit():
            kind = "octal "
        self.add_message(f"{word}: invalid {kind}number")
        self.status = 1

    def convert_signed(self, directive: Directive, precision: int, width: int, left: bool) -> bytes:
        value = self.integer(self.next() or "")
        sign = "-" if value < 0 else directive.sign
        return _integer(str(abs(value)), sign, value == 0, directive, precision, width, left)

    def convert_unsigned(self, directive: Directive, precision: int, width: int, left: bool) -> bytes:
        value = self.integer(self.next() or "", unsigned=True)
        conversion = directive.conversion
        digits = format(value, "d" if conversion == "u" else conversion)
        prefix = ""
        if directive.alternate and conversion == "o":
            # C: # raises the precision so that the first digit is a zero.
            if value and precision <= len(digits):
                digits = "0" + digits
            elif not value and not precision:
                precision = 1
        elif directive.alternate and conversion in "xX" and value:
            prefix = "0" + conversion
        return _integer(digits, prefix, value == 0, directive, precision, width, left)

    def convert_float(self, directive: Directive, precision: int, width: int, left: bool) -> bytes:
        from .support.longdouble import parse, rounded

        word = self.next() or ""
        if word[:1] in _CHARACTER_MARKS:
            from fractions import Fraction

            number = rounded(Fraction(self.code(word)))
        else:
            number, used = parse(word)
            is_bare_prefix = word[:2].lower() == "0x" and used < 3
            if used < len(word) or is_bare_prefix:
                self.invalid(word)
            elif number.out_of_range:
                self.add_message(f"warning: {word}: Numerical result out of range")
        return float_text(directive, number, width, precision, left)


def float_text(directive: Directive, number: LongDouble, width: int, precision: int, left: bool) -> bytes:
    """Format a number by ``%a %e %f %g``, padded with zeros, not blanks, if the ``0`` flag is set."""
    from .support.longdouble import show

    digits = show(number, directive.conversion, precision if precision >= 0 else None, directive.alternate)
    prefix = "-" if number.negative else directive.sign
    if number.special:
        return (prefix + digits).encode()  # C: no zeros before inf and nan
    if directive.conversion in "aA":
        prefix += digits[:2]
        digits = digits[2:]
    if directive.zero and not left:
        digits = digits.rjust(width - len(prefix), "0")
    return (prefix + digits).encode()


def _integer(
    digits: str, prefix: str, zero: bool, directive: Directive, precision: int, width: int, left: bool
) -> bytes:
    if zero and precision == 0:
        digits = ""  # C: a zero with precision 0 has no digits
    elif precision >= 0:
        digits = digits.rjust(precision, "0")
    elif directive.zero and not left:
        digits = digits.rjust(width - len(prefix), "0")
    return (prefix + digits).encode()


def format_printf(
    fmt: str,
    args: Sequence[str],
    *,
    limit: int = _STRING_LIMIT,
    env: Mapping[str, str] | None = None,
    clock: tuple[float, float] | None = None,
) -> tuple[bytes, int, list[tuple[int, str]]]:
    """Format as bash's ``printf`` does. Return the output, the status and the messages without ``printf:``.

    Each message is paired with the number of bytes of output before it.

    Widths count bytes, as bash's do. Output continues after an invalid number and ends at an invalid directive.
    ``clock`` is the current time and the start of the shell, for ``%(...)T``; its time zone is ``TZ`` of ``env``. Raise
    ``Stop`` above ``limit`` bytes.
    """
    printer = Printer(args, limit, env or {}, clock)
    printer.run(parse(fmt))
    return b"".join(printer.out), printer.status, printer.messages


@utility("printf", summary="Print ARGUMENT(s) according to FORMAT.", usage="FORMAT [ARGUMENT]...", flags=None)
def printf(call: Call) -> int:
    if call.args == ["--help"]:
        call.out.write(printf.help().encode())
        return 0
    args = call.args[1:] if call.args[:1] == ["--"] else call.args
    if not args:
        raise UsageError("missing operand")
    output, status, messages = format_printf(args[0], args[1:], limit=call.limits.string, env=call.env)
    done = 0
    # The order counts if both streams go to one file: each message comes after the output before it.
    for at, message in messages:
        call.out.write(output[done:at])
        call.error(message)
        done = at
    call.out.write(output[done:])
    return status
