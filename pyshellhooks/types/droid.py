"""Droid's events for hooks written in Python (docs/typed-hooks.md).

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
    updatedInput: dict[str, Any] | None = None


class PreToolUseSpecificDict(TypedDict):
    """Inside of PreToolUse's output."""

    hookEventName: Literal["PreToolUse"]
    additionalContext: NotRequired[str]
    permissionDecision: NotRequired[Literal["allow", "deny", "ask", "defer"]]
    permissionDecisionReason: NotRequired[str]
    updatedInput: NotRequired[dict[str, Any]]


class PostToolUseSpecific(Output):
    """Inside of PostToolUse's output."""

    hookEventName: Literal["PostToolUse"]
    additionalContext: str | None = None


class PostToolUseSpecificDict(TypedDict):
    """Inside of PostToolUse's output."""

    hookEventName: Literal["PostToolUse"]
    additionalContext: NotRequired[str]


class UserPromptSubmitSpecific(Output):
    """Inside of UserPromptSubmit's output."""

    hookEventName: Literal["UserPromptSubmit"]
    additionalContext: str | None = None


class UserPromptSubmitSpecificDict(TypedDict):
    """Inside of UserPromptSubmit's output."""

    hookEventName: Literal["UserPromptSubmit"]
    additionalContext: NotRequired[str]


class DroidEvent(Event):
    """The fields of every event."""

    session_id: str = ""
    transcript_path: str = ""
    """The file of the session."""
    cwd: str = ""
    permission_mode: Literal["off", "spec", "auto-low", "auto-medium", "auto-high"] | str = "off"


class PreToolUse(DroidEvent):
    """Before a tool call."""

    SYSTEM: ClassVar[str] = "droid"
    EVENT: ClassVar[str] = "PreToolUse"

    hook_event_name: Literal["PreToolUse"] = "PreToolUse"
    tool_name: str
    tool_input: Arguments

    def answer(
        self,
        decision: Literal["allow", "ask", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        updated_input: dict[str, Any] | None = None,
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            context=context,
            updated_input=updated_input,
            suppress_output=suppress_output,
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
    permission_mode: Literal["off", "spec", "auto-low", "auto-medium", "auto-high"] | str
    hook_event_name: Literal["PreToolUse"]
    tool_name: str
    tool_input: Any


class PreToolUseOutput(Output):
    """The output of a PreToolUse hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    hookSpecificOutput: PreToolUseSpecific | None = None


PreToolUseOutputDict = TypedDict(
    "PreToolUseOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "hookSpecificOutput": NotRequired[PreToolUseSpecificDict],
    },
)


class PostToolUse(DroidEvent):
    """After a tool call; the model gets the reason of a deny."""

    SYSTEM: ClassVar[str] = "droid"
    EVENT: ClassVar[str] = "PostToolUse"

    hook_event_name: Literal["PostToolUse"] = "PostToolUse"
    tool_name: str
    tool_input: Arguments
    tool_response: Any

    @property
    def tool_output(self) -> Any:
        """``tool_response`` under its neutral name, ``tool_output``."""
        return self.tool_response

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
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
    permission_mode: Literal["off", "spec", "auto-low", "auto-medium", "auto-high"] | str
    hook_event_name: Literal["PostToolUse"]
    tool_name: str
    tool_input: Any
    tool_response: Any


class PostToolUseOutput(Output):
    """The output of a PostToolUse hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    hookSpecificOutput: PostToolUseSpecific | None = None


PostToolUseOutputDict = TypedDict(
    "PostToolUseOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "hookSpecificOutput": NotRequired[PostToolUseSpecificDict],
    },
)


class UserPromptSubmit(DroidEvent):
    """Before a prompt reaches the model."""

    SYSTEM: ClassVar[str] = "droid"
    EVENT: ClassVar[str] = "UserPromptSubmit"

    hook_event_name: Literal["UserPromptSubmit"] = "UserPromptSubmit"
    message_id: str = ""
    prompt: str
    has_images: bool = False

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
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
    permission_mode: Literal["off", "spec", "auto-low", "auto-medium", "auto-high"] | str
    hook_event_name: Literal["UserPromptSubmit"]
    message_id: str
    prompt: str
    has_images: bool


class UserPromptSubmitOutput(Output):
    """The output of a UserPromptSubmit hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    hookSpecificOutput: UserPromptSubmitSpecific | None = None


UserPromptSubmitOutputDict = TypedDict(
    "UserPromptSubmitOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "hookSpecificOutput": NotRequired[UserPromptSubmitSpecificDict],
    },
)


class Stop(DroidEvent):
    """When the agent wants to stop; a block makes it continue."""

    SYSTEM: ClassVar[str] = "droid"
    EVENT: ClassVar[str] = "Stop"

    hook_event_name: Literal["Stop"] = "Stop"
    message_id: str = ""
    stop_hook_active: bool = False
    tool_execution_count: int = 0
    elapsed_time: float = 0
    """Milliseconds."""

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        followup: str | None = None,
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason, halt=halt, user_message=user_message, followup=followup, suppress_output=suppress_output
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class StopDict(TypedDict):
    """The payload of Stop."""

    session_id: str
    transcript_path: str
    cwd: str
    permission_mode: Literal["off", "spec", "auto-low", "auto-medium", "auto-high"] | str
    hook_event_name: Literal["Stop"]
    message_id: str
    stop_hook_active: bool
    tool_execution_count: int
    elapsed_time: float


class StopOutput(Output):
    """The output of a Stop hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None


StopOutputDict = TypedDict(
    "StopOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
    },
)


