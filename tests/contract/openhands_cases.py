"""Hooks of OpenHands that its own module and this library both run (``record_openhands``, ``test_openhands_runs``).

A case is a config, an event and its fields. ``$W`` in a command is the working directory of the case.
"""

from __future__ import annotations

import json
from typing import Any

Case = dict[str, Any]
CALL = {"tool_name": "terminal", "tool_input": {"command": "echo hé <&>"}}
FIELDS: dict[str, dict[str, Any]] = {
    "PreToolUse": CALL,
    "PostToolUse": {**CALL, "tool_response": {"content": [{"type": "text", "text": "hé"}], "is_error": False}},
    "UserPromptSubmit": {"message": "hé"},
    "SessionStart": {},
    "SessionEnd": {},
    "Stop": {"metadata": {"reason": "finished"}},
}


def printing(answer: object, status: int = 0) -> str:
    """Return a command that prints an answer and ends with a status."""
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return f"printf '%s' '{text}'; exit {status}"


def case(*commands: str, event: str = "PreToolUse", matcher: str | None = None, **options: Any) -> Case:
    """Return a case with one group of commands."""
    group: dict[str, Any] = {"hooks": [{"type": "command", "command": one, **options} for one in commands]}
    if matcher is not None:
        group["matcher"] = matcher
    return {"config": {event: [group]}, "event": event, "fields": FIELDS[event]}


ANSWERS: dict[str, object] = {
    "deny": {"decision": "deny", "reason": "r"},
    "deny without a reason": {"decision": "deny"},
    "deny with an empty reason": {"decision": "deny", "reason": ""},
    "DENY": {"decision": "DENY", "reason": "r"},
    "Deny": {"decision": "Deny"},
    "block": {"decision": "block", "reason": "r"},
    "allow": {"decision": "allow"},
    "approve": {"decision": "approve"},
    "a list": {"decision": ["deny"]},
    "a number": {"decision": 1},
    "null": {"decision": None, "reason": "r"},
    "continue false": {"continue": False, "stopReason": "s"},
    "continue false with a reason": {"continue": False, "reason": "r"},
    "continue 0": {"continue": 0},
    "continue empty": {"continue": ""},
    "continue null": {"continue": None},
    "continue true": {"continue": True},
    "continue no": {"continue": "no"},
    "nested deny": {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "r"}},
    "nested and own": {"decision": "deny", "reason": "own", "hookSpecificOutput": {"permissionDecision": "allow"}},
    "context": {"additionalContext": "c"},
    "context and deny": {"additionalContext": "c", "decision": "deny", "reason": "r"},
    "reason alone": {"reason": "r"},
    "allow and continue false": {"decision": "allow", "continue": False},
    "other keys": {"foo": 1, "decision": "deny"},
    "an array": [{"decision": "deny"}],
    "text": "no",
    "nothing": "",
    "noise before": 'x\n{"decision": "deny"}',
    "noise behind": '{"decision": "deny"}\nx',
    "blanks": '\n  {"decision": "deny"}\n\n',
    "two objects": '{"decision": "allow"}\n{"decision": "deny"}',
    "repeated key": '{"decision": "deny", "decision": "allow"}',
    "cut": '{"decision": "deny"',
}
TOOLS = ("terminal", "Terminal", "term", "file_editor", "x", "term[")
MATCHERS = (
    "terminal", "term", "term.*", "/term/", "/term.*/", "/terminal/", "Terminal", "term[", "/term[/", "terminal|x",
    "(terminal|x)", "", "*", "file_*", "file_.*", "^terminal$", "[a-z]+", "(?i)TERMINAL", ".", "//", "/",
)  # fmt: skip
GROUP = [{"hooks": [{"command": "exit 2"}]}]
CONFIGS: dict[str, Any] = {
    "snake case": {"pre_tool_use": GROUP},
    "in hooks": {"hooks": {"PreToolUse": GROUP}},
    "in hooks, snake case": {"hooks": {"pre_tool_use": GROUP}},
    "beside hooks": {"hooks": {"PreToolUse": GROUP}, "x": 1},
    "an event beside hooks": {"hooks": {}, "PreToolUse": GROUP},
    "both spellings": {"PreToolUse": GROUP, "pre_tool_use": []},
    "unknown event": {"PreToolUse": GROUP, "Nope": []},
    "unknown event in snake case": {"PreToolUse": GROUP, "nope": []},
    "camel case": {"PreToolUse": GROUP, "preToolUse": []},
    "no command": {"PreToolUse": [{"hooks": [{"type": "command"}]}, *GROUP]},
    "empty command": {"PreToolUse": [{"hooks": [{"command": ""}]}, *GROUP]},
    "unknown type": {"PreToolUse": [{"hooks": [{"type": "http", "command": "x"}]}, *GROUP]},
    "null type": {"PreToolUse": [{"hooks": [{"type": None, "command": "x"}]}, *GROUP]},
    "unknown key of a hook": {"PreToolUse": [{"hooks": [{"command": "exit 2", "zzz": 1}]}]},
    "unknown key of a group": {"PreToolUse": [{"zzz": 1, "hooks": [{"command": "exit 2"}]}]},
    "no group": {"PreToolUse": [{"command": "true"}, *GROUP]},
    "null matcher": {"PreToolUse": [{"matcher": None, "hooks": [{"command": "true"}]}, *GROUP]},
    "a fraction": {"PreToolUse": [{"hooks": [{"command": "true", "timeout": 1.5}]}, *GROUP]},
    "an object of groups": {"PreToolUse": {"hooks": []}},
    "a prompt with a command": {"PreToolUse": [{"hooks": [{"type": "prompt", "command": "x", "prompt": "p"}]}, *GROUP]},
    "empty": {},
}


