"""seq: print a sequence of numbers (GNU coreutils 9.1), computed without rounding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ..command import Call, Flag, Flags, Options, utility
from ..errors import Stop, UsageError
from ..text import decode, encode
from .support.longdouble import LongDouble, parse, rounded, show
from .support.quoting import quote

if TYPE_CHECKING:
    from .printf import Directive

_MOST_DIGITS = 4000
_THOUSAND = [f"{number:03d}" for number in range(1000)]
_DECIMAL = re.compile(r"-?[0-9]+(?:\.[0-9]*)?|-?\.[0-9]+")
Show = Callable[[LongDouble], bytes]


class _Operand:
    """An operand: its number, and from its spelling the number of decimal ``places`` (-1: ``%g``) and the ``width``."""

    __slots__ = ("number", "places", "text", "whole", "width")

    def __init__(self, text: str, call: Call) -> None:
        self.number = _number(text, call)
        text = text.lstrip(" \t\n\v\f\r").removeprefix("+")
        self.text = text
        self.whole = text.isascii() and text.removeprefix("-").isdigit() and text[:2] != "-0"
        self.width = len(text)
        self.places = 0
        if self.whole or self.number.special:
            return
        lower = text.lower()
        if "x" in lower:
            self.width = 0  # GNU ignores the width of a hexadecimal number
            self.places = -1 if "." in lower or "p" in lower else 0
            return
        mantissa, _, exponent = lower.partition("e")
        head, point, tail = mantissa.partition(".")
        power = int(exponent or 0)
        self.places = max(0, len(tail) - power)
        self.width = len(head) + len(point and tail and "." + tail)
        if point and head in ("", "-"):
            self.width += 1
        if exponent:
            digits = show(self.number, "f", self.places, False)
            self.width = len(digits) + self.number.negative


def _number(text: str, call: Call) -> LongDouble:
    number, used = parse(text)
    if not used or used < len(text):
        raise UsageError(f"invalid floating point argument: {quote(text, call.env)}")
    if number.special == "nan":
        raise UsageError(f"invalid {quote('not-a-number', call.env)} argument: {quote(text, call.env)}")
    return number


def _directive(fmt: str, call: Call) -> tuple[str, str, str]:
    """Split the format of ``-f`` into the text before, the directive and the text after it."""
    env = call.env
    at = 0
    while True:
        at = fmt.find("%", at)
        if at < 0:
            raise UsageError(f"format {quote(fmt, env)} has no % directive", hint=False)
        if fmt[at : at + 2] != "%%":
            break
        at += 2
    end = at + 1
    while end < len(fmt) and fmt[end] in "-+#0 '":
        end += 1
    while end < len(fmt) and fmt[end] in "0123456789":
        end += 1
    if fmt[end : end + 1] == ".":
        end += 1
        while end < len(fmt) and fmt[end] in "0123456789":
            end += 1
    if end >= len(fmt):
        raise UsageError(f"format {quote(fmt, env)} ends in %", hint=False)
    end += fmt[end] == "L"
    if fmt[end : end + 1] not in tuple("efgaEFGA"):
        raise UsageError(f"format {quote(fmt, env)} has unknown %{fmt[end : end + 1]} directive", hint=False)
    rest = fmt[end + 1 :]
    if "%" in rest.replace("%%", ""):
        raise UsageError(f"format {quote(fmt, env)} has too many % directives", hint=False)
    return fmt[:at].replace("%%", "%"), fmt[at : end + 1], rest.replace("%%", "%")


def _values(first: LongDouble, step: LongDouble, last: LongDouble, show_one: Show, turn: int = 0) -> Iterator[bytes]:
    """Yield the formatted values. Sums are rounded as GNU's are.

    A value that exceeds the end only by rounding is included.
    """
    if first.special or step.special:
        # One step leaves every finite range.
        while not first.special and (last.special or first.exact() <= last.exact()):
            yield show_one(first)
            if not last.special:
                return
            first = step
        while last.special and first.special:
            yield show_one(first)
        return
    start, width = first.exact(), step.exact()
    if last.special and last.negative != (width < 0):
        return
    end = None if last.special else last.exact()
    before = b""
    while True:
        number = rounded(start + rounded(turn * width).exact()) if turn else first
        text = show_one(number)
        value = number.exact()
        if end is not None and (value > end if width >= 0 else value < end):
            again, used = parse(decode(text))
            if turn and used == len(text) and again.exact() == end and text != before:
                yield text
            return
        yield text
        before = text
        turn += 1


def _integers(call: Call, first: int, step: int, last: int | None, separator: bytes, width: int) -> None:
    """Print whole numbers in blocks. If ``last`` is None, never stop."""
    write = call.out.write
    at = first
    lead = b""
    joint = separator.decode("utf-8", "surrogateescape")
    while last is None or (at <= last if step > 0 else at >= last):
        call.check()
        count = 4096 if last is None else min(4096, (last - at) // step + 1)
        if step == 1 and at >= 1000:
            count = min(count, 1000 - at % 1000)
        if step == 1 and at >= 1000 and count == 1000:
            # All but the last three digits are equal, so they are inserted together with the separators.
            head = str(at // 1000).zfill(width - 3)
            text = head + (joint + head).join(_THOUSAND)
        else:
            numbers = map(str, range(at, at + count * step, step))
            text = joint.join([number.zfill(width) for number in numbers] if width else numbers)
        write(lead + encode(text))
        lead = separator
        at += count * step
    if lead or at != first:
        write(b"\n")


class _NumberFlags(Flags):
    """Options of seq. ``-1`` and ``-.5`` are numbers."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        words = list(argv)
        for at, word in enumerate(words):
            valued = words[at - 1] in ("-s", "-f", "--separator", "--format") if at else False
            if word == "--" or (word[:1] != "-" and not valued):
                break
            if word[:1] == "-" and word[1:2] in tuple("0123456789.") and not valued:
                words.insert(at, "--")
                break
        return super().parse(words, env)


