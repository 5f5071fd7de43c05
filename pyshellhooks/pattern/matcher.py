"""Matchers of hook formats: a regular expression over a tool's name or the like, answered yes or no.

A flavour is a vendor's language. ``re2`` is that of Go's ``regexp`` (https://github.com/google/re2/wiki/Syntax); the
validation is ours, so that every machine gives the same message and offset, in Go's words. It runs on google-re2 or,
where there is none, translated to ``regex`` with a timeout.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import Stop
from ..text import encode
from .engines import load_re2, time_left
from .re2_syntax import translate
from .regex_nodes import PatternError

if TYPE_CHECKING:
    from ..cancel import CancelScope

FLAVOURS = ("re2",)


class Matcher:
    """A compiled matcher."""

    __slots__ = ("_linear", "_program", "flavour", "pattern")

    def __init__(self, pattern: str, flavour: str) -> None:
        self.pattern = pattern
        self.flavour = flavour
        translated = translate(pattern)  # always: it is what finds the mistakes
        self._linear = bool(load_re2())
        self._program: Any = _compile_re2(pattern) if self._linear else None
        if self._program is None:
            import regex

            self._linear = False
            self._program = regex.compile(translated)

    def search(self, text: str, scope: CancelScope | None = None) -> bool:
        """Say whether the expression matches anywhere in the text."""
        if self._linear:
            return self._program.search(encode(text)) is not None
        try:
            return self._program.search(text, timeout=time_left(scope)) is not None
        except TimeoutError:
            raise Stop("regex", f"the matcher {self.pattern!r} took too long") from None

    def __repr__(self) -> str:
        return f"Matcher({self.pattern!r}, {self.flavour!r})"


def _compile_re2(pattern: str) -> Any:
    re2 = load_re2()
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    try:
        return re2.compile(encode(pattern), options)
    except re2.error:
        return None  # what Go takes and this RE2 does not


@lru_cache(maxsize=256)
def compile_matcher(pattern: str, flavour: str = "re2") -> Matcher:
    """Compile a matcher; ``PatternError`` says what is wrong, and at which character. Remembered."""
    if flavour not in FLAVOURS:
        raise ValueError(f"no such matcher flavour: {flavour} (there are: {', '.join(FLAVOURS)})")
    try:
        return Matcher(pattern, flavour)
    except RecursionError:
        raise PatternError("expression nests too deeply", 0) from None
