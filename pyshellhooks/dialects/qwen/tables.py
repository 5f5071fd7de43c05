"""Qwen Code as data: events, handlers, tools, editions (docs/contracts/qwen.md)."""

from __future__ import annotations

from typing import Any

from ...hooks.dialect import Field, Quirk
from ..grouped_events.form import AnswerForm
from ..grouped_events.matcher import ToolWords
from ..grouped_events.relative import HandlerForm
from ..grouped_events.rows import GroupedEvent, OutputRules, field, needed, optional

# -- events (qwen 3) --------------------------------------------------------------------------------------------------

_MODES = ("default", "plan", "auto_edit", "auto", "yolo")
_TRIGGERS = ("manual", "auto")
_CONTEXT = "additionalContext"
_COMMON = (
    field("session_id", sample="c28f0000-0000-4000-8000-000000000001"),
    optional("source_type"),
    optional("source_id"),
    field("transcript_path", about="the file of the session"),
    field("cwd", sample="."),
    field("hook_event_name"),
    field("timestamp", about="the time of the event, as in 2026-11-26T21:52:34.647Z"),
    field("permission_mode", default="default", known=_MODES),
    optional("agent_id", about="in a subagent only"),
    optional("prompt_id", about="in a turn only"),
)
_TOOL = (
    needed("tool_name", sample="run_shell_command"),
    needed("tool_input", kind="json", default={}, sample={"command": "git push --force", "is_background": False}),
)
_USE_ID = field("tool_use_id", sample="toolu_1")
_IDS = (_USE_ID, optional("tool_call_id", about="the id of the model's interface"))
_DURATION = optional("duration_ms", kind="number")
_STOP = (
    field("stop_hook_active", kind="boolean", default=False, sample=False, about="a hook has made the agent continue"),
    field("last_assistant_message", "response", sample="All tests pass."),
)
_JOBS = (
    field("background_tasks", kind="array", default=[], sample=[]),
    field("crons", kind="array", default=[], sample=[]),
)
_USAGE = tuple(optional(name, kind="number") for name in ("context_usage", "context_limit", "input_tokens"))
_TODO = (field("todo_id", sample="1"), needed("todo_content", "content", sample="Fix the failing test"))
_ALL_TODOS = (
    field("all_todos", kind="array", default=[], sample=[]),
    field("phase", default="validation", sample="validation", known=("validation", "postWrite")),
)


def _row(
    native: str,
    *own: Field,
    can: str = "context",
    neutral: str = "",
    output_rules: OutputRules | None = None,
    **columns: Any,
) -> GroupedEvent:
    """Make a row; by default its hooks can add context."""
    names = {one.native for one in own}
    fields = [common for common in _COMMON if common.native not in names]
    return GroupedEvent(
        native,
        output_rules or OutputRules(fields=_CONTEXT, text="user_message"),
        neutral=(neutral,) if neutral else (),
        fields=(*fields, *own),
        can=frozenset(can.split()),
        rewrite="replace" if "rewrite" in can else "",
        **columns,
    )


