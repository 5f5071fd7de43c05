"""Gemini CLI's events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from pydantic import Field

from . import reading
from .event import OPEN, Arguments, Event, Output, Part


class ToolResponse(Part):
    """A tool's result."""

    llmContent: Any = None
    returnDisplay: Any = None
    error: Any = None


class ToolResponseDict(TypedDict):
    """A tool's result."""

    llmContent: NotRequired[Any]
    returnDisplay: NotRequired[Any]
    error: NotRequired[Any]


class Message(Part):
    """A message of a request; text only."""

    role: Literal["user", "model", "system"]
    content: str


class MessageDict(TypedDict):
    """A message of a request; text only."""

    role: Literal["user", "model", "system"]
    content: str


class ToolConfig(Part):
    """The tools that a model may call."""

    mode: Literal["AUTO", "ANY", "NONE"] | None = None
    allowedFunctionNames: list[str] | None = None


class ToolConfigDict(TypedDict):
    """The tools that a model may call."""

    mode: NotRequired[Literal["AUTO", "ANY", "NONE"]]
    allowedFunctionNames: NotRequired[list[str]]


class LLMRequest(Part):
    """A request to a model."""

    model: str
    messages: list[Message]
    config: dict[str, Any] = {}
    """Temperature, maxOutputTokens, topP, topK."""
    toolConfig: ToolConfig | None = None


class LLMRequestDict(TypedDict):
    """A request to a model."""

    model: str
    messages: list[MessageDict]
    config: NotRequired[dict[str, Any]]
    toolConfig: NotRequired[ToolConfigDict]


class Content(Part):
    """The content of a model's answer."""

    role: Literal["model"] = "model"
    parts: list[str]


class ContentDict(TypedDict):
    """The content of a model's answer."""

    role: NotRequired[Literal["model"]]
    parts: list[str]


class Candidate(Part):
    """One answer of several."""

    content: Content
    finishReason: str | None = None
    index: int | None = None
    safetyRatings: list[dict[str, str]] | None = None


class CandidateDict(TypedDict):
    """One answer of several."""

    content: ContentDict
    finishReason: NotRequired[str]
    index: NotRequired[int]
    safetyRatings: NotRequired[list[dict[str, str]]]


class Usage(Part):
    """Tokens."""

    promptTokenCount: int | None = None
    candidatesTokenCount: int | None = None
    totalTokenCount: int | None = None


class UsageDict(TypedDict):
    """Tokens."""

    promptTokenCount: NotRequired[int]
    candidatesTokenCount: NotRequired[int]
    totalTokenCount: NotRequired[int]


class LLMResponse(Part):
    """A model's answer, or a chunk of it."""

    text: str | None = None
    candidates: list[Candidate]
    usageMetadata: Usage | None = None


class LLMResponseDict(TypedDict):
    """A model's answer, or a chunk of it."""

    text: NotRequired[str]
    candidates: list[CandidateDict]
    usageMetadata: NotRequired[UsageDict]


class ToolPatch(Output):
    """Changed arguments."""

    hookEventName: str | None = None
    """The event; it has no effect."""
    tool_input: dict[str, Any] | None = None
    """Laid over the arguments key by key."""


class ToolPatchDict(TypedDict):
    """Changed arguments."""

    hookEventName: NotRequired[str]
    tool_input: NotRequired[dict[str, Any]]


class TailCall(Output):
    """Another tool to run; its result replaces this one."""

    name: str
    args: dict[str, Any]


class TailCallDict(TypedDict):
    """Another tool to run; its result replaces this one."""

    name: str
    args: dict[str, Any]


class AfterToolSpecific(Output):
    """Text for the model, and a tool to run next."""

    hookEventName: str | None = None
    """The event; it has no effect."""
    additionalContext: str | None = None
    tailToolCallRequest: TailCall | None = None


class AfterToolSpecificDict(TypedDict):
    """Text for the model, and a tool to run next."""

    hookEventName: NotRequired[str]
    additionalContext: NotRequired[str]
    tailToolCallRequest: NotRequired[TailCallDict]


class ContextOnly(Output):
    """Text for the model."""

    hookEventName: str | None = None
    """The event; it has no effect."""
    additionalContext: str | None = None


