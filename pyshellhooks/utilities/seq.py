"""seq: print a sequence of numbers (GNU coreutils 9.1), computed without rounding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import gt, lt
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
        digits = text.removeprefix("-")
        is_minus_zero = text.startswith("-0")  # GNU prints it as -0, so it is counted as a long double
        self.whole = text.isascii() and digits.isdigit() and not is_minus_zero
        self.width = len(text)
        self.places = 0
        if self.whole or self.number.special:
            return
        lower = text.lower()
        if "x" in lower:
            self.width = 0  # GNU ignores the width of a hexadecimal number
            if "." in lower or "p" in lower:
                self.places = -1
            return
        mantissa, _, exponent = lower.partition("e")
        head, point, tail = mantissa.partition(".")
        self.places = max(0, len(tail) - int(exponent or 0))
        if exponent:
            shown = show(self.number, "f", self.places, False)
            self.width = len(shown) + self.number.negative
            return
        self.width = len(head)
        if tail:
            self.width += 1 + len(tail)
        if point and head in ("", "-"):
            self.width += 1  # .5 is printed as 0.5


def _number(text: str, call: Call) -> LongDouble:
    number, used = parse(text)
    if not used or used < len(text):
        raise UsageError(f"invalid floating point argument: {quote(text, call.env)}")
    if number.special == "nan":
        raise UsageError(f"invalid {quote('not-a-number', call.env)} argument: {quote(text, call.env)}")
    return number


_FLAG_CHARACTERS = "-+#0 '"


_DIGITS = "0123456789"


_CONVERSIONS = frozenset("efgaEFGA")


_NUMBER_STARTS = frozenset("0123456789.")


_VALUED = frozenset(("-s", "-f", "--separator", "--format"))


def _directive(fmt: str, call: Call) -> tuple[str, str, str]:
    """Split the format of ``-f`` into the text before, the directive and the text after it."""
    env = call.env
    at = fmt.find("%")
    while fmt.startswith("%%", at):
        at = fmt.find("%", at + 2)
    if at < 0:
        raise UsageError(f"format {quote(fmt, env)} has no % directive", hint=False)
    end = _skip(fmt, at + 1, _FLAG_CHARACTERS)
    end = _skip(fmt, end, _DIGITS)
    if fmt.startswith(".", end):
        end = _skip(fmt, end + 1, _DIGITS)
    if end >= len(fmt):
        raise UsageError(f"format {quote(fmt, env)} ends in %", hint=False)
    if fmt[end] == "L":
        end += 1
    conversion = fmt[end : end + 1]
    if conversion not in _CONVERSIONS:
        raise UsageError(f"format {quote(fmt, env)} has unknown %{conversion} directive", hint=False)
    rest = fmt[end + 1 :]
    if "%" in rest.replace("%%", ""):
        raise UsageError(f"format {quote(fmt, env)} has too many % directives", hint=False)
    return fmt[:at].replace("%%", "%"), fmt[at : end + 1], rest.replace("%%", "%")


def _skip(text: str, at: int, characters: str) -> int:
    """Return the end of a run of some characters."""
    while at < len(text) and text[at] in characters:
        at += 1
    return at


def _values(first: LongDouble, step: LongDouble, last: LongDouble, show_one: Show, turn: int = 0) -> Iterator[bytes]:
    """Yield the formatted values. Sums are rounded as GNU's are.

    A value that exceeds the end only by rounding is included.
    """
    if first.special or step.special:
        yield from _infinite_values(first, step, last, show_one)
        return
    start, width = first.exact(), step.exact()
    if last.special and last.negative != (width < 0):
        return
    end = None if last.special else last.exact()
    is_beyond = gt if width >= 0 else lt
    before = b""
    while True:
        # GNU multiplies and adds, each with a rounding; it does not add the step again and again.
        number = rounded(start + rounded(turn * width).exact()) if turn else first
        text = show_one(number)
        value = number.exact()
        if end is not None and is_beyond(value, end):
            again, used = parse(decode(text))
            prints_end = used == len(text) and again.exact() == end
            if turn and prints_end and text != before:
                yield text
            return
        yield text
        before = text
        turn += 1


def _infinite_values(first: LongDouble, step: LongDouble, last: LongDouble, show_one: Show) -> Iterator[bytes]:
    """Yield the values from an infinite first one or in infinite steps; one such step leaves every finite range."""
    while not first.special and (last.special or first.exact() <= last.exact()):
        yield show_one(first)
        if not last.special:
            return
        first = step
    while last.special and first.special:
        yield show_one(first)


def _integers(call: Call, first: int, step: int, last: int | None, separator: bytes, width: int) -> None:
    """Print whole numbers in blocks. If ``last`` is None, go on forever."""
    write = call.out.write
    at = first
    left = None if last is None else (last - first) // step + 1
    lead = b""
    joint = separator.decode("utf-8", "surrogateescape")
    while left is None or left > 0:
        call.check()
        count = 4096 if left is None else min(4096, left)
        whole_thousand = False
        if step == 1 and at >= 1000:
            count = min(count, 1000 - at % 1000)  # blocks end at thousands, so that nearly all are whole ones
            whole_thousand = count == 1000
        if whole_thousand:
            # All but the last three digits are equal, so they are inserted together with the separators.
            head = str(at // 1000).zfill(width - 3)
            text = head + (joint + head).join(_THOUSAND)
        else:
            numbers: Iterable[str] = map(str, range(at, at + count * step, step))
            if width:
                numbers = [number.zfill(width) for number in numbers]
            text = joint.join(numbers)
        write(lead + encode(text))
        lead = separator
        at += count * step
        if left is not None:
            left -= count
    if at != first:
        write(b"\n")


class _NumberFlags(Flags):
    """Options of seq. ``-1`` and ``-.5`` are numbers."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        words = list(argv)
        is_value = False
        for at, word in enumerate(words):
            dashed = word.startswith("-")
            if word == "--" or not (dashed or is_value):
                break
            if dashed and not is_value and word[1:2] in _NUMBER_STARTS:
                words.insert(at, "--")
                break
            is_value = word in _VALUED
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
    ends_whole = last.whole or last.number.special == "inf"
    if pieces is None and first.whole and step.whole and ends_whole:
        width = max(first.width, last.width) if opts.equal_width else 0
        _whole_numbers(call, (first, step, last), separator, width)
        return 0
    if pieces is None:
        pieces = "", _default(first, step, last, opts.equal_width), ""
    _print(call, pieces, (first, step, last), separator)
    return 0


