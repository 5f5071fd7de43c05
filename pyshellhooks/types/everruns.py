"""Everruns's events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from . import reading
from .event import Arguments, Event, Output


class SessionStartDataDict(TypedDict):
    """Inside of session_start's input."""

    agent_id: str | None


class UserPromptSubmitDataDict(TypedDict):
    """Inside of user_prompt_submit's input."""

    message: str
    attachments: list[Any]


class PreToolUseDataDict(TypedDict):
    """Inside of pre_tool_use's input."""

    tool_name: str
    tool_call_id: str
    arguments: Any


class PostToolUseDataDict(TypedDict):
    """Inside of post_tool_use's input."""

    tool_name: str
    tool_call_id: str
    arguments: Any
    result: Any
    error: str | None
    success: bool


class TurnEndDataDict(TypedDict):
    """Inside of turn_end's input."""

    success: bool
    tool_calls: list[Any]


class SessionEndDataDict(TypedDict):
    """Inside of session_end's input."""

    reason: str


class PromptPatch(Output):
    """The prompt that the model sees."""

    message: str


class PromptPatchDict(TypedDict):
    """The prompt that the model sees."""

    message: str


class ToolPatch(Output):
    """Laid over the arguments, top-level key by key."""

    arguments: dict[str, Any]


class ToolPatchDict(TypedDict):
    """Laid over the arguments, top-level key by key."""

    arguments: dict[str, Any]


class ResultPatch(Output):
    """Replacements for parts of a tool's result."""

    result: Any = None
    error: str | None = None
    additional_context: str | None = None


class ResultPatchDict(TypedDict):
    """Replacements for parts of a tool's result."""

    result: NotRequired[Any]
    error: NotRequired[str]
    additional_context: NotRequired[str]


class EverrunsEvent(Event):
    """The fields of every event."""

    hook_id: str = ""
    """The hook's id."""
    session_id: str = ""
    turn_id: str | None = None
    org_id: str | None = None
    agent_id: str | None = None
    ts: str = ""
    """RFC 3339, UTC, milliseconds."""


class SessionStart(EverrunsEvent):
    """A session was created."""

    SYSTEM: ClassVar[str] = "everruns"
    EVENT: ClassVar[str] = "session_start"

    event: Literal["session_start"] = "session_start"

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SessionStartDict(TypedDict):
    """The payload of session_start."""

    event: Literal["session_start"]
    hook_id: str
    session_id: str
    turn_id: str | None
    org_id: str | None
    agent_id: str | None
    ts: str
    data: SessionStartDataDict


class SessionStartOutput(Output):
    """The output of a session_start hook."""

    reason: str | None = None
    user_message: str | None = None
    """For the person, when blocking."""
    decision: Literal["allow", "mutate", "block"] | None = None
    patch: dict[str, Any] | None = None


class SessionStartOutputDict(TypedDict):
    """The output of a session_start hook."""

    reason: NotRequired[str]
    user_message: NotRequired[str]
    decision: NotRequired[Literal["allow", "mutate", "block"]]
    patch: NotRequired[dict[str, Any]]


class UserPromptSubmit(EverrunsEvent):
    """A user's message was accepted, before the model reasons about it."""

    SYSTEM: ClassVar[str] = "everruns"
    EVENT: ClassVar[str] = "user_prompt_submit"

    event: Literal["user_prompt_submit"] = "user_prompt_submit"
    message: str
    attachments: list[Any] = []

    @property
    def prompt(self) -> str:
        """``message`` under its neutral name, ``prompt``."""
        return self.message

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        user_message: str = "",
        updated_input: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, user_message=user_message, updated_input=updated_input)

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class UserPromptSubmitDict(TypedDict):
    """The payload of user_prompt_submit."""

    event: Literal["user_prompt_submit"]
    hook_id: str
    session_id: str
    turn_id: str | None
    org_id: str | None
    agent_id: str | None
    ts: str
    data: UserPromptSubmitDataDict


class UserPromptSubmitOutput(Output):
    """The output of a user_prompt_submit hook."""

    reason: str | None = None
    user_message: str | None = None
    """For the person, when blocking."""
    decision: Literal["allow", "mutate", "block"] | None = None
    patch: PromptPatch | None = None


class UserPromptSubmitOutputDict(TypedDict):
    """The output of a user_prompt_submit hook."""

    reason: NotRequired[str]
    user_message: NotRequired[str]
    decision: NotRequired[Literal["allow", "mutate", "block"]]
    patch: NotRequired[PromptPatchDict]


class PreToolUse(EverrunsEvent):
    """Before each tool call."""

    SYSTEM: ClassVar[str] = "everruns"
    EVENT: ClassVar[str] = "pre_tool_use"

    event: Literal["pre_tool_use"] = "pre_tool_use"
    tool_name: str
    tool_call_id: str = ""
    arguments: Arguments
    """The model's own JSON; usually an object, and bash has commands."""

    @property
    def tool_input(self) -> Arguments:
        """``arguments`` under its neutral name, ``tool_input``."""
        return self.arguments

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        user_message: str = "",
        updated_input: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, user_message=user_message, updated_input=updated_input)

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class PreToolUseDict(TypedDict):
    """The payload of pre_tool_use."""

    event: Literal["pre_tool_use"]
    hook_id: str
    session_id: str
    turn_id: str | None
    org_id: str | None
    agent_id: str | None
    ts: str
    data: PreToolUseDataDict