@utility(
    "seq",
    summary="Print numbers from FIRST to LAST, in steps of INCREMENT.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FIRST [INCREMENT]] LAST",
    flags=_NumberFlags(
        [
            Flag("-f", "--format", value="FORMAT", help="use printf style floating-point FORMAT"),
            Flag("-s", "--separator", value="STRING", help="use STRING to separate numbers (default: \\n)"),
            Flag("-w", "--equal-width", help="equalize width by padding with leading zeroes"),
        ],
        permute=False,
    ),
)
def seq(call: Call) -> int:
    opts, words = call.opts, call.args
    if not words:
        raise UsageError("missing operand")
    if len(words) > 3:
        raise UsageError(f"extra operand {quote(words[3], call.env)}")
    pieces = _directive(opts.value("format"), call) if "format" in opts else None
    if pieces is not None and opts.equal_width:
        raise UsageError("format string may not be specified when printing equal width strings")
    first = _Operand(words[0] if len(words) > 1 else "1", call)
    step = _Operand(words[1] if len(words) > 2 else "1", call)
    if not step.number.value and not step.number.special:
        raise UsageError(f"invalid Zero increment value: {quote(words[1], call.env)}")
    last = _Operand(words[-1], call)
    separator = encode(opts.value("separator", "\n"))
    if pieces is None and first.whole and step.whole and (last.whole or last.number.special == "inf"):
        width = max(first.width, last.width) if opts.equal_width else 0
        if last.number.special and last.number.negative != (step.text[0] == "-"):
            return 0
        if max(len(first.text), len(step.text), len(last.text)) > _MOST_DIGITS:
            raise Stop("limit", f"a number of seq has more than {_MOST_DIGITS} digits", "string")
        end = None if last.number.special else int(last.text)
        _integers(call, int(first.text), int(step.text), end, separator, width)
        return 0
    _print(call, pieces or ("", _default(first, step, last, opts.equal_width), ""), (first, step, last), separator)
    return 0


