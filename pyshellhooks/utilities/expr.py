"""expr: evaluate expressions (POSIX XCU expr; GNU coreutils 9.1)."""

from __future__ import annotations

from collections.abc import Callable

from ..command import Call, utility
from ..errors import Stop, UsageError
from ..patterns.charclass import is_utf8
from ..patterns.engines import compile_posix
from ..patterns.tree import PatternError
from ..text import decode, encode, paced, pause
from .support.quoting import quote

_DEEPEST = 100  # nested parentheses
_DIGITS = 4000  # maximum digits of a number; Python refuses to convert much longer ones
_TOO_LARGE = 10**_DIGITS
_ORDER: dict[str, Callable[[int], bool]] = {
    "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0,
    "=": lambda sign: sign == 0,
    "==": lambda sign: sign == 0,
    "!=": lambda sign: sign != 0,
    ">=": lambda sign: sign >= 0,
    ">": lambda sign: sign > 0,
}


def _integer(text: str) -> int | None:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    if len(digits) > _DIGITS:
        raise Stop("limit", f"a number of expr has more than {_DIGITS} digits")
    return int(text)


def _text(value: int) -> str:
    if abs(value) >= _TOO_LARGE:
        raise Stop("limit", f"a number of expr has more than {_DIGITS} digits")
    return str(value)


def _null(text: str) -> bool:
    """Return whether a value is empty or a zero, which ``|``, ``&`` and the exit status count as false."""
    if text == "-":
        return False
    return not text.removeprefix("-").strip("0")


def _sign(left: str, right: str) -> int:
    """Compare two values: as numbers if both are, else as bytes."""
    one, other = _integer(left), _integer(right)
    if one is not None and other is not None:
        return (one > other) - (one < other)
    first, second = encode(left), encode(right)
    return (first > second) - (first < second)


def _syntax(message: str) -> UsageError:
    return UsageError(f"syntax error: {message}", 2, hint=False)


def _wrong(message: str) -> UsageError:
    return UsageError(message, 2, hint=False)


