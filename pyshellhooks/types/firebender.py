"""Firebender's events for hooks written in Python (docs/typed-hooks.md).

Generated from the system's tables by ``python -m tests.generators.types``; do not edit.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NoReturn, NotRequired, TypedDict

from pydantic import Field

from . import reading
from .event import Arguments, Event, Output


class FirebenderEvent(Event):
    """The fields of every event."""

    conversation_id: str = ""
    generation_id: str = ""
    """Another one for each message of the person."""
    model: str = ""
    firebender_version: str = ""
    workspace_roots: list[str] = []
    user_email: str | None = None
    transcript_path: str | None = None

    @property
    def turn_id(self) -> str:
        """``generation_id`` under its neutral name, ``turn_id``."""
        return self.generation_id


class PreToolUse(FirebenderEvent):
    """Before every tool call."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "preToolUse"

    hook_event_name: Literal["preToolUse"] = "preToolUse"
    tool_name: str
    tool_input: Arguments
    """The arguments; Shell has command."""
    tool_use_id: str = ""
    cwd: str = ""
    agent_message: str = ""
    """The model's text beside the call."""

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    @property
    def tool_call_id(self) -> str:
        """``tool_use_id`` under its neutral name, ``tool_call_id``."""
        return self.tool_use_id

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
    """The payload of preToolUse."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["preToolUse"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    tool_name: str
    tool_input: dict[str, Any] | str
    tool_use_id: str
    cwd: str
    agent_message: str


class PreToolUseOutput(Output):
    """The output of a preToolUse hook."""

    permission: Literal["allow", "deny"] | None = None
    """The stricter of this and decision counts."""
    decision: Literal["allow", "deny", "approve", "block"] | None = None
    """The same."""
    continue_: bool | None = Field(default=None, alias="continue")
    """False denies."""
    agent_message: str | None = None
    """For the model."""
    reason: str | None = None
    """The same."""
    user_message: str | None = None
    """For the person."""
    updated_input: dict[str, Any] | None = None
    """The whole input that runs instead."""


PreToolUseOutputDict = TypedDict(
    "PreToolUseOutputDict",
    {
        "permission": NotRequired[Literal["allow", "deny"]],
        "decision": NotRequired[Literal["allow", "deny", "approve", "block"]],
        "continue": NotRequired[bool],
        "agent_message": NotRequired[str],
        "reason": NotRequired[str],
        "user_message": NotRequired[str],
        "updated_input": NotRequired[dict[str, Any]],
    },
)


class BeforeShellExecution(FirebenderEvent):
    """Before a shell command."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "beforeShellExecution"

    hook_event_name: Literal["beforeShellExecution"] = "beforeShellExecution"
    command: str
    cwd: str = ""
    timeout: float | None = None
    """The hook's timeout in seconds."""

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    def answer(
        self, decision: Literal["allow", "ask", "deny"] | None = None, reason: str = "", *, user_message: str = ""
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, user_message=user_message)

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def ask(self, reason: str = "") -> NoReturn:
        """Let the person decide, and end the hook."""
        self._answer("ask", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class BeforeShellExecutionDict(TypedDict):
    """The payload of beforeShellExecution."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["beforeShellExecution"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    command: str
    cwd: str
    timeout: NotRequired[float]


class BeforeShellExecutionOutput(Output):
    """The output of a beforeShellExecution hook."""

    permission: Literal["allow", "deny", "ask"] | None = None
    """The stricter of this and decision counts."""
    decision: Literal["allow", "deny", "ask", "approve", "block"] | None = None
    """The same."""
    continue_: bool | None = Field(default=None, alias="continue")
    """False denies."""
    agent_message: str | None = None
    """For the model."""
    reason: str | None = None
    """The same."""
    user_message: str | None = None
    """For the person."""


BeforeShellExecutionOutputDict = TypedDict(
    "BeforeShellExecutionOutputDict",
    {
        "permission": NotRequired[Literal["allow", "deny", "ask"]],
        "decision": NotRequired[Literal["allow", "deny", "ask", "approve", "block"]],
        "continue": NotRequired[bool],
        "agent_message": NotRequired[str],
        "reason": NotRequired[str],
        "user_message": NotRequired[str],
    },
)


class BeforeMCPExecution(FirebenderEvent):
    """Before a tool of an MCP server."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "beforeMCPExecution"

    hook_event_name: Literal["beforeMCPExecution"] = "beforeMCPExecution"
    tool_name: str
    tool_input: Arguments
    """The arguments, as JSON text in a string."""
    url: str | None = None
    """Of the server; or command."""
    command: str | None = None
    """Of the server; or url."""

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    def answer(
        self, decision: Literal["allow", "ask", "deny"] | None = None, reason: str = "", *, user_message: str = ""
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, user_message=user_message)

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def ask(self, reason: str = "") -> NoReturn:
        """Let the person decide, and end the hook."""
        self._answer("ask", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class BeforeMCPExecutionDict(TypedDict):
    """The payload of beforeMCPExecution."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["beforeMCPExecution"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    tool_name: str
    tool_input: str
    url: NotRequired[str]
    command: NotRequired[str]


class BeforeMCPExecutionOutput(Output):
    """The output of a beforeMCPExecution hook."""

    permission: Literal["allow", "deny", "ask"] | None = None
    """The stricter of this and decision counts."""
    decision: Literal["allow", "deny", "ask", "approve", "block"] | None = None
    """The same."""
    continue_: bool | None = Field(default=None, alias="continue")
    """False denies."""
    agent_message: str | None = None
    """For the model."""
    reason: str | None = None
    """The same."""
    user_message: str | None = None
    """For the person."""


BeforeMCPExecutionOutputDict = TypedDict(
    "BeforeMCPExecutionOutputDict",
    {
        "permission": NotRequired[Literal["allow", "deny", "ask"]],
        "decision": NotRequired[Literal["allow", "deny", "ask", "approve", "block"]],
        "continue": NotRequired[bool],
        "agent_message": NotRequired[str],
        "reason": NotRequired[str],
        "user_message": NotRequired[str],
    },
)


class BeforeReadFile(FirebenderEvent):
    """Before the model reads a file."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "beforeReadFile"

    hook_event_name: Literal["beforeReadFile"] = "beforeReadFile"
    file_path: str
    """Absolute."""
    content: str = ""
    """The whole file."""
    attachments: list[Any] = []

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    def answer(
        self, decision: Literal["allow", "deny"] | None = None, reason: str = "", *, user_message: str = ""
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(decision=decision, reason=reason, user_message=user_message)

    def allow(self, reason: str = "") -> NoReturn:
        """Allow it, and end the hook."""
        self._answer("allow", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)


class BeforeReadFileDict(TypedDict):
    """The payload of beforeReadFile."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["beforeReadFile"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    file_path: str
    content: str
    attachments: list[Any]


class BeforeReadFileOutput(Output):
    """The output of a beforeReadFile hook."""

    permission: Literal["allow", "deny"] | None = None
    """The stricter of this and decision counts."""
    decision: Literal["allow", "deny", "approve", "block"] | None = None
    """The same."""
    continue_: bool | None = Field(default=None, alias="continue")
    """False denies."""
    agent_message: str | None = None
    """For the model."""
    reason: str | None = None
    """The same."""
    user_message: str | None = None
    """For the person."""


BeforeReadFileOutputDict = TypedDict(
    "BeforeReadFileOutputDict",
    {
        "permission": NotRequired[Literal["allow", "deny"]],
        "decision": NotRequired[Literal["allow", "deny", "approve", "block"]],
        "continue": NotRequired[bool],
        "agent_message": NotRequired[str],
        "reason": NotRequired[str],
        "user_message": NotRequired[str],
    },
)


class AfterShellExecution(FirebenderEvent):
    """After a shell command, whatever its status."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "afterShellExecution"

    hook_event_name: Literal["afterShellExecution"] = "afterShellExecution"
    command: str
    output: str
    duration: float = 0
    """Milliseconds."""

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    @property
    def tool_output(self) -> str:
        """``output`` under its neutral name, ``tool_output``."""
        return self.output

    @property
    def duration_ms(self) -> float:
        """``duration`` under its neutral name, ``duration_ms``."""
        return self.duration

    def answer(self, *, user_message: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message)


class AfterShellExecutionDict(TypedDict):
    """The payload of afterShellExecution."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["afterShellExecution"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    command: str
    output: str
    duration: float


class AfterShellExecutionOutput(Output):
    """The output of a afterShellExecution hook."""

    user_message: str | None = None
    """For the person."""


class AfterShellExecutionOutputDict(TypedDict):
    """The output of a afterShellExecution hook."""

    user_message: NotRequired[str]


class AfterMCPExecution(FirebenderEvent):
    """After a tool of an MCP server."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "afterMCPExecution"

    hook_event_name: Literal["afterMCPExecution"] = "afterMCPExecution"
    tool_name: str
    tool_input: Arguments
    """The arguments, as JSON text in a string."""
    result_json: str
    """The result, as JSON text in a string."""
    duration: float = 0
    """Milliseconds."""

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    @property
    def tool_output(self) -> str:
        """``result_json`` under its neutral name, ``tool_output``."""
        return self.result_json

    @property
    def duration_ms(self) -> float:
        """``duration`` under its neutral name, ``duration_ms``."""
        return self.duration

    def answer(self, *, user_message: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message)


class AfterMCPExecutionDict(TypedDict):
    """The payload of afterMCPExecution."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["afterMCPExecution"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    tool_name: str
    tool_input: str
    result_json: str
    duration: float


class AfterMCPExecutionOutput(Output):
    """The output of a afterMCPExecution hook."""

    user_message: str | None = None
    """For the person."""


class AfterMCPExecutionOutputDict(TypedDict):
    """The output of a afterMCPExecution hook."""

    user_message: NotRequired[str]


class AfterFileEdit(FirebenderEvent):
    """After a file was edited; the host reads it again, because hooks may format it."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "afterFileEdit"

    hook_event_name: Literal["afterFileEdit"] = "afterFileEdit"
    file_path: str
    """Absolute."""
    edits: list[Any] = []

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    def answer(self, *, user_message: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message)


class AfterFileEditDict(TypedDict):
    """The payload of afterFileEdit."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["afterFileEdit"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    file_path: str
    edits: list[Any]


class AfterFileEditOutput(Output):
    """The output of a afterFileEdit hook."""

    user_message: str | None = None
    """For the person."""


class AfterFileEditOutputDict(TypedDict):
    """The output of a afterFileEdit hook."""

    user_message: NotRequired[str]


class PostToolUse(FirebenderEvent):
    """After a tool call that succeeded."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "postToolUse"

    hook_event_name: Literal["postToolUse"] = "postToolUse"
    tool_name: str
    tool_input: Arguments
    """The arguments; Shell has command."""
    tool_output: str
    tool_use_id: str = ""
    cwd: str = ""
    duration: float = 0
    """Milliseconds."""

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    @property
    def tool_call_id(self) -> str:
        """``tool_use_id`` under its neutral name, ``tool_call_id``."""
        return self.tool_use_id

    @property
    def duration_ms(self) -> float:
        """``duration`` under its neutral name, ``duration_ms``."""
        return self.duration

    def answer(self, *, user_message: str = "", updated_output: Any = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, updated_output=updated_output)


class PostToolUseDict(TypedDict):
    """The payload of postToolUse."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["postToolUse"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    tool_name: str
    tool_input: dict[str, Any] | str
    tool_output: str
    tool_use_id: str
    cwd: str
    duration: float


class PostToolUseOutput(Output):
    """The output of a postToolUse hook."""

    user_message: str | None = None
    """For the person."""
    updated_mcp_tool_output: dict[str, Any] | None = None
    """The replacement for the model; MCP tools only."""


class PostToolUseOutputDict(TypedDict):
    """The output of a postToolUse hook."""

    user_message: NotRequired[str]
    updated_mcp_tool_output: NotRequired[dict[str, Any]]


class PreCompact(FirebenderEvent):
    """Before the context is compacted; the person sees a hook's user_message."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "preCompact"

    hook_event_name: Literal["preCompact"] = "preCompact"
    trigger: Literal["auto", "manual"] | str = "auto"
    context_usage_percent: float = 0
    context_tokens: float = 0
    context_window_size: float = 0
    message_count: float = 0
    messages_to_compact: float = 0
    is_first_compaction: bool = False

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    def answer(self, *, user_message: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message)


class PreCompactDict(TypedDict):
    """The payload of preCompact."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["preCompact"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    trigger: Literal["auto", "manual"] | str
    context_usage_percent: float
    context_tokens: float
    context_window_size: float
    message_count: float
    messages_to_compact: float
    is_first_compaction: bool


class PreCompactOutput(Output):
    """The output of a preCompact hook."""

    user_message: str | None = None
    """For the person."""


class PreCompactOutputDict(TypedDict):
    """The output of a preCompact hook."""

    user_message: NotRequired[str]


class Stop(FirebenderEvent):
    """When the agent stops; a follow-up makes it continue."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "stop"

    hook_event_name: Literal["stop"] = "stop"
    status: Literal["completed", "aborted", "error"] | str = "completed"
    loop_count: int = 0
    """Follow-ups of hooks until now."""

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    def answer(self, *, user_message: str = "", followup: str | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, followup=followup)


class StopDict(TypedDict):
    """The payload of stop."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["stop"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    status: Literal["completed", "aborted", "error"] | str
    loop_count: int


class StopOutput(Output):
    """The output of a stop hook."""

    user_message: str | None = None
    """For the person."""
    followup_message: str | None = None
    """Sent as the next message of the user."""


class StopOutputDict(TypedDict):
    """The output of a stop hook."""

    user_message: NotRequired[str]
    followup_message: NotRequired[str]


class SessionStart(FirebenderEvent):
    """When a session begins; its variables are available to later hooks."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "sessionStart"

    hook_event_name: Literal["sessionStart"] = "sessionStart"
    session_id: str = ""
    is_background_agent: bool = False
    composer_mode: str | None = None

    def answer(self, *, user_message: str = "", context: str = "", env: dict[str, str] | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, context=context, env=env)


class SessionStartDict(TypedDict):
    """The payload of sessionStart."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["sessionStart"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    session_id: str
    is_background_agent: bool
    composer_mode: NotRequired[str]


class SessionStartOutput(Output):
    """The output of a sessionStart hook."""

    user_message: str | None = None
    """For the person."""
    additional_context: str | None = None
    """For the model."""
    env: dict[str, str] | None = None
    """Variables for later hooks of the session."""


class SessionStartOutputDict(TypedDict):
    """The output of a sessionStart hook."""

    user_message: NotRequired[str]
    additional_context: NotRequired[str]
    env: NotRequired[dict[str, str]]


class SessionEnd(FirebenderEvent):
    """When a session ends."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "sessionEnd"

    hook_event_name: Literal["sessionEnd"] = "sessionEnd"
    session_id: str = ""
    reason: Literal["completed", "aborted", "error", "window_close", "user_close"] | str = "completed"
    duration_ms: float = 0
    is_background_agent: bool = False
    final_status: str = ""
    error_message: str | None = None

    def answer(self, *, user_message: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message)


class SessionEndDict(TypedDict):
    """The payload of sessionEnd."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["sessionEnd"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    session_id: str
    reason: Literal["completed", "aborted", "error", "window_close", "user_close"] | str
    duration_ms: float
    is_background_agent: bool
    final_status: str
    error_message: NotRequired[str]


class SessionEndOutput(Output):
    """The output of a sessionEnd hook."""

    user_message: str | None = None
    """For the person."""


class SessionEndOutputDict(TypedDict):
    """The output of a sessionEnd hook."""

    user_message: NotRequired[str]


class SubagentStart(FirebenderEvent):
    """Before a subagent begins."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "subagentStart"

    hook_event_name: Literal["subagentStart"] = "subagentStart"
    subagent_id: str = ""
    subagent_type: str
    task: str
    parent_conversation_id: str = ""
    tool_call_id: str = ""
    subagent_model: str = ""
    is_parallel_worker: bool = False
    git_branch: str | None = None

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    @property
    def agent_id(self) -> str:
        """``subagent_id`` under its neutral name, ``agent_id``."""
        return self.subagent_id

    @property
    def agent_type(self) -> str:
        """``subagent_type`` under its neutral name, ``agent_type``."""
        return self.subagent_type

    @property
    def prompt(self) -> str:
        """``task`` under its neutral name, ``prompt``."""
        return self.task

    def answer(self, *, user_message: str = "", context: str = "") -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, context=context)


class SubagentStartDict(TypedDict):
    """The payload of subagentStart."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["subagentStart"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    subagent_id: str
    subagent_type: str
    task: str
    parent_conversation_id: str
    tool_call_id: str
    subagent_model: str
    is_parallel_worker: bool
    git_branch: NotRequired[str]


class SubagentStartOutput(Output):
    """The output of a subagentStart hook."""

    user_message: str | None = None
    """For the person."""
    additional_context: str | None = None
    """For the model."""


class SubagentStartOutputDict(TypedDict):
    """The output of a subagentStart hook."""

    user_message: NotRequired[str]
    additional_context: NotRequired[str]


class SubagentStop(FirebenderEvent):
    """When a subagent stops; a follow-up makes it continue if it completed."""

    SYSTEM: ClassVar[str] = "firebender"
    EVENT: ClassVar[str] = "subagentStop"

    hook_event_name: Literal["subagentStop"] = "subagentStop"
    subagent_type: str
    status: Literal["completed", "aborted", "error"] | str = "completed"
    task: str = ""
    description: str = ""
    summary: str = ""
    duration_ms: float = 0
    message_count: int = 0
    tool_call_count: int = 0
    loop_count: int = 0
    """Follow-ups of hooks until now."""
    modified_files: list[str] = []
    agent_transcript_path: str | None = None

    @property
    def session_id(self) -> str:
        """``conversation_id`` under its neutral name, ``session_id``."""
        return self.conversation_id

    @property
    def agent_type(self) -> str:
        """``subagent_type`` under its neutral name, ``agent_type``."""
        return self.subagent_type

    @property
    def prompt(self) -> str:
        """``task`` under its neutral name, ``prompt``."""
        return self.task

    @property
    def response(self) -> str:
        """``summary`` under its neutral name, ``response``."""
        return self.summary

    def answer(self, *, user_message: str = "", followup: str | None = None) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(user_message=user_message, followup=followup)


class SubagentStopDict(TypedDict):
    """The payload of subagentStop."""

    conversation_id: str
    generation_id: str
    model: str
    hook_event_name: Literal["subagentStop"]
    firebender_version: str
    workspace_roots: list[str]
    user_email: str | None
    transcript_path: str | None
    subagent_type: str
    status: Literal["completed", "aborted", "error"] | str
    task: str
    description: str
    summary: str
    duration_ms: float
    message_count: int
    tool_call_count: int
    loop_count: int
    modified_files: list[str]
    agent_transcript_path: str | None


class SubagentStopOutput(Output):
    """The output of a subagentStop hook."""

    user_message: str | None = None
    """For the person."""
    followup_message: str | None = None
    """Sent as the next message of the user."""


class SubagentStopOutputDict(TypedDict):
    """The output of a subagentStop hook."""

    user_message: NotRequired[str]
    followup_message: NotRequired[str]


#: Any event of the system.
AnyEvent = (
    PreToolUse
    | BeforeShellExecution
    | BeforeMCPExecution
    | BeforeReadFile
    | AfterShellExecution
    | AfterMCPExecution
    | AfterFileEdit
    | PostToolUse
    | PreCompact
    | Stop
    | SessionStart
    | SessionEnd
    | SubagentStart
    | SubagentStop
)
EVENTS: dict[str, type[AnyEvent]] = {
    PreToolUse.EVENT: PreToolUse,
    BeforeShellExecution.EVENT: BeforeShellExecution,
    BeforeMCPExecution.EVENT: BeforeMCPExecution,
    BeforeReadFile.EVENT: BeforeReadFile,
    AfterShellExecution.EVENT: AfterShellExecution,
    AfterMCPExecution.EVENT: AfterMCPExecution,
    AfterFileEdit.EVENT: AfterFileEdit,
    PostToolUse.EVENT: PostToolUse,
    PreCompact.EVENT: PreCompact,
    Stop.EVENT: Stop,
    SessionStart.EVENT: SessionStart,
    SessionEnd.EVENT: SessionEnd,
    SubagentStart.EVENT: SubagentStart,
    SubagentStop.EVENT: SubagentStop,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("firebender", EVENTS)
