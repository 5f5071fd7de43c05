"""The tables of Docker Agent's edition ``current``: 28 events and their capabilities (docker_agent 10)."""

from __future__ import annotations

from ...hooks.dialect import ABSENT, CHAIN, CLOSED, OPEN, PARALLEL, EventSpec, Field
from ...hooks.model import FAILURES
from .tables import DEFAULT_TIMEOUT

GROUP_FIELDS = ("matcher", "hooks", "preempt_yolo")
HOOK_FIELDS = (
    *("type", "command", "timeout", "name", "args", "env", "working_dir", "on_error", "strict_output"),
    *("model", "prompt", "schema"),
)
TYPES = ("command", "builtin", "model")
POLICIES = ("warn", "ignore", "block")

#: Every key of a payload, in its order (docker_agent 10.3): kind, neutral name (if it is another), and a sample.
_KEYS: dict[str, tuple[str, str, object]] = {
    "session_id": ("string", "", "ses-1"),
    "cwd": ("string", "", "."),
    "hook_event_name": ("string", "", None),
    "agent_name": ("string", "", "root"),
    "model_id": ("string", "model", "openai/gpt-5"),
    "iteration": ("integer", "", 1),
    "last_user_message": ("string", "", "fix the tests"),
    "tool_category": ("string", "", "shell"),
    "tool_name": ("string", "", "shell"),
    "tool_use_id": ("string", "tool_call_id", "call-1"),
    "tool_input": ("json", "", {"cmd": "git push --force"}),
    "tool_read_only": ("boolean", "", True),
    "safety_policy": ("string", "", "balanced"),
    "tool_response": ("any", "tool_output", "done"),
    "tool_error": ("boolean", "", True),
    "messages": ("array", "", [{"role": "user", "content": "hi"}]),
    "source": ("string", "", "startup"),
    "reason": ("string", "", "normal"),
    "stop_response": ("string", "response", "All tests pass."),
    "prompt": ("string", "", "fix the tests"),
    "steering_messages": ("strings", "", ["stop"]),
    "parent_session_id": ("string", "", "ses-0"),
    "notification_level": ("string", "level", "error"),
    "notification_message": ("string", "message", "all models failed"),
    "from_agent": ("string", "", "root"),
    "to_agent": ("string", "", "helper"),
    "agent_switch_kind": ("string", "", "handoff"),
    "from_agent_models": ("array", "", [{"provider": "dmr", "model": "m"}]),
    "previous_max_iterations": ("integer", "", 10),
    "new_max_iterations": ("integer", "", 20),
    "approval_decision": ("string", "", "allow"),
    "approval_source": ("string", "", "yolo"),
    "safety_label": ("string", "", "safe"),
    "usage": ("object", "", {"input_tokens": 1}),
    "cost": ("number", "", 0.1),
    "input_tokens": ("integer", "", 900),
    "output_tokens": ("integer", "", 100),
    "context_limit": ("integer", "", 1000),
    "compaction_reason": ("string", "", "threshold"),
    "summary": ("string", "", "so far"),
    "worktree_path": ("string", "", "/tmp/tree"),
    "worktree_branch": ("string", "", "topic"),
    "worktree_source_dir": ("string", "", "/work"),
}
_COMMON = "session_id cwd hook_event_name agent_name"
_CALL = "tool_category tool_name tool_use_id tool_input tool_read_only safety_policy"
_NEEDED = frozenset(["tool_name", "tool_input", "tool_response", "prompt", "messages", "notification_message"])
#: Keys that a payload lacks also for false and zero.
ZERO_IS_ABSENT = frozenset(name for name, (kind, _, _) in _KEYS.items() if kind in ("boolean", "integer"))
#: Kinds of answers -> the key of ``hook_specific_output`` that only events of this kind have.
KEYS_OF_ANSWERS = {
    "decision": ("permission_decision", "permission_decision_reason"),
    "approval": ("permission_decision", "permission_decision_reason"),
    "input": ("updated_input",),
    "messages": ("updated_messages",),
    "response": ("updated_tool_response",),
    "metadata": ("metadata",),
    "context": ("additional_context",),
    "instructions": ("instruction_context",),
    "summary": ("summary",),
}
#: Event -> its capabilities (docker_agent 10.2), its own keys, its neutral name, and its summary. ``tools``: it has groups.
_ROWS: dict[str, tuple[str, str, str, str]] = {
    "tool_input_transform": ("tools block input", _CALL, "before_tool", "before a call is judged"),
    "tool_guard": ("tools block closed decision metadata", _CALL, "before_tool", "before the rules of the agent"),
    "pre_tool_use": ("tools block closed decision input", _CALL, "before_tool", "before a tool runs"),
    "permission_request": ("tools block approval metadata", _CALL, "", "before a person would be prompted"),
    "tool_response_transform": (
        "tools response",
        f"{_CALL} tool_response tool_error",
        "after_tool",
        "before the result of a tool is kept",
    ),
    "post_tool_use": ("tools block", f"{_CALL} tool_response tool_error", "after_tool", "after a tool has run"),
    "session_start": ("context instructions", "source", "session_start", "when a session begins or resumes"),
    "user_prompt_submit": ("block context", "prompt", "before_prompt", "when a person has sent a prompt"),
    "user_steering_messages_submit": ("block context", "steering_messages", "", "when queued messages are added"),
    "user_followup_submit": ("block context", "prompt", "", "when a queued message begins a turn"),
    "turn_start": ("context instructions", "", "", "when a turn begins"),
    "turn_end": ("", "reason", "", "when a turn has ended"),
    "before_llm_call": ("block messages", "model_id iteration messages", "before_model", "before a model is called"),
    "after_llm_call": (
        "",
        "model_id last_user_message stop_response usage cost",
        "after_model",
        "after a model has answered",
    ),
    "session_end": ("", "reason", "session_end", "when a session ends"),
    "pre_compact": ("block context", "source", "before_compact", "before the conversation is compacted"),
    "before_compaction": (
        "block summary",
        "input_tokens output_tokens context_limit compaction_reason",
        "before_compact",
        "before a summary is written",
    ),
    "after_compaction": (
        "",
        "input_tokens output_tokens context_limit compaction_reason summary",
        "",
        "after a compaction",
    ),
    "subagent_stop": ("", "stop_response parent_session_id", "subagent_stop", "when a sub-agent has finished"),
    "on_user_input": ("", "", "", "when the agent waits for the user"),
    "stop": ("", "last_user_message stop_response", "after_agent", "when the model has finished its answer"),
    "notification": ("", "notification_level notification_message", "notification", "when the agent warns"),
    "on_error": ("", "notification_level notification_message", "", "when a turn has an error"),
    "on_max_iterations": ("", "notification_level notification_message", "", "when the most turns are reached"),
    "on_agent_switch": ("", "from_agent to_agent agent_switch_kind from_agent_models", "", "when agents change"),
    "on_session_resume": ("", "previous_max_iterations new_max_iterations", "", "when a person lets it go on"),
    "on_tool_approval_decision": (
        "",
        f"{_CALL} approval_decision approval_source safety_label",
        "",
        "when it is decided whether a call runs",
    ),
    "worktree_create": (
        "block context",
        "worktree_path worktree_branch worktree_source_dir",
        "",
        "after a worktree was made",
    ),
}
CAPABILITIES: dict[str, frozenset[str]] = {name: frozenset(row[0].split()) for name, row in _ROWS.items()}
_GUARDS = {
    "permission_request": "call",
    "user_steering_messages_submit": "prompt",
    "user_followup_submit": "prompt",
}
_CAN = {
    "block": "deny",
    "decision": "allow ask",
    "approval": "allow",
    "input": "rewrite",
    "response": "output",
    "context": "context",
    "instructions": "context",
}


