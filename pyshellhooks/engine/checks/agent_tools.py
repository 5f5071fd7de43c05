"""The checks of ``HookEngine.check_tools``: which of an agent's tools reach each hook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...errors import Diagnostic
from ...hooks.dialect import GUARDED, EventSpec
from ...hooks.model import HookSpec
from ...hooks.tool_kinds import Kind
from ...hooks.tool_translation import translate
from ...hooks.tools import DECLARED, GUESSED, KINDS_OF, UNKNOWN, ToolCall, ToolNames, is_mcp
from ..event_views import NO_TOOL

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
    return ["x"] if kind == "array" else {} if kind == "object" else 0 if kind in ("integer", "number") else "x"


class Reach:
    """One hook, and the tools that its matcher takes, under any of the names that it may receive."""

    __slots__ = ("kinds", "reached", "row", "spec", "system")

    def __init__(self, system: System, spec: HookSpec, row: EventSpec, found: Iterable[ToolCall]) -> None:
        self.system = system
        self.spec = spec
        self.row = row
        self.kinds = _kinds(system, spec, row)
        self.reached = [call for call in found if self.takes(call)]

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
        if self.takes(call) or (call.how != DECLARED and call.name in self.system.own_tools):
            return False
        if call.kind is not None and call.how != GUESSED:
            return call.kind.name in self.kinds
        return "shell" in self.kinds and (call.looks_like_shell or call.how == GUESSED)


def _is_about(row: EventSpec, call: ToolCall) -> bool:
    kind = "mcp" if call.how != DECLARED and is_mcp(call.name) else call.kind.name if call.kind is not None else ""
    if row.when == "edit":
        return kind in ("write", "edit", "multiedit")
    return kind == row.when if row.when in ("shell", "mcp", "read") else True


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
            if row is None or spec.id in system.disabled or not ({"before_tool", "after_tool"} & set(row.neutral)):
                continue
            if row.subject == "tool_name" and system.dialect.matches_tool(spec, NO_TOOL):
                continue  # it takes every tool
            yield from _of_hook(Reach(system, spec, row, found), found)
    for call in found:
        yield from _of_tool(call)


def _of_hook(reach: Reach, found: list[ToolCall]) -> Iterator[Diagnostic]:
    spec, origin = reach.spec, reach.spec.origin
    what = f'the matcher "{spec.matcher}"' if spec.matcher else f"the event {spec.event}"
    missed = [call for call in found if reach.misses(call)]
    if missed:
        names = ", ".join(call.name for call in missed[:_SHOWN]) + (", …" if len(missed) > _SHOWN else "")
        told = missed[0]
        if told.kind is None or told.how == GUESSED:
            hint = f'if {told.name} runs commands, declare it: tools={{"{told.name}": "shell"}}'
        else:
            own = reach.system.dialect.tools.get(told.kind.name, ("",))[0]
            hint = f'{reach.system.dialect.title} calls such a tool "{own}": use that name in the matcher'
        severity = "error" if reach.row.guards in GUARDED else "warning"
        message = f"{spec.id}: {what} misses the tool {names}: the hook never runs for it"
        yield origin.diagnostic(message, hint, severity, code="tool-missed")
    elif not reach.reached:
        kinds = " or ".join(sorted(reach.kinds))
        why = f"no tool is of kind {kinds}" if kinds else "MCP tools may appear later" if "mcp" in spec.matcher else ""
        message = f"{spec.id}: {what} matches none of this agent's tools" + (f": {why}" if why else "")
        yield origin.diagnostic(message, "", "warning", code="matcher-matches-no-tool")


def _of_tool(call: ToolCall) -> Iterator[Diagnostic]:
    if call.how == DECLARED and call.kind is not None and call.pairs:
        yield from _of_arguments(call, call.kind)
    if call.how != DECLARED and is_mcp(call.name):
        return
    if call.how == UNKNOWN:
        message = f'the kind of the tool "{call.name}" is unknown: guards see it under this name only'
        yield Diagnostic(
            "tools",
            0,
            0,
            message,
            f'declare its kind: tools={{"{call.name}": "shell"}}',
            "warning",
            code="tool-unknown",
        )
    elif call.how == GUESSED:
        message = f'the tool "{call.name}" is probably a shell: guards can only deny its calls, or ask'
        yield Diagnostic(
            "tools", 0, 0, message, f'declare it: tools={{"{call.name}": "shell"}}', "warning", code="tool-guessed"
        )
    elif call.kind is not None and call.kind.name == "code":
        message = f'the tool "{call.name}" runs code in another language: no shell guard reads it'
        yield Diagnostic(
            "tools", 0, 0, message, f'guard it by its own name: a matcher "{call.name}"', "warning", code="tool-unread"
        )


def _of_arguments(call: ToolCall, kind: Kind) -> Iterator[Diagnostic]:
    """Yield an error for a tool of a stated kind whose schema lacks the arguments that guards of that kind read.

    The host's own names for arguments are exact: a name that the schema lacks is a mistake, and guards would read another
    argument.
    """
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
