"""Claude Code's events as data: payload fields, matchers and permitted answers (claude_code 3, 5, 6)."""

from __future__ import annotations

from typing import Any

from ...hooks.dialect import CLOSED, Field
from ...hooks.model import FAILURES
from ..grouped_events.form import AnswerForm
from ..grouped_events.rows import LOGGED, NO_OUTPUT, GroupedEvent, OutputRules, field, needed, optional
from .tables import EFFECTS, LONG_OUTPUT, UNIVERSAL

SHORT, DISPLAY = 30.0, 10.0  # seconds, for events with less than the handler's own default
BUDGET, LARGEST_BUDGET = 1.5, 60.0  # seconds for all hooks of SessionEnd together

_ALWAYS_CLOSED = dict.fromkeys(FAILURES, CLOSED)


class ClaudeEvent(GroupedEvent):
    """A row of the table, with the columns that only Claude Code has.

    ``hooks``: the types that run there (claude_code 2). ``bars_only``: a matcher is exact only if it consists
    of letters, digits, ``_`` and ``|``. ``absent``: the quirk under which the event does not exist.
    """

    __slots__ = ("absent", "bars_only", "hooks")

    def __init__(
        self,
        native: str,
        output_rules: OutputRules,
        *,
        hooks: tuple[str, ...],
        bars_only: bool,
        absent: str,
        **columns: Any,
    ) -> None:
        super().__init__(native, output_rules, **columns)
        self.hooks = hooks
        self.bars_only = bars_only
        self.absent = absent


_NOTIFICATIONS = (
    "permission_prompt",
    "idle_prompt",
    "auth_success",
    "elicitation_dialog",
    "elicitation_complete",
    "elicitation_response",
    "elicitation_url_dialog",
    "agent_needs_input",
    "agent_completed",
)
_CONTEXT = "additionalContext"
_PROMPTED_BY = ("user", "sdk", "system", "loop_wakeup", "schedule_wakeup", "poll_event")
_MODES = ("default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions")
_ACTIONS = ("accept", "decline", "cancel")
_EARLY = ("command", "mcp_tool")
_CALLED = ("command", "http", "mcp_tool")
_CALLED_OR_PROMPTED = (*_CALLED, "prompt", "agent")


def _common(mode: bool, effort: bool) -> tuple[Field, ...]:
    return (
        field("session_id", sample="4f9c2a10-0000-4000-8000-000000000001"),
        field("transcript_path", about="the path of the transcript, whose last lines may be missing"),
        field("cwd", sample="."),
        optional("prompt_id", about="missing before the first prompt"),
        field("permission_mode", default="default", known=_MODES)
        if mode
        else optional("permission_mode", known=_MODES),
        *((optional("effort", kind="object", about="level: the level of effort"),) if effort else ()),
        field("hook_event_name"),
        optional("agent_id", about="in a subagent only"),
        optional("agent_type", about="in a subagent only"),
    )


_TOOL = (
    needed("tool_name", sample="Bash"),
    needed(
        "tool_input",
        kind="json",
        default={},
        sample={"command": "git push --force", "description": "Push"},
        about="the arguments; Bash has command",
    ),
)
_USE_ID = field("tool_use_id", "tool_call_id", sample="toolu_01")
_DURATION = optional("duration_ms", kind="integer", sample=12, about="milliseconds")
_SERVER = optional("mcp_server", kind="object", about="name and source of the server of an MCP tool")
_SUBAGENT = (field("agent_id", sample="agent-1"), needed("agent_type", sample="Explore"))
_STOP = (
    field(
        "stop_hook_active",
        kind="boolean",
        default=False,
        sample=False,
        about="a hook has already made the agent continue",
    ),
    needed("last_assistant_message", "response", sample="All tests pass."),
    field("background_tasks", kind="array", default=[]),
    field("session_crons", kind="array", default=[]),
)
_TASK = (
    field("task_id", sample="task-1"),
    needed("task_subject", sample="Write the migration"),
    optional("task_description"),
    optional("teammate_name"),
    field("team_name"),
)
_ELICITATION = (
    needed("mcp_server_name", sample="tickets"),
    needed("message", sample="Which project?"),
    optional("mode"),
    optional("url"),
    optional("elicitation_id"),
    optional("requested_schema", kind="object", about="JSON Schema of the requested content"),
)
_SWITCH = (
    field("from_model", sample="claude-sonnet-4-5"),
    needed("to_model", "model", sample="claude-opus-4-5"),
    field("requested_model", default=None, kind="string or null", about="the name in the request"),
    field("source", sample="user"),
    field("context_tokens", kind="integer", default=0),
    field("prompt_cache_warm", kind="boolean", default=False),
    field("cache_ttl", default=None, kind="any"),
    field("estimated_cache_write_usd", kind="number", default=0, about="dollars"),
    field("pricing", kind="object", default={}),
)

