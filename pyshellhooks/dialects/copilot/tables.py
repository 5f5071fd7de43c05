"""GitHub Copilot as data: events, items, tools, editions (docs/contracts/copilot.md)."""

from __future__ import annotations

from typing import Any

from ...hooks.dialect import ABSENT, CHAIN_UNTIL_BLOCK, CLOSED, Field, Quirk, Setting
from ...jsontext.compact import JSON
from ..grouped_events.form import AnswerForm
from ..grouped_events.matcher import ToolWords
from ..grouped_events.relative import HandlerForm
from ..grouped_events.rows import NO_OUTPUT, GroupedEvent, OutputRules, field, needed

# -- quirks (copilot 8.2) ----------------------------------------------------------------------------------------------

NO_NEWLINE = "no_final_newline"
EXIT_2_WARNS = "exit_2_warns"
STDERR_IS_NO_REASON = "stderr_is_no_reason"
LOST_DENIES_PASS = "invalid_answers_pass"
PROMPT_REWRITES_COUNT = "prompt_rewrites_count"
STARS_SKIP_HOOKS = "stars_skip_hooks"
REFUSED_FILES_ARE_OFF = "refused_files_are_off"
CLAUDE_FILES = "claude_files"
CLOUD = "cloud_agent"
VSCODE = "local_harness"

