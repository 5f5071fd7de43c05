"""Codex's events for hooks written in Python (docs/typed-hooks.md).

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
    updatedMCPToolOutput: Any | None = None


class PostToolUseSpecificDict(TypedDict):
    """Inside of PostToolUse's output."""

    hookEventName: Literal["PostToolUse"]
    additionalContext: NotRequired[str]
    updatedMCPToolOutput: NotRequired[Any]


class UserPromptSubmitSpecific(Output):
    """Inside of UserPromptSubmit's output."""

    hookEventName: Literal["UserPromptSubmit"]
    additionalContext: str | None = None


class UserPromptSubmitSpecificDict(TypedDict):
    """Inside of UserPromptSubmit's output."""

    hookEventName: Literal["UserPromptSubmit"]
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


class CodexEvent(Event):
    """The fields of every event."""

    session_id: str = ""
    transcript_path: str | None = None
    """The file of the session."""
    cwd: str = ""


class PreToolUse(CodexEvent):
    """Before a tool call."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "PreToolUse"

    turn_id: str = ""
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    hook_event_name: Literal["PreToolUse"] = "PreToolUse"
    model: str = ""
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str = "default"
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
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        user_message: str = "",
        context: str = "",
        updated_input: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision, reason=reason, user_message=user_message, context=context, updated_input=updated_input
        )

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class PreToolUseDict(TypedDict):
    """The payload of PreToolUse."""

    session_id: str
    turn_id: str
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["PreToolUse"]
    model: str
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str
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
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[PreToolUseSpecificDict],
    },
)


class PermissionRequest(CodexEvent):
    """When a person would have to approve a call."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "PermissionRequest"

    turn_id: str = ""
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    hook_event_name: Literal["PermissionRequest"] = "PermissionRequest"
    model: str = ""
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str = "default"
    tool_name: str
    tool_input: Arguments
    """Bash has command."""

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        user_message: str = "",
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, user_message=user_message, suppress_output=suppress_output)

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class PermissionRequestDict(TypedDict):
    """The payload of PermissionRequest."""

    session_id: str
    turn_id: str
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["PermissionRequest"]
    model: str
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str
    tool_name: str
    tool_input: Any


class PermissionRequestOutput(Output):
    """The output of a PermissionRequest hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    hookSpecificOutput: PermissionRequestSpecific | None = None


PermissionRequestOutputDict = TypedDict(
    "PermissionRequestOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "hookSpecificOutput": NotRequired[PermissionRequestSpecificDict],
    },
)


class PostToolUse(CodexEvent):
    """After a tool call; a block replaces its result by the reason."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "PostToolUse"

    turn_id: str = ""
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    hook_event_name: Literal["PostToolUse"] = "PostToolUse"
    model: str = ""
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str = "default"
    tool_name: str
    tool_input: Arguments
    """Bash has command."""
    tool_response: Any
    """Bash: the output as text."""
    tool_use_id: str = ""

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
        user_message: str = "",
        context: str = "",
        updated_output: Any = None,
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            user_message=user_message,
            context=context,
            updated_output=updated_output,
            suppress_output=suppress_output,
        )

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class PostToolUseDict(TypedDict):
    """The payload of PostToolUse."""

    session_id: str
    turn_id: str
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["PostToolUse"]
    model: str
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str
    tool_name: str
    tool_input: Any
    tool_response: Any
    tool_use_id: str


class PostToolUseOutput(Output):
    """The output of a PostToolUse hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
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
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[PostToolUseSpecificDict],
    },
)


class UserPromptSubmit(CodexEvent):
    """Before a prompt reaches the model."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "UserPromptSubmit"

    turn_id: str = ""
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    hook_event_name: Literal["UserPromptSubmit"] = "UserPromptSubmit"
    model: str = ""
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str = "default"
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
    turn_id: str
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["UserPromptSubmit"]
    model: str
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str
    prompt: str


class UserPromptSubmitOutput(Output):
    """The output of a UserPromptSubmit hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
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
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[UserPromptSubmitSpecificDict],
    },
)


class SessionStart(CodexEvent):
    """When a session starts, is resumed or cleared."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "SessionStart"

    hook_event_name: Literal["SessionStart"] = "SessionStart"
    model: str = ""
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str = "default"
    source: Annotated[Literal["startup", "resume", "clear", "compact", "fork"], OPEN] = "startup"

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason, halt=halt, user_message=user_message, context=context, suppress_output=suppress_output
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class SessionStartDict(TypedDict):
    """The payload of SessionStart."""

    session_id: str
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["SessionStart"]
    model: str
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str
    source: Literal["startup", "resume", "clear", "compact", "fork"]


class SessionStartOutput(Output):
    """The output of a SessionStart hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    hookSpecificOutput: SessionStartSpecific | None = None


SessionStartOutputDict = TypedDict(
    "SessionStartOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "hookSpecificOutput": NotRequired[SessionStartSpecificDict],
    },
)


class SessionEnd(CodexEvent):
    """When a session ends."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "SessionEnd"

    hook_event_name: Literal["SessionEnd"] = "SessionEnd"
    reason: str = "other"

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SessionEndDict(TypedDict):
    """The payload of SessionEnd."""

    session_id: str
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["SessionEnd"]
    reason: str


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