def _default(first: _Operand, step: _Operand, last: _Operand, equal: bool) -> str:
    """Return the directive that GNU's get_default_format selects."""
    if min(first.places, step.places, last.places) < 0:
        return "%Lg"
    places = max(first.places, step.places)
    if not equal:
        return f"%.{places}Lf"
    widths = []
    for operand in (first, last):
        whole = operand.width - (operand.places + 1 if operand.places else 0)
        widths.append(whole + (places + 1 if places else 0))
    return f"%0{max(widths)}.{places}Lf"


def _decimals(
    directive: Directive, operands: tuple[_Operand, ...], show_turn: Callable[[int], bytes]
) -> Iterator[list[bytes]]:
    """Yield blocks of numbers, all but the last few, if they can be counted in units of the last decimal place.

    GNU adds in binary. If its error is below half of the last printed digit, it prints the exact sum of the decimals.
    Zero is an exception: GNU's rest has a sign then, and digits for %g.
    """
    if not all(len(operand.text) < 40 and _DECIMAL.fullmatch(operand.text) for operand in operands):
        return
    places = max(operand.places for operand in operands[:2])
    first, step, last = (int(Fraction(operand.text) * 10**places) for operand in operands)  # the last is just a bound
    precision = 6 if directive.precision < 0 else directive.precision
    most = max(abs(first), abs(last)) + abs(step)
    if directive.conversion == "f":
        shown = precision >= places and most * 10 ** (precision - places) < 2**56
    else:
        shown = directive.conversion == "g" and places <= 4 and most < 10 ** (precision or 1) < 10**13
    if not shown or directive.alternate or directive.sign:
        return
    form = _decimal_form(directive, places, precision)
    turns = range(0, (last - first) // step - 1, 4096)
    for start in turns:
        stop = min(start + 4096, (last - first) // step - 1)
        units = range(first + start * step, first + stop * step, step)
        texts = [form(unit) for unit in units]
        if 0 in units:
            at = units.index(0)
            texts[at] = show_turn(start + at)
        yield texts


def _decimal_form(directive: Directive, places: int, precision: int) -> Callable[[int], bytes]:
    """Return a function that formats a number of units of the last decimal place."""
    unit = 10**places
    tail = "0" * (precision - places) if directive.conversion == "f" else ""
    point = "." if places or tail else ""
    width, left, zero = directive.width, directive.left, directive.zero and not directive.left
    strips = directive.conversion == "g" and places > 0

    def form(number: int) -> bytes:
        whole, part = divmod(abs(number), unit)
        text = f"{whole}{point}{part:0{places}d}{tail}" if places else f"{whole}{point}{tail}"
        if strips:
            text = text.rstrip("0").rstrip(".")
        sign = "-" if number < 0 else ""
        if zero:
            text = text.rjust(width - len(sign), "0")
        text = sign + text
        return (text.ljust(width) if left else text.rjust(width)).encode()

    return form


def _print(call: Call, pieces: tuple[str, str, str], operands: tuple[_Operand, ...], separator: bytes) -> None:
    from .printf import Directive, float_text
    from .printf import parse as parse_format

    directive = parse_format(pieces[1])[0]
    assert isinstance(directive, Directive)
    before, after = encode(pieces[0]), encode(pieces[2])
    if max(directive.width, directive.precision) > call.limits.string:
        raise Stop("limit", f"seq: a field is wider than {call.limits.string}", "string")

    def show_one(number: LongDouble) -> bytes:
        text = float_text(directive, number, directive.width, directive.precision, directive.left)
        return text.ljust(directive.width) if directive.left else text.rjust(directive.width)

    lead = b""
    first, step, last = (operand.number for operand in operands)

    def show_turn(turn: int) -> bytes:
        return next(_values(first, step, last, show_one, turn))

    turn, some = 0, False
    for texts in _decimals(directive, operands, show_turn):
        call.check()
        call.out.write(lead + before + (after + separator + before).join(texts) + after)
        lead, some = separator, True
        turn += len(texts)
    for text in _values(first, step, last, show_one, turn):
        call.check()
        call.out.write(lead + before + text + after)
        lead, some = separator, True
    if some:
        call.out.write(b"\n")
