"""Claude Code's events for hooks written in Python (docs/typed-hooks.md).

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
    permissionDisplay: dict[str, Any] | None = None
    updatedInput: dict[str, Any] | None = None


class PreToolUseSpecificDict(TypedDict):
    """Inside of PreToolUse's output."""

    hookEventName: Literal["PreToolUse"]
    additionalContext: NotRequired[str]
    permissionDecision: NotRequired[Literal["allow", "deny", "ask", "defer"]]
    permissionDecisionReason: NotRequired[str]
    permissionDisplay: NotRequired[dict[str, Any]]
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


class PreSkillShellCommandSpecific(Output):
    """Inside of PreSkillShellCommand's output."""

    hookEventName: Literal["PreSkillShellCommand", "PreToolUse", "PermissionRequest"]
    decision: PermissionAnswer | None = None
    permissionDecision: Literal["allow", "deny", "ask", "defer"] | None = None
    permissionDecisionReason: str | None = None
    updatedInput: dict[str, Any] | None = None


class PreSkillShellCommandSpecificDict(TypedDict):
    """Inside of PreSkillShellCommand's output."""

    hookEventName: Literal["PreSkillShellCommand", "PreToolUse", "PermissionRequest"]
    decision: NotRequired[PermissionAnswerDict]
    permissionDecision: NotRequired[Literal["allow", "deny", "ask", "defer"]]
    permissionDecisionReason: NotRequired[str]
    updatedInput: NotRequired[dict[str, Any]]


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
    classifierContext: str | None = None
    updatedMCPToolOutput: Any | None = None
    updatedToolOutput: Any | None = None


class PostToolUseSpecificDict(TypedDict):
    """Inside of PostToolUse's output."""

    hookEventName: Literal["PostToolUse"]
    additionalContext: NotRequired[str]
    classifierContext: NotRequired[str]
    updatedMCPToolOutput: NotRequired[Any]
    updatedToolOutput: NotRequired[Any]


class PostToolUseFailureSpecific(Output):
    """Inside of PostToolUseFailure's output."""

    hookEventName: Literal["PostToolUseFailure"]
    additionalContext: str | None = None


class PostToolUseFailureSpecificDict(TypedDict):
    """Inside of PostToolUseFailure's output."""

    hookEventName: Literal["PostToolUseFailure"]
    additionalContext: NotRequired[str]


class PostToolBatchSpecific(Output):
    """Inside of PostToolBatch's output."""

    hookEventName: Literal["PostToolBatch"]
    additionalContext: str | None = None


class PostToolBatchSpecificDict(TypedDict):
    """Inside of PostToolBatch's output."""

    hookEventName: Literal["PostToolBatch"]
    additionalContext: NotRequired[str]


class PermissionDeniedSpecific(Output):
    """Inside of PermissionDenied's output."""

    hookEventName: Literal["PermissionDenied"]
    retry: bool | None = None


class PermissionDeniedSpecificDict(TypedDict):
    """Inside of PermissionDenied's output."""

    hookEventName: Literal["PermissionDenied"]
    retry: NotRequired[bool]


class UserPromptSubmitSpecific(Output):
    """Inside of UserPromptSubmit's output."""

    hookEventName: Literal["UserPromptSubmit"]
    additionalContext: str | None = None
    sessionTitle: str | None = None
    suppressOriginalPrompt: bool | None = None


class UserPromptSubmitSpecificDict(TypedDict):
    """Inside of UserPromptSubmit's output."""

    hookEventName: Literal["UserPromptSubmit"]
    additionalContext: NotRequired[str]
    sessionTitle: NotRequired[str]
    suppressOriginalPrompt: NotRequired[bool]


class UserPromptExpansionSpecific(Output):
    """Inside of UserPromptExpansion's output."""

    hookEventName: Literal["UserPromptExpansion"]
    additionalContext: str | None = None
    suppressOriginalPrompt: bool | None = None


class UserPromptExpansionSpecificDict(TypedDict):
    """Inside of UserPromptExpansion's output."""

    hookEventName: Literal["UserPromptExpansion"]
    additionalContext: NotRequired[str]
    suppressOriginalPrompt: NotRequired[bool]


class SessionStartSpecific(Output):
    """Inside of SessionStart's output."""

    hookEventName: Literal["SessionStart"]
    additionalContext: str | None = None
    initialUserMessage: str | None = None
    reloadSkills: bool | None = None
    sessionTitle: str | None = None
    watchPaths: list[str] | None = None


class SessionStartSpecificDict(TypedDict):
    """Inside of SessionStart's output."""

    hookEventName: Literal["SessionStart"]
    additionalContext: NotRequired[str]
    initialUserMessage: NotRequired[str]
    reloadSkills: NotRequired[bool]
    sessionTitle: NotRequired[str]
    watchPaths: NotRequired[list[str]]


class SetupSpecific(Output):
    """Inside of Setup's output."""

    hookEventName: Literal["Setup"]
    additionalContext: str | None = None


class SetupSpecificDict(TypedDict):
    """Inside of Setup's output."""

    hookEventName: Literal["Setup"]
    additionalContext: NotRequired[str]


class StopSpecific(Output):
    """Inside of Stop's output."""

    hookEventName: Literal["Stop"]
    additionalContext: str | None = None


class StopSpecificDict(TypedDict):
    """Inside of Stop's output."""

    hookEventName: Literal["Stop"]
    additionalContext: NotRequired[str]


class SubagentStopSpecific(Output):
    """Inside of SubagentStop's output."""

    hookEventName: Literal["SubagentStop"]
    additionalContext: str | None = None