class ContextOnlyDict(TypedDict):
    """Text for the model."""

    hookEventName: NotRequired[str]
    additionalContext: NotRequired[str]


class AfterAgentSpecific(Output):
    """The treatment of the history."""

    hookEventName: str | None = None
    """The event; it has no effect."""
    clearContext: bool | None = None


class AfterAgentSpecificDict(TypedDict):
    """The treatment of the history."""

    hookEventName: NotRequired[str]
    clearContext: NotRequired[bool]


class BeforeModelSpecific(Output):
    """Another request, or an answer instead of the model's."""

    hookEventName: str | None = None
    """The event; it has no effect."""
    llm_request: dict[str, Any] | None = None
    """Parts of the request that are overridden."""
    llm_response: LLMResponse | None = None
    """Used instead of the model's response."""


class BeforeModelSpecificDict(TypedDict):
    """Another request, or an answer instead of the model's."""

    hookEventName: NotRequired[str]
    llm_request: NotRequired[dict[str, Any]]
    llm_response: NotRequired[LLMResponseDict]


class SelectionSpecific(Output):
    """A choice of tools."""

    hookEventName: str | None = None
    """The event; it has no effect."""
    toolConfig: ToolConfig | None = None


class SelectionSpecificDict(TypedDict):
    """A choice of tools."""

    hookEventName: NotRequired[str]
    toolConfig: NotRequired[ToolConfigDict]


class AfterModelSpecific(Output):
    """Another chunk."""

    hookEventName: str | None = None
    """The event; it has no effect."""
    llm_response: LLMResponse | None = None


class AfterModelSpecificDict(TypedDict):
    """Another chunk."""

    hookEventName: NotRequired[str]
    llm_response: NotRequired[LLMResponseDict]


class GeminiEvent(Event):
    """The fields of every event."""

    session_id: str = ""
    transcript_path: str = ""
    """Empty if there is none."""
    cwd: str = ""
    timestamp: str = ""
    """YYYY-MM-DDTHH:MM:SS.mmmZ."""


class BeforeTool(GeminiEvent):
    """Before a tool runs."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "BeforeTool"

    hook_event_name: Literal["BeforeTool"] = "BeforeTool"
    tool_name: str
    tool_input: Arguments
    """The arguments; run_shell_command has command."""
    mcp_context: dict[str, Any] | None = None
    """For a tool of an MCP server: server_name, tool_name and its connection."""
    original_request_name: str | None = None
    """The tool that requested this one."""

    def answer(
        self,
        decision: Literal["allow", "ask", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        updated_input: dict[str, Any] | None = None,
        suppress_output: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
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


class BeforeToolDict(TypedDict):
    """The payload of BeforeTool."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["BeforeTool"]
    timestamp: str
    tool_name: str
    tool_input: Any
    mcp_context: NotRequired[dict[str, Any]]
    original_request_name: NotRequired[str]


class BeforeToolOutput(Output):
    """The output of a BeforeTool hook."""

    systemMessage: str | None = None
    """Shown to the user."""
    suppressOutput: bool | None = None
    decision: Literal["allow", "deny", "block", "ask"] | None = None
    reason: str | None = None
    continue_: bool | None = Field(default=None, alias="continue")
    """False ends the agent loop."""
    stopReason: str | None = None
    hookSpecificOutput: ToolPatch | None = None


BeforeToolOutputDict = TypedDict(
    "BeforeToolOutputDict",
    {
        "systemMessage": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "decision": NotRequired[Literal["allow", "deny", "block", "ask"]],
        "reason": NotRequired[str],
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "hookSpecificOutput": NotRequired[ToolPatchDict],
    },
)


