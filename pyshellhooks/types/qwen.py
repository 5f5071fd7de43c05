"""Qwen Code's events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from pydantic import Field

from . import reading
from .event import OPEN, Arguments, Event, Output


class PreToolUseSpecific(Output):
    """Inside of PreToolUse's output."""

    hookEventName: Literal["PreToolUse"]
    additionalContext: str | None = None
    permissionDecision: Literal["allow", "deny", "ask", "defer"] | None = None
    permissionDecisionReason: str | None = None


class PreToolUseSpecificDict(TypedDict):
    """Inside of PreToolUse's output."""

    hookEventName: Literal["PreToolUse"]
    additionalContext: NotRequired[str]
    permissionDecision: NotRequired[Literal["allow", "deny", "ask", "defer"]]
    permissionDecisionReason: NotRequired[str]


class PostToolUseSpecific(Output):
    """Inside of PostToolUse's output."""

    hookEventName: Literal["PostToolUse"]
    additionalContext: str | None = None


class PostToolUseSpecificDict(TypedDict):
    """Inside of PostToolUse's output."""

    hookEventName: Literal["PostToolUse"]
    additionalContext: NotRequired[str]


class PostToolUseFailureSpecific(Output):
    """Inside of PostToolUseFailure's output."""

    hookEventName: Literal["PostToolUseFailure"]
    additionalContext: str | None = None


class PostToolUseFailureSpecificDict(TypedDict):
    """Inside of PostToolUseFailure's output."""

    hookEventName: Literal["PostToolUseFailure"]
    additionalContext: NotRequired[str]


class PostToolBatchSpecific(Output):
    """Inside of PostToolBatch's output."""

    hookEventName: Literal["PostToolBatch"]
    additionalContext: str | None = None


class PostToolBatchSpecificDict(TypedDict):
    """Inside of PostToolBatch's output."""

    hookEventName: Literal["PostToolBatch"]
    additionalContext: NotRequired[str]


class PermissionAnswer(Output):
    """The ``decision`` object of PermissionRequest."""

    behavior: Literal["allow", "deny"]
    updatedInput: dict[str, Any] | None = None
    updatedPermissions: list[Any] | None = None
    message: str | None = None
    interrupt: bool | None = None


class PermissionAnswerDict(TypedDict):
    """The ``decision`` object of PermissionRequest."""

    behavior: Literal["allow", "deny"]
    updatedInput: NotRequired[dict[str, Any]]
    updatedPermissions: NotRequired[list[Any]]
    message: NotRequired[str]
    interrupt: NotRequired[bool]


class PermissionRequestSpecific(Output):
    """Inside of PermissionRequest's output."""

    hookEventName: Literal["PermissionRequest"]
    decision: PermissionAnswer | None = None


class PermissionRequestSpecificDict(TypedDict):
    """Inside of PermissionRequest's output."""

    hookEventName: Literal["PermissionRequest"]
    decision: NotRequired[PermissionAnswerDict]


class PermissionDeniedSpecific(Output):
    """Inside of PermissionDenied's output."""

    hookEventName: Literal["PermissionDenied"]
    additionalContext: str | None = None


class PermissionDeniedSpecificDict(TypedDict):
    """Inside of PermissionDenied's output."""

    hookEventName: Literal["PermissionDenied"]
    additionalContext: NotRequired[str]


class UserPromptSubmitSpecific(Output):
    """Inside of UserPromptSubmit's output."""

    hookEventName: Literal["UserPromptSubmit"]
    additionalContext: str | None = None


class UserPromptSubmitSpecificDict(TypedDict):
    """Inside of UserPromptSubmit's output."""

    hookEventName: Literal["UserPromptSubmit"]
    additionalContext: NotRequired[str]


class UserPromptExpansionSpecific(Output):
    """Inside of UserPromptExpansion's output."""

    hookEventName: Literal["UserPromptExpansion"]
    additionalContext: str | None = None


