"""Matchers of hook systems: regular expressions that test whether a subject, such as a tool's name, contains a match.

A flavour is the regex language of a hook system. The validation is our own, so that every machine reports the same
message and offset, with the messages of the system's engine.

========  =============================================================================================
``re2``   Go's ``regexp`` (https://github.com/google/re2/wiki/Syntax)
``js``    ECMAScript's ``new RegExp(p).test(text)`` (ECMA-262 22.2 with Annex B)
``rust``  ``Regex::new(p)?.is_match(text)`` of Rust's regex crate (https://docs.rs/regex/1/regex/#syntax)
========  =============================================================================================

They run on google-re2 if it gives the same results, else on the ``regex`` module with a timeout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import Stop
from ..regexes import lazy_pattern
from ..text import encode, remembered
from .background_search import apart, most_bytes_inline
from .emit import Options, Re2Emitter, RegexEmitter, UnsupportedError
from .flavors import js, re2, rust
from .flavors.js import code_units
from .programs import load_re2
from .repeats import check_repeats
from .timed_regex import compile_re2, compile_regex, search_bounded, time_left
from .tree import Node, PatternError

if TYPE_CHECKING:
    from ..cancel import CancelScope


class Matcher:
    """A compiled matcher."""

    __slots__ = ("_ascii_only", "_at_once", "_general", "_linear", "_tree", "_units", "flavour", "pattern")

    def __init__(self, pattern: str, flavour: str) -> None:
        self.pattern = pattern
        self.flavour = flavour
        self._units = flavour == "js"  # its characters are UTF-16 code units
        self._tree = _PARSERS[flavour](pattern)  # always parsed, to find syntax errors
        self._ascii_only = False
        self._linear: Any = self._compile_linear() if load_re2() else None
        self._at_once = 0
        self._general: Any = None  # created at its first use, if there is a linear one
        if self._linear is not None:
            self._at_once = most_bytes_inline(self._linear.programsize)
        else:
            self._general = _compile_general(self._tree)

    def search(self, text: str, scope: CancelScope | None = None, most: float | None = None) -> bool:
        """Return whether the expression matches anywhere in the text. ``most``: a limit in seconds."""
        if not self._units and not text.isascii():
            text = _HALF.sub("\ufffd", text)  # as Go and Rust decode invalid UTF-8; ECMAScript allows half pairs
        if self._linear is not None and (text.isascii() or self._is_linear_on(text)):
            return self._finds(encode(text), scope, most)
        try:
            if self._general is None:
                self._general = _compile_general(self._tree)
        except PatternError as error:  # RE2 compiled it, so callers do not expect a syntax error here
            raise Stop("regex", f"the matcher {self.pattern!r}: {error.message}") from None
        subject = code_units(text) if self._units else text
        return search_bounded(self._general, subject, 0, scope, f"the matcher {self.pattern!r}", most) is not None

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
        """Return whether RE2 gives the same results as the flavour on a text beyond ASCII."""
        if self._ascii_only:
            return False
        if not self._units:
            return True
        return _HALF.search(code_units(text)) is None

    def __repr__(self) -> str:
        return f"Matcher({self.pattern!r}, {self.flavour!r})"


_PARSERS = {"re2": re2.parse, "js": js.parse, "rust": rust.parse}
FLAVOURS = tuple(_PARSERS)
_HALF = lazy_pattern("[\ud800-\udfff]")
# A matcher's tree is complete: no meaning depends on the locale.
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
    engine = load_re2()
    options = engine.Options()
    options.log_errors = False
    # A matcher only tests, which is faster without groups.
    options.never_capture = True
    try:
        return compile_re2(engine, encode(pattern), options)
    except engine.error:
        return None  # valid in Go, but not in this version of RE2


@remembered(256)
def compile_matcher(pattern: str, flavour: str = "re2") -> Matcher:
    """Compile a matcher; results are cached. Raise ``PatternError`` with the message and the character's offset."""
    if flavour not in FLAVOURS:
        raise ValueError(f"unknown matcher flavour {flavour!r} (expected one of: {', '.join(FLAVOURS)})")
    try:
        return Matcher(pattern, flavour)
    except RecursionError:
        raise PatternError("expression nests too deeply", 0) from None