class SubagentStopSpecificDict(TypedDict):
    """Inside of SubagentStop's output."""

    hookEventName: Literal["SubagentStop"]
    additionalContext: NotRequired[str]


class SubagentStartSpecific(Output):
    """Inside of SubagentStart's output."""

    hookEventName: Literal["SubagentStart"]
    additionalContext: str | None = None


class SubagentStartSpecificDict(TypedDict):
    """Inside of SubagentStart's output."""

    hookEventName: Literal["SubagentStart"]
    additionalContext: NotRequired[str]


class NotificationSpecific(Output):
    """Inside of Notification's output."""

    hookEventName: Literal["Notification"]
    additionalContext: str | None = None


class NotificationSpecificDict(TypedDict):
    """Inside of Notification's output."""

    hookEventName: Literal["Notification"]
    additionalContext: NotRequired[str]


class CwdChangedSpecific(Output):
    """Inside of CwdChanged's output."""

    hookEventName: Literal["CwdChanged"]
    watchPaths: list[str] | None = None


class CwdChangedSpecificDict(TypedDict):
    """Inside of CwdChanged's output."""

    hookEventName: Literal["CwdChanged"]
    watchPaths: NotRequired[list[str]]


class FileChangedSpecific(Output):
    """Inside of FileChanged's output."""

    hookEventName: Literal["FileChanged"]
    watchPaths: list[str] | None = None


class FileChangedSpecificDict(TypedDict):
    """Inside of FileChanged's output."""

    hookEventName: Literal["FileChanged"]
    watchPaths: NotRequired[list[str]]


class WorktreeCreateSpecific(Output):
    """Inside of WorktreeCreate's output."""

    hookEventName: Literal["WorktreeCreate"]
    worktreePath: str | None = None


class WorktreeCreateSpecificDict(TypedDict):
    """Inside of WorktreeCreate's output."""

    hookEventName: Literal["WorktreeCreate"]
    worktreePath: NotRequired[str]


class ElicitationSpecific(Output):
    """Inside of Elicitation's output."""

    hookEventName: Literal["Elicitation"]
    action: Literal["accept", "decline", "cancel"] | None = None
    content: dict[str, Any] | None = None


class ElicitationSpecificDict(TypedDict):
    """Inside of Elicitation's output."""

    hookEventName: Literal["Elicitation"]
    action: NotRequired[Literal["accept", "decline", "cancel"]]
    content: NotRequired[dict[str, Any]]


class ElicitationResultSpecific(Output):
    """Inside of ElicitationResult's output."""

    hookEventName: Literal["ElicitationResult"]
    action: Literal["accept", "decline", "cancel"] | None = None
    content: dict[str, Any] | None = None


class ElicitationResultSpecificDict(TypedDict):
    """Inside of ElicitationResult's output."""

    hookEventName: Literal["ElicitationResult"]
    action: NotRequired[Literal["accept", "decline", "cancel"]]
    content: NotRequired[dict[str, Any]]


class MessageDisplaySpecific(Output):
    """Inside of MessageDisplay's output."""

    hookEventName: Literal["MessageDisplay"]
    displayContent: str | None = None


class MessageDisplaySpecificDict(TypedDict):
    """Inside of MessageDisplay's output."""

    hookEventName: Literal["MessageDisplay"]
    displayContent: NotRequired[str]


class PreModelSwitchSpecific(Output):
    """Inside of PreModelSwitch's output."""

    hookEventName: Literal["PreModelSwitch"]
    decision: Literal["allow", "deny", "ask"] | None = None
    permissionDecision: Literal["allow", "deny", "ask", "defer"] | None = None
    permissionDecisionReason: str | None = None
    reason: str | None = None


class PreModelSwitchSpecificDict(TypedDict):
    """Inside of PreModelSwitch's output."""

    hookEventName: Literal["PreModelSwitch"]
    decision: NotRequired[Literal["allow", "deny", "ask"]]
    permissionDecision: NotRequired[Literal["allow", "deny", "ask", "defer"]]
    permissionDecisionReason: NotRequired[str]
    reason: NotRequired[str]


class PostModelSwitchSpecific(Output):
    """Inside of PostModelSwitch's output."""

    hookEventName: Literal["PostModelSwitch"]
    additionalContext: str | None = None


class PostModelSwitchSpecificDict(TypedDict):
    """Inside of PostModelSwitch's output."""

    hookEventName: Literal["PostModelSwitch"]
    additionalContext: NotRequired[str]


class ClaudeCodeEvent(Event):
    """The fields of every event."""

    session_id: str = ""
    transcript_path: str = ""
    """The path of the transcript, whose last lines may be missing."""
    cwd: str = ""
    prompt_id: str | None = None
    """Missing before the first prompt."""


class PreToolUse(ClaudeCodeEvent):
    """Before a tool call."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PreToolUse"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    effort: dict[str, Any] | None = None
    """Level: the level of effort."""
    hook_event_name: Literal["PreToolUse"] = "PreToolUse"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    """The arguments; Bash has command."""
    tool_use_id: str = ""
    mcp_server: dict[str, Any] | None = None
    """Name and source of the server of an MCP tool."""

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
        updated_input: dict[str, Any] | None = None,
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
            updated_input=updated_input,
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
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    hook_event_name: Literal["PreToolUse"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_use_id: str
    mcp_server: NotRequired[dict[str, Any]]


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


class PreSkillShellCommand(ClaudeCodeEvent):
    """Before a shell command in the text of a skill or slash command."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PreSkillShellCommand"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    hook_event_name: Literal["PreSkillShellCommand"] = "PreSkillShellCommand"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_name: Literal["Bash", "PowerShell"] | str
    tool_input: Arguments
    """The command as it would run."""
    tool_use_id: str = ""
    command_name: str = ""
    """The skill, or slash command, whose text has the command."""
    command_source: str | None = None
    invoked_by: Literal["user", "claude", "other"] | str = "user"

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


