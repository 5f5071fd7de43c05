"""A call that looks like a shell's, and guards of shell calls that were not asked: said on every such verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..hooks.dialect import Dialect, EventSpec
from ..hooks.facts import doubt
from ..hooks.model import HookSpec
from ..hooks.tools import ToolCall, is_mcp
from ..notice import Notice
from .telling import NO_TOOL, Telling

if TYPE_CHECKING:
    from .system import System


def unasked(system: System, telling: Telling) -> tuple[Notice, ...]:
    """Say that guards of the system's shell tool were passed by; () where none was, or where it would not ask either.

    This concerns tools that are not the system's own, if the system has such guards. An MCP server's tool keeps its exact
    name, so a shell guard does not see it (decisions tool names). The notice says so.
    """
    event = telling.event
    row = event.row
    tool = event.payload.get(row.places["tool_name"])
    if not isinstance(tool, str) or (is_mcp(tool) and not event.neutral):
        return ()
    given = event.fields.get("tool_input", event.fields.get(row.places.get("tool_input", "tool_input")))
    call = system.names.call(tool, given)
    if not seems_shell(call) or (event.neutral and call.kind is not None):
        return ()
    passed = [
        spec
        for spec in system.shell_guards(row)
        if spec.id not in system.disabled
        and (event.neutral if spec.event != row.native else telling.wants(spec) is None)
    ]
    if not passed:
        return ()
    return (notice(system.dialect, call.shown, passed, event.neutral),)


def seems_shell(call: ToolCall) -> bool:
    """Say whether a call may be a shell's."""
    if call.kind is not None:
        return call.kind.name == "shell"
    return call.looks_like_shell


def notice(dialect: Dialect, tool: str, passed: Sequence[HookSpec], neutral: bool) -> Notice:
    """Say which guards were passed by, where they are written, and what to do."""
    shell = dialect.tools["shell"][0]
    guards = ", ".join(f"{spec.id} ({spec.origin})" for spec in passed[:3]) + (", …" if len(passed) > 3 else "")
    if neutral:
        mend = f'if {tool} runs commands, say so: tools={{"{tool}": "shell"}}, or --tool {tool}=shell'
    else:
        mend = f"fire before_tool instead, which asks guards in their own words, or call the tool {shell}"
    what = f"the tool {tool} looks like a shell, and no guard of {dialect.title}'s {shell} was asked: {guards}"
    return doubt(what, "guard-not-asked", mend)


def aims_at_shell(dialect: Dialect, spec: HookSpec) -> bool:
    """Say whether a hook's matcher names the system's shell tool, and not just every tool."""
    return any(dialect.aims_at(spec, name) for name in dialect.tools.get("shell", ())) and not dialect.aims_at(
        spec, NO_TOOL
    )


def shell_guards(dialect: Dialect, specs: Sequence[HookSpec], row: EventSpec) -> tuple[HookSpec, ...]:
    """Return the hooks that are for the system's shell calls: by their matcher, or by an event that is about nothing else."""
    about_shells = {
        other.native
        for other in dialect.events.values()
        if other.when == "shell" and set(other.neutral) & set(row.neutral)
    }
    return tuple(
        spec
        for spec in specs
        if spec.event in about_shells or (spec.event == row.native and aims_at_shell(dialect, spec))
    )