_NOTHING = OutputRules(text="user_message")
_PROMPT = OutputRules("deny", "deny", _CONTEXT, text="context")
_UNREAD = ("unread_blocks_pass", "")
_ROWS = (
    _row(
        "PreToolUse",
        *_TOOL,
        *_IDS,
        can="deny allow ask halt context",
        neutral="before_tool",
        subject="tool_name",
        output_rules=OutputRules(
            "deny", "deny", f"permissionDecision permissionDecisionReason {_CONTEXT}", text="user_message"
        ),
        summary="before a tool call",
    ),
    _row(
        "PostToolUse",
        *_TOOL,
        needed("tool_response", "tool_output", kind="any", default={}, sample={"llmContent": "ok"}),
        *_IDS,
        _DURATION,
        can="deny halt context",
        neutral="after_tool",
        when="succeeded",
        subject="tool_name",
        output_rules=OutputRules("deny", "deny", _CONTEXT, text="user_message", under=_UNREAD),
        summary="after a successful tool call",
    ),
    _row(
        "PostToolUseFailure",
        *_IDS,
        *_TOOL,
        field("error", "tool_error", sample="exit code 1"),
        field("is_interrupt", kind="boolean", default=False, sample=False),
        _DURATION,
        neutral="after_tool",
        when="failed",
        subject="tool_name",
        summary="after a failed tool call",
    ),
    _row(
        "PostToolBatch",
        needed("tool_calls", kind="array", default=[], sample=[], about="tool_name, tool_input, tool_response of each"),
        can="deny halt context",
        guards="result",
        output_rules=OutputRules("halt", "halt", _CONTEXT, text="user_message"),
        summary="after all tool calls of one message",
    ),
    _row(
        "PermissionRequest",
        *_TOOL,
        optional("permission_suggestions", kind="array"),
        can="deny allow rewrite",
        subject="tool_name",
        guards="call",
        output_rules=OutputRules("", "deny", "decision", text="user_message", under=_UNREAD),
        summary="when a person would have to approve a call",
    ),
    _row(
        "PermissionDenied",
        *_TOOL,
        *_IDS,
        field("reason", default="classifier_blocked", sample="classifier_blocked"),
        subject="tool_name",
        summary="after the classifier has refused a call",
    ),
    _row(
        "UserPromptSubmit",
        needed("prompt", sample="Fix the failing test", about="empty when a turn goes on after a tool call"),
        optional("submitted_prompt", about="the text as the person typed it"),
        can="deny halt context",
        neutral="before_prompt",
        target="prompt",
        output_rules=_PROMPT,
        summary="before a prompt reaches the model",
    ),
    _row(
        "UserPromptExpansion",
        needed("command_name", sample="review"),
        field("command_args"),
        needed("prompt", sample="/review"),
        can="deny halt context",
        guards="prompt",
        subject="command_name",
        target="prompt",
        output_rules=_PROMPT,
        summary="before a slash command becomes a prompt",
    ),
    _row(
        "SessionStart",
        field("source", default="startup", sample="startup", known=("startup", "resume", "clear", "compact")),
        field("model", sample="qwen3-coder-plus"),
        optional("agent_type"),
        neutral="session_start",
        subject="source",
        output_rules=OutputRules(fields=_CONTEXT, text="context"),
        summary="when a session starts, is resumed or cleared",
    ),
    _row(
        "SessionEnd",
        field("reason", default="other", sample="prompt_input_exit"),
        can="",
        neutral="session_end",
        subject="reason",
        shielded=True,
        output_rules=_NOTHING,
        summary="when a session ends",
    ),
    _row(
        "SessionDelete",
        field("deleted_session_id", sample="c28f"),
        can="",
        output_rules=_NOTHING,
        summary="after a session was deleted",
    ),
    _row(
        "Stop",
        *_STOP,
        *_JOBS,
        *_USAGE,
        can="followup",
        neutral="after_agent",
        output_rules=OutputRules("followup", "followup", text="user_message"),
        summary="when the agent wants to stop; a block makes it continue",
    ),
    _row(
        "SubagentStart",
        field("agent_id", sample="agent-1"),
        needed("agent_type", sample="Explore"),
        neutral="subagent_start",
        subject="agent_type",
        summary="when a subagent starts",
    ),
    _row(
        "SubagentStop",
        _STOP[0],
        field("agent_id", sample="agent-1"),
        needed("agent_type", sample="Explore"),
        field("agent_transcript_path"),
        _STOP[1],
        *_JOBS,
        can="followup",
        neutral="subagent_stop",
        subject="agent_type",
        output_rules=OutputRules("followup", "followup", text="user_message"),
        summary="when a subagent wants to stop; a block makes it continue",
    ),
    _row(
        "StopFailure",
        needed("error", sample="rate_limit"),
        optional("error_details"),
        optional("last_assistant_message", "response"),
        can="",
        subject="error",
        output_rules=_NOTHING,
        summary="when an error of the interface ends a turn",
    ),
    _row(
        "MessageDisplay",
        field("message_id", sample="m-1"),
        needed("displayed_text", "content", sample="Done.", about="all of the message so far"),
        field("is_final", kind="boolean", default=True, sample=True),
        can="",
        output_rules=_NOTHING,
        summary="while a message is shown",
    ),
    _row(
        "PreCompact",
        field("trigger", default="auto", sample="auto", values=_TRIGGERS),
        field("custom_instructions"),
        neutral="before_compact",
        subject="trigger",
        summary="before the history is compacted",
    ),
    _row(
        "PostCompact",
        field("trigger", default="auto", sample="auto", values=_TRIGGERS),
        field("compact_summary"),
        can="",
        subject="trigger",
        output_rules=_NOTHING,
        summary="after the history was compacted",
    ),
    _row(
        "Notification",
        field("message", sample="Qwen Code needs your permission"),
        field("notification_type", default="permission_prompt", sample="permission_prompt"),
        optional("title"),
        neutral="notification",
        subject="notification_type",
        summary="when the agent notifies a person",
    ),
    _row(
        "InstructionsLoaded",
        field("file_path", sample="QWEN.md"),
        field("memory_type", sample="Project"),
        field("load_reason", sample="session_start"),
        optional("trigger_file_path"),
        optional("parent_file_path"),
        can="",
        subject="file_path",
        output_rules=_NOTHING,
        summary="when a file of instructions is read",
    ),
    _row(
        "TodoCreated",
        *_TODO,
        field("todo_status", "status", default="pending", sample="pending"),
        *_ALL_TODOS,
        can="deny",
        output_rules=OutputRules("deny", "deny", text="user_message"),
        summary="before and after a todo is added",
    ),
    _row(
        "TodoCompleted",
        *_TODO,
        field("previous_status", "status", default="pending", sample="pending"),
        *_ALL_TODOS,
        can="deny",
        output_rules=OutputRules("deny", "deny", text="user_message"),
        summary="before and after a todo is completed",
    ),
)
EVENTS: dict[str, GroupedEvent] = {row.native: row for row in _ROWS}