class PreSkillShellCommandDict(TypedDict):
    """The payload of PreSkillShellCommand."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    hook_event_name: Literal["PreSkillShellCommand"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_name: Literal["Bash", "PowerShell"] | str
    tool_input: Any
    tool_use_id: str
    command_name: str
    command_source: NotRequired[str]
    invoked_by: Literal["user", "claude", "other"] | str


class PreSkillShellCommandOutput(Output):
    """The output of a PreSkillShellCommand hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: PreSkillShellCommandSpecific | None = None


PreSkillShellCommandOutputDict = TypedDict(
    "PreSkillShellCommandOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[PreSkillShellCommandSpecificDict],
    },
)


class PermissionRequest(ClaudeCodeEvent):
    """When a permission dialog would open."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PermissionRequest"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    effort: dict[str, Any] | None = None
    """Level: the level of effort."""
    hook_event_name: Literal["PermissionRequest"] = "PermissionRequest"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    """The arguments; Bash has command."""
    permission_suggestions: list[Any] | None = None
    """The options of the dialog, each with a type and a destination."""
    mcp_server: dict[str, Any] | None = None
    """Name and source of the server of an MCP tool."""

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        updated_input: dict[str, Any] | None = None,
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
        updated_permissions: list[Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            updated_input=updated_input,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
            updated_permissions=updated_permissions,
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
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    hook_event_name: Literal["PermissionRequest"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_name: str
    tool_input: Any
    permission_suggestions: NotRequired[list[Any]]
    mcp_server: NotRequired[dict[str, Any]]


class PermissionRequestOutput(Output):
    """The output of a PermissionRequest hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: PermissionRequestSpecific | None = None


PermissionRequestOutputDict = TypedDict(
    "PermissionRequestOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[PermissionRequestSpecificDict],
    },
)


class PostToolUse(ClaudeCodeEvent):
    """After a tool call that succeeded."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PostToolUse"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    effort: dict[str, Any] | None = None
    """Level: the level of effort."""
    hook_event_name: Literal["PostToolUse"] = "PostToolUse"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    """The arguments; Bash has command."""
    tool_response: Any
    """The tool's own object."""
    tool_use_id: str = ""
    duration_ms: int | None = None
    """Milliseconds."""
    mcp_server: dict[str, Any] | None = None
    """Name and source of the server of an MCP tool."""

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
        updated_output: Any = None,
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
            updated_output=updated_output,
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
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    hook_event_name: Literal["PostToolUse"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_response: Any
    tool_use_id: str
    duration_ms: NotRequired[int]
    mcp_server: NotRequired[dict[str, Any]]


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


class PostToolUseFailure(ClaudeCodeEvent):
    """After a tool call that failed."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PostToolUseFailure"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    effort: dict[str, Any] | None = None
    """Level: the level of effort."""
    hook_event_name: Literal["PostToolUseFailure"] = "PostToolUseFailure"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    """The arguments; Bash has command."""
    tool_use_id: str = ""
    error: str
    is_interrupt: bool | None = None
    """The person has interrupted it."""
    duration_ms: int | None = None
    """Milliseconds."""
    mcp_server: dict[str, Any] | None = None
    """Name and source of the server of an MCP tool."""

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


class PostToolUseFailureDict(TypedDict):
    """The payload of PostToolUseFailure."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    hook_event_name: Literal["PostToolUseFailure"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_use_id: str
    error: str
    is_interrupt: NotRequired[bool]
    duration_ms: NotRequired[int]
    mcp_server: NotRequired[dict[str, Any]]


class PostToolUseFailureOutput(Output):
    """The output of a PostToolUseFailure hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: PostToolUseFailureSpecific | None = None


PostToolUseFailureOutputDict = TypedDict(
    "PostToolUseFailureOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[PostToolUseFailureSpecificDict],
    },
)


class PostToolBatch(ClaudeCodeEvent):
    """After all tool calls of one message, before the model continues."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PostToolBatch"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    effort: dict[str, Any] | None = None
    """Level: the level of effort."""
    hook_event_name: Literal["PostToolBatch"] = "PostToolBatch"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_calls: list[Any]
    """For each call: tool_name, tool_input, tool_use_id, and tool_response as the model sees it."""

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


class PostToolBatchDict(TypedDict):
    """The payload of PostToolBatch."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    hook_event_name: Literal["PostToolBatch"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_calls: list[Any]


class PostToolBatchOutput(Output):
    """The output of a PostToolBatch hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: PostToolBatchSpecific | None = None


PostToolBatchOutputDict = TypedDict(
    "PostToolBatchOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[PostToolBatchSpecificDict],
    },
)


