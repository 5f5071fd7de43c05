"""deepagents-code's events for hooks written in Python (docs/typed-hooks.md).

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


class UserPromptSubmitSpecific(Output):
    """Inside of UserPromptSubmit's output."""

    hookEventName: Literal["UserPromptSubmit"]
    additionalContext: str | None = None
    suppressOriginalPrompt: bool | None = None


class UserPromptSubmitSpecificDict(TypedDict):
    """Inside of UserPromptSubmit's output."""

    hookEventName: Literal["UserPromptSubmit"]
    additionalContext: NotRequired[str]
    suppressOriginalPrompt: NotRequired[bool]


class SessionStartSpecific(Output):
    """Inside of SessionStart's output."""

    hookEventName: Literal["SessionStart"]
    additionalContext: str | None = None


class SessionStartSpecificDict(TypedDict):
    """Inside of SessionStart's output."""

    hookEventName: Literal["SessionStart"]
    additionalContext: NotRequired[str]


class StopSpecific(Output):
    """Inside of Stop's output."""

    hookEventName: Literal["Stop"]
    additionalContext: str | None = None


class StopSpecificDict(TypedDict):
    """Inside of Stop's output."""

    hookEventName: Literal["Stop"]
    additionalContext: NotRequired[str]


class SubagentStartSpecific(Output):
    """Inside of SubagentStart's output."""

    hookEventName: Literal["SubagentStart"]
    additionalContext: str | None = None


class SubagentStartSpecificDict(TypedDict):
    """Inside of SubagentStart's output."""

    hookEventName: Literal["SubagentStart"]
    additionalContext: NotRequired[str]


class SubagentStopSpecific(Output):
    """Inside of SubagentStop's output."""

    hookEventName: Literal["SubagentStop"]
    additionalContext: str | None = None


class SubagentStopSpecificDict(TypedDict):
    """Inside of SubagentStop's output."""

    hookEventName: Literal["SubagentStop"]
    additionalContext: NotRequired[str]


class DeepagentsEvent(Event):
    """The fields of every event."""

    session_id: str = ""
    transcript_path: str = ""
    """The path of the transcript."""
    cwd: str = ""
    prompt_id: str | None = None
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    effort: dict[str, Any] | None = None
    """Level: the level of effort."""


class PreToolUse(DeepagentsEvent):
    """Before a tool call."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "PreToolUse"

    hook_event_name: Literal["PreToolUse"] = "PreToolUse"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    """Bash has command."""
    tool_use_id: str = ""

    @property
    def tool_call_id(self) -> str:
        """``tool_use_id`` under its neutral name, ``tool_call_id``."""
        return self.tool_use_id

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
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PreToolUse"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_use_id: str


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


class PermissionRequest(DeepagentsEvent):
    """When a person would have to approve a call."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "PermissionRequest"

    hook_event_name: Literal["PermissionRequest"] = "PermissionRequest"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    """Bash has command."""
    permission_suggestions: list[Any] = []

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PermissionRequestDict(TypedDict):
    """The payload of PermissionRequest."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PermissionRequest"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_name: str
    tool_input: Any
    permission_suggestions: list[Any]


class PermissionRequestOutput(Output):
    """The output of a PermissionRequest hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: PermissionRequestSpecific | None = None


PermissionRequestOutputDict = TypedDict(
    "PermissionRequestOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[PermissionRequestSpecificDict],
    },
)


class PostToolUse(DeepagentsEvent):
    """After a tool call that succeeded; a block adds its reason to the result."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "PostToolUse"

    hook_event_name: Literal["PostToolUse"] = "PostToolUse"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    """Bash has command."""
    tool_response: Any
    """The tool's message."""
    tool_use_id: str = ""
    duration_ms: int | None = None
    """Milliseconds."""

    @property
    def tool_output(self) -> Any:
        """``tool_response`` under its neutral name, ``tool_output``."""
        return self.tool_response

    @property
    def tool_call_id(self) -> str:
        """``tool_use_id`` under its neutral name, ``tool_call_id``."""
        return self.tool_use_id

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


class PostToolUseDict(TypedDict):
    """The payload of PostToolUse."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PostToolUse"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_response: Any
    tool_use_id: str
    duration_ms: NotRequired[int]


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


class PostToolUseFailure(DeepagentsEvent):
    """After a tool call that failed; a block adds its reason to the result."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "PostToolUseFailure"

    hook_event_name: Literal["PostToolUseFailure"] = "PostToolUseFailure"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    """Bash has command."""
    tool_use_id: str = ""
    error: str
    is_interrupt: bool = False
    duration_ms: int | None = None
    """Milliseconds."""

    @property
    def tool_call_id(self) -> str:
        """``tool_use_id`` under its neutral name, ``tool_call_id``."""
        return self.tool_use_id

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
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PostToolUseFailure"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_use_id: str
    error: str
    is_interrupt: bool
    duration_ms: NotRequired[int]


