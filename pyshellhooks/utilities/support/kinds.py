"""What reads the values of options, and what it says of those that are none (gnulib's xstrtol, xdectoint and argmatch)."""

from __future__ import annotations

from collections.abc import Sequence

from ...command.flags import Given
from ...errors import UsageError
from ...text import encode
from .quoting import choose, quote, wrong_choice

_BLANK = " \t\n\v\f\r"
_DIGITS = {8: "01234567", 10: "0123456789", 16: "0123456789abcdefABCDEF"}
_POWERS = {
    letter: power for power, letters in enumerate(("kK", "mM", "gG", "tT", "P", "E", "Z", "Y"), 1) for letter in letters
}
_ENOUGH = 40  # digits, in any base: more than any number is held against
LARGEST = 2**64 - 1
# The units of head, tail, od and split: the zero says that iB and B may follow, for powers of 1024 and 1000 (gnulib's xstrtol).
UNITS = "bkKmMGTPEZY0"


def scan(text: str, units: str = "", base: int = 10) -> tuple[int, str]:
    """Read a number as gnulib's xstrtol does. Returns it with what is wrong: nothing, ``"number"`` or ``"suffix"``.

    ``base`` 0 takes ``0x`` for hexadecimal and ``0`` for octal. A unit alone is one of it.
    """
    body = text.lstrip(_BLANK)
    sign = body[:1] if body[:1] in ("+", "-") else ""
    body = body[len(sign) :]
    if base == 0:
        base, body = _prefixed(body)
    suffix = body.lstrip(_DIGITS[base])
    digits = body[: len(body) - len(suffix)]
    if not digits and (not text or text[0] not in units):
        return 0, "number"
    value = int((digits.lstrip("0") or "0")[:_ENOUGH], base) if digits else 1
    scale, rest = _unit(suffix, units) if suffix else (1, "")
    return (-value if sign == "-" else value) * scale, "suffix" if rest else ""


def _prefixed(body: str) -> tuple[int, str]:
    """Return the base that a number's prefix says, and the digits behind it."""
    if body[:2] in ("0x", "0X") and body[2:3] in tuple(_DIGITS[16]):
        return 16, body[2:]
    return (8 if body.startswith("0") else 10), body


def _unit(suffix: str, units: str) -> tuple[int, str]:
    """Return what a suffix stands for, and what is left of it."""
    letter, rest = suffix[0], suffix[1:]
    if letter not in units or letter == "0":
        return 1, suffix
    if letter == "b":
        return 512, rest
    base = 1024
    if "0" in units:
        base = 1000 if rest[:1] in ("B", "D") else 1024
        rest = rest[1:] if base == 1000 else rest.removeprefix("iB")
    return int(base ** _POWERS[letter]), rest


class Number:
    """A whole number from ``least`` to ``most``.

    ``words`` is the message for anything else: ``{q}`` stands for the value quoted, ``{text}`` for the value, ``{option}`` for the
    option. An ``endless`` one may be larger than ``most``, and is ``most`` then. ``units`` and ``base`` are those of ``scan``;
    ``hint`` as in ``UsageError``.
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

    def __call__(self, given: Given) -> int:
        value, fault = self.scan(given.text)
        if self.least >= 0 and given.text.lstrip(_BLANK).startswith("-"):
            fault = fault or "sign"
        if not fault and self.endless:
            value = min(value, self.most)
        if fault or not self.least <= value <= self.most:
            raise self.error(given, fault, value)
        return value

    def scan(self, text: str) -> tuple[int, str]:
        """Read the text, as the function of this name does."""
        return scan(text, self.units, self.base)

    def error(self, given: Given, fault: str, value: int) -> UsageError:
        """Make the error; ``fault`` is ``scan``'s, ``"sign"`` for a minus, or empty for a number that is too large or too small."""
        shown = self.words.format(q=quote(given.text, given.env), text=given.text, option=given.option)
        return UsageError(shown, hint=self.hint)


class Count(Number):
    """A number of which gnulib's xdectoint says ``invalid WHAT: 'x'``, and why where it is one."""

    __slots__ = ()

    def __init__(self, what: str, least: int = 0, most: int = LARGEST, *, units: str = "", base: int = 10) -> None:
        super().__init__(f"invalid {what}: {{q}}", least, most, units=units, base=base)

    def error(self, given: Given, fault: str, value: int) -> UsageError:
        error = super().error(given, fault, value)
        if not fault:
            small = -(2**30) <= value <= 2**30 - 1
            error.message += ": Numerical result out of range" if small else ": Value too large for defined data type"
        return error


class Argument(Number):
    """A number of which gnulib's xstrtol_fatal says ``invalid -n argument 'x'``."""

    __slots__ = ()

    def __init__(
        self, least: int = 0, most: int = LARGEST, *, units: str = "", base: int = 10, endless: bool = False
    ) -> None:
        super().__init__("", least, most, units=units, base=base, endless=endless)

    def error(self, given: Given, fault: str, value: int) -> UsageError:
        shown = f"{given.option} argument '{given.text}'"
        if not fault and value > self.most:
            return UsageError(f"{shown} too large", hint=False)
        return UsageError(f"invalid suffix in {shown}" if fault == "suffix" else f"invalid {shown}", hint=False)


class Loose(Number):
    """A number as C's strtoul reads it: no text at all is 0."""

    __slots__ = ()

    def scan(self, text: str) -> tuple[int, str]:
        return super().scan(text or "0")


class Choice:
    """One of some words, or the start of one unless it is ``exact`` (gnulib argmatch).

    ``words`` that mean the same stand together, and the first is what it gives.
    """

    __slots__ = ("exact", "words")

    def __init__(self, *words: str | Sequence[str], exact: bool = False) -> None:
        self.words = tuple((word,) if isinstance(word, str) else word for word in words)
        self.exact = exact

    def __call__(self, given: Given) -> str:
        name = f"--{given.flag.long[0]}" if given.flag else given.option
        if self.exact and not any(given.text in names for names in self.words):
            raise wrong_choice(given.env, name, given.text, self.words)
        return choose(given.env, name, given.text, self.words)


class Once:
    """Text that may be given again, but only the same; ``words`` is the message for another."""

    __slots__ = ("words",)

    def __init__(self, words: str) -> None:
        self.words = words

    def __call__(self, given: Given) -> str:
        if given.flag is not None and given.before.value(given.flag.dest, given.text) != given.text:
            raise UsageError(self.words, hint=False)
        return given.text


class Separator:
    """One byte (``\\0`` is NUL), which may be given again, but only the same.

    ``many`` is the message for several, with ``{q}`` for them; ``other`` for another byte; ``none`` for nothing, which is a newline
    where there is no message for it.
    """

    __slots__ = ("many", "none", "other")

    def __init__(self, many: str, other: str, none: str = "") -> None:
        self.many = many
        self.other = other
        self.none = none

    def __call__(self, given: Given) -> bytes:
        data = b"\0" if given.text == "\\0" else encode(given.text)
        if not data and self.none:
            raise UsageError(self.none, hint=False)
        if len(data) > 1:
            raise UsageError(self.many.format(q=quote(given.text, given.env)), hint=False)
        byte = data or b"\n"
        if given.flag is not None and given.before.read(given.flag.dest, bytes)[-1:] not in ([], [byte]):
            raise UsageError(self.other, hint=False)
        return byte