class PermissionDenied(ClaudeCodeEvent):
    """After a tool call was refused."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PermissionDenied"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    effort: dict[str, Any] | None = None
    """Level: the level of effort."""
    hook_event_name: Literal["PermissionDenied"] = "PermissionDenied"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    tool_name: str
    tool_input: Arguments
    """The arguments; Bash has command."""
    tool_use_id: str = ""
    reason: str = ""
    mcp_server: dict[str, Any] | None = None
    """Name and source of the server of an MCP tool."""

    @property
    def tool_call_id(self) -> str:
        """``tool_use_id`` under its neutral name, ``tool_call_id``."""
        return self.tool_use_id

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
        retry: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
            retry=retry,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PermissionDeniedDict(TypedDict):
    """The payload of PermissionDenied."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    hook_event_name: Literal["PermissionDenied"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    tool_name: str
    tool_input: Any
    tool_use_id: str
    reason: str
    mcp_server: NotRequired[dict[str, Any]]


class PermissionDeniedOutput(Output):
    """The output of a PermissionDenied hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: PermissionDeniedSpecific | None = None


PermissionDeniedOutputDict = TypedDict(
    "PermissionDeniedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[PermissionDeniedSpecificDict],
    },
)


class UserPromptSubmit(ClaudeCodeEvent):
    """Before a prompt reaches the model."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "UserPromptSubmit"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    hook_event_name: Literal["UserPromptSubmit"] = "UserPromptSubmit"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    prompt: str
    source: Literal["user", "sdk", "system", "loop_wakeup", "schedule_wakeup", "poll_event"] | str | None = None
    """The author of the prompt."""
    session_title: str | None = None

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
        session_title: str | None = None,
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
            session_title=session_title,
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
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    hook_event_name: Literal["UserPromptSubmit"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    prompt: str
    source: NotRequired[Literal["user", "sdk", "system", "loop_wakeup", "schedule_wakeup", "poll_event"] | str]
    session_title: NotRequired[str]


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


class UserPromptExpansion(ClaudeCodeEvent):
    """Before a slash command becomes a prompt."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "UserPromptExpansion"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    hook_event_name: Literal["UserPromptExpansion"] = "UserPromptExpansion"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    expansion_type: Literal["slash_command", "mcp_prompt"] | str = "slash_command"
    command_name: str
    command_args: str = ""
    command_source: str = ""
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


class UserPromptExpansionDict(TypedDict):
    """The payload of UserPromptExpansion."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    hook_event_name: Literal["UserPromptExpansion"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    expansion_type: Literal["slash_command", "mcp_prompt"] | str
    command_name: str
    command_args: str
    command_source: str
    prompt: str


class UserPromptExpansionOutput(Output):
    """The output of a UserPromptExpansion hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: UserPromptExpansionSpecific | None = None


UserPromptExpansionOutputDict = TypedDict(
    "UserPromptExpansionOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[UserPromptExpansionSpecificDict],
    },
)


class SessionStart(ClaudeCodeEvent):
    """When a session starts, resumes, is cleared or compacted."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "SessionStart"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["SessionStart"] = "SessionStart"
    agent_id: str | None = None
    """In a subagent only."""
    source: Annotated[Literal["startup", "resume", "clear", "compact", "fork"], OPEN] = "startup"
    model: str | None = None
    agent_type: str | None = None
    session_title: str | None = None
    seconds_since_last_response: float | None = None
    """Only in a continued conversation."""
    context_tokens: int | None = None
    prompt_cache_likely_expired: bool | None = None
    estimated_cache_write_usd: float | None = None
    """Dollars."""

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        context: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
        session_title: str | None = None,
        initial_user_message: str | None = None,
        watch_paths: list[str] | None = None,
        reload_skills: bool | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            context=context,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
            session_title=session_title,
            initial_user_message=initial_user_message,
            watch_paths=watch_paths,
            reload_skills=reload_skills,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class SessionStartDict(TypedDict):
    """The payload of SessionStart."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["SessionStart"]
    agent_id: NotRequired[str]
    source: Literal["startup", "resume", "clear", "compact", "fork"]
    model: NotRequired[str]
    agent_type: NotRequired[str]
    session_title: NotRequired[str]
    seconds_since_last_response: NotRequired[float]
    context_tokens: NotRequired[int]
    prompt_cache_likely_expired: NotRequired[bool]
    estimated_cache_write_usd: NotRequired[float]


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


class Setup(ClaudeCodeEvent):
    """On --init and --maintenance."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "Setup"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["Setup"] = "Setup"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    trigger: Annotated[Literal["init", "maintenance"], OPEN] = "init"

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


class SetupDict(TypedDict):
    """The payload of Setup."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["Setup"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    trigger: Literal["init", "maintenance"]


class SetupOutput(Output):
    """The output of a Setup hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: SetupSpecific | None = None


SetupOutputDict = TypedDict(
    "SetupOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[SetupSpecificDict],
    },
)


class SessionEnd(ClaudeCodeEvent):
    """When a session ends."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "SessionEnd"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["SessionEnd"] = "SessionEnd"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    reason: Annotated[Literal["clear", "resume", "logout", "prompt_input_exit", "other"], OPEN] = "other"

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class SessionEndDict(TypedDict):
    """The payload of SessionEnd."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["SessionEnd"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    reason: Literal["clear", "resume", "logout", "prompt_input_exit", "other"]


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


class Stop(ClaudeCodeEvent):
    """When the agent wants to stop."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "Stop"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    effort: dict[str, Any] | None = None
    """Level: the level of effort."""
    hook_event_name: Literal["Stop"] = "Stop"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    stop_hook_active: bool = False
    """A hook has already made the agent continue."""
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
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    hook_event_name: Literal["Stop"]
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


class SubagentStop(ClaudeCodeEvent):
    """When a subagent wants to stop."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "SubagentStop"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    effort: dict[str, Any] | None = None
    """Level: the level of effort."""
    hook_event_name: Literal["SubagentStop"] = "SubagentStop"
    stop_hook_active: bool = False
    """A hook has already made the agent continue."""
    last_assistant_message: str
    background_tasks: list[Any] = []
    session_crons: list[Any] = []
    agent_id: str = ""
    agent_type: str
    agent_transcript_path: str = ""

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


