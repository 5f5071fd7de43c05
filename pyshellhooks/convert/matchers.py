"""Translation of matchers: names of tools through their kinds, other values by their names.

A matcher is translated by its matches, not by its text: the system's dialect tests it on the names of tools, and a
candidate for the other system must match the same there. In doubt the hook runs on more calls, never on fewer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..hooks.config_form import Hook
from ..hooks.dialect import Dialect, EventSpec
from ..hooks.model import HookSpec
from ..hooks.tools import KIND_OF
from .losses import MATCHER, Losses
from .source import SourceHook
from .target import Target

_NO_TOOL = "\x01no tool\x01"  # a matcher that matches this matches everything
_AROUND = "zz_{}_zz"  # a longer name with a tool's name in it, as MCP tools have
_NO_NAMES = ("command", "file_path")  # subjects whose matchers are expressions on other texts
_WORD = re.compile(r"[A-Za-z_][\w:./-]*(?: [\w-]+)*")
_SAMPLES = ("server", "write_file"), ("github", "create_issue"), ("fs", "read"), ("git", "push")  # MCP tools
#: Conditions of an event (``hooks.tools.CONDITIONS``) that select tools of some kinds.
KINDS_OF_CONDITION = {
    "shell": ("shell",),
    "read": ("read",),
    "edit": ("edit", "multiedit", "write"),
    "mcp": (),
}


def kinds_of(dialect: Dialect, hook: SourceHook) -> tuple[str, ...]:
    """Return the kinds of tools that a hook is for, in the order of the system's table."""
    if hook.row.when in KINDS_OF_CONDITION:
        return KINDS_OF_CONDITION[hook.row.when]
    if hook.row.subject != "tool_name":
        return ()
    return tuple(
        kind for kind, names in dialect.tools.items() if any(dialect.matches_tool(hook.spec, name) for name in names)
    )


