"""OpenHands's events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from . import reading
from .event import Arguments, Event, Output


class OpenhandsEvent(Event):
    """The fields of every event."""

    session_id: str = ""
    working_dir: str = ""
    metadata: dict[str, Any] = {}

    @property
    def cwd(self) -> str:
        """``working_dir`` under its neutral name, ``cwd``."""
        return self.working_dir


class PreToolUse(OpenhandsEvent):
    """Before a tool call."""

    SYSTEM: ClassVar[str] = "openhands"
    EVENT: ClassVar[str] = "PreToolUse"

    event_type: Literal["PreToolUse"] = "PreToolUse"
    tool_name: str
    tool_input: Arguments
    tool_response: Any = None
    """Null on this event."""
    message: Any = None
    """Null on this event."""

    def answer(self, decision: Literal["deny"] | None = None, reason: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class PreToolUseDict(TypedDict):
    """The payload of PreToolUse."""

    event_type: Literal["PreToolUse"]
    tool_name: str
    tool_input: Any
    tool_response: Any
    message: Any
    session_id: str
    working_dir: str
    metadata: dict[str, Any]


class PreToolUseOutput(Output):
    """The output of a PreToolUse hook."""

    decision: Literal["deny"] | None = None
    reason: str | None = None


class PreToolUseOutputDict(TypedDict):
    """The output of a PreToolUse hook."""

    decision: NotRequired[Literal["deny"]]
    reason: NotRequired[str]


class PostToolUse(OpenhandsEvent):
    """After a tool call."""

    SYSTEM: ClassVar[str] = "openhands"
    EVENT: ClassVar[str] = "PostToolUse"

    event_type: Literal["PostToolUse"] = "PostToolUse"
    tool_name: str
    tool_input: Arguments
    tool_response: Any
    message: Any = None
    """Null on this event."""

    @property
    def tool_output(self) -> Any:
        """``tool_response`` under its neutral name, ``tool_output``."""
        return self.tool_response

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class PostToolUseDict(TypedDict):
    """The payload of PostToolUse."""

    event_type: Literal["PostToolUse"]
    tool_name: str
    tool_input: Any
    tool_response: Any
    message: Any
    session_id: str
    working_dir: str
    metadata: dict[str, Any]


class PostToolUseOutput(Output):
    """The output of a PostToolUse hook."""


class PostToolUseOutputDict(TypedDict):
    """The output of a PostToolUse hook."""


class UserPromptSubmit(OpenhandsEvent):
    """Before a message reaches the model."""

    SYSTEM: ClassVar[str] = "openhands"
    EVENT: ClassVar[str] = "UserPromptSubmit"

    event_type: Literal["UserPromptSubmit"] = "UserPromptSubmit"
    tool_name: Any = None
    """Null on this event."""
    tool_input: Arguments = {}
    """Null on this event."""
    tool_response: Any = None
    """Null on this event."""
    message: str

    @property
    def prompt(self) -> str:
        """``message`` under its neutral name, ``prompt``."""
        return self.message

    def answer(self, decision: Literal["deny"] | None = None, reason: str = "", *, context: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, context=context)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class UserPromptSubmitDict(TypedDict):
    """The payload of UserPromptSubmit."""

    event_type: Literal["UserPromptSubmit"]
    tool_name: Any
    tool_input: Any
    tool_response: Any
    message: str
    session_id: str
    working_dir: str
    metadata: dict[str, Any]


class UserPromptSubmitOutput(Output):
    """The output of a UserPromptSubmit hook."""

    decision: Literal["deny"] | None = None
    reason: str | None = None
    additionalContext: str | None = None


class UserPromptSubmitOutputDict(TypedDict):
    """The output of a UserPromptSubmit hook."""

    decision: NotRequired[Literal["deny"]]
    reason: NotRequired[str]
    additionalContext: NotRequired[str]


class SessionStart(OpenhandsEvent):
    """When a conversation starts."""

    SYSTEM: ClassVar[str] = "openhands"
    EVENT: ClassVar[str] = "SessionStart"

    event_type: Literal["SessionStart"] = "SessionStart"
    tool_name: Any = None
    """Null on this event."""
    tool_input: Arguments = {}
    """Null on this event."""
    tool_response: Any = None
    """Null on this event."""
    message: Any = None
    """Null on this event."""

    def answer(self, *, context: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(context=context)


class SessionStartDict(TypedDict):
    """The payload of SessionStart."""

    event_type: Literal["SessionStart"]
    tool_name: Any
    tool_input: Any
    tool_response: Any
    message: Any
    session_id: str
    working_dir: str
    metadata: dict[str, Any]


class SessionStartOutput(Output):
    """The output of a SessionStart hook."""

    additionalContext: str | None = None


class SessionStartOutputDict(TypedDict):
    """The output of a SessionStart hook."""

    additionalContext: NotRequired[str]


class SessionEnd(OpenhandsEvent):
    """When a conversation ends."""

    SYSTEM: ClassVar[str] = "openhands"
    EVENT: ClassVar[str] = "SessionEnd"

    event_type: Literal["SessionEnd"] = "SessionEnd"
    tool_name: Any = None
    """Null on this event."""
    tool_input: Arguments = {}
    """Null on this event."""
    tool_response: Any = None
    """Null on this event."""
    message: Any = None
    """Null on this event."""

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SessionEndDict(TypedDict):
    """The payload of SessionEnd."""

    event_type: Literal["SessionEnd"]
    tool_name: Any
    tool_input: Any
    tool_response: Any
    message: Any
    session_id: str
    working_dir: str
    metadata: dict[str, Any]


class SessionEndOutput(Output):
    """The output of a SessionEnd hook."""


class SessionEndOutputDict(TypedDict):
    """The output of a SessionEnd hook."""


class Stop(OpenhandsEvent):
    """When the agent wants to stop; a block makes it continue."""

    SYSTEM: ClassVar[str] = "openhands"
    EVENT: ClassVar[str] = "Stop"

    event_type: Literal["Stop"] = "Stop"
    tool_name: Any = None
    """Null on this event."""
    tool_input: Arguments = {}
    """Null on this event."""
    tool_response: Any = None
    """Null on this event."""
    message: Any = None
    """Null on this event."""

    def answer(self, *, followup: str | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(followup=followup)


class StopDict(TypedDict):
    """The payload of Stop."""

    event_type: Literal["Stop"]
    tool_name: Any
    tool_input: Any
    tool_response: Any
    message: Any
    session_id: str
    working_dir: str
    metadata: dict[str, Any]


class StopOutput(Output):
    """The output of a Stop hook."""

    decision: Literal["deny"] | None = None
    reason: str | None = None
    additionalContext: str | None = None


class StopOutputDict(TypedDict):
    """The output of a Stop hook."""

    decision: NotRequired[Literal["deny"]]
    reason: NotRequired[str]
    additionalContext: NotRequired[str]


#: Any event of the system.
AnyEvent = PreToolUse | PostToolUse | UserPromptSubmit | SessionStart | SessionEnd | Stop
EVENTS: dict[str, type[AnyEvent]] = {
    PreToolUse.EVENT: PreToolUse,
    PostToolUse.EVENT: PostToolUse,
    UserPromptSubmit.EVENT: UserPromptSubmit,
    SessionStart.EVENT: SessionStart,
    SessionEnd.EVENT: SessionEnd,
    Stop.EVENT: Stop,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("openhands", EVENTS)
