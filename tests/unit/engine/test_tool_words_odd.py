"""What could make a guard blind while a call is told in its words, or lose what it says on the way back.

Found by an attack on decisions tool names: each case went wrong once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from test_tool_words import ECHO, SEEN, SYSTEMS, config, fire, rewriting, seen

from pyshellhooks import HookEngine, MemoryFS
from pyshellhooks.hooks.model import Decision, HookOutcome
from pyshellhooks.hooks.tool_translation import ToolTranslation, translate
from pyshellhooks.hooks.tools import DECLARED, ToolNames
from pyshellhooks.hooks.verdict import Verdict


def load(system: str, hooks: Mapping[str, Any], **options: Any) -> HookEngine:
    return HookEngine.load(dict(hooks), system, spawn=False, fs=MemoryFS({"/w/n.py": b"x"}), **options)


# -- what is remembered of one call must not speak for another --------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "tool", "first", "second", "own"),
    [
        ("crush", "frobnicate", {"cmd": 5}, {"cmd": "rm x"}, "^bash$"),
        ("crush", "frobnicate", {"command": ["a", 1]}, {"command": ["bash", "-lc", "rm x"]}, "^bash$"),
        ("crush", "text_editor", {"command": "?", "path": "/x"}, {"command": "view", "path": "/x"}, "^view$"),
        ("gemini", "memory", {"command": "rename", "path": "x"}, {"command": "delete", "path": "x"}, ".*"),
        ("crush", "bash", {"command": "ls"}, {"command": ["bash", "-lc", "rm x"]}, "^bash$"),
        ("cursor", "Shell", {"command": "ls"}, {"command": ["bash", "-lc", "rm x"]}, "^Shell$"),
    ],
)
def test_a_call_does_not_blind_the_guards_of_the_next(
    system: str, tool: str, first: Any, second: Any, own: str
) -> None:
    with load(system, config(system, ECHO, own)) as engine:
        engine.fire("before_tool", tool_name=tool, tool_input=first)
        after = engine.fire("before_tool", tool_name=tool, tool_input=second)
    with load(system, config(system, ECHO, own)) as engine:
        fresh = engine.fire("before_tool", tool_name=tool, tool_input=second)
    assert [hook.stderr for hook in after.hooks] == [hook.stderr for hook in fresh.hooks] != []


# -- in whose words ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_systems_own_tool_with_anothers_arguments_is_sent_with_its_own(system: str) -> None:
    _, own, key = SYSTEMS[system]
    other = "cmd" if key != "cmd" else "command"
    verdict = fire(system, SEEN, own, {other: "rm x"}, own)
    assert seen(verdict)[:2] == [own, {key: "rm x", other: "rm x"}]  # and in the caller's: its name was taken, too


@pytest.mark.parametrize(
    ("system", "tool", "matcher"), [("crush", "bash_tool", "bash"), ("cursor", "ShellTool", "Shell")]
)
def test_a_hook_whose_matcher_takes_the_callers_name_by_accident_gets_its_systems_call(
    system: str, tool: str, matcher: str
) -> None:
    assert seen(fire(system, SEEN, tool, {"cmd": "rm x"}, matcher))[:2] == [SYSTEMS[system][1], {"command": "rm x"}]
    named = fire(system, SEEN, tool, {"cmd": "rm x"}, f"{matcher}|{tool}")
    assert seen(named)[:2] == [tool, {"cmd": "rm x"}]


def test_the_systems_own_name_is_first_of_several() -> None:
    assert seen(fire("gemini", SEEN, "grep_search", {"query": "x"}))[0] == "grep_search"
    assert seen(fire("claude_code", SEEN, "Task", {"task": "x"}))[0] == "Task"


def test_equal_hooks_run_in_each_wording() -> None:
    command = "jq -e .tool_input.command >/dev/null && exit 2; exit 0"
    groups = [{"matcher": name, "hooks": [{"type": "command", "command": command}]} for name in ("terminal", "Bash")]
    with load("claude_code", {"hooks": {"PreToolUse": groups}}) as engine:
        call: dict[str, Any] = {"tool_name": "terminal", "tool_input": {"cmd": "rm x"}}
        assert engine.fire("before_tool", **call).decision == "deny"
        assert [why.matches for why in engine.explain("before_tool", **call)] == [True, True]
        assert len(engine.fire("before_tool", tool_name="Bash", tool_input={"command": "ls"}).hooks) == 1


def test_a_kind_that_the_host_declares_overrides_the_systems_table() -> None:
    deny = "exit 2"
    assert fire("claude_code", deny, "PowerShell", {"command": "rm x"}, "Bash", tools={"PowerShell": "shell"}).blocked
    hooks = {"version": 1, "hooks": {"beforeShellExecution": [{"command": deny}]}}
    for tool in ("Write", "mcp__workspace__bash"):
        with load("cursor", hooks, tools={tool: "shell"}) as engine:
            assert engine.fire("before_tool", tool_name=tool, tool_input={"command": "rm x"}).blocked
            assert engine.check_tools([tool]) == []


@pytest.mark.parametrize(
    ("system", "matcher", "tool"),
    [
        ("claude_code", "mcp__git__run", "mcp_git_run"),
        ("claude_code", "mcp__my_git__run", "mcp_my_git_run"),
        ("cursor", "MCP:run", "mcp_my_git_run"),
        ("firebender", "MCP:git_run", "mcp_my_git_run"),
    ],
)
def test_an_mcp_tool_with_a_lone_command_is_no_shell(system: str, matcher: str, tool: str) -> None:
    assert fire(system, "exit 2", tool, {"command": "x"}, matcher).blocked
    assert not fire(system, "exit 2", tool, {"command": "x"}, f"^{SYSTEMS[system][1]}$").hooks


@pytest.mark.parametrize(
    ("system", "matcher"), [("docker_agent", "edit_file"), ("everruns", "edit_file"), ("claude_code", "Edit|Write")]
)
def test_several_edits_reach_the_guard_of_edits(system: str, matcher: str) -> None:
    given = {"filepath": "n.py", "edits": [{"old_string": "a", "new_string": "b"}]}
    assert len(fire(system, "exit 0", "multi_edit", given, matcher).hooks) == 1


OLD_NEW = [{"old_string": "a", "new_string": "b"}]


@pytest.mark.parametrize(
    ("system", "tool", "given", "edits"),
    [
        ("docker_agent", "str_replace", {"old_str": "a", "new_str": "b"}, [{"oldText": "a", "newText": "b"}]),
        ("everruns", "replace", {"old_string": "a", "new_string": "b"}, [{"old_text": "a", "new_text": "b"}]),
        ("docker_agent", "multi_edit", {"edits": OLD_NEW}, [{"oldText": "a", "newText": "b"}]),
        ("claude_code", "edit_file", {"edits": [{"oldText": "a", "newText": "b"}]}, OLD_NEW),
        ("crush", "edit_file", {"edits": [{"old_text": "a", "new_text": "b", "n": 1.0}]}, [{**OLD_NEW[0], "n": 1.0}]),
    ],
)
def test_edits_are_sent_in_the_systems_form_and_translated_back(
    system: str, tool: str, given: dict[str, Any], edits: Any
) -> None:
    new = json.loads(json.dumps(edits).replace('"b"', '"c"'))
    for form in ({"path": "/w/n", **given}, json.dumps({"path": "/w/n", **given})):
        told = seen(fire(system, SEEN, tool, form))[1]
        assert told["edits"] == edits and len(told) == 2
        call = ToolNames().call(tool, form)
        with load(system, config(system, ":", None)) as engine:
            found = translate(call, engine.dialect, "/w")
        assert found is not None
        back = found.back(HookOutcome(rewrite=json.dumps({"edits": new})))
        assert json.loads(back.rewrite or "") == json.loads(json.dumps(given).replace('"b"', '"c"'))
        same = found.back(HookOutcome(rewrite=json.dumps({"edits": edits})))
        assert json.loads(same.rewrite or "") == given
        if "edits" not in given:
            lost = found.back(HookOutcome(rewrite=json.dumps({"edits": new * 2}), decision=Decision.ALLOW))
            assert json.loads(lost.rewrite or "") == given and lost.decision is Decision.NONE and lost.faults


def test_a_single_edit_beside_several_hides_none_of_them() -> None:
    given = {"path": "/w/n", "edits": [{"oldText": "a", "newText": "b"}], "old_text": "c", "new_text": "d"}
    verdict = fire("docker_agent", SEEN, "replace", given)
    assert seen(verdict)[1] == given and any("both are unchanged" in notice for notice in verdict.notices)


# -- what is told -----------------------------------------------------------------------------------------------------


class Text(str):
    """Stands for ``class Key(str, Enum)``, whose ``str()`` is not its text."""

    def __str__(self) -> str:
        return "Text.thing"


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("run_commands", {"commands": [{"command": "rm", "args": ["-rf", "/a b"]}]}, "rm -rf '/a b'"),
        ("run_commands", {"commands": [{"script": "rm x"}, "ls"]}, '{"script":"rm x"}\nls'),
        ("execute", {"command": ["rm", 1]}, "rm\n1"),
        ("shell", {"command": ["rm -rf /"]}, "rm -rf /"),
        ("shell", {"action": {"commands": ["rm -rf /"]}}, "rm -rf /"),
        ("shell", {"command": ["ls", "rm\t-rf\t/"]}, "ls 'rm\t-rf\t/'\nls\nrm\t-rf\t/"),
        ("shell", {"command": ["ls;rm", "x"]}, "'ls;rm' x\nls;rm\nx"),
        ("execute", {Text("cmd"): "rm x"}, "rm x"),
    ],
)  # fmt: skip
def test_nothing_of_a_command_is_left_out(tool: str, given: Any, told: str) -> None:
    verdict = fire("claude_code", ECHO, tool, given, "Bash")
    assert seen(verdict) == {"command": told}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    "given",
    ['{"cmd":1e400}', '{"cmd":' + "9" * 5000 + "}", '{"cmd":[1e400]}', '{"cmd":"ls","command":1e400}', '{"cmd":{"a":1e400}}'],
    ids=["1e400", "5000 digits", "list", "two", "object"],
)  # fmt: skip
def test_numbers_that_python_cannot_hold_do_not_crash(system: str, given: str) -> None:
    assert len(fire(system, "exit 0", "execute", given).hooks) == 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize("event", ["before_tool", "after_tool"])
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 5000], ids=["big", "small", "long"])
def test_numbers_that_python_cannot_hold_do_not_crash_anywhere(system: str, event: str, number: str) -> None:
    hooks = [config(system, "exit 0", None)]
    if system in ("firebender", "cursor"):
        names = ("beforeShellExecution", "afterShellExecution", "beforeReadFile", "afterFileEdit", "postToolUse")
        hooks.append({"version": 1, "hooks": {name: [{"command": "exit 0"}] for name in names}})
    for tool in ("execute", SYSTEMS[system][1], "mcp__a__b", "read_file"):
        for given in (f'{{"command":{number},"path":{number}}}', f'{{"command":[{number}]}}', number):
            text = f'{{"tool_name":"{tool}","tool_input":{given},"tool_output":{{"a":[{number}]}}}}'
            for one in hooks:
                with load(system, one) as engine:
                    assert engine.fire(event, text).decision == "none"


def test_a_command_that_is_nested_deeply_does_not_exhaust_the_stack() -> None:
    deep: Any = "rm x"
    for _ in range(10_000):
        deep = [deep]
    call = ToolNames().call("execute", {"command": deep})
    assert call.looks_like_shell and call.kind is not None and call.kind.name == "shell"


def test_of_two_paths_the_systems_own_name_keeps_its_value() -> None:
    verdict = fire("claude_code", ECHO, "Read", {"path": "/w/a", "file_path": "/etc/shadow"}, "Read")
    assert seen(verdict) == {"path": "/w/a", "file_path": "/etc/shadow"}
    assert any("the tool may use either" in notice for notice in verdict.notices)


@pytest.mark.parametrize(
    ("tool", "given", "tools"),
    [
        ("put", {"path": "a", "body": "secret"}, {"put": "write"}),
        ("apply_diff", {"path": "a", "diff": "x"}, None),
        ("execute", ["rm", "x"], None),
        ("execute", 5, None),
    ],
)
def test_arguments_that_no_guard_can_find_are_reported(tool: str, given: Any, tools: dict[str, str] | None) -> None:
    verdict = fire("claude_code", "exit 0", tool, given, tools=tools)
    assert len(verdict.hooks) == 1 and any("but its call has no" in notice for notice in verdict.notices)
    assert fire("claude_code", "exit 0", tool, given, tools=tools, strict=True).blocked
    # A hook that names the caller's tool sees what it was written for.
    said = fire("claude_code", "exit 0", tool, given, tool, tools=tools).notices
    assert not any("but its call has no" in notice for notice in said)


def test_messages_do_not_repeat_a_megabyte() -> None:
    verdict = fire("crush", "exit 2", "x\n" * 500_000, {"cmd": "rm x", "cwd": "y"}, "^bash$")
    assert len(verdict.notices) == 1 and len(verdict.notices[0]) < 1500 and "\n" not in verdict.notices[0]


# -- and back ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "given", "new", "back"),
    [
        ("terminal", {"commands": ["rm x", "ls"]}, {"command": "ls -l"}, {"commands": ["ls -l"]}),
        ("run_commands", {"commands": [{"command": "rm x"}]}, {"command": "ls -l"}, {"commands": ["ls -l"]}),
        ("terminal", {"cmd": "rm x"}, {"command": "ls", "cmd": "rm x"}, {"cmd": "ls"}),
        ("list_files", {"path": "./"}, {"path": "/w/"}, {"path": "."}),
    ],
)
def test_a_rewrite_has_the_callers_form(tool: str, given: Any, new: dict[str, Any], back: Any) -> None:
    for form in (given, json.dumps(given)):
        verdict = fire("claude_code", rewriting(new), tool, form)
        assert verdict.updated_input == back and verdict.decision == "allow"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("container.exec", {"command": ["git", "commit", "-m", "a b"], "workdir": "x"}),  # words, or scripts?
        ("shell", {"action": {"commands": ["rm x"]}, "workdir": "x"}),
        ("execute", {"command": "ls", "cmd": "rm x", "workdir": "x"}),
        ("execute", {"cmd": "ls", "command": "rm x", "workdir": "x"}),
    ],
)
def test_a_rewrite_that_is_not_possible_is_dropped_with_its_allow(tool: str, given: Any) -> None:
    for form in (given, json.dumps(given)):
        verdict = fire("claude_code", rewriting({"command": "ls -l", "workdir": "x"}), tool, form)
        assert verdict.updated_input is None and verdict.decision == "none"
        assert any("the rewrite of command is ignored" in notice for notice in verdict.notices)
        assert any("its allow is ignored" in notice for notice in verdict.notices)
        assert fire("claude_code", rewriting({"command": "ls"}), tool, form, strict=True).blocked


def chain(system: str, given: Any, tool: str) -> Verdict:
    """A hook that rewrites the command to ``ls``, and one that says what it is told."""
    look = "jq -c '[.tool_input.command, .host_tool_input]' >&2; exit 1"
    if system == "cursor":
        new = json.dumps({"permission": "allow", "updated_input": {"command": "ls"}})
        entries = [{"command": f"echo '{new}'", "matcher": "Shell"}, {"command": look, "matcher": "Shell"}]
        hooks: dict[str, Any] = {"version": 1, "hooks": {"preToolUse": entries}}
    else:
        new = json.dumps({"hookSpecificOutput": {"tool_input": {"command": "ls"}}})
        entries = [{"type": "command", "command": f"echo '{new}'"}, {"type": "command", "command": look}]
        group = {"matcher": "run_shell_command", "sequential": True, "hooks": entries}
        hooks = {"hooks": {"BeforeTool": [group]}}
    with load(system, hooks) as engine:
        return engine.fire("before_tool", tool_name=tool, tool_input=given)


@pytest.mark.parametrize("system", ["cursor", "gemini"])
@pytest.mark.parametrize(
    ("tool", "given", "told", "host"),
    [
        ("terminal", {"cmd": "rm x"}, "ls", {"cmd": "ls"}),
        ("shell", {"command": ["bash", "-lc", "rm x"]}, "ls", {"command": ["bash", "-lc", "ls"]}),
        ("shell", {"action": {"commands": ["rm x"]}}, "rm x", {"action": {"commands": ["rm x"]}}),
        ("execute", {"command": "pwd", "cmd": "rm x"}, "pwd\nrm x", {"command": "pwd", "cmd": "rm x"}),
    ],
)
def test_the_next_hook_of_a_chain_gets_the_call_that_would_run(
    system: str, tool: str, given: Any, told: str, host: Any
) -> None:
    for form in (given, json.dumps(given)):
        verdict = chain(system, form, tool)
        assert json.loads(verdict.hooks[1].stderr) == [told, host]
        assert (verdict.updated_input or given) == host


def test_an_output_keeps_the_callers_shape_and_all_that_is_added_to_it() -> None:
    new = {"stdout": "clean", "stderr": ""}
    answer = {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": new}}
    hooks = {"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": f"echo '{json.dumps(answer)}'"}]}]}}
    with load("claude_code", hooks) as engine:
        for output, back in (({"stdout": "secret", "stderr": ""}, new), ("secret", "clean"), (None, new)):
            verdict = engine.fire("after_tool", tool_name="execute", tool_input={"command": "ls"}, tool_output=output)
            assert verdict.updated_output == back
    command = """echo '{"decision":"mutate","patch":{"additional_context":"mind"}}'"""
    hook = {"id": "h", "event": "post_tool_use", "executor": {"type": "bash", "command": command}}
    with load("everruns", {"hooks": [hook]}) as engine:
        told = engine.fire("after_tool", tool_name="execute", tool_input={"command": "ls"}, tool_output="text")
        own = engine.fire("post_tool_use", tool_name="x", tool_input={}, tool_output="text")
    assert told.updated_output == own.updated_output == {"value": "text", "hook_context": "mind"}


def test_of_a_guess_nothing_counts_that_loosens() -> None:
    with load("gemini", config("gemini", ":", None)) as engine:
        dialect = engine.dialect
    found = translate(ToolNames().call("frobnicate", {"cmd": "x"}), dialect, "/")
    assert isinstance(found, ToolTranslation)
    outcome = HookOutcome(
        "ok",
        Decision.ALLOW,
        followup="go on",
        effects={"tail_tool_call": {"name": "x"}, "env": {"PATH": "/"}, "tool_error": "no", "suppress_output": True},
    )
    back = found.back(outcome)
    assert back.decision is Decision.NONE and back.followup is None
    assert back.effects == {"tool_error": "no", "suppress_output": True}
    assert "allow and followup and tail_tool_call and env is ignored" in back.notices[0]


def test_several_systems_rewrite_one_after_another(tmp_path: Path) -> None:
    def put(name: str, hooks: Any) -> None:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(hooks), "utf-8")

    add = 'updated_input: {command: (.tool_input.command + " crush")}'
    put("crush.json", {"hooks": {"PreToolUse": [{"matcher": "^bash$", "command": f"jq -c '{{{add}}}'"}]}})
    add = 'hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput: (.tool_input | .command += " claude")}'
    entry = {"type": "command", "command": f"jq -c '{{{add}}}'"}
    put(".claude/settings.json", {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [entry]}]}})
    add = 'permission: "allow", updated_input: (.tool_input | .command += " cursor")'
    put(
        ".cursor/hooks.json",
        {"version": 1, "hooks": {"preToolUse": [{"matcher": "Shell", "command": f"jq -c '{{{add}}}'"}]}},
    )
    with HookEngine.discover(str(tmp_path), spawn=False, trust_project=True) as engine:
        for form in ({"cmd": "rm"}, '{"cmd":"rm"}'):
            verdict = engine.fire("before_tool", tool_name="terminal", tool_input=form)
            assert verdict.updated_input == {"cmd": "rm cursor claude crush"}
        argv = engine.fire("before_tool", tool_name="shell", tool_input={"command": ["bash", "-lc", "rm"]})
        assert argv.updated_input == {"command": ["bash", "-lc", "rm cursor claude crush"]}


def test_a_declared_kind_is_marked_as_declared() -> None:
    assert ToolNames({"x": "shell"}).call("x", {}).how == DECLARED