def _cases() -> dict[str, Case]:
    made: dict[str, Case] = {}
    for name, answer in ANSWERS.items():
        for status in (0, 1, 2):
            made[f"answer: {name}, {status}"] = case(printing(answer, status))
        for event in ("UserPromptSubmit", "Stop", "PostToolUse", "SessionStart"):
            made[f"{event}: {name}"] = case(printing(answer), event=event)
    for status, text in ((2, "echo no >&2"), (2, "true"), (2, "echo >&2"), (1, "echo no >&2"), (127, "true")):
        made[f"exit {status}: {text}"] = case(f"{text}; exit {status}")
        made[f"Stop, exit {status}: {text}"] = case(f"{text}; exit {status}", event="Stop")
    for matcher in MATCHERS:
        for tool in TOOLS:
            made[f"matcher {matcher} on {tool}"] = {
                **case("exit 2", matcher=matcher),
                "fields": {**CALL, "tool_name": tool},
            }
        made[f"matcher {matcher} on Stop"] = case("exit 2", matcher=matcher, event="Stop")
    for name, config in CONFIGS.items():
        made[f"config: {name}"] = {"config": config, "event": "PreToolUse", "fields": CALL}
    for event in FIELDS:
        made[f"stdin of {event}"] = case("cat > $W/got", event=event)
    made |= {
        "first of two": case(printing(ANSWERS["deny"]), "touch $W/second; exit 2"),
        "second of two": case("true", "echo no >&2; exit 2"),
        "after a failure": case("exit 1", "echo no >&2; exit 2"),
        "two stops": case("echo a >&2; exit 2", "touch $W/second; exit 2", event="Stop"),
        "contexts of a stop": case(printing({"additionalContext": "a"}), "echo no >&2; exit 2", event="Stop"),
        "contexts of a prompt": case(*[printing({"additionalContext": one}) for one in "ab"], event="UserPromptSubmit"),
        "context of a failure": case(printing({"additionalContext": "a"}, 1), event="UserPromptSubmit"),
        "no program": case("/no/such/program"),
        "closed stdin": case("exec <&-; echo no >&2; exit 2"),
        "timeout": case("sleep 3; exit 2", timeout=1),
        "timeout 0": case("echo no >&2; exit 2", timeout=0),
        "held pipe": case("sleep 4 & echo no >&2; exit 2", timeout=2),
        "not UTF-8": case("printf '\\377'; exit 2"),
        "deny, not UTF-8": case('printf \'\\377{"decision": "deny"}\''),
        "stderr not UTF-8": case("printf '\\377' >&2; exit 2"),
        "async": case("exit 2", **{"async": True}),
        "syntax error": case("if then"),
        "environment": case("env | grep ^OPENHANDS | sort > $W/got"),
    }
    return made


CASES = _cases()