def _whole_numbers(call: Call, operands: tuple[_Operand, _Operand, _Operand], separator: bytes, width: int) -> None:
    """Print numbers that all are whole, which may have any number of digits up to a limit."""
    first, step, last = operands
    endless = bool(last.number.special)
    if endless and last.number.negative != step.text.startswith("-"):
        return
    # Conversions of huge numbers take quadratic time, in which no deadline is checked.
    if max(len(operand.text) for operand in operands) > _MOST_DIGITS:
        raise Stop("limit", f"a number of seq has more than {_MOST_DIGITS} digits", "string")
    end = None if endless else int(last.text)
    _integers(call, int(first.text), int(step.text), end, separator, width)


def _default(first: _Operand, step: _Operand, last: _Operand, equal: bool) -> str:
    """Return the directive that GNU's get_default_format selects."""
    if min(first.places, step.places, last.places) < 0:
        return "%Lg"
    places = max(first.places, step.places)
    if not equal:
        return f"%.{places}Lf"
    width = max(_whole_width(first), _whole_width(last))
    if places:
        width += 1 + places
    return f"%0{width}.{places}Lf"


def _whole_width(operand: _Operand) -> int:
    """Return the width of an operand before its point."""
    return operand.width - 1 - operand.places if operand.places else operand.width


def _decimals(
    directive: Directive, operands: tuple[_Operand, ...], show_turn: Callable[[int], bytes]
) -> Iterator[list[bytes]]:
    """Yield blocks of numbers, all but the last few, if they can be counted in units of the last decimal place.

    GNU adds in binary. If its error is below half of the last printed digit, it prints the exact sum of the decimals.
    Zero is an exception: GNU's rest has a sign then, and digits for %g.
    """
    if directive.alternate or directive.sign:
        return
    if not all(len(operand.text) < 40 and _DECIMAL.fullmatch(operand.text) for operand in operands):
        return
    places = max(operand.places for operand in operands[:2])
    first, step, last = (int(Fraction(operand.text) * 10**places) for operand in operands)  # the last is just a bound
    precision = 6 if directive.precision < 0 else directive.precision
    most = max(abs(first), abs(last)) + abs(step)
    if not _is_exact(directive.conversion, places, precision, most):
        return
    form = _decimal_form(directive, places, precision)
    turns = (last - first) // step - 1
    for start in range(0, turns, 4096):
        stop = min(start + 4096, turns)
        units = range(first + start * step, first + stop * step, step)
        texts = [form(unit) for unit in units]
        if 0 in units:
            at = units.index(0)
            texts[at] = show_turn(start + at)
        yield texts


def _is_exact(conversion: str, places: int, precision: int, most: int) -> bool:
    """Return whether a conversion shows all digits of numbers up to ``most`` units, and no error of a long double."""
    if conversion == "f":
        # 64 bits of a mantissa, of which 8 are left for the errors of the sums.
        return precision >= places and most * 10 ** (precision - places) < 2**56
    if conversion != "g" or places > 4:  # %g writes numbers below 0.0001 with an exponent
        return False
    return bool(most < 10 ** (precision or 1) < 10**13)


def _decimal_form(directive: Directive, places: int, precision: int) -> Callable[[int], bytes]:
    """Return a function that formats a number of units of the last decimal place."""
    unit = 10**places
    tail = "0" * (precision - places) if directive.conversion == "f" else ""
    point = "." if places or tail else ""
    width, left = directive.width, directive.left
    zero = directive.zero and not left
    strips = directive.conversion == "g" and places > 0

    def form(number: int) -> bytes:
        whole, part = divmod(abs(number), unit)
        decimals = f"{part:0{places}d}" if places else ""
        text = f"{whole}{point}{decimals}{tail}"
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
    # First the numbers that integers represent exactly, then the last few, where the rounding of the sum matters.
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
