"""Kimi Code's events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from . import reading
from .event import Arguments, Event, Output


class PreToolUseSpecific(Output):
    """Inside of PreToolUse's output."""

    permissionDecision: Literal["deny"] | None = None
    permissionDecisionReason: str | None = None


class PreToolUseSpecificDict(TypedDict):
    """Inside of PreToolUse's output."""

    permissionDecision: NotRequired[Literal["deny"]]
    permissionDecisionReason: NotRequired[str]


class UserPromptSubmitSpecific(Output):
    """Inside of UserPromptSubmit's output."""

    permissionDecision: Literal["deny"] | None = None
    permissionDecisionReason: str | None = None


class UserPromptSubmitSpecificDict(TypedDict):
    """Inside of UserPromptSubmit's output."""

    permissionDecision: NotRequired[Literal["deny"]]
    permissionDecisionReason: NotRequired[str]


class StopSpecific(Output):
    """Inside of Stop's output."""

    permissionDecision: Literal["deny"] | None = None
    permissionDecisionReason: str | None = None


class StopSpecificDict(TypedDict):
    """Inside of Stop's output."""

    permissionDecision: NotRequired[Literal["deny"]]
    permissionDecisionReason: NotRequired[str]


class KimiEvent(Event):
    """The fields of every event."""

    session_id: str = ""
    cwd: str = ""
    client_type: str | None = None
    """Of Kimi Code only, such as kimi_code_cli."""
    session_title: str | None = None
    """Absent in a session without a title."""


