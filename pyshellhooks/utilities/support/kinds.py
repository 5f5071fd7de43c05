"""Parsers of option values, with gnulib's messages for invalid ones (xstrtol, xdectoint and argmatch)."""

from __future__ import annotations

from collections.abc import Sequence

from ...command.flags import RawArgument
from ...errors import UsageError
from ...text import encode
from .quoting import choose, quote, wrong_choice

_BLANK = " \t\n\v\f\r"
_DIGITS = {8: "01234567", 10: "0123456789", 16: "0123456789abcdefABCDEF"}
_POWERS = {
    letter: power for power, letters in enumerate(("kK", "mM", "gG", "tT", "P", "E", "Z", "Y"), 1) for letter in letters
}
_ENOUGH = 40  # digits, in any base: more than any limit has
LARGEST = 2**64 - 1
# The units of head, tail, od and split. The zero allows a following iB or B, for powers of 1024 and 1000
# (gnulib's xstrtol).
UNITS = "bkKmMGTPEZY0"


def scan(text: str, units: str = "", base: int = 10) -> tuple[int, str]:
    """Parse a number as gnulib's xstrtol does. Return it and the fault: "", ``"number"`` or ``"suffix"``.

    ``base`` 0 accepts the prefixes ``0x`` for hexadecimal and ``0`` for octal. A unit without digits means one of it.
    """
    body = text.lstrip(_BLANK)
    negative = body.startswith("-")
    if body.startswith(("+", "-")):
        body = body[1:]
    if base == 0:
        base, body = _prefixed(body)
    suffix = body.lstrip(_DIGITS[base])
    digits = body[: len(body) - len(suffix)]
    if digits:
        value = int((digits.lstrip("0") or "0")[:_ENOUGH], base)
    elif text and text[0] in units:  # of the whole text: a unit after a blank or a sign is not accepted
        value = 1
    else:
        return 0, "number"
    scale, rest = _unit(suffix, units) if suffix else (1, "")
    if negative:
        value = -value
    return value * scale, "suffix" if rest else ""


def _prefixed(body: str) -> tuple[int, str]:
    """Return the base of a number's prefix, and the remaining text."""
    after = body[2:3]
    if body.startswith(("0x", "0X")) and after and after in _DIGITS[16]:
        return 16, body[2:]
    # The zero of an octal number stays: it is a number by itself.
    return (8 if body.startswith("0") else 10), body


def _unit(suffix: str, units: str) -> tuple[int, str]:
    """Return the factor of a suffix, and the rest of the suffix."""
    letter, rest = suffix[0], suffix[1:]
    if letter not in units or letter == "0":
        return 1, suffix
    if letter == "b":
        return 512, rest
    base = 1024
    if "0" in units:
        if rest.startswith(("B", "D")):
            base, rest = 1000, rest[1:]
        else:
            rest = rest.removeprefix("iB")
    return int(base ** _POWERS[letter]), rest


class Number:
    """An integer from ``least`` to ``most``.

    ``words`` is the message for any other value, a format with ``{q}`` for the quoted value, ``{text}`` for the value
    and ``{option}`` for the option. ``endless``: a larger value means ``most``. ``units`` and ``base`` are those of
    ``scan``; ``hint`` is that of ``UsageError``.
    """

    __slots__ = ("base", "endless", "hint", "least", "most", "units", "words")

    def __init__(
        self,
        words: str,
        least: int = 0,
        most: int = LARGEST,
        *,
        units: str = "",
        base: int = 10,
        endless: bool = False,
        hint: bool = False,
    ) -> None:
        self.words = words
        self.least = least
        self.most = most
        self.units = units
        self.base = base
        self.endless = endless
        self.hint = hint

    def __call__(self, argument: RawArgument) -> int:
        value, fault = self.scan(argument.text)
        if not fault and self.least >= 0 and argument.text.lstrip(_BLANK).startswith("-"):
            fault = "sign"  # also -0, as in gnulib's xstrtoul
        if not fault and self.endless:
            value = min(value, self.most)
        if fault or not self.least <= value <= self.most:
            raise self.error(argument, fault, value)
        return value

    def scan(self, text: str) -> tuple[int, str]:
        """Parse the text with this option's units and base."""
        return scan(text, self.units, self.base)

    def error(self, argument: RawArgument, fault: str, value: int) -> UsageError:
        """Return the error; ``fault`` is that of ``scan``, ``"sign"`` for a minus, or "" for a number out of range."""
        shown = self.words.format(q=quote(argument.text, argument.env), text=argument.text, option=argument.option)
        return UsageError(shown, hint=self.hint)