class UserPromptExpansionSpecificDict(TypedDict):
    """Inside of UserPromptExpansion's output."""

    hookEventName: Literal["UserPromptExpansion"]
    additionalContext: NotRequired[str]


class SessionStartSpecific(Output):
    """Inside of SessionStart's output."""

    hookEventName: Literal["SessionStart"]
    additionalContext: str | None = None


class SessionStartSpecificDict(TypedDict):
    """Inside of SessionStart's output."""

    hookEventName: Literal["SessionStart"]
    additionalContext: NotRequired[str]


class SubagentStartSpecific(Output):
    """Inside of SubagentStart's output."""

    hookEventName: Literal["SubagentStart"]
    additionalContext: str | None = None


class SubagentStartSpecificDict(TypedDict):
    """Inside of SubagentStart's output."""

    hookEventName: Literal["SubagentStart"]
    additionalContext: NotRequired[str]


class PreCompactSpecific(Output):
    """Inside of PreCompact's output."""

    hookEventName: Literal["PreCompact"]
    additionalContext: str | None = None


class PreCompactSpecificDict(TypedDict):
    """Inside of PreCompact's output."""

    hookEventName: Literal["PreCompact"]
    additionalContext: NotRequired[str]


class NotificationSpecific(Output):
    """Inside of Notification's output."""

    hookEventName: Literal["Notification"]
    additionalContext: str | None = None


class NotificationSpecificDict(TypedDict):
    """Inside of Notification's output."""

    hookEventName: Literal["Notification"]
    additionalContext: NotRequired[str]


class QwenEvent(Event):
    """The fields of every event."""

    session_id: str = ""
    source_type: str | None = None
    source_id: str | None = None
    transcript_path: str = ""
    """The file of the session."""
    cwd: str = ""
    timestamp: str = ""
    """The time of the event, as in 2026-11-26T21:52:34.647Z."""
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str = "default"
    prompt_id: str | None = None
    """In a turn only."""


class PreToolUse(QwenEvent):
    """Before a tool call."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "PreToolUse"

    hook_event_name: Literal["PreToolUse"] = "PreToolUse"
    agent_id: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    tool_use_id: str = ""
    tool_call_id: str | None = None
    """The id of the model's interface."""

    def answer(
        self,
        decision: Literal["allow", "ask", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def ask(self, reason: str = "") -> NoReturn:
        """Let the person decide, and end the hook."""
        self._answer("ask", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PreToolUseDict(TypedDict):
    """The payload of PreToolUse."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PreToolUse"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_use_id: str
    tool_call_id: NotRequired[str]


class PreToolUseOutput(Output):
    """The output of a PreToolUse hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: PreToolUseSpecific | None = None


PreToolUseOutputDict = TypedDict(
    "PreToolUseOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[PreToolUseSpecificDict],
    },
)


class PostToolUse(QwenEvent):
    """After a successful tool call."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "PostToolUse"

    hook_event_name: Literal["PostToolUse"] = "PostToolUse"
    agent_id: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    tool_response: Any
    tool_use_id: str = ""
    tool_call_id: str | None = None
    """The id of the model's interface."""
    duration_ms: float | None = None

    @property
    def tool_output(self) -> Any:
        """``tool_response`` under its neutral name, ``tool_output``."""
        return self.tool_response

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PostToolUseDict(TypedDict):
    """The payload of PostToolUse."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PostToolUse"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_response: Any
    tool_use_id: str
    tool_call_id: NotRequired[str]
    duration_ms: NotRequired[float]


class PostToolUseOutput(Output):
    """The output of a PostToolUse hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: PostToolUseSpecific | None = None


PostToolUseOutputDict = TypedDict(
    "PostToolUseOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[PostToolUseSpecificDict],
    },
)


class PostToolUseFailure(QwenEvent):
    """After a failed tool call."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "PostToolUseFailure"

    hook_event_name: Literal["PostToolUseFailure"] = "PostToolUseFailure"
    agent_id: str | None = None
    """In a subagent only."""
    tool_use_id: str = ""
    tool_call_id: str | None = None
    """The id of the model's interface."""
    tool_name: str
    tool_input: Arguments
    error: str = ""
    is_interrupt: bool = False
    duration_ms: float | None = None

    @property
    def tool_error(self) -> str:
        """``error`` under its neutral name, ``tool_error``."""
        return self.error

    def answer(
        self,
        *,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )


class PostToolUseFailureDict(TypedDict):
    """The payload of PostToolUseFailure."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PostToolUseFailure"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    tool_use_id: str
    tool_call_id: NotRequired[str]
    tool_name: str
    tool_input: Any
    error: str
    is_interrupt: bool
    duration_ms: NotRequired[float]


class PostToolUseFailureOutput(Output):
    """The output of a PostToolUseFailure hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: PostToolUseFailureSpecific | None = None


PostToolUseFailureOutputDict = TypedDict(
    "PostToolUseFailureOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[PostToolUseFailureSpecificDict],
    },
)