class SubagentStopDict(TypedDict):
    """The payload of SubagentStop."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    effort: NotRequired[dict[str, Any]]
    hook_event_name: Literal["SubagentStop"]
    stop_hook_active: bool
    last_assistant_message: str
    background_tasks: list[Any]
    session_crons: list[Any]
    agent_id: str
    agent_type: str
    agent_transcript_path: str


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


class StopFailure(ClaudeCodeEvent):
    """When a turn ends because the model's API returned an error."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "StopFailure"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["StopFailure"] = "StopFailure"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    error: Annotated[
        Literal[
            "rate_limit",
            "overloaded",
            "authentication_failed",
            "oauth_org_not_allowed",
            "billing_error",
            "invalid_request",
            "model_not_found",
            "server_error",
            "max_output_tokens",
            "verification_required",
            "cloud_credential_error",
            "account_on_hold",
            "unknown",
        ],
        OPEN,
    ]
    error_details: str | None = None
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
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class StopFailureDict(TypedDict):
    """The payload of StopFailure."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["StopFailure"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    error: Literal[
        "rate_limit",
        "overloaded",
        "authentication_failed",
        "oauth_org_not_allowed",
        "billing_error",
        "invalid_request",
        "model_not_found",
        "server_error",
        "max_output_tokens",
        "verification_required",
        "cloud_credential_error",
        "account_on_hold",
        "unknown",
    ]
    error_details: NotRequired[str]
    last_assistant_message: NotRequired[str]


class StopFailureOutput(Output):
    """The output of a StopFailure hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


StopFailureOutputDict = TypedDict(
    "StopFailureOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class SubagentStart(ClaudeCodeEvent):
    """When a subagent starts."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "SubagentStart"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
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
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["SubagentStart"]
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


class Notification(ClaudeCodeEvent):
    """When the person is notified."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "Notification"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["Notification"] = "Notification"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    message: str
    title: str | None = None
    notification_type: (
        Literal[
            "permission_prompt",
            "idle_prompt",
            "auth_success",
            "elicitation_dialog",
            "elicitation_complete",
            "elicitation_response",
            "elicitation_url_dialog",
            "agent_needs_input",
            "agent_completed",
        ]
        | str
    )

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


class NotificationDict(TypedDict):
    """The payload of Notification."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["Notification"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    message: str
    title: NotRequired[str]
    notification_type: (
        Literal[
            "permission_prompt",
            "idle_prompt",
            "auth_success",
            "elicitation_dialog",
            "elicitation_complete",
            "elicitation_response",
            "elicitation_url_dialog",
            "agent_needs_input",
            "agent_completed",
        ]
        | str
    )


class NotificationOutput(Output):
    """The output of a Notification hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: NotificationSpecific | None = None


NotificationOutputDict = TypedDict(
    "NotificationOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[NotificationSpecificDict],
    },
)


class PreCompact(ClaudeCodeEvent):
    """Before the conversation is compacted."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PreCompact"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["PreCompact"] = "PreCompact"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    trigger: Annotated[Literal["manual", "auto"], OPEN] = "auto"
    custom_instructions: str = ""
    """The text after /compact."""

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
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["PreCompact"]
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


class PostCompact(ClaudeCodeEvent):
    """After the conversation was compacted."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PostCompact"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["PostCompact"] = "PostCompact"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    trigger: Annotated[Literal["manual", "auto"], OPEN] = "auto"
    compact_summary: str = ""

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PostCompactDict(TypedDict):
    """The payload of PostCompact."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["PostCompact"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    trigger: Literal["manual", "auto"]
    compact_summary: str


class PostCompactOutput(Output):
    """The output of a PostCompact hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


