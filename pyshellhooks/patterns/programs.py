"""The engines that run a compiled expression: RE2, and the ``regex`` module with a timeout."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import Stop
from ..text import encode
from .background_search import guarded
from .characters import as_text, byte_spans, previous_character
from .emit import Options, RegexEmitter, UnsupportedError
from .leftmost_longest import Ends, has_back_reference, is_certain
from .repeats import check_repeats
from .timed_regex import compile_re2, compile_regex, match_bounded, search_bounded
from .tree import Node, PatternError

if TYPE_CHECKING:
    from ..cancel import CancelScope

Spans = Sequence[tuple[int, int]]
Search = Callable[[bytes, int], Spans | None]

_re2: Any = None
_re2_wanted = True


def select_re2(wanted: bool) -> None:
    """Switch RE2 off or on for expressions that are compiled from now on."""
    global _re2, _re2_wanted
    _re2_wanted = wanted
    _re2 = None


def load_re2() -> Any:
    """Return the re2 module, or False if it is not installed (it has no wheel for musl) or switched off."""
    global _re2
    if _re2 is None:
        import os

        found: Any = False
        if _re2_wanted and not os.environ.get("PYSHELLHOOKS_NO_RE2"):
            try:
                import re2

                found = re2
            except ImportError:
                pass
        _re2 = found  # assigned last: another thread must not read False before the import
    return _re2


class Engine(ABC):
    """A compiled program."""

    __slots__ = ()

    @abstractmethod
    def search(self, data: bytes, start: int, scope: CancelScope | None) -> Spans | None:
        """Return the spans of the first match from ``start`` on; the data before it is context."""

    def find(self, data: bytes, start: int, scope: CancelScope | None) -> int:
        """Return the start of that match, or -1."""
        spans = self.search(data, start, scope)
        if spans is None:
            return -1
        return spans[0][0]


def re2_search(source: bytes, settings: Any) -> Search:
    """Compile for RE2, and return a search function; its result is the spans of the match and all groups, or None."""
    try:
        program = compile_re2(_re2, source, settings)
    except _re2.error:
        raise UnsupportedError from None  # too large for RE2
    try:
        match, anchor = program._regexp.Match, _re2._Anchor.UNANCHORED
    except AttributeError:  # a release with other internals

        def search(data: bytes, start: int) -> Spans | None:
            found = program.search(data, start)
            if found is None:
                return None
            return [found.span(number) for number in range(program.groups + 1)]
    else:
        # The module's public methods are wrappers of this one in Python, and cost three times as much.
        def search(data: bytes, start: int) -> Spans | None:
            spans: Spans = match(anchor, data, start, len(data))
            if spans[0][0] < 0:
                return None
            return spans

    return guarded(search, program.programsize)


def re2_settings(options: Options, *, captures: bool) -> Any:
    """Return RE2's options for a pattern."""
    settings = _re2.Options()
    settings.longest_match = not options.first
    # RE2 would write them to the host's stderr.
    settings.log_errors = False
    settings.never_capture = not captures
    if not options.utf8:
        settings.encoding = _re2.Options.Encoding.LATIN1
    return settings


class Re2Engine(Engine):
    """RE2 on bytes."""

    __slots__ = ("_program", "_word", "direct")

    def __init__(self, text: str, groups: int, options: Options) -> None:
        source = text.encode("utf-8" if options.utf8 else "latin-1")
        self._word = options.word
        has_groups = groups > 0 and options.captures
        captures = has_groups or options.word
        self._program = re2_search(source, re2_settings(options, captures=captures))
        self.direct = None if options.word else self._program

    def search(self, data: bytes, start: int, scope: CancelScope | None) -> Spans | None:
        if not self._word:
            return self._program(data, start)
        # For whole words, the match includes the character before it.
        match = self._program(data, previous_character(data, start) if start else start)
        if match is not None and match[1][0] < start:
            match = self._program(data, start)
        if match is None:
            return None
        return match[1:]


_MOST = 1 << 18  # characters of a pattern in the module's syntax


class RegexEngine(Engine):
    """The ``regex`` module on characters, with a timeout. ``exact``: on an ASCII text its match is the longest."""

    __slots__ = ("_certain", "_ends", "_exact", "_program", "_thorough", "_utf8")

    def __init__(self, tree: Node, options: Options, exact: bool = False) -> None:
        import regex

        text = RegexEmitter(options).whole(tree)
        self._utf8 = options.utf8
        self._exact = exact
        self._certain = options.first or is_certain(tree)
        self._ends = None if has_back_reference(tree) else Ends(tree, options)
        self._thorough: Any = None  # finds the longest of all matches at a position
        if len(text) > _MOST:  # compilation can't be interrupted
            raise Stop("regex", f"a regular expression that needs backtracking is longer than {_MOST} characters")
        try:
            check_repeats(text)
        except PatternError as error:
            # Engines are created at their first use, during a search, where callers do not expect a syntax error.
            raise Stop("regex", error.message) from None
        try:
            self._program = compile_regex(text)
        except (regex.error, RecursionError, OverflowError):
            raise PatternError("Regular expression too big") from None

    def search(self, data: bytes, start: int, scope: CancelScope | None) -> Spans | None:
        text, at, plain = as_text(data, start, self._utf8)
        match = search_bounded(self._program, text, at, scope)
        if match is None:
            return None
        is_longest = self._certain or (self._exact and plain)
        spans: Spans = match.regs
        if not is_longest and match.end() < len(text):
            spans = self._longest(match, text, scope)
        if plain:
            return spans
        return byte_spans(spans, text)

    def find(self, data: bytes, start: int, scope: CancelScope | None) -> int:
        text, at, plain = as_text(data, start, self._utf8)
        match = search_bounded(self._program, text, at, scope)
        if match is None:
            return -1
        begin: int = match.start()
        return begin if plain else len(encode(text[:begin]))

    def _longest(self, match: Any, text: str, scope: CancelScope | None) -> Spans:
        """Return the longest match with the same start."""
        spans: Spans = match.regs
        low, high = spans[0]
        if self._ends is not None:
            end = self._ends.last(text, low)
            if end <= high:
                return spans
            if len(spans) == 1:
                return ((low, end),)
        if self._thorough is None:
            import regex

            self._thorough = compile_regex(self._program.pattern, regex.POSIX)
        longest: Spans = match_bounded(self._thorough, text, low, scope).regs
        if longest[0][1] > high:
            return longest
        return spans