class _Evaluation:
    """An evaluation in one pass over the words. ``live`` false: only parse, after a decided ``|`` or ``&``."""

    def __init__(self, call: Call, words: list[str]) -> None:
        self.call = call
        self.words = words
        self.at = 0
        self.depth = 0
        self.utf8 = is_utf8(call.env)

    def run(self) -> str:
        value = self._or(True)
        if self.at < len(self.words):
            raise _syntax(f"unexpected argument {self._quoted(self.at)}")
        return value

    def _quoted(self, at: int) -> str:
        return quote(self.words[at], self.call.env)

    def _next(self, *operators: str) -> str:
        """Consume and return the next word if it is one of the operators, else return an empty text."""
        if self.at < len(self.words) and self.words[self.at] in operators:
            self.at += 1
            return self.words[self.at - 1]
        return ""

    def _need(self) -> None:
        if self.at >= len(self.words):
            raise _syntax(f"missing argument after {self._quoted(self.at - 1)}")

    def _or(self, live: bool) -> str:
        left = self._and(live)
        while self._next("|"):
            # The right side is parsed in any case, but evaluated only if it counts: it may divide by zero.
            right = self._and(live and _null(left))
            if _null(left):
                left = "0" if _null(right) else right
        return left

    def _and(self, live: bool) -> str:
        left = self._comparison(live)
        while self._next("&"):
            right = self._comparison(live and not _null(left))
            if _null(left) or _null(right):
                left = "0"
        return left

    def _comparison(self, live: bool) -> str:
        left = self._sum(live)
        while operator := self._next(*_ORDER):
            right = self._sum(live)
            holds = live and _ORDER[operator](_sign(left, right))
            left = "1" if holds else "0"
        return left

    def _sum(self, live: bool) -> str:
        left = self._product(live)
        while operator := self._next("+", "-"):
            right = self._product(live)
            if live:
                one, other = self._numbers(left, right)
                left = _text(one + other if operator == "+" else one - other)
        return left

    def _product(self, live: bool) -> str:
        left = self._match(live)
        while operator := self._next("*", "/", "%"):
            right = self._match(live)
            if live:
                one, other = self._numbers(left, right)
                if operator == "*":
                    left = _text(one * other)
                    continue
                if not other:
                    raise _wrong("division by zero")
                # C truncates toward zero, Python rounds down.
                whole = abs(one) // abs(other)
                if (one < 0) != (other < 0):
                    whole = -whole
                left = _text(whole if operator == "/" else one - whole * other)
        return left

    def _numbers(self, left: str, right: str) -> tuple[int, int]:
        one, other = _integer(left), _integer(right)
        if one is None or other is None:
            raise _wrong("non-integer argument")
        return one, other

    def _match(self, live: bool) -> str:
        left = self._function(live)
        while self._next(":"):
            right = self._function(live)
            if live:
                left = self._matched(left, right)
        return left

    def _matched(self, text: str, pattern: str) -> str:
        """Match at the start of the text; return the first group, or the number of matched characters."""
        # POSIX anchors the pattern at the start; a search finds that match too, as it is the leftmost one.
        try:
            regex = compile_posix(pattern, extended=False, utf8=self.utf8)
        except PatternError as error:
            raise _wrong(error.message) from None
        data = encode(text)
        spans = regex.search(data, scope=self.call.scope)
        # The leftmost match starts at 0 if any does.
        if spans is None or spans[0][0]:
            return "" if regex.groups else "0"
        if regex.groups:
            low, high = spans[1]
            return decode(data[low:high]) if low >= 0 else ""
        return str(self._length(data[: spans[0][1]]))

    def _length(self, data: bytes) -> int:
        return len(decode(data)) if self.utf8 else len(data)

    def _function(self, live: bool) -> str:
        if self._next("+"):
            self._need()
            self.at += 1
            return self.words[self.at - 1]
        if self._next("length"):
            return str(self._length(encode(self._function(live))))
        if self._next("match"):
            text, pattern = self._function(live), self._function(live)
            return self._matched(text, pattern) if live else text
        if self._next("index"):
            return self._index(self._function(live), self._function(live))
        if self._next("substr"):
            text = self._function(live)
            start, count = _integer(self._function(live)), _integer(self._function(live))
            return self._substring(text, start, count)
        return self._atom(live)

    def _index(self, text: str, wanted: str) -> str:
        """Return the position of the first of some characters, counted from 1, or 0."""
        members = set(self._characters(wanted))
        for at, char in enumerate(paced(self._characters(text)), 1):
            if char in members:
                return str(at)
        return "0"

    def _substring(self, text: str, start: int | None, count: int | None) -> str:
        if start is None or count is None or min(start, count) < 1:
            return ""
        part = self._characters(text)[start - 1 : start - 1 + count]
        return part if self.utf8 else decode(part.encode("latin-1"))

    def _characters(self, text: str) -> str:
        """Return a text with one character for each character of the locale's encoding."""
        return text if self.utf8 else encode(text).decode("latin-1")

    def _atom(self, live: bool) -> str:
        pause()
        self._need()
        if self._next("("):
            self.depth += 1
            if self.depth > _DEEPEST:
                raise Stop("limit", f"expr: more than {_DEEPEST} nested parentheses")
            value = self._or(live)
            self.depth -= 1
            if self.at >= len(self.words):
                raise _syntax(f"expecting ')' after {self._quoted(self.at - 1)}")
            if not self._next(")"):
                raise _syntax(f"expecting ')' instead of {self._quoted(self.at)}")
            return value
        if self._next(")"):
            raise _syntax("unexpected ')'")
        self.at += 1
        return self.words[self.at - 1]


@utility(
    "expr", summary="Print the value of EXPRESSION to standard output.", usage="EXPRESSION", flags=None, error_status=3
)
def expr(call: Call) -> int:
    """Return 0, or 1 if the value is empty or zero, or 2 for an invalid expression."""
    words = call.args
    # Only alone: in a longer expression --help is a text.
    if words == ["--help"]:
        call.out.write(expr.help().encode())
        return 0
    if words == ["--version"]:
        call.out.write(b"expr (pyshellhooks, as GNU coreutils) 9.1\n")
        return 0
    if words[:1] == ["--"]:
        words = words[1:]
    if not words:
        raise UsageError("missing operand", 2)
    value = _Evaluation(call, words).run()
    call.out.write(encode(value) + b"\n")
    return int(_null(value))