#: Keys that an event has itself, and that the common fields have too in a subagent.
_NAMED_TWICE = frozenset(["agent_id", "agent_type"])


def _row(
    native: str,
    *own: Field,
    can: str = "halt",
    neutral: str = "",
    mode: bool = False,
    effort: bool = False,
    output_rules: OutputRules = NO_OUTPUT,
    hooks: tuple[str, ...] = _CALLED,
    bars_only: bool = False,
    absent: str = "",
    **columns: Any,
) -> ClaudeEvent:
    names = {column.native for column in own}
    common = [column for column in _common(mode, effort) if column.native not in names & _NAMED_TWICE]
    return ClaudeEvent(
        native,
        output_rules,
        hooks=hooks,
        bars_only=bars_only,
        absent=absent,
        neutral=(neutral,) if neutral else (),
        fields=(*common, *own),
        can=frozenset(can.split()),
        rewrite="replace" if "rewrite" in can else "",
        **columns,
    )


_ROWS = (
    _row(
        "PreToolUse",
        *_TOOL,
        _USE_ID,
        _SERVER,
        can="deny allow ask halt rewrite context",
        subject="tool_name",
        neutral="before_tool",
        mode=True,
        effort=True,
        output_rules=OutputRules(
            "deny",
            "deny",
            f"permissionDecision permissionDecisionReason updatedInput {_CONTEXT} permissionDisplay",
            defers=True,
        ),
        hooks=_CALLED_OR_PROMPTED,
        summary="before a tool call",
    ),
    _row(
        "PreSkillShellCommand",
        needed("tool_name", sample="Bash", known=("Bash", "PowerShell")),
        needed(
            "tool_input", kind="json", default={}, sample={"command": "git status"}, about="the command as it would run"
        ),
        _USE_ID,
        field("command_name", sample="review", about="the skill, or slash command, whose text has the command"),
        optional("command_source"),
        field("invoked_by", default="user", sample="user", known=("user", "claude", "other")),
        can="deny halt",
        guards="call",
        subject="tool_name",
        mode=True,
        output_rules=OutputRules(
            "deny",
            "deny",
            "permissionDecision permissionDecisionReason updatedInput decision",
            refuses=("PreToolUse", "PermissionRequest"),
        ),
        absent="no_skill_shell_event",
        summary="before a shell command in the text of a skill or slash command",
    ),
    _row(
        "PermissionRequest",
        *_TOOL,
        optional(
            "permission_suggestions",
            kind="array",
            about="the options of the dialog, each with a type and a destination",
        ),
        _SERVER,
        can="deny allow halt rewrite",
        guards="call",
        subject="tool_name",
        mode=True,
        effort=True,
        output_rules=OutputRules(
            "", "", "decision", effects=("updated_permissions",), under=("exit_2_denies_permission", "deny")
        ),
        hooks=_CALLED_OR_PROMPTED,
        summary="when a permission dialog would open",
    ),
    _row(
        "PostToolUse",
        *_TOOL,
        needed(
            "tool_response",
            "tool_output",
            kind="any",
            default={},
            sample={"stdout": "ok\n", "stderr": ""},
            about="the tool's own object",
        ),
        _USE_ID,
        _DURATION,
        _SERVER,
        can="deny halt context output",
        subject="tool_name",
        neutral="after_tool",
        when="succeeded",
        mode=True,
        effort=True,
        output_rules=OutputRules(
            "result", "result", f"{_CONTEXT} updatedToolOutput updatedMCPToolOutput classifierContext"
        ),
        hooks=_CALLED_OR_PROMPTED,
        summary="after a tool call that succeeded",
    ),
    _row(
        "PostToolUseFailure",
        *_TOOL,
        _USE_ID,
        needed("error", "tool_error", sample="exit status 1"),
        optional("is_interrupt", kind="boolean", about="the person has interrupted it"),
        _DURATION,
        _SERVER,
        can="halt context",
        subject="tool_name",
        neutral="after_tool",
        when="failed",
        mode=True,
        effort=True,
        output_rules=OutputRules("", "context", _CONTEXT),
        hooks=_CALLED_OR_PROMPTED,
        summary="after a tool call that failed",
    ),
    _row(
        "PostToolBatch",
        needed(
            "tool_calls",
            kind="array",
            default=[],
            about="for each call: tool_name, tool_input, tool_use_id, and tool_response as the model sees it",
            sample=[{"tool_name": "Read", "tool_input": {}, "tool_use_id": "toolu_01", "tool_response": ""}],
        ),
        can="deny halt context",
        guards="result",
        mode=True,
        effort=True,
        output_rules=OutputRules("halt", "halt", _CONTEXT),
        hooks=_CALLED_OR_PROMPTED,
        summary="after all tool calls of one message, before the model continues",
    ),
    _row(
        "PermissionDenied",
        *_TOOL,
        _USE_ID,
        field("reason", sample="the classifier refused it"),
        _SERVER,
        subject="tool_name",
        mode=True,
        effort=True,
        output_rules=OutputRules(fields="retry"),
        hooks=_CALLED_OR_PROMPTED,
        summary="after a tool call was refused",
    ),
    _row(
        "UserPromptSubmit",
        needed("prompt", sample="Fix the failing test"),
        optional("source", known=_PROMPTED_BY, about="the author of the prompt"),
        optional("session_title"),
        can="deny halt context",
        neutral="before_prompt",
        target="prompt",
        mode=True,
        timeout=SHORT,
        output_rules=OutputRules(
            "discard", "discard", f"{_CONTEXT} sessionTitle suppressOriginalPrompt", text="context"
        ),
        hooks=_CALLED_OR_PROMPTED,
        summary="before a prompt reaches the model",
    ),
    _row(
        "UserPromptExpansion",
        field("expansion_type", default="slash_command", sample="slash_command", known=("slash_command", "mcp_prompt")),
        needed("command_name", sample="review"),
        field("command_args"),
        field("command_source"),
        needed("prompt", sample="/review"),
        can="deny halt context",
        guards="prompt",
        subject="command_name",
        target="prompt",
        mode=True,
        output_rules=OutputRules("deny", "deny", f"{_CONTEXT} suppressOriginalPrompt", text="context"),
        hooks=_CALLED_OR_PROMPTED,
        summary="before a slash command becomes a prompt",
    ),
    _row(
        "SessionStart",
        field("source", default="startup", sample="startup", values=("startup", "resume", "clear", "compact", "fork")),
        optional("model", sample="claude-sonnet-4-5"),
        optional("agent_type"),
        optional("session_title"),
        optional("seconds_since_last_response", kind="number", about="only in a continued conversation"),
        optional("context_tokens", kind="integer"),
        optional("prompt_cache_likely_expired", kind="boolean"),
        optional("estimated_cache_write_usd", kind="number", about="dollars"),
        can="halt context env",
        subject="source",
        neutral="session_start",
        output_rules=OutputRules(
            fields=f"{_CONTEXT} initialUserMessage sessionTitle watchPaths reloadSkills", text="context"
        ),
        hooks=_EARLY,
        summary="when a session starts, resumes, is cleared or compacted",
    ),
    _row(
        "Setup",
        field("trigger", default="init", sample="init", values=("init", "maintenance")),
        can="halt context env",
        subject="trigger",
        output_rules=OutputRules(fields=_CONTEXT),
        hooks=_EARLY,
        summary="on --init and --maintenance",
    ),
    _row(
        "SessionEnd",
        field(
            "reason",
            default="other",
            sample="prompt_input_exit",
            values=("clear", "resume", "logout", "prompt_input_exit", "other"),
        ),
        subject="reason",
        neutral="session_end",
        timeout=BUDGET,
        shielded=True,
        summary="when a session ends",
    ),
    _row(
        "Stop",
        *_STOP,
        can="halt context followup",
        neutral="after_agent",
        mode=True,
        effort=True,
        output_rules=OutputRules("followup", "followup", _CONTEXT),
        hooks=_CALLED_OR_PROMPTED,
        summary="when the agent wants to stop",
    ),
    _row(
        "SubagentStop",
        *_STOP,
        *_SUBAGENT,
        field("agent_transcript_path"),
        can="halt context followup",
        subject="agent_type",
        neutral="subagent_stop",
        mode=True,
        effort=True,
        output_rules=OutputRules("followup", "followup", _CONTEXT),
        hooks=_CALLED_OR_PROMPTED,
        summary="when a subagent wants to stop",
    ),
    _row(
        "StopFailure",
        needed(
            "error",
            sample="rate_limit",
            values=(
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
            ),
        ),
        optional("error_details"),
        optional("last_assistant_message", "response"),
        subject="error",
        bars_only=True,
        summary="when a turn ends because the model's API returned an error",
    ),
    _row(
        "SubagentStart",
        *_SUBAGENT,
        can="halt context",
        subject="agent_type",
        neutral="subagent_start",
        output_rules=OutputRules(fields=_CONTEXT),
        summary="when a subagent starts",
    ),
    _row(
        "Notification",
        needed("message", sample="Claude needs your permission"),
        optional("title"),
        needed("notification_type", sample="permission_prompt", known=_NOTIFICATIONS),
        can="halt context",
        subject="notification_type",
        neutral="notification",
        output_rules=OutputRules(fields=_CONTEXT),
        summary="when the person is notified",
    ),
    _row(
        "PreCompact",
        field("trigger", default="auto", sample="auto", values=("manual", "auto")),
        field("custom_instructions", about="the text after /compact"),
        can="deny halt",
        subject="trigger",
        neutral="before_compact",
        output_rules=OutputRules("deny", "deny", text="compact_instructions"),
        summary="before the conversation is compacted",
    ),
    _row(
        "PostCompact",
        field("trigger", default="auto", sample="auto", values=("manual", "auto")),
        field("compact_summary", sample="We fixed the parser."),
        subject="trigger",
        output_rules=OutputRules(text="user_message"),
        summary="after the conversation was compacted",
    ),
    _row(
        "TaskCreated",
        *_TASK,
        can="deny halt",
        mode=True,
        output_rules=OutputRules("", "deny"),
        hooks=_CALLED_OR_PROMPTED,
        summary="when a task is created",
    ),
    _row(
        "TaskCompleted",
        *_TASK,
        can="deny halt",
        guards="stop",
        mode=True,
        output_rules=OutputRules("", "deny"),
        hooks=_CALLED_OR_PROMPTED,
        summary="when a task is marked as done",
    ),
    _row(
        "TeammateIdle",
        needed("teammate_name", sample="tester"),
        field("team_name", sample="release"),
        can="halt followup",
        mode=True,
        output_rules=OutputRules("", "followup"),
        hooks=_CALLED_OR_PROMPTED,
        summary="when a teammate runs out of work",
    ),
    _row(
        "InstructionsLoaded",
        field("file_path", sample="CLAUDE.md"),
        field("memory_type", sample="Project"),
        field(
            "load_reason",
            default="session_start",
            sample="session_start",
            values=("session_start", "nested_traversal", "path_glob_match", "include", "compact"),
        ),
        optional("globs", kind="array"),
        optional("trigger_file_path"),
        optional("parent_file_path"),
        subject="load_reason",
        summary="when a file of instructions is read",
    ),
    _row(
        "ConfigChange",
        field(
            "source",
            default="project_settings",
            sample="project_settings",
            values=("user_settings", "project_settings", "local_settings", "policy_settings", "skills"),
        ),
        optional("file_path"),
        can="deny halt",
        subject="source",
        output_rules=OutputRules("deny", "deny", spares="policy_settings"),
        summary="when settings change while the session runs",
    ),
    _row(
        "CwdChanged",
        field("old_cwd", sample="/work"),
        needed("new_cwd", sample="/work/app"),
        can="halt env",
        output_rules=OutputRules(fields="watchPaths"),
        summary="when the working directory changes",
    ),
    _row(
        "FileChanged",
        needed("file_path", sample=".env"),
        field("event", default="change", sample="change", known=("change", "add", "unlink")),
        can="halt env",
        subject="file_path",
        output_rules=OutputRules(fields="watchPaths"),
        bars_only=True,
        summary="when a watched file changes",
    ),
    _row(
        "WorktreeCreate",
        needed("name", sample="feature-1"),
        can="deny halt",
        failure=_ALWAYS_CLOSED,
        output_rules=OutputRules("", "deny", "worktreePath", effects=("worktree_path",)),
        summary="makes a worktree instead of git",
    ),
    _row(
        "WorktreeRemove",
        needed("worktree_path", sample="/tmp/feature-1"),
        can="deny halt",
        failure=_ALWAYS_CLOSED,
        output_rules=OutputRules("", "deny", under=("worktree_remove_is_logged", LOGGED)),
        summary="removes a worktree that WorktreeCreate made",
    ),
    _row(
        "Elicitation",
        *_ELICITATION,
        can="deny allow halt",
        subject="mcp_server_name",
        mode=True,
        output_rules=OutputRules("", "decline", "action content", effects=("elicitation",)),
        summary="when an MCP server asks the person for input",
    ),
    _row(
        "ElicitationResult",
        *_ELICITATION,
        field("action", default="accept", sample="accept", known=_ACTIONS),
        optional("content", kind="object", about="the person's input"),
        can="deny allow halt",
        subject="mcp_server_name",
        mode=True,
        output_rules=OutputRules("", "decline", "action content", effects=("elicitation",)),
        summary="before an answer goes back to the MCP server",
    ),
    _row(
        "MessageDisplay",
        field("turn_id", sample="turn-1"),
        field("message_id", sample="msg-1"),
        field("index", kind="integer", default=0, sample=0),
        field("final", kind="boolean", default=True, sample=True, about="this is the last part of the message"),
        needed("delta", "content", sample="Done.", about="the next part of the message"),
        can="halt output",
        timeout=DISPLAY,
        output_rules=OutputRules(fields="displayContent"),
        summary="before a message is shown",
    ),
    _row(
        "PreModelSwitch",
        *_SWITCH,
        can="deny allow ask halt",
        subject="to_model",
        timeout=SHORT,
        failure={"timed_out": CLOSED, "abandoned": CLOSED},
        output_rules=OutputRules("deny", "deny", "permissionDecision permissionDecisionReason decision reason"),
        absent="no_model_switch_events",
        summary="before another model takes over",
    ),
    _row(
        "PostModelSwitch",
        *_SWITCH,
        can="halt context",
        subject="to_model",
        timeout=SHORT,
        output_rules=OutputRules(fields=_CONTEXT, text="context"),
        absent="no_model_switch_events",
        summary="after another model has taken over",
    ),
    _row(
        "DirectoryAdded",
        field("directory", sample="/work/library"),
        field(
            "source", default="slash_command", sample="slash_command", values=("slash_command", "register_repo_root")
        ),
        subject="source",
        absent="no_model_switch_events",
        summary="when a working directory is added",
    ),
)
EVENTS: dict[str, ClaudeEvent] = {row.native: row for row in _ROWS}

#: The keys of its answers (claude_code 6).
FORM = AnswerForm(
    "Claude Code",
    EVENTS.values(),
    universal=UNIVERSAL,
    others=("async", "asyncTimeout"),
    effects=EFFECTS,
    long_output=LONG_OUTPUT,
    refuses_nulls=True,
)
