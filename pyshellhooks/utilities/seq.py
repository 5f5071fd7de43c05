"""seq: print a sequence of numbers (GNU coreutils 9.1), computed without rounding."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..text import encode
from .longdouble import LongDouble, parse, rounded, show
from .quoting import quote


def _places(text: str) -> int:
    """Give how many digits stand behind the point, once an exponent is applied; -1 where ``%g`` must do."""
    lower = text.lower().strip()
    if "x" in lower or "n" in lower:
        return -1
    mantissa, _, exponent = lower.partition("e")
    places = len(mantissa.partition(".")[2])
    return max(0, places - int(exponent)) if exponent else places


def _integer(text: str) -> bool:
    return text.removeprefix("-").removeprefix("+").isdigit() and text.isascii()


def _width(text: str, places: int) -> int:
    whole = text.strip().removeprefix("+").partition(".")[0]
    if "e" in text.lower() or "x" in text.lower():
        number, _ = parse(text)
        whole = show(number, "f", 0, False)
        whole = f"-{whole}" if number.negative else whole
    if whole in ("", "-"):
        whole += "0"
    return len(whole) + (places + 1 if places else 0)


def _number(text: str, call: Call) -> LongDouble:
    number, used = parse(text)
    if not used or used < len(text):
        raise UsageError(f"invalid floating point argument: {quote(text, call.env)}")
    if number.special == "nan":
        raise UsageError(f"invalid {quote('not-a-number', call.env)} argument: {quote(text, call.env)}")
    return number


def _directive(fmt: str, call: Call) -> tuple[str, str, str]:
    """Split ``-f``'s format into what stands before, the one directive and what stands behind."""
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


def _values(first: LongDouble, step: LongDouble, last: LongDouble) -> Iterator[LongDouble]:
    if first.special or step.special:
        while True:
            yield first
    start, width = first.exact(), step.exact()
    end = None if last.special else last.exact()
    if last.special and last.negative != (width < 0):
        return
    turn = 0
    while True:
        value = start + turn * width
        if end is not None and (value > end if width >= 0 else value < end):
            return
        yield rounded(value) if turn else first
        turn += 1


def _integers(call: Call, first: int, step: int, last: int | None, separator: bytes, width: int) -> None:
    """Print whole numbers in blocks; ``last`` None never ends."""
    write = call.out.write
    at = first
    lead = b""
    joint = separator.decode("utf-8", "surrogateescape")
    while last is None or (at <= last if step > 0 else at >= last):
        call.check()
        count = 4096
        if last is not None and step:
            count = min(count, (last - at) // step + 1)
        numbers = [str(at + turn * step) for turn in range(count)]
        if width:
            numbers = [number.zfill(width) for number in numbers]
        write(lead + encode(joint.join(numbers)))
        lead = separator
        at += count * step
    if lead or at != first:
        write(b"\n")


@utility(
    "seq",
    summary="Print numbers from FIRST to LAST, in steps of INCREMENT.",
    usage="[OPTION]... [FIRST [INCREMENT]] LAST",
    flags=None,
)
def seq(call: Call) -> int:
    opts, words = _FLAGS.read(call)
    if not words:
        raise UsageError("missing operand")
    if len(words) > 3:
        raise UsageError(f"extra operand {quote(words[3], call.env)}")
    if "format" in opts and opts.equal_width:
        raise UsageError("format string may not be specified when printing equal width strings")
    pieces = _directive(opts.value("format"), call) if "format" in opts else None
    numbers = [_number(word, call) for word in words]
    one = LongDouble(Fraction(1))
    first = numbers[0] if len(numbers) > 1 else one
    step = numbers[1] if len(numbers) > 2 else one
    last = numbers[-1]
    if len(numbers) > 2 and not step.value and not step.special:
        raise UsageError(f"invalid Zero increment value: {quote(words[1], call.env)}")
    separator = encode(opts.value("separator", "\n"))
    texts = (words[0] if len(words) > 1 else "1", words[1] if len(words) > 2 else "1", words[-1])
    if pieces is None and all(map(_integer, texts[:2])) and (_integer(texts[2]) or last.special):
        width = max(len(texts[0].removeprefix("+")), len(texts[2].removeprefix("+"))) if opts.equal_width else 0
        end = None if last.special else int(last.exact())
        if end is None and last.negative:
            return 0
        _integers(call, int(first.exact()), int(step.exact()), end, separator, width)
        return 0
    if pieces is None:
        pieces = _default_format(texts, bool(opts.equal_width), first)
    _print(call, pieces, _values(first, step, last), separator)
    return 0


def _default_format(texts: tuple[str, str, str], equal: bool, first: LongDouble) -> tuple[str, str, str]:
    places = [_places(text) for text in texts]
    if places[0] < 0 or places[1] < 0:
        return "", "%Lg", ""
    precision = max(places[0], places[1])
    if not equal or places[2] < 0:
        return "", f"%.{precision}Lf", ""
    width = max(_width(texts[0], precision), _width(texts[2], 0 if not places[2] else places[2]))
    last = _width(texts[2], 0).__index__() - (places[2] + 1 if places[2] and "." in texts[2] and False else 0)
    width = max(_width(texts[0], precision), last + (precision + 1 if precision else 0))
    return "", f"%0{width}.{precision}Lf", ""


def _print(call: Call, pieces: tuple[str, str, str], values: Iterator[LongDouble], separator: bytes) -> None:
    from .printf import Directive, parse as parse_format

    before, directive, after = pieces
    part = parse_format(directive)[0]
    assert isinstance(part, Directive)
    lead = b""
    for turn, number in enumerate(values):
        if not turn & 1023:
            call.check()
        call.out.write(lead + encode(before) + part.render(number) + encode(after))
        lead = separator
    if lead:
        call.out.write(b"\n")