#: Events whose hooks run without pipes, so that nothing of their output is read (qwen 5.5).
UNREAD = frozenset(["MessageDisplay", "StopFailure", "SessionDelete"])
#: Events on which the program counts ``continue: false`` (qwen 6.4, 6.5).
HALTING = frozenset(
    ["PreToolUse", "PostToolUse", "PostToolBatch", "UserPromptSubmit", "UserPromptExpansion", "Stop", "SubagentStop"]
)
TODOS = frozenset(["TodoCreated", "TodoCompleted"])
FORM = AnswerForm(
    "Qwen Code",
    EVENTS.values(),
    universal=("continue", "stopReason", "suppressOutput", "systemMessage", "terminalSequence"),
    fewer=dict.fromkeys(UNREAD, ()),
    halts=("PostToolUse",),
)
MOST_BLOCKS = 7  # refused stops in a row after which the agent continues; the next one ends the turn (qwen 6.5)

# -- handlers (qwen 1, 2) ---------------------------------------------------------------------------------------------

GROUP_FIELDS = (Field("sequential", kind="boolean", default=False, about="Hooks run one after another."),)
HANDLERS = HandlerForm(
    {"command": ("command",), "http": ("url",), "prompt": ("prompt",), "function": ()},
    (
        Field("name"),
        Field("description"),
        Field("timeout", kind="number", default=60, about="Seconds; 1000 and more are milliseconds."),
        Field("env", kind="object", default={}, about="Further variables."),
        Field("shell", default="bash", values=("bash", "powershell")),
        Field("async", kind="boolean", default=False, about="Qwen Code does not wait, and ignores its decision."),
        Field("statusMessage"),
    ),
    skipped={
        "http": "does not run here: write a command that calls the address",
        "prompt": "does not run here: Qwen Code asks its own model",
        "function": "exists in the code of Qwen Code only",
    },
    ignored={
        "if": "the hook runs on every call that its matcher matches",
        "onFailure": "a failure of the hook lets everything pass",
        "args": "the command runs without them",
    },
    timeout=60.0,
)
MILLISECONDS = 1000.0  # a timeout of this size and above is in milliseconds (qwen 2.1)
NOT_EVENTS = ("enabled", "disabled", "notifications")
POWERSHELL = ("powershell", "-Command")
VARIABLES = ("QWEN_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR")
CALL_VARIABLES = {
    "QWEN_CODE_SESSION_ID": "session_id",
    "QWEN_CODE_PROMPT_ID": "prompt_id",
    "QWEN_CODE_AGENT_ID": "agent_id",
}
#: The program's own secrets, which its hooks do not inherit (qwen 5.2).
SECRETS = ("QWEN_SERVER_TOKEN", "QWEN_DAEMON_TOKEN", "QWEN_CODE_EXTERNAL_TOOL_GUARD_TOKEN")