class PostToolBatch(QwenEvent):
    """After all tool calls of one message."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "PostToolBatch"

    hook_event_name: Literal["PostToolBatch"] = "PostToolBatch"
    agent_id: str | None = None
    """In a subagent only."""
    tool_calls: list[Any]
    """Tool_name, tool_input, tool_response of each."""

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PostToolBatchDict(TypedDict):
    """The payload of PostToolBatch."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PostToolBatch"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    tool_calls: list[Any]


class PostToolBatchOutput(Output):
    """The output of a PostToolBatch hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: PostToolBatchSpecific | None = None


PostToolBatchOutputDict = TypedDict(
    "PostToolBatchOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[PostToolBatchSpecificDict],
    },
)


class PermissionRequest(QwenEvent):
    """When a person would have to approve a call."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "PermissionRequest"

    hook_event_name: Literal["PermissionRequest"] = "PermissionRequest"
    agent_id: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    permission_suggestions: list[Any] | None = None

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        user_message: str = "",
        updated_input: dict[str, Any] | None = None,
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            user_message=user_message,
            updated_input=updated_input,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class PermissionRequestDict(TypedDict):
    """The payload of PermissionRequest."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PermissionRequest"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    tool_name: str
    tool_input: Any
    permission_suggestions: NotRequired[list[Any]]


class PermissionRequestOutput(Output):
    """The output of a PermissionRequest hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: PermissionRequestSpecific | None = None


PermissionRequestOutputDict = TypedDict(
    "PermissionRequestOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[PermissionRequestSpecificDict],
    },
)


class PermissionDenied(QwenEvent):
    """After the classifier has refused a call."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "PermissionDenied"

    hook_event_name: Literal["PermissionDenied"] = "PermissionDenied"
    agent_id: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    tool_use_id: str = ""
    tool_call_id: str | None = None
    """The id of the model's interface."""
    reason: str = "classifier_blocked"

    def answer(
        self,
        *,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )


class PermissionDeniedDict(TypedDict):
    """The payload of PermissionDenied."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PermissionDenied"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_use_id: str
    tool_call_id: NotRequired[str]
    reason: str


class PermissionDeniedOutput(Output):
    """The output of a PermissionDenied hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: PermissionDeniedSpecific | None = None


PermissionDeniedOutputDict = TypedDict(
    "PermissionDeniedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[PermissionDeniedSpecificDict],
    },
)


class UserPromptSubmit(QwenEvent):
    """Before a prompt reaches the model."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "UserPromptSubmit"

    hook_event_name: Literal["UserPromptSubmit"] = "UserPromptSubmit"
    agent_id: str | None = None
    """In a subagent only."""
    prompt: str
    """Empty when a turn goes on after a tool call."""
    submitted_prompt: str | None = None
    """The text as the person typed it."""

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class UserPromptSubmitDict(TypedDict):
    """The payload of UserPromptSubmit."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["UserPromptSubmit"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    prompt: str
    submitted_prompt: NotRequired[str]