class Count(Number):
    """A number with the messages of gnulib's xdectoint: ``invalid WHAT: 'x'``, and the reason if it is out of range."""

    __slots__ = ()

    def __init__(self, what: str, least: int = 0, most: int = LARGEST, *, units: str = "", base: int = 10) -> None:
        super().__init__(f"invalid {what}: {{q}}", least, most, units=units, base=base)

    def error(self, argument: RawArgument, fault: str, value: int) -> UsageError:
        error = super().error(argument, fault, value)
        if fault:
            return error
        # gnulib's xdectoint reports ERANGE within half the range of an int, EOVERFLOW beyond it.
        small = -(2**30) <= value <= 2**30 - 1
        error.message += ": Numerical result out of range" if small else ": Value too large for defined data type"
        return error


class Argument(Number):
    """A number with the messages of gnulib's xstrtol_fatal: ``invalid -n argument 'x'``."""

    __slots__ = ()

    def __init__(
        self, least: int = 0, most: int = LARGEST, *, units: str = "", base: int = 10, endless: bool = False
    ) -> None:
        super().__init__("", least, most, units=units, base=base, endless=endless)

    def error(self, argument: RawArgument, fault: str, value: int) -> UsageError:
        shown = f"{argument.option} argument '{argument.text}'"
        message = f"invalid {shown}"
        if fault == "suffix":
            message = f"invalid suffix in {shown}"
        elif not fault and value > self.most:
            message = f"{shown} too large"
        return UsageError(message, hint=False)


class Loose(Number):
    """A number as C's strtoul parses it: an empty text is 0."""

    __slots__ = ()

    def scan(self, text: str) -> tuple[int, str]:
        return super().scan(text or "0")


class Choice:
    """One of some words, or an abbreviation of one unless ``exact`` (gnulib argmatch).

    Synonyms are given as one sequence, of which the first is the value.
    """

    __slots__ = ("exact", "words")

    def __init__(self, *words: str | Sequence[str], exact: bool = False) -> None:
        self.words = tuple((word,) if isinstance(word, str) else word for word in words)
        self.exact = exact

    def __call__(self, argument: RawArgument) -> str:
        name = f"--{argument.flag.long[0]}" if argument.flag else argument.option
        known = any(argument.text in names for names in self.words)
        if self.exact and not known:
            raise wrong_choice(argument.env, name, argument.text, self.words)
        return choose(argument.env, name, argument.text, self.words)


class Once:
    """A text that may be repeated only with the same value; ``words`` is the message for a different one."""

    __slots__ = ("words",)

    def __init__(self, words: str) -> None:
        self.words = words

    def __call__(self, argument: RawArgument) -> str:
        if argument.flag is None:
            return argument.text
        if argument.before.value(argument.flag.dest, argument.text) != argument.text:
            raise UsageError(self.words, hint=False)
        return argument.text


class Separator:
    """One byte (``\\0`` is NUL), which may be repeated only with the same value.

    ``many`` is the message for several bytes, with ``{q}`` for them; ``other`` for a different byte; ``none`` for an
    empty value, which means a newline if ``none`` is "".
    """

    __slots__ = ("many", "none", "other")

    def __init__(self, many: str, other: str, none: str = "") -> None:
        self.many = many
        self.other = other
        self.none = none

    def __call__(self, argument: RawArgument) -> bytes:
        data = b"\0" if argument.text == "\\0" else encode(argument.text)
        if not data and self.none:
            raise UsageError(self.none, hint=False)
        if len(data) > 1:
            raise UsageError(self.many.format(q=quote(argument.text, argument.env)), hint=False)
        byte = data or b"\n"
        if argument.flag is not None:
            earlier = argument.before.read(argument.flag.dest, bytes)
            if earlier and earlier[-1] != byte:
                raise UsageError(self.other, hint=False)
        return byte
