"""Crush's events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from . import reading
from .event import Arguments, Event, Output


class ClaudeOutput(Output):
    """Claude Code's form of the answer, which Crush accepts too."""

    permissionDecision: Literal["allow", "deny", "ask"] | None = None
    permissionDecisionReason: str | None = None
    updatedInput: dict[str, Any] | None = None
    additionalContext: str | None = None


class ClaudeOutputDict(TypedDict):
    """Claude Code's form of the answer, which Crush accepts too."""

    permissionDecision: NotRequired[Literal["allow", "deny", "ask"]]
    permissionDecisionReason: NotRequired[str]
    updatedInput: NotRequired[dict[str, Any]]
    additionalContext: NotRequired[str]


class PreToolUse(Event):
    """Before every tool call of the top-level agent."""

    SYSTEM: ClassVar[str] = "crush"
    EVENT: ClassVar[str] = "PreToolUse"

    event: Literal["PreToolUse"] = "PreToolUse"
    session_id: str = ""
    cwd: str = ""
    """The working directory of the session."""
    tool_name: str
    tool_input: Arguments
    """The model's own JSON; usually an object, and bash has command."""

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        context: str = "",
        updated_input: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, halt=halt, context=context, updated_input=updated_input)

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PreToolUseDict(TypedDict):
    """The payload of PreToolUse."""

    event: Literal["PreToolUse"]
    session_id: str
    cwd: str
    tool_name: str
    tool_input: Any


class PreToolUseOutput(Output):
    """The output of a PreToolUse hook."""

    version: int | None = 1
    """Higher ones are still read."""
    decision: Literal["allow", "deny"] | None = None
    """Allow skips the permission prompt."""
    halt: bool | None = False
    """Ends the turn."""
    reason: str | None = None
    context: str | list[str | None] | None = None
    updated_input: dict[str, Any] | str | None = None
    """Laid over tool_input, top-level key by key; a string is read as JSON text."""
    hookSpecificOutput: ClaudeOutput | None = None
    """If present, all other keys are ignored."""


class PreToolUseOutputDict(TypedDict):
    """The output of a PreToolUse hook."""

    version: NotRequired[int | None]
    decision: NotRequired[Literal["allow", "deny"]]
    halt: NotRequired[bool | None]
    reason: NotRequired[str]
    context: NotRequired[str | list[str | None]]
    updated_input: NotRequired[dict[str, Any] | str]
    hookSpecificOutput: NotRequired[ClaudeOutputDict]


#: Any event of the system.
AnyEvent = PreToolUse
EVENTS: dict[str, type[AnyEvent]] = {
    PreToolUse.EVENT: PreToolUse,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("crush", EVENTS)