class UserPromptSubmitOutput(Output):
    """The output of a UserPromptSubmit hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: UserPromptSubmitSpecific | None = None


UserPromptSubmitOutputDict = TypedDict(
    "UserPromptSubmitOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[UserPromptSubmitSpecificDict],
    },
)


class UserPromptExpansion(QwenEvent):
    """Before a slash command becomes a prompt."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "UserPromptExpansion"

    hook_event_name: Literal["UserPromptExpansion"] = "UserPromptExpansion"
    agent_id: str | None = None
    """In a subagent only."""
    command_name: str
    command_args: str = ""
    prompt: str

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class UserPromptExpansionDict(TypedDict):
    """The payload of UserPromptExpansion."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["UserPromptExpansion"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    command_name: str
    command_args: str
    prompt: str


class UserPromptExpansionOutput(Output):
    """The output of a UserPromptExpansion hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: UserPromptExpansionSpecific | None = None


UserPromptExpansionOutputDict = TypedDict(
    "UserPromptExpansionOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[UserPromptExpansionSpecificDict],
    },
)


class SessionStart(QwenEvent):
    """When a session starts, is resumed or cleared."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "SessionStart"

    hook_event_name: Literal["SessionStart"] = "SessionStart"
    agent_id: str | None = None
    """In a subagent only."""
    source: Literal["startup", "resume", "clear", "compact"] | str = "startup"
    model: str = ""
    agent_type: str | None = None

    def answer(
        self,
        *,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )


class SessionStartDict(TypedDict):
    """The payload of SessionStart."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SessionStart"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    source: Literal["startup", "resume", "clear", "compact"] | str
    model: str
    agent_type: NotRequired[str]


class SessionStartOutput(Output):
    """The output of a SessionStart hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: SessionStartSpecific | None = None


SessionStartOutputDict = TypedDict(
    "SessionStartOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[SessionStartSpecificDict],
    },
)


class SessionEnd(QwenEvent):
    """When a session ends."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "SessionEnd"

    hook_event_name: Literal["SessionEnd"] = "SessionEnd"
    agent_id: str | None = None
    """In a subagent only."""
    reason: str = "other"

    def answer(
        self, *, user_message: str = "", suppress_output: bool | None = None, terminal_sequence: str | None = None
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output, terminal_sequence=terminal_sequence)


class SessionEndDict(TypedDict):
    """The payload of SessionEnd."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SessionEnd"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    reason: str


class SessionEndOutput(Output):
    """The output of a SessionEnd hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


SessionEndOutputDict = TypedDict(
    "SessionEndOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class SessionDelete(QwenEvent):
    """After a session was deleted."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "SessionDelete"

    hook_event_name: Literal["SessionDelete"] = "SessionDelete"
    agent_id: str | None = None
    """In a subagent only."""
    deleted_session_id: str = ""

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SessionDeleteDict(TypedDict):
    """The payload of SessionDelete."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SessionDelete"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    deleted_session_id: str


class SessionDeleteOutput(Output):
    """The output of a SessionDelete hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


SessionDeleteOutputDict = TypedDict(
    "SessionDeleteOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class Stop(QwenEvent):
    """When the agent wants to stop; a block makes it continue."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "Stop"

    hook_event_name: Literal["Stop"] = "Stop"
    agent_id: str | None = None
    """In a subagent only."""
    stop_hook_active: bool = False
    """A hook has made the agent continue."""
    last_assistant_message: str = ""
    background_tasks: list[Any] = []
    crons: list[Any] = []
    context_usage: float | None = None
    context_limit: float | None = None
    input_tokens: float | None = None

    @property
    def response(self) -> str:
        """``last_assistant_message`` under its neutral name, ``response``."""
        return self.last_assistant_message

    def answer(
        self,
        *,
        user_message: str = "",
        followup: str | None = None,
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            user_message=user_message,
            followup=followup,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )


class StopDict(TypedDict):
    """The payload of Stop."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["Stop"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    stop_hook_active: bool
    last_assistant_message: str
    background_tasks: list[Any]
    crons: list[Any]
    context_usage: NotRequired[float]
    context_limit: NotRequired[float]
    input_tokens: NotRequired[float]


class StopOutput(Output):
    """The output of a Stop hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None


StopOutputDict = TypedDict(
    "StopOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
    },
)


