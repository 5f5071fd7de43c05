"""The tables of Gemini CLI: its events, quirks, editions, variables and tool names (gemini 1, 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...hooks.dialect import ABSENT, OPEN, PARALLEL, EventSpec, Field, Quirk
from ...hooks.model import FAILURES

DEFAULT_TIMEOUT = 60.0  # seconds; its files have milliseconds

# gemini 2.1: the fields at the beginning of every payload.
_BASE = (
    Field("session_id", sample="ses-1"),
    Field("transcript_path", about="empty if there is none"),
    Field("cwd", sample="."),
    Field("hook_event_name"),
    Field("timestamp", about="YYYY-MM-DDTHH:MM:SS.mmmZ"),
)
_REQUEST = {"model": "gemini-2.5-pro", "messages": [{"role": "user", "content": "hello"}], "config": {"temperature": 1}}
_RESPONSE = {
    "candidates": [{"content": {"role": "model", "parts": ["Hi."]}, "finishReason": "STOP"}],
    "usageMetadata": {"totalTokenCount": 12},
}
_TOOL = (
    Field("tool_name", sample="run_shell_command", needed=True),
    Field(
        "tool_input",
        default={},
        kind="json",
        sample={"command": "git push --force"},
        needed=True,
        takes="arguments",
        about="the arguments; run_shell_command has command",
    ),
)
_MCP = (
    Field(
        "mcp_context",
        default=ABSENT,
        kind="object",
        about="for a tool of an MCP server: server_name, tool_name and its connection",
    ),
    Field("original_request_name", default=ABSENT, about="the tool that requested this one"),
)
_MODEL_REQUEST = Field("llm_request", default={}, kind="json", sample=_REQUEST, needed=True, takes="arguments")


class GeminiEvent(EventSpec):
    """A row of the table, with the columns that only Gemini CLI has.

    ``effects``: effect -> its key in ``hookSpecificOutput`` (gemini 2.3). ``matches``: the exact strings that a matcher
    can match (gemini 1); matchers of tool events are regular expressions, and those of other events are ignored.
    ``unmatched``: the quirk under which matchers are ignored. ``silent``: no ``systemMessage`` is shown (gemini 2.3).
    ``joined``: the rule by which the program joins several answers, one of ``shipped``'s (gemini 5).
    """

    __slots__ = ("effects", "joined", "matches", "silent", "unmatched")

    def __init__(
        self,
        native: str,
        neutral: str,
        fields: tuple[Field, ...],
        can: tuple[str, ...],
        summary: str,
        *,
        effects: Mapping[str, str] | None = None,
        matches: tuple[str, ...] = (),
        unmatched: str = "",
        silent: bool = False,
        joined: str = "any_blocks",
        **columns: Any,
    ) -> None:
        super().__init__(
            native,
            neutral=(neutral,),
            fields=(*_BASE, *fields),
            can=frozenset(can),
            order=PARALLEL,
            timeout=DEFAULT_TIMEOUT,
            failure=dict.fromkeys(FAILURES, OPEN),  # gemini 3, 4: a failed hook is a warning
            summary=summary,
            **columns,
        )
        self.effects = effects or {}
        self.matches = matches
        self.unmatched = unmatched
        self.silent = silent
        self.joined = joined


_SOURCES = ("startup", "resume", "clear")
_REASONS = ("exit", "clear", "logout", "prompt_input_exit", "other")
_TRIGGERS = ("auto", "manual")

EVENTS: dict[str, GeminiEvent] = {
    row.native: row
    for row in (
        GeminiEvent(
            "BeforeTool",
            "before_tool",
            (*_TOOL, *_MCP),
            ("allow", "ask", "deny", "halt", "rewrite"),
            "before a tool runs",
            subject="tool_name",
            rewrite="shallow_merge",
        ),
        GeminiEvent(
            "AfterTool",
            "after_tool",
            (
                *_TOOL,
                Field(
                    "tool_response",
                    "tool_output",
                    default={},
                    kind="json",
                    sample={"llmContent": "done", "returnDisplay": "done"},
                    needed=True,
                    unless=("tool_error",),
                ),
                *_MCP,
            ),
            ("allow", "deny", "halt", "context"),
            "after a tool ran; a deny replaces its result by the reason",
            effects={"tail_tool_call": "tailToolCallRequest"},
            subject="tool_name",
        ),
        GeminiEvent(
            "BeforeAgent",
            "before_prompt",
            (Field("prompt", sample="Fix the failing test", needed=True),),
            ("allow", "deny", "halt", "context"),
            "after the user's prompt, before the agent plans; a deny discards the prompt",
            target="prompt",
        ),
        GeminiEvent(
            "AfterAgent",
            "after_agent",
            (
                Field("prompt", sample="Fix the failing test"),
                Field(
                    "prompt_response",
                    "response",
                    default="[no response text]",
                    sample="Done.",
                    about="all texts of the turn",
                ),
                Field(
                    "stop_hook_active",
                    default=False,
                    kind="boolean",
                    about="a hook has already made the agent continue",
                ),
            ),
            ("allow", "halt", "followup"),
            "after the agent's final answer; a deny sends the reason back as a new prompt",
            effects={"clear_context": "clearContext"},
        ),
        GeminiEvent(
            "BeforeModel",
            "before_model",
            (_MODEL_REQUEST,),
            ("allow", "deny", "halt"),
            "before a request to the model; may change the request, or answer it",
            effects={"llm_request": "llm_request", "llm_response": "llm_response"},
            joined="later_wins",
            rewrite="shallow_merge",
            target="llm_request",
        ),
        GeminiEvent(
            "BeforeToolSelection",
            "before_tool_selection",
            (_MODEL_REQUEST,),
            (),
            "before the model chooses tools; may narrow the choice",
            effects={"tool_config": "toolConfig"},
            silent=True,
            joined="selection",
            target="llm_request",
        ),
        GeminiEvent(
            "AfterModel",
            "after_model",
            (
                _MODEL_REQUEST,
                Field("llm_response", default={}, kind="json", sample=_RESPONSE, needed=True, takes="arguments"),
            ),
            ("allow", "deny", "halt"),
            "after each chunk of the model's answer; may replace it",
            effects={"llm_response": "llm_response"},
            joined="later_wins",
        ),
        GeminiEvent(
            "SessionStart",
            "session_start",
            (Field("source", default="startup", sample="startup", values=_SOURCES),),
            ("context",),
            "when a session starts, is resumed or cleared",
            subject="source",
            matches=_SOURCES,
        ),
        GeminiEvent(
            "SessionEnd",
            "session_end",
            (Field("reason", default="exit", sample="exit", values=_REASONS),),
            (),
            "when a session ends",
            subject="reason",
            matches=_REASONS,
            joined="last",
            shielded=True,
        ),
        GeminiEvent(
            "Notification",
            "notification",
            (
                Field(
                    "notification_type", default="ToolPermission", sample="ToolPermission", known=("ToolPermission",)
                ),
                Field("message", sample="Tool Shell requires execution", needed=True),
                Field(
                    "details",
                    default={},
                    kind="object",
                    sample={"type": "exec", "title": "Shell"},
                    about="type, title, and fields of the kind of tool",
                ),
            ),
            (),
            "when the user is alerted",
            subject="notification_type",
            matches=("ToolPermission",),
            unmatched="notification_matcher_ignored",
            joined="last",
        ),
        GeminiEvent(
            "PreCompress",
            "before_compact",
            (Field("trigger", default="auto", sample="auto", values=_TRIGGERS),),
            (),
            "before the history is summarised",
            subject="trigger",
            matches=_TRIGGERS,
            joined="last",
        ),
    )
}

_QUIRKS = (
    Quirk("no_final_newline", "gemini 2.1", "stdin has no newline at the end, so that read -r gives 1"),
    Quirk("tool_config_never_sent", "gemini 2.1", "toolConfig is removed from llm_request before hooks see it"),
    Quirk("project_dir_is_cwd", "gemini 2.2", "GEMINI_PROJECT_DIR and CLAUDE_PROJECT_DIR are the working directory"),
    Quirk("load_time_variables", "gemini 1", "$VAR, ${VAR} and ${VAR:-x} are expanded before any shell sees them"),
    Quirk("pasted_variables", "gemini 3", "$GEMINI_CWD and four others are pasted into the command as quoted text"),
    Quirk("single_underscore_mcp", "gemini 1", "tools of MCP servers are called mcp_server_tool"),
    Quirk("notification_matcher_ignored", "gemini 1", "matchers of Notification are ignored"),
    Quirk("global_sequential", "gemini 1", "one sequential group makes all hooks of the event run one after another"),
    Quirk("zero_timeout", "gemini 1", "a timeout of 0 or less ends the hook at once"),
    Quirk("env_not_in_key", "gemini 1", "equal commands with different env run once"),
    Quirk("late_denies_lost", "gemini 3", "the output of a hook after its timeout is ignored"),
    Quirk("stderr_as_output", "gemini 4", "if stdout is empty, stderr is read as the answer"),
    Quirk(
        "json_beats_exit_code", "gemini 4", "a JSON answer decides whatever the exit status; exit 2 alone has no effect"
    ),
    Quirk("text_blocks_at_other_exits", "gemini 4", "text is a deny at every exit status but 0 and 1"),
    Quirk("text_allows", "gemini 4", "text at exit 0 or 1 is an allow"),
    Quirk("lost_denies", "gemini 4", "a deny beside noise is an allow"),
    Quirk("last_input_replaces", "gemini 2.3", "the last hook's tool_input replaces the whole input"),
    Quirk("synthetic_needs_deny", "gemini 2.3", "llm_response of BeforeModel counts only with a deny"),
    Quirk("empty_replacement_ignored", "gemini 2.3", "llm_response of AfterModel without parts replaces nothing"),
    Quirk("clear_context_needs_block", "gemini 2.3", "clearContext counts only with a deny or a stop"),
    Quirk("stop_before_block", "gemini 2.3", "continue:false beside a deny keeps the prompt"),
    Quirk("escaped_context", "gemini 2.3", "additionalContext has &lt; and &gt; for < and >"),
    Quirk("clear_drops_context", "gemini 2.3", "additionalContext of SessionStart is ignored after /clear"),
    Quirk("every_message_shown", "gemini 2.3", "the systemMessage of every hook is shown, on BeforeToolSelection too"),
    Quirk("stop_reason_first", "gemini 2.3", "on model events stopReason comes before reason, beside a deny too"),
    Quirk("every_reason_joins", "gemini 5", "the reasons of all hooks are joined, those of allows too"),
    Quirk("later_overrides", "gemini 5", "on model events a later answer overrides an earlier deny"),
    Quirk("selection_always_set", "gemini 5", "any answer of BeforeToolSelection sets AUTO and an empty list"),
)
# Quirks of the edition ``document``: the letter of the document; the default edition is stricter (decisions stricter).
_LETTER = (
    Quirk(
        "other_exits_are_warnings",
        "gemini 4",
        "a deny or an ask counts with exit status 0 and 2 only, and a stop with 0 only",
    ),
    Quirk("stderr_is_a_log", "gemini 4", "an answer on stderr is ignored"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in (*_QUIRKS, *_LETTER)}

EDITIONS: dict[str, frozenset[str]] = {
    "documented": frozenset(),
    "shipped": frozenset(quirk.name for quirk in _QUIRKS),
    "document": frozenset(quirk.name for quirk in _LETTER),
}

NO_REASON = "No reason provided"  # gemini 2.3
DENY_CODE = 2
RETRIES = "gemini_retries"  # the session's counter of a turn's rejected answers, for stop_hook_active

DEFINITION_FIELDS = ("matcher", "sequential", "hooks")
HOOK_FIELDS = ("type", "command", "name", "timeout", "description", "env")
RESERVED = ("enabled", "disabled", "notifications")  # keys of hooksConfig, formerly of hooks
SETTINGS_KEYS = ("hooks", "hooksConfig")

# Other systems' events that people use by mistake -> their names in Gemini CLI (gemini 6).
FOREIGN_EVENTS: dict[str, str] = {
    "PreToolUse": "BeforeTool",
    "PostToolUse": "AfterTool",
    "UserPromptSubmit": "BeforeAgent",
    "Stop": "AfterAgent",
    "SubagentStop": "AfterAgent",
    "SubAgentStop": "AfterAgent",
    "PreCompact": "PreCompress",
}

# gemini 2.2: set for every hook. Inherited values are removed first, as they would be those of an outer session.
VARIABLES = ("GEMINI_PROJECT_DIR", "GEMINI_PLANS_DIR", "GEMINI_CWD", "GEMINI_SESSION_ID", "CLAUDE_PROJECT_DIR")

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("run_shell_command",),
    "read": ("read_file", "read_many_files"),
    "write": ("write_file",),
    "edit": ("replace",),
    "multiedit": ("replace",),
    "list": ("list_directory",),
    "glob": ("glob",),
    "grep": ("search_file_content", "grep_search"),
    "fetch": ("web_fetch",),
    "web_search": ("google_web_search",),
    "todo": ("write_todos",),
}
#: The names of its tools' arguments, if they differ from those in hooks.tool_kinds.
_FOLDER = {"path": "dir_path"}
ARGUMENTS: dict[str, dict[str, str]] = {
    "shell": {"cwd": "dir_path"},
    "edit": {"replace_all": "allow_multiple"},
    "list": _FOLDER,
    "glob": _FOLDER,
    "grep": _FOLDER,
}
