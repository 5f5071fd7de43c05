"""Hooks of Kimi that its own modules and this library run (``record_kimi``, ``test_kimi_runs``).

A case is a list of entries, an event and its fields. ``$W`` in a command is the working directory of the case.
"""

from __future__ import annotations

import json
from typing import Any

Case = dict[str, Any]
CALL = {"tool_name": "Bash", "tool_input": {"command": "echo hé <&>"}, "tool_call_id": "c1"}
FIELDS: dict[str, dict[str, Any]] = {
    "PreToolUse": CALL,
    "PostToolUse": {**CALL, "tool_output": "hé"},
    "UserPromptSubmit": {"prompt": "say hé"},
    "Stop": {"stop_hook_active": False},
    "SessionStart": {"source": "startup"},
    "SubagentStop": {"agent_name": "a", "response": "r"},
    "PreCompact": {"trigger": "auto", "token_count": 5},
}
#: The events whose block has an effect; for others the programs run hooks and ignore the result.
HEEDED = ("PreToolUse", "UserPromptSubmit", "Stop")
#: Event -> the field that its matcher is over.
SUBJECTS = {
    "PreToolUse": "tool_name",
    "PostToolUse": "tool_name",
    "UserPromptSubmit": "prompt",
    "SessionStart": "source",
    "SubagentStop": "agent_name",
    "PreCompact": "trigger",
}


def printing(answer: object, status: int = 0) -> str:
    """Return a command that prints an answer and ends with a status."""
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return f"printf '%s' '{text}'; exit {status}"


def case(*commands: str, event: str = "PreToolUse", **options: Any) -> Case:
    """Return a case with an entry for each command."""
    entries = [{"event": event, "command": command, **options} for command in commands]
    return {"entries": entries, "event": event, "fields": FIELDS[event]}


def specific(**members: object) -> dict[str, object]:
    """Return an answer with these members inside."""
    return {"hookSpecificOutput": members}


ANSWERS: dict[str, object] = {
    "deny": specific(permissionDecision="deny", permissionDecisionReason="r"),
    "deny without a reason": specific(permissionDecision="deny"),
    "deny with an empty reason": specific(permissionDecision="deny", permissionDecisionReason=""),
    "deny with a name": specific(hookEventName="PreToolUse", permissionDecision="deny", permissionDecisionReason="r"),
    "deny with another name": specific(hookEventName="Stop", permissionDecision="deny", permissionDecisionReason="r"),
    "DENY": specific(permissionDecision="DENY"),
    "ask": specific(permissionDecision="ask"),
    "allow": specific(permissionDecision="allow"),
    "a list": specific(permissionDecision=["deny"]),
    "other keys": {"foo": 1, **specific(permissionDecision="deny", permissionDecisionReason="r", foo=2)},
    "block": {"decision": "block", "reason": "r"},
    "decision deny": {"decision": "deny", "reason": "r"},
    "top level": {"permissionDecision": "deny"},
    "continue false": {"continue": False, "stopReason": "s"},
    "deny and continue true": {"continue": True, **specific(permissionDecision="deny", permissionDecisionReason="r")},
    "message": {"message": "m"},
    "message of blanks": {"message": " "},
    "message inside": specific(message="m"),
    "message number": {"message": 5},
    "message object": {"message": {"a": 1}},
    "message and deny": {"message": "m", **specific(permissionDecision="deny", permissionDecisionReason="r")},
    "message and silent deny": {"message": "m", **specific(permissionDecision="deny")},
    "context": specific(additionalContext="c"),
    "a text inside": {"hookSpecificOutput": "x"},
    "a list inside": {"hookSpecificOutput": []},
    "null inside": {"hookSpecificOutput": None},
    "an array": [specific(permissionDecision="deny")],
    "text": "no",
    "nothing": "",
    "number": "5",
    "noise before": 'x\n{"hookSpecificOutput": {"permissionDecision": "deny"}}',
    "noise behind": '{"hookSpecificOutput": {"permissionDecision": "deny"}}\nx',
    "blanks": '\n {"hookSpecificOutput": {"permissionDecision": "deny"}}\n\n',
    "two objects": '{}\n{"hookSpecificOutput": {"permissionDecision": "deny"}}',
    "cut": '{"hookSpecificOutput": {"permissionDecision": "deny"',
}
MATCHERS = (
    "Bash",
    "as",
    "bash",
    "Write|Bash",
    "^Ba",
    "^Bash$",
    "Ba[",
    "*",
    "",
    "(?!Read)",
    ".",
    "B.sh",
    "x",
    "^$",
    "h\\$",
)
GOOD = {"event": "PreToolUse", "command": "echo no >&2; exit 2"}
ENTRIES: dict[str, list[dict[str, Any]]] = {
    "unknown key": [{**GOOD, "zzz": 1}, GOOD],
    "unknown event": [{"event": "preToolUse", "command": "true"}, GOOD],
    "an event of Kimi Code": [{"event": "Interrupt", "command": "true"}, GOOD],
    "no event": [{"command": "true"}, GOOD],
    "no command": [{"event": "PreToolUse"}, GOOD],
    "empty command": [{"event": "PreToolUse", "command": ""}, GOOD],
    "timeout 0": [{**GOOD, "timeout": 0}],
    "timeout 600": [{**GOOD, "timeout": 600}],
    "timeout 601": [{**GOOD, "timeout": 601}],
    "a fraction": [{**GOOD, "timeout": 1.5}],
    "matcher number": [{**GOOD, "matcher": 1}, GOOD],
    "type": [{**GOOD, "type": "command"}],
}


