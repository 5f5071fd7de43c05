"""``permissions`` of settings files: their rules, their mistakes, and their decision on a call (claude_code 12)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...hooks.failure_notices import strict_fault
from ...hooks.model import Decision, HookEvent, PermissionRule, Ruling
from ...hooks.suggest import did_you_mean, nearest
from ...jsontext.compact import JSON
from ...jsontext.document import Member, Node
from ...notice import Notice
from . import payload
from .permission_commands import Command, Granted, Unclear, commands, granted_commands
from .rules import FILE_TOOLS, BadRule, PathRule, Rule, is_below, wildcard
from .tables import OTHER_TOOLS, PERMISSION_EVENT, TOOLS

if TYPE_CHECKING:
    from ..grouped_events.config import GroupLoader

DECISIONS = {"deny": Decision.DENY, "ask": Decision.ASK, "allow": Decision.ALLOW}
KEYS = (
    *DECISIONS, "defaultMode", "additionalDirectories", "disableBypassPermissionsMode", "disableAutoMode",
    "blockReadsOutsideWorkingDirectories", "blockWritesOutsideWorkingDirectories", "workingDirectoriesAsGiven",
    "workingDirectoriesExclude", "denyInsteadOfPrompting",
)  # fmt: skip
#: Keys that people write for those of the rules.
_MEANT = {"denied": "deny", "block": "deny", "blocked": "deny", "allowed": "allow", "asks": "ask", "confirm": "ask"}
MODES = ("default", "manual", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions")
_ANY = "*"  # a rule for every tool
_MCP_TOOLS = re.compile(r"mcp__[^*]+__[^(]*")  # of one server; the rule may have ``*`` in the tool's name
_SHELLS = frozenset(["Bash", "PowerShell"])
_EDITORS = frozenset(["Edit", "Write", "MultiEdit", "NotebookEdit"])
#: Tools with whose paths Claude Code tries no rule -> the tool whose rule is for them.
_UNTRIED = {
    **dict.fromkeys(("Write", "MultiEdit", "NotebookEdit"), "Edit"),
    **dict.fromkeys(("Glob", "Grep", "LS"), "Read"),
}
_LONGEST = 20_000  # characters; a longer command is not parsed
_HIDDEN = re.compile(
    r"(?:^|[/\s'\"=<>])\.[A-Za-z]"
)  # a file such as ``.git``, for which Claude Code has rules of its own
_KNOWN_TOOLS = frozenset(name for names in TOOLS.values() for name in names) | OTHER_TOOLS


class _Call(NamedTuple):
    """One tool call, in the words of the system."""

    tools: tuple[str, ...]
    input: Mapping[str, JSON]
    cwd: str
    project: str
    home: str

    @property
    def command(self) -> JSON:
        """The text of a shell call."""
        return self.input.get("command")

    @property
    def path(self) -> JSON:
        """The file of a call of a file tool."""
        return next((self.input[key] for key in ("file_path", "notebook_path", "path") if key in self.input), None)


# -- reading ----------------------------------------------------------------------------------------------------------


def read_permissions(loader: GroupLoader, node: Node) -> None:
    """Read the ``permissions`` of a settings file. Another type is an error elsewhere (``settings_of_another_type``)."""
    for member in node.value if node.kind == "object" else ():
        if member.key in DECISIONS:
            _read_rules(loader, member, DECISIONS[member.key])
        elif member.key == "defaultMode":
            _check_mode(loader, member)
        elif member.key not in KEYS and (meant := _MEANT.get(member.key.lower()) or nearest(member.key, DECISIONS)):
            message, hint = f'permissions: unknown key "{member.key}"', f'did you mean "{meant}"?'
            loader.warn_left_out(member.offset, message, hint, code="unknown-key", then="its rules have no effect")


def _check_mode(loader: GroupLoader, member: Member) -> None:
    if member.node.value not in MODES:
        message = f"permissions.defaultMode has an unknown mode: {loader.title} does not load this file"
        loader.refuse(member.node.offset, message, f"use one of: {', '.join(MODES)}")


def _read_rules(loader: GroupLoader, member: Member, decision: Decision) -> None:
    where = f"permissions.{member.key}"
    if member.node.kind != "array":
        message = (
            f"{where} must be an array of rules, not {member.node.described}: {loader.title} does not load this file"
        )
        loader.refuse(member.node.offset, message, f'write "{member.key}": ["Bash(git push *)"]')
        return
    for index, item in enumerate(member.node.value):
        _read_rule(loader, f"{where}[{index}]", item, decision)


def _read_rule(loader: GroupLoader, where: str, node: Node, decision: Decision) -> None:
    if node.kind != "string":
        problem, hint = f"a rule must be a string, not {node.described}", 'write "Bash(git push *)"'
    else:
        problem, hint = _problem(node.value, decision)
    if problem:
        loader.warn_left_out(node.offset, f"{where}: {problem}", hint, code="config-refused", then=_WITHOUT_EFFECT)
        if decision is not Decision.ALLOW:  # a guard that is off
            loader.lose(PERMISSION_EVENT, where, node, problem, hint)
        return
    rule = Rule(_ANY_TOOL if node.value.strip() == _ANY else node.value, "rule_paths_at_any_depth" in loader.quirks)
    if node.value.strip() == _ANY:
        rule.tool = _ANY
    _check_effect(loader, where, node, rule)
    origin = loader.place(node)
    loader.loaded.permissions.append(PermissionRule(decision, node.value, origin, rule))


_WITHOUT_EFFECT = "the rule has no effect in Claude Code"
_ANY_TOOL = "Any"  # a name that parses as a rule


def _problem(text: str, decision: Decision) -> tuple[str, str]:
    """Return why Claude Code skips a rule, and the fix; ``""`` for a rule that it takes (claude_code 12.2)."""
    if not text.strip():
        return "the rule is empty", "remove it"
    if text.endswith((") ", ")\t", ")\n")):
        return f'"{text}" ends with a blank', f'write "{text.rstrip()}"'
    text = text.strip()
    if text == _ANY:
        if decision is Decision.ALLOW:
            return '"*" is for deny and ask only', "name the tools"
        return "", ""
    if decision is Decision.ALLOW and "*" in text.partition("(")[0] and not _MCP_TOOLS.fullmatch(text):
        return f'"{text}": a rule that allows names its tool', "name the tools"
    if text.endswith("()"):
        return f'"{text}" has empty parentheses', f'write "{text[:-2]}" for every call of the tool'
    if not text.startswith("mcp__") and text[:1].islower():
        return f'"{text}": the name of a tool begins with a capital', f'write "{text[:1].upper()}{text[1:]}"'
    if text.startswith("mcp__") and "(" in text:
        return f'"{text}": a rule for a tool of MCP has no pattern', f'write "{text.partition("(")[0]}"'
    if text.startswith("WebFetch(") and not text.startswith(("WebFetch(domain:", "WebFetch(*")):
        return f'"{text}" names no domain', 'write "WebFetch(domain:example.com)"'
    try:
        Rule(text)
    except BadRule:
        return f'"{text}" is not one rule', "write one Tool or Tool(pattern) for each rule"
    return "", ""


def _check_effect(loader: GroupLoader, where: str, node: Node, rule: Rule) -> None:
    """Report a rule that Claude Code takes and that never matches there."""
    if rule.tool in _UNTRIED and rule.pattern is not None:
        message = f"{where}: {loader.title} tries no path with {rule.tool}, so this rule has no effect there"
        loader.overridden(node.offset, message, f'write "{_UNTRIED[rule.tool]}({rule.pattern})"')
    elif rule.tool not in _KNOWN_TOOLS and "*" not in rule.tool and (hint := did_you_mean(rule.tool, _KNOWN_TOOLS)):
        message = f'{where}: no tool has the name "{rule.tool}"'
        loader.warn_left_out(node.offset, message, hint, code="matcher-unknown", then=_WITHOUT_EFFECT)


# -- deciding ---------------------------------------------------------------------------------------------------------


def decide(rules: Sequence[PermissionRule], event: HookEvent) -> Ruling:
    """Return the decision of the rules on a call: a deny, else an ask, else an allow (claude_code 12.1)."""
    call = _Call(event.subjects, payload.tool_values(event), event.cwd, event.project_dir, payload.home(event))
    if not any(call.tools):
        return Ruling()
    unjudged: dict[PermissionRule, None] = {}
    for decision in (Decision.DENY, Decision.ASK):
        for rule in rules:
            if rule.decision is not decision:
                continue
            answer = _matches(rule, call)
            if answer:
                return Ruling(rule)
            if answer is None:
                unjudged[rule] = None
    if unjudged:
        return Ruling(notices=[_unjudged(list(unjudged))])
    return Ruling(_granting(rules, call))


def _unjudged(rules: Sequence[PermissionRule]) -> Notice:
    first = rules[0]
    others = f" (and of {len(rules) - 1} more)" if len(rules) > 1 else ""
    message = f'whether the rule "{first.text}" of permissions.{first.decision}{others} is for this call is unknown'
    return strict_fault(message, "permission-unknown", "review the call")


def _matches(rule: PermissionRule, call: _Call) -> bool | None:
    """Return whether a ``deny`` or ``ask`` rule is for a call; None if that is unknown."""
    compiled: Rule = rule.compiled
    if compiled.tool == _ANY:
        return True
    if _SHELLS.intersection(call.tools) and compiled.tool in ("Read", "Edit") and rule.decision is Decision.DENY:
        return compiled.pattern is not None and _names_file(rule, call)
    if not _is_for_tool(compiled, call):
        return False
    if compiled.pattern is None:
        return True
    if compiled.tool in _SHELLS:
        return _runs(compiled.pattern, call.command)
    if compiled.tool in FILE_TOOLS:
        return _is_at(rule, call.path, call) if isinstance(call.path, str) else None
    if not compiled.judged:
        return None
    return compiled.matches(call.tools, call.input, call.cwd, call.project, call.home)


def _is_for_tool(rule: Rule, call: _Call) -> bool:
    """Return whether a rule is for the tool of a call. ``Edit`` is for every tool that writes, ``Read`` for searches."""
    if any(rule.names(tool) or ("*" in rule.tool and wildcard(rule.tool, tool)) for tool in call.tools):
        return True
    if rule.pattern is None:
        return False
    others = {"Edit": _EDITORS, "Read": FILE_TOOLS - _EDITORS}.get(rule.tool, frozenset())
    return not others.isdisjoint(call.tools)


def _is_at(rule: PermissionRule, path: str, call: _Call) -> bool:
    """Return whether the path of a rule is that of a file. In the user's settings ``/x`` is beside these."""
    compiled: Rule = rule.compiled
    is_of_any_directory = "/" not in str(compiled.pattern).removeprefix("./").rstrip("/")
    if is_of_any_directory and not any(is_below(path, base, call.cwd, call.home) for base in (call.cwd, call.project)):
        return False
    project = rule.origin.file.replace("\\", "/").rpartition("/")[0] if rule.origin.scope == "user" else call.project
    return PathRule(str(compiled.pattern), compiled.anywhere).matches(path, call.cwd, project, call.home)


