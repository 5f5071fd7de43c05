"""Mistral Vibe's events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from . import reading
from .event import OPEN, Arguments, Event, Output


class PreToolSpecific(Output):
    """Inside of pre_tool's output."""

    tool_input: dict[str, Any] | None = None


class PreToolSpecificDict(TypedDict):
    """Inside of pre_tool's output."""

    tool_input: NotRequired[dict[str, Any]]


class PostToolSpecific(Output):
    """Inside of post_tool's output."""

    additional_context: str | None = None


class PostToolSpecificDict(TypedDict):
    """Inside of post_tool's output."""

    additional_context: NotRequired[str]


class PostAgentSpecific(Output):
    """Inside of post_agent's output."""

    additional_context: str | None = None


class PostAgentSpecificDict(TypedDict):
    """Inside of post_agent's output."""

    additional_context: NotRequired[str]


class VibeEvent(Event):
    """The fields of every event."""

    session_id: str = ""
    transcript_path: str = ""
    """The folder of the session."""
    cwd: str = ""
    parent_session_id: str | None = None


class PreTool(VibeEvent):
    """Before a tool call."""

    SYSTEM: ClassVar[str] = "vibe"
    EVENT: ClassVar[str] = "pre_tool"

    hook_event_name: Literal["pre_tool"] = "pre_tool"
    tool_name: str
    """The qualified name."""
    tool_call_id: str = ""
    tool_input: Arguments
    """Bash has command."""

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        user_message: str = "",
        updated_input: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, user_message=user_message, updated_input=updated_input)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class PreToolDict(TypedDict):
    """The payload of pre_tool."""

    session_id: str
    transcript_path: str
    cwd: str
    parent_session_id: str | None
    hook_event_name: Literal["pre_tool"]
    tool_name: str
    tool_call_id: str
    tool_input: Any


class PreToolOutput(Output):
    """The output of a pre_tool hook."""

    decision: Literal["deny"] | None = None
    reason: str | None = None
    system_message: str | None = None
    hook_specific_output: PreToolSpecific | None = None


class PreToolOutputDict(TypedDict):
    """The output of a pre_tool hook."""

    decision: NotRequired[Literal["deny"]]
    reason: NotRequired[str]
    system_message: NotRequired[str]
    hook_specific_output: NotRequired[PreToolSpecificDict]


class PostTool(VibeEvent):
    """After a tool call; a deny replaces its result by the reason."""

    SYSTEM: ClassVar[str] = "vibe"
    EVENT: ClassVar[str] = "post_tool"

    hook_event_name: Literal["post_tool"] = "post_tool"
    tool_name: str
    """The qualified name."""
    tool_call_id: str = ""
    tool_input: Arguments
    """Bash has command."""
    tool_status: Annotated[Literal["success", "failure"], OPEN] = "success"
    tool_output: Any = None
    """The structured result; null after a failure."""
    tool_output_text: str
    """The result, or the error, as text."""
    tool_error: str | None = None
    duration_ms: int = 0

    def answer(self, decision: Literal["deny"] | None = None, reason: str = "", *, context: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, context=context)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class PostToolDict(TypedDict):
    """The payload of post_tool."""

    session_id: str
    transcript_path: str
    cwd: str
    parent_session_id: str | None
    hook_event_name: Literal["post_tool"]
    tool_name: str
    tool_call_id: str
    tool_input: Any
    tool_status: Literal["success", "failure"]
    tool_output: Any
    tool_output_text: str
    tool_error: str | None
    duration_ms: int


class PostToolOutput(Output):
    """The output of a post_tool hook."""

    decision: Literal["deny"] | None = None
    reason: str | None = None
    system_message: str | None = None
    hook_specific_output: PostToolSpecific | None = None


class PostToolOutputDict(TypedDict):
    """The output of a post_tool hook."""

    decision: NotRequired[Literal["deny"]]
    reason: NotRequired[str]
    system_message: NotRequired[str]
    hook_specific_output: NotRequired[PostToolSpecificDict]


class PostAgent(VibeEvent):
    """When an agent has finished its turn; a deny asks for another round."""

    SYSTEM: ClassVar[str] = "vibe"
    EVENT: ClassVar[str] = "post_agent"

    hook_event_name: Literal["post_agent"] = "post_agent"
    agent_name: str | None = None
    """The agent's configuration."""

    def answer(self, *, user_message: str = "", followup: str | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, followup=followup)


class PostAgentDict(TypedDict):
    """The payload of post_agent."""

    session_id: str
    transcript_path: str
    cwd: str
    parent_session_id: str | None
    hook_event_name: Literal["post_agent"]
    agent_name: str | None


class PostAgentOutput(Output):
    """The output of a post_agent hook."""

    decision: Literal["deny"] | None = None
    reason: str | None = None
    system_message: str | None = None
    hook_specific_output: PostAgentSpecific | None = None


class PostAgentOutputDict(TypedDict):
    """The output of a post_agent hook."""

    decision: NotRequired[Literal["deny"]]
    reason: NotRequired[str]
    system_message: NotRequired[str]
    hook_specific_output: NotRequired[PostAgentSpecificDict]


#: Any event of the system.
AnyEvent = PreTool | PostTool | PostAgent
EVENTS: dict[str, type[AnyEvent]] = {
    PreTool.EVENT: PreTool,
    PostTool.EVENT: PostTool,
    PostAgent.EVENT: PostAgent,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("vibe", EVENTS)
