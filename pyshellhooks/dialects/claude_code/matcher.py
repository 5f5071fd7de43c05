"""Matchers: a list of exact names, or a JavaScript regular expression that is searched (claude_code 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...hooks.model import Pattern
from ..grouped_events.matcher import ToolWords
from ..grouped_events.matcher import remarks as remarks_of
from ..matchers import Exactly, compile_js
from .events import EVENTS
from .tables import OTHER_TOOLS, TOOLS

# Texts of these characters alone are lists of exact names; any other text is a regular expression (claude_code 3). A list
# has names between bars or commas. For FileChanged and StopFailure only bars separate names: there, a text with a comma,
# a blank or a hyphen is a regular expression.
_LIST = re.compile(r"[A-Za-z0-9_\- ,|]*")
_LIST_WITH_BARS_ONLY = re.compile(r"[A-Za-z0-9_|]*")
_TOOL_WORDS = ToolWords("Claude Code", TOOLS, OTHER_TOOLS)
_RULE = re.compile(r"([A-Z][A-Za-z]*)(?:\((.*)\)|:(.+))")


def compile_matcher(text: str, event: str) -> Pattern:
    """Compile a matcher that is neither empty nor ``*``, which match everything. Raises ``BadMatcher``."""
    bars_only = event in EVENTS and EVENTS[event].bars_only
    if (_LIST_WITH_BARS_ONLY if bars_only else _LIST).fullmatch(text):
        return Exactly(names_of(text, bars_only))
    return compile_js(text)


def names_of(text: str, bars_only: bool = False) -> tuple[str, ...]:
    """Return the names of a list; only ``|`` separates them if ``bars_only``, else also a comma (claude_code 3)."""
    separator = r"\|" if bars_only else r"[|,]"
    return tuple(name.strip() for name in re.split(separator, text) if name.strip())


def remarks(event: str, text: str, pattern: Pattern | None) -> Iterator[tuple[str, str, str]]:
    """Yield (message, hint, code) for each probable mistake in a matcher."""
    row = EVENTS[event]
    if row.subject == "tool_name" and pattern is not None and (rule := _RULE.fullmatch(text)):
        tool, inside = rule[1], rule[2] or rule[3]
        yield (
            f'the matcher "{text}" is compared with the tool\'s name alone',
            f'matchers are tool names; use "matcher": "{tool}" and, in the hook, "if": "{tool}({inside})"',
            "matcher-matches-nothing",
        )
    yield from remarks_of(row, text, pattern, _TOOL_WORDS)