class SubagentStart(QwenEvent):
    """When a subagent starts."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "SubagentStart"

    hook_event_name: Literal["SubagentStart"] = "SubagentStart"
    agent_id: str = ""
    agent_type: str

    def answer(
        self,
        *,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )


class SubagentStartDict(TypedDict):
    """The payload of SubagentStart."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SubagentStart"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    prompt_id: NotRequired[str]
    agent_id: str
    agent_type: str


class SubagentStartOutput(Output):
    """The output of a SubagentStart hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: SubagentStartSpecific | None = None


SubagentStartOutputDict = TypedDict(
    "SubagentStartOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[SubagentStartSpecificDict],
    },
)


class SubagentStop(QwenEvent):
    """When a subagent wants to stop; a block makes it continue."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "SubagentStop"

    hook_event_name: Literal["SubagentStop"] = "SubagentStop"
    stop_hook_active: bool = False
    """A hook has made the agent continue."""
    agent_id: str = ""
    agent_type: str
    agent_transcript_path: str = ""
    last_assistant_message: str = ""
    background_tasks: list[Any] = []
    crons: list[Any] = []

    @property
    def response(self) -> str:
        """``last_assistant_message`` under its neutral name, ``response``."""
        return self.last_assistant_message

    def answer(
        self,
        *,
        user_message: str = "",
        followup: str | None = None,
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            user_message=user_message,
            followup=followup,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )


class SubagentStopDict(TypedDict):
    """The payload of SubagentStop."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SubagentStop"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    prompt_id: NotRequired[str]
    stop_hook_active: bool
    agent_id: str
    agent_type: str
    agent_transcript_path: str
    last_assistant_message: str
    background_tasks: list[Any]
    crons: list[Any]


class SubagentStopOutput(Output):
    """The output of a SubagentStop hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None


SubagentStopOutputDict = TypedDict(
    "SubagentStopOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
    },
)


class StopFailure(QwenEvent):
    """When an error of the interface ends a turn."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "StopFailure"

    hook_event_name: Literal["StopFailure"] = "StopFailure"
    agent_id: str | None = None
    """In a subagent only."""
    error: str
    error_details: str | None = None
    last_assistant_message: str | None = None

    @property
    def response(self) -> str | None:
        """``last_assistant_message`` under its neutral name, ``response``."""
        return self.last_assistant_message

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class StopFailureDict(TypedDict):
    """The payload of StopFailure."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["StopFailure"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    error: str
    error_details: NotRequired[str]
    last_assistant_message: NotRequired[str]


class StopFailureOutput(Output):
    """The output of a StopFailure hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


StopFailureOutputDict = TypedDict(
    "StopFailureOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class MessageDisplay(QwenEvent):
    """While a message is shown."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "MessageDisplay"

    hook_event_name: Literal["MessageDisplay"] = "MessageDisplay"
    agent_id: str | None = None
    """In a subagent only."""
    message_id: str = ""
    displayed_text: str
    """All of the message so far."""
    is_final: bool = True

    @property
    def content(self) -> str:
        """``displayed_text`` under its neutral name, ``content``."""
        return self.displayed_text

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class MessageDisplayDict(TypedDict):
    """The payload of MessageDisplay."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["MessageDisplay"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    message_id: str
    displayed_text: str
    is_final: bool


class MessageDisplayOutput(Output):
    """The output of a MessageDisplay hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


