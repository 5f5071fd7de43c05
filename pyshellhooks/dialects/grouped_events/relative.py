"""Reading of a relative's config by a table of its handler's fields: only commands run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from ...hooks.dialect import Field
from ...hooks.model import HookSpec, Pattern
from ...hooks.suggest import did_you_mean
from ...jsontext.compact import JSON
from ...jsontext.document import Node
from ..config_reader import HOUR, LONGEST_TIMEOUT
from ..matchers import Exactly, compile_js
from .config import GroupLoader
from .matcher import ToolWords
from .matcher import remarks as remarks_of
from .rows import GroupedEvent

_NAMES = re.compile(r"[A-Za-z0-9_|]*")


class HandlerForm:
    """The handlers of a system, as data.

    ``types``: type of hook -> its required keys. ``fields``: the keys of a command besides those. ``skipped``: type of
    hook that the system knows and does not run as a command here -> why. ``ignored``: key of another system that this
    one ignores silently -> the consequence. ``timeout``: default seconds. ``default_type``: the type of a hook without
    one; ``""``: the type is required. ``flat``: the keys of the event and of the matcher, if hooks are the entries of
    one list; else hooks are in groups under their events, and have a type.
    """

    __slots__ = ("default_type", "fields", "flat", "ignored", "names", "skipped", "timeout", "types")

    def __init__(
        self,
        types: Mapping[str, tuple[str, ...]],
        fields: tuple[Field, ...],
        *,
        skipped: Mapping[str, str],
        ignored: Mapping[str, str],
        timeout: float,
        default_type: str = "",
        flat: tuple[str, str] | None = None,
    ) -> None:
        self.types = types
        self.fields = fields
        self.skipped = skipped
        self.ignored = ignored
        self.timeout = timeout
        self.default_type = default_type
        self.flat = flat
        self.names = (
            *(flat or ("type",)),
            *[name for required in types.values() for name in required],
            *[field.native for field in fields],
        )


class RelativeLoader(GroupLoader):
    """Loader of a file whose handlers a ``HandlerForm`` describes."""

    handlers: ClassVar[HandlerForm]
    tool_words: ClassVar[ToolWords]
    rows: ClassVar[Mapping[str, GroupedEvent]]

    def remarks(self, event: str, text: str, pattern: Pattern | None) -> Iterator[tuple[str, str, str]]:
        """Yield the probable mistakes in a matcher."""
        return remarks_of(self.rows[event], text, pattern, self.tool_words)

    def extra(self, where: str, fields: Mapping[str, Node]) -> dict[str, JSON]:
        """Return the system's own fields of a handler, for its dialect."""
        return {}

    def complete(self, spec: HookSpec, where: str, fields: Mapping[str, Node]) -> None:
        """Set the parts of a hook that only some systems have, such as its name or its variables."""

    def default_seconds(self, event: str) -> float:
        """Return the timeout of an event's handlers without one of their own."""
        row = self.rows.get(event)
        own = row.timeout if row is not None else 0.0
        return own or self.handlers.timeout

    def seconds_of(self, event: str, where: str, fields: Mapping[str, Node]) -> float:
        """Return the timeout of a handler: at least one second, or the default of its event."""
        node, default = fields.get("timeout"), self.default_seconds(event)
        value = self.number(where, fields, "timeout", "seconds")
        if node is None or value is None:
            return default
        if isinstance(value, float) or value < 0:
            self.report(
                node.offset, f"{where}: timeout must be whole seconds", "write 1 or more", code="timeout-invalid"
            )
        if value > HOUR:
            hint = f"{self.title} counts seconds; this looks like milliseconds"
            self.warn(node.offset, f"{where}: a timeout of more than an hour", hint, code="timeout-unit")
        return min(float(max(value, 1)), LONGEST_TIMEOUT)

    def handler(self, event: str, where: str, node: Node, matcher: str, pattern: Pattern | None) -> HookSpec | None:
        """Return the hook of a handler; None, with a diagnostic, if it is wrong or never runs."""
        hint = 'write {"type": "command", "command": "..."}'
        if not self.expect(node, "object", f"{where}: must be an object", hint):
            self.leave_handler_out(event, where, node, matcher, pattern)
            return None
        kind = self.type_of(where, node)
        if not kind:
            self.leave_handler_out(event, where, node, matcher, pattern)
            return None
        if kind in self.handlers.skipped:
            self.reason = f'{where}: a hook of type "{kind}" {self.handlers.skipped[kind]}'
            self.report_strict_error(node.offset, self.reason, "write a command", code="hook-never-runs")
            self.leave_handler_out(event, where, node, matcher, pattern)
            return None
        self._report_ignored(where, node)
        fields = self.fields(where, node, (*self.handlers.names, *self.handlers.ignored))
        if not self.has_command(where, node, fields):
            self.leave_handler_out(event, where, node, matcher, pattern)
            return None
        # A mistake in the fields below does not turn a guard off here, even if the agent drops its file for it.
        spec = HookSpec(
            event,
            str(fields["command"].value),
            matcher=matcher,
            pattern=pattern,
            timeout=self.seconds_of(event, where, fields),
            origin=self.place(node),
            extra=self.extra(where, fields),
        )
        self.complete(spec, where, fields)
        return spec

    def leave_handler_out(self, event: str, where: str, node: Node, matcher: str, pattern: Pattern | None) -> None:
        """Record a handler as left out, so that verdicts report it."""
        for spec in self.leave_out(event, where, node):
            spec.matcher, spec.pattern = matcher, pattern

    def type_of(self, where: str, node: Node) -> str:
        """Return the type; ``""``, with a diagnostic, if it is missing or unknown."""
        types = self.handlers.types
        type_node = node.get("type")
        if type_node is None and self.handlers.default_type:
            return self.handlers.default_type
        if type_node is None or type_node.kind == "null":
            hint = 'add "type": "command"' if node.get("command") is not None else f"one of {', '.join(types)}"
            self.report(node.offset, f"{where}: type is required", hint, code="missing-key")
        elif type_node.kind != "string" or type_node.value not in types:
            shown = f'"{type_node.value}"' if type_node.kind == "string" else type_node.described
            hint = did_you_mean(str(type_node.value), types) or f"expected one of: {', '.join(types)}"
            self.report(type_node.offset, f"{where}: unknown type {shown}", hint)
        else:
            return str(type_node.value)
        return ""

    def has_command(self, where: str, node: Node, fields: Mapping[str, Node]) -> bool:
        """Return whether a handler has a command that is not blank; report it if not."""
        mistakes = self.mistakes
        text = self.string(where, fields, "command")
        if text.strip():
            return True
        if self.mistakes == mistakes and "command" in fields:
            message, then = f"{where}: command is empty", f"{self.title} skips the hook"
            self.warn_left_out(fields["command"].offset, message, code="missing-key", then=then)
        elif self.mistakes == mistakes:
            self.report(node.offset, f"{where}: command is required", code="missing-key")
        return False

    def _report_ignored(self, where: str, node: Node) -> None:
        """Report the keys of another system that this one ignores silently."""
        for name, consequence in self.handlers.ignored.items():
            own = node.get(name)
            if own is not None:
                message = f'{where}: "{name}" is ignored by {self.title}: {consequence}'
                self.overridden(own.offset, message, f"leave {name} out, and let the command decide")


class HooksLoader(RelativeLoader):
    """Loader of a JSON file in which only ``hooks`` decides; wrong parts are ignored, and the others run.

    Matchers are those of Claude Code: names between bars, or an expression of JavaScript that is searched.
    """

    form = 'write {"hooks": {"PreToolUse": [{"matcher": "...", "hooks": [...]}]}}'

    @property
    def drops_file(self) -> bool:
        """Whether the system drops the whole file for a mistake in it."""
        return False

    def root(self, node: Node) -> None:
        """Read the top level; other keys are settings of the agent."""
        for member in self.counting(node.value):
            if member.key == "hooks":
                self.hooks(member.node)
            elif member.key in self.rows:
                message = f'the event "{member.key}" is at the top level of the file'
                hint = f'put it in "hooks": {{"{member.key}": [...]}}'
                self.report(member.offset, message, hint, code="wrong-nesting")

    def compile_matcher(self, text: str, event: str) -> Pattern:
        """Compile a matcher. Raises ``BadMatcher``."""
        if _NAMES.fullmatch(text):
            return Exactly(tuple(name for name in text.split("|") if name))
        return compile_js(text)
