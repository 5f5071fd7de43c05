"""Matchers of hook formats: a regular expression over a tool's name or the like, answered yes or no.

A flavour is a vendor's language; the validation is ours, so that every machine gives the same message and offset, in
the words of the engine the vendor uses.

========  =============================================================================================
``re2``   Go's ``regexp`` (https://github.com/google/re2/wiki/Syntax)
``js``    ECMAScript's ``new RegExp(p).test(text)`` (ECMA-262 22.2 with Annex B)
``rust``  ``Regex::new(p)?.is_match(text)`` of Rust's regex crate (https://docs.rs/regex/1/regex/#syntax)
========  =============================================================================================

They run on google-re2 where it can say the same, else on the ``regex`` module with a timeout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import Stop
from ..regexes import lazy_pattern
from ..text import encode, remembered
from . import js_syntax, re2_syntax, rust_syntax
from .apart import apart, at_once
from .bounded import compile_re2, compile_regex, search_bounded, time_left
from .emit import Options, Re2Emitter, RegexEmitter, UnsupportedError
from .engines import load_re2
from .js_syntax import code_units
from .regex_nodes import Node, PatternError
from .repeats import check_repeats

if TYPE_CHECKING:
    from ..cancel import CancelScope


class Matcher:
    """A compiled matcher."""

    __slots__ = ("_ascii_only", "_at_once", "_general", "_linear", "_tree", "_units", "flavour", "pattern")

    def __init__(self, pattern: str, flavour: str) -> None:
        self.pattern = pattern
        self.flavour = flavour
        self._units = flavour == "js"  # its characters are UTF-16 code units
        self._tree = _PARSERS[flavour](pattern)  # always: it is what finds the mistakes
        self._ascii_only = False
        self._linear: Any = self._compile_linear() if load_re2() else None
        self._at_once = 0 if self._linear is None else at_once(self._linear.programsize)
        self._general: Any = None if self._linear is not None else _compile_general(self._tree)

    def search(self, text: str, scope: CancelScope | None = None, most: float | None = None) -> bool:
        """Say whether the expression matches anywhere in the text. ``most``: the seconds that it may take for that."""
        if not self._units and not text.isascii():
            text = _HALF.sub("\ufffd", text)  # as Go and Rust read what is no UTF-8; ECMAScript has halves of pairs
        if self._linear is not None and (text.isascii() or self._is_linear_on(text)):
            return self._finds(encode(text), scope, most)
        try:
            program = self._general = self._general or _compile_general(self._tree)
        except PatternError as error:  # RE2 took it: nobody asks for a mistake now
            raise Stop("regex", f"the matcher {self.pattern!r}: {error.message}") from None
        subject = code_units(text) if self._units else text
        return search_bounded(program, subject, 0, scope, f"the matcher {self.pattern!r}", most) is not None

    def _finds(self, subject: bytes, scope: CancelScope | None, most: float | None) -> bool:
        if len(subject) < self._at_once:
            return self._linear.search(subject) is not None
        return apart(lambda: self._linear.search(subject), time_left(scope, most)) is not None

    def _compile_linear(self) -> Any:
        if self.flavour == "re2":
            return _compile_re2(self.pattern)
        emitter = Re2Emitter(_OPTIONS)
        try:
            text = emitter.whole(self._tree)
        except UnsupportedError:
            return None
        self._ascii_only = emitter.ascii_only
        return _compile_re2(text)

    def _is_linear_on(self, text: str) -> bool:
        return not self._ascii_only and not (self._units and _HALF.search(code_units(text)))

    def __repr__(self) -> str:
        return f"Matcher({self.pattern!r}, {self.flavour!r})"


_PARSERS = {"re2": re2_syntax.parse, "js": js_syntax.parse, "rust": rust_syntax.parse}
FLAVOURS = tuple(_PARSERS)
_HALF = lazy_pattern("[\ud800-\udfff]")
# A tree says all that it means: nothing of the locale's.
_OPTIONS = Options(newline_anchors=True, utf8=False, first=True)


def _compile_general(tree: Node) -> Any:
    import regex

    try:
        text = RegexEmitter(_OPTIONS).whole(tree)
        check_repeats(text)
        return compile_regex(text, regex.VERSION0)
    except (regex.error, OverflowError):
        raise PatternError("expression too big", 0) from None
    except RecursionError:
        raise PatternError("expression nests too deeply", 0) from None


def _compile_re2(pattern: str) -> Any:
    re2 = load_re2()
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    try:
        return compile_re2(re2, encode(pattern), options)
    except re2.error:
        return None  # what Go takes and this RE2 does not


@remembered(256)
def compile_matcher(pattern: str, flavour: str = "re2") -> Matcher:
    """Compile a matcher; ``PatternError`` says what is wrong, and at which character. Remembered."""
    if flavour not in FLAVOURS:
        raise ValueError(f"no such matcher flavour: {flavour} (there are: {', '.join(FLAVOURS)})")
    try:
        return Matcher(pattern, flavour)
    except RecursionError:
        raise PatternError("expression nests too deeply", 0) from None
