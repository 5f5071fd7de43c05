"""Copilot's events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from . import reading
from .event import OPEN, Arguments, Event, Output


class CopilotEvent(Event):
    """The fields of every event."""

    sessionId: str = ""
    timestamp: float = 0
    """Milliseconds; a text under PascalCase."""
    cwd: str = ""

    @property
    def session_id(self) -> str:
        """``sessionId`` under its neutral name, ``session_id``."""
        return self.sessionId


class SessionStart(CopilotEvent):
    """When a session starts or is resumed."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "sessionStart"

    source: Literal["new", "startup", "resume"] | str = "new"
    initialPrompt: str | None = None

    @property
    def initial_prompt(self) -> str | None:
        """``initialPrompt`` under its neutral name, ``initial_prompt``."""
        return self.initialPrompt

    def answer(self, *, context: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(context=context)


class SessionStartDict(TypedDict):
    """The payload of sessionStart."""

    sessionId: str
    timestamp: float
    cwd: str
    source: Literal["new", "startup", "resume"] | str
    initialPrompt: NotRequired[str]


class SessionStartOutput(Output):
    """The output of a sessionStart hook."""

    additionalContext: str | None = None


class SessionStartOutputDict(TypedDict):
    """The output of a sessionStart hook."""

    additionalContext: NotRequired[str]


class UserPromptSubmitted(CopilotEvent):
    """Before a prompt reaches the model."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "userPromptSubmitted"

    prompt: str

    def answer(self, decision: Literal["deny"] | None = None, reason: str = "", *, context: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, context=context)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class UserPromptSubmittedDict(TypedDict):
    """The payload of userPromptSubmitted."""

    sessionId: str
    timestamp: float
    cwd: str
    prompt: str


class UserPromptSubmittedOutput(Output):
    """The output of a userPromptSubmitted hook."""

    additionalContext: str | None = None
    handled: bool | None = None
    responseContent: str | None = None
    decision: Literal["block"] | None = None
    reason: str | None = None


class UserPromptSubmittedOutputDict(TypedDict):
    """The output of a userPromptSubmitted hook."""

    additionalContext: NotRequired[str]
    handled: NotRequired[bool]
    responseContent: NotRequired[str]
    decision: NotRequired[Literal["block"]]
    reason: NotRequired[str]


class UserPromptTransformed(CopilotEvent):
    """After Copilot has added its own texts to a prompt."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "userPromptTransformed"

    prompt: str
    transformedPrompt: str

    @property
    def transformed_prompt(self) -> str:
        """``transformedPrompt`` under its neutral name, ``transformed_prompt``."""
        return self.transformedPrompt

    def answer(self, *, updated_input: str | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(updated_input=updated_input)


class UserPromptTransformedDict(TypedDict):
    """The payload of userPromptTransformed."""

    sessionId: str
    timestamp: float
    cwd: str
    prompt: str
    transformedPrompt: str


class UserPromptTransformedOutput(Output):
    """The output of a userPromptTransformed hook."""

    modifiedTransformedPrompt: str | None = None


class UserPromptTransformedOutputDict(TypedDict):
    """The output of a userPromptTransformed hook."""

    modifiedTransformedPrompt: NotRequired[str]


class PreToolUse(CopilotEvent):
    """Before a tool call."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "preToolUse"

    toolName: str
    toolArgs: Arguments
    """Bash has command."""
    toolUseId: str | None = None
    """In VS Code only."""

    @property
    def tool_name(self) -> str:
        """``toolName`` under its neutral name, ``tool_name``."""
        return self.toolName

    @property
    def tool_input(self) -> Arguments:
        """``toolArgs`` under its neutral name, ``tool_input``."""
        return self.toolArgs

    @property
    def tool_call_id(self) -> str | None:
        """``toolUseId`` under its neutral name, ``tool_call_id``."""
        return self.toolUseId

    def answer(
        self,
        decision: Literal["allow", "ask", "deny"] | None = None,
        reason: str = "",
        *,
        context: str = "",
        updated_input: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, context=context, updated_input=updated_input)

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
    """The payload of preToolUse."""

    sessionId: str
    timestamp: float
    cwd: str
    toolName: str
    toolArgs: Any
    toolUseId: NotRequired[str]


class PreToolUseOutput(Output):
    """The output of a preToolUse hook."""

    additionalContext: str | None = None
    modifiedArgs: dict[str, Any] | None = None
    permissionDecision: Literal["allow", "deny", "ask"] | None = None
    permissionDecisionReason: str | None = None


class PreToolUseOutputDict(TypedDict):
    """The output of a preToolUse hook."""

    additionalContext: NotRequired[str]
    modifiedArgs: NotRequired[dict[str, Any]]
    permissionDecision: NotRequired[Literal["allow", "deny", "ask"]]
    permissionDecisionReason: NotRequired[str]


class PermissionRequest(CopilotEvent):
    """When a person would have to approve a call."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "permissionRequest"

    hookName: str = "permissionRequest"
    toolName: str
    toolInput: Arguments
    permissionSuggestions: list[Any] = []

    @property
    def hook_name(self) -> str:
        """``hookName`` under its neutral name, ``hook_name``."""
        return self.hookName

    @property
    def tool_name(self) -> str:
        """``toolName`` under its neutral name, ``tool_name``."""
        return self.toolName

    @property
    def tool_input(self) -> Arguments:
        """``toolInput`` under its neutral name, ``tool_input``."""
        return self.toolInput

    @property
    def permission_suggestions(self) -> list[Any]:
        """``permissionSuggestions`` under its neutral name, ``permission_suggestions``."""
        return self.permissionSuggestions

    def answer(
        self, decision: Literal["allow", "deny"] | None = None, reason: str = "", *, halt: bool = False
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, halt=halt)

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
    """The payload of permissionRequest."""

    hookName: str
    sessionId: str
    timestamp: float
    cwd: str
    toolName: str
    toolInput: Any
    permissionSuggestions: list[Any]


class PermissionRequestOutput(Output):
    """The output of a permissionRequest hook."""

    behavior: Literal["allow", "deny"] | None = None
    interrupt: bool | None = None
    message: str | None = None


class PermissionRequestOutputDict(TypedDict):
    """The output of a permissionRequest hook."""

    behavior: NotRequired[Literal["allow", "deny"]]
    interrupt: NotRequired[bool]
    message: NotRequired[str]


class PostToolUse(CopilotEvent):
    """After a tool call; a block replaces its result by the reason."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "postToolUse"

    toolName: str
    toolArgs: Arguments
    """Bash has command."""
    toolResult: Any
    toolUseId: str | None = None
    """In VS Code only."""

    @property
    def tool_name(self) -> str:
        """``toolName`` under its neutral name, ``tool_name``."""
        return self.toolName

    @property
    def tool_input(self) -> Arguments:
        """``toolArgs`` under its neutral name, ``tool_input``."""
        return self.toolArgs

    @property
    def tool_output(self) -> Any:
        """``toolResult`` under its neutral name, ``tool_output``."""
        return self.toolResult

    @property
    def tool_call_id(self) -> str | None:
        """``toolUseId`` under its neutral name, ``tool_call_id``."""
        return self.toolUseId

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        context: str = "",
        updated_output: Any = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, context=context, updated_output=updated_output)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class PostToolUseDict(TypedDict):
    """The payload of postToolUse."""

    sessionId: str
    timestamp: float
    cwd: str
    toolName: str
    toolArgs: Any
    toolResult: Any
    toolUseId: NotRequired[str]


class PostToolUseOutput(Output):
    """The output of a postToolUse hook."""

    additionalContext: str | None = None
    modifiedResult: dict[str, Any] | None = None
    decision: Literal["block"] | None = None
    reason: str | None = None


class PostToolUseOutputDict(TypedDict):
    """The output of a postToolUse hook."""

    additionalContext: NotRequired[str]
    modifiedResult: NotRequired[dict[str, Any]]
    decision: NotRequired[Literal["block"]]
    reason: NotRequired[str]


class PostToolUseFailure(CopilotEvent):
    """After a tool call that failed."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "postToolUseFailure"

    toolName: str
    toolArgs: Arguments
    """Bash has command."""
    error: str

    @property
    def tool_name(self) -> str:
        """``toolName`` under its neutral name, ``tool_name``."""
        return self.toolName

    @property
    def tool_input(self) -> Arguments:
        """``toolArgs`` under its neutral name, ``tool_input``."""
        return self.toolArgs

    @property
    def tool_error(self) -> str:
        """``error`` under its neutral name, ``tool_error``."""
        return self.error

    def answer(self, *, context: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(context=context)


class PostToolUseFailureDict(TypedDict):
    """The payload of postToolUseFailure."""

    sessionId: str
    timestamp: float
    cwd: str
    toolName: str
    toolArgs: Any
    error: str


class PostToolUseFailureOutput(Output):
    """The output of a postToolUseFailure hook."""

    additionalContext: str | None = None


class PostToolUseFailureOutputDict(TypedDict):
    """The output of a postToolUseFailure hook."""

    additionalContext: NotRequired[str]


class AgentStop(CopilotEvent):
    """When the agent wants to stop; a block makes it continue."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "agentStop"

    transcriptPath: str = ""
    """The file of the session."""
    stopReason: str = "end_turn"
    stop_hook_active: bool = False

    @property
    def transcript_path(self) -> str:
        """``transcriptPath`` under its neutral name, ``transcript_path``."""
        return self.transcriptPath

    @property
    def stop_reason(self) -> str:
        """``stopReason`` under its neutral name, ``stop_reason``."""
        return self.stopReason

    def answer(self, *, followup: str | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(followup=followup)


class AgentStopDict(TypedDict):
    """The payload of agentStop."""

    sessionId: str
    timestamp: float
    cwd: str
    transcriptPath: str
    stopReason: str
    stop_hook_active: bool


class AgentStopOutput(Output):
    """The output of a agentStop hook."""

    decision: Literal["block"] | None = None
    reason: str | None = None


class AgentStopOutputDict(TypedDict):
    """The output of a agentStop hook."""

    decision: NotRequired[Literal["block"]]
    reason: NotRequired[str]


class SubagentStart(CopilotEvent):
    """When a subagent starts."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "subagentStart"

    transcriptPath: str = ""
    """The file of the session."""
    agentName: str
    agentDisplayName: str | None = None
    agentDescription: str | None = None

    @property
    def transcript_path(self) -> str:
        """``transcriptPath`` under its neutral name, ``transcript_path``."""
        return self.transcriptPath

    @property
    def agent_type(self) -> str:
        """``agentName`` under its neutral name, ``agent_type``."""
        return self.agentName

    @property
    def agent_display_name(self) -> str | None:
        """``agentDisplayName`` under its neutral name, ``agent_display_name``."""
        return self.agentDisplayName

    @property
    def agent_description(self) -> str | None:
        """``agentDescription`` under its neutral name, ``agent_description``."""
        return self.agentDescription

    def answer(self, *, context: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(context=context)


class SubagentStartDict(TypedDict):
    """The payload of subagentStart."""

    sessionId: str
    timestamp: float
    cwd: str
    transcriptPath: str
    agentName: str
    agentDisplayName: NotRequired[str]
    agentDescription: NotRequired[str]


class SubagentStartOutput(Output):
    """The output of a subagentStart hook."""

    additionalContext: str | None = None


class SubagentStartOutputDict(TypedDict):
    """The output of a subagentStart hook."""

    additionalContext: NotRequired[str]


class SubagentStop(CopilotEvent):
    """When a subagent wants to stop; a block makes it continue."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "subagentStop"

    transcriptPath: str = ""
    """The file of the session."""
    agentName: str = ""
    agentDisplayName: str | None = None
    agentDescription: str | None = None
    agentId: str = ""
    agentType: str = ""
    response: str = ""
    stopReason: str = "end_turn"

    @property
    def transcript_path(self) -> str:
        """``transcriptPath`` under its neutral name, ``transcript_path``."""
        return self.transcriptPath

    @property
    def agent_name(self) -> str:
        """``agentName`` under its neutral name, ``agent_name``."""
        return self.agentName

    @property
    def agent_display_name(self) -> str | None:
        """``agentDisplayName`` under its neutral name, ``agent_display_name``."""
        return self.agentDisplayName

    @property
    def agent_description(self) -> str | None:
        """``agentDescription`` under its neutral name, ``agent_description``."""
        return self.agentDescription

    @property
    def agent_id(self) -> str:
        """``agentId`` under its neutral name, ``agent_id``."""
        return self.agentId

    @property
    def agent_type(self) -> str:
        """``agentType`` under its neutral name, ``agent_type``."""
        return self.agentType

    @property
    def stop_reason(self) -> str:
        """``stopReason`` under its neutral name, ``stop_reason``."""
        return self.stopReason

    def answer(self, *, updated_output: Any = None, followup: str | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(updated_output=updated_output, followup=followup)


class SubagentStopDict(TypedDict):
    """The payload of subagentStop."""

    sessionId: str
    timestamp: float
    cwd: str
    transcriptPath: str
    agentName: str
    agentDisplayName: NotRequired[str]
    agentDescription: NotRequired[str]
    agentId: str
    agentType: str
    response: str
    stopReason: str


class SubagentStopOutput(Output):
    """The output of a subagentStop hook."""

    modifiedResponse: str | None = None
    decision: Literal["block"] | None = None
    reason: str | None = None


class SubagentStopOutputDict(TypedDict):
    """The output of a subagentStop hook."""

    modifiedResponse: NotRequired[str]
    decision: NotRequired[Literal["block"]]
    reason: NotRequired[str]


class PreCompact(CopilotEvent):
    """Before the history is compacted."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "preCompact"

    transcriptPath: str = ""
    """The file of the session."""
    trigger: Annotated[Literal["manual", "auto"], OPEN] = "auto"
    customInstructions: str = ""

    @property
    def transcript_path(self) -> str:
        """``transcriptPath`` under its neutral name, ``transcript_path``."""
        return self.transcriptPath

    @property
    def custom_instructions(self) -> str:
        """``customInstructions`` under its neutral name, ``custom_instructions``."""
        return self.customInstructions

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class PreCompactDict(TypedDict):
    """The payload of preCompact."""

    sessionId: str
    timestamp: float
    cwd: str
    transcriptPath: str
    trigger: Literal["manual", "auto"]
    customInstructions: str


class PreCompactOutput(Output):
    """The output of a preCompact hook."""


class PreCompactOutputDict(TypedDict):
    """The output of a preCompact hook."""


class ErrorOccurred(CopilotEvent):
    """After an error."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "errorOccurred"

    error: dict[str, Any]
    errorContext: str = ""
    recoverable: bool = False

    @property
    def error_context(self) -> str:
        """``errorContext`` under its neutral name, ``error_context``."""
        return self.errorContext

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class ErrorOccurredDict(TypedDict):
    """The payload of errorOccurred."""

    sessionId: str
    timestamp: float
    cwd: str
    error: dict[str, Any]
    errorContext: str
    recoverable: bool


class ErrorOccurredOutput(Output):
    """The output of a errorOccurred hook."""


class ErrorOccurredOutputDict(TypedDict):
    """The output of a errorOccurred hook."""


class Notification(CopilotEvent):
    """When Copilot notifies the person."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "notification"

    hook_event_name: str = "notification"
    message: str
    title: str | None = None
    notification_type: str = ""

    def answer(self, *, context: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(context=context)


class NotificationDict(TypedDict):
    """The payload of notification."""

    sessionId: str
    timestamp: float
    cwd: str
    hook_event_name: str
    message: str
    title: NotRequired[str]
    notification_type: str


class NotificationOutput(Output):
    """The output of a notification hook."""

    additionalContext: str | None = None


class NotificationOutputDict(TypedDict):
    """The output of a notification hook."""

    additionalContext: NotRequired[str]


class SessionEnd(CopilotEvent):
    """When a session ends."""

    SYSTEM: ClassVar[str] = "copilot"
    EVENT: ClassVar[str] = "sessionEnd"

    reason: Literal["complete", "error", "abort", "timeout", "user_exit"] | str = "complete"

    def answer(self) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer()


class SessionEndDict(TypedDict):
    """The payload of sessionEnd."""

    sessionId: str
    timestamp: float
    cwd: str
    reason: Literal["complete", "error", "abort", "timeout", "user_exit"] | str


class SessionEndOutput(Output):
    """The output of a sessionEnd hook."""


class SessionEndOutputDict(TypedDict):
    """The output of a sessionEnd hook."""


#: Any event of the system.
AnyEvent = (
    SessionStart
    | UserPromptSubmitted
    | UserPromptTransformed
    | PreToolUse
    | PermissionRequest
    | PostToolUse
    | PostToolUseFailure
    | AgentStop
    | SubagentStart
    | SubagentStop
    | PreCompact
    | ErrorOccurred
    | Notification
    | SessionEnd
)
EVENTS: dict[str, type[AnyEvent]] = {
    SessionStart.EVENT: SessionStart,
    UserPromptSubmitted.EVENT: UserPromptSubmitted,
    UserPromptTransformed.EVENT: UserPromptTransformed,
    PreToolUse.EVENT: PreToolUse,
    PermissionRequest.EVENT: PermissionRequest,
    PostToolUse.EVENT: PostToolUse,
    PostToolUseFailure.EVENT: PostToolUseFailure,
    AgentStop.EVENT: AgentStop,
    SubagentStart.EVENT: SubagentStart,
    SubagentStop.EVENT: SubagentStop,
    PreCompact.EVENT: PreCompact,
    ErrorOccurred.EVENT: ErrorOccurred,
    Notification.EVENT: Notification,
    SessionEnd.EVENT: SessionEnd,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("copilot", EVENTS)