PostCompactOutputDict = TypedDict(
    "PostCompactOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class TaskCreated(ClaudeCodeEvent):
    """When a task is created."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "TaskCreated"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    hook_event_name: Literal["TaskCreated"] = "TaskCreated"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    task_id: str = ""
    task_subject: str
    task_description: str | None = None
    teammate_name: str | None = None
    team_name: str = ""

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


class TaskCreatedDict(TypedDict):
    """The payload of TaskCreated."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    hook_event_name: Literal["TaskCreated"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    task_id: str
    task_subject: str
    task_description: NotRequired[str]
    teammate_name: NotRequired[str]
    team_name: str


class TaskCreatedOutput(Output):
    """The output of a TaskCreated hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


TaskCreatedOutputDict = TypedDict(
    "TaskCreatedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class TaskCompleted(ClaudeCodeEvent):
    """When a task is marked as done."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "TaskCompleted"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    hook_event_name: Literal["TaskCompleted"] = "TaskCompleted"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    task_id: str = ""
    task_subject: str
    task_description: str | None = None
    teammate_name: str | None = None
    team_name: str = ""

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


class TaskCompletedDict(TypedDict):
    """The payload of TaskCompleted."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    hook_event_name: Literal["TaskCompleted"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    task_id: str
    task_subject: str
    task_description: NotRequired[str]
    teammate_name: NotRequired[str]
    team_name: str


class TaskCompletedOutput(Output):
    """The output of a TaskCompleted hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


TaskCompletedOutputDict = TypedDict(
    "TaskCompletedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class TeammateIdle(ClaudeCodeEvent):
    """When a teammate runs out of work."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "TeammateIdle"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    hook_event_name: Literal["TeammateIdle"] = "TeammateIdle"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    teammate_name: str
    team_name: str = ""

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


class TeammateIdleDict(TypedDict):
    """The payload of TeammateIdle."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    hook_event_name: Literal["TeammateIdle"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    teammate_name: str
    team_name: str


class TeammateIdleOutput(Output):
    """The output of a TeammateIdle hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


TeammateIdleOutputDict = TypedDict(
    "TeammateIdleOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class InstructionsLoaded(ClaudeCodeEvent):
    """When a file of instructions is read."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "InstructionsLoaded"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["InstructionsLoaded"] = "InstructionsLoaded"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    file_path: str = ""
    memory_type: str = ""
    load_reason: Annotated[
        Literal["session_start", "nested_traversal", "path_glob_match", "include", "compact"], OPEN
    ] = "session_start"
    globs: list[Any] | None = None
    trigger_file_path: str | None = None
    parent_file_path: str | None = None

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class InstructionsLoadedDict(TypedDict):
    """The payload of InstructionsLoaded."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["InstructionsLoaded"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    file_path: str
    memory_type: str
    load_reason: Literal["session_start", "nested_traversal", "path_glob_match", "include", "compact"]
    globs: NotRequired[list[Any]]
    trigger_file_path: NotRequired[str]
    parent_file_path: NotRequired[str]


class InstructionsLoadedOutput(Output):
    """The output of a InstructionsLoaded hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


InstructionsLoadedOutputDict = TypedDict(
    "InstructionsLoadedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class ConfigChange(ClaudeCodeEvent):
    """When settings change while the session runs."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "ConfigChange"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["ConfigChange"] = "ConfigChange"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    source: Annotated[
        Literal["user_settings", "project_settings", "local_settings", "policy_settings", "skills"], OPEN
    ] = "project_settings"
    file_path: str | None = None

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


class ConfigChangeDict(TypedDict):
    """The payload of ConfigChange."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["ConfigChange"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    source: Literal["user_settings", "project_settings", "local_settings", "policy_settings", "skills"]
    file_path: NotRequired[str]


class ConfigChangeOutput(Output):
    """The output of a ConfigChange hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None


ConfigChangeOutputDict = TypedDict(
    "ConfigChangeOutputDict",
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


class CwdChanged(ClaudeCodeEvent):
    """When the working directory changes."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "CwdChanged"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["CwdChanged"] = "CwdChanged"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    old_cwd: str = ""
    new_cwd: str

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
        watch_paths: list[str] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
            watch_paths=watch_paths,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class CwdChangedDict(TypedDict):
    """The payload of CwdChanged."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["CwdChanged"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    old_cwd: str
    new_cwd: str


class CwdChangedOutput(Output):
    """The output of a CwdChanged hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: CwdChangedSpecific | None = None


CwdChangedOutputDict = TypedDict(
    "CwdChangedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[CwdChangedSpecificDict],
    },
)


class FileChanged(ClaudeCodeEvent):
    """When a watched file changes."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "FileChanged"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["FileChanged"] = "FileChanged"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    file_path: str
    event: Literal["change", "add", "unlink"] | str = "change"

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
        watch_paths: list[str] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
            watch_paths=watch_paths,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class FileChangedDict(TypedDict):
    """The payload of FileChanged."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["FileChanged"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    file_path: str
    event: Literal["change", "add", "unlink"] | str


class FileChangedOutput(Output):
    """The output of a FileChanged hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: FileChangedSpecific | None = None


FileChangedOutputDict = TypedDict(
    "FileChangedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[FileChangedSpecificDict],
    },
)


class WorktreeCreate(ClaudeCodeEvent):
    """Makes a worktree instead of git."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "WorktreeCreate"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["WorktreeCreate"] = "WorktreeCreate"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    name: str

    def answer(
        self,
        decision: Literal["deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
        worktree_path: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
            worktree_path=worktree_path,
        )

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class WorktreeCreateDict(TypedDict):
    """The payload of WorktreeCreate."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["WorktreeCreate"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    name: str


class WorktreeCreateOutput(Output):
    """The output of a WorktreeCreate hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: WorktreeCreateSpecific | None = None


WorktreeCreateOutputDict = TypedDict(
    "WorktreeCreateOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[WorktreeCreateSpecificDict],
    },
)


class WorktreeRemove(ClaudeCodeEvent):
    """Removes a worktree that WorktreeCreate made."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "WorktreeRemove"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["WorktreeRemove"] = "WorktreeRemove"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    worktree_path: str

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


class WorktreeRemoveDict(TypedDict):
    """The payload of WorktreeRemove."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["WorktreeRemove"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    worktree_path: str


class WorktreeRemoveOutput(Output):
    """The output of a WorktreeRemove hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


WorktreeRemoveOutputDict = TypedDict(
    "WorktreeRemoveOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


class Elicitation(ClaudeCodeEvent):
    """When an MCP server asks the person for input."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "Elicitation"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    hook_event_name: Literal["Elicitation"] = "Elicitation"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    mcp_server_name: str
    message: str
    mode: str | None = None
    url: str | None = None
    elicitation_id: str | None = None
    requested_schema: dict[str, Any] | None = None
    """JSON Schema of the requested content."""

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
        elicitation: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
            elicitation=elicitation,
        )

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class ElicitationDict(TypedDict):
    """The payload of Elicitation."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    hook_event_name: Literal["Elicitation"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    mcp_server_name: str
    message: str
    mode: NotRequired[str]
    url: NotRequired[str]
    elicitation_id: NotRequired[str]
    requested_schema: NotRequired[dict[str, Any]]


class ElicitationOutput(Output):
    """The output of a Elicitation hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: ElicitationSpecific | None = None


ElicitationOutputDict = TypedDict(
    "ElicitationOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[ElicitationSpecificDict],
    },
)


