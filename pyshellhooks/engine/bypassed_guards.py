"""Notices about bypassed guards: of a shell-like call that no shell guard sees, or of an MCP tool spelled otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from ..hooks.dialect import Dialect, EventSpec
from ..hooks.failure_notices import strict_fault
from ..hooks.model import HookSpec
from ..hooks.tools import ToolCall, is_mcp, mcp_splits
from ..notice import Notice
from .event_views import NO_TOOL, EventViews

if TYPE_CHECKING:
    from .system import System

#: Hooks, each with the spelling of the tool's name that its matcher takes.
Misspelled: TypeAlias = tuple[tuple[HookSpec, str], ...]
#: The first four characters of names of MCP tools, and the forms in which systems and SDKs write such a name.
MCP_BEGINS = frozenset(["mcp_", "mcp:", "MCP:"])
_MCP_FORMS = ("mcp__{server}__{tool}", "mcp_{server}_{tool}", "mcp_{server}__{tool}", "mcp:{server}:{tool}")


def bypassed_shell_guards(system: System, views: EventViews) -> tuple[Notice, ...]:
    """Return a notice of the shell guards that a call bypassed; () if it bypassed none, or would in the system too.

    This concerns tools that are not the system's own, if the system has such guards. An MCP server's tool keeps its exact
    name, so a shell guard does not see it (decisions tool names).
    """
    event = views.event
    row = event.row
    tool = event.payload.get(row.places["tool_name"])
    if not isinstance(tool, str):
        return ()
    if is_mcp(tool) and not event.neutral:
        return ()
    tool_input = event.fields.get("tool_input", event.fields.get(row.places.get("tool_input", "tool_input")))
    call = system.names.call(tool, tool_input)
    if not seems_shell(call):
        return ()
    if event.neutral and call.kind is not None:
        return ()
    passed = [spec for spec in system.shell_guards(row) if _is_bypassed(system, views, spec)]
    if not passed:
        return ()
    return (bypass_notice(system.dialect, call.shown, passed, event.neutral),)


def _is_bypassed(system: System, views: EventViews, spec: HookSpec) -> bool:
    """Return whether a shell guard did not see a call that is not the system's own."""
    if spec.id in system.disabled:
        return False
    event = views.event
    if spec.event != event.row.native:  # its event is fired only for calls that are known as shell calls
        return event.neutral
    return views.matching_view(spec) is None


def hooks_with_other_spelling(
    dialect: Dialect, specs: Sequence[HookSpec], row: EventSpec, subjects: Sequence[str]
) -> Misspelled:
    """Return the hooks of an event whose matchers take an MCP tool's name in another spelling only, and that spelling.

    ``subjects``: the texts that the event's matchers are tried on, the tool's name first.
    """
    misspelled: dict[HookSpec, str] = {}
    others = [name for name in _spellings(dialect, subjects[0]) if name not in subjects]
    for spec in specs:
        if spec.event != row.native or any(dialect.matches_tool(spec, name) for name in (*subjects, NO_TOOL)):
            continue
        spelled = next((name for name in others if dialect.matches_tool(spec, name)), "")
        if spelled:
            misspelled[spec] = spelled
    return tuple(misspelled.items())


def _spellings(dialect: Dialect, tool: str) -> list[str]:
    """Return the names of an MCP tool: this system's, and those that other systems and SDKs use."""
    names: list[str] = []
    for server, bare in mcp_splits(tool):
        names += dialect.mcp_names(server, bare)
        names += [form.format(server=server, tool=bare) for form in _MCP_FORMS]
    return names


def misspelled_guards(system: System, views: EventViews) -> tuple[Notice, ...]:
    """Return a notice of hooks that did not run because they spell the MCP tool's name in another way; () if none."""
    row, subjects = views.event.row, views.event.subjects
    tool = subjects[0]
    tried = views.translation.names if views.translation is not None else ()
    passed = [
        (spec, name)
        for spec, name in system.hooks_with_other_spelling(row, subjects)
        if name not in tried and spec.id not in system.disabled
    ]
    if not passed:
        return ()
    guards = _list_text([spec for spec, _ in passed])
    message = f"a matcher spells the MCP tool {tool} as {passed[0][1]}, so its hook did not run: {guards}"
    own = [name for split in mcp_splits(tool) for name in system.dialect.mcp_names(*split)]
    if not views.event.neutral and passed[0][1] in own:
        hint = f"fire before_tool, which tries {system.dialect.title}'s names, or call the tool {passed[0][1]}"
    else:
        hint = f"write {own[0] if own else tool} in the matcher"
    return (strict_fault(message, "guard-not-asked", hint),)


def _list_text(specs: Sequence[HookSpec]) -> str:
    text = ", ".join(f"{spec.id} ({spec.origin})" for spec in specs[:3])
    if len(specs) > 3:
        text += ", …"
    return text


def seems_shell(call: ToolCall) -> bool:
    """Return whether a call may run a shell command."""
    if call.kind is not None:
        return call.kind.name == "shell"
    return call.looks_like_shell


def bypass_notice(dialect: Dialect, tool: str, passed: Sequence[HookSpec], neutral: bool) -> Notice:
    """Return the notice of bypassed shell guards, with their origins and a hint."""
    shell = dialect.tools["shell"][0]
    guards = _list_text(passed)
    if neutral:
        hint = f'if {tool} runs commands, declare it: tools={{"{tool}": "shell"}}, or --tool {tool}=shell'
    else:
        hint = f"fire before_tool instead, which translates the tool for each guard, or call the tool {shell}"
    message = f"the tool {tool} looks like a shell, but no guard of {dialect.title}'s {shell} ran: {guards}"
    return strict_fault(message, "guard-not-asked", hint)


def matches_shell_tool(dialect: Dialect, spec: HookSpec) -> bool:
    """Return whether a hook's matcher takes the system's shell tool but not every tool."""
    return any(
        dialect.matches_tool(spec, name) for name in dialect.tools.get("shell", ())
    ) and not dialect.matches_tool(spec, NO_TOOL)


def shell_guards(dialect: Dialect, specs: Sequence[HookSpec], row: EventSpec) -> tuple[HookSpec, ...]:
    """Return the hooks for the system's shell calls: by matcher, or by an event that is about shell calls only."""
    about_shells: set[str] = set()
    for other in dialect.events.values():
        if other.when == "shell" and set(other.neutral) & set(row.neutral):
            about_shells.add(other.native)
    guards: list[HookSpec] = []
    for spec in specs:
        guards_shell_tool = spec.event == row.native and matches_shell_tool(dialect, spec)
        if spec.event in about_shells or guards_shell_tool:
            guards.append(spec)
    return tuple(guards)