class AfterTool(GeminiEvent):
    """After a tool ran; a deny replaces its result by the reason."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "AfterTool"

    hook_event_name: Literal["AfterTool"] = "AfterTool"
    tool_name: str
    tool_input: Arguments
    """The arguments; run_shell_command has command."""
    tool_response: ToolResponse
    mcp_context: dict[str, Any] | None = None
    """For a tool of an MCP server: server_name, tool_name and its connection."""
    original_request_name: str | None = None
    """The tool that requested this one."""

    @property
    def tool_output(self) -> ToolResponse:
        """``tool_response`` under its neutral name, ``tool_output``."""
        return self.tool_response

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        tail_tool_call: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            tail_tool_call=tail_tool_call,
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


class AfterToolDict(TypedDict):
    """The payload of AfterTool."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["AfterTool"]
    timestamp: str
    tool_name: str
    tool_input: Any
    tool_response: ToolResponseDict
    mcp_context: NotRequired[dict[str, Any]]
    original_request_name: NotRequired[str]


class AfterToolOutput(Output):
    """The output of a AfterTool hook."""

    systemMessage: str | None = None
    """Shown to the user."""
    suppressOutput: bool | None = None
    decision: Literal["allow", "deny", "block"] | None = None
    reason: str | None = None
    continue_: bool | None = Field(default=None, alias="continue")
    """False ends the agent loop."""
    stopReason: str | None = None
    hookSpecificOutput: AfterToolSpecific | None = None


AfterToolOutputDict = TypedDict(
    "AfterToolOutputDict",
    {
        "systemMessage": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "decision": NotRequired[Literal["allow", "deny", "block"]],
        "reason": NotRequired[str],
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "hookSpecificOutput": NotRequired[AfterToolSpecificDict],
    },
)


class BeforeAgent(GeminiEvent):
    """After the user's prompt, before the agent plans; a deny discards the prompt."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "BeforeAgent"

    hook_event_name: Literal["BeforeAgent"] = "BeforeAgent"
    prompt: str

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
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

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class BeforeAgentDict(TypedDict):
    """The payload of BeforeAgent."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["BeforeAgent"]
    timestamp: str
    prompt: str


class BeforeAgentOutput(Output):
    """The output of a BeforeAgent hook."""

    systemMessage: str | None = None
    """Shown to the user."""
    suppressOutput: bool | None = None
    decision: Literal["allow", "deny", "block"] | None = None
    reason: str | None = None
    continue_: bool | None = Field(default=None, alias="continue")
    """False ends the agent loop."""
    stopReason: str | None = None
    hookSpecificOutput: ContextOnly | None = None


BeforeAgentOutputDict = TypedDict(
    "BeforeAgentOutputDict",
    {
        "systemMessage": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "decision": NotRequired[Literal["allow", "deny", "block"]],
        "reason": NotRequired[str],
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "hookSpecificOutput": NotRequired[ContextOnlyDict],
    },
)


class AfterAgent(GeminiEvent):
    """After the agent's final answer; a deny sends the reason back as a new prompt."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "AfterAgent"

    hook_event_name: Literal["AfterAgent"] = "AfterAgent"
    prompt: str = ""
    prompt_response: str = "[no response text]"
    """All texts of the turn."""
    stop_hook_active: bool = False
    """A hook has already made the agent continue."""

    @property
    def response(self) -> str:
        """``prompt_response`` under its neutral name, ``response``."""
        return self.prompt_response

    def answer(
        self,
        decision: Literal["allow"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        followup: str | None = None,
        suppress_output: bool | None = None,
        clear_context: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            followup=followup,
            suppress_output=suppress_output,
            clear_context=clear_context,
        )

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class AfterAgentDict(TypedDict):
    """The payload of AfterAgent."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["AfterAgent"]
    timestamp: str
    prompt: str
    prompt_response: str
    stop_hook_active: bool


class AfterAgentOutput(Output):
    """The output of a AfterAgent hook."""

    systemMessage: str | None = None
    """Shown to the user."""
    suppressOutput: bool | None = None
    decision: Literal["allow", "deny", "block"] | None = None
    reason: str | None = None
    continue_: bool | None = Field(default=None, alias="continue")
    """False ends the agent loop."""
    stopReason: str | None = None
    hookSpecificOutput: AfterAgentSpecific | None = None


AfterAgentOutputDict = TypedDict(
    "AfterAgentOutputDict",
    {
        "systemMessage": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "decision": NotRequired[Literal["allow", "deny", "block"]],
        "reason": NotRequired[str],
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "hookSpecificOutput": NotRequired[AfterAgentSpecificDict],
    },
)


