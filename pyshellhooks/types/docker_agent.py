"""Docker Agent's events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from pydantic import Field

from . import reading
from .event import OPEN, Arguments, Event, Output


class Permission(Output):
    """The fields of a pre_tool_use answer."""

    hook_event_name: str | None = None
    additional_context: str | None = None
    permission_decision: Literal["allow", "deny", "ask"] | None = None
    permission_decision_reason: str | None = None
    updated_input: dict[str, Any] | None = None
    """Replaces the whole tool_input."""


class PermissionDict(TypedDict):
    """The fields of a pre_tool_use answer."""

    hook_event_name: NotRequired[str]
    additional_context: NotRequired[str]
    permission_decision: NotRequired[Literal["allow", "deny", "ask"]]
    permission_decision_reason: NotRequired[str]
    updated_input: NotRequired[dict[str, Any]]


class Specific(Output):
    """The fields that only some events' answers have."""

    hook_event_name: str | None = None
    additional_context: str | None = None


class SpecificDict(TypedDict):
    """The fields that only some events' answers have."""

    hook_event_name: NotRequired[str]
    additional_context: NotRequired[str]


class DockerAgentEvent(Event):
    """The fields of every event."""

    session_id: str = ""
    cwd: str = ""


class PreToolUse(DockerAgentEvent):
    """Before a tool runs."""

    SYSTEM: ClassVar[str] = "docker_agent"
    EVENT: ClassVar[str] = "pre_tool_use"

    hook_event_name: Literal["pre_tool_use"] = "pre_tool_use"
    tool_name: str
    tool_use_id: str | None = ""
    tool_input: Arguments = {}
    """The model's own JSON; absent where it is empty; shell has cmd."""

    @property
    def tool_call_id(self) -> str | None:
        """``tool_use_id`` under its neutral name, ``tool_call_id``."""
        return self.tool_use_id

    def answer(
        self,
        decision: Literal["allow", "ask", "deny"] | None = None,
        reason: str = "",
        *,
        user_message: str = "",
        context: str = "",
        updated_input: dict[str, Any] | None = None,
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
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


class PreToolUseDict(TypedDict):
    """The payload of pre_tool_use."""

    session_id: str
    cwd: str
    hook_event_name: Literal["pre_tool_use"]
    tool_name: NotRequired[str]
    tool_use_id: NotRequired[str]
    tool_input: NotRequired[Any]


class PreToolUseOutput(Output):
    """The output of a pre_tool_use hook."""

    suppress_output: bool | None = None
    """Hides its stdout from the transcript."""
    system_message: str | None = None
    """Shown to the user."""
    hook_specific_output: Permission | None = None
    continue_: bool | None = Field(default=None, alias="continue")
    """False blocks the call."""
    stop_reason: str | None = None
    decision: Literal["block"] | None = None
    reason: str | None = None


PreToolUseOutputDict = TypedDict(
    "PreToolUseOutputDict",
    {
        "suppress_output": NotRequired[bool],
        "system_message": NotRequired[str],
        "hook_specific_output": NotRequired[PermissionDict],
        "continue": NotRequired[bool],
        "stop_reason": NotRequired[str],
        "decision": NotRequired[Literal["block"]],
        "reason": NotRequired[str],
    },
)


class PostToolUse(DockerAgentEvent):
    """After a tool has succeeded."""

    SYSTEM: ClassVar[str] = "docker_agent"
    EVENT: ClassVar[str] = "post_tool_use"

    hook_event_name: Literal["post_tool_use"] = "post_tool_use"
    tool_name: str
    tool_use_id: str | None = ""
    tool_input: Arguments = {}
    """The model's own JSON; absent where it is empty; shell has cmd."""
    tool_response: Any | None = None
    """The tool's output."""

    @property
    def tool_call_id(self) -> str | None:
        """``tool_use_id`` under its neutral name, ``tool_call_id``."""
        return self.tool_use_id

    @property
    def tool_output(self) -> Any | None:
        """``tool_response`` under its neutral name, ``tool_output``."""
        return self.tool_response

    def answer(self, *, user_message: str = "", context: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, context=context, suppress_output=suppress_output)


class PostToolUseDict(TypedDict):
    """The payload of post_tool_use."""

    session_id: str
    cwd: str
    hook_event_name: Literal["post_tool_use"]
    tool_name: NotRequired[str]
    tool_use_id: NotRequired[str]
    tool_input: NotRequired[Any]
    tool_response: NotRequired[Any]


class PostToolUseOutput(Output):
    """The output of a post_tool_use hook."""

    suppress_output: bool | None = None
    """Hides its stdout from the transcript."""
    system_message: str | None = None
    """Shown to the user."""
    hook_specific_output: Specific | None = None


class PostToolUseOutputDict(TypedDict):
    """The output of a post_tool_use hook."""

    suppress_output: NotRequired[bool]
    system_message: NotRequired[str]
    hook_specific_output: NotRequired[SpecificDict]


class SessionStart(DockerAgentEvent):
    """When a session begins or resumes."""

    SYSTEM: ClassVar[str] = "docker_agent"
    EVENT: ClassVar[str] = "session_start"

    hook_event_name: Literal["session_start"] = "session_start"
    source: Annotated[Literal["startup", "resume", "clear", "compact"] | None, OPEN] = "startup"

    def answer(self, *, user_message: str = "", context: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, context=context, suppress_output=suppress_output)


class SessionStartDict(TypedDict):
    """The payload of session_start."""

    session_id: str
    cwd: str
    hook_event_name: Literal["session_start"]
    source: NotRequired[Literal["startup", "resume", "clear", "compact"]]


class SessionStartOutput(Output):
    """The output of a session_start hook."""

    suppress_output: bool | None = None
    """Hides its stdout from the transcript."""
    system_message: str | None = None
    """Shown to the user."""
    hook_specific_output: Specific | None = None


class SessionStartOutputDict(TypedDict):
    """The output of a session_start hook."""

    suppress_output: NotRequired[bool]
    system_message: NotRequired[str]
    hook_specific_output: NotRequired[SpecificDict]


class SessionEnd(DockerAgentEvent):
    """When a session ends, also by an interrupt."""

    SYSTEM: ClassVar[str] = "docker_agent"
    EVENT: ClassVar[str] = "session_end"

    hook_event_name: Literal["session_end"] = "session_end"
    reason: Annotated[Literal["clear", "logout", "prompt_input_exit", "other"] | None, OPEN] = "other"

    def answer(self, *, user_message: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output)


class SessionEndDict(TypedDict):
    """The payload of session_end."""

    session_id: str
    cwd: str
    hook_event_name: Literal["session_end"]
    reason: NotRequired[Literal["clear", "logout", "prompt_input_exit", "other"]]


class SessionEndOutput(Output):
    """The output of a session_end hook."""

    suppress_output: bool | None = None
    """Hides its stdout from the transcript."""
    system_message: str | None = None
    """Shown to the user."""
    hook_specific_output: Specific | None = None


class SessionEndOutputDict(TypedDict):
    """The output of a session_end hook."""

    suppress_output: NotRequired[bool]
    system_message: NotRequired[str]
    hook_specific_output: NotRequired[SpecificDict]


class OnUserInput(DockerAgentEvent):
    """When the agent waits for the user."""

    SYSTEM: ClassVar[str] = "docker_agent"
    EVENT: ClassVar[str] = "on_user_input"

    hook_event_name: Literal["on_user_input"] = "on_user_input"

    def answer(self, *, user_message: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output)


class OnUserInputDict(TypedDict):
    """The payload of on_user_input."""

    session_id: str
    cwd: str
    hook_event_name: Literal["on_user_input"]


class OnUserInputOutput(Output):
    """The output of a on_user_input hook."""

    suppress_output: bool | None = None
    """Hides its stdout from the transcript."""
    system_message: str | None = None
    """Shown to the user."""
    hook_specific_output: Specific | None = None


class OnUserInputOutputDict(TypedDict):
    """The output of a on_user_input hook."""

    suppress_output: NotRequired[bool]
    system_message: NotRequired[str]
    hook_specific_output: NotRequired[SpecificDict]


class Stop(DockerAgentEvent):
    """When the model has finished its answer."""

    SYSTEM: ClassVar[str] = "docker_agent"
    EVENT: ClassVar[str] = "stop"

    hook_event_name: Literal["stop"] = "stop"
    stop_response: str | None = ""
    """The model's answer."""

    @property
    def response(self) -> str | None:
        """``stop_response`` under its neutral name, ``response``."""
        return self.stop_response

    def answer(self, *, user_message: str = "", context: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, context=context, suppress_output=suppress_output)


class StopDict(TypedDict):
    """The payload of stop."""

    session_id: str
    cwd: str
    hook_event_name: Literal["stop"]
    stop_response: NotRequired[str]


class StopOutput(Output):
    """The output of a stop hook."""

    suppress_output: bool | None = None
    """Hides its stdout from the transcript."""
    system_message: str | None = None
    """Shown to the user."""
    hook_specific_output: Specific | None = None


class StopOutputDict(TypedDict):
    """The output of a stop hook."""

    suppress_output: NotRequired[bool]
    system_message: NotRequired[str]
    hook_specific_output: NotRequired[SpecificDict]


class Notification(DockerAgentEvent):
    """When the agent warns or reports an error."""

    SYSTEM: ClassVar[str] = "docker_agent"
    EVENT: ClassVar[str] = "notification"

    hook_event_name: Literal["notification"] = "notification"
    notification_level: Annotated[Literal["error", "warning"] | None, OPEN] = "warning"
    notification_message: str

    @property
    def level(self) -> Annotated[Literal["error", "warning"] | None, OPEN]:
        """``notification_level`` under its neutral name, ``level``."""
        return self.notification_level

    @property
    def message(self) -> str:
        """``notification_message`` under its neutral name, ``message``."""
        return self.notification_message

    def answer(self, *, user_message: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output)


class NotificationDict(TypedDict):
    """The payload of notification."""

    session_id: str
    cwd: str
    hook_event_name: Literal["notification"]
    notification_level: NotRequired[Literal["error", "warning"]]
    notification_message: NotRequired[str]


class NotificationOutput(Output):
    """The output of a notification hook."""

    suppress_output: bool | None = None
    """Hides its stdout from the transcript."""
    system_message: str | None = None
    """Shown to the user."""
    hook_specific_output: Specific | None = None


class NotificationOutputDict(TypedDict):
    """The output of a notification hook."""

    suppress_output: NotRequired[bool]
    system_message: NotRequired[str]
    hook_specific_output: NotRequired[SpecificDict]


#: Any event of the system.
AnyEvent = PreToolUse | PostToolUse | SessionStart | SessionEnd | OnUserInput | Stop | Notification
EVENTS: dict[str, type[AnyEvent]] = {
    PreToolUse.EVENT: PreToolUse,
    PostToolUse.EVENT: PostToolUse,
    SessionStart.EVENT: SessionStart,
    SessionEnd.EVENT: SessionEnd,
    OnUserInput.EVENT: OnUserInput,
    Stop.EVENT: Stop,
    Notification.EVENT: Notification,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("docker_agent", EVENTS)