_QUIRKS = (
    Quirk(NO_NEWLINE, "copilot 3.1", "stdin has no newline at the end, so that read -r gives 1"),
    Quirk(EXIT_2_WARNS, "copilot 6.2", "exit status 2 is only a warning, except before a call and on a permission"),
    Quirk(STDERR_IS_NO_REASON, "copilot 6.2", "the model does not get stderr as the reason of exit status 2"),
    Quirk(LOST_DENIES_PASS, "copilot 6.3", "a deny in another form, or beside other text, is lost"),
    Quirk(PROMPT_REWRITES_COUNT, "copilot 6.5", "modifiedPrompt counts"),
    Quirk(STARS_SKIP_HOOKS, "copilot 4.1", 'the matchers "*" and "" under a camelCase key skip the hook'),
    Quirk(REFUSED_FILES_ARE_OFF, "copilot 1.2", "a file of another version is off; of equal keys the last one counts"),
    Quirk(CLAUDE_FILES, "copilot 1.5", "the project's .claude/settings.json and settings.local.json are read too"),
    Quirk(CLOUD, "copilot 1.1", "only .github/hooks is read, ask is a deny, and three events never fire"),
    Quirk(VSCODE, "copilot 10.1", "VS Code's Local harness: Claude Code's names and answers, and no matchers"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in _QUIRKS}
EDITIONS: dict[str, frozenset[str]] = {
    "documented": frozenset(),
    "shipped": frozenset(QUIRKS) - {CLOUD, VSCODE},
    "cloud": frozenset([CLOUD]),
    "vscode": frozenset([VSCODE, CLAUDE_FILES]),
}

# -- events (copilot 3, 6) --------------------------------------------------------------------------------------------

_CONTEXT = "additionalContext"
_BASE = (
    field("sessionId", "session_id", sample="4f2c1d0a-0000-4000-8000-000000000001"),
    field("timestamp", kind="number", default=0, sample=1795600000000, about="milliseconds; a text under PascalCase"),
    field("cwd", sample="."),
)
_TRANSCRIPT = field("transcriptPath", "transcript_path", about="the file of the session")
_NAME = needed("toolName", "tool_name", sample="bash")
_INPUT: dict[str, JSON] = {"command": "git push --force", "description": "Push"}
_ARGUMENTS = needed("toolArgs", "tool_input", kind="json", default={}, sample=_INPUT, about="bash has command")
_ASKED = needed("toolInput", "tool_input", kind="json", default={}, sample={"command": "git push --force"})
_CALL_ID = Field("toolUseId", "tool_call_id", ABSENT, about="in VS Code only")
_RESULT: dict[str, JSON] = {"resultType": "success", "textResultForLlm": "ok"}
_AGENT_TEXTS = (
    Field("agentDisplayName", "agent_display_name", ABSENT),
    Field("agentDescription", "agent_description", ABSENT),
)
_STOP_REASON = field("stopReason", "stop_reason", default="end_turn", sample="end_turn")
_ACTIVE = field("stop_hook_active", kind="boolean", default=False, sample=False)


def _row(
    native: str,
    *own: Field,
    first: tuple[Field, ...] = (),
    can: str = "",
    neutral: str = "",
    output_rules: OutputRules = NO_OUTPUT,
    **columns: Any,
) -> GroupedEvent:
    """Make a row; ``first``: the fields before the common ones."""
    return GroupedEvent(
        native,
        output_rules,
        neutral=(neutral,) if neutral else (),
        fields=(*first, *_BASE, *own),
        can=frozenset(can.split()),
        rewrite="replace" if "rewrite" in can else "",
        order=CHAIN_UNTIL_BLOCK,
        **columns,
    )


#: A hook that fails denies the call (copilot 6.2); a timeout does not.
_FAILS_CLOSED = {"nonzero": CLOSED, "not_started": CLOSED}


def _prompt_row(can: str, keys: str) -> GroupedEvent:
    return _row(
        "userPromptSubmitted",
        needed("prompt", sample="Fix the failing test"),
        can=can,
        neutral="before_prompt",
        target="prompt",
        output_rules=OutputRules("deny", "deny", keys, under=(EXIT_2_WARNS, "")),
        summary="before a prompt reaches the model",
    )


_ROWS = (
    _row(
        "sessionStart",
        field("source", default="new", sample="new", known=("new", "startup", "resume")),
        Field("initialPrompt", "initial_prompt", ABSENT, sample="Fix the failing test"),
        can="context",
        neutral="session_start",
        output_rules=OutputRules(fields=_CONTEXT),
        summary="when a session starts or is resumed",
    ),
    _prompt_row("deny context", f"handled responseContent {_CONTEXT}"),
    _row(
        "userPromptTransformed",
        needed("prompt", sample="Fix the failing test"),
        needed("transformedPrompt", "transformed_prompt", sample="Fix the failing test"),
        can="rewrite",
        target="prompt",
        output_rules=OutputRules(fields="modifiedTransformedPrompt"),
        summary="after Copilot has added its own texts to a prompt",
    ),
    _row(
        "preToolUse",
        _NAME,
        _ARGUMENTS,
        _CALL_ID,
        can="allow deny ask rewrite context",
        neutral="before_tool",
        subject="tool_name",
        failure=_FAILS_CLOSED,
        output_rules=OutputRules("", "deny", f"permissionDecision permissionDecisionReason modifiedArgs {_CONTEXT}"),
        summary="before a tool call",
    ),
    _row(
        "permissionRequest",
        _NAME,
        _ASKED,
        field("permissionSuggestions", "permission_suggestions", kind="array", default=[]),
        first=(field("hookName", "hook_name", default="permissionRequest"),),
        can="allow deny halt",
        guards="call",
        subject="tool_name",
        failure=_FAILS_CLOSED,
        output_rules=OutputRules("", "deny", "behavior message interrupt"),
        summary="when a person would have to approve a call",
    ),
    _row(
        "postToolUse",
        _NAME,
        _ARGUMENTS,
        needed("toolResult", "tool_output", kind="any", default=_RESULT, sample=_RESULT),
        _CALL_ID,
        can="deny context output",
        neutral="after_tool",
        when="succeeded",
        subject="tool_name",
        output_rules=OutputRules("deny", "deny", f"modifiedResult {_CONTEXT}", under=(EXIT_2_WARNS, "")),
        summary="after a tool call; a block replaces its result by the reason",
    ),
    _row(
        "postToolUseFailure",
        _NAME,
        _ARGUMENTS,
        needed("error", "tool_error", sample="No such file"),
        can="context",
        neutral="after_tool",
        when="failed",
        subject="tool_name",
        output_rules=OutputRules("", "context", _CONTEXT),
        summary="after a tool call that failed",
    ),
    _row(
        "agentStop",
        _TRANSCRIPT,
        _STOP_REASON,
        _ACTIVE,
        can="followup",
        neutral="after_agent",
        output_rules=OutputRules("followup", "followup", under=(EXIT_2_WARNS, "")),
        summary="when the agent wants to stop; a block makes it continue",
    ),
    _row(
        "subagentStart",
        _TRANSCRIPT,
        needed("agentName", "agent_type", sample="explore"),
        *_AGENT_TEXTS,
        can="context",
        neutral="subagent_start",
        subject="agent_type",
        output_rules=OutputRules(fields=_CONTEXT),
        summary="when a subagent starts",
    ),
    _row(
        "subagentStop",
        _TRANSCRIPT,
        field("agentName", "agent_name", sample="explore"),
        *_AGENT_TEXTS,
        field("agentId", "agent_id", sample="agent-1"),
        field("agentType", "agent_type", sample="explore"),
        field("response", sample="All tests pass."),
        _STOP_REASON,
        can="followup output",
        neutral="subagent_stop",
        output_rules=OutputRules("followup", "followup", "modifiedResponse", under=(EXIT_2_WARNS, "")),
        summary="when a subagent wants to stop; a block makes it continue",
    ),
    _row(
        "preCompact",
        _TRANSCRIPT,
        field("trigger", default="auto", sample="auto", values=("manual", "auto")),
        field("customInstructions", "custom_instructions"),
        neutral="before_compact",
        subject="trigger",
        summary="before the history is compacted",
    ),
    _row(
        "errorOccurred",
        needed("error", kind="object", default={}, sample={"name": "Error", "message": "model call failed"}),
        field("errorContext", "error_context", sample="model_call"),
        field("recoverable", kind="boolean", default=False, sample=False),
        summary="after an error",
    ),
    _row(
        "notification",
        field("hook_event_name"),
        needed("message", sample="Copilot waits for you"),
        Field("title", "", ABSENT),
        field("notification_type", sample="permission_prompt"),
        can="context",
        neutral="notification",
        output_rules=OutputRules(fields=_CONTEXT),
        subject="notification_type",
        summary="when Copilot notifies the person",
    ),
    _row(
        "sessionEnd",
        field(
            "reason",
            default="complete",
            sample="complete",
            known=("complete", "error", "abort", "timeout", "user_exit"),
        ),
        neutral="session_end",
        shielded=True,
        summary="when a session ends",
    ),
)
EVENTS: dict[str, GroupedEvent] = {row.native: row for row in _ROWS}
#: The same where a rewrite of a prompt counts, which no document has (copilot 6.5).
SHIPPED_EVENTS = {
    **EVENTS,
    "userPromptSubmitted": _prompt_row("deny rewrite context", f"modifiedPrompt {_CONTEXT} handled responseContent"),
}
_OTHER_NAMES = {"userPromptSubmitted": "UserPromptSubmit", "agentStop": "Stop"}
#: Event -> its name in PascalCase, which is Claude Code's where it has the event (copilot 3.1); and the other way.
PASCAL = {native: _OTHER_NAMES.get(native, native[0].upper() + native[1:]) for native in EVENTS}
NATIVE = {name: native for native, name in PASCAL.items()}
NOT_IN_CLOUD = frozenset(["permissionRequest", "notification"])
MOST_BLOCKS = 8  # of agentStop in a row (copilot 6.6)

#: Key of an answer that replaces something -> the part of the outcome, and its type.
REPLACES: dict[str, tuple[str, type]] = {
    "modifiedArgs": ("rewrite", dict),
    "modifiedPrompt": ("rewrite", str),
    "modifiedTransformedPrompt": ("rewrite", str),
    "modifiedResult": ("output", dict),
    "modifiedResponse": ("output", str),
}
FORM = AnswerForm("Copilot", SHIPPED_EVENTS.values(), universal=())

# -- items (copilot 2) ------------------------------------------------------------------------------------------------

COMMANDS = ("bash", "command", "powershell")
LOCAL_COMMANDS = ("windows", "linux", "osx")  # of VS Code (copilot 10.1)
HANDLERS = HandlerForm(
    {"command": (), "http": ("url",), "prompt": ("prompt",)},
    (
        Field("bash", about="The text for bash."),
        Field("command", about="The text where there is no bash or powershell."),
        Field("powershell", about="The text for PowerShell, on Windows."),
        Field("exec", about="A program that runs without a shell."),
        Field("args", kind="strings", default=[], about="Its arguments."),
        Field("cwd", about="Relative to the root of the repository."),
        Field("env", kind="object", default={}, about="Variables, literally."),
        Field("timeoutSec", kind="number", default=30, about="Seconds."),
        Field("timeout", kind="number", default=30, about="The same."),
        Field("headers", kind="object", default={}, about="Of an http hook."),
        Field("allowedEnvVars", kind="strings", default=[], about="Variables that its headers may name."),
        Field("windows", about="VS Code: the command on Windows."),
        Field("linux", about="VS Code: the command on Linux."),
        Field("osx", about="VS Code: the command on macOS."),
    ),
    skipped={"prompt": "does not run here: Copilot sends it to the model when an interactive session starts"},
    ignored={},
    timeout=30.0,
    default_type="command",
)

# -- tools (copilot 4.3) ----------------------------------------------------------------------------------------------

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("bash", "powershell"),
    "read": ("view",),
    "write": ("create",),
    "edit": ("edit", "str_replace_editor", "apply_patch"),
    "grep": ("grep", "rg"),
    "glob": ("glob",),
    "fetch": ("web_fetch",),
    "web_search": ("web_search",),
    "task": ("task",),
    "todo": ("update_todo",),
}
OTHER_TOOLS = frozenset(["ask_user"])
_PATH = {"file_path": "path"}
ARGUMENTS: dict[str, dict[str, str]] = {
    "read": _PATH,
    "write": {**_PATH, "content": "file_text"},
    "edit": {**_PATH, "old_string": "old_str", "new_string": "new_str"},
}
#: Tool -> its names in Claude Code.
ALIASES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("bash", "powershell"), ("Bash",)),
    "view": ("Read",),
    "create": ("Write",),
    **dict.fromkeys(("edit", "str_replace_editor", "apply_patch"), ("Edit",)),
    **dict.fromkeys(("grep", "rg"), ("Grep",)),
    "glob": ("Glob",),
    "web_fetch": ("WebFetch",),
    "web_search": ("WebSearch",),
    "ask_user": ("AskUserQuestion",),
    "update_todo": ("TodoWrite",),
    "task": ("Agent", "Task"),
}
#: Claude Code's name of a tool -> the first tool that has it.
OWN_NAME = {name: tool for tool, names in reversed(ALIASES.items()) for name in names}
TOOL_WORDS = ToolWords("Copilot", TOOLS, OTHER_TOOLS)
CLAUDE_WORDS = ToolWords("Copilot", TOOLS, [*OTHER_TOOLS, *OWN_NAME])

SETTINGS: dict[str, Setting] = {
    "transcript_path": Setting("string", "the path of the transcript; default: none"),
}
VARIABLES = ("COPILOT_CLI", "COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "COPILOT_HOOK_DIR")
