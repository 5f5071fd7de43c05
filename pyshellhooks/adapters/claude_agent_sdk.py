"""Adapter for the Claude Agent SDK: ``ShellHooks().options(ClaudeAgentOptions())`` (docs/adapters/claude-agent-sdk.md).

The SDK runs Claude Code, which calls callbacks for the events of its own hooks. The payload goes to the hooks of all
systems under neutral names, and the verdict is rendered as Claude Code's output, never weaker than it was.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

try:
    from claude_agent_sdk import ClaudeAgentOptions, HookMatcher

    # Without it Claude Code ignores a callback that fails, and a guard would be off.
    if "on_failure" not in [field.name for field in fields(HookMatcher)]:
        raise ImportError("HookMatcher has no on_failure")
except ImportError as error:
    raise ImportError(
        f"pyshellhooks needs claude-agent-sdk 0.2.177 or later ({error}): pip install 'pyshellhooks[claude-agent-sdk]'"
    ) from error

from .. import Verdict, dialects
from ..agent import AgentHooks, Gate, HookEngine, OnAsk, ToldKind
from ..hooks.fields import NEUTRAL

__all__ = ["ShellHooks"]

_CLAUDE = dialects.get("claude_code")
_EVENTS = (
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionRequest", "UserPromptSubmit",
    "UserPromptExpansion", "MessageDisplay", "Stop", "SubagentStart", "SubagentStop", "PreCompact", "Notification",
)  # fmt: skip
_SETTINGS = ("settings.json", "settings.local.json")
_RESULTS = ("PostToolUse", "PostToolUseFailure")
#: Events that are fired together with another one: Claude Code has no callback for the start of a session.
_WITH = {"UserPromptSubmit": ("session_start",), "PreToolUse": ("subagent_start",)}
#: Seconds that Claude Code waits for a callback; it accepts up to 24 days. After that it shows a result unchecked, so
#: the hooks' own deadlines must end first, and a person may take long.
_PATIENCE = 7 * 24 * 3600
_log = logging.getLogger("pyshellhooks")


class ShellHooks:
    """The hooks of an agent: ``options`` adds them to a ``ClaudeAgentOptions``.

    ``engine``, ``tools``, ``on_ask``, ``ask`` and ``cwd`` are those of ``AgentHooks``, and so are the errors for wrong
    ones. With ``ask="defer"`` a question goes to ``can_use_tool`` in every permission mode; without that function it is
    a deny. ``halted`` maps the id of a session to the reason of a halt, which the SDK's messages do not contain.
    """

    def __init__(
        self,
        engine: HookEngine | None = None,
        *,
        tools: dict[str, ToldKind] | None = None,
        on_ask: OnAsk | None = None,
        ask: str = "deny",
        cwd: str | None = None,
    ) -> None:
        self.hooks = AgentHooks(engine, tools=tools, on_ask=on_ask, ask=ask, cwd=cwd)
        self.halted: dict[str, str] = {}
        self._refused: dict[str, str] = {}  # denied subagents, whose calls are denied: Claude Code starts them anyway
        self._only_claude = all(system.dialect.name == _CLAUDE.name for system in self.hooks.engine.systems)

    def options(self, options: ClaudeAgentOptions | None = None) -> ClaudeAgentOptions:
        """Return a copy of an agent's options (None: the default ones) with the hooks added; its own callbacks stay.

        Raises ``ConfigError`` under ``strict`` for guards that no callback reaches, and for hooks that would run twice.
        """
        configured = ClaudeAgentOptions() if options is None else options
        names = configured.tools
        if not isinstance(names, list):
            names = [name for kind in _CLAUDE.tools.values() for name in kind]
        self.hooks.check_tools([name for name in names if name not in configured.disallowed_tools])
        self.hooks.check_reach(*self._twice(configured), *self._unreached_messages())
        resumes = configured.resume or configured.continue_conversation
        callback = partial(self._run_callback, "resume" if resumes else "startup")
        hooks: dict[Any, Any] = {event: list(own) for event, own in (configured.hooks or {}).items()}
        for event in filter(self._listens, _EVENTS):
            hooks.setdefault(event, []).append(HookMatcher(hooks=[callback], timeout=_PATIENCE, on_failure="block"))
        return replace(configured, hooks=hooks)

    def _listens(self, event: str) -> bool:
        neutral = _CLAUDE.events[event].neutral
        if not neutral and not self._systems(_CLAUDE.name):  # only Claude Code has this event
            return False
        names = (*(neutral or (event,)), *_WITH.get(event, ()))
        return any(map(self.hooks.engine.listens, names))

    def _systems(self, name: str) -> list[Any]:
        return [system for system in self.hooks.engine.systems if system.dialect.name == name]

    def _twice(self, options: ClaudeAgentOptions) -> Iterator[str]:
        """Yield a message for each of the engine's settings files that Claude Code loads too."""
        sources, here = options.setting_sources, Path(options.cwd or ".").resolve()
        specs = [spec for system in self._systems(_CLAUDE.name) for spec in system.specs]
        for origin in {spec.origin.file: spec.origin for spec in specs}.values():
            place = Path(origin.file).resolve()
            if place.name not in _SETTINGS:
                continue
            if origin.scope == "user" or place.parent == Path.home() / ".claude":
                source = "user"
            elif place.parent.name == ".claude" and here.is_relative_to(place.parent.parent):
                source = "local" if place.name == "settings.local.json" else "project"
            else:  # a file of another project
                continue
            if sources is None or source in sources:
                yield f'Claude Code loads {origin.file} too, so its hooks run twice; remove "{source}" from setting_sources'

    def _unreached_messages(self) -> Iterator[str]:
        """Yield a message for each event with guards that no callback reaches; log a warning for other hooks."""
        heard = {"session_start", *(name for event in _EVENTS for name in _CLAUDE.events[event].neutral)}
        for system in self.hooks.engine.systems:
            enabled = {spec.event: spec for spec in system.specs if spec.id not in system.disabled}
            for event, spec in enabled.items():
                row = system.dialect.events[event]
                has_callback = system.dialect.name == _CLAUDE.name and event in _EVENTS
                if has_callback or heard & set(row.neutral):
                    continue
                notice = f"the SDK calls no callback for {event} of {system.dialect.title} ({spec.origin})"
                if row.guards:
                    yield notice
                else:
                    _log.warning("%s", notice)

    # -- an event -----------------------------------------------------------------------------------------------------

    async def _run_callback(
        self, source: str, payload: Mapping[str, Any], tool_use_id: str | None, context: Any
    ) -> Any:
        """Return the output of a callback. An exception denies the act, except a result: Claude Code would show it.

        So an error about a result becomes a halt.
        """
        event, native = _CLAUDE.read(payload)
        try:
            try:
                verdict = await self._verdict(event, native, source)
            except Exception as error:
                verdict = _denied(event, f"the hooks failed: {type(error).__name__}: {error}")
                _log.exception("the hooks failed")
            return self._render(event, verdict, native)
        except Exception as error:
            if event not in _RESULTS:
                raise
            _log.exception("the verdict can't be passed to Claude Code")
            reason = f"the verdict can't be passed to Claude Code: {error}"
            return self._halts(native, {"continue": False, "stopReason": reason})

    def _render(self, event: str, verdict: Verdict, native: dict[str, Any]) -> Any:
        output = _CLAUDE.answer(event, verdict, native)
        for notice in output.notices:
            _log.warning("%s", notice)
        if output.exit_code:
            raise RuntimeError(f"a callback has no exit status, which this verdict needs: {output.stderr}")
        return self._halts(native, json.loads(output.stdout or "{}"))

    def _halts(self, native: Mapping[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if answer.get("continue") is False:
            self.halted[native["session_id"]] = answer.get("stopReason", "")
        return answer

    async def _verdict(self, event: str, native: dict[str, Any], source: str) -> Verdict:
        hooks, session, fields = self.hooks, native["session_id"], self._neutral_fields(event, native)
        agent, id = native.get("agent_id", ""), native.get("tool_use_id", "")
        if event == "PreToolUse":
            if agent in self._refused:
                return _denied(event, self._refused[agent])
            tool, arguments = fields.pop("tool_name"), fields.pop("tool_input")
            return self._answered(event, await hooks.abefore(tool, arguments, session=session, call_id=id, **fields))
        if event in _RESULTS:
            tool, arguments, output = fields.pop("tool_name"), fields.pop("tool_input"), fields.pop("tool_output", None)
            failure = None if event == "PostToolUse" else fields.pop("tool_error", "it failed")
            gate = await hooks.aafter(tool, arguments, output, error=failure, session=session, call_id=id, **fields)
            return self._answered(event, gate)
        if event == "UserPromptSubmit":
            self.halted.pop(session, None)  # a new prompt continues a halted session
            begun = await hooks.astart(session=session, source=source, **self._neutral_fields("SessionStart", native))
            if begun.denied is not None:
                return self._answered(event, begun)
            gate = await hooks.aprompt(fields.pop("prompt"), session=session, **fields)
            verdict = self._answered(event, gate)
            return verdict.replace(context="\n".join(filter(None, [begun.context, verdict.context])))
        if event in ("Stop", "SubagentStop"):
            kind = ""
            if event == "SubagentStop":
                kind = fields.pop("agent_type", "") or "subagent"
            gate = await hooks.astop(fields.pop("response", ""), session=session, subagent=kind, **fields)
            return self._answered(event, gate)
        if event == "SubagentStart":
            gate = await hooks.astart(session=session, subagent=fields.pop("agent_type") or "subagent", **fields)
            if gate.denied is None:
                return self._answered(event, gate)
            self._refused[agent] = f"a hook denied this subagent: {gate.denied}"
            return Verdict(event, context=self._refused[agent])
        verdict = await hooks.engine.afire((*_CLAUDE.events[event].neutral, event)[0], fields)
        for notice in verdict.notices:
            _log.warning("%s", notice)
        return verdict

    def _neutral_fields(self, event: str, native: Mapping[str, Any]) -> dict[str, Any]:
        """Return an event's fields by their neutral names. Fields of Claude Code alone go to its own hooks only."""
        named = _CLAUDE.events[event].named
        fields = {named[name].neutral: value for name, value in native.items() if name in named}
        if self._only_claude:
            return fields
        shared = set(NEUTRAL)
        if event in ("SubagentStart", "SubagentStop"):
            shared.add("agent_type")
        return {name: value for name, value in fields.items() if name in shared}

    def _answered(self, event: str, gate: Gate) -> Verdict:
        """Return a gate's verdict, in which the answer of a person replaces the question."""
        verdict = gate.verdict
        if verdict is None and gate.denied is not None:
            return _denied(event, gate.denied)
        if verdict is None:
            return Verdict(event, context=gate.context)
        if verdict.needs_approval and gate.denied is None:
            return verdict.replace(decision="allow")
        is_refused = gate.denied is not None and gate.ask is None
        if is_refused and not verdict.blocked:
            return verdict.replace(decision="deny", reason=gate.denied)
        if verdict.decision == "allow" and not self._only_claude:
            # In other systems an allow only means no objection; in Claude Code it also skips the permission prompt.
            return verdict.replace(decision="none")
        return verdict


def _denied(event: str, reason: str) -> Verdict:
    """Return the verdict after an error: a deny if the event is deniable or a result, otherwise no decision."""
    can_be_denied = event in _RESULTS or _CLAUDE.events[event].deniable
    if not can_be_denied:
        return Verdict(event)
    return Verdict(event, "deny", reason=reason, withholds=event == "PostToolUse")