MessageDisplayOutputDict = TypedDict(
    "MessageDisplayOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class PreCompact(QwenEvent):
    """Before the history is compacted."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "PreCompact"

    hook_event_name: Literal["PreCompact"] = "PreCompact"
    agent_id: str | None = None
    """In a subagent only."""
    trigger: Annotated[Literal["manual", "auto"], OPEN] = "auto"
    custom_instructions: str = ""

    def answer(
        self,
        *,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )


class PreCompactDict(TypedDict):
    """The payload of PreCompact."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PreCompact"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    trigger: Literal["manual", "auto"]
    custom_instructions: str


class PreCompactOutput(Output):
    """The output of a PreCompact hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: PreCompactSpecific | None = None


PreCompactOutputDict = TypedDict(
    "PreCompactOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[PreCompactSpecificDict],
    },
)


class PostCompact(QwenEvent):
    """After the history was compacted."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "PostCompact"

    hook_event_name: Literal["PostCompact"] = "PostCompact"
    agent_id: str | None = None
    """In a subagent only."""
    trigger: Annotated[Literal["manual", "auto"], OPEN] = "auto"
    compact_summary: str = ""

    def answer(
        self, *, user_message: str = "", suppress_output: bool | None = None, terminal_sequence: str | None = None
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output, terminal_sequence=terminal_sequence)


class PostCompactDict(TypedDict):
    """The payload of PostCompact."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PostCompact"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    trigger: Literal["manual", "auto"]
    compact_summary: str


class PostCompactOutput(Output):
    """The output of a PostCompact hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


PostCompactOutputDict = TypedDict(
    "PostCompactOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class Notification(QwenEvent):
    """When the agent notifies a person."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "Notification"

    hook_event_name: Literal["Notification"] = "Notification"
    agent_id: str | None = None
    """In a subagent only."""
    message: str = ""
    notification_type: str = "permission_prompt"
    title: str | None = None

    def answer(
        self,
        *,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )


class NotificationDict(TypedDict):
    """The payload of Notification."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["Notification"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    message: str
    notification_type: str
    title: NotRequired[str]


class NotificationOutput(Output):
    """The output of a Notification hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: NotificationSpecific | None = None


NotificationOutputDict = TypedDict(
    "NotificationOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[NotificationSpecificDict],
    },
)


class InstructionsLoaded(QwenEvent):
    """When a file of instructions is read."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "InstructionsLoaded"

    hook_event_name: Literal["InstructionsLoaded"] = "InstructionsLoaded"
    agent_id: str | None = None
    """In a subagent only."""
    file_path: str = ""
    memory_type: str = ""
    load_reason: str = ""
    trigger_file_path: str | None = None
    parent_file_path: str | None = None

    def answer(
        self, *, user_message: str = "", suppress_output: bool | None = None, terminal_sequence: str | None = None
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output, terminal_sequence=terminal_sequence)


class InstructionsLoadedDict(TypedDict):
    """The payload of InstructionsLoaded."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["InstructionsLoaded"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    file_path: str
    memory_type: str
    load_reason: str
    trigger_file_path: NotRequired[str]
    parent_file_path: NotRequired[str]


class InstructionsLoadedOutput(Output):
    """The output of a InstructionsLoaded hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


InstructionsLoadedOutputDict = TypedDict(
    "InstructionsLoadedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class TodoCreated(QwenEvent):
    """Before and after a todo is added."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "TodoCreated"

    hook_event_name: Literal["TodoCreated"] = "TodoCreated"
    agent_id: str | None = None
    """In a subagent only."""
    todo_id: str = ""
    todo_content: str
    todo_status: str = "pending"
    all_todos: list[Any] = []
    phase: Literal["validation", "postWrite"] | str = "validation"

    @property
    def content(self) -> str:
        """``todo_content`` under its neutral name, ``content``."""
        return self.todo_content

    @property
    def status(self) -> str:
        """``todo_status`` under its neutral name, ``status``."""
        return self.todo_status

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class TodoCreatedDict(TypedDict):
    """The payload of TodoCreated."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["TodoCreated"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    todo_id: str
    todo_content: str
    todo_status: str
    all_todos: list[Any]
    phase: Literal["validation", "postWrite"] | str


class TodoCreatedOutput(Output):
    """The output of a TodoCreated hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None


TodoCreatedOutputDict = TypedDict(
    "TodoCreatedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
    },
)


class TodoCompleted(QwenEvent):
    """Before and after a todo is completed."""

    SYSTEM: ClassVar[str] = "qwen"
    EVENT: ClassVar[str] = "TodoCompleted"

    hook_event_name: Literal["TodoCompleted"] = "TodoCompleted"
    agent_id: str | None = None
    """In a subagent only."""
    todo_id: str = ""
    todo_content: str
    previous_status: str = "pending"
    all_todos: list[Any] = []
    phase: Literal["validation", "postWrite"] | str = "validation"

    @property
    def content(self) -> str:
        """``todo_content`` under its neutral name, ``content``."""
        return self.todo_content

    @property
    def status(self) -> str:
        """``previous_status`` under its neutral name, ``status``."""
        return self.previous_status

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class TodoCompletedDict(TypedDict):
    """The payload of TodoCompleted."""

    session_id: str
    source_type: NotRequired[str]
    source_id: NotRequired[str]
    transcript_path: str
    cwd: str
    hook_event_name: Literal["TodoCompleted"]
    timestamp: str
    permission_mode: Literal["default", "plan", "auto_edit", "auto", "yolo"] | str
    agent_id: NotRequired[str]
    prompt_id: NotRequired[str]
    todo_id: str
    todo_content: str
    previous_status: str
    all_todos: list[Any]
    phase: Literal["validation", "postWrite"] | str


class TodoCompletedOutput(Output):
    """The output of a TodoCompleted hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None


TodoCompletedOutputDict = TypedDict(
    "TodoCompletedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
    },
)


#: Any event of the system.
AnyEvent = (
    PreToolUse
    | PostToolUse
    | PostToolUseFailure
    | PostToolBatch
    | PermissionRequest
    | PermissionDenied
    | UserPromptSubmit
    | UserPromptExpansion
    | SessionStart
    | SessionEnd
    | SessionDelete
    | Stop
    | SubagentStart
    | SubagentStop
    | StopFailure
    | MessageDisplay
    | PreCompact
    | PostCompact
    | Notification
    | InstructionsLoaded
    | TodoCreated
    | TodoCompleted
)
EVENTS: dict[str, type[AnyEvent]] = {
    PreToolUse.EVENT: PreToolUse,
    PostToolUse.EVENT: PostToolUse,
    PostToolUseFailure.EVENT: PostToolUseFailure,
    PostToolBatch.EVENT: PostToolBatch,
    PermissionRequest.EVENT: PermissionRequest,
    PermissionDenied.EVENT: PermissionDenied,
    UserPromptSubmit.EVENT: UserPromptSubmit,
    UserPromptExpansion.EVENT: UserPromptExpansion,
    SessionStart.EVENT: SessionStart,
    SessionEnd.EVENT: SessionEnd,
    SessionDelete.EVENT: SessionDelete,
    Stop.EVENT: Stop,
    SubagentStart.EVENT: SubagentStart,
    SubagentStop.EVENT: SubagentStop,
    StopFailure.EVENT: StopFailure,
    MessageDisplay.EVENT: MessageDisplay,
    PreCompact.EVENT: PreCompact,
    PostCompact.EVENT: PostCompact,
    Notification.EVENT: Notification,
    InstructionsLoaded.EVENT: InstructionsLoaded,
    TodoCreated.EVENT: TodoCreated,
    TodoCompleted.EVENT: TodoCompleted,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("qwen", EVENTS)
