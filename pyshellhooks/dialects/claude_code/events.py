"""Claude Code's events as data: what each tells its hooks, and what they may do (claude_code 3, 5, 6)."""

from __future__ import annotations

from collections.abc import Mapping

from ...hooks.dialect import ABSENT, CLOSED, EventSpec, Field
from ...hooks.model import FAILURES
from ...hooks.wire import JSON

SHORT, DISPLAY = 30.0, 10.0  # seconds, where an event has less than the handler's own default
BUDGET, LARGEST_BUDGET = 1.5, 60.0  # seconds that all hooks of SessionEnd have together

_ALWAYS_CLOSED = dict.fromkeys(FAILURES, CLOSED)


def _field(native: str, neutral: str = "", sample: JSON = None, kind: str = "string", default: JSON = "") -> Field:
    return Field(native, neutral, default, kind, sample)


def _need(native: str, neutral: str = "", sample: JSON = None, kind: str = "string", default: JSON = "") -> Field:
    """Make a field that a matcher or a guard decides by."""
    return Field(native, neutral, default, kind, sample, needed=True, takes="arguments" if kind == "json" else "")


def _maybe(native: str, neutral: str = "", sample: JSON = None, kind: str = "string") -> Field:
    """Make a field whose key is there only if the caller gives it."""
    return Field(native, neutral, ABSENT, kind, sample)


def _common(mode: bool, effort: bool) -> tuple[Field, ...]:
    return (
        _field("session_id", sample="4f9c2a10-0000-4000-8000-000000000001"),
        _field("transcript_path"),
        _field("cwd", sample="."),
        _maybe("prompt_id"),
        _field("permission_mode", default="default") if mode else _maybe("permission_mode"),
        *((_maybe("effort", kind="object"),) if effort else ()),
        _field("hook_event_name"),
        _maybe("agent_id"),
        _maybe("agent_type"),
    )


_TOOL = (
    _need("tool_name", sample="Bash"),
    _need("tool_input", kind="json", default={}, sample={"command": "git push --force", "description": "Push"}),
)
_USE_ID = _field("tool_use_id", "tool_call_id", sample="toolu_01")
_DURATION = _maybe("duration_ms", kind="integer", sample=12)
_SUBAGENT = (_field("agent_id", sample="agent-1"), _need("agent_type", sample="Explore"))
_STOP = (
    _field("stop_hook_active", kind="boolean", default=False, sample=False),
    _need("last_assistant_message", "response", sample="All tests pass."),
    _field("background_tasks", kind="array", default=[]),
    _field("session_crons", kind="array", default=[]),
)
_TASK = (
    _field("task_id", sample="task-1"),
    _need("task_subject", sample="Write the migration"),
    _maybe("task_description"),
    _maybe("teammate_name"),
    _field("team_name"),
)
_ELICITATION = (
    _need("mcp_server_name", sample="tickets"),
    _need("message", sample="Which project?"),
    _maybe("mode"),
    _maybe("url"),
    _maybe("elicitation_id"),
    _maybe("requested_schema", kind="object"),
)
_SWITCH = (
    _field("from_model", sample="claude-sonnet-4-5"),
    _need("to_model", "model", sample="claude-opus-4-5"),
    _field("requested_model", default=None, kind="string or null"),
    _field("source", sample="user"),
    _field("context_tokens", kind="integer", default=0),
    _field("prompt_cache_warm", kind="boolean", default=False),
    _field("cache_ttl", default=None, kind="any"),
    _field("estimated_cache_write_usd", kind="number", default=0),
    _field("pricing", kind="object", default={}),
)

#: Keys of the payload that stand in for another one in a subagent; there they come with the common ones.
_NAMED_TWICE = frozenset(["agent_id", "agent_type"])


#: The values that an event's matcher is tested against, where they are a closed list: a matcher that hits none of
#: them is told. Notifications and models are open lists.
VALUES: dict[str, tuple[str, ...]] = {
    "SessionStart": ("startup", "resume", "clear", "compact"),
    "Setup": ("init", "maintenance"),
    "SessionEnd": ("clear", "resume", "logout", "prompt_input_exit", "bypass_permissions_disabled", "other"),
    "PreCompact": ("manual", "auto"),
    "PostCompact": ("manual", "auto"),
    "DirectoryAdded": ("slash_command", "register_repo_root"),
    "ConfigChange": ("user_settings", "project_settings", "local_settings", "policy_settings", "skills"),
    "InstructionsLoaded": ("session_start", "nested_traversal", "path_glob_match", "include", "compact"),
    "StopFailure": (
        "rate_limit",
        "overloaded",
        "authentication_failed",
        "oauth_org_not_allowed",
        "billing_error",
        "invalid_request",
        "model_not_found",
        "server_error",
        "max_output_tokens",
        "unknown",
    ),
}


