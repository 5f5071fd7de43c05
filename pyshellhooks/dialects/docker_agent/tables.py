"""The tables of Docker Agent: its events, quirks, editions and tool names."""

from __future__ import annotations

from typing import Any

from ...hooks.dialect import ABSENT, OPEN, PARALLEL, EventSpec, Field, Quirk
from ...hooks.model import FAILURES

DEFAULT_TIMEOUT = 60.0  # seconds
DENY_CODE = 2
DENIED = "blocked by hook"  # the reason of a deny without one

FILE_NAMES = ("agent.yaml", "agent.yml", "cagent.yaml", "docker-agent.yaml")

# docker_agent 2.1: the fields of every payload; any other field is present only if it is not empty.
_ALWAYS = (
    Field("session_id", sample="ses-1"),
    Field("cwd", sample="."),
    Field("hook_event_name"),
)
_CALL = (
    Field("tool_name", sample="shell", needed=True),
    Field("tool_use_id", "tool_call_id", sample="call-1"),
    Field(
        "tool_input",
        default=None,
        kind="json",
        sample={"cmd": "git push --force"},
        needed=True,
        takes="arguments",
        about="the model's own JSON; absent where it is empty; shell has cmd",
    ),
)


# The documented values of fields.
VALUES: dict[str, tuple[str, ...]] = {
    "source": ("startup", "resume", "clear", "compact"),
    "reason": ("clear", "logout", "prompt_input_exit", "other"),
    "notification_level": ("error", "warning"),
}


def _event(native: str, *fields: Field, neutral: str = "", can: str = "", summary: str, **more: Any) -> EventSpec:
    return EventSpec(
        native,
        neutral=(neutral,) if neutral else (),
        fields=(*_ALWAYS, *fields),
        can=frozenset(can.split()),
        order=PARALLEL,
        timeout=DEFAULT_TIMEOUT,
        failure=dict.fromkeys(FAILURES, OPEN),  # docker_agent 3: a failure is logged, and the agent continues
        summary=summary,
        **more,
    )


EVENTS: dict[str, EventSpec] = {
    row.native: row
    for row in (
        _event(
            "pre_tool_use",
            *_CALL,
            neutral="before_tool",
            subject="tool_name",
            can="allow deny ask rewrite context",
            rewrite="replace",
            summary="before a tool runs",
        ),
        _event(
            "post_tool_use",
            *_CALL,
            Field(
                "tool_response",
                "tool_output",
                default=ABSENT,
                kind="any",
                sample="done",
                needed=True,
                about="the tool's output",
            ),
            neutral="after_tool",
            subject="tool_name",
            can="context",
            when="succeeded",
            summary="after a tool has succeeded",
        ),
        _event(
            "session_start",
            Field("source", default="startup", sample="startup", values=VALUES["source"]),
            neutral="session_start",
            can="context",
            summary="when a session begins or resumes",
        ),
        _event(
            "session_end",
            Field("reason", default="other", sample="prompt_input_exit", values=VALUES["reason"]),
            neutral="session_end",
            shielded=True,
            summary="when a session ends, also by an interrupt",
        ),
        _event("on_user_input", summary="when the agent waits for the user"),
        _event(
            "stop",
            Field("stop_response", "response", sample="All tests pass.", about="the model's answer"),
            neutral="after_agent",
            can="context",
            summary="when the model has finished its answer",
        ),
        _event(
            "notification",
            Field(
                "notification_level", "level", default="warning", sample="error", values=VALUES["notification_level"]
            ),
            Field("notification_message", "message", sample="all models failed", needed=True),
            neutral="notification",
            summary="when the agent warns or reports an error",
        ),
    )
}