class ElicitationResult(ClaudeCodeEvent):
    """Before an answer goes back to the MCP server."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "ElicitationResult"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str = "default"
    hook_event_name: Literal["ElicitationResult"] = "ElicitationResult"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    mcp_server_name: str
    message: str
    mode: str | None = None
    url: str | None = None
    elicitation_id: str | None = None
    requested_schema: dict[str, Any] | None = None
    """JSON Schema of the requested content."""
    action: Literal["accept", "decline", "cancel"] | str = "accept"
    content: dict[str, Any] | None = None
    """The person's input."""

    def answer(
        self,
        decision: Literal["allow", "deny"] | None = None,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
        elicitation: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            decision=decision,
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
            elicitation=elicitation,
        )

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class ElicitationResultDict(TypedDict):
    """The payload of ElicitationResult."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    hook_event_name: Literal["ElicitationResult"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    mcp_server_name: str
    message: str
    mode: NotRequired[str]
    url: NotRequired[str]
    elicitation_id: NotRequired[str]
    requested_schema: NotRequired[dict[str, Any]]
    action: Literal["accept", "decline", "cancel"] | str
    content: NotRequired[dict[str, Any]]


class ElicitationResultOutput(Output):
    """The output of a ElicitationResult hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: ElicitationResultSpecific | None = None


ElicitationResultOutputDict = TypedDict(
    "ElicitationResultOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[ElicitationResultSpecificDict],
    },
)


class MessageDisplay(ClaudeCodeEvent):
    """Before a message is shown."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "MessageDisplay"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["MessageDisplay"] = "MessageDisplay"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    turn_id: str = ""
    message_id: str = ""
    index: int = 0
    final: bool = True
    """This is the last part of the message."""
    delta: str
    """The next part of the message."""

    @property
    def content(self) -> str:
        """``delta`` under its neutral name, ``content``."""
        return self.delta

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        updated_output: Any = None,
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            updated_output=updated_output,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class MessageDisplayDict(TypedDict):
    """The payload of MessageDisplay."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["MessageDisplay"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    turn_id: str
    message_id: str
    index: int
    final: bool
    delta: str


class MessageDisplayOutput(Output):
    """The output of a MessageDisplay hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: MessageDisplaySpecific | None = None


MessageDisplayOutputDict = TypedDict(
    "MessageDisplayOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[MessageDisplaySpecificDict],
    },
)


class PreModelSwitch(ClaudeCodeEvent):
    """Before another model takes over."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PreModelSwitch"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["PreModelSwitch"] = "PreModelSwitch"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    from_model: str = ""
    to_model: str
    requested_model: str | None = None
    """The name in the request."""
    source: str = ""
    context_tokens: int = 0
    prompt_cache_warm: bool = False
    cache_ttl: Any = None
    estimated_cache_write_usd: float = 0
    """Dollars."""
    pricing: dict[str, Any] = {}

    @property
    def model(self) -> str:
        """``to_model`` under its neutral name, ``model``."""
        return self.to_model

    def answer(
        self,
        decision: Literal["allow", "ask", "deny"] | None = None,
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

    def ask(self, reason: str = "") -> NoReturn:
        """Let the person decide, and end the hook."""
        self._answer("ask", reason)

    def deny(self, reason: str = "") -> NoReturn:
        """Refuse it, and end the hook."""
        self._answer("deny", reason)

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class PreModelSwitchDict(TypedDict):
    """The payload of PreModelSwitch."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["PreModelSwitch"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    from_model: str
    to_model: str
    requested_model: str | None
    source: str
    context_tokens: int
    prompt_cache_warm: bool
    cache_ttl: Any
    estimated_cache_write_usd: float
    pricing: dict[str, Any]


class PreModelSwitchOutput(Output):
    """The output of a PreModelSwitch hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    hookSpecificOutput: PreModelSwitchSpecific | None = None


PreModelSwitchOutputDict = TypedDict(
    "PreModelSwitchOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "decision": NotRequired[Literal["approve", "block"]],
        "reason": NotRequired[str],
        "hookSpecificOutput": NotRequired[PreModelSwitchSpecificDict],
    },
)


class PostModelSwitch(ClaudeCodeEvent):
    """After another model has taken over."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "PostModelSwitch"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["PostModelSwitch"] = "PostModelSwitch"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    from_model: str = ""
    to_model: str
    requested_model: str | None = None
    """The name in the request."""
    source: str = ""
    context_tokens: int = 0
    prompt_cache_warm: bool = False
    cache_ttl: Any = None
    estimated_cache_write_usd: float = 0
    """Dollars."""
    pricing: dict[str, Any] = {}

    @property
    def model(self) -> str:
        """``to_model`` under its neutral name, ``model``."""
        return self.to_model

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


class PostModelSwitchDict(TypedDict):
    """The payload of PostModelSwitch."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["PostModelSwitch"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    from_model: str
    to_model: str
    requested_model: str | None
    source: str
    context_tokens: int
    prompt_cache_warm: bool
    cache_ttl: Any
    estimated_cache_write_usd: float
    pricing: dict[str, Any]


