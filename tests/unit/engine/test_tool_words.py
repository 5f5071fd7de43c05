"""Guards are told of an agent's tools in their own system's words, and answers come back in the agent's.

Five shapes of a tool (the system's own name, a name in our table, one that the host tells, one that only its arguments
tell, one that nothing tells) by what a hook can say. Expected: decisions tool names.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks import HookEngine, MemoryFS
from pyshellhooks.hooks.verdict import Verdict

# system -> event, its shell tool, the key of its command, and how a config writes a group
SYSTEMS: dict[str, tuple[str, str, str]] = {
    "crush": ("PreToolUse", "bash", "command"),
    "claude_code": ("PreToolUse", "Bash", "command"),
    "gemini": ("BeforeTool", "run_shell_command", "command"),
    "docker_agent": ("pre_tool_use", "shell", "cmd"),
    "everruns": ("pre_tool_use", "bash", "commands"),
    "firebender": ("preToolUse", "Shell", "command"),
    "cursor": ("preToolUse", "Shell", "command"),
}
# shape -> the caller's tool, the key of its command, tools=
SHAPES: dict[str, tuple[str, str, dict[str, str]]] = {
    "table": ("execute_command", "command", {}),
    "table, another key": ("terminal", "cmd", {}),
    "told": ("my_runner", "line", {"my_runner": "shell"}),
    "told, its key": ("my_runner", "shell_command", {"my_runner": "shell"}),
    "guessed": ("frobnicate", "cmd", {}),
    "unknown": ("frobnicate", "text", {}),
}
# system -> the argument of its shell tool for a command's directory; "" if it has none
DIRECTORIES = {
    "crush": "working_dir", "claude_code": "", "gemini": "dir_path", "docker_agent": "cwd", "everruns": "working_dir",
    "firebender": "working_directory", "cursor": "working_directory",
}  # fmt: skip
READS_STDIN = [name for name in SYSTEMS if name != "everruns"]


def config(system: str, command: str, matcher: str | None) -> dict[str, Any]:
    event = SYSTEMS[system][0]
    if system == "crush":
        return {"hooks": {event: [{"command": command, **({"matcher": matcher} if matcher else {})}]}}
    if system in ("firebender", "cursor"):
        entry = {"command": command, **({"matcher": matcher} if matcher else {})}
        return {"version": 1, "hooks": {event: [entry]}}
    if system == "everruns":
        body = f'cat "$EVERRUNS_HOOK_PAYLOAD_PATH" | jq -c "{{tool_name: .data.tool_name, tool_input: .data.arguments, host_tool_name: .data.host_tool_name, host_tool_input: .data.host_tool_input}}" | ({command})'
        hook = {"id": "h", "event": event, "executor": {"type": "bash", "command": body}}
        return {"hooks": [{**hook, **({"matcher": {"tool_name": matcher}} if matcher else {})}]}
    group = {"hooks": [{"type": "command", "command": command}], **({"matcher": matcher} if matcher else {})}
    return {"hooks": {event: [group]}}


def fire(
    system: str,
    command: str,
    tool: str,
    given: Any,
    matcher: str | None = None,
    event: str = "before_tool",
    **options: Any,
) -> Verdict:
    options = {name: value for name, value in options.items() if value is not None}
    options["fs"] = MemoryFS({"/w/n.py": b"x"})
    with HookEngine.load(config(system, command, matcher), system, spawn=False, **options) as engine:
        return engine.fire(event, tool_name=tool, tool_input=given, session_id="s", cwd="/w")


SEEN = "jq -c '[.tool_name, .tool_input, .host_tool_name, .host_tool_input]' >&2; exit 1"


def seen(verdict: Verdict) -> Any:
    return json.loads(verdict.hooks[0].stderr)


@pytest.mark.parametrize("matched", [True, False], ids=["its own name", "no matcher"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_call_that_a_guard_gets(system: str, shape: str, matched: bool) -> None:
    _, own, key = SYSTEMS[system]
    tool, given, tools = SHAPES[shape]
    call = {given: "rm x"}
    verdict = fire(system, SEEN, tool, call, own if matched else None, tools=tools or None)
    if shape == "unknown":
        if matched:
            assert not verdict.hooks
        else:
            assert seen(verdict) == [tool, call, None, None]
        return
    told = {key: "rm x"} if given != "line" else call
    assert seen(verdict) == [own, told, tool, call if told != call else None]
    if given == "line":  # the host says shell, and nothing in the call is called as a command is
        assert any("but its call has no" in notice for notice in verdict.notices)
        strict = fire(system, SEEN, tool, call, own if matched else None, tools=tools, strict=True)
        assert strict.decision == "deny"


@pytest.mark.parametrize("given", ["cwd", "workdir", "working_dir", "working_directory", "dir_path", "directory"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_directory_has_the_systems_own_name_too(system: str, given: str) -> None:
    _, own, key = SYSTEMS[system]
    verdict = fire(system, SEEN, "terminal", {"cmd": "rm x", given: "/d"}, own)
    assert seen(verdict)[:2] == [own, {key: "rm x", DIRECTORIES[system] or given: "/d"}]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_hook_whose_matcher_takes_the_callers_name_gets_the_callers_call(system: str) -> None:
    verdict = fire(system, SEEN, "terminal", {"cmd": "rm x"}, "terminal")
    assert seen(verdict) == ["terminal", {"cmd": "rm x"}, None, None]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_systems_own_name_is_exact(system: str) -> None:
    _, own, key = SYSTEMS[system]
    verdict = fire(system, SEEN, own, {key: "rm x"}, own)
    assert seen(verdict) == [own, {key: "rm x"}, None, None]


def answers(system: str, key: str) -> dict[str, str]:
    """What hooks print to allow, to rewrite, to add context, and to ask, where a system has it."""

    def claude(**fields: Any) -> str:
        return json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}})

    new = {key: "ls"}
    return {
        "claude_code": {
            "allow": claude(permissionDecision="allow"),
            "rewrite": claude(permissionDecision="allow", updatedInput=new),
            "context": claude(additionalContext="mind"),
            "ask": claude(permissionDecision="ask", permissionDecisionReason="sure?"),
        },
        "crush": {
            "allow": '{"decision": "allow"}',
            "rewrite": json.dumps({"updated_input": new}),
            "context": '{"context": "mind"}',
        },
        "gemini": {
            "allow": '{"decision": "allow"}',
            "rewrite": json.dumps({"hookSpecificOutput": {"tool_input": new}}),
            "ask": '{"decision": "ask", "reason": "sure?"}',
        },
        "docker_agent": {
            "allow": '{"hook_specific_output": {"permission_decision": "allow"}}',
            "rewrite": json.dumps({"hook_specific_output": {"updated_input": new}}),
            "context": '{"hook_specific_output": {"additional_context": "mind"}}',
            "ask": '{"hook_specific_output": {"permission_decision": "ask", "permission_decision_reason": "sure?"}}',
        },
        "everruns": {
            "allow": '{"decision": "allow"}',
            "rewrite": json.dumps({"decision": "mutate", "patch": {"arguments": new}}),
        },
        "firebender": {
            "allow": '{"decision": "allow"}',
            "rewrite": json.dumps({"decision": "allow", "updated_input": new}),
        },
        "cursor": {
            "allow": '{"permission": "allow"}',
            "rewrite": json.dumps({"permission": "allow", "updated_input": new}),
        },
    }[system]  # type: ignore[index]


CASES = [(system, word) for system in SYSTEMS for word in answers(system, SYSTEMS[system][2])]


@pytest.mark.parametrize("shape", ["table", "table, another key", "told, its key", "guessed"])
@pytest.mark.parametrize(("system", "word"), CASES)
def test_answers_are_translated_to_the_callers_names(system: str, word: str, shape: str) -> None:
    _, own, key = SYSTEMS[system]
    tool, given, tools = SHAPES[shape]
    text = answers(system, key)[word]
    verdict = fire(system, f"cat >/dev/null; echo '{text}'", tool, {given: "rm x"}, own, tools=tools or None)
    assert len(verdict.hooks) == 1, verdict.notices
    guessed = shape == "guessed"
    if word == "ask":
        assert verdict.decision == "ask" and not verdict.proceeds and verdict.needs_approval
        return
    dropped = any("is a guess" in notice and "frobnicate" in notice for notice in verdict.notices)
    assert dropped == guessed
    if guessed:
        assert verdict.decision == "none" and verdict.updated_input is None and verdict.context == ""
    elif word == "allow":
        assert verdict.decision == "allow"
    elif word == "rewrite":
        assert verdict.updated_input == {given: "ls"}
    else:
        assert verdict.context == "mind"


@pytest.mark.parametrize("shape", ["table", "table, another key", "told, its key", "guessed"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_deny_counts_however_the_kind_was_found(system: str, shape: str) -> None:
    _, own, key = SYSTEMS[system]
    tool, given, tools = SHAPES[shape]
    command = f"jq -r .tool_input.{key} | grep -q 'rm x' && {{ echo no >&2; exit 2; }}; exit 0"
    assert fire(system, command, tool, {given: "rm x"}, own, tools=tools or None).decision == "deny"
    assert fire(system, command, tool, {given: "ls"}, own, tools=tools or None).proceeds


# -- forms of arguments -----------------------------------------------------------------------------------------------

ECHO = """jq -c '.tool_input' >&2; exit 1"""


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("shell", {"command": ["bash", "-lc", "rm x"]}, {"command": "rm x"}),
        ("container.exec", {"command": ["git", "commit", "-m", "a b"]}, {"command": "git commit -m 'a b'\ngit\ncommit\n-m\na b"}),
        ("terminal", {"commands": ["rm x", "ls"]}, {"command": "rm x\nls"}),
        ("shell", {"action": {"commands": ["rm x", "ls"]}}, {"command": "'rm x' ls\nrm x\nls"}),
        ("local_shell", {"action": {"type": "exec", "command": ["bash", "-lc", "rm x"]}}, {"command": "rm x"}),
        ("run_commands", {"commands": [{"command": "rm x"}, "ls"]}, {"command": "rm x\nls"}),
        ("run_command", {"CommandLine": "rm x", "Cwd": "/w"}, {"command": "rm x", "Cwd": "/w"}),
        ("execute", {"command": "ls", "cmd": "rm x"}, {"command": "ls\nrm x"}),
        ("read_file", {"path": "a/../b.py"}, {"file_path": "/w/b.py"}),
        ("view", {"file_path": "/etc/passwd"}, {"file_path": "/etc/passwd"}),
        ("create", {"path": "n.py", "file_text": "x"}, {"file_path": "/w/n.py", "content": "x"}),
        ("str_replace_editor", {"command": "view", "path": "/x"}, {"command": "view", "file_path": "/x"}),
        (
            "edit",
            {"filePath": "n.py", "oldString": "a", "newString": "b", "replaceAll": True},
            {"file_path": "/w/n.py", "old_string": "a", "new_string": "b", "replace_all": True},
        ),
    ],
)  # fmt: skip
def test_arguments_are_sent_under_claude_codes_names(tool: str, given: Any, told: dict[str, Any]) -> None:
    verdict = fire("claude_code", ECHO, tool, given)
    found = seen(verdict)
    if "command" in told and len(given) > 1 and "cmd" in given:
        assert found["command"] == told["command"] and any(
            "the tool may use either" in notice for notice in verdict.notices
        )
    else:
        assert found == told
    as_text = fire("claude_code", ECHO, tool, json.dumps(given))
    assert seen(as_text) == found


def rewriting(new: dict[str, Any]) -> str:
    answer = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": new}}
    return f"cat >/dev/null; echo '{json.dumps(answer)}'"


@pytest.mark.parametrize(
    ("tool", "given", "new", "back", "notice"),
    [
        ("shell", {"command": ["bash", "-lc", "rm x"]}, {"command": "ls; pwd"}, {"command": ["bash", "-lc", "ls; pwd"]}, ""),
        ("shell", {"command": ["rm", "x"]}, {"command": "ls -l"}, {"command": ["ls", "-l"]}, ""),
        ("shell", {"command": ["rm", "x"]}, {"command": "ls; pwd"}, {"command": ["sh", "-c", "ls; pwd"]}, ""),
        ("terminal", {"cmd": "rm x"}, {"command": "ls", "description": "d"}, {"cmd": "ls", "description": "d"}, "did not have"),
        ("read_file", {"path": "a.py"}, {"file_path": "/w/a.py"}, None, ""),
        ("read_file", {"path": "a.py"}, {"file_path": "/w/b.py"}, {"path": "b.py"}, ""),
        ("read_file", {"path": "a.py"}, {"file_path": "/etc/b"}, {"path": "/etc/b"}, ""),
        ("read_file", {"path": "/w/a.py"}, {"file_path": "/w/b.py"}, {"path": "/w/b.py"}, ""),
        ("shell", {"action": {"commands": ["rm x"]}}, {"command": "ls"}, {}, "the rewrite of command is ignored"),
        ("execute", {"command": "ls", "cmd": "rm x"}, {"command": "pwd"}, {}, "the rewrite of command is ignored"),
    ],
)  # fmt: skip
def test_rewrites_are_returned_in_the_callers_form(
    tool: str, given: Any, new: dict[str, Any], back: dict[str, Any] | None, notice: str
) -> None:
    for form in (given, json.dumps(given)):
        verdict = fire("claude_code", rewriting(new), tool, form)
        if back != {}:
            assert verdict.updated_input == back
        assert any(notice in text for text in verdict.notices) or not notice


def test_outputs_have_the_systems_shape_and_are_returned_as_text() -> None:
    new = {"stdout": "clean", "stderr": "", "interrupted": False, "isImage": False}
    answer = {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": new}}
    command = f"jq -e '.tool_response.stdout == \"secret\"' >/dev/null && echo '{json.dumps(answer)}'"
    hooks = {"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": command}]}]}}
    with HookEngine.load(hooks, "claude_code", spawn=False) as engine:
        verdict = engine.fire("after_tool", tool_name="execute", tool_input={"command": "ls"}, tool_output="secret")
    assert verdict.updated_output == "clean"


def test_a_chain_sees_each_rewrite_in_its_own_words() -> None:
    entries = [
        {"command": """jq -c '{permission: "allow", updated_input: {command: (.tool_input.command + " one")}}'""", "matcher": "Shell"},
        {"command": """jq -c '{permission: "allow", updated_input: {cmd: (.tool_input.cmd + " two")}}'""", "matcher": "terminal"},
        {"command": """jq -c '{permission: "allow", updated_input: {command: (.tool_input.command + " three")}}'""", "matcher": "Shell"},
    ]  # fmt: skip
    with HookEngine.load({"version": 1, "hooks": {"preToolUse": entries}}, "cursor", spawn=False) as engine:
        verdict = engine.fire("before_tool", tool_name="terminal", tool_input={"cmd": "rm"})
    assert verdict.updated_input == {"cmd": "rm one two three"}


@pytest.mark.parametrize(
    ("system", "matcher", "tool"),
    [
        ("claude_code", "mcp__git__push", "mcp_git_push"),
        ("claude_code", "mcp__my_git__push", "mcp_my_git_push"),
        ("crush", "^mcp_git_push$", "mcp__git__push"),
        ("gemini", "^mcp__git__push$", "mcp_git_push"),
        ("gemini", "^mcp_git_push$", "mcp__git__push"),
        ("claude_code", "mcp__git__push", "mcp:git:push"),
        ("cursor", "MCP:push", "mcp:git:push"),
        ("cursor", "MCP:git:push", "mcp:git:push"),
        ("docker_agent", "git_push", "mcp:git:push"),
        ("docker_agent", "mcp:git:push", "mcp__git__push"),
        ("docker_agent", "git_push", "mcp__git__push"),
        ("everruns", "mcp_git__push", "mcp__git__push"),
    ],
)
def test_mcp_tools_are_tried_in_the_systems_spelling(system: str, matcher: str, tool: str) -> None:
    assert len(fire(system, "exit 0", tool, {"a": 1}, matcher).hooks) == 1


def test_unknown_kinds_are_reported_when_the_engine_is_made() -> None:
    with pytest.raises(ValueError, match='did you mean "shell"'):
        HookEngine.load(config("crush", ":", None), "crush", tools={"execute": "shel"})


# -- a tool of the system's name, with other keys ---------------------------------------------------------------------


@pytest.mark.parametrize("key", ["command", "cmd"])
def test_a_guard_may_read_either_key_of_a_tool_with_the_systems_name(key: str) -> None:
    command = f"jq -r .tool_input.{key} | grep -q 'rm x' && exit 2; exit 0"
    for given in ({"command": "rm x"}, {"cmd": "rm x"}, '{"command": "rm x"}'):
        if key in given:
            assert fire("docker_agent", command, "shell", given, "shell").decision == "deny"
    assert fire("docker_agent", command, "shell", {"command": "rm x"}, "shell").decision == "deny"


@pytest.mark.parametrize(
    "new", [{"cmd": "ls"}, {"command": "ls"}, {"command": "rm x", "cmd": "ls"}, {"cmd": "rm x", "command": "ls"}]
)
def test_and_may_rewrite_either(new: dict[str, str]) -> None:
    answer = json.dumps({"hook_specific_output": {"updated_input": new}})
    verdict = fire("docker_agent", f"cat >/dev/null; echo '{answer}'", "shell", {"command": "rm x"}, "shell")
    assert verdict.updated_input == {"command": "ls"}


# -- editors that do several things -----------------------------------------------------------------------------------

# The word under ``command`` of an editor (Anthropic's text editor tool, Amazon Q's fs_write, OpenHands' editor), and the
# tool of Claude Code whose guards see the call.
VERBS = {
    "view": "Read", "create": "Write", "write": "Write", "append": "Write", "str_replace": "Edit",
    "pattern_replace": "Edit", "insert": "Edit", "undo_edit": "Edit",
}  # fmt: skip


@pytest.mark.parametrize("editor", ["str_replace_editor", "str_replace_based_edit_tool", "fs_write"])
@pytest.mark.parametrize("verb", VERBS)
def test_an_editors_verb_decides_which_guards_see_it(verb: str, editor: str) -> None:
    call = {"command": verb, "path": "/w/n.py"}
    heard = [one for one in ("Bash", "Edit", "Read", "Write") if fire("claude_code", "exit 2", editor, call, one).hooks]
    assert heard == [VERBS[verb]]
