"""Hooks whose effect in deepagents-code is recorded (``record_deepagents``): some for each rule, and some drawn by chance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

DRAWN = 60  # cases drawn by chance
_SEED = 35


class Case(NamedTuple):
    """One event, and the text of the config whose hooks it fires. ``fields``: those that differ from the usual ones."""

    name: str
    event: str
    config: str
    fields: dict[str, Any]


#: The usual fields of an event, by their names in its payload.
FIELDS: dict[str, dict[str, Any]] = {
    "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "echo hé <&>", "timeout": 5000}, "tool_use_id": "t1"},
    "PermissionRequest": {"tool_name": "Bash", "tool_input": {"command": "ls"}},
    "PostToolUse": {
        "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": "out", "tool_use_id": "t1", "duration_ms": 3,
    },
    "PostToolUseFailure": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1", "error": "e"},
    "UserPromptSubmit": {"prompt": "hello"},
    "SessionStart": {"source": "startup"},
    "SessionEnd": {"reason": "other"},
    "Notification": {"message": "m", "notification_type": "agent_completed"},
    "PreCompact": {"trigger": "auto", "custom_instructions": ""},
    "Stop": {"last_assistant_message": "done", "stop_hook_active": False},
    "SubagentStart": {"agent_id": "a", "agent_type": "researcher"},
    "SubagentStop": {"agent_id": "a", "agent_type": "researcher", "last_assistant_message": "done"},
}  # fmt: skip
PRE = "PreToolUse"


def printing(value: Any) -> str:
    """Return a command that prints JSON."""
    return f"printf '%s' '{json.dumps(value)}'"


def specific(event: str, **keys: Any) -> dict[str, Any]:
    """Return an answer with a specific part."""
    return {"hookSpecificOutput": {"hookEventName": event, **keys}}


DENY = specific(PRE, permissionDecision="deny", permissionDecisionReason="r")
ALLOW = specific(PRE, permissionDecision="allow")
ASK = specific(PRE, permissionDecision="ask", permissionDecisionReason="q")
BLOCK = {"decision": "block", "reason": "r"}

#: Name -> the command of a hook of PreToolUse.
COMMANDS: dict[str, str] = {
    "silent": "true",
    "exit-2": "echo no >&2; exit 2",
    "exit-2-silent": "exit 2",
    "exit-2-beside-an-allow": f"{printing(ALLOW)}; exit 2",
    "exit-1-beside-a-deny": f"{printing(DENY)}; exit 1",
    "exit-127": "/no/such/program",
    "deny": printing(DENY),
    "deny-without-a-reason": printing(specific(PRE, permissionDecision="deny")),
    "a-line-before-a-deny": f"echo noise; {printing(DENY)}",
    "deny-without-the-event": printing({"hookSpecificOutput": {"permissionDecision": "deny"}}),
    "deny-of-an-unknown-event": printing(specific("Zzz", permissionDecision="deny")),
    "deny-of-another-event": printing(specific("PostToolUse", permissionDecision="deny")),
    "block-beside-another-event": printing({**specific("PostToolUse", additionalContext="c"), **BLOCK}),
    "block-beside-an-event-without-answers": printing({**specific("PreCompact"), **BLOCK}),
    "block-beside-an-unfit-other-event": printing({**specific("PermissionRequest"), **BLOCK}),
    "block": printing(BLOCK),
    "block-without-a-reason": printing({"decision": "block"}),
    "block-beside-null": printing({"hookSpecificOutput": None, **BLOCK}),
    "block-beside-a-text": printing({"hookSpecificOutput": "x", **BLOCK}),
    "decision-deny": printing({"decision": "deny", "reason": "r"}),
    "decision-approve": printing({"decision": "approve"}),
    "decision-in-upper-case": printing({"decision": "BLOCK"}),
    "deny-beside-an-unknown-key": printing({**DENY, "foo": 1}),
    "deny-beside-an-unknown-inner-key": printing(specific(PRE, permissionDecision="deny", foo=1)),
    "deny-whose-reason-is-a-number": printing(specific(PRE, permissionDecision="deny", permissionDecisionReason=5)),
    "deny-beside-a-wrong-type": printing({**DENY, "suppressOutput": "zz"}),
    "deny-beside-a-text-for-true": printing({**DENY, "suppressOutput": "yes"}),
    "deny-beside-continue-null": printing({**DENY, "continue": None}),
    "deny-beside-a-wrong-rewrite": printing(specific(PRE, permissionDecision="deny", updatedInput="x")),
    "ask": printing(ASK),
    "allow": printing(ALLOW),
    "defer": printing(specific(PRE, permissionDecision="defer")),
    "block-beside-defer": printing({**specific(PRE, permissionDecision="defer"), **BLOCK}),
    "allow-beside-a-rewrite": printing(specific(PRE, permissionDecision="allow", updatedInput={"command": "x"})),
    "ask-beside-a-rewrite": printing(specific(PRE, permissionDecision="ask", updatedInput={"command": "x"})),
    "deny-beside-a-rewrite": printing(specific(PRE, permissionDecision="deny", updatedInput={"command": "x"})),
    "context": printing(specific(PRE, additionalContext="c")),
    "continue-false": printing({"continue": False, "stopReason": "s"}),
    "continue-false-as-text": printing({"continue": "false", "stopReason": "s"}),
    "continue-0": printing({"continue": 0}),
    "array": printing([DENY]),
    "number": "echo 5",
    "text": "echo hello",
    "closed-stdin": "exec <&-; echo no >&2; exit 2",
    "a-byte-that-is-no-text": "printf '\\377'; exit 2",
    "byte-order-mark": f"printf '\\357\\273\\277'; {printing(DENY)}",
    "a-large-output-and-exit-2": "head -c 200000 /dev/zero | tr '\\0' x; exit 2",
    "a-large-deny": f"{printing(DENY)}; head -c 200000 /dev/zero | tr '\\0' ' '",
    "a-key-twice": """printf '%s' '{"decision": null, "decision": "block"}'""",
    "empty-reason": printing({"decision": "block", "reason": ""}),
}
MATCHERS = [
    "Bash", "bash", "Bas", "Foo, Bash", "Foo|Bash", "^Ba", "Ba[", "execute", "*", "", "Bash(echo*)", "B.*h", "(?i)bash",
    "Bash-", "Bash ", "[[:alpha:]]", "Ba{e}", "|Bash|", ".", "Bäsh|Bash", r"\p{L}",
]  # fmt: skip
HANDLER = {"type": "command", "command": "echo no >&2; exit 2"}
#: Name -> the groups of PreToolUse.
GROUPS: dict[str, Any] = {
    "unknown-type": [{"hooks": [{"type": "zzz", "command": "exit 2"}]}],
    "unknown-type-beside-a-guard": [{"hooks": [{"type": "zzz", "command": "true"}, HANDLER]}],
    "no-type": [{"hooks": [{"command": "exit 2"}]}],
    "timeout-as-text": [{"hooks": [{**HANDLER, "timeout": "5"}]}],
    "timeout-0": [{"hooks": [{**HANDLER, "timeout": 0}]}],
    "timeout-below-0": [{"hooks": [{**HANDLER, "timeout": -1}]}],
    "timeout-with-a-fraction": [{"hooks": [{**HANDLER, "timeout": 1.5}]}],
    "timeout-null": [{"hooks": [{**HANDLER, "timeout": None}]}],
    "timeout-list": [{"hooks": [{**HANDLER, "timeout": [1]}]}],
    "async": [{"hooks": [{**HANDLER, "async": True}]}],
    "async-false": [{"hooks": [{**HANDLER, "async": False}]}],
    "async-as-text": [{"hooks": [{**HANDLER, "async": "yes"}]}],
    "status-message-number": [{"hooks": [{**HANDLER, "statusMessage": 5}]}],
    "no-group": [HANDLER],
    "a-group-without-hooks": [{"matcher": "Bash"}],
    "hooks-as-an-object": [{"hooks": HANDLER}],
    "unknown-key": [{"hooks": [{**HANDLER, "foo": 1}]}],
    "unknown-key-of-a-group": [{"foo": 1, "hooks": [HANDLER]}],
    "if": [{"hooks": [{**HANDLER, "if": "Bash(ls)"}]}],
    "blank-command": [{"hooks": [{"type": "command", "command": " "}]}],
    "no-command": [{"hooks": [{"type": "command"}]}],
    "matcher-number": [{"matcher": 5, "hooks": [HANDLER]}],
    "matcher-null": [{"matcher": None, "hooks": [HANDLER]}],
    "groups-as-an-object": {"hooks": [HANDLER]},
    "null": None,
}
_GOOD = json.dumps({"hooks": {PRE: [{"hooks": [HANDLER]}]}})
#: Name -> the text of a config.
TEXTS: dict[str, str] = {
    "unknown-event": json.dumps({"hooks": {"Zzz": [], PRE: [{"hooks": [HANDLER]}]}}),
    "comment": f"// a comment\n{_GOOD}",
    "trailing-comma": f"{_GOOD[:-1]},}}",
    "other-keys": json.dumps({"version": 1, "hooks": {PRE: [{"hooks": [HANDLER]}]}}),
    "no-hooks": "{}",
    "hooks-null": '{"hooks": null}',
    "hooks-text": '{"hooks": "x"}',
    "a-repeated-key": f'{{"hooks": {{"{PRE}": [{{"hooks": [{json.dumps(HANDLER)}]}}], "{PRE}": []}}}}',
}
_OTHER: list[tuple[str, str, str | None, dict[str, Any]]] = [
    ("UserPromptSubmit", "echo no >&2; exit 2", None, {}),
    ("UserPromptSubmit", "echo no >&2; exit 2", "x", {}),
    ("UserPromptSubmit", "echo no >&2; exit 2", "*", {}),
    ("UserPromptSubmit", "echo 'know this'", None, {}),
    ("UserPromptSubmit", "echo '{broken'", None, {}),
    ("UserPromptSubmit", "echo 5", None, {}),
    ("UserPromptSubmit", printing(BLOCK), None, {}),
    ("UserPromptSubmit", printing({"continue": False, "stopReason": "s"}), None, {}),
    ("UserPromptSubmit", printing(specific("UserPromptSubmit", suppressOriginalPrompt=True)), None, {}),
    ("SessionStart", "echo 'know this'", "startup", {}),
    ("SessionStart", "echo 'know this'", "resume", {}),
    ("SessionStart", "echo no >&2; exit 2", None, {}),
    ("SessionStart", printing(BLOCK), None, {}),
    ("SessionStart", printing({"continue": False}), None, {}),
    ("SessionEnd", "echo no >&2; exit 2", None, {}),
    ("SessionEnd", "echo text", "other", {}),
    ("Notification", printing({"systemMessage": "m"}), "agent_completed", {}),
    ("Notification", printing(BLOCK), None, {}),
    ("PreCompact", printing(BLOCK), "auto", {}),
    ("PreCompact", "echo no >&2; exit 2", "manual", {}),
    ("PreCompact", "echo no >&2; exit 2", "manual|auto", {}),
    ("Stop", printing(BLOCK), None, {}),
    ("Stop", printing(BLOCK), "x", {}),
    ("Stop", "echo 'go on' >&2; exit 2", None, {}),
    ("Stop", printing(specific("Stop", additionalContext="go on")), None, {}),
    ("Stop", printing({"continue": False, **BLOCK}), None, {}),
    ("Stop", "echo text", None, {}),
    ("SubagentStart", "echo no >&2; exit 2", None, {}),
    ("SubagentStart", printing(specific("SubagentStart", additionalContext="c")), "researcher", {}),
    ("SubagentStart", printing({"continue": False}), None, {}),
    ("SubagentStop", printing(BLOCK), "researcher", {}),
    ("SubagentStop", printing({**specific("SubagentStop", additionalContext="c"), **BLOCK}), None, {}),
    ("SubagentStop", "echo no >&2; exit 2", "other", {}),
    ("PostToolUse", printing(BLOCK), "Bash", {}),
    ("PostToolUse", "echo no >&2; exit 2", None, {}),
    ("PostToolUse", printing(specific("PostToolUse", updatedToolOutput="new")), None, {}),
    ("PostToolUse", printing({**specific("PostToolUse", additionalContext="c"), **BLOCK}), None, {}),
    ("PostToolUseFailure", printing(BLOCK), None, {}),
    ("PostToolUseFailure", "echo no >&2; exit 2", None, {}),
    ("PermissionRequest", "echo no >&2; exit 2", None, {}),
    ("PermissionRequest", printing(BLOCK), None, {}),
    ("PermissionRequest", printing(specific("PermissionRequest", decision={"behavior": "deny", "message": "r"})), None, {}),
    ("PermissionRequest", printing(specific("PermissionRequest", decision={"behavior": "deny", "interrupt": True})), None, {}),
    ("PermissionRequest", printing(specific("PermissionRequest", decision={"behavior": "allow"})), None, {}),
    ("PermissionRequest", printing(specific("PermissionRequest", decision={"behavior": "allow", "updatedInput": {}})), None, {}),
    ("PermissionRequest", printing(specific("PermissionRequest")), None, {}),
    ("PermissionRequest", printing({**specific("PermissionRequest", decision={"behavior": "zzz"}), **BLOCK}), None, {}),
    ("PreToolUse", "echo no >&2; exit 2", "mcp__s__.*", {"tool_name": "mcp__s__t", "tool_input": {"a": 1}}),
    ("PreToolUse", "echo no >&2; exit 2", "mcp__s", {"tool_name": "mcp__s__t", "tool_input": {"a": 1}}),
]  # fmt: skip


def config(event: str, *commands: str, matcher: str | None = None, timeout: int = 5) -> str:
    """Return a config with one group."""
    handlers = [{"type": "command", "command": command, "timeout": timeout} for command in commands]
    group: dict[str, Any] = {} if matcher is None else {"matcher": matcher}
    return json.dumps({"hooks": {event: [{**group, "hooks": handlers}]}})


def _drawn() -> Iterator[Case]:
    """Yield cases of one to three hooks of any event, with any answer."""
    random = Random(_SEED)
    parts: list[dict[str, Any]] = [
        BLOCK, {"decision": "block"}, {"continue": False, "stopReason": "s"}, {"continue": True, "stopReason": "s"},
        {"systemMessage": "m"}, {"suppressOutput": True}, {"terminalSequence": "\u0007"}, {"foo": 1}, {"reason": None},
    ]  # fmt: skip
    for number in range(DRAWN):
        event = random.choice(list(FIELDS))
        own: list[dict[str, Any]] = [{}, specific(event, additionalContext="c"), specific(random.choice(list(FIELDS)))]
        if event in ("PreToolUse", "PermissionRequest"):
            word = random.choice(["allow", "ask", "deny", "defer"])
            own.append(specific(event, permissionDecision=word, permissionDecisionReason=word))
            own.append(specific(event, decision={"behavior": random.choice(["allow", "deny"])}))
        commands = []
        for _ in range(random.randint(1, 3)):
            answer: dict[str, Any] = {**random.choice(own)}
            for part in random.sample(parts, random.randint(0, 2)):
                answer |= part
            before = random.choice(["", "", "", "", "echo noise; "])
            after = random.choice(["", "", "", "", "; exit 2", "; echo why >&2; exit 2", "; exit 1"])
            commands.append(f"{before}{printing(answer)}{after}" if answer else f"true{after}")
        yield Case(f"drawn-{number}", event, config(event, *commands), {})


def cases() -> list[Case]:
    """Return all cases."""
    found = [Case(f"command-{name}", PRE, config(PRE, command), {}) for name, command in COMMANDS.items()]
    found += [
        Case("two-allow-and-deny", PRE, config(PRE, printing(ALLOW), printing(DENY)), {}),
        Case("two-deny-and-allow", PRE, config(PRE, printing(DENY), printing(ALLOW)), {}),
        Case("two-allow-and-ask", PRE, config(PRE, printing(ALLOW), printing(ASK)), {}),
        Case("two-denies", PRE, config(PRE, "echo first >&2; exit 2", printing(DENY)), {}),
        Case("a-timeout", PRE, config(PRE, "sleep 9; exit 2", timeout=1), {}),
        Case("a-child-holds-the-pipe", PRE, config(PRE, "sleep 4 & echo no >&2; exit 2", timeout=2), {}),
    ]
    command = HANDLER["command"]
    found += [Case(f"matcher-{text}", PRE, config(PRE, command, matcher=text), {}) for text in MATCHERS]
    found += [Case(f"groups-{name}", PRE, json.dumps({"hooks": {PRE: value}}), {}) for name, value in GROUPS.items()]
    found += [Case(f"text-{name}", PRE, text, {}) for name, text in TEXTS.items()]
    for number, (event, own, matcher, fields) in enumerate(_OTHER):
        found.append(Case(f"other-{number}-{event}", event, config(event, own, matcher=matcher), fields))
    return [*found, *_drawn()]