class PostToolUseFailureOutput(Output):
    """The output of a PostToolUseFailure hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: PostToolUseFailureSpecific | None = None


PostToolUseFailureOutputDict = TypedDict(
    "PostToolUseFailureOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[PostToolUseFailureSpecificDict],
    },
)


class UserPromptSubmit(DeepagentsEvent):
    """Before a prompt reaches the model."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "UserPromptSubmit"

    hook_event_name: Literal["UserPromptSubmit"] = "UserPromptSubmit"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
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
        suppress_original_prompt: bool | None = None,
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
            suppress_original_prompt=suppress_original_prompt,
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
    transcript_path: str
    cwd: str
    hook_event_name: Literal["UserPromptSubmit"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    prompt: str


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


class SessionStart(DeepagentsEvent):
    """When a session starts, is resumed or cleared."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "SessionStart"

    hook_event_name: Literal["SessionStart"] = "SessionStart"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    source: Annotated[Literal["startup", "resume", "clear", "compact"], OPEN] = "startup"
    model: str | None = None

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


class SessionStartDict(TypedDict):
    """The payload of SessionStart."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SessionStart"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    source: Literal["startup", "resume", "clear", "compact"]
    model: NotRequired[str]


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


class SessionEnd(DeepagentsEvent):
    """When a session ends."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "SessionEnd"

    hook_event_name: Literal["SessionEnd"] = "SessionEnd"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    reason: Annotated[Literal["clear", "resume", "prompt_input_exit", "other"], OPEN] = "other"

    def answer(
        self, *, user_message: str = "", suppress_output: bool | None = None, terminal_sequence: str | None = None
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output, terminal_sequence=terminal_sequence)


class SessionEndDict(TypedDict):
    """The payload of SessionEnd."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SessionEnd"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    reason: Literal["clear", "resume", "prompt_input_exit", "other"]


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


class Notification(DeepagentsEvent):
    """When the agent notifies the person."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "Notification"

    hook_event_name: Literal["Notification"] = "Notification"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    message: str = ""
    notification_type: (
        Literal["permission_prompt", "agent_needs_input", "agent_completed", "cache_expiring", "cold_cache_warning"]
        | str
    ) = ""
    title: str | None = None

    def answer(
        self, *, user_message: str = "", suppress_output: bool | None = None, terminal_sequence: str | None = None
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output, terminal_sequence=terminal_sequence)


class NotificationDict(TypedDict):
    """The payload of Notification."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["Notification"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    message: str
    notification_type: (
        Literal["permission_prompt", "agent_needs_input", "agent_completed", "cache_expiring", "cold_cache_warning"]
        | str
    )
    title: NotRequired[str]


class NotificationOutput(Output):
    """The output of a Notification hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


NotificationOutputDict = TypedDict(
    "NotificationOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class PreCompact(DeepagentsEvent):
    """Before the history is compacted."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "PreCompact"

    hook_event_name: Literal["PreCompact"] = "PreCompact"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    trigger: Annotated[Literal["manual", "auto"], OPEN] = "auto"
    custom_instructions: str = ""

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PreCompactDict(TypedDict):
    """The payload of PreCompact."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PreCompact"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
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
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None


PreCompactOutputDict = TypedDict(
    "PreCompactOutputDict",
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


class Stop(DeepagentsEvent):
    """When the agent wants to stop; a block makes it continue."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "Stop"

    hook_event_name: Literal["Stop"] = "Stop"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    stop_hook_active: bool = False
    """A hook has made the agent continue."""
    last_assistant_message: str
    background_tasks: list[Any] = []
    session_crons: list[Any] = []

    @property
    def response(self) -> str:
        """``last_assistant_message`` under its neutral name, ``response``."""
        return self.last_assistant_message

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        followup: str | None = None,
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            followup=followup,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class StopDict(TypedDict):
    """The payload of Stop."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["Stop"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    stop_hook_active: bool
    last_assistant_message: str
    background_tasks: list[Any]
    session_crons: list[Any]


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
    hookSpecificOutput: StopSpecific | None = None


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
        "hookSpecificOutput": NotRequired[StopSpecificDict],
    },
)


class SubagentStart(DeepagentsEvent):
    """When a subagent starts."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "SubagentStart"

    hook_event_name: Literal["SubagentStart"] = "SubagentStart"
    agent_id: str = ""
    agent_type: str

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


class SubagentStartDict(TypedDict):
    """The payload of SubagentStart."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SubagentStart"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
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


class SubagentStop(DeepagentsEvent):
    """When a subagent stops; a block is context for its parent."""

    SYSTEM: ClassVar[str] = "deepagents"
    EVENT: ClassVar[str] = "SubagentStop"

    hook_event_name: Literal["SubagentStop"] = "SubagentStop"
    agent_id: str = ""
    agent_type: str
    stop_hook_active: bool = False
    agent_transcript_path: str = ""
    last_assistant_message: str
    background_tasks: list[Any] = []
    session_crons: list[Any] = []

    @property
    def response(self) -> str:
        """``last_assistant_message`` under its neutral name, ``response``."""
        return self.last_assistant_message

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


class SubagentStopDict(TypedDict):
    """The payload of SubagentStop."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SubagentStop"]
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    agent_id: str
    agent_type: str
    stop_hook_active: bool
    agent_transcript_path: str
    last_assistant_message: str
    background_tasks: list[Any]
    session_crons: list[Any]


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
    hookSpecificOutput: SubagentStopSpecific | None = None


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
        "hookSpecificOutput": NotRequired[SubagentStopSpecificDict],
    },
)


#: Any event of the system.
AnyEvent = (
    PreToolUse
    | PermissionRequest
    | PostToolUse
    | PostToolUseFailure
    | UserPromptSubmit
    | SessionStart
    | SessionEnd
    | Notification
    | PreCompact
    | Stop
    | SubagentStart
    | SubagentStop
)
EVENTS: dict[str, type[AnyEvent]] = {
    PreToolUse.EVENT: PreToolUse,
    PermissionRequest.EVENT: PermissionRequest,
    PostToolUse.EVENT: PostToolUse,
    PostToolUseFailure.EVENT: PostToolUseFailure,
    UserPromptSubmit.EVENT: UserPromptSubmit,
    SessionStart.EVENT: SessionStart,
    SessionEnd.EVENT: SessionEnd,
    Notification.EVENT: Notification,
    PreCompact.EVENT: PreCompact,
    Stop.EVENT: Stop,
    SubagentStart.EVENT: SubagentStart,
    SubagentStop.EVENT: SubagentStop,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("deepagents", EVENTS)