class SubagentStop(DroidEvent):
    """When a subagent wants to stop."""

    SYSTEM: ClassVar[str] = "droid"
    EVENT: ClassVar[str] = "SubagentStop"

    hook_event_name: Literal["SubagentStop"] = "SubagentStop"
    task_name: str
    task_result: str = ""
    task_error: str | None = None
    stop_hook_active: bool = False

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        followup: str | None = None,
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason, halt=halt, user_message=user_message, followup=followup, suppress_output=suppress_output
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class SubagentStopDict(TypedDict):
    """The payload of SubagentStop."""

    session_id: str
    transcript_path: str
    cwd: str
    permission_mode: Literal["off", "spec", "auto-low", "auto-medium", "auto-high"] | str
    hook_event_name: Literal["SubagentStop"]
    task_name: str
    task_result: str
    task_error: NotRequired[str]
    stop_hook_active: bool


class SubagentStopOutput(Output):
    """The output of a SubagentStop hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None


SubagentStopOutputDict = TypedDict(
    "SubagentStopOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
    },
)


class Notification(DroidEvent):
    """When the agent notifies a person."""

    SYSTEM: ClassVar[str] = "droid"
    EVENT: ClassVar[str] = "Notification"

    hook_event_name: Literal["Notification"] = "Notification"
    message_id: str = ""
    message: str = ""
    notification_type: str = ""

    def answer(self, *, user_message: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output)


class NotificationDict(TypedDict):
    """The payload of Notification."""

    session_id: str
    transcript_path: str
    cwd: str
    permission_mode: Literal["off", "spec", "auto-low", "auto-medium", "auto-high"] | str
    hook_event_name: Literal["Notification"]
    message_id: str
    message: str
    notification_type: str


class NotificationOutput(Output):
    """The output of a Notification hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None


NotificationOutputDict = TypedDict(
    "NotificationOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
    },
)


class PreCompact(DroidEvent):
    """Before the history is compacted."""

    SYSTEM: ClassVar[str] = "droid"
    EVENT: ClassVar[str] = "PreCompact"

    hook_event_name: Literal["PreCompact"] = "PreCompact"
    trigger: Annotated[Literal["manual", "auto"], OPEN] = "auto"
    custom_instructions: str = ""
    message_count: int = 0
    estimated_tokens: int = 0
    message_id: str = ""

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision, reason=reason, halt=halt, user_message=user_message, suppress_output=suppress_output
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
    permission_mode: Literal["off", "spec", "auto-low", "auto-medium", "auto-high"] | str
    hook_event_name: Literal["PreCompact"]
    trigger: Literal["manual", "auto"]
    custom_instructions: str
    message_count: int
    estimated_tokens: int
    message_id: str


class PreCompactOutput(Output):
    """The output of a PreCompact hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None


PreCompactOutputDict = TypedDict(
    "PreCompactOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
    },
)


class SessionStart(DroidEvent):
    """When a session starts."""

    SYSTEM: ClassVar[str] = "droid"
    EVENT: ClassVar[str] = "SessionStart"

    hook_event_name: Literal["SessionStart"] = "SessionStart"

    def answer(self, *, user_message: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output)


class SessionStartDict(TypedDict):
    """The payload of SessionStart."""

    session_id: str
    transcript_path: str
    cwd: str
    permission_mode: Literal["off", "spec", "auto-low", "auto-medium", "auto-high"] | str
    hook_event_name: Literal["SessionStart"]


class SessionStartOutput(Output):
    """The output of a SessionStart hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None


SessionStartOutputDict = TypedDict(
    "SessionStartOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
    },
)


class SessionEnd(DroidEvent):
    """When a session ends."""

    SYSTEM: ClassVar[str] = "droid"
    EVENT: ClassVar[str] = "SessionEnd"

    hook_event_name: Literal["SessionEnd"] = "SessionEnd"

    def answer(self, *, user_message: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output)


class SessionEndDict(TypedDict):
    """The payload of SessionEnd."""

    session_id: str
    transcript_path: str
    cwd: str
    permission_mode: Literal["off", "spec", "auto-low", "auto-medium", "auto-high"] | str
    hook_event_name: Literal["SessionEnd"]


class SessionEndOutput(Output):
    """The output of a SessionEnd hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None


SessionEndOutputDict = TypedDict(
    "SessionEndOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
    },
)


#: Any event of the system.
AnyEvent = (
    PreToolUse
    | PostToolUse
    | UserPromptSubmit
    | Stop
    | SubagentStop
    | Notification
    | PreCompact
    | SessionStart
    | SessionEnd
)
EVENTS: dict[str, type[AnyEvent]] = {
    PreToolUse.EVENT: PreToolUse,
    PostToolUse.EVENT: PostToolUse,
    UserPromptSubmit.EVENT: UserPromptSubmit,
    Stop.EVENT: Stop,
    SubagentStop.EVENT: SubagentStop,
    Notification.EVENT: Notification,
    PreCompact.EVENT: PreCompact,
    SessionStart.EVENT: SessionStart,
    SessionEnd.EVENT: SessionEnd,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("droid", EVENTS)