class PostModelSwitchOutput(Output):
    """The output of a PostModelSwitch hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None
    hookSpecificOutput: PostModelSwitchSpecific | None = None


PostModelSwitchOutputDict = TypedDict(
    "PostModelSwitchOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
        "hookSpecificOutput": NotRequired[PostModelSwitchSpecificDict],
    },
)


class DirectoryAdded(ClaudeCodeEvent):
    """When a working directory is added."""

    SYSTEM: ClassVar[str] = "claude_code"
    EVENT: ClassVar[str] = "DirectoryAdded"

    permission_mode: Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str | None = (
        None
    )
    hook_event_name: Literal["DirectoryAdded"] = "DirectoryAdded"
    agent_id: str | None = None
    """In a subagent only."""
    agent_type: str | None = None
    """In a subagent only."""
    directory: str = ""
    source: Annotated[Literal["slash_command", "register_repo_root"], OPEN] = "slash_command"

    def answer(
        self,
        reason: str = "",
        *,
        halt: bool = False,
        user_message: str = "",
        suppress_output: bool | None = None,
        terminal_sequence: str | None = None,
    ) -> NoReturn:
        """Answer, and end the hook. Without arguments it has no opinion."""
        self._answer(
            reason=reason,
            halt=halt,
            user_message=user_message,
            suppress_output=suppress_output,
            terminal_sequence=terminal_sequence,
        )

    def halt(self, reason: str = "") -> NoReturn:
        """End the agent's loop, and the hook."""
        self._answer(None, reason, halt=True)


class DirectoryAddedDict(TypedDict):
    """The payload of DirectoryAdded."""

    session_id: str
    transcript_path: str
    cwd: str
    prompt_id: NotRequired[str]
    permission_mode: NotRequired[
        Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] | str
    ]
    hook_event_name: Literal["DirectoryAdded"]
    agent_id: NotRequired[str]
    agent_type: NotRequired[str]
    directory: str
    source: Literal["slash_command", "register_repo_root"]


class DirectoryAddedOutput(Output):
    """The output of a DirectoryAdded hook."""

    continue_: bool | None = Field(default=None, alias="continue")
    """False ends everything, whatever the decision."""
    stopReason: str | None = None
    suppressOutput: bool | None = None
    systemMessage: str | None = None
    terminalSequence: str | None = None


DirectoryAddedOutputDict = TypedDict(
    "DirectoryAddedOutputDict",
    {
        "continue": NotRequired[bool],
        "stopReason": NotRequired[str],
        "suppressOutput": NotRequired[bool],
        "systemMessage": NotRequired[str],
        "terminalSequence": NotRequired[str],
    },
)


#: Any event of the system.
AnyEvent = (
    PreToolUse
    | PreSkillShellCommand
    | PermissionRequest
    | PostToolUse
    | PostToolUseFailure
    | PostToolBatch
    | PermissionDenied
    | UserPromptSubmit
    | UserPromptExpansion
    | SessionStart
    | Setup
    | SessionEnd
    | Stop
    | SubagentStop
    | StopFailure
    | SubagentStart
    | Notification
    | PreCompact
    | PostCompact
    | TaskCreated
    | TaskCompleted
    | TeammateIdle
    | InstructionsLoaded
    | ConfigChange
    | CwdChanged
    | FileChanged
    | WorktreeCreate
    | WorktreeRemove
    | Elicitation
    | ElicitationResult
    | MessageDisplay
    | PreModelSwitch
    | PostModelSwitch
    | DirectoryAdded
)
EVENTS: dict[str, type[AnyEvent]] = {
    PreToolUse.EVENT: PreToolUse,
    PreSkillShellCommand.EVENT: PreSkillShellCommand,
    PermissionRequest.EVENT: PermissionRequest,
    PostToolUse.EVENT: PostToolUse,
    PostToolUseFailure.EVENT: PostToolUseFailure,
    PostToolBatch.EVENT: PostToolBatch,
    PermissionDenied.EVENT: PermissionDenied,
    UserPromptSubmit.EVENT: UserPromptSubmit,
    UserPromptExpansion.EVENT: UserPromptExpansion,
    SessionStart.EVENT: SessionStart,
    Setup.EVENT: Setup,
    SessionEnd.EVENT: SessionEnd,
    Stop.EVENT: Stop,
    SubagentStop.EVENT: SubagentStop,
    StopFailure.EVENT: StopFailure,
    SubagentStart.EVENT: SubagentStart,
    Notification.EVENT: Notification,
    PreCompact.EVENT: PreCompact,
    PostCompact.EVENT: PostCompact,
    TaskCreated.EVENT: TaskCreated,
    TaskCompleted.EVENT: TaskCompleted,
    TeammateIdle.EVENT: TeammateIdle,
    InstructionsLoaded.EVENT: InstructionsLoaded,
    ConfigChange.EVENT: ConfigChange,
    CwdChanged.EVENT: CwdChanged,
    FileChanged.EVENT: FileChanged,
    WorktreeCreate.EVENT: WorktreeCreate,
    WorktreeRemove.EVENT: WorktreeRemove,
    Elicitation.EVENT: Elicitation,
    ElicitationResult.EVENT: ElicitationResult,
    MessageDisplay.EVENT: MessageDisplay,
    PreModelSwitch.EVENT: PreModelSwitch,
    PostModelSwitch.EVENT: PostModelSwitch,
    DirectoryAdded.EVENT: DirectoryAdded,
}


def read() -> AnyEvent:
    """Read whichever event the agent sent, as ``Event.read`` does."""
    return reading.read("claude_code", EVENTS)