def _cases() -> dict[str, Case]:
    made: dict[str, Case] = {}
    for name, answer in ANSWERS.items():
        for status in (0, 1, 2):
            made[f"answer: {name}, {status}"] = case(printing(answer, status))
        for event in ("UserPromptSubmit", "Stop", "PostToolUse"):
            made[f"{event}: {name}"] = case(printing(answer), event=event)
    for event in ("PreToolUse", "UserPromptSubmit", "Stop", "PreCompact"):
        for text, status in (("echo no >&2", 2), ("true", 2), ("echo no >&2", 1), ("echo no", 2), ("true", 127)):
            made[f"{event}: {text}, {status}"] = case(f"{text}; exit {status}", event=event)
    for event in SUBJECTS:
        for matcher in MATCHERS:
            made[f"matcher {matcher} on {event}"] = case("touch $W/got; exit 2", event=event, matcher=matcher)
    for matcher in MATCHERS:
        made[f"matcher {matcher} on Stop"] = case("touch $W/got; exit 2", event="Stop", matcher=matcher)
    for name, entries in ENTRIES.items():
        made[f"config: {name}"] = {"entries": entries, "event": "PreToolUse", "fields": CALL}
    for event in FIELDS:
        made[f"stdin of {event}"] = case("cat > $W/got", event=event)
    made |= {
        "two denies": case("sleep 0.2; echo a >&2; exit 2", "echo b >&2; exit 2"),
        "second of two": case("true", "echo b >&2; exit 2"),
        "equal commands": case("echo x >> $W/got", "echo x >> $W/got"),
        "a broken answer and a deny": case(printing(ANSWERS["a text inside"]), "echo no >&2; exit 2"),
        "null and a deny": case(printing(ANSWERS["null inside"]), "echo no >&2; exit 2"),
        "two texts": case("echo a", "echo b", event="UserPromptSubmit"),
        "no program": case("/no/such/program"),
        "closed stdin": case("exec <&-; echo no >&2; exit 2"),
        "timeout": case("sleep 3; exit 2", timeout=1),
        "held pipe": case("sleep 3 & echo no >&2; exit 2", timeout=1),
        "not UTF-8": case("printf '\\377'; echo no >&2; exit 2"),
    }
    return made


CASES = _cases()
