"""Probable mistakes in the matchers of Claude Code's form (claude_code 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ...hooks.dialect import EventSpec
from ...hooks.model import Pattern
from ...hooks.suggest import nearest
from ...hooks.tools import KIND_OF
from ..matchers import Exactly, may_match

_ANY_NAME = "\0"  # not a tool's name: a matcher that matches it matches everything


class ToolWords:
    """The names of a system's tools. ``title``: the system's name, for messages.

    ``by_shell``: the shell does the work of tools that the system lacks, so that their names are allowed beside its own.
    ``exact``: whether a name must be the whole name of a tool.
    """

    __slots__ = ("by_shell", "exact", "own", "title", "tools")

    def __init__(
        self,
        title: str,
        tools: Mapping[str, tuple[str, ...]],
        others: Collection[str],
        *,
        by_shell: bool = False,
        exact: bool = True,
    ) -> None:
        self.by_shell = by_shell
        self.exact = exact
        self.title = title
        self.tools = tools
        self.own = frozenset(name for names in tools.values() for name in names) | frozenset(others)


def remarks(row: EventSpec, text: str, pattern: Pattern | None, words: ToolWords) -> Iterator[tuple[str, str, str]]:
    """Yield (message, hint, code) for each probable mistake in a matcher."""
    if not row.subject:
        if pattern is not None and not may_match(pattern, _ANY_NAME):
            yield (
                f"{row.native} takes no matcher; it is ignored and the hooks run every time",
                "leave it out",
                "no-effect",
            )
        return
    if pattern is None:
        return
    if row.subject == "tool_name":
        if isinstance(pattern, Exactly):
            yield from (
                tool_remark(name, words)
                for name in pattern.names
                if _is_odd(name, words) and not _is_spare(name, pattern.names, words)
            )
        return
    values = row.named[row.places[row.subject]].values
    if values and not any(may_match(pattern, value) for value in values):
        meant = nearest(text, values)
        hint = f'did you mean "{meant}"?' if meant else f"expected one of: {', '.join(values)}"
        yield f'the matcher "{text}" matches no {row.subject} of {row.native}', hint, "matcher-matches-nothing"


def _is_odd(name: str, words: ToolWords) -> bool:
    if name.startswith("mcp__"):
        return name.count("__") < 2
    return name not in words.own and (name in KIND_OF or bool(nearest(name, words.own)))


def _is_spare(name: str, names: Collection[str], words: ToolWords) -> bool:
    """Return whether the system's own name of the tool is beside this one: one file serves several agents."""
    kind = KIND_OF.get(name)
    if words.by_shell and kind not in words.tools:
        return not words.own.isdisjoint(names)
    return kind is not None and any(own in names for own in words.tools.get(kind, ()))


def tool_remark(name: str, words: ToolWords) -> tuple[str, str, str]:
    """Return the message, the hint and the code for a name that is not the name of a tool."""
    if name.startswith("mcp__"):
        hint = f'write "{name.rstrip("_")}__.*" for all its tools'
        return f'the matcher "{name}" matches no tool: it is an exact name', hint, "matcher-matches-nothing"
    kind = KIND_OF.get(name)
    usual = words.tools.get(kind or "", ())
    meant = usual[0] if usual else nearest(name, words.own)
    hint = f'did you mean "{meant}"?' if meant else f"it has: {', '.join(sorted(words.own))}"
    code = "matcher-other-system" if kind is not None else "matcher-unknown"
    return f'{words.title} has no tool "{name}"{"; names are exact" if words.exact else ""}', hint, code