class BeforeModel(GeminiEvent):
    """Before a request to the model; may change the request, or answer it."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "BeforeModel"

    hook_event_name: Literal["BeforeModel"] = "BeforeModel"
    llm_request: LLMRequest

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        llm_request: dict[str, Any] | None = None,
        llm_response: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            llm_request=llm_request,
            llm_response=llm_response,
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


class BeforeModelDict(TypedDict):
    """The payload of BeforeModel."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["BeforeModel"]
    timestamp: str
    llm_request: LLMRequestDict


class BeforeModelOutput(Output):
    """The output of a BeforeModel hook."""

    systemMessage: str | None = None
    """Shown to the user."""
    suppressOutput: bool | None = None
    decision: Literal["allow", "deny", "block"] | None = None
    reason: str | None = None
    continue_: bool | None = Field(default=None, alias="continue")
    """False ends the agent loop."""
    stopReason: str | None = None
    hookSpecificOutput: BeforeModelSpecific | None = None


BeforeModelOutputDict = TypedDict(
    "BeforeModelOutputDict",
    {
        "systemMessage": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "decision": NotRequired[Literal["allow", "deny", "block"]],
        "reason": NotRequired[str],
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "hookSpecificOutput": NotRequired[BeforeModelSpecificDict],
    },
)


class BeforeToolSelection(GeminiEvent):
    """Before the model chooses tools; may narrow the choice."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "BeforeToolSelection"

    hook_event_name: Literal["BeforeToolSelection"] = "BeforeToolSelection"
    llm_request: LLMRequest

    def answer(self, *, suppress_output: bool | None = None, tool_config: dict[str, Any] | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(suppress_output=suppress_output, tool_config=tool_config)


class BeforeToolSelectionDict(TypedDict):
    """The payload of BeforeToolSelection."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["BeforeToolSelection"]
    timestamp: str
    llm_request: LLMRequestDict


class BeforeToolSelectionOutput(Output):
    """The output of a BeforeToolSelection hook."""

    suppressOutput: bool | None = None
    hookSpecificOutput: SelectionSpecific | None = None


class BeforeToolSelectionOutputDict(TypedDict):
    """The output of a BeforeToolSelection hook."""

    suppressOutput: NotRequired[bool]
    hookSpecificOutput: NotRequired[SelectionSpecificDict]


class AfterModel(GeminiEvent):
    """After each chunk of the model's answer; may replace it."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "AfterModel"

    hook_event_name: Literal["AfterModel"] = "AfterModel"
    llm_request: LLMRequest
    llm_response: LLMResponse

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        llm_response: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            llm_response=llm_response,
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


class AfterModelDict(TypedDict):
    """The payload of AfterModel."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["AfterModel"]
    timestamp: str
    llm_request: LLMRequestDict
    llm_response: LLMResponseDict


class AfterModelOutput(Output):
    """The output of a AfterModel hook."""

    systemMessage: str | None = None
    """Shown to the user."""
    suppressOutput: bool | None = None
    decision: Literal["allow", "deny", "block"] | None = None
    reason: str | None = None
    continue_: bool | None = Field(default=None, alias="continue")
    """False ends the agent loop."""
    stopReason: str | None = None
    hookSpecificOutput: AfterModelSpecific | None = None


AfterModelOutputDict = TypedDict(
    "AfterModelOutputDict",
    {
        "systemMessage": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "decision": NotRequired[Literal["allow", "deny", "block"]],
        "reason": NotRequired[str],
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "hookSpecificOutput": NotRequired[AfterModelSpecificDict],
    },
)


class SessionStart(GeminiEvent):
    """When a session starts, is resumed or cleared."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "SessionStart"

    hook_event_name: Literal["SessionStart"] = "SessionStart"
    source: Annotated[Literal["startup", "resume", "clear"], OPEN] = "startup"

    def answer(self, *, user_message: str = "", context: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, context=context, suppress_output=suppress_output)


class SessionStartDict(TypedDict):
    """The payload of SessionStart."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SessionStart"]
    timestamp: str
    source: Literal["startup", "resume", "clear"]


