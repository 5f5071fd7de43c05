"""The reader of the flat ``hooks.json``, with a diagnostic for each error (firebender 2, 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...hooks.dialect import CLOSED, EventSpec
from ...hooks.model import HookSpec, Origin, Pattern
from ...hooks.suggest import did_you_mean, is_annotation, nearest
from ...hooks.tools import KIND_OF
from ...jsontext.compact import JSON, dumps
from ...jsontext.document import Member, Node
from ..config_reader import ConfigReader
from ..matchers import BadMatcher, compile_js
from .rows import STAYS_OPEN
from .vendor import TOOL_TYPES, Vendor

DEFAULT_TIMEOUT = 60.0  # seconds (firebender 9.2)
DEFAULT_LOOP_LIMIT = 5

ENTRY_FIELDS = ("command", "type", "timeout", "loop_limit", "matcher", "failClosed", "prompt", "model")
TYPES = ("command", "prompt")
TOP_LEVEL = ("version", "hooks", "$schema")
#: The keys of an object matcher -> the kind of subject that each is tested against (firebender 3).
CONDITION_KEYS: dict[str, str] = {
    "tool_name": "tool",
    "toolName": "tool",
    "command": "command",
    "file_path": "file",
    "pattern": "any",
    "regex": "any",
}


class FlatReader(ConfigReader):
    """Reader of one ``hooks.json`` of a vendor; ``others`` maps events that only another vendor fires to its name."""

    def __init__(self, text: str, origin: Origin, vendor: Vendor, others: Mapping[str, str]) -> None:
        super().__init__(text, origin)
        self.vendor = vendor
        self.others = others

    def root(self, node: Node) -> None:
        """Read the top level."""
        seen: set[str] = set()
        for member in node.value:
            if member.key not in TOP_LEVEL:
                reported = self.unknown("hooks.json", member, TOP_LEVEL, "warning", "key")
                if reported and nearest(member.key, TOP_LEVEL) == "hooks":
                    self.mark_strict_error()
            elif member.key in seen:
                self.warn(member.offset, f'duplicate key "{member.key}"; both count')
            seen.add(member.key)
            if member.key == "version":
                self.version(member.node)
            elif member.key == "hooks":
                self.hooks(member.node)

    def version(self, node: Node) -> None:
        """Read ``version``; the only version is 1."""
        if node.kind == "null":
            return
        if node.kind != "number":
            hint = "write 1 without quotes" if node.kind == "string" and node.value.strip() == "1" else "write 1"
            self.report(node.offset, f"version must be a number, not {node.described}", hint, code="wrong-type")
        elif node.value != 1:
            self.report(node.offset, f"unknown version {dumps(node.value)}", "write 1")

    def hooks(self, node: Node) -> None:
        """Read ``hooks``: event -> array of entries."""
        hint = 'write {"hooks": {"preToolUse": [{"command": "..."}]}}'
        if not self.expect(node, "object", "hooks must be an object of events", hint):
            return
        counts: dict[str, int] = {}
        for member in node.value:
            if member.key in counts:
                self.warn(member.offset, f'duplicate event "{member.key}"; the hooks of both run')
            begin = counts.setdefault(member.key, 0)
            if member.key not in self.vendor.events:
                if member.node.kind != "string" or not is_annotation(member.key, self.vendor.events):
                    self.unknown_event(member)
            elif member.node.kind != "array":
                message = f"hooks.{member.key} must be an array, not {member.node.described}"
                self.report(member.node.offset, message, "put it in [ ]", code="wrong-type")
            else:
                counts[member.key] = begin + len(member.node.value)
                for index, item in enumerate(member.node.value, begin):
                    self.entry(self.vendor.events[member.key], f"hooks.{member.key}[{index}]", item)

    def unknown_event(self, member: Member) -> None:
        """Warn about an event that the vendor never fires; the file loads, as it may be the other vendor's."""
        owner = self.others.get(member.key)
        events = self.vendor.events
        if owner:
            hint = f"it is an event of {owner}"
        else:
            hint = did_you_mean(member.key, events) or f"expected one of: {', '.join(events)}"
        message = f'{self.vendor.title} has no event "{member.key}"; its hooks never run'
        self.warn(member.offset, message, hint, code="event-elsewhere" if owner else "unknown-event")
        if not owner:
            self.mark_strict_error()
            self.record_lost_hooks(member, nearest(member.key, events))

    def mark_strict_error(self) -> None:
        """Make the last warning an error for a strict engine: a guard may be lost."""
        self.loaded.strict_errors.append(self.loaded.diagnostics[-1])

    # -- one entry ----------------------------------------------------------------------------------------------------

    def entry(self, row: EventSpec, where: str, node: Node) -> None:
        """Read one hook."""
        hint = f'write {{"command": {dumps(node.value)}}}' if node.kind == "string" else ""
        if not self.expect(node, "object", f"{where}: must be an object", hint):
            return
        nested = next((item for item in node.value if item.key == "hooks" and item.node.kind == "array"), None)
        if nested is not None and node.get("command") is None:
            self.report_nested_groups(where, node, nested)
            return
        before = self.mistakes
        fields = self.fields(where, node, ENTRY_FIELDS)
        kind = self.kind(where, fields)
        command = self.body(where, node, fields, kind, self.mistakes == before)
        timeout = self.timeout(where, fields)
        extra: dict[str, JSON] = {"timed": timeout is not None}
        self.loop_limit(row, where, node, extra)
        on_failure = self.fail_closed(row, where, fields, extra)
        model = self.string(where, fields, "model")
        if model:
            extra["model"] = model
        matcher, pattern = self.matcher(row, where, fields.get("matcher"), extra)
        if self.mistakes > before:
            return
        self.loaded.specs.append(
            HookSpec(
                row.native,
                command,
                matcher=matcher,
                pattern=pattern,
                timeout=DEFAULT_TIMEOUT if timeout is None else timeout,
                on_failure=on_failure,
                origin=self.place(node),
                kind=kind,
                extra=extra,
            )
        )

    def kind(self, where: str, fields: Mapping[str, Node]) -> str:
        """Read ``type``."""
        kind = self.string(where, fields, "type")
        if "type" in fields and fields["type"].kind == "string" and kind not in TYPES:
            hint = did_you_mean(kind, TYPES) or 'write "command" or "prompt"'
            self.report(fields["type"].offset, f'{where}: unknown type "{kind}"', hint)
        return kind or "command"

    def body(self, where: str, node: Node, fields: Mapping[str, Node], kind: str, well: bool) -> str:
        """Read the command, or the prompt of a prompt hook, which ``command`` may hold, too (firebender 9.1)."""
        command = self.string(where, fields, "command")
        prompt = self.string(where, fields, "prompt")
        if kind == "prompt":
            text, key = prompt if prompt.strip() else command, "prompt"
        else:
            text, key = command, "command"
            if "prompt" in fields:
                self.warn(fields["prompt"].offset, f"{where}: a prompt is for hooks of type prompt; it is ignored")
        field = fields.get(key)
        if not text.strip() and well and (field is None or field.kind == "string"):
            place = field.offset if field is not None else node.offset
            problem = "required" if field is None else "empty"
            self.report(place, f"{where}: {key} is {problem}", f'write {{"{key}": "..."}}', code="missing-key")
        return text

    def timeout(self, where: str, fields: Mapping[str, Node]) -> float | None:
        """Read seconds; they must be more than 0 (firebender 2)."""
        value = self.seconds(where, fields, "timeout", self.vendor.title)
        if value is None:
            return None
        if value <= 0:
            hint = f"leave it out for {DEFAULT_TIMEOUT:g} seconds"
            self.report(
                fields["timeout"].offset, f"{where}: timeout must be more than 0 seconds", hint, code="timeout-invalid"
            )
        return value

    def loop_limit(self, row: EventSpec, where: str, node: Node, extra: dict[str, JSON]) -> None:
        """Read the limit of follow-ups: a whole number, or null for no limit."""
        limit = node.get("loop_limit")
        if limit is None:
            return
        if limit.kind != "null" and (limit.kind != "number" or not isinstance(limit.value, int) or limit.value < 0):
            hint = "write null for no limit, 0 for no follow-up" if limit.kind == "number" else ""
            shown = dumps(limit.value) if limit.kind == "number" else limit.described
            self.report(
                limit.offset,
                f"{where}: loop_limit must be a whole number or null, not {shown}",
                hint,
                code="wrong-type",
            )
        elif "followup" not in row.can:
            self.warn(limit.offset, f"{where}: loop_limit works on stop and subagentStop only; it is ignored")
        else:
            extra["loop_limit"] = limit.value

    def fail_closed(
        self, row: EventSpec, where: str, fields: Mapping[str, Node], extra: dict[str, JSON]
    ) -> str | Mapping[str, str] | None:
        """Read ``failClosed`` (firebender 6, cursor 6)."""
        if "failClosed" not in fields:
            return None
        value = self.boolean(where, fields, "failClosed")
        place = fields["failClosed"].offset
        if "deny" not in row.can:
            if value:
                self.warn(place, f"{where}: {row.native} can't block, so failClosed has no effect")
            return None
        if not value and row.failure.get("nonzero") == CLOSED and fields["failClosed"].kind == "boolean":
            message = f"{where}: {row.native} fails closed anyway"
            self.warn(place, message, "set allow_fail_open_override in the host to allow it")
            extra["fail_open"] = True
            return None
        if fields["failClosed"].kind != "boolean":
            return None
        return CLOSED if value else STAYS_OPEN

    def report_nested_groups(self, where: str, node: Node, nested: Member) -> None:
        """Report Claude Code's nested groups, with the flat form to write instead."""
        matcher = node.get("matcher")
        written = []
        for inner in nested.node.value:
            entry: dict[str, JSON] = {}
            if matcher is not None and matcher.kind == "string" and matcher.value not in ("", "*"):
                entry["matcher"] = self.translated(matcher.value)
            for key in ("command", "timeout"):
                inner_node = inner.get(key)
                if inner_node is not None:
                    entry[key] = inner_node.plain()
            written.append("{" + ", ".join(f'"{key}": {dumps(value)}' for key, value in entry.items()) + "}")
        message = f"{where}: entries are flat here; this is Claude Code's nested form"
        hint = "write " + ", ".join(written) if written else 'write {"command": "..."}'
        self.report(nested.offset, message, hint, code="wrong-nesting")

    # -- matchers -----------------------------------------------------------------------------------------------------

    def matcher(
        self, row: EventSpec, where: str, node: Node | None, extra: dict[str, JSON]
    ) -> tuple[str, Pattern | None]:
        """Read a matcher: a regular expression, or an object of them; ``""`` and ``*`` match everything."""
        if node is None:
            return "", None
        if node.kind == "object":
            conditions = self.conditions(where, node)
            text = dumps(node.plain())
            extra["conditions"] = conditions
        elif node.kind == "string":
            text = "" if node.value == "*" else str(node.value)
        else:
            self.report(
                node.offset,
                f"{where}: matcher must be a regular expression in a string, not {node.described}",
                code="wrong-type",
            )
            return "", None
        if text and not row.subject:
            self.warn(node.offset, f"{where}: {row.native} has nothing to match; the matcher is ignored")
            extra.pop("conditions", None)
            return "", None
        if node.kind == "object" or not text:
            return text, None
        if row.subject == "tool_name":
            self.foreign_names(where, node, text)
        return text, self.pattern(where, node, compile_js)

    def conditions(self, where: str, node: Node) -> tuple[tuple[str, Any], ...]:
        """Read an object matcher, all keys of which must match (firebender 3)."""
        conditions: list[tuple[str, Any]] = []
        for member in node.value:
            if member.key not in CONDITION_KEYS:
                self.unknown(f"{where}.matcher", member, CONDITION_KEYS, "error", "key")
            elif member.node.kind != "string":
                self.report(
                    member.node.offset,
                    f"{where}: matcher.{member.key} must be a string, not {member.node.described}",
                    code="wrong-type",
                )
            elif member.node.value not in ("", "*"):
                try:
                    conditions.append((CONDITION_KEYS[member.key], compile_js(member.node.value)))
                except BadMatcher as error:
                    shown = member.node.value
                    self.report(
                        member.node.offset, f'{where}: invalid matcher regex "{shown}": {error}', code="matcher-invalid"
                    )
        return tuple(conditions)

    def foreign_names(self, where: str, node: Node, text: str) -> None:
        """Warn about tool names that only other systems use: the guard would never run."""
        words = dict.fromkeys(text.strip("^$()").split("|"))
        foreign = {word: self.vendor.foreign(word) for word in words if word not in TOOL_TYPES.values()}
        named = [f'{word} is "{own}"' for word, own in foreign.items() if own and own not in words]
        if named:
            message = f"{where}: the matcher names another system's tools"
            self.warn(node.offset, message, f"in {self.vendor.title} {', '.join(named)}", code="matcher-other-system")

    def translated(self, matcher: str) -> str:
        """Return a Claude Code matcher with this vendor's tool names, if it is a list of words; else unchanged."""
        pieces = matcher.split("|")
        if not any(piece in KIND_OF for piece in pieces):
            return matcher
        return "|".join(dict.fromkeys(TOOL_TYPES.get(KIND_OF.get(piece, ""), piece) for piece in pieces))
