"""The tables of Everruns: its events, limits, quirks, editions and tool names."""

from __future__ import annotations

from ...hooks.dialect import CHAIN, CHAIN_UNTIL_BLOCK, OPEN, EventSpec, Field, Quirk
from ...hooks.model import FAILURES
from ...hooks.tools import ARGUMENTS as NAMES

CAPABILITY = "user_hooks"
DEFAULT_TIMEOUT_MS = 5000
SHORTEST_MS, LONGEST_MS = 100, 30_000

# everruns 2: the largest numbers of entries of a configuration, and of bytes of its parts.
MOST_HOOKS = 64
LARGEST_CONFIG = 262_144
LARGEST_COMMAND = 16_384
LARGEST_MATCHER = 2048
MOST_VARIABLES = 16
LARGEST_OUTPUT = 65_536  # bytes of stdout and stderr together (everruns 8)

SPEC_FIELDS = ("id", "event", "matcher", "executor", "timeout_ms", "on_error", "description", "source")
EXECUTOR_FIELDS = ("type", "command", "env")
MATCHER_FIELDS = ("tool_name", "tool_name_glob", "args_jsonpath", "match_regex", "deny_regex")
CONFIG_FIELDS = ("hooks", "disabled_contributions")
PAIR_FIELDS = (*CONFIG_FIELDS, "disabled")  # yolop's files have one more (everruns 1)
ON_ERROR = ("block", "allow", "warn")

# everruns 4: the fields of every envelope, which the event's own data follow.
_ENVELOPE = (
    Field("session_id", sample="ses-1"),
    Field("turn_id", default=None, sample="trn-1"),
    Field("org_id", default=None),
    Field("agent_id", default=None),
)
ENVELOPE = tuple(field.native for field in _ENVELOPE)
#: The envelope's first fields, and its last one (``TIME``): the dialect sets them for each hook, no caller gives them.
HEAD = (
    Field("event"),
    Field("hook_id", about="the hook's id"),
)
TIME = Field("ts", about="RFC 3339, UTC, milliseconds")
#: An event -> the fields of the envelope that its data repeat.
REPEATED_FIELDS = {"session_start": ("agent_id",)}

_CALL = (
    Field("tool_name", sample="bash", needed=True),
    Field("tool_call_id", sample="call-1"),
    Field(
        "arguments",
        "tool_input",
        default={},
        kind="json",
        sample={"commands": "git push --force"},
        needed=True,
        takes="arguments",
        about="the model's own JSON; usually an object, and bash has commands",
    ),
)
_OPEN = dict.fromkeys(FAILURES, OPEN)

EVENTS: dict[str, EventSpec] = {
    row.native: row
    for row in (
        EventSpec(
            "session_start",
            neutral=("session_start",),
            fields=_ENVELOPE,
            order=CHAIN,
            failure=_OPEN,
            summary="a session was created",
        ),
        EventSpec(
            "user_prompt_submit",
            neutral=("before_prompt",),
            fields=(
                *_ENVELOPE,
                Field("message", "prompt", sample="deploy the service", needed=True),
                Field("attachments", default=[], kind="array", takes="any"),
            ),
            can=frozenset({"allow", "deny", "rewrite"}),
            order=CHAIN_UNTIL_BLOCK,
            rewrite="replace",
            target="prompt",
            failure=_OPEN,
            summary="a user's message was accepted, before the model reasons about it",
        ),
        EventSpec(
            "pre_tool_use",
            neutral=("before_tool",),
            subject="tool_name",
            fields=(*_ENVELOPE, *_CALL),
            can=frozenset({"allow", "deny", "rewrite"}),
            order=CHAIN_UNTIL_BLOCK,
            rewrite="shallow_merge",
            failure=_OPEN,
            summary="before each tool call",
        ),
        EventSpec(
            "post_tool_use",
            neutral=("after_tool",),
            subject="tool_name",
            fields=(
                *_ENVELOPE,
                *_CALL,
                Field(
                    "result",
                    "tool_output",
                    default=None,
                    kind="any",
                    sample={"stdout": "done\n"},
                    needed=True,
                    unless=("tool_error", "error"),
                ),
                Field("error", "tool_error", default=None, about="null if the call succeeded"),
                Field("success", default=None, kind="boolean"),
            ),
            can=frozenset({"output"}),
            order=CHAIN,
            failure=_OPEN,
            summary="after each tool call, also of one that failed or was blocked",
        ),
        EventSpec(
            "turn_end",
            neutral=("after_agent",),
            fields=(
                *_ENVELOPE,
                Field("success", default=None, kind="boolean", sample=True),
                Field("tool_calls", default=[], kind="array", takes="any"),
            ),
            order=CHAIN,
            failure=_OPEN,
            summary="a turn has ended",
        ),
        EventSpec(
            "session_end",
            neutral=("session_end",),
            fields=(*_ENVELOPE, Field("reason", default="deleted", sample="deleted")),
            order=CHAIN,
            shielded=True,
            failure=_OPEN,
            summary="a session was closed",
        ),
    )
}

_QUIRKS = (
    Quirk("null_ids_on_tool_events", "everruns 4", "turn_id and agent_id are null on the two tool events"),
    Quirk("nanosecond_ts", "everruns 4", "ts has nanoseconds and ends in +00:00"),
    Quirk("lean_data", "everruns 4", "data has no attachments and no tool_calls"),
    Quirk("always_deleted", "everruns 4", "the reason of session_end is always deleted"),
    Quirk("generic_reason", "everruns 5", "a block without a reason does not use stderr as its reason"),
    Quirk("dropped_user_message", "everruns 5", "the user_message of a blocked tool call is lost"),
    Quirk("lost_blocks", "everruns 5", "a block beside noise or a wrong type, or in the grace second, is a failure"),
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in _QUIRKS}
EDITIONS: dict[str, frozenset[str]] = {"documented": frozenset(), "shipped": frozenset(QUIRKS)}

# everruns 4: the whole environment, except EVERRUNS_HOOK_* and the hook's own.
VARIABLES: dict[str, str] = {
    "HOME": "/home/agent",
    "SHELL": "/bin/bash",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "WORKSPACE": "/workspace",
}
WORKSPACE = "/workspace"
#: The variables with the payload: its text, and the path of a file that contains it.
PAYLOAD_VARIABLES = ("EVERRUNS_HOOK_PAYLOAD_JSON", "EVERRUNS_HOOK_PAYLOAD_PATH")

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("bash",),
    "read": ("read_file",),
    "write": ("write_file",),
    "edit": ("edit_file",),
    "multiedit": ("edit_file",),
    "delete": ("delete_file",),
    "list": ("list_directory",),
}
#: The names of its tools' arguments, if they differ from those in hooks.tool_kinds.
_FILE = {"file_path": "path"}
ARGUMENT_NAMES: dict[str, dict[str, str]] = {
    "shell": {"command": "commands", "cwd": "working_dir"},
    "read": _FILE,
    "write": _FILE,
    "edit": {**_FILE, "old_string": "edits", "new_string": "edits"},  # a list of one
    "multiedit": _FILE,
    "delete": _FILE,
}

# The names of an argument in other systems: matchers try them if an event was fired under its neutral name.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    name: tuple(other for other in names if other != name) for names in NAMES.values() for name in names
}