class SessionStartOutput(Output):
    """The output of a SessionStart hook."""

    systemMessage: str | None = None
    """Shown to the user."""
    suppressOutput: bool | None = None
    hookSpecificOutput: ContextOnly | None = None


class SessionStartOutputDict(TypedDict):
    """The output of a SessionStart hook."""

    systemMessage: NotRequired[str]
    suppressOutput: NotRequired[bool]
    hookSpecificOutput: NotRequired[ContextOnlyDict]


class SessionEnd(GeminiEvent):
    """When a session ends."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "SessionEnd"

    hook_event_name: Literal["SessionEnd"] = "SessionEnd"
    reason: Annotated[Literal["exit", "clear", "logout", "prompt_input_exit", "other"], OPEN] = "exit"

    def answer(self, *, user_message: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output)


class SessionEndDict(TypedDict):
    """The payload of SessionEnd."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["SessionEnd"]
    timestamp: str
    reason: Literal["exit", "clear", "logout", "prompt_input_exit", "other"]


class SessionEndOutput(Output):
    """The output of a SessionEnd hook."""

    systemMessage: str | None = None
    """Shown to the user."""
    suppressOutput: bool | None = None


class SessionEndOutputDict(TypedDict):
    """The output of a SessionEnd hook."""

    systemMessage: NotRequired[str]
    suppressOutput: NotRequired[bool]


class Notification(GeminiEvent):
    """When the user is alerted."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "Notification"

    hook_event_name: Literal["Notification"] = "Notification"
    notification_type: Literal["ToolPermission"] | str = "ToolPermission"
    message: str
    details: dict[str, Any] = {}
    """Type, title, and fields of the kind of tool."""

    def answer(self, *, user_message: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output)


class NotificationDict(TypedDict):
    """The payload of Notification."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["Notification"]
    timestamp: str
    notification_type: Literal["ToolPermission"] | str
    message: str
    details: dict[str, Any]


class NotificationOutput(Output):
    """The output of a Notification hook."""

    systemMessage: str | None = None
    """Shown to the user."""
    suppressOutput: bool | None = None


class NotificationOutputDict(TypedDict):
    """The output of a Notification hook."""

    systemMessage: NotRequired[str]
    suppressOutput: NotRequired[bool]


class PreCompress(GeminiEvent):
    """Before the history is summarised."""

    SYSTEM: ClassVar[str] = "gemini"
    EVENT: ClassVar[str] = "PreCompress"

    hook_event_name: Literal["PreCompress"] = "PreCompress"
    trigger: Annotated[Literal["auto", "manual"], OPEN] = "auto"

    def answer(self, *, user_message: str = "", suppress_output: bool | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, suppress_output=suppress_output)


class PreCompressDict(TypedDict):
    """The payload of PreCompress."""

    session_id: str
    transcript_path: str
    cwd: str
    hook_event_name: Literal["PreCompress"]
    timestamp: str
    trigger: Literal["auto", "manual"]


class PreCompressOutput(Output):
    """The output of a PreCompress hook."""

    systemMessage: str | None = None
    """Shown to the user."""
    suppressOutput: bool | None = None


class PreCompressOutputDict(TypedDict):
    """The output of a PreCompress hook."""

    systemMessage: NotRequired[str]
    suppressOutput: NotRequired[bool]


#: Any event of the system.
AnyEvent = (
    BeforeTool
    | AfterTool
    | BeforeAgent
    | AfterAgent
    | BeforeModel
    | BeforeToolSelection
    | AfterModel
    | SessionStart
    | SessionEnd
    | Notification
    | PreCompress
)
EVENTS: dict[str, type[AnyEvent]] = {
    BeforeTool.EVENT: BeforeTool,
    AfterTool.EVENT: AfterTool,
    BeforeAgent.EVENT: BeforeAgent,
    AfterAgent.EVENT: AfterAgent,
    BeforeModel.EVENT: BeforeModel,
    BeforeToolSelection.EVENT: BeforeToolSelection,
    AfterModel.EVENT: AfterModel,
    SessionStart.EVENT: SessionStart,
    SessionEnd.EVENT: SessionEnd,
    Notification.EVENT: Notification,
    PreCompress.EVENT: PreCompress,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("gemini", EVENTS)
