"""What is said of guards that no call reaches (decisions tool names)."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from pyshellhooks import HookEngine, cli
from pyshellhooks.errors import ConfigError


def claude(matcher: str, command: str = "exit 2", event: str = "PreToolUse", **more: Any) -> dict[str, Any]:
    hook = {"type": "command", "command": command, **more}
    return {"hooks": {event: [{"matcher": matcher, "hooks": [hook]}]}}


GUARD = claude("Bash")
COMMAND = {"type": "object", "properties": {"command": {"type": "string"}}}


def schema(name: str, *keys: str) -> dict[str, Any]:
    return {"name": name, "input_schema": {"type": "object", "properties": {key: {"type": "string"} for key in keys}}}


# -- a call that goes by ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "tool", "given", "passed"),
    [
        (
            "PreToolUse",
            "execute",
            {"command": "rm x"},
            True,
        ),  # a native name is exact: Claude Code would not ask either,
        ("PreToolUse", "frobnicate", {"cmd": "rm x"}, True),  # but nor does it call a shell so
        ("PreToolUse", "frobnicate", {"command": "rm x", "timeout": 3}, True),
        ("PreToolUse", "frobnicate", {"command": "view", "path": "/x"}, False),  # an editor
        ("PreToolUse", "str_replace_editor", {"command": "view"}, False),
        ("PreToolUse", "Bash", {"command": "rm x"}, False),
        ("PreToolUse", "PowerShell", {"command": "rm x"}, False),  # the system's own, which it would not ask either
        ("PreToolUse", "mcp__term__run", {"command": "rm x"}, False),
        ("PreToolUse", "search", {"query": "rm x"}, False),
        ("before_tool", "execute", {"command": "rm x"}, False),  # told as Bash
        ("before_tool", "frobnicate", {"command": "rm x"}, False),  # guessed
        ("before_tool", "frobnicate", {"command": "rm x", "timeout": 3}, True),
        ("before_tool", "mcp__desktop__execute_command", {"command": "rm x"}, True),
        ("before_tool", "mcp__desktop__execute_command", {"command": "rm x", "timeout_ms": 3, "pid": 4}, True),
        ("before_tool", "mcp__a__bash", {"script": "rm x"}, True),
        ("before_tool", "mcp__shell__run", {"cmd": "rm x"}, True),
        ("before_tool", "mcp__shell__run", {"what": "rm x"}, True),
        ("before_tool", "mcp_desktop_start_process", {"command": "rm x"}, True),
        ("before_tool", "mcp__a__do", {"argv": ["bash", "-lc", "rm x"]}, True),
        ("before_tool", "do", {"argv": ["bash", "-lc", "rm x"], "pid": 4}, True),
        ("before_tool", "mcp__browser__act", {"action": "click"}, False),  # a verb
        ("before_tool", "mcp__shell__docs", {"topic": "ls"}, False),
        ("before_tool", "mcp__a__get_terminal_output", {"terminal_id": "1"}, False),
        ("before_tool", "mcp__a__run_slash_command", {"command": "review"}, False),
        ("before_tool", "get_terminal_output", {"id": "1"}, False),
        ("before_tool", "KillShell", {"shell_id": "1"}, False),
        ("before_tool", "python_repl", {"code": "1"}, False),
        ("before_tool", "read_file", {"path": "x"}, False),
    ],
)
def test_a_bypassed_shell_guard_is_on_every_verdict(event: str, tool: str, given: Any, passed: bool) -> None:
    with HookEngine.load(GUARD, "claude_code", spawn=False) as engine:
        for _ in range(2):
            verdict = engine.fire(event, tool_name=tool, tool_input=given)
            notices = [notice for notice in verdict.notices if "no guard of Claude Code's Bash ran" in notice]
            assert len(notices) == passed
            if passed:
                assert engine.specs[0].id in notices[0] and "<text>:1:" in notices[0]
                assert verdict.decision == "none"
    with HookEngine.load(GUARD, "claude_code", spawn=False, strict=True) as engine:
        verdict = engine.fire(event, tool_name=tool, tool_input=given)
        if passed:
            assert verdict.decision == "deny" and "Claude Code's Bash ran" in verdict.reason


def test_the_hints_fix_it() -> None:
    call: dict[str, Any] = {"tool_name": "frobnicate", "tool_input": {"command": "rm x", "timeout": 3}}
    with HookEngine.load(GUARD, "claude_code", spawn=False, tools={"frobnicate": "shell"}) as engine:
        assert engine.fire("before_tool", **call).decision == "deny"
    with HookEngine.load(GUARD, "claude_code", spawn=False) as engine:
        assert 'tools={"frobnicate": "shell"}' in engine.fire("before_tool", **call).notices[0]
        assert "before_tool" in engine.fire("PreToolUse", tool_name="run", tool_input={"cmd": "rm x"}).notices[0]
        assert engine.fire("before_tool", tool_name="run", tool_input={"cmd": "rm x"}).decision == "deny"


def test_a_rule_names_a_tool_too() -> None:
    hooks = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "exit 2", "if": "Bash(rm *)"}]}]}}
    with HookEngine.load(hooks, "claude_code", spawn=False) as engine:
        assert engine.fire("before_tool", tool_name="execute", tool_input={"command": "rm x"}).decision == "deny"
        assert engine.fire("before_tool", tool_name="execute", tool_input={"command": "ls"}).notices == ()
        assert (
            "Claude Code's Bash ran"
            in engine.fire("PreToolUse", tool_name="execute", tool_input={"command": "rm x"}).notices[0]
        )


def test_events_that_are_about_shells_only() -> None:
    hooks = {"version": 1, "hooks": {"beforeShellExecution": [{"command": "exit 2"}]}}
    with HookEngine.load(hooks, "cursor", spawn=False) as engine:
        assert engine.fire("before_tool", tool_name="execute", tool_input={"command": "rm x"}).decision == "deny"
        verdict = engine.fire("before_tool", tool_name="frobnicate", tool_input={"command": "rm x", "timeout": 3})
        assert verdict.decision == "none" and "Cursor's Shell ran" in verdict.notices[0]
        assert engine.fire("before_tool", tool_name="frobnicate", tool_input={"text": "rm x"}).notices == ()


def test_logs_have_it_once(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[str] = []
    with (
        caplog.at_level(logging.WARNING, "pyshellhooks"),
        HookEngine.load(GUARD, "claude_code", spawn=False, observe=lambda name, data: seen.append(name)) as engine,
    ):
        for _ in range(3):
            assert engine.fire("PreToolUse", tool_name="run", tool_input={"cmd": "rm x"}).notices
    assert len(caplog.records) == 1 and seen.count("hook.warning") == 1


def test_a_stop_event_gets_no_deny() -> None:
    with HookEngine.load(claude("Bash", event="PostToolUseFailure"), "claude_code", spawn=False, strict=True) as engine:
        verdict = engine.fire("PostToolUseFailure", tool_name="run", tool_input={"cmd": "x"}, tool_error="no")
        assert verdict.decision == "none" and "Claude Code's Bash ran" in verdict.notices[0]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("run_bash_command", {"script": "rm x"}),
        ("runBashCommand", {"script": "rm x", "timeout": 3}),
        ("bash-tool", {"input": "rm x"}),
        ("BASH", {"script": "rm x"}),
        ("pwsh", {"script": "rm x"}),
        ("OpenShell", {"line": "rm x"}),
        ("remote_shell", {"args": ["bash", "-lc", "rm x"]}),
        ("execute-command", {"argv": ["sh", "-c", "rm x"]}),
        ("ssh_exec", {"host": "a", "cmd": "rm x"}),
        ("my_terminal", {"anything": "rm x"}),
        ("start_process", '{"program": "rm x"}'),
        ("send_to_terminal", {"text": "rm x", "script": "ls"}),  # both count
    ],
)
def test_a_shell_by_its_name_reaches_the_guard_of_shells(tool: str, given: Any) -> None:
    """In the guard's own words, and its answer may only tighten."""
    deny = "jq -r .tool_input.command | grep -q 'rm x' && exit 2; exit 0"
    with HookEngine.load(claude("Bash", deny), "claude_code", spawn=False) as engine:
        assert engine.fire("before_tool", tool_name=tool, tool_input=given).decision == "deny"
        assert engine.fire("PreToolUse", tool_name=tool, tool_input=given).decision == "none"  # exact


