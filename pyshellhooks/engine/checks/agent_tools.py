"""The checks of ``HookEngine.check_tools``: which of an agent's tools reach each hook.

Each rule is a function of its own, and its docstring explains it: docs/diagnostics.md shows it at the rule's code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ...errors import Diagnostic
from ...hooks.dialect import GUARDED, EventSpec
from ...hooks.model import HookSpec
from ...hooks.tool_translation import translate
from ...hooks.tools import DECLARED, GUESSED, KINDS_OF, UNKNOWN, ToolCall, ToolNames, is_mcp
from ..event_views import NO_TOOL
from ..scripts.rule import reports

if TYPE_CHECKING:
    from ..system import System

Tool = str | Mapping[str, Any]
_WRAPPED = ("function", "tool", "toolSpec")  # keys under which some SDKs nest the tool's schema
_SCHEMAS = ("parameters", "input_schema", "inputSchema", "args_schema", "schema", "json")
_SHOWN = 3


def calls(tools: Iterable[Tool] | Mapping[str, Any], names: ToolNames) -> list[ToolCall]:
    """Return an example call of each tool, from its name or its schema. Raises ``TypeError`` for anything else.

    A mapping has names as keys, and schemas or kinds as values.
    """
    given: list[tuple[str, Any]] = []
    if isinstance(tools, Mapping):
        given = [(str(name), schema) for name, schema in tools.items()]
    else:
        for tool in tools:
            given.append((tool, None) if isinstance(tool, str) else _named(tool))
    return [
        names.call(name, {key: _example(kind) for key, kind in _properties(schema).items()}) for name, schema in given
    ]


def _named(tool: object) -> tuple[str, Any]:
    """Return a tool's name and schema: a mapping as SDKs send it to models, or an object with a ``name``."""
    if isinstance(tool, Mapping):
        inner = next((tool[key] for key in _WRAPPED if isinstance(tool.get(key), Mapping)), tool)
        name = inner.get("name")
        if isinstance(name, str) and name:
            return name, inner
    name = getattr(tool, "name", None)
    if isinstance(name, str) and name:
        return name, {key: getattr(tool, key, None) for key in _SCHEMAS}
    raise TypeError(f"a tool must be a name, a schema with a name, or an object with one, got {tool!r:.80}")


def _properties(schema: Any) -> dict[str, Any]:
    """Return the arguments in a schema, each with its type."""
    if not isinstance(schema, Mapping):
        return {}
    found = schema.get("properties")
    if isinstance(found, Mapping):
        return {str(key): value.get("type") if isinstance(value, Mapping) else None for key, value in found.items()}
    return next((inner for key in _SCHEMAS if (inner := _properties(schema.get(key)))), {})


def _example(kind: Any) -> Any:
    if kind == "array":
        return ["x"]
    if kind == "object":
        return {}
    if kind in ("integer", "number"):
        return 0
    return "x"


class Reach:
    """One hook, and the tools that its matcher takes (``reached``), under any of the names that it may receive.

    ``missed``: the tools that it should take and does not. ``kinds``: the kinds of tools that its matcher is for.
    """

    __slots__ = ("kinds", "missed", "reached", "row", "spec", "system")

    def __init__(self, system: System, spec: HookSpec, row: EventSpec, found: Iterable[ToolCall]) -> None:
        self.system = system
        self.spec = spec
        self.row = row
        self.kinds = _kinds(system, spec, row)
        calls = list(found)
        self.reached = [call for call in calls if self.takes(call)]
        self.missed = [call for call in calls if self.misses(call)]

    @property
    def title(self) -> str:
        """The hook and its matcher, for a message."""
        matcher = f'the matcher "{self.spec.matcher}"' if self.spec.matcher else f"the event {self.spec.event}"
        return f"{self.spec.id}: {matcher}"

    def takes(self, call: ToolCall) -> bool:
        """Return whether a call of a tool reaches the hook."""
        if self.row.subject != "tool_name":
            return _is_about(self.row, call)
        dialect = self.system.dialect
        words = translate(call, dialect, "/")
        names = (call.name, *(words.names if words is not None else ()))
        return any(dialect.matches_tool(self.spec, name) for name in names)

    def misses(self, call: ToolCall) -> bool:
        """Return whether a call should reach the hook and does not: of the matcher's kind, or unknown and like a shell.

        A call of the system's own tool is never missed: its name is exact in the system too.
        """
        is_own_tool = call.how != DECLARED and call.name in self.system.own_tools
        if is_own_tool or self.takes(call):
            return False
        if call.kind is not None and call.how != GUESSED:
            return call.kind.name in self.kinds
        if "shell" not in self.kinds:
            return False
        return call.how == GUESSED or call.looks_like_shell


def _is_about(row: EventSpec, call: ToolCall) -> bool:
    kind = ""
    if call.how != DECLARED and is_mcp(call.name):
        kind = "mcp"
    elif call.kind is not None:
        kind = call.kind.name
    if row.when == "edit":
        return kind in ("write", "edit", "multiedit")
    if row.when in ("shell", "mcp", "read"):
        return kind == row.when
    return True


def _kinds(system: System, spec: HookSpec, row: EventSpec) -> frozenset[str]:
    """Return the kinds of tools that a hook's matcher takes: by the system's own names, else by any system's."""
    dialect = system.dialect
    if row.subject != "tool_name":
        return frozenset([row.when])
    own = [kind for kind, names in dialect.tools.items() if any(dialect.matches_tool(spec, name) for name in names)]
    if own:
        return frozenset(own)
    return frozenset(kinds[0].name for name, kinds in KINDS_OF.items() if dialect.matches_tool(spec, name))


