"""Matchers: a list of exact names, or a JavaScript regular expression that is searched (claude_code 3)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ...hooks.model import Pattern
from ...hooks.suggest import nearest
from ...hooks.tools import KIND_OF
from ..matchers import Exactly, compile_js, may_match
from .events import EVENTS
from .tables import OTHER_TOOLS, TOOLS

# Texts of these characters alone are lists of exact names; any other text is a regular expression (claude_code 3). A list
# has names between bars or commas. For FileChanged and StopFailure only bars separate names: there, a text with a comma,
# a blank or a hyphen is a regular expression.
_LIST = re.compile(r"[A-Za-z0-9_\- ,|]*")
_LIST_WITH_BARS_ONLY = re.compile(r"[A-Za-z0-9_|]*")
_OWN_TOOLS = frozenset(name for names in TOOLS.values() for name in names) | OTHER_TOOLS
_ANY_NAME = "\0"  # not a tool's name: a matcher that matches it matches everything
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
    if not row.subject:
        if pattern is not None and not may_match(pattern, _ANY_NAME):
            yield f"{event} takes no matcher; it is ignored and the hooks run every time", "leave it out", "no-effect"
        return
    if pattern is None:
        return
    if row.subject == "tool_name":
        if rule := _RULE.fullmatch(text):
            tool, inside = rule[1], rule[2] or rule[3]
            yield (
                f'the matcher "{text}" is compared with the tool\'s name alone',
                f'matchers are tool names; use "matcher": "{tool}" and, in the hook, "if": "{tool}({inside})"',
                "matcher-matches-nothing",
            )
        if isinstance(pattern, Exactly):
            yield from (
                _tool_name(name) for name in pattern.names if _is_odd(name) and not _is_spare(name, pattern.names)
            )
        return
    values = row.named[row.places[row.subject]].values
    if values and not any(may_match(pattern, value) for value in values):
        meant = nearest(text, values)
        hint = f'did you mean "{meant}"?' if meant else f"expected one of: {', '.join(values)}"
        yield f'the matcher "{text}" matches no {row.subject} of {event}', hint, "matcher-matches-nothing"


def _is_odd(name: str) -> bool:
    if name.startswith("mcp__"):
        return name.count("__") < 2
    return name not in _OWN_TOOLS and (name in KIND_OF or bool(nearest(name, _OWN_TOOLS)))


def _is_spare(name: str, names: Collection[str]) -> bool:
    """Return whether Claude Code's own name of the tool is beside this one: one file serves several agents."""
    kind = KIND_OF.get(name)
    return kind is not None and any(own in names for own in TOOLS.get(kind, ()))


def _tool_name(name: str) -> tuple[str, str, str]:
    if name.startswith("mcp__"):
        hint = f'write "{name.rstrip("_")}__.*" for all its tools'
        return f'the matcher "{name}" matches no tool: it is an exact name', hint, "matcher-matches-nothing"
    kind = KIND_OF.get(name)
    meant = TOOLS[kind][0] if kind in TOOLS else nearest(name, _OWN_TOOLS)
    code = "matcher-other-system" if kind is not None else "matcher-unknown"
    return f'Claude Code has no tool "{name}"; names are exact', f'did you mean "{meant}"?', code