# -- arguments of other names -----------------------------------------------------------------------------------------

DENY_RM = "jq -r .tool_input.command | grep -q 'rm x' && exit 2; exit 0"
TERMINAL: Any = {"terminal": ("shell", {"command": "cmdline"})}


@pytest.mark.parametrize(
    ("given", "denied", "noticed"),
    [
        ({"cmdline": "rm x"}, True, False),
        ({"cmdline": "ls"}, False, False),
        ({"cmdline": "ls", "action": "start"}, False, False),  # of this tool it is another argument
        ({"cmdline": ["bash", "-lc", "rm x"]}, True, False),
        ('{"cmdline": "rm x"}', True, False),
        ({"command": "rm x"}, True, False),
        ({"cmdline": "ls", "command": "rm x"}, True, True),  # both count: the tool's choice is not known
        ({"line": "rm x"}, False, True),
        ({"cmdline": "rm", "args": ["x"]}, False, True),  # the tool may run both
        ({"cmdline": "sh", "stdin": "rm x"}, False, True),
        ({"cmdline": "ls", "args": []}, False, False),
    ],
)
def test_a_mapped_argument_is_sent_under_the_guards_name(given: Any, denied: bool, noticed: bool) -> None:
    with HookEngine.load(claude("Bash", DENY_RM), "claude_code", spawn=False, tools=TERMINAL) as engine:
        verdict = engine.fire("before_tool", tool_name="terminal", tool_input=given)
        assert (verdict.decision == "deny") is denied
        assert bool(verdict.notices) is noticed
    with HookEngine.load(claude("Bash", DENY_RM), "claude_code", spawn=False, tools=TERMINAL, strict=True) as engine:
        assert engine.fire("before_tool", tool_name="terminal", tool_input=given).blocked is (denied or noticed)