def _parsed(text: JSON) -> tuple[Command, ...]:
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise Unclear("a command that is too long, or no text")
    try:
        return commands(text)
    except RecursionError:
        raise Unclear("a command that nests too deeply") from None


def _runs(pattern: str, text: JSON) -> bool | None:
    """Return whether a text runs a command that a pattern names; None if only a running shell knows."""
    try:
        parsed = _parsed(text)
    except Unclear:
        return None
    for command in parsed:
        if any(_fits(pattern, candidate) for candidate in command.texts()):
            return True
    return None if any(command.dynamic for command in parsed) else False


def _fits(pattern: str, text: str) -> bool:
    """Return whether a pattern matches a command; ``git *`` and ``git:*`` match ``git`` alone, too."""
    if pattern.endswith(":*"):
        pattern = pattern[:-2] + " *"
    pattern = pattern.strip()
    bare = pattern[:-2] if pattern.endswith(" *") and pattern.count("*") == 1 else None
    return text == bare or wildcard(pattern, text)


def _names_file(rule: PermissionRule, call: _Call) -> bool | None:
    """Return whether a shell call reads, or writes, a file that a rule denies (claude_code 12.5); None if unknown."""
    try:
        parsed = _parsed(call.command)
    except Unclear:
        return None
    writes = rule.compiled.tool == "Edit"
    for command in parsed:
        if not command.outer:
            continue
        files = command.written_files() if writes else command.read_files()
        if any(_is_at(rule, path, call) for path in files):
            return True
    return False


