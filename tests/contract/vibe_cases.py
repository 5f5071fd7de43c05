"""Hooks whose effect in Mistral Vibe is recorded (``record_vibe``): some for each rule, and some drawn by chance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

DRAWN = 50  # cases drawn by chance
_SEED = 36


class Case(NamedTuple):
    """One event, and the text of the config, of which at most one hook runs on it."""

    name: str
    event: str
    config: str
    tool: str = "file_system.bash"
    failed: bool = False
    agent: str = "default"
    is_main: bool = True


COMMAND = {"command": "echo hé <&>", "timeout": 5}
RESULT = "out"
EVENTS = ("pre_tool", "post_tool", "post_agent")


def printing(value: Any) -> str:
    """Return a command that prints JSON."""
    return f"printf '%s' '{json.dumps(value)}'"


DENY = {"decision": "deny", "reason": "r"}
REWRITE = {"hook_specific_output": {"tool_input": {"command": "x"}}}
CONTEXT = {"hook_specific_output": {"additional_context": "c"}}
#: Name -> the command of a hook.
COMMANDS: dict[str, str] = {
    "silent": "true",
    "exit-2": "echo no >&2; exit 2",
    "exit-2-silent": "exit 2",
    "exit-2-with-a-text": "echo why; exit 2",
    "exit-1-beside-a-deny": f"{printing(DENY)}; exit 1",
    "exit-127": "/no/such/program",
    "text": "echo hi",
    "array": printing([DENY]),
    "number": "echo 5",
    "null": "echo null",
    "deny": printing(DENY),
    "deny-without-a-reason": printing({"decision": "deny"}),
    "deny-whose-reason-is-a-number": printing({"decision": "deny", "reason": 5}),
    "deny-in-upper-case": printing({"decision": "DENY"}),
    "deny-in-claudes-form": printing({"hookSpecificOutput": {"permissionDecision": "deny"}}),
    "deny-beside-an-unknown-key": printing({**DENY, "foo": 1}),
    "block": printing({"decision": "block", "reason": "r"}),
    "ask": printing({"decision": "ask"}),
    "allow": printing({"decision": "allow"}),
    "a-line-before-a-deny": f"echo x; {printing(DENY)}",
    "a-blank-line-before-a-deny": f"echo; {printing(DENY)}",
    "byte-order-mark": f"printf '\\357\\273\\277'; {printing(DENY)}",
    "rewrite": printing(REWRITE),
    "rewrite-beside-a-deny": printing({**REWRITE, **DENY}),
    "rewrite-that-is-no-object": printing({"hook_specific_output": {"tool_input": "x"}}),
    "rewrite-in-camel-case": printing({"hookSpecificOutput": {"updatedInput": {"command": "x"}}}),
    "specific-that-is-no-object": printing({"hook_specific_output": "x", **DENY}),
    "context": printing(CONTEXT),
    "context-beside-a-deny": printing({**CONTEXT, **DENY}),
    "message": printing({"system_message": "m"}),
    "message-beside-a-deny": printing({"system_message": "m", **DENY}),
    "closed-stdin": f"exec <&-; {printing(DENY)}",
    "a-byte-that-is-no-text": "printf '\\377'; exit 2",
    "continue-false": printing({"continue": False}),
}
MATCHES = [
    "bash", "BASH", "ba", "ba*", "*bash*", "file_system.*", "file_system_bash", "file_system.bash", "re:bash", "re:ba",
    "re:ba[", "re:bash|edit", "re:.*", "Bash|x", "[b]ash", "[!b]ash", "b?sh", "*", "execute", "[", "re:(?i)BASH",
]  # fmt: skip
_HOOK = "name = 'n'\ntype = 'pre_tool'\ncommand = 'echo no >&2; exit 2'\nstrict = true\n"
#: Name -> the text of a config.
TEXTS: dict[str, str] = {
    "no-hooks": "x = 1\n",
    "empty": "",
    "name-missing": f"[[hooks]]\n{_HOOK}".replace("name = 'n'\n", ""),
    "command-blank": f"[[hooks]]\n{_HOOK}".replace("echo no >&2; exit 2", " "),
    "command-missing": f"[[hooks]]\n{_HOOK}".replace("command = 'echo no >&2; exit 2'\n", ""),
    "type-unknown": f"[[hooks]]\n{_HOOK}".replace("pre_tool", "PreToolUse"),
    "match-blank": f"[[hooks]]\n{_HOOK}match = ' '\n",
    "match-number": f"[[hooks]]\n{_HOOK}match = 5\n",
    "timeout-text": f"[[hooks]]\n{_HOOK}timeout = '5'\n",
    "timeout-wrong": f"[[hooks]]\n{_HOOK}timeout = 'x'\n",
    "timeout-fraction": f"[[hooks]]\n{_HOOK}timeout = 5.5\n",
    "strict-text": f"[[hooks]]\n{_HOOK}".replace("true", "'yes'"),
    "strict-wrong": f"[[hooks]]\n{_HOOK}".replace("true", "'zz'"),
    "description-number": f"[[hooks]]\n{_HOOK}description = 5\n",
    "unknown-key": f"[[hooks]]\n{_HOOK}foo = 1\n",
    "other-tables": f"[foo]\nx = 1\n\n[[hooks]]\n{_HOOK}",
    "a-wrong-neighbour": f"[[hooks]]\nname = 'x'\n\n[[hooks]]\n{_HOOK}",
}


def config(event: str, command: str, **keys: Any) -> str:
    """Return a config with one hook."""
    lines = ["[[hooks]]", "name = 'n'", f"type = '{event}'", f"command = {json.dumps(command)}"]
    given = {"timeout": 5, **keys}
    return "\n".join([*lines, *[f"{key} = {json.dumps(value)}" for key, value in given.items()]]) + "\n"


def _drawn() -> Iterator[Case]:
    """Yield cases of any event, with any answer."""
    random = Random(_SEED)
    parts: list[dict[str, Any]] = [
        DENY, {"decision": "deny"}, {"decision": "block"}, {"decision": "allow"}, {"reason": "x"}, REWRITE, CONTEXT,
        {"system_message": "m"}, {"foo": 1}, {"decision": None}, {"system_message": 5},
    ]  # fmt: skip
    for number in range(DRAWN):
        event = random.choice(EVENTS)
        answer: dict[str, Any] = {}
        for part in random.sample(parts, random.randint(1, 3)):
            answer |= part
        before = random.choice(["", "", "", "", "echo noise; "])
        after = random.choice(["", "", "", "", "; exit 2", "; echo why >&2; exit 2", "; exit 1"])
        keys: dict[str, Any] = {"strict": True} if event != "post_agent" and random.random() < 0.5 else {}
        yield Case(f"drawn-{number}", event, config(event, f"{before}{printing(answer)}{after}", **keys))


def cases() -> list[Case]:
    """Return all cases."""
    found = []
    for event in EVENTS:
        for strict in (False, True) if event != "post_agent" else (False,):
            keys: dict[str, Any] = {"strict": True} if strict else {}
            suffix = "-strict" if strict else ""
            for name, command in COMMANDS.items():
                found.append(Case(f"{event}{suffix}-{name}", event, config(event, command, **keys)))
    deny = printing(DENY)
    found += [Case(f"match-{text}", "pre_tool", config("pre_tool", deny, match=text)) for text in MATCHES]
    for tool, text in [
        ("agents.spawn", "agents_spawn"), ("skill.read", "skill"), ("skill.read", "read"), ("web.search", "web_search"),
        ("file_system.write_file", "write_file"), ("file_system.write_file", "Write"),
    ]:  # fmt: skip
        found.append(Case(f"match-{text}-of-{tool}", "pre_tool", config("pre_tool", deny, match=text), tool))
    for text, agent, is_main in [
        ("main", "default", True), ("main", "default", False), ("default", "default", False), ("main", "main", False),
        ("rev*", "reviewer", False), ("re:rev", "reviewer", False), ("*", "reviewer", False),
    ]:  # fmt: skip
        own = config("post_agent", deny, match=text)
        found.append(Case(f"agent-{text}-of-{agent}-{is_main}", "post_agent", own, agent=agent, is_main=is_main))
    found += [Case(f"text-{name}", "pre_tool", text) for name, text in TEXTS.items()]
    found += [
        Case("a-failed-call", "post_tool", config("post_tool", deny), failed=True),
        Case("strict-on-post-agent", "post_agent", config("post_agent", deny, strict=True)),
        Case("timeout-0", "pre_tool", config("pre_tool", deny, timeout=0)),
        Case("a-timeout", "pre_tool", config("pre_tool", "sleep 9", timeout=1)),
        Case("a-timeout-strict", "pre_tool", config("pre_tool", "sleep 9", timeout=1, strict=True)),
        Case("a-child-holds-the-pipe", "pre_tool", config("pre_tool", f"sleep 4 & {deny}", timeout=2)),
    ]
    return [*found, *_drawn()]