def _row(
    native: str,
    *own: Field,
    can: str = "halt",
    subject: str = "",
    neutral: str = "",
    mode: bool = False,
    effort: bool = False,
    failure: Mapping[str, str] | None = None,
    when: str = "",
    target: str = "tool_input",
    timeout: float = 0.0,
    shielded: bool = False,
    guards: str = "",
    summary: str = "",
) -> EventSpec:
    names = {field.native for field in own}
    common = [field for field in _common(mode, effort) if field.native not in names & _NAMED_TWICE]
    for field in own:
        if field.native == subject:
            field.values = VALUES.get(native, ())
    return EventSpec(
        native,
        neutral=(neutral,) if neutral else (),
        subject=subject,
        fields=(*common, *own),
        can=frozenset(can.split()),
        rewrite="replace" if "rewrite" in can else "",
        target=target,
        when=when,
        timeout=timeout,
        shielded=shielded,
        failure=failure,
        guards=guards,
        summary=summary,
    )


_ROWS = (
    _row(
        "PreToolUse",
        *_TOOL,
        _USE_ID,
        can="deny allow ask halt rewrite context",
        subject="tool_name",
        neutral="before_tool",
        mode=True,
        effort=True,
        summary="before a tool call",
    ),
    _row(
        "PermissionRequest",
        *_TOOL,
        _maybe("permission_suggestions", kind="array"),
        can="deny allow halt rewrite",
        guards="call",
        subject="tool_name",
        mode=True,
        effort=True,
        summary="when a permission dialog would open",
    ),
    _row(
        "PostToolUse",
        *_TOOL,
        _need("tool_response", "tool_output", kind="any", default={}, sample={"stdout": "ok\n", "stderr": ""}),
        _USE_ID,
        _DURATION,
        can="deny halt context output",
        subject="tool_name",
        neutral="after_tool",
        when="succeeded",
        mode=True,
        effort=True,
        summary="after a tool call that succeeded",
    ),
    _row(
        "PostToolUseFailure",
        *_TOOL,
        _USE_ID,
        _need("error", "tool_error", sample="exit status 1"),
        _maybe("is_interrupt", kind="boolean"),
        _DURATION,
        can="halt context",
        subject="tool_name",
        neutral="after_tool",
        when="failed",
        mode=True,
        effort=True,
        summary="after a tool call that failed",
    ),
    _row(
        "PostToolBatch",
        _need(
            "tool_calls",
            kind="array",
            default=[],
            sample=[{"tool_name": "Read", "tool_input": {}, "tool_use_id": "toolu_01", "tool_response": ""}],
        ),
        can="deny halt context",
        guards="result",
        mode=True,
        effort=True,
        summary="after all tool calls of one message, before the model goes on",
    ),
    _row(
        "PermissionDenied",
        *_TOOL,
        _USE_ID,
        _field("reason", sample="the classifier refused it"),
        subject="tool_name",
        mode=True,
        effort=True,
        summary="after a tool call was refused",
    ),
    _row(
        "UserPromptSubmit",
        _need("prompt", sample="Fix the failing test"),
        can="deny halt context",
        neutral="before_prompt",
        target="prompt",
        mode=True,
        timeout=SHORT,
        summary="before a prompt reaches the model",
    ),
    _row(
        "UserPromptExpansion",
        _field("expansion_type", default="slash_command", sample="slash_command"),
        _need("command_name", sample="review"),
        _field("command_args"),
        _field("command_source"),
        _need("prompt", sample="/review"),
        can="deny halt context",
        guards="prompt",
        subject="command_name",
        target="prompt",
        mode=True,
        summary="before a slash command becomes a prompt",
    ),
    _row(
        "SessionStart",
        _field("source", default="startup", sample="startup"),
        _maybe("model", sample="claude-sonnet-4-5"),
        _maybe("agent_type"),
        _maybe("session_title"),
        can="halt context env",
        subject="source",
        neutral="session_start",
        summary="when a session starts, resumes, is cleared or compacted",
    ),
    _row(
        "Setup",
        _field("trigger", default="init", sample="init"),
        can="halt context env",
        subject="trigger",
        summary="on --init and --maintenance",
    ),
    _row(
        "SessionEnd",
        _field("reason", default="other", sample="prompt_input_exit"),
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
        summary="when the agent wants to stop",
    ),
    _row(
        "SubagentStop",
        *_STOP,
        *_SUBAGENT,
        _field("agent_transcript_path"),
        can="halt context followup",
        subject="agent_type",
        neutral="subagent_stop",
        mode=True,
        effort=True,
        summary="when a subagent wants to stop",
    ),
    _row(
        "StopFailure",
        _need("error", sample="rate_limit"),
        _maybe("error_details"),
        _maybe("last_assistant_message", "response"),
        subject="error",
        summary="when a turn ends in an error of the service",
    ),
    _row(
        "SubagentStart",
        *_SUBAGENT,
        can="halt context",
        subject="agent_type",
        neutral="subagent_start",
        summary="when a subagent starts",
    ),
    _row(
        "Notification",
        _need("message", sample="Claude needs your permission"),
        _maybe("title"),
        _need("notification_type", sample="permission_prompt"),
        subject="notification_type",
        neutral="notification",
        summary="when the person is told something",
    ),
    _row(
        "PreCompact",
        _field("trigger", default="auto", sample="auto"),
        _field("custom_instructions"),
        can="deny halt",
        subject="trigger",
        neutral="before_compact",
        summary="before the conversation is compacted",
    ),
    _row(
        "PostCompact",
        _field("trigger", default="auto", sample="auto"),
        _field("compact_summary", sample="We fixed the parser."),
        subject="trigger",
        summary="after the conversation was compacted",
    ),
    _row("TaskCreated", *_TASK, can="deny halt", mode=True, summary="when a task is made"),
    _row("TaskCompleted", *_TASK, can="deny halt", guards="stop", mode=True, summary="when a task is marked as done"),
    _row(
        "TeammateIdle",
        _need("teammate_name", sample="tester"),
        _field("team_name", sample="release"),
        can="halt followup",
        mode=True,
        summary="when a teammate runs out of work",
    ),
    _row(
        "InstructionsLoaded",
        _field("file_path", sample="CLAUDE.md"),
        _field("memory_type", sample="Project"),
        _field("load_reason", default="session_start", sample="session_start"),
        _maybe("globs", kind="array"),
        _maybe("trigger_file_path"),
        _maybe("parent_file_path"),
        subject="load_reason",
        summary="when a file of instructions is read",
    ),
    _row(
        "ConfigChange",
        _field("source", default="project_settings", sample="project_settings"),
        _maybe("file_path"),
        can="deny halt",
        subject="source",
        summary="when settings change while the session runs",
    ),
    _row(
        "CwdChanged",
        _field("old_cwd", sample="/work"),
        _need("new_cwd", sample="/work/app"),
        can="halt env",
        summary="when the working directory changes",
    ),
    _row(
        "FileChanged",
        _need("file_path", sample=".env"),
        _field("event", default="change", sample="change"),
        can="halt env",
        subject="file_path",
        summary="when a watched file changes",
    ),
    _row(
        "WorktreeCreate",
        _need("name", sample="feature-1"),
        can="deny halt",
        failure=_ALWAYS_CLOSED,
        summary="makes a worktree instead of git",
    ),
    _row(
        "WorktreeRemove",
        _need("worktree_path", sample="/tmp/feature-1"),
        can="deny halt",
        failure=_ALWAYS_CLOSED,
        summary="removes a worktree that WorktreeCreate made",
    ),
    _row(
        "Elicitation",
        *_ELICITATION,
        can="deny allow halt",
        subject="mcp_server_name",
        mode=True,
        summary="when an MCP server asks the person something",
    ),
    _row(
        "ElicitationResult",
        *_ELICITATION,
        _field("action", default="accept", sample="accept"),
        _maybe("content", kind="object"),
        can="deny allow halt",
        subject="mcp_server_name",
        mode=True,
        summary="before an answer goes back to the MCP server",
    ),
    _row(
        "MessageDisplay",
        _field("turn_id", sample="turn-1"),
        _field("message_id", sample="msg-1"),
        _field("index", kind="integer", default=0, sample=0),
        _field("final", kind="boolean", default=True, sample=True),
        _need("delta", "content", sample="Done."),
        can="halt output",
        timeout=DISPLAY,
        summary="before a message is shown",
    ),
    _row(
        "PreModelSwitch",
        *_SWITCH,
        can="deny allow ask halt",
        subject="to_model",
        timeout=SHORT,
        failure={"timed_out": CLOSED, "abandoned": CLOSED},
        summary="before another model takes over",
    ),
    _row(
        "PostModelSwitch",
        *_SWITCH,
        can="halt context",
        subject="to_model",
        timeout=SHORT,
        summary="after another model has taken over",
    ),
    _row(
        "DirectoryAdded",
        _field("directory", sample="/work/library"),
        _field("source", default="slash_command", sample="slash_command"),
        subject="source",
        summary="when a working directory is added",
    ),
)
EVENTS: dict[str, EventSpec] = {row.native: row for row in _ROWS}

TOOL_EVENTS = frozenset(row.native for row in _ROWS if row.subject == "tool_name")
#: Their payload tells the effort, and so does CLAUDE_EFFORT.
EFFORT_EVENTS = frozenset(row.native for row in _ROWS if any(field.native == "effort" for field in row.fields))
#: A handler with ``if`` anywhere else never runs.
RULE_EVENTS = frozenset(["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"])
ENV_FILE_EVENTS = frozenset(["SessionStart", "Setup", "CwdChanged", "FileChanged"])
MODEL_SWITCHES = frozenset(["PreModelSwitch", "PostModelSwitch"])
#: Events whose exact matchers know letters, digits, ``_`` and ``|`` only.
NARROW_MATCHERS = frozenset(["FileChanged", "StopFailure"])
#: Where onFailure does not count.
NO_FAILURE_POLICY = frozenset(["Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"])

COMMANDS_ONLY = frozenset(["SessionStart", "Setup"])
MODEL_HOOKS = frozenset(
    [
        *RULE_EVENTS,
        "PostToolBatch",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "Stop",
        "SubagentStop",
        "TaskCreated",
        "TaskCompleted",
        "TeammateIdle",
    ]
)