class MatcherTranslation:
    """The translation of one hook's matcher. ``results``: the matchers of the hooks that take its place; ``None`` is all."""

    def __init__(
        self, source: Dialect, hook: SourceHook, target: Target, row: EventSpec, losses: Losses, *, guards: bool
    ) -> None:
        self.source = source
        self.hook = hook
        self.spec = hook.spec
        self.target = target
        self.row = row
        self.losses = losses
        self.guards = guards  # whether a call that it misses is not guarded
        self.template: Hook = {target.form.command: "true"}

    def results(self) -> list[Any]:
        """Return the matchers, one for each hook of the other system; [] if the hook would never run there."""
        if self.source.has_conditions(self.spec):
            self.losses.changed(MATCHER, f"{self._shown} has further conditions: the hook runs without them")
        if self.hook.row.subject == "tool_name" or self.hook.row.when in KINDS_OF_CONDITION:
            return self._of_tools()
        if self.spec.pattern is None:
            return [None]
        if self.hook.row.subject != self.row.subject:
            self._widened("matchers are ignored on this event")
            return [None]
        return self._of_values()

    @property
    def _shown(self) -> str:
        return f'the matcher "{self.spec.matcher}"' if self.spec.matcher else "the matcher"

    def _widened(self, why: str) -> None:
        title = self.target.dialect.title
        self.losses.changed(MATCHER, f"{self._shown} is left out in {title}, and the hook runs on more events: {why}")

    # -- tools --------------------------------------------------------------------------------------------------------

    def _matches(self, name: str) -> bool:
        return self.source.matches_tool(self.spec, name)

    def _matches_everything(self) -> bool:
        return all(map(self._matches, (_NO_TOOL, *self.source.own_tools)))

    def _of_tools(self) -> list[Any]:
        """Return the matcher for the other system's tools."""
        condition = self.hook.row.when
        on_subject = self.hook.row.subject == "tool_name"
        if condition in KINDS_OF_CONDITION and (condition, self.hook.row.subject) == (self.row.when, self.row.subject):
            return self._unchanged()
        if condition == "mcp":
            return self._of_mcp()
        if on_subject and (self.spec.pattern is None or self._matches_everything()):
            if condition not in KINDS_OF_CONDITION:
                return [None]
        elif not on_subject and self.spec.pattern is not None:
            self._widened(f"it is for the {self.hook.row.subject}, and not for a tool")
        if self.row.subject != "tool_name":
            if self.row.when != condition:
                self._widened("matchers of this event are for another subject")
            return [None]
        names, missing = self._names()
        for name in missing:
            # A tool of no kind does something that only its own system has; the work of the others has another tool.
            is_lost = name in KIND_OF and self.guards
            message = f'{self.target.dialect.title} has no tool for "{name}" of {self._shown}'
            self.losses.of_guard(is_lost, MATCHER, message)
        return self._written(names, bool(missing))

    def _unchanged(self) -> list[Any]:
        """Return the matcher as it is, for an event with the same subject."""
        if self.spec.pattern is None:
            return [None]
        spec = self._loaded(self.spec.matcher)
        if spec is None or spec.pattern is None:
            self._widened("it can't be written there")
            return [None]
        return [self.spec.matcher]

    def _of_mcp(self) -> list[Any]:
        """Return the matcher for all tools of MCP servers: an event that is about these only has no tool of its own."""
        if self.spec.pattern is not None:
            self._widened("it is for the names of single MCP tools")
        target = self.target.dialect
        every = next(iter(target.mcp_names(".*", ".*")), "")
        spec = self._loaded(every) if every else None
        samples = [target.mcp_names(server, tool) for server, tool in _SAMPLES]
        if spec is not None and spec.pattern is not None:
            if all(target.matches_tool(spec, names[0]) for names in samples):
                return [every]
        self._widened("no expression is for all MCP tools")
        return [None]

    def _names(self) -> tuple[list[str], list[str]]:
        """Return the other system's names of the tools that the matcher names, and the names that it has none for."""
        target = self.target.dialect
        own = self._own_tools()
        names: dict[str, None] = {}
        missing: list[str] = []
        for tool in own:
            kinds = [kind for kind, tools in self.source.tools.items() if tool in tools]
            theirs = [name for kind in kinds for name in target.tools.get(kind, ())]
            names.update(dict.fromkeys(theirs))
            if theirs or tool in target.own_tools:
                names.update(dict.fromkeys([tool] if tool in target.own_tools else []))
            elif self._is_named(tool):
                missing.append(tool)
        for word in self._other_words(own):
            kind = "" if word in own else KIND_OF.get(word, "")
            names.update(dict.fromkeys(target.tools.get(kind, ()) or [word]))
        return list(names), missing

    def _own_tools(self) -> list[str]:
        """Return the system's tools that the matcher matches, or that the event is about."""
        condition = self.hook.row.when
        if condition in KINDS_OF_CONDITION and self.hook.row.subject != "tool_name":
            return [name for kind in KINDS_OF_CONDITION[condition] for name in self.source.tools.get(kind, ())]
        return [tool for tool in self.source.own_tools if self._matches(tool)]

    def _is_named(self, tool: str) -> bool:
        """Return whether the matcher has the whole name of a tool, and does not match it by chance."""
        return re.search(rf"(?<!\w){re.escape(tool)}(?!\w)", self.spec.matcher) is not None

    def _words(self) -> list[str]:
        """Return the words of a matcher that is a list of names; [] for any other matcher."""
        if self.hook.row.subject in _NO_NAMES:
            return []
        text = self.spec.matcher.removeprefix("tool_name=").removeprefix("tool_name_glob=")
        body = text.removeprefix("^").removesuffix("$")
        if body[:1] == "(" and body[-1:] == ")":
            body = body[1:-1].removeprefix("?:")
        words = [word.strip() for word in re.split(r"[|,]", body)]
        return words if all(map(_WORD.fullmatch, words)) else []

    @property
    def _is_regex(self) -> bool:
        return self.spec.pattern is not None and not self._words()

    def _other_words(self, own: Sequence[str]) -> Iterator[str]:
        """Yield the words that name another tool than the system's own: MCP tools, and parts of longer names."""
        for word in self._words():
            spelled = self._mcp(word)
            if spelled:
                yield spelled
            elif word not in own and not any(word in tool for tool in own) or self._matches(_AROUND.format(word)):
                yield word

    def _mcp(self, word: str) -> str:
        """Return the other system's name of an MCP tool; ``""`` for another word."""
        for server, tool in _splits(word):
            if word in self.source.mcp_names(server, tool):
                return next(iter(self.target.dialect.mcp_names(server, tool)), word)
        return ""

    def _written(self, names: Sequence[str], is_partial: bool) -> list[Any]:
        """Return the matcher with these names, or the regular expression."""
        if self._is_regex and self.hook.row.subject == "tool_name":
            text = self._translated_regex(names)
            if text:
                return [text]
            self._widened("the expression can't be translated")
            return [None]
        if not names:
            if not is_partial:  # an event about MCP tools, or about a kind that the system does not have
                self._widened("its tools have other names there")
                return [None]
            return []
        is_loose = any(self._matches(_AROUND.format(word)) for word in self._words())
        for matcher in self._candidates(names, is_loose):
            if self._means(matcher, names, is_loose):
                return [matcher]
        if not is_loose:  # else an exact one would match less
            for matcher in self._candidates(names, True):
                if self._means(matcher, names, None):
                    return [matcher]
        self._widened("it can't be written there")
        return [None]

    def _candidates(self, names: Sequence[str], is_loose: bool) -> Iterator[Any]:
        if is_loose:
            listed = "|".join(names)
            yield from (listed, f"({listed})", f".*({listed}).*", f"re:.*({listed}).*")
        yield from self.target.form.matchers(names)

    def _means(self, matcher: Any, names: Sequence[str], is_loose: bool | None) -> bool:
        """Return whether a matcher matches these names; loose ones also inside others, exact ones no other name."""
        spec = self._loaded(matcher)
        if spec is None or spec.pattern is None:
            return False
        matches = self.target.dialect.matches_tool
        if not all(matches(spec, name) for name in names):
            return False
        if is_loose is None:
            return True
        return all(matches(spec, _AROUND.format(name)) is is_loose for name in names)

    def _loaded(self, matcher: Any) -> HookSpec | None:
        return self.target.try_hook(self.row, {**self.template, "matcher": matcher})

    def _translated_regex(self, names: Sequence[str]) -> str:
        """Return an expression that means the same in the other system's syntax, or ``""``."""
        text = self.spec.matcher
        if not isinstance(text, str) or text.startswith(("{", "args_jsonpath", "tool_name")):
            return ""
        spelled = _with_mcp_names(text, self.source, self.target.dialect)
        candidates = [f"{spelled}|^({'|'.join(names)})$"] if names else [spelled]
        for candidate in candidates:
            spec = self._loaded(candidate)
            if spec is not None and spec.pattern is not None and self._is_same(spec, names):
                return candidate
        return ""

    def _is_same(self, spec: HookSpec, names: Sequence[str]) -> bool:
        """Return whether both expressions match the same: the translated tools, and samples of other names."""
        matches = self.target.dialect.matches_tool
        if not all(matches(spec, name) for name in names):
            return False
        for server, tool in _SAMPLES:
            here = self.source.mcp_names(server, tool)
            there = self.target.dialect.mcp_names(server, tool)
            if here and there and self._matches(here[0]) and not matches(spec, there[0]):
                return False
            plain = f"zz_{tool}"
            if self._matches(plain) and not matches(spec, plain):
                return False
        return True

    # -- other values -------------------------------------------------------------------------------------------------

    def _of_values(self) -> list[Any]:
        """Return the matchers for another value than a tool, such as the source of a session."""
        words = self._words() or [self.spec.matcher]
        whole = self._matching_values("|".join(words), words)
        if whole:
            return ["|".join(words)]
        written: list[Any] = []
        for word in words:
            if self._matching_values(word, [word]):
                written.append(word)
            else:
                message = f'{self.target.dialect.title} has no {self.row.subject} "{word}" on {self.row.native}'
                self.losses.of_guard(self.guards, MATCHER, message)
        return written

    def _matching_values(self, matcher: str, words: Sequence[str]) -> bool:
        """Return whether a matcher matches all these values, and the event can have them."""
        dialect, row = self.target.dialect, self.row
        field = row.named.get(row.places.get(row.subject, ""))
        if field is not None and field.values and not set(words) <= set(field.values):
            return False
        spec = self._loaded(matcher)
        if spec is None or spec.pattern is None:
            return False
        return all(dialect.matches_subject(spec, row, (word,)) for word in words)


def _splits(word: str) -> Iterator[tuple[str, str]]:
    """Yield the possible servers and tools of an MCP tool's name, in any system's spelling."""
    for prefix in ("mcp__", "mcp_", "MCP:", "mcp:"):
        if word.startswith(prefix):
            rest = word.removeprefix(prefix)
            for separator in ("__", "_", ":"):
                server, separated, tool = rest.partition(separator)
                if separated and server and tool:
                    yield server, tool


def _with_mcp_names(text: str, source: Dialect, target: Dialect) -> str:
    """Return an expression with the other system's spelling of the names of MCP tools."""
    here, there = source.mcp_names("SERVER", "TOOL"), target.mcp_names("SERVER", "TOOL")
    if not here or not there or here[0] == there[0] or "SERVER" not in here[0]:
        return text
    form = re.escape(here[0]).replace("SERVER", r"(?P<server>[\w-]+|\.[*+])").replace("TOOL", r"(?P<tool>\S+)")
    match = re.fullmatch(rf"(?P<start>\^?){form}", text)
    if match is None:
        return text
    spelled = target.mcp_names(match["server"], match["tool"])
    return f"{match['start']}{spelled[0]}" if spelled else text