def _field(name: str, optional: bool) -> Field:
    kind, neutral, sample = _KEYS[name]
    takes = {"tool_input": "arguments", "tool_error": "any"}.get(name, "")
    default = (
        ABSENT
        if optional or name in ("agent_name", "tool_error", "tool_response")
        else ""
        if kind == "string"
        else None
    )
    needed = name in _NEEDED
    return Field(name, neutral, default, kind, sample, needed=needed, takes=takes)


def _event(name: str) -> EventSpec:
    words, keys, neutral, summary = _ROWS[name]
    capabilities = CAPABILITIES[name]
    own = {*_COMMON.split(), *keys.split()}
    required = {"session_id", "cwd", "hook_event_name", *_NEEDED}
    fields = [_field(key, key not in required) for key in _KEYS if key in own]
    can = {word for capability in words.split() for word in _CAN.get(capability, "").split()}
    policy = CLOSED if "closed" in capabilities else OPEN
    return EventSpec(
        name,
        neutral=(neutral,) if neutral else (),
        subject="tool_name" if "tools" in capabilities else "",
        fields=fields,
        can=frozenset(can),
        order=CHAIN if capabilities & {"input", "messages", "response"} else PARALLEL,
        rewrite="shallow_merge" if "input" in capabilities else "",
        shielded=name == "session_end",
        timeout=DEFAULT_TIMEOUT,
        failure=dict.fromkeys(FAILURES, policy),
        guards=_GUARDS.get(name, ""),
        summary=summary,
    )


EVENTS: dict[str, EventSpec] = {name: _event(name) for name in _ROWS}
