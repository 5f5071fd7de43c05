"""Matchers of Qwen Code: names between bars that are compared as a whole, then one regular expression (qwen 4)."""

from __future__ import annotations

import re

from ...hooks.model import Pattern
from ..matchers import BadMatcher, compile_js
from .tables import ALIASES

_EVERYTHING = frozenset(["", "*", ".*"])
_PART = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]?|.", re.DOTALL)


class QwenPattern:
    """A compiled matcher. ``problem``: why its regular expression is not valid, so that only equal names match."""

    __slots__ = ("matches_all", "names", "problem", "regex")

    def __init__(self, names: tuple[str, ...], regex: Pattern | None, problem: str = "") -> None:
        self.names = names
        self.regex = regex
        self.problem = problem
        self.matches_all = not _EVERYTHING.isdisjoint(names)

    def search(self, subject: str) -> bool:
        """Return whether a name equals the subject or an alias of it, or the expression is found in the subject."""
        if self.matches_all or not subject:
            return True
        known = (subject, *ALIASES.get(subject, ()))
        if any(name in known for name in self.names):
            return True
        return self.regex is not None and bool(self.regex.search(subject))


def compile_matcher(text: str) -> QwenPattern:
    """Compile a matcher. Raises ``BadMatcher`` if it can match nothing but its own text."""
    text = trimmed(text)
    is_list = "|" in text and not text.startswith(("^", "("))
    names = tuple(name for name in map(trimmed, _entries(text)) if name) if is_list else (text,)
    if not names or not _EVERYTHING.isdisjoint(names):
        return QwenPattern(names, None)
    try:
        return QwenPattern(names, compile_js("|".join(names)))
    except BadMatcher as error:
        if not is_list:
            raise
        return QwenPattern(names, None, str(error))


def trimmed(text: str) -> str:
    r"""Return a text without blanks around it; a last blank after a backslash stays, as in ``Bash\ ``."""
    text = text.lstrip()
    stripped = text.rstrip()
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return text[: len(stripped) + 1] if backslashes % 2 else stripped


def _entries(text: str) -> list[str]:
    """Return the parts between the bars that are in no group, no class and not escaped."""
    entries, depth = [""], 0
    for part in _PART.findall(text):
        if part == "|" and depth == 0:
            entries.append("")
            continue
        if part in ("(", ")"):
            depth = max(0, depth + (1 if part == "(" else -1))
        entries[-1] += part
    return entries
