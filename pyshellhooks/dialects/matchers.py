"""Matchers of hook configurations: which tool names a hook wants."""

from __future__ import annotations

from ..errors import Stop
from ..hooks.model import Pattern
from ..pattern.matcher import Matcher, compile_matcher
from ..pattern.regex_nodes import PatternError

_LITERAL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:/ ")


class BadMatcher(ValueError):
    """A matcher that its system's regular expressions do not take."""


class Words:
    """An alternation of literal words, anchored or not: what nearly every matcher is, without a regex engine."""

    __slots__ = ("end", "start", "words")

    def __init__(self, words: tuple[str, ...], start: bool, end: bool) -> None:
        self.words = words
        self.start = start
        self.end = end

    def search(self, subject: str) -> bool:
        """Say whether one of the words is found."""
        if self.start:
            return subject in self.words if self.end else subject.startswith(self.words)
        return subject.endswith(self.words) if self.end else any(word in subject for word in self.words)


def words(text: str) -> Words | None:
    """Read ``^(a|b)$``, ``^mcp_``, ``a|b`` and ``a`` as words; None for anything that needs a regex engine."""
    body = text.removeprefix("^")
    start = body is not text and len(body) < len(text)
    end = body.endswith("$")
    body = body[:-1] if end else body
    grouped = body.startswith("(") and body.endswith(")")
    if grouped:
        body = body[1:-1].removeprefix("?:")
    found = tuple(body.split("|"))
    if (start or end) and len(found) > 1 and not grouped:
        return None  # an anchor belongs to its alternative only
    return Words(found, start, end) if all(word and _LITERAL.issuperset(word) for word in found) else None


_PATIENCE = 0.5  # seconds for a subject; those that match in time need milliseconds
_LEAST = 0.01
_KEPT = 64


class Bounded:
    """A pattern of ``pattern/``. Where its time is over it raises ``Stop``: the engine runs the hook then, and says so.

    No hook's timeout counts while its matcher is tried. So one that came to no end is not tried again on that subject, and
    has half the time for the next one: all events together lose a second to it, and not some at each.
    """

    __slots__ = ("_endless", "_matcher", "_patience")

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._patience = _PATIENCE
        self._endless: dict[int, Stop] = {}  # by the hash of a subject, which may have megabytes

    def search(self, subject: str) -> bool:
        """Say whether it is found."""
        known = self._endless.get(hash(subject)) if self._endless else None
        if known is not None:
            raise Stop(known.reason, known.detail)
        try:
            return self._matcher.search(subject, most=self._patience)
        except Stop as stop:
            self._patience = max(_LEAST, self._patience / 2)
            if len(self._endless) >= _KEPT:
                self._endless.clear()
            self._endless[hash(subject)] = stop
            stop.__traceback__ = None
            raise


def may_match(pattern: Pattern, subject: str) -> bool:
    """Say whether a pattern is found, or could not be tried to its end: for what is told when a config is loaded."""
    try:
        return bool(pattern.search(subject))
    except Stop:
        return True


def compile_re2(text: str) -> Pattern:
    """Compile Go's syntax: unanchored search, case counts, ``$`` is the end of the text, no look-around.

    Raises ``BadMatcher`` in Go's words.
    """
    return _compile(text, "re2")


def compile_re2_whole(text: str) -> Pattern:
    """Compile Go's syntax so that it must match the whole subject: ``^(?:M)$``. Raises ``BadMatcher``."""
    literal = words(text)
    if literal is not None and not (literal.start or literal.end):
        return Words(literal.words, True, True)
    _compile(text, "re2")  # on its own first, so that `a)(?:b` is a mistake, and is told in its own words
    return _compile(f"^(?:{text})$", "re2")


def compile_js(text: str) -> Pattern:
    """Compile JavaScript's syntax without flags: unanchored search, case counts. Raises ``BadMatcher``."""
    return _compile(text, "js")


def compile_rust(text: str) -> Pattern:
    """Compile the syntax of Rust's regex crate: unanchored search. Raises ``BadMatcher``."""
    return _compile(text, "rust")


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
        """Say whether it is one of the names."""
        return subject in self.names
