"""Matchers of hook configurations: patterns that select the tool names for which a hook runs."""

from __future__ import annotations

from ..errors import Stop
from ..hooks.model import Pattern
from ..patterns.matcher import Matcher, compile_matcher
from ..patterns.python_syntax import PythonMatcher
from ..patterns.python_syntax import compile_python as compile_in_python
from ..patterns.tree import PatternError

_LITERAL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:/ ")


class BadMatcher(ValueError):
    """A matcher that is not valid in its system's regular expression syntax."""


class Words:
    """An alternation of literal words, anchored or not. Nearly every matcher is one, and it needs no regex engine."""

    __slots__ = ("end", "start", "words")

    def __init__(self, words: tuple[str, ...], start: bool, end: bool) -> None:
        self.words = words
        self.start = start
        self.end = end

    def search(self, subject: str) -> bool:
        """Return whether one of the words is found in the subject."""
        if self.start:
            return subject in self.words if self.end else subject.startswith(self.words)
        return subject.endswith(self.words) if self.end else any(word in subject for word in self.words)


def words(text: str) -> Words | None:
    """Parse ``^(a|b)$``, ``^mcp_``, ``a|b`` and ``a`` as words; return None for a text that needs a regex engine (``^a|b$``)."""
    body = text.removeprefix("^")
    start = body is not text and len(body) < len(text)
    end = body.endswith("$")
    body = body[:-1] if end else body
    grouped = body.startswith("(") and body.endswith(")")
    if grouped:
        body = body[1:-1].removeprefix("?:")
    alternatives = tuple(body.split("|"))
    if (start or end) and len(alternatives) > 1 and not grouped:
        return None  # without a group an anchor belongs to one alternative only
    return Words(alternatives, start, end) if all(word and _LITERAL.issuperset(word) for word in alternatives) else None


#: Matches every subject.
EVERYTHING = Words(("",), start=False, end=False)
_PATIENCE = 0.5  # seconds per subject; a normal search needs milliseconds
_LEAST = 0.01
_REMEMBERED = 64


class Bounded:
    """A pattern of ``pattern/`` with a time limit. At the limit it raises ``Stop``; the engine then runs the hook.

    The engine adds a notice about it. A hook's timeout does not include its matcher. Therefore a search that hit the
    limit is not repeated on the same subject, and the limit is halved for the next one: a slow matcher costs about a
    second over all events, not half a second at each.
    """

    __slots__ = ("_endless", "_matcher", "_patience")

    def __init__(self, matcher: Matcher | PythonMatcher) -> None:
        self._matcher = matcher
        self._patience = _PATIENCE
        self._endless: dict[int, Stop] = {}  # by the hash of the subject, which may have megabytes

    def search(self, subject: str) -> bool:
        """Return whether the pattern is found in the subject. Raises ``Stop`` at the time limit."""
        known = self._endless.get(hash(subject)) if self._endless else None
        if known is not None:
            raise Stop(known.reason, known.detail)
        try:
            return self._matcher.search(subject, most=self._patience)
        except Stop as stop:
            self._patience = max(_LEAST, self._patience / 2)
            if len(self._endless) >= _REMEMBERED:
                self._endless.clear()
            self._endless[hash(subject)] = stop
            stop.__traceback__ = None
            raise


def may_match(pattern: Pattern, subject: str) -> bool:
    """Return whether a pattern is found, or hit its time limit. For the diagnostics of loading a config."""
    try:
        return bool(pattern.search(subject))
    except Stop:
        return True


def compile_re2(text: str) -> Pattern:
    """Compile Go's syntax: unanchored search, case-sensitive, ``$`` is the end of the text, no look-around.

    Raises ``BadMatcher`` with Go's error message.
    """
    return _compile(text, "re2")


def compile_re2_whole(text: str) -> Pattern:
    """Compile Go's syntax so that it must match the whole subject, as ``^(?:M)$``. Raises ``BadMatcher``."""
    literal = words(text)
    if literal is not None and not (literal.start or literal.end):
        return Words(literal.words, True, True)
    _compile(text, "re2")  # without the group first: `a)(?:b` is an error, reported for the text as written
    return _compile(f"^(?:{text})$", "re2")


def compile_js(text: str) -> Pattern:
    """Compile JavaScript's syntax without flags: unanchored search, case-sensitive. Raises ``BadMatcher``."""
    return _compile(text, "js")


def compile_js_whole(text: str) -> Pattern:
    """Compile JavaScript's syntax so that it must match the whole subject, as ``^(?:M)$``. Raises ``BadMatcher``."""
    _compile(text, "js")  # without the group first: `a)(?:b` is an error, reported for the text as written
    return _compile(f"^(?:{text})$", "js")


def compile_rust(text: str) -> Pattern:
    """Compile the syntax of Rust's regex crate: unanchored search. Raises ``BadMatcher``."""
    return _compile(text, "rust")


def compile_python(text: str, *, ignores_case: bool = False, whole: bool = False) -> Pattern:
    """Compile the syntax of Python's ``re``: searched anywhere, or ``whole``. Raises ``BadMatcher``."""
    try:
        return Bounded(compile_in_python(text, ignores_case, whole))
    except PatternError as error:
        raise BadMatcher(error.message) from None


def _compile(text: str, flavour: str) -> Pattern:
    literal = words(text)
    if literal is not None:
        return literal
    try:
        return Bounded(compile_matcher(text, flavour))
    except PatternError as error:
        raise BadMatcher(error.message) from None


class Exactly:
    """A list of names, one of which must be the whole subject."""

    __slots__ = ("names",)

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def search(self, subject: str) -> bool:
        """Return whether the subject is one of the names."""
        return subject in self.names