def test_a_rewrite_is_returned_under_the_mapped_name() -> None:
    output = {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "ls"}}
    say = f"printf %s '{json.dumps({'hookSpecificOutput': output})}'"
    with HookEngine.load(claude("Bash", say), "claude_code", spawn=False, tools=TERMINAL) as engine:
        verdict = engine.fire("before_tool", tool_name="terminal", tool_input={"cmdline": "rm x"})
        assert verdict.updated_input == {"cmdline": "ls"}


def test_a_mapped_argument_reaches_events_that_are_about_shells() -> None:
    hooks = {
        "version": 1,
        "hooks": {"beforeShellExecution": [{"command": "jq -r .command | grep -q 'rm x' && exit 2"}]},
    }
    with HookEngine.load(hooks, "cursor", spawn=False, tools=TERMINAL) as engine:
        assert engine.fire("before_tool", tool_name="terminal", tool_input={"cmdline": "rm x"}).blocked


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (("shel", {}), 'did you mean "shell"'),
        (("shell", {"comand": "x"}), 'did you mean "command"'),
        (("shell", {"command": ""}), "maps arguments to names"),
        (("shell", {"command": ["x"]}), "maps arguments to names"),
        (("shell", "command"), "maps arguments to names"),
        (("shell",), "unknown kind"),
        (None, "unknown kind"),
    ],
)
def test_a_wrong_mapping_is_a_value_error(kind: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        HookEngine.load(GUARD, "claude_code", spawn=False, tools={"terminal": kind})


@pytest.mark.parametrize(
    ("kind", "keys", "missing"),
    [
        ("shell", ("cmdline",), "command"),
        ("shell", ("command",), ""),
        (("shell", {"command": "cmdline"}), ("cmdline", "cwd"), ""),
        (("shell", {"command": "cmdline"}), ("line",), "command"),
        (("shell", {"command": "cmdlin"}), ("command", "cmdline"), "command"),  # guards would read another argument
        (("shell", {"cwd": "plase"}), ("command", "place"), "cwd"),
        ("write", ("path", "body"), "content"),
        (("write", {"content": "body"}), ("path", "body"), ""),
        (("edit", {"old_string": "was", "new_string": "is"}), ("path", "was", "is"), ""),
        ("list", ("anything",), ""),
        ("shell", (), ""),  # nothing is known of its arguments
    ],
)
def test_a_stated_kind_without_its_argument_is_an_error(kind: Any, keys: tuple[str, ...], missing: str) -> None:
    with HookEngine.load(claude("*"), "claude_code", spawn=False, tools={"t": kind}) as engine:
        found = [one for one in engine.check_tools([schema("t", *keys)]) if one.code == "tool-argument-missing"]
        assert len(found) == bool(missing)
        if missing:
            assert found[0].severity == "error" and f'"{missing}": "its name"' in found[0].hint
    with HookEngine.load(claude("*"), "claude_code", spawn=False, tools={"t": kind}, strict=True) as engine:
        if missing:
            with pytest.raises(ConfigError, match="argument"):
                engine.check_tools([schema("t", *keys)])
        else:
            engine.check_tools([schema("t", *keys)])


# -- check_tools ------------------------------------------------------------------------------------------------------


def tool_messages(engine: HookEngine, tools: Any) -> list[tuple[str, str]]:
    return [(one.severity, one.message) for one in engine.check_tools(tools)]


@pytest.mark.parametrize(
    ("matcher", "tools", "found"),
    [
        ("Bash", ["execute"], []),
        ("Bash", [schema("execute", "command")], []),
        ("Bash", [schema("frobnicate", "command")], [("warning", "is probably a shell")]),
        ("Bash", [schema("frobnicate", "command", "timeout")], [("error", "misses the tool frobnicate"), ("warning", "the kind of the tool")]),
        ("^bash$", ["execute"], [("error", "misses the tool execute")]),
        ("^bash$", ["bash", "execute"], [("error", "misses the tool execute")]),
        ("Bash", ["read_file"], [("warning", "no tool is of kind shell")]),
        ("mcp__git__.*", ["execute"], [("warning", "MCP tools may appear later")]),
        ("mcp__git__.*", ["mcp__git__push"], []),
        ("Bash", ["execute", schema("mcp__a__execute_command", "command")], [("error", "misses the tool mcp__a__execute_command")]),
        ("*", ["frobnicate"], [("warning", 'the kind of the tool "frobnicate" is unknown')]),
        ("*", ["python_repl"], [("warning", "no shell guard reads it")]),
        ("Edit|Write", [{"type": "function", "function": {"name": "edit", "parameters": {"properties": {"filePath": {}, "oldString": {}, "newString": {}}}}}], []),
    ],
)  # fmt: skip
def test_check_tools(matcher: str, tools: Any, found: list[tuple[str, str]]) -> None:
    with HookEngine.load(claude(matcher), "claude_code", spawn=False) as engine:
        got = tool_messages(engine, tools)
        assert [severity for severity, _ in got] == [severity for severity, _ in found], got
        assert all(text in message for (_, text), (_, message) in zip(found, got, strict=True)), got
    errors = any(severity == "error" for severity, _ in found)
    with HookEngine.load(claude(matcher), "claude_code", spawn=False, strict=True) as engine:
        if errors:
            with pytest.raises(ConfigError, match="misses the tool"):
                engine.check_tools(tools)
        else:
            engine.check_tools(tools)


def test_strict_refuses_to_start_with_an_unreachable_guard() -> None:
    with pytest.raises(ConfigError, match="misses the tool execute") as raised:
        HookEngine.load(claude("^bash$"), "claude_code", spawn=False, strict=True, tools={"execute": "shell"})
    assert "<text>:1:" in str(raised.value) and 'calls such a tool "Bash"' in str(raised.value)
    formatter = claude("^bash$", event="PostToolUseFailure")
    HookEngine.load(formatter, "claude_code", spawn=False, strict=True, tools={"execute": "shell"})
    with HookEngine.load(claude("^bash$"), "claude_code", spawn=False, tools={"execute": "shell"}) as engine:
        assert [one.severity for one in engine.diagnostics] == ["warning", "error"] or any(
            "misses the tool" in one.message for one in engine.diagnostics
        )


def test_objects_with_a_name_and_wrong_ones() -> None:
    class Tool:
        name = "execute"
        args_schema = COMMAND

    with HookEngine.load(GUARD, "claude_code", spawn=False) as engine:
        assert engine.check_tools([Tool()]) == []  # type: ignore[list-item]
        assert engine.check_tools({"execute": COMMAND}) == []
        with pytest.raises(TypeError, match="a tool must be a name"):
            engine.check_tools([3])  # type: ignore[list-item]


def test_the_command_line(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    import json

    file = tmp_path / "settings.json"
    file.write_text(json.dumps(GUARD), encoding="utf-8")
    call = tmp_path / "call.json"
    call.write_text('{"tool_name": "my_runner", "tool_input": {"command": "x", "n": 1}}', encoding="utf-8")
    options = [
        "fire",
        "before_tool",
        "--config",
        str(file),
        "--dialect",
        "claude_code",
        "--input",
        str(call),
        "--no-spawn",
    ]
    assert cli.main(options) == 0
    assert cli.main([*options, "--tool", "my_runner=shell"]) == 2
    assert cli.main([*options, "--tool", "my_runner"]) == 1
    assert "NAME=KIND" in capsys.readouterr().err
    assert cli.main([*options, "--tool", "my_runner=shel"]) == 1
    assert 'did you mean "shell"' in capsys.readouterr().err


@pytest.mark.parametrize("given", [{"restart": True}, {"session_id": 3, "timeout": 5}])
def test_a_shell_call_without_a_command_that_runs_nothing_is_fine(given: dict[str, Any]) -> None:
    with HookEngine.load(claude("Bash", "exit 0"), "claude_code", spawn=False, strict=True) as engine:
        verdict = engine.fire("before_tool", tool_name="bash", tool_input=given)
    assert verdict.proceeds and verdict.notices == () and len(verdict.hooks) == 1
