"""Matchers of hook configurations: which tool names a hook wants."""

from __future__ import annotations

from typing import Any

from ..hooks.model import Pattern

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


def compile_re2(text: str) -> Pattern:
    """Compile Go's syntax: unanchored search, case counts, ``$`` is the end of the text, no look-around.

    Raises ``BadMatcher`` with the engine's own words.
    """
    literal = words(text)
    if literal is not None:
        return literal
    try:
        import re2
    except ImportError:
        return _without_re2(text)
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(text, options)  # type: ignore[no-any-return]
    except re2.error as error:
        detail = error.args[0] if error.args else error
        raise BadMatcher(detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)) from None


class _Bounded:
    """A ``regex`` pattern that never runs for long. Where its time is over it matches: a guard must run."""

    __slots__ = ("_compiled",)

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled

    def search(self, subject: str) -> bool:
        """Say whether it is found."""
        try:
            return self._compiled.search(subject, timeout=0.25) is not None
        except TimeoutError:
            return True


def _without_re2(text: str) -> Pattern:
    """Compile with ``regex`` where google-re2 is not installed (DESIGN rule 13)."""
    import regex

    try:
        return _Bounded(regex.compile(_go_to_regex(text), regex.ASCII | regex.V0))
    except regex.error as error:
        raise BadMatcher(str(error)) from None


def _go_to_regex(text: str) -> str:
    """Refuse what RE2 lacks, and make ``$`` the end of the text."""
    found: list[str] = []
    at, in_class = 0, False
    while at < len(text):
        char = text[at]
        if char == "\\":
            following = text[at + 1 : at + 2]
            if following in set("123456789Z") and not in_class:
                raise BadMatcher(f"invalid escape sequence: \\{following}")
            found.append("\\Z" if following == "z" else char + following)
            at += 2
            continue
        if not in_class and text.startswith(("(?=", "(?!", "(?<=", "(?<!", "(?>"), at):
            raise BadMatcher(f"invalid perl operator: {text[at : at + 3]}")
        if not in_class and char in "*+?}" and text[at + 1 : at + 2] == "+":
            raise BadMatcher(f"bad repetition operator: {text[at : at + 2]}")
        in_class = (in_class or char == "[") and not (char == "]" and in_class)
        found.append("\\Z" if char == "$" and not in_class else char)
        at += 1
    return "".join(found)