class PreToolUseOutput(Output):
    """The output of a pre_tool_use hook."""

    reason: str | None = None
    user_message: str | None = None
    """For the person, when blocking."""
    decision: Literal["allow", "mutate", "block"] | None = None
    patch: ToolPatch | None = None


class PreToolUseOutputDict(TypedDict):
    """The output of a pre_tool_use hook."""

    reason: NotRequired[str]
    user_message: NotRequired[str]
    decision: NotRequired[Literal["allow", "mutate", "block"]]
    patch: NotRequired[ToolPatchDict]


class PostToolUse(EverrunsEvent):
    """After each tool call, also of one that failed or was blocked."""

    SYSTEM: ClassVar[str] = "everruns"
    EVENT: ClassVar[str] = "post_tool_use"

    event: Literal["post_tool_use"] = "post_tool_use"
    tool_name: str
    tool_call_id: str = ""
    arguments: Arguments
    """The model's own JSON; usually an object, and bash has commands."""
    result: Any = None
    error: str | None = None
    """Null if the call succeeded."""
    success: bool | None = None

    @property
    def tool_input(self) -> Arguments:
        """``arguments`` under its neutral name, ``tool_input``."""
        return self.arguments

    @property
    def tool_output(self) -> Any:
        """``result`` under its neutral name, ``tool_output``."""
        return self.result

    @property
    def tool_error(self) -> str | None:
        """``error`` under its neutral name, ``tool_error``."""
        return self.error

    def answer(self, *, context: str = "", updated_output: Any = None, tool_error: str | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(context=context, updated_output=updated_output, tool_error=tool_error)


class PostToolUseDict(TypedDict):
    """The payload of post_tool_use."""

    event: Literal["post_tool_use"]
    hook_id: str
    session_id: str
    turn_id: str | None
    org_id: str | None
    agent_id: str | None
    ts: str
    data: PostToolUseDataDict


class PostToolUseOutput(Output):
    """The output of a post_tool_use hook."""

    reason: str | None = None
    user_message: str | None = None
    """For the person, when blocking."""
    decision: Literal["allow", "mutate", "block"] | None = None
    patch: ResultPatch | None = None


class PostToolUseOutputDict(TypedDict):
    """The output of a post_tool_use hook."""

    reason: NotRequired[str]
    user_message: NotRequired[str]
    decision: NotRequired[Literal["allow", "mutate", "block"]]
    patch: NotRequired[ResultPatchDict]


class TurnEnd(EverrunsEvent):
    """A turn has ended."""

    SYSTEM: ClassVar[str] = "everruns"
    EVENT: ClassVar[str] = "turn_end"

    event: Literal["turn_end"] = "turn_end"
    success: bool | None = None
    tool_calls: list[Any] = []

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class TurnEndDict(TypedDict):
    """The payload of turn_end."""

    event: Literal["turn_end"]
    hook_id: str
    session_id: str
    turn_id: str | None
    org_id: str | None
    agent_id: str | None
    ts: str
    data: TurnEndDataDict


class TurnEndOutput(Output):
    """The output of a turn_end hook."""

    reason: str | None = None
    user_message: str | None = None
    """For the person, when blocking."""
    decision: Literal["allow", "mutate", "block"] | None = None
    patch: dict[str, Any] | None = None


class TurnEndOutputDict(TypedDict):
    """The output of a turn_end hook."""

    reason: NotRequired[str]
    user_message: NotRequired[str]
    decision: NotRequired[Literal["allow", "mutate", "block"]]
    patch: NotRequired[dict[str, Any]]


class SessionEnd(EverrunsEvent):
    """A session was closed."""

    SYSTEM: ClassVar[str] = "everruns"
    EVENT: ClassVar[str] = "session_end"

    event: Literal["session_end"] = "session_end"
    reason: str = "deleted"

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SessionEndDict(TypedDict):
    """The payload of session_end."""

    event: Literal["session_end"]
    hook_id: str
    session_id: str
    turn_id: str | None
    org_id: str | None
    agent_id: str | None
    ts: str
    data: SessionEndDataDict


class SessionEndOutput(Output):
    """The output of a session_end hook."""

    reason: str | None = None
    user_message: str | None = None
    """For the person, when blocking."""
    decision: Literal["allow", "mutate", "block"] | None = None
    patch: dict[str, Any] | None = None


class SessionEndOutputDict(TypedDict):
    """The output of a session_end hook."""

    reason: NotRequired[str]
    user_message: NotRequired[str]
    decision: NotRequired[Literal["allow", "mutate", "block"]]
    patch: NotRequired[dict[str, Any]]


#: Any event of the system.
AnyEvent = SessionStart | UserPromptSubmit | PreToolUse | PostToolUse | TurnEnd | SessionEnd
EVENTS: dict[str, type[AnyEvent]] = {
    SessionStart.EVENT: SessionStart,
    UserPromptSubmit.EVENT: UserPromptSubmit,
    PreToolUse.EVENT: PreToolUse,
    PostToolUse.EVENT: PostToolUse,
    TurnEnd.EVENT: TurnEnd,
    SessionEnd.EVENT: SessionEnd,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("everruns", EVENTS)
