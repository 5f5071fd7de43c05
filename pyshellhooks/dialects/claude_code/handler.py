"""One handler of a group: its fields, types and defaults (claude_code 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...hooks.dialect import CLOSED, OPEN
from ...hooks.model import HookSpec, Pattern
from ...hooks.suggest import did_you_mean
from ...jsontext.compact import JSON
from ...jsontext.document import Node
from .events import EVENTS
from .rules import BadRule, Rule
from .tables import (
    CODEX_FIELDS,
    COMMON_FIELDS,
    OTHER_TOOLS,
    OWN_FIELDS,
    PLACEHOLDERS,
    POWERSHELL,
    REQUIRED,
    SHELLS,
    TOOLS,
    TYPES,
)

if TYPE_CHECKING:
    from .config import Loader


_OWN_TOOLS = frozenset(name for names in TOOLS.values() for name in names) | OTHER_TOOLS


class HandlerReader:
    """Reader of one handler, which reports mistakes through the loader."""

    def __init__(self, loader: Loader, event: str, where: str, matcher: str, pattern: Pattern | None) -> None:
        self.loader = loader
        self.event = event
        self.where = where
        self.matcher = matcher
        self.pattern = pattern

    def read(self, node: Node) -> HookSpec | None:
        """Return the hook; None, with a diagnostic, if it is wrong or never runs."""
        loader, where = self.loader, self.where
        hint = 'write {"type": "command", "command": "..."}'
        if not loader.expect(node, "object", f"{where}: must be an object", hint):
            self.left_out(node)
            return None
        kind = self.type(node)
        if not kind:
            self.left_out(node)
            return None
        fields = loader.fields(where, node, (*COMMON_FIELDS, *OWN_FIELDS[kind], *CODEX_FIELDS))
        for name in CODEX_FIELDS:
            if name in fields:
                message = f'{where}: "{name}" is a field of Codex: Claude Code ignores it'
                loader.report(fields[name].offset, message, severity="hint", code="unknown-key")
        own = node.get("matcher")
        if own is not None and self.matcher and own.value != self.matcher:
            message = f'{where}: a matcher works on the group only, whose matcher is "{self.matcher}"'
            loader.warn(own.offset, message, "move it to the group", code="wrong-nesting")
        mistakes = loader.mistakes
        self._require(node, fields, kind)
        extra = self.extra(fields, kind)
        rule = self.rule(fields)
        argv = self.arguments(fields) if kind == "command" else None
        if loader.mistakes > mistakes:
            self.left_out(node)
            return None
        # A mistake in the fields below does not turn a guard off here, even if Claude Code drops its file for it.
        loader.nulls(where, node, (*COMMON_FIELDS, *OWN_FIELDS[kind]))
        timeout = self.timeout(fields, kind)
        closed = self.on_failure(fields, extra)
        loader.string(where, fields, "statusMessage")
        if loader.boolean(where, fields, "once"):
            if loader.frontmatter and not loader.subagent:
                extra["once"] = True
            else:
                loader.warn(fields["once"].offset, f"{where}: once works in a skill's frontmatter only; it is ignored")
        if not self.runs(node, fields, kind):
            return None
        extra["explicit"] = "timeout" in fields
        if rule is not None:
            extra["rule"] = rule
        return HookSpec(
            self.event,
            _title(fields, kind),
            matcher=self.matcher,
            pattern=self.pattern,
            timeout=timeout,
            on_failure=closed,
            origin=loader.place(node),
            key=_key(fields, kind, argv, loader.plugin),
            kind=kind,
            argv=argv,
            extra=extra,
        )

    def _require(self, node: Node, fields: Mapping[str, Node], kind: str) -> None:
        """Report the first required field that is missing or empty, unless one before it is wrong."""
        loader, where = self.loader, self.where
        mistakes = loader.mistakes
        for name in REQUIRED[kind]:
            if loader.string(where, fields, name) or loader.mistakes > mistakes:
                continue
            if name in fields:
                loader.warn_left_out(
                    fields[name].offset, f"{where}: {name} is empty", code="missing-key", then="the hook does nothing"
                )
            else:
                loader.report(node.offset, f"{where}: {name} is required", code="missing-key")

    def left_out(self, node: Node) -> None:
        """Record a hook with a mistake as left out, so that verdicts report it."""
        for spec in self.loader.leave_out(self.event, self.where, node):
            spec.matcher, spec.pattern = self.matcher, self.pattern

    def type(self, node: Node) -> str:
        """Return the type; ``""``, with a diagnostic, if it is missing or unknown."""
        type_node = node.get("type")
        if type_node is None or type_node.kind == "null":
            hint = next((f'add "type": "{kind}"' for kind, names in REQUIRED.items() if node.get(names[0])), "")
            self.loader.report(
                node.offset, f"{self.where}: type is required", hint or f"one of {', '.join(TYPES)}", code="missing-key"
            )
        elif type_node.kind != "string" or type_node.value not in TYPES:
            shown = f'"{type_node.value}"' if type_node.kind == "string" else type_node.described
            hint = did_you_mean(str(type_node.value), TYPES) or f"expected one of: {', '.join(TYPES)}"
            self.loader.report(type_node.offset, f"{self.where}: unknown type {shown}", hint)
        else:
            return str(type_node.value)
        return ""

    def runs(self, node: Node, fields: Mapping[str, Node], kind: str) -> bool:
        """Return whether a handler of this type ever runs on its event; if not, warn."""
        event, where, report_strict_error = self.event, self.where, self.loader.report_strict_error
        row = EVENTS.get(event)
        if row is None:
            return True
        allowed = row.hooks
        if kind not in allowed:
            place = node.get("type") or node
            message = f'{where}: {event} runs no hooks of type "{kind}"; this one never runs'
            report_strict_error(place.offset, message, f"it takes {', '.join(allowed)}")
            self.record_lost(node, message, f"{event} takes {', '.join(allowed)}")
            return False
        if "if" in fields and row.subject != "tool_name":
            message = f"{where}: a hook with if never runs on {event}"
            hint = "if works on events about one tool call only; remove it"
            report_strict_error(fields["if"].offset, message, hint)
            self.record_lost(node, message, hint)
            return False
        return True

    def record_lost(self, node: Node, message: str, hint: str) -> None:
        """Record a hook that never runs, so that verdicts report it."""
        spec = self.loader.lose(self.event, self.where, node, message, hint)
        spec.matcher, spec.pattern = self.matcher, self.pattern

    def timeout(self, fields: Mapping[str, Node], kind: str) -> float:
        """Return the timeout in seconds; by default that of the type and event."""
        value = self.loader.seconds(self.where, fields, "timeout", "Claude Code")
        if value is not None and value > 0:
            return value
        if value is not None:
            self.loader.report(
                fields["timeout"].offset, f"{self.where}: timeout must be more than 0 seconds", code="timeout-invalid"
            )
        row = EVENTS.get(self.event)
        shorter = row.timeout if row is not None and kind in ("command", "http", "mcp_tool") else 0.0
        return shorter or TYPES[kind]

    def rule(self, fields: Mapping[str, Node]) -> Rule | None:
        """Return the rule of ``if``, or None."""
        text = self.loader.string(self.where, fields, "if")
        if not text:
            return None
        try:
            rule = Rule(text, "rule_paths_at_any_depth" in self.loader.quirks)
        except BadRule as error:
            hint = "write one rule such as Bash(git *) or Edit(*.ts)"
            message = f"{self.where}: if: {error}"
            self.loader.warn_left_out(
                fields["if"].offset, message, hint, code="hook-never-runs", then="the hook never runs"
            )
            return None
        meant = next((name for name in _OWN_TOOLS if name.lower() == rule.tool.lower() and name != rule.tool), "")
        if meant and rule.tool not in _OWN_TOOLS:
            message = f'{self.where}: if: Claude Code has no tool "{rule.tool}"; names are exact'
            hint = f"write {meant}"
            self.loader.warn_left_out(
                fields["if"].offset, message, hint, code="hook-never-runs", then="the hook never runs"
            )
        elif rule.tool == "Bash" and (rule.pattern or "").startswith("^"):
            message = f"{self.where}: if: the pattern of {rule.tool} is not a regular expression, and no command begins with ^"
            hint = f"write {rule.tool}({str(rule.pattern).lstrip('^').replace('.*', '*').rstrip('$')})"
            self.loader.warn_left_out(
                fields["if"].offset, message, hint, code="hook-never-runs", then="the hook never runs"
            )
        elif rule.pattern is not None and not rule.is_tried:
            message = f"{self.where}: if: Claude Code tries no pattern on a call of {rule.tool}"
            hint = f"write {rule.tool} alone, and let the hook read tool_input"
            if "refused_files_are_off" in self.loader.quirks:
                then = "the hook never runs"
                self.loader.warn_left_out(fields["if"].offset, message, hint, code="hook-never-runs", then=then)
            else:
                self.loader.warn_never_runs(fields["if"].offset, f"{message}: there the hook never runs", hint)
        elif not rule.judged:
            message = f"{self.where}: if: the text in the parentheses of {rule.tool} can't be evaluated; the hook runs"
            self.loader.warn(fields["if"].offset, message)
        return rule

    def arguments(self, fields: Mapping[str, Node]) -> tuple[str, ...] | None:
        """Return the argument vector; None for shell text. With ``args`` the command is a program, without a shell."""
        node = fields.get("args")
        loader, where = self.loader, self.where
        if node is None:
            command = fields.get("command")
            if command is not None and command.kind == "string" and "${user_config." in command.value:
                name = command.value.partition("${user_config.")[2].partition("}")[0]
                hint = f'use "$CLAUDE_PLUGIN_OPTION_{name.upper()}", or args'
                loader.report(command.offset, f"{where}: ${{user_config.{name}}} does not work in shell text", hint)
            shell = fields.get("shell")
            if command is not None and shell is not None and shell.value == "powershell":
                return (*POWERSHELL, for_powershell(str(command.value)))
            return None
        if node.kind != "array" or any(item.kind != "string" for item in node.value):
            wrong = next((item for item in node.value if item.kind != "string"), node) if node.kind == "array" else node
            loader.report(
                wrong.offset, f"{where}: args must be an array of strings, not {wrong.described}", code="wrong-type"
            )
            return None
        if "shell" in fields:
            loader.warn(fields["shell"].offset, f"{where}: shell is ignored beside args")
        command = fields.get("command")
        program = str(command.value) if command is not None else ""
        if " " in program and "/" not in program and not node.value:
            hint = f"leave args out, or write {program.split()} as command and args"
            message = f'{where}: with args, "{program}" is one program\'s name'
            loader.warn(node.offset, message, hint, code="hook-never-runs")
        return (program, *(str(item.value) for item in node.value))

    def on_failure(self, fields: Mapping[str, Node], extra: Mapping[str, JSON]) -> str | None:
        """Return the hook's own failure policy, from ``onFailure``; None leaves it to the event."""
        word = self.loader.string(self.where, fields, "onFailure")
        row = EVENTS.get(self.event)  # None for an unknown event, which was reported
        beside = "async" if extra.get("async") else "asyncRewake" if extra.get("rewake") else ""
        written: str | None = None
        if word and "no_on_failure" not in self.loader.quirks:
            place = fields["onFailure"].offset
            if word not in ("continue", "block"):
                hint = did_you_mean(word, ("continue", "block")) or 'write "continue" or "block"'
                self.loader.report(place, f'{self.where}: onFailure must be "continue" or "block", not "{word}"', hint)
            elif word == "block" and (beside or (row is not None and row.guards == "stop")):
                about = f"beside {beside}" if beside else f"on {self.event}"
                self.loader.warn(place, f"{self.where}: onFailure is ignored {about}")
            elif word == "block":
                written = CLOSED
            elif row is None or not row.failure:  # "continue" does not open an event on which failures block
                written = OPEN
        # Claude Code does not wait for an asynchronous hook; its failure decides nothing.
        return OPEN if beside else written

    def extra(self, fields: Mapping[str, Node], kind: str) -> dict[str, JSON]:
        """Return the fields that only some types have."""
        loader, where = self.loader, self.where
        extra: dict[str, JSON] = {}
        if loader.plugin:
            extra["plugin"] = loader.plugin
        if kind == "command":
            if loader.boolean(where, fields, "async"):
                extra["async"] = True
            if loader.boolean(where, fields, "asyncRewake"):
                extra["rewake"] = True
            shell = loader.string(where, fields, "shell")
            if shell and shell not in SHELLS:
                hint = did_you_mean(shell, SHELLS) or f"write {' or '.join(SHELLS)}"
                loader.report(fields["shell"].offset, f'{where}: unknown shell "{shell}"', hint)
            extra["shell"] = shell
        elif kind == "http":
            extra["url"] = loader.string(where, fields, "url")
            extra["headers"] = self.strings_by_name(fields, "headers")
            extra["allowed"] = self.strings(fields, "allowedEnvVars")
        elif kind == "mcp_tool":
            node = fields.get("input")
            if node is not None and node.kind != "object":
                loader.report(node.offset, f"{where}: input must be an object, not {node.described}", code="wrong-type")
            extra["input"] = node.plain() if node is not None else {}
            extra |= {name: loader.string(where, fields, name) for name in ("server", "tool")}
        else:
            extra |= {name: loader.string(where, fields, name) for name in ("prompt", "model")}
            extra["continue_on_block"] = loader.boolean(where, fields, "continueOnBlock")
        return extra

    def strings(self, fields: Mapping[str, Node], name: str) -> list[str]:
        """Return an array of strings; empty, with a diagnostic, if it is wrong."""
        node = fields.get(name)
        if node is None:
            return []
        if node.kind != "array" or any(item.kind != "string" for item in node.value):
            self.loader.report(node.offset, f"{self.where}: {name} must be an array of strings", code="wrong-type")
            return []
        return [str(item.value) for item in node.value]

    def strings_by_name(self, fields: Mapping[str, Node], name: str) -> dict[str, str]:
        """Return an object of strings; empty, with a diagnostic, if it is wrong."""
        node = fields.get(name)
        if node is None:
            return {}
        if node.kind != "object" or any(member.node.kind != "string" for member in node.value):
            self.loader.report(node.offset, f"{self.where}: {name} must be an object of strings", code="wrong-type")
            return {}
        return {member.key: str(member.node.value) for member in node.value}


def for_powershell(command: str) -> str:
    """Rewrite the placeholders to ``${env:NAME}``: in PowerShell ``${NAME}`` is not an environment variable."""
    for name in PLACEHOLDERS:
        command = command.replace(f"${{{name}}}", f"${{env:{name}}}")
    return command


def _title(fields: Mapping[str, Node], kind: str) -> str:
    """Return the text of a hook that people see, and from which its id is made."""
    values = [str(fields[name].value) for name in REQUIRED[kind]]
    args = fields.get("args")
    if args is not None:
        values += [str(item.value) for item in args.value]
    return "/".join(values) if kind == "mcp_tool" else " ".join(values)


def _key(fields: Mapping[str, Node], kind: str, argv: tuple[str, ...] | None, plugin: str) -> object:
    """Return the key that equal handlers share: command and args, or the URL (claude_code 4). Other types have none."""
    if kind == "http":
        return (kind, fields["url"].value)
    if kind != "command":
        return None
    command = str(fields["command"].value)
    shell = fields.get("shell")
    # The same text means another program in another plugin, or in another shell.
    own = plugin if any("CLAUDE_PLUGIN" in word for word in (command, *(argv or ()))) else ""
    return (kind, command, argv, own, shell.value == "powershell" if shell is not None else False)