def _granting(rules: Sequence[PermissionRule], call: _Call) -> PermissionRule | None:
    """Return the rule that allows a call; None unless it is sure that Claude Code would not ask (claude_code 12.6)."""
    allowing = [rule for rule in rules if rule.decision is Decision.ALLOW]
    for_tool = [rule for rule in allowing if _is_for_tool(rule.compiled, call)]
    if not for_tool:
        return None
    if _SHELLS.intersection(call.tools):
        return _granting_shell(for_tool, call.command)
    if FILE_TOOLS.intersection(call.tools):
        return _granting_file(for_tool, call)
    sure = [rule for rule in for_tool if rule.compiled.judged]
    arguments = (call.tools, call.input, call.cwd, call.project, call.home)
    return next((rule for rule in sure if rule.compiled.matches(*arguments)), None)


def _granting_file(rules: Sequence[PermissionRule], call: _Call) -> PermissionRule | None:
    """Return the rule that allows a call of a file tool; None for files such as those of ``.git``."""
    path = call.path
    if not isinstance(path, str) or _HIDDEN.search(path):
        return None
    return next((rule for rule in rules if rule.compiled.pattern is None or _is_at(rule, path, call)), None)


def _granting_shell(rules: Sequence[PermissionRule], text: JSON) -> PermissionRule | None:
    """Return the rule that allows a shell text; of several commands each needs one, and the first one's is returned."""
    if not isinstance(text, str) or len(text) > _LONGEST:
        return None
    whole = next((rule for rule in rules if rule.compiled.pattern is None), None)
    if whole is not None:
        return None if _HIDDEN.search(text) else whole
    plain = granted_commands(text)
    if not plain:
        return None
    chosen: list[PermissionRule] = []
    for command in plain:
        granting = next((rule for rule in rules if _grants(rule.compiled.pattern, command)), None)
        if granting is None:
            return None
        chosen.append(granting)
    return chosen[0]


def _grants(pattern: str, command: Granted) -> bool:
    """Return whether a pattern matches a plain command; one without ``*`` matches it only as it is written."""
    if "*" not in pattern:
        return command.raw == pattern
    return any(_fits(pattern, text) for text in command.texts)