def check(systems: Iterable[System], found: list[ToolCall]) -> Iterator[Diagnostic]:
    """Yield diagnostics for hooks that miss a tool or that no tool reaches, and for tools that no guard can read."""
    for system in systems:
        for spec in system.specs:
            row = system.dialect.events.get(spec.event)
            if row is None or spec.id in system.disabled:
                continue
            if {"before_tool", "after_tool"}.isdisjoint(row.neutral):
                continue
            if row.subject == "tool_name" and system.dialect.matches_tool(spec, NO_TOOL):
                continue  # it takes every tool
            reach = Reach(system, spec, row, found)
            for hook_rule in HOOK_RULES:
                yield from hook_rule(reach)
    for call in found:
        for tool_rule in TOOL_RULES:
            yield from tool_rule(call)


@reports("tool-missed")
def tool_missed(reach: Reach) -> Iterator[Diagnostic]:
    """Report the agent's tools that a guard's matcher misses: the hook never runs for them."""
    missed = reach.missed
    if not missed:
        return
    names = ", ".join(call.name for call in missed[:_SHOWN]) + (", …" if len(missed) > _SHOWN else "")
    first = missed[0]
    if first.kind is None or first.how == GUESSED:
        hint = f'if {first.name} runs commands, declare it: tools={{"{first.name}": "shell"}}'
    else:
        own = reach.system.dialect.tools.get(first.kind.name, ("",))[0]
        hint = f'{reach.system.dialect.title} calls such a tool "{own}": use that name in the matcher'
    severity = "error" if reach.row.guards in GUARDED else "warning"
    message = f"{reach.title} misses the tool {names}: the hook never runs for it"
    yield reach.spec.origin.diagnostic(message, hint, severity, code="tool-missed")


@reports("matcher-matches-no-tool")
def no_tool_reached(reach: Reach) -> Iterator[Diagnostic]:
    """Report a matcher that matches none of the agent's tools; tools of MCP servers may appear later."""
    if reach.reached or reach.missed:
        return
    kinds = " or ".join(sorted(reach.kinds))
    why = ""
    if kinds:
        why = f": no tool is of kind {kinds}"
    elif "mcp" in reach.spec.matcher:
        why = ": MCP tools may appear later"
    message = f"{reach.title} matches none of this agent's tools{why}"
    yield reach.spec.origin.diagnostic(message, "", "warning", code="matcher-matches-no-tool")


@reports("tool-argument-missing")
def argument_missing(call: ToolCall) -> Iterator[Diagnostic]:
    """Report a tool of a stated kind whose schema lacks the arguments that guards of that kind read: an error.

    The host's own names for arguments are exact: a name that the schema lacks is a mistake, and guards would read another
    argument.
    """
    kind = call.kind
    if call.how != DECLARED or kind is None or not call.pairs:
        return
    given = {key for key, _ in call.pairs}
    missing = [argument for argument, names in kind.own.items() if given.isdisjoint(names)]
    if missing:
        message = f'the tool "{call.name}" is declared with {kind.own[missing[0]][0]} as its {missing[0]}, but its schema has no such argument'
    else:
        keys = {kind.spelled.get(key) for key in given}
        missing = [need for need in kind.needs[:2] if need not in keys]
        message = (
            f'the tool "{call.name}" is of kind {kind.name}, but no argument of its schema is the '
            f"{' or the '.join(missing)}: guards can't find it"
        )
    if missing:
        names = ", ".join(f'"{need}": "its name"' for need in missing)
        hint = (
            f'name it: tools={{"{call.name}": ("{kind.name}", {{{names}}})}}; its schema has {", ".join(sorted(given))}'
        )
        yield Diagnostic("tools", 0, 0, message, hint, "error", code="tool-argument-missing")


@reports("tool-unknown")
def kind_unknown(call: ToolCall) -> Iterator[Diagnostic]:
    """Report a tool whose kind is unknown: guards see it under its own name only."""
    if call.how == UNKNOWN and not is_mcp(call.name):
        message = f'the kind of the tool "{call.name}" is unknown: guards see it under this name only'
        yield _of_tool("tool-unknown", message, f'declare its kind: tools={{"{call.name}": "shell"}}')


@reports("tool-guessed")
def kind_guessed(call: ToolCall) -> Iterator[Diagnostic]:
    """Report a tool that is probably a shell, by its arguments: guards can only deny its calls, or ask."""
    if call.how == GUESSED and not is_mcp(call.name):
        message = f'the tool "{call.name}" is probably a shell: guards can only deny its calls, or ask'
        yield _of_tool("tool-guessed", message, f'declare it: tools={{"{call.name}": "shell"}}')


@reports("tool-unread")
def code_in_other_language(call: ToolCall) -> Iterator[Diagnostic]:
    """Report a tool that runs code in another language: no shell guard reads it."""
    if call.how in (UNKNOWN, GUESSED):
        return
    if call.how != DECLARED and is_mcp(call.name):
        return
    if call.kind is not None and call.kind.name == "code":
        message = f'the tool "{call.name}" runs code in another language: no shell guard reads it'
        yield _of_tool("tool-unread", message, f'guard it by its own name: a matcher "{call.name}"')


def _of_tool(code: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic("tools", 0, 0, message, hint, "warning", code=code)


#: A rule on a hook and the tools of the agent.
HookRule: TypeAlias = Callable[[Reach], Iterator[Diagnostic]]
#: A rule on one tool.
ToolRule: TypeAlias = Callable[[ToolCall], Iterator[Diagnostic]]
#: The rules on a hook, in the order of their reports; one of them applies at most.
HOOK_RULES: tuple[HookRule, ...] = (tool_missed, no_tool_reached)
#: The rules on a tool, in the order of their reports.
TOOL_RULES: tuple[ToolRule, ...] = (argument_missing, kind_unknown, kind_guessed, code_in_other_language)
