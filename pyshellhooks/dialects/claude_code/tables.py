"""Claude Code as data: handlers, timeouts, settings, keys of answers, editions, names of tools."""

from __future__ import annotations

from ...hooks.dialect import Quirk, Setting

# -- handlers (claude_code 2) --------------------------------------------------------------------------------------

DEFAULT_TIMEOUT = 600.0
#: Type of hook -> seconds by default.
TYPES: dict[str, float] = {
    "command": DEFAULT_TIMEOUT,
    "http": DEFAULT_TIMEOUT,
    "mcp_tool": DEFAULT_TIMEOUT,
    "prompt": 30.0,
    "agent": 60.0,
}
COMMON_FIELDS = ("type", "if", "timeout", "statusMessage", "once", "holdsTools", "cloud")
#: Fields of Codex, which reads the same hook files of plugins.
CODEX_FIELDS = ("additionalContextLimit", "commandWindows")
#: Type of hook -> its own fields, the required ones first.
OWN_FIELDS: dict[str, tuple[str, ...]] = {
    "command": ("command", "args", "shell", "async", "asyncRewake", "rewakeMessage", "rewakeSummary", "onFailure"),
    "http": ("url", "headers", "allowedEnvVars", "onFailure"),
    "mcp_tool": ("server", "tool", "input", "onFailure"),
    "prompt": ("prompt", "model", "continueOnBlock"),
    "agent": ("prompt", "model"),
}
HOOK_FIELDS = tuple(dict.fromkeys([*COMMON_FIELDS, *(name for own in OWN_FIELDS.values() for name in own)]))
REQUIRED: dict[str, tuple[str, ...]] = {
    "command": ("command",),
    "http": ("url",),
    "mcp_tool": ("server", "tool"),
    "prompt": ("prompt",),
    "agent": ("prompt",),
}
#: Events for a mistake in whose hooks Claude Code drops the whole file (2.1.332); for others, the entry.
DROPS_THE_FILE = frozenset(["PreToolUse", "PermissionRequest", "PreSkillShellCommand"])
SHELLS = ("bash", "powershell")
POWERSHELL = ("pwsh", "-NoProfile", "-NonInteractive", "-Command")

#: The variables that it sets for its hooks (claude_code 4).
VARIABLES = (
    "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_PLUGIN_OPTION_*", "CLAUDE_EFFORT",
    "CLAUDE_ENV_FILE", "CLAUDE_PID", "CLAUDE_CODE_*", "CLAUDECODE", "AI_AGENT",
)  # fmt: skip
TOP_LEVEL = frozenset(
    {"hooks", "disableAllHooks", "allowManagedHooksOnly", "env", "description", "$schema"}
    | {"allowedHttpHookUrls", "httpHookAllowedEnvVars"}
)
#: Setting -> its type; for another type Claude Code drops the whole file with its hooks (2.1.332).
SETTING_KINDS = {"hooks": "object", "permissions": "object", "env": "object", "model": "string"}
MANAGED = "managed-settings.json"
PERMISSION_EVENT = "PreToolUse"  # the event before a call, on which permission rules decide
PLACEHOLDERS = ("CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA")

SETTINGS: dict[str, Setting] = {
    "transcript_path": Setting("string", "the path of the transcript; default: empty"),
    "permission_mode": Setting("string", "default, plan, acceptEdits, auto, dontAsk or bypassPermissions"),
    "effort": Setting("string", "the level of effort, for events about tools and CLAUDE_EFFORT"),
    "remote": Setting("boolean", "true in a web session: CLAUDE_CODE_REMOTE=true"),
    "plugin_root": Setting("string", "CLAUDE_PLUGIN_ROOT of hooks whose file is not in a plugin's hooks/"),
    "plugin_data": Setting("string", "CLAUDE_PLUGIN_DATA, for plugins"),
    "user_config": Setting(
        "object", "the person's options of a plugin (${user_config.NAME}, CLAUDE_PLUGIN_OPTION_NAME)"
    ),
}

# -- answers (claude_code 6) ---------------------------------------------------------------------------------------

#: Key of hookSpecificOutput -> the effect in the verdict, and its JSON type.
EFFECTS: dict[str, tuple[str, type]] = {
    "sessionTitle": ("session_title", str),
    "suppressOriginalPrompt": ("suppress_original_prompt", bool),
    "initialUserMessage": ("initial_user_message", str),
    "watchPaths": ("watch_paths", list),
    "reloadSkills": ("reload_skills", bool),
    "retry": ("retry", bool),
    "classifierContext": ("classifier_context", str),
}
UNIVERSAL = ("continue", "stopReason", "suppressOutput", "systemMessage", "terminalSequence")
#: Events whose call goes ahead although a hook answers ``continue: false`` (claude_code 11), and the fix.
NOT_STOPPED = {
    "PreToolUse": (
        '"continue": false ends the turn after the call: Claude Code runs the call',
        'add "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}',
    ),
    "PermissionRequest": (
        '"continue": false is ignored on PermissionRequest: Claude Code continues',
        'add "decision": {"behavior": "deny", "interrupt": true} to hookSpecificOutput',
    ),
}
MOST_BLOCKS = 8  # stops in a row that hooks may refuse; the next one ends the turn
LONG_OUTPUT = 10_000  # characters; Claude Code puts more into a file