class Stop(CodexEvent):
    """When the agent wants to stop; a block makes it continue."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "Stop"

    turn_id: str = ""
    hook_event_name: Literal["Stop"] = "Stop"
    model: str = ""
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str = "default"
    stop_hook_active: bool = False
    """A hook has made the agent continue."""
    last_assistant_message: str | None = None

    @property
    def response(self) -> str | None:
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
    turn_id: str
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["Stop"]
    model: str
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str
    stop_hook_active: bool
    last_assistant_message: str | None


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


class SubagentStart(CodexEvent):
    """When a subagent starts."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "SubagentStart"

    turn_id: str = ""
    hook_event_name: Literal["SubagentStart"] = "SubagentStart"
    model: str = ""
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str = "default"
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
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason, halt=halt, user_message=user_message, context=context, suppress_output=suppress_output
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class SubagentStartDict(TypedDict):
    """The payload of SubagentStart."""

    session_id: str
    turn_id: str
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["SubagentStart"]
    model: str
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str
    agent_id: str
    agent_type: str


class SubagentStartOutput(Output):
    """The output of a SubagentStart hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    hookSpecificOutput: SubagentStartSpecific | None = None


SubagentStartOutputDict = TypedDict(
    "SubagentStartOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "hookSpecificOutput": NotRequired[SubagentStartSpecificDict],
    },
)


class SubagentStop(CodexEvent):
    """When a subagent wants to stop; a block makes it continue."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "SubagentStop"

    turn_id: str = ""
    hook_event_name: Literal["SubagentStop"] = "SubagentStop"
    model: str = ""
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str = "default"
    stop_hook_active: bool = False
    """A hook has made the agent continue."""
    last_assistant_message: str | None = None
    agent_id: str = ""
    agent_type: str
    agent_transcript_path: str | None = None

    @property
    def response(self) -> str | None:
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
    turn_id: str
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["SubagentStop"]
    model: str
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str
    stop_hook_active: bool
    last_assistant_message: str | None
    agent_id: str
    agent_type: str
    agent_transcript_path: str | None


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


class PreCompact(CodexEvent):
    """Before the history is compacted; a halt prevents it."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "PreCompact"

    turn_id: str = ""
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    hook_event_name: Literal["PreCompact"] = "PreCompact"
    model: str = ""
    trigger: Annotated[Literal["manual", "auto"], OPEN] = "auto"

    def answer(
        self, reason: str = "", *, halt: bool = False, user_message: str = "", suppress_output: bool | None = None
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(reason=reason, halt=halt, user_message=user_message, suppress_output=suppress_output)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PreCompactDict(TypedDict):
    """The payload of PreCompact."""

    session_id: str
    turn_id: str
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["PreCompact"]
    model: str
    trigger: Literal["manual", "auto"]


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


class PostCompact(CodexEvent):
    """After the history was compacted."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "PostCompact"

    turn_id: str = ""
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    hook_event_name: Literal["PostCompact"] = "PostCompact"
    model: str = ""
    trigger: Annotated[Literal["manual", "auto"], OPEN] = "auto"

    def answer(
        self, reason: str = "", *, halt: bool = False, user_message: str = "", suppress_output: bool | None = None
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(reason=reason, halt=halt, user_message=user_message, suppress_output=suppress_output)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PostCompactDict(TypedDict):
    """The payload of PostCompact."""

    session_id: str
    turn_id: str
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["PostCompact"]
    model: str
    trigger: Literal["manual", "auto"]


class PostCompactOutput(Output):
    """The output of a PostCompact hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None


PostCompactOutputDict = TypedDict(
    "PostCompactOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
    },
)


class Interrupt(CodexEvent):
    """When the person interrupts the agent."""

    SYSTEM: ClassVar[str] = "codex"
    EVENT: ClassVar[str] = "Interrupt"

    turn_id: str = ""
    hook_event_name: Literal["Interrupt"] = "Interrupt"
    model: str = ""
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str = "default"

    def answer(self, *, user_message: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message)


class InterruptDict(TypedDict):
    """The payload of Interrupt."""

    session_id: str
    turn_id: str
    transcript_path: str | None
    cwd: str
    hook_event_name: Literal["Interrupt"]
    model: str
    permission_mode: Literal["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] | str


class InterruptOutput(Output):
    """The output of a Interrupt hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None


InterruptOutputDict = TypedDict(
    "InterruptOutputDict",
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
    | PermissionRequest
    | PostToolUse
    | UserPromptSubmit
    | SessionStart
    | SessionEnd
    | Stop
    | SubagentStart
    | SubagentStop
    | PreCompact
    | PostCompact
    | Interrupt
)
EVENTS: dict[str, type[AnyEvent]] = {
    PreToolUse.EVENT: PreToolUse,
    PermissionRequest.EVENT: PermissionRequest,
    PostToolUse.EVENT: PostToolUse,
    UserPromptSubmit.EVENT: UserPromptSubmit,
    SessionStart.EVENT: SessionStart,
    SessionEnd.EVENT: SessionEnd,
    Stop.EVENT: Stop,
    SubagentStart.EVENT: SubagentStart,
    SubagentStop.EVENT: SubagentStop,
    PreCompact.EVENT: PreCompact,
    PostCompact.EVENT: PostCompact,
    Interrupt.EVENT: Interrupt,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("codex", EVENTS)