FAILURES_DENY = Quirk(
    "failures_deny",
    "docker_agent 3; docker_agent 4",
    "a pre_tool_use hook that fails denies: any status but 0 and 2, a failed start, a timeout, an unreadable answer",
)
_QUIRKS = (
    Quirk("html_escapes", "docker_agent 2.1", "stdin escapes < > & and the line separators as \\u003c and the like"),
    Quirk("input_as_map", "docker_agent 2.1", "tool_input is sorted by its keys, and its numbers are 64-bit floats"),
    Quirk("no_final_newline", "docker_agent 2.1", "stdin has no newline at the end, so that read -r gives 1"),
    Quirk("no_tool_response", "docker_agent 2.2", "post_tool_use hooks do not get the tool's output"),
    Quirk("after_failures", "docker_agent 2.2", "post_tool_use is fired after tools that failed, too"),
    Quirk("stream_ended", "docker_agent 2.2", "the reason of a session's end is always stream_ended"),
    Quirk(
        "ignored_outputs",
        "docker_agent 2.2",
        "the output of session_end, on_user_input and notification hooks is ignored",
    ),
    Quirk("blocked_messages", "docker_agent 2.2", "for a blocked call the user sees the reason, but no system_message"),
    Quirk("dropped_groups", "docker_agent 1", "a group with an invalid matcher is skipped with a warning"),
    Quirk("lost_inputs", "docker_agent 2.1", "a tool_input that is not JSON is omitted"),
    Quirk("lost_denies", "docker_agent 4", "a deny beside noise, beside a wrong type, or after the timeout is ignored"),
    Quirk("silent_blocks", "docker_agent 4", "exit 2 takes its reason from stderr alone, and a block may have none"),
    Quirk("inert_permissions", "docker_agent 5", "allow and ask change nothing"),
    Quirk("shown_stdout", "docker_agent 4", "suppress_output has no effect"),
)
LATER_EVENTS_AND_FIELDS = Quirk(
    "later_events_and_fields",
    "docker_agent 10.1",
    "28 events, more fields of a hook, stricter answers, and rewrites in sequence: the program of September 2026",
)
QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in (*_QUIRKS, FAILURES_DENY, LATER_EVENTS_AND_FIELDS)}

#: ``failclosed`` follows later versions in the effect of a failed hook; everything else in it is as documented.
EDITIONS: dict[str, frozenset[str]] = {
    "documented": frozenset(),
    "shipped": frozenset(quirk.name for quirk in _QUIRKS),
    "failclosed": frozenset([FAILURES_DENY.name]),
    "current": frozenset([LATER_EVENTS_AND_FIELDS.name]),
}

GROUP_FIELDS = ("matcher", "hooks")
HOOK_FIELDS = ("type", "command", "timeout")
# Fields and events of later versions (docker_agent 1, 2.3): not in the document, and therefore errors.
LATER_FIELDS = frozenset(
    ["name", "args", "env", "working_dir", "on_error", "strict_output", "model", "prompt", "schema", "preempt_yolo"]
)
LATER_EVENTS = frozenset(
    [
        "permission_request",
        "tool_input_transform",
        "tool_guard",
        "tool_response_transform",
        "user_prompt_submit",
        "user_steering_messages_submit",
        "user_followup_submit",
        "before_llm_call",
        "after_llm_call",
        "pre_compact",
        "before_compaction",
        "after_compaction",
        "worktree_create",
        "turn_start",
        "turn_end",
        "subagent_stop",
        "on_error",
        "on_max_iterations",
        "on_agent_switch",
        "on_session_resume",
        "on_tool_approval_decision",
    ]
)

TOOLS: dict[str, tuple[str, ...]] = {
    "shell": ("shell",),
    "read": ("read_file",),
    "write": ("write_file",),
    "edit": ("edit_file",),
    "multiedit": ("edit_file",),
    "list": ("list_directory",),
    "grep": ("search_files_content",),
    "fetch": ("fetch",),
    "task": ("transfer_task",),
}
#: The names of its tools' arguments, if they differ from those in hooks.tool_kinds.
_FILE = {"file_path": "path"}
ARGUMENTS: dict[str, dict[str, str]] = {
    "shell": {"command": "cmd"},
    "read": _FILE,
    "write": _FILE,
    "edit": {**_FILE, "old_string": "edits", "new_string": "edits"},  # a list of one
    "multiedit": _FILE,
    "grep": {"pattern": "query"},
    "task": {"prompt": "task"},
}