# -- editions ---------------------------------------------------------------------------------------------------------

_OLDER = (
    Quirk("json_on_exit_0_only", "claude_code 6", "JSON counts with exit status 0 only; exit 2 ignores stdout"),
    Quirk("no_on_failure", "claude_code 2", "onFailure is ignored silently"),
    Quirk("exit_2_denies_permission", "claude_code 6", "exit 2 on PermissionRequest denies"),
    Quirk("worktree_remove_is_logged", "claude_code 6", "a failed WorktreeRemove hook is logged only"),
    Quirk("no_model_switch_events", "claude_code 5", "PreModelSwitch, PostModelSwitch and DirectoryAdded do not exist"),
    Quirk("no_skill_shell_event", "claude_code 5", "PreSkillShellCommand does not exist"),
    Quirk("rule_paths_at_any_depth", "claude_code 3", "Edit(src/**) matches every src, not only ./src"),
)
_SHIPPED = (
    Quirk(
        "sh_of_the_machine",
        "claude_code 4",
        "the sh of this machine runs commands, and scripts need their execute bits",
    ),
    Quirk(
        "answers_by_its_schema",
        "claude_code 11",
        "a block counts only in an answer that its schema accepts; an allow of PermissionRequest counts even with exit 2",
    ),
    Quirk(
        "refused_files_are_off", "claude_code 11", "a file that it rejects is off; of equal keys the last one counts"
    ),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in (*_OLDER, *_SHIPPED)}
EDITIONS: dict[str, frozenset[str]] = {
    "documented": frozenset(),
    "shipped": frozenset(quirk.name for quirk in _SHIPPED),
    "v2.1.208": frozenset(quirk.name for quirk in _OLDER),
}

# -- tools ------------------------------------------------------------------------------------------------------------

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("Bash",),
    "read": ("Read",),
    "write": ("Write",),
    "edit": ("Edit",),
    "multiedit": ("MultiEdit", "Edit"),  # current clients have only Edit
    "list": ("LS",),
    "glob": ("Glob",),
    "grep": ("Grep",),
    "fetch": ("WebFetch",),
    "web_search": ("WebSearch",),
    "task": ("Agent", "Task"),
    "todo": ("TodoWrite",),
}
#: Tool -> its old names. A matcher or a rule with one of them still counts (2.1.332).
OLD_NAMES: dict[str, tuple[str, ...]] = {
    "Agent": ("Task",),
    "ListAgents": ("ListPeers",),
    "ListMcpResourcesTool": ("ListMcpResources",),
    "ReadMcpResourceDirTool": ("ReadMcpResourceDir",),
    "ReadMcpResourceTool": ("ReadMcpResource",),
    "SendUserMessage": ("Brief",),
    "SetGoal": ("ProposeGoal",),
    "TaskStop": ("KillShell", "KillBash"),
}
#: Further tool names that matchers may contain.
OTHER_TOOLS = frozenset(
    "AskUserQuestion BashOutput CronCreate CronDelete CronList EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree"
    " KillShell LSP ListAgents ListMcpResourcesTool Monitor NotebookEdit NotebookRead PowerShell PushNotification"
    " ReadMcpResourceTool RemoteTrigger ScheduleWakeup SendMessage ShareOnboardingGuide Skill TaskCreate TaskGet TaskList"
    " TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete ToolSearch WaitForMcpServers Workflow".split()
).union(*OLD_NAMES.values(), OLD_NAMES)
ARGUMENTS = {"shell": {"cwd": ""}}  # Bash has no directory of its own
#: Tool -> its arguments (claude_code 5), without Agent and Grep, to which later clients pass more.
INPUTS: dict[str, tuple[str, ...]] = {
    "Bash": ("command", "description", "timeout", "run_in_background"),
    "Read": ("file_path", "offset", "limit"),
    "Write": ("file_path", "content"),
    "Edit": ("file_path", "old_string", "new_string", "replace_all"),
    "Glob": ("pattern", "path"),
    "WebFetch": ("url", "prompt"),
    "WebSearch": ("query", "allowed_domains", "blocked_domains"),
}
ABSOLUTE = frozenset({"read", "write", "edit", "multiedit", "list", "glob"})
