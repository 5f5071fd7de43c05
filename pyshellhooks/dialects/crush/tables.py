"""Crush as data: its event, quirks, editions, environment and tool names."""

from __future__ import annotations

from ...hooks.dialect import OPEN, PARALLEL, EventSpec, Field, Quirk
from ...hooks.model import FAILURES

DEFAULT_TIMEOUT = 30.0  # seconds

EVENTS: dict[str, EventSpec] = {
    row.native: row
    for row in (
        EventSpec(
            "PreToolUse",
            neutral=("before_tool",),
            subject="tool_name",
            fields=(
                Field("event"),
                Field("session_id", sample="ses-1"),
                Field("cwd", sample=".", about="the working directory of the session"),
                Field("tool_name", sample="bash", needed=True),
                Field(
                    "tool_input",
                    default={},
                    kind="json",
                    sample={"command": "git push --force"},
                    about="the model's own JSON; usually an object, and bash has command",
                    needed=True,
                    takes="arguments",
                ),
            ),
            can=frozenset({"allow", "deny", "halt", "rewrite", "context"}),
            order=PARALLEL,
            rewrite="shallow_merge",
            timeout=DEFAULT_TIMEOUT,
            failure=dict.fromkeys(FAILURES, OPEN),  # crush 4: every failure is "no opinion"
            summary="before every tool call of the top-level agent",
        ),
    )
}

_QUIRKS = (
    Quirk("html_escapes", "crush 2.1", "stdin escapes < > & and the line separators as \\u003c and the like"),
    Quirk("no_final_newline", "crush 2.1", "stdin has no newline at the end, so that read -r gives 1"),
    Quirk("strict_config_json", "crush 1.1", "comments and trailing commas in crush.json are errors"),
    Quirk("integer_timeout", "crush 1.3", "a timeout with a fraction is an error"),
    Quirk("global_entry_wins", "crush 1.2", "of equal commands the first entry of all files runs"),
    Quirk("silent_unknown_events", "crush 1.4", "an unknown event is accepted silently"),
    Quirk("lost_inputs", "crush 2.1", "a tool_input that is not JSON becomes {}"),
    Quirk("lost_denies", "crush 4", "a deny beside noise or a wrong type is ignored"),
    Quirk("grace_verdicts_count", "crush 3.10", "the output of a hook in the grace second counts"),
    Quirk("inherited_tool_input", "crush 2.2", "CRUSH_TOOL_INPUT_* of an outer call reach the hook"),
    Quirk("first_duplicate", "crush 2.2", "of duplicate keys the first one becomes CRUSH_TOOL_INPUT_*"),
    Quirk("project_dir_is_cwd", "crush 2.2", "CRUSH_PROJECT_DIR is the working directory"),
    Quirk("path_keys", "crush 5", "keys of updated_input are paths: a.b makes a nested object"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in _QUIRKS}

EDITIONS: dict[str, frozenset[str]] = {"documented": frozenset(), "shipped": frozenset(QUIRKS)}

# crush 2.2: variables that are set, then those that are forced, for every hook.
MARKERS: dict[str, str] = {"CRUSH": "1", "AGENT": "crush", "AI_AGENT": "crush"}
FORCED: dict[str, str] = {
    "TERM": "xterm-256color",
    "GIT_EDITOR": "false",
    "EDITOR": "false",
    "VISUAL": "false",
    "JJ_EDITOR": "false",
    "JJ_PAGER": "cat",
    "GIT_PAGER": "cat",
    "PAGER": "cat",
}
INPUT_PREFIX = "CRUSH_TOOL_INPUT_"
INPUT_VARIABLES: dict[str, str] = {
    "command": "CRUSH_TOOL_INPUT_COMMAND",
    "file_path": "CRUSH_TOOL_INPUT_FILE_PATH",
}

#: The variables that it sets for its hooks (crush 3.1).
VARIABLES = (
    *("CRUSH_EVENT", "CRUSH_TOOL_NAME", "CRUSH_SESSION_ID", "CRUSH_CWD", "CRUSH_PROJECT_DIR"),
    f"{INPUT_PREFIX}*",
)

DENY_CODE, HALT_CODE = 2, 49

ENTRY_FIELDS = ("command", "matcher", "timeout", "name")

# Crush's top-level keys, so that a misspelt "hooks" is found and no other key is reported.
TOP_LEVEL = frozenset(
    {"$schema", "hooks", "providers", "models", "lsp", "mcp", "options", "permissions", "tools", "env"}
)

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("bash",),
    "read": ("view",),
    "write": ("write",),
    "edit": ("edit",),
    "multiedit": ("multiedit",),
    "list": ("ls",),
    "glob": ("glob",),
    "grep": ("grep",),
    "fetch": ("fetch",),
    "task": ("agent",),
    "todo": ("todos",),
}
#: Crush's names of tool arguments that differ from those in hooks.tool_kinds.
ARGUMENTS: dict[str, dict[str, str]] = {"shell": {"cwd": "working_dir"}}