# -- tools (qwen 4.2) -------------------------------------------------------------------------------------------------

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("run_shell_command",),
    "read": ("read_file",),
    "write": ("write_file",),
    "edit": ("edit",),
    "multiedit": ("edit",),
    "list": ("list_directory",),
    "glob": ("glob",),
    "grep": ("grep_search",),
    "fetch": ("web_fetch",),
    "web_search": ("web_search",),
    "task": ("agent",),
    "todo": ("todo_write",),
}
ARGUMENTS = {"shell": {"cwd": "directory"}}
_OTHERS = (
    "artifact ask_user_question create_sub_session cron_create cron_delete cron_list display_image enter_plan_mode"
    " enter_worktree exec exit_plan_mode exit_worktree get_goal image_gen list_agents loop_wakeup lsp monitor notebook_edit"
    " propose_goal read_mcp_resource record_artifact record_source report_findings request_shutdown save_memory"
    " send_message skill structured_output task_create task_list task_stop task_update team_create team_delete"
    " team_plan_approval tool_call tool_search update_goal workflow zoom_image"
)
OTHER_TOOLS = frozenset(_OTHERS.split())
#: Tool -> its name on the screen, where this is not its own name in capitals.
_SHOWN = {
    "get_goal": "Goal",
    "grep_search": "Grep",
    "list_directory": "ListFiles",
    "run_shell_command": "Shell",
    "todo_write": "TodoList",
}
_OLD_NAMES = {
    "agent": ("task", "Task", "TaskTool"),
    "edit": ("replace",),
    "get_goal": ("GetGoal",),
    "glob": ("FindFiles",),
    "grep_search": ("search_file_content", "SearchFiles"),
    "list_directory": ("ReadFolder",),
    "read_file": ("Read",),
    "run_shell_command": ("Bash",),
    "todo_write": ("TodoWrite", "TodoWriteTool"),
    "write_file": ("Write",),
}


def _aliases(tool: str) -> tuple[str, ...]:
    shown = _SHOWN.get(tool) or "".join(word.capitalize() for word in tool.split("_"))
    return (shown, f"{shown}Tool", *_OLD_NAMES.get(tool, ()))


#: Tool -> the other names by which a matcher may name it; they are compared as a whole.
ALIASES: dict[str, tuple[str, ...]] = {
    tool: _aliases(tool) for tool in sorted({name for names in TOOLS.values() for name in names} | OTHER_TOOLS)
}
TOOL_WORDS = ToolWords("Qwen Code", TOOLS, OTHER_TOOLS, exact=False)
INPUTS: dict[str, tuple[str, ...]] = {
    "run_shell_command": ("command", "is_background", "description", "directory", "timeout"),
    "write_file": ("file_path", "content"),
    "edit": ("file_path", "old_string", "new_string", "replace_all"),
}
ABSOLUTE = frozenset(["read", "write", "edit", "multiedit", "list"])

# -- editions ---------------------------------------------------------------------------------------------------------

_SHIPPED = (
    Quirk("no_final_newline", "qwen 3.3", "stdin has no newline at the end, so that read -r gives 1"),
    Quirk("project_dir_is_cwd", "qwen 5.2", "QWEN_PROJECT_DIR and its like are the working directory"),
    Quirk("silent_exit_2_passes", "qwen 6.3", "exit status 2 without a message on stderr is a failure"),
    Quirk("stderr_beats_exit_2", "qwen 6.1", "a JSON object on stderr decides, even with exit status 2"),
    Quirk("answers_at_any_exit", "qwen 6.1", "an allow and a context count with every exit status"),
    Quirk("invalid_answers_pass", "qwen 6.2", "a block beside other text is lost"),
    Quirk("unread_blocks_pass", "qwen 6.5", "a block after a call, and an exit status 2 about a permission, are lost"),
    Quirk("halts_pass", "qwen 6.5", "continue: false counts on few events, and makes a stopping agent continue"),
    Quirk(
        "last_allow_wins", "qwen 6.6", "of several hooks the last permissionDecision decides: an allow cancels a deny"
    ),
    Quirk(
        "next_hook_sees_input", "qwen 5.3", "tool_input of a sequential hook changes the input of the next hook only"
    ),
    Quirk("lone_denies_pass", "qwen 6.5", 'on events of todos "deny" of a single hook is lost, only "block" counts'),
    Quirk("namesakes_are_dropped", "qwen 1.4", "of hooks with one name in a group only the first runs"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in _SHIPPED}
EDITIONS: dict[str, frozenset[str]] = {"documented": frozenset(), "shipped": frozenset(QUIRKS)}