class PreToolUse(KimiEvent):
    """Before a tool call."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "PreToolUse"

    hook_event_name: Literal["PreToolUse"] = "PreToolUse"
    tool_name: str
    tool_input: Arguments
    tool_call_id: str = ""

    def answer(self, decision: Literal["deny"] | None = None, reason: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class PreToolUseDict(TypedDict):
    """The payload of PreToolUse."""

    hook_event_name: Literal["PreToolUse"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_call_id: str


class PreToolUseOutput(Output):
    """The output of a PreToolUse hook."""

    hookSpecificOutput: PreToolUseSpecific | None = None


class PreToolUseOutputDict(TypedDict):
    """The output of a PreToolUse hook."""

    hookSpecificOutput: NotRequired[PreToolUseSpecificDict]


class PostToolUse(KimiEvent):
    """After a tool call that succeeded."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "PostToolUse"

    hook_event_name: Literal["PostToolUse"] = "PostToolUse"
    tool_name: str
    tool_input: Arguments
    tool_call_id: str = ""
    tool_output: Any = ""
    """The output as text, its first 2,000 characters."""

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class PostToolUseDict(TypedDict):
    """The payload of PostToolUse."""

    hook_event_name: Literal["PostToolUse"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_call_id: str
    tool_output: Any


class PostToolUseOutput(Output):
    """The output of a PostToolUse hook."""


class PostToolUseOutputDict(TypedDict):
    """The output of a PostToolUse hook."""


class PostToolUseFailure(KimiEvent):
    """After a tool call that failed."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "PostToolUseFailure"

    hook_event_name: Literal["PostToolUseFailure"] = "PostToolUseFailure"
    tool_name: str
    tool_input: Arguments
    tool_call_id: str = ""
    error: Any = ""

    @property
    def tool_error(self) -> Any:
        """``error`` under its neutral name, ``tool_error``."""
        return self.error

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class PostToolUseFailureDict(TypedDict):
    """The payload of PostToolUseFailure."""

    hook_event_name: Literal["PostToolUseFailure"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_call_id: str
    error: Any


class PostToolUseFailureOutput(Output):
    """The output of a PostToolUseFailure hook."""


class PostToolUseFailureOutputDict(TypedDict):
    """The output of a PostToolUseFailure hook."""


class PermissionRequest(KimiEvent):
    """When a person has to approve a call."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "PermissionRequest"

    hook_event_name: Literal["PermissionRequest"] = "PermissionRequest"
    tool_name: str
    tool_input: Arguments
    tool_call_id: str = ""

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class PermissionRequestDict(TypedDict):
    """The payload of PermissionRequest."""

    hook_event_name: Literal["PermissionRequest"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_call_id: str


class PermissionRequestOutput(Output):
    """The output of a PermissionRequest hook."""


class PermissionRequestOutputDict(TypedDict):
    """The output of a PermissionRequest hook."""


class PermissionResult(KimiEvent):
    """After the person has decided."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "PermissionResult"

    hook_event_name: Literal["PermissionResult"] = "PermissionResult"
    tool_name: str
    tool_input: Arguments
    tool_call_id: str = ""

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class PermissionResultDict(TypedDict):
    """The payload of PermissionResult."""

    hook_event_name: Literal["PermissionResult"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_call_id: str


class PermissionResultOutput(Output):
    """The output of a PermissionResult hook."""


class PermissionResultOutputDict(TypedDict):
    """The output of a PermissionResult hook."""


class UserPromptSubmit(KimiEvent):
    """Before a prompt of a person reaches the model."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "UserPromptSubmit"

    hook_event_name: Literal["UserPromptSubmit"] = "UserPromptSubmit"
    prompt: Any
    """A text, or a list of parts; Kimi Code gives a list."""
    is_steer: bool | None = None
    """The prompt came while the agent was working."""

    def answer(self, decision: Literal["deny"] | None = None, reason: str = "", *, context: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, context=context)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class UserPromptSubmitDict(TypedDict):
    """The payload of UserPromptSubmit."""

    hook_event_name: Literal["UserPromptSubmit"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    prompt: Any
    is_steer: NotRequired[bool]


class UserPromptSubmitOutput(Output):
    """The output of a UserPromptSubmit hook."""

    message: str | None = None
    hookSpecificOutput: UserPromptSubmitSpecific | None = None


class UserPromptSubmitOutputDict(TypedDict):
    """The output of a UserPromptSubmit hook."""

    message: NotRequired[str]
    hookSpecificOutput: NotRequired[UserPromptSubmitSpecificDict]


class UserPromptQueued(KimiEvent):
    """When a prompt waits for the end of a turn."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "UserPromptQueued"

    hook_event_name: Literal["UserPromptQueued"] = "UserPromptQueued"
    prompt_id: str = ""
    prompt: Any = ""
    queue_length: int = 1

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class UserPromptQueuedDict(TypedDict):
    """The payload of UserPromptQueued."""

    hook_event_name: Literal["UserPromptQueued"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    prompt_id: str
    prompt: Any
    queue_length: int


class UserPromptQueuedOutput(Output):
    """The output of a UserPromptQueued hook."""


class UserPromptQueuedOutputDict(TypedDict):
    """The output of a UserPromptQueued hook."""


class TurnStarted(KimiEvent):
    """When a turn starts."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "TurnStarted"

    hook_event_name: Literal["TurnStarted"] = "TurnStarted"
    turn_id: Any = ""
    origin_kind: str = ""
    origin_name: str | None = None
    prompt: Any = ""

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class TurnStartedDict(TypedDict):
    """The payload of TurnStarted."""

    hook_event_name: Literal["TurnStarted"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    turn_id: Any
    origin_kind: str
    origin_name: NotRequired[str]
    prompt: Any


class TurnStartedOutput(Output):
    """The output of a TurnStarted hook."""


class TurnStartedOutputDict(TypedDict):
    """The output of a TurnStarted hook."""


class Stop(KimiEvent):
    """When the agent wants to stop; a block makes it continue, once in a turn."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "Stop"

    hook_event_name: Literal["Stop"] = "Stop"
    stop_hook_active: bool = False

    def answer(self, *, followup: str | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(followup=followup)


class StopDict(TypedDict):
    """The payload of Stop."""

    hook_event_name: Literal["Stop"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    stop_hook_active: bool


class StopOutput(Output):
    """The output of a Stop hook."""

    message: str | None = None
    hookSpecificOutput: StopSpecific | None = None


class StopOutputDict(TypedDict):
    """The output of a Stop hook."""

    message: NotRequired[str]
    hookSpecificOutput: NotRequired[StopSpecificDict]


class StopFailure(KimiEvent):
    """When a turn ends with an error."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "StopFailure"

    hook_event_name: Literal["StopFailure"] = "StopFailure"
    error_type: str = ""
    error_message: str = ""

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class StopFailureDict(TypedDict):
    """The payload of StopFailure."""

    hook_event_name: Literal["StopFailure"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    error_type: str
    error_message: str


class StopFailureOutput(Output):
    """The output of a StopFailure hook."""


class StopFailureOutputDict(TypedDict):
    """The output of a StopFailure hook."""


class Interrupt(KimiEvent):
    """When a turn is cancelled."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "Interrupt"

    hook_event_name: Literal["Interrupt"] = "Interrupt"
    turn_id: Any = ""
    reason: str = "cancelled"

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class InterruptDict(TypedDict):
    """The payload of Interrupt."""

    hook_event_name: Literal["Interrupt"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    turn_id: Any
    reason: str


class InterruptOutput(Output):
    """The output of a Interrupt hook."""


class InterruptOutputDict(TypedDict):
    """The output of a Interrupt hook."""


class SessionStart(KimiEvent):
    """When a session starts or is resumed."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "SessionStart"

    hook_event_name: Literal["SessionStart"] = "SessionStart"
    source: Literal["startup", "resume"] | str = "startup"
    model: str | None = None
    profile: str | None = None

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SessionStartDict(TypedDict):
    """The payload of SessionStart."""

    hook_event_name: Literal["SessionStart"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    source: Literal["startup", "resume"] | str
    session_title: NotRequired[str]
    model: NotRequired[str]
    profile: NotRequired[str]


class SessionStartOutput(Output):
    """The output of a SessionStart hook."""


class SessionStartOutputDict(TypedDict):
    """The output of a SessionStart hook."""


class SessionEnd(KimiEvent):
    """When a session ends."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "SessionEnd"

    hook_event_name: Literal["SessionEnd"] = "SessionEnd"
    reason: str = "exit"

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SessionEndDict(TypedDict):
    """The payload of SessionEnd."""

    hook_event_name: Literal["SessionEnd"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    reason: str
    session_title: NotRequired[str]


class SessionEndOutput(Output):
    """The output of a SessionEnd hook."""


class SessionEndOutputDict(TypedDict):
    """The output of a SessionEnd hook."""


class SessionHeartbeat(KimiEvent):
    """Once a minute."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "SessionHeartbeat"

    hook_event_name: Literal["SessionHeartbeat"] = "SessionHeartbeat"
    uptime_ms: int = 0

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SessionHeartbeatDict(TypedDict):
    """The payload of SessionHeartbeat."""

    hook_event_name: Literal["SessionHeartbeat"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    uptime_ms: int


class SessionHeartbeatOutput(Output):
    """The output of a SessionHeartbeat hook."""


class SessionHeartbeatOutputDict(TypedDict):
    """The output of a SessionHeartbeat hook."""


class SubagentStart(KimiEvent):
    """When a subagent starts."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "SubagentStart"

    hook_event_name: Literal["SubagentStart"] = "SubagentStart"
    agent_name: str = ""
    prompt: str = ""

    @property
    def agent_type(self) -> str:
        """``agent_name`` under its neutral name, ``agent_type``."""
        return self.agent_name

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SubagentStartDict(TypedDict):
    """The payload of SubagentStart."""

    hook_event_name: Literal["SubagentStart"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    agent_name: str
    prompt: str
    session_title: NotRequired[str]


class SubagentStartOutput(Output):
    """The output of a SubagentStart hook."""


class SubagentStartOutputDict(TypedDict):
    """The output of a SubagentStart hook."""


class SubagentStop(KimiEvent):
    """When a subagent stops."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "SubagentStop"

    hook_event_name: Literal["SubagentStop"] = "SubagentStop"
    agent_name: str = ""
    response: str = ""

    @property
    def agent_type(self) -> str:
        """``agent_name`` under its neutral name, ``agent_type``."""
        return self.agent_name

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SubagentStopDict(TypedDict):
    """The payload of SubagentStop."""

    hook_event_name: Literal["SubagentStop"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    agent_name: str
    response: str
    session_title: NotRequired[str]


class SubagentStopOutput(Output):
    """The output of a SubagentStop hook."""


class SubagentStopOutputDict(TypedDict):
    """The output of a SubagentStop hook."""


class TaskStarted(KimiEvent):
    """When a background task starts."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "TaskStarted"

    hook_event_name: Literal["TaskStarted"] = "TaskStarted"
    task_id: str = ""
    kind: str = ""
    description: str = ""
    status: str = ""
    detached: bool = False
    started_at: Any = ""

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class TaskStartedDict(TypedDict):
    """The payload of TaskStarted."""

    hook_event_name: Literal["TaskStarted"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    task_id: str
    kind: str
    description: str
    status: str
    detached: bool
    started_at: Any


class TaskStartedOutput(Output):
    """The output of a TaskStarted hook."""


class TaskStartedOutputDict(TypedDict):
    """The output of a TaskStarted hook."""


class PreCompact(KimiEvent):
    """Before the history is compacted."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "PreCompact"

    hook_event_name: Literal["PreCompact"] = "PreCompact"
    trigger: Literal["auto", "manual"] | str = "auto"
    token_count: int = 0

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class PreCompactDict(TypedDict):
    """The payload of PreCompact."""

    hook_event_name: Literal["PreCompact"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    trigger: Literal["auto", "manual"] | str
    token_count: int


class PreCompactOutput(Output):
    """The output of a PreCompact hook."""


class PreCompactOutputDict(TypedDict):
    """The output of a PreCompact hook."""


class PostCompact(KimiEvent):
    """After the history was compacted."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "PostCompact"

    hook_event_name: Literal["PostCompact"] = "PostCompact"
    trigger: Literal["auto", "manual"] | str = "auto"
    estimated_token_count: int = 0

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class PostCompactDict(TypedDict):
    """The payload of PostCompact."""

    hook_event_name: Literal["PostCompact"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    trigger: Literal["auto", "manual"] | str
    estimated_token_count: int


class PostCompactOutput(Output):
    """The output of a PostCompact hook."""


class PostCompactOutputDict(TypedDict):
    """The output of a PostCompact hook."""


class Notification(KimiEvent):
    """When a background task reports."""

    SYSTEM: ClassVar[str] = "kimi"
    EVENT: ClassVar[str] = "Notification"

    hook_event_name: Literal["Notification"] = "Notification"
    sink: str = "context"
    notification_type: str = ""
    title: str | None = None
    body: str | None = None
    severity: str | None = None

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class NotificationDict(TypedDict):
    """The payload of Notification."""

    hook_event_name: Literal["Notification"]
    session_id: str
    cwd: str
    client_type: NotRequired[str]
    session_title: NotRequired[str]
    sink: str
    notification_type: str
    title: NotRequired[str]
    body: NotRequired[str]
    severity: NotRequired[str]


class NotificationOutput(Output):
    """The output of a Notification hook."""


class NotificationOutputDict(TypedDict):
    """The output of a Notification hook."""


#: Any event of the system.
AnyEvent = (
    PreToolUse
    | PostToolUse
    | PostToolUseFailure
    | PermissionRequest
    | PermissionResult
    | UserPromptSubmit
    | UserPromptQueued
    | TurnStarted
    | Stop
    | StopFailure
    | Interrupt
    | SessionStart
    | SessionEnd
    | SessionHeartbeat
    | SubagentStart
    | SubagentStop
    | TaskStarted
    | PreCompact
    | PostCompact
    | Notification
)
EVENTS: dict[str, type[AnyEvent]] = {
    PreToolUse.EVENT: PreToolUse,
    PostToolUse.EVENT: PostToolUse,
    PostToolUseFailure.EVENT: PostToolUseFailure,
    PermissionRequest.EVENT: PermissionRequest,
    PermissionResult.EVENT: PermissionResult,
    UserPromptSubmit.EVENT: UserPromptSubmit,
    UserPromptQueued.EVENT: UserPromptQueued,
    TurnStarted.EVENT: TurnStarted,
    Stop.EVENT: Stop,
    StopFailure.EVENT: StopFailure,
    Interrupt.EVENT: Interrupt,
    SessionStart.EVENT: SessionStart,
    SessionEnd.EVENT: SessionEnd,
    SessionHeartbeat.EVENT: SessionHeartbeat,
    SubagentStart.EVENT: SubagentStart,
    SubagentStop.EVENT: SubagentStop,
    TaskStarted.EVENT: TaskStarted,
    PreCompact.EVENT: PreCompact,
    PostCompact.EVENT: PostCompact,
    Notification.EVENT: Notification,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("kimi", EVENTS)
