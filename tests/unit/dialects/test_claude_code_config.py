"""Settings become hooks and diagnostics (claude_code 1 and 2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks.dialects.claude_code import ClaudeCode, tables
from pyshellhooks.errors import UnknownEventError
from pyshellhooks.hooks.dialect import HostContext, Loaded
from pyshellhooks.hooks.model import HookSpec, Origin


def load(text: str, file: str = "settings.json", edition: str = "", scope: str = "given") -> Loaded:
    return ClaudeCode(edition).load(text, Origin(file, scope))


def only_spec(handler: dict[str, Any], event: str = "PreToolUse", file: str = "settings.json") -> HookSpec:
    loaded = load(json.dumps({"hooks": {event: [{"hooks": [handler]}]}}), file)
    assert not loaded.errors, loaded.errors
    assert len(loaded.specs) == 1
    return loaded.specs[0]


def diagnostics_of(handler: Any, event: str = "PreToolUse") -> list[str]:
    loaded = load(json.dumps({"hooks": {event: [{"hooks": [handler]}]}}))
    return [f"{one.severity}: {one.message}" for one in loaded.diagnostics]


@pytest.mark.parametrize(
    ("event", "handler", "seconds"),
    [
        ("PreToolUse", {"type": "command", "command": "x"}, 600),
        ("PreToolUse", {"type": "http", "url": "http://x"}, 600),
        ("PreToolUse", {"type": "mcp_tool", "server": "s", "tool": "t"}, 600),
        ("PreToolUse", {"type": "prompt", "prompt": "x"}, 30),
        ("PreToolUse", {"type": "agent", "prompt": "x"}, 60),
        ("UserPromptSubmit", {"type": "command", "command": "x"}, 30),
        ("UserPromptSubmit", {"type": "agent", "prompt": "x"}, 60),
        ("PreModelSwitch", {"type": "http", "url": "http://x"}, 30),
        ("PostModelSwitch", {"type": "command", "command": "x"}, 30),
        ("MessageDisplay", {"type": "command", "command": "x"}, 10),
        ("Stop", {"type": "command", "command": "x", "timeout": 2.5}, 2.5),
        ("Stop", {"type": "command", "command": "x", "timeout": 5000}, 5000),
    ],
)
def test_timeouts(event: str, handler: dict[str, Any], seconds: float) -> None:
    assert only_spec(handler, event).timeout == seconds


@pytest.mark.parametrize(
    ("timeouts", "found"),
    [
        ([None], [1.5]),
        ([None, 10], [10, 10]),
        ([1, 10], [1, 10]),
        ([500, None], [60, 60]),
        ([0.5], [0.5]),
    ],
)
def test_the_end_of_a_session_has_a_budget(timeouts: list[float | None], found: list[float]) -> None:
    handlers = [{"type": "command", "command": str(n), **({"timeout": t} if t else {})} for n, t in enumerate(timeouts)]
    part = load(json.dumps({"hooks": {"SessionEnd": [{"hooks": handlers}]}}))
    assert [spec.timeout for spec in ClaudeCode().combine([part]).specs] == found


def test_plugins_do_not_raise_the_budget() -> None:
    text = json.dumps({"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "x", "timeout": 30}]}]}})
    assert ClaudeCode().combine([load(text, "/p/hooks/hooks.json")]).specs[0].timeout == 1.5


@pytest.mark.parametrize(
    ("handler", "title", "key"),
    [
        ({"type": "command", "command": "x"}, "x", ("command", "x", None, "", False)),
        ({"type": "command", "command": "x", "shell": "bash"}, "x", ("command", "x", None, "", False)),
        ({"type": "command", "command": "x", "args": ["a"]}, "x a", ("command", "x", ("x", "a"), "", False)),
        ({"type": "http", "url": "http://x"}, "http://x", ("http", "http://x")),
        ({"type": "mcp_tool", "server": "s", "tool": "t"}, "s/t", None),
        ({"type": "prompt", "prompt": "p"}, "p", None),
    ],
)
def test_titles_and_keys(handler: dict[str, Any], title: str, key: object) -> None:
    spec = only_spec(handler)
    assert (spec.command, spec.key, spec.kind) == (title, key, handler["type"])


def test_powershell_is_another_hook_and_runs_without_our_shell() -> None:
    spec = only_spec({"type": "command", "command": "& ${CLAUDE_PROJECT_DIR}/x.ps1", "shell": "powershell"})
    assert spec.argv == ("pwsh", "-NoProfile", "-NonInteractive", "-Command", "& ${env:CLAUDE_PROJECT_DIR}/x.ps1")
    plain = only_spec({"type": "command", "command": "& ${CLAUDE_PROJECT_DIR}/x.ps1"})
    assert spec.key != plain.key and plain.argv is None


def test_the_same_text_in_two_plugins_is_two_hooks() -> None:
    handler = {"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/x"}
    one_plugin, other = only_spec(handler, file="/a/hooks/hooks.json"), only_spec(handler, file="/b/hooks/hooks.json")
    assert one_plugin.key != other.key
    plain = {"type": "command", "command": "date"}
    assert only_spec(plain, file="/a/hooks/hooks.json").key == only_spec(plain, file="/b/hooks/hooks.json").key


def test_on_failure_covers_every_failure() -> None:
    assert only_spec({"type": "command", "command": "x", "onFailure": "block"}).on_failure == "closed"
    assert only_spec({"type": "command", "command": "x"}).on_failure is None
    assert only_spec({"type": "command", "command": "x", "async": True}).on_failure == "open"


@pytest.mark.parametrize(
    ("handler", "event", "message"),
    [
        ({"type": "prompt", "prompt": "p", "onFailure": "block"}, "Stop", 'unknown field "onFailure"'),
        ({"type": "agent", "prompt": "p", "continueOnBlock": True}, "Stop", 'unknown field "continueOnBlock"'),
        ({"type": "prompt", "prompt": "p", "command": "x"}, "Stop", 'unknown field "command"'),
        ({"type": "http", "url": "u"}, "SessionStart", "SessionStart runs no hooks"),
        ({"type": "command", "command": "x", "args": [], "shell": "bash"}, "Stop", "shell is ignored beside args"),
        ({"type": "command", "command": "rm -rf x", "args": []}, "Stop", "is one program's name"),
        ({"type": "command", "command": "x", "if": "mcp__a__b(c)"}, "PreToolUse", "can't be evaluated"),
    ],
)
def test_warnings(handler: dict[str, Any], event: str, message: str) -> None:
    found = diagnostics_of(handler, event)
    assert len(found) == 1 and found[0].startswith("warning: ") and message in found[0]


#: Mistakes in options: the guard runs here without them.
RUNS_ALL_THE_SAME = ("timeout", "once", "statusMessage")


@pytest.mark.parametrize(
    ("handler", "message"),
    [
        (None, "must be an object, not null"),
        ({"type": None, "command": "x"}, "type is required"),
        ({"type": 1}, "unknown type a number"),
        ({"type": "command"}, "command is required"),
        ({"type": "command", "command": 5}, "command must be a string, not a number"),
        ({"type": "command", "command": "x", "timeout": -1}, "timeout must be more than 0"),
        ({"type": "command", "command": "x", "timeout": True}, "timeout must be a number"),
        ({"type": "command", "command": "x", "async": "yes"}, "async must be true or false"),
        ({"type": "command", "command": "x", "once": 1}, "once must be true or false"),
        ({"type": "command", "command": "x", "args": "a b"}, "args must be an array of strings, not a string"),
        ({"type": "command", "command": "x", "if": 5}, "if must be a string"),
        ({"type": "command", "command": "x", "statusMessage": 5}, "statusMessage must be a string"),
        ({"type": "http"}, "url is required"),
        ({"type": "http", "url": "u", "headers": {"A": 1}}, "headers must be an object of strings"),
        ({"type": "http", "url": "u", "allowedEnvVars": "A"}, "allowedEnvVars must be an array of strings"),
        ({"type": "mcp_tool", "server": "s"}, "tool is required"),
        ({"type": "mcp_tool", "server": "s", "tool": "t", "input": []}, "input must be an object"),
        ({"type": "prompt"}, "prompt is required"),
    ],
)
def test_errors(handler: Any, message: str) -> None:
    loaded = load(json.dumps({"hooks": {"PreToolUse": [{"hooks": [handler]}]}}))
    assert len(loaded.refused) == 1 and message in loaded.refused[0].message
    assert loaded.off_in_agent == loaded.refused and not loaded.errors
    runs = any(word in message for word in RUNS_ALL_THE_SAME)
    assert (len(loaded.specs), len(loaded.lost)) == ((1, 0) if runs else (0, 1))


def test_a_correct_neighbour_is_loaded() -> None:
    loaded = load('{"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}, {"type": "command", "command": "x"}]}]}}')
    assert [spec.command for spec in loaded.specs] == ["x"] and len(loaded.refused) == len(loaded.lost) == 1


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "5", "{", '{"hooks": 5}', '{"hooks": null}', '{"hooks": {"Stop": null}}', '{"hooks": {"Stop": 5}}',
     '{"hooks": {"Stop": [5, null, [], {"hooks": null}, {"hooks": 5}, {"hooks": [[]]}, {"matcher": 5, "hooks": []}]}}',
     '{"hooks": {"": [{}]}}', "---\n---\n", "---\nhooks: [\n", "---", "{\"hooks\": {\"Stop\": [" + "[" * 500],
)  # fmt: skip
@pytest.mark.parametrize("file", ["settings.json", "/p/hooks/hooks.json", ".claude/agents/x.md"])
def test_whatever_the_text_is_there_are_diagnostics_only(text: str, file: str) -> None:
    assert load(text, file).specs == []


GUARD: dict[str, Any] = {"type": "command", "command": "exit 2"}
# What 2.1.332 made of each file, run on 2026-11-26 and 2026-11-27: "file" (nothing of it loads), "part" (the rest does), "loads".
# Then what runs here, and how many hooks are left out and told.
REFUSALS: dict[str, tuple[str, str, int, int]] = {
    "a comment": ('{"hooks": {"PreToolUse": [{"hooks": [%s]}] /* c */}}', "file", 1, 0),
    "a comma too many": ('{"hooks": {"PreToolUse": [{"hooks": [%s,]}]}}', "file", 1, 0),
    "a byte order mark": ('\ufeff{"hooks": {"PreToolUse": [{"hooks": [%s]}]}}', "loads", 1, 0),
    "an unknown key": ('{"hooks": {"PreToolUse": [{"hooks": [%s], "bar": 2}]}}', "loads", 1, 0),
    "an event twice": ('{"hooks": {"PreToolUse": [{"hooks": [%s]}], "PreToolUse": []}}', "file", 1, 0),
    "hooks twice": ('{"hooks": {"PreToolUse": [{"hooks": [%s]}]}, "hooks": {}}', "file", 1, 0),
    "permissions that are a text": ('{"permissions": "all", "hooks": {"PreToolUse": [{"hooks": [%s]}]}}', "file", 1, 0),
    "a list as env": ('{"env": ["A=1"], "hooks": {"PreToolUse": [{"hooks": [%s]}]}}', "file", 1, 0),
    "a number as model": ('{"model": 5, "hooks": {"PreToolUse": [{"hooks": [%s]}]}}', "file", 1, 0),
    "a flat hook": ('{"hooks": {"PreToolUse": [%s]}}', "file", 0, 1),
    "no list of groups": ('{"hooks": {"PreToolUse": {"hooks": [%s]}}}', "file", 0, 1),
    "no list of groups after a tool": ('{"hooks": {"PostToolUse": {"hooks": [%s]}}}', "part", 0, 1),
    "a list as matcher": ('{"hooks": {"PreToolUse": [{"matcher": ["Bash"], "hooks": [%s]}]}}', "file", 0, 1),
    "a list as matcher after a tool": ('{"hooks": {"PostToolUse": [{"matcher": ["Bash"], "hooks": [%s]}]}}', "part", 0, 1),
    "null as matcher": ('{"hooks": {"PreToolUse": [{"matcher": null, "hooks": [%s]}]}}', "file", 1, 0),
    "a broken expression": ('{"hooks": {"PreToolUse": [{"matcher": "Ba[", "hooks": [%s]}]}}', "part", 0, 1),
    "two rules": ('{"hooks": {"PreToolUse": [{"hooks": [{"if": "Edit(*)|Write(*)", %s]}]}}', "part", 0, 1),
    "a timeout in quotes": ('{"hooks": {"PreToolUse": [{"hooks": [{"timeout": "5", %s]}]}}', "file", 1, 0),
    "no time": ('{"hooks": {"PreToolUse": [{"hooks": [{"timeout": 0, %s]}]}}', "file", 1, 0),
    "null as time": ('{"hooks": {"PreToolUse": [{"hooks": [{"timeout": null, %s]}]}}', "file", 1, 0),
    "another onFailure": ('{"hooks": {"PreToolUse": [{"hooks": [{"onFailure": "deny", %s]}]}}', "file", 1, 0),
    "a number as message": ('{"hooks": {"PreToolUse": [{"hooks": [{"statusMessage": 1, %s]}]}}', "file", 1, 0),
    "another shell": ('{"hooks": {"PreToolUse": [{"hooks": [{"shell": "zsh", %s]}]}}', "file", 0, 1),
    "no command": ('{"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}, %s]}]}}', "file", 1, 1),
    "an empty command": ('{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": ""}, %s]}]}}', "part", 1, 1),
    "another type": ('{"hooks": {"PreToolUse": [{"hooks": [{"type": "zzz"}, %s]}]}}', "file", 1, 1),
    "another type of a skill's": ('{"hooks": {"PreSkillShellCommand": [{"hooks": [{"type": "zzz"}, %s]}]}}', "file", 1, 1),
    "another type of a dialog's": ('{"hooks": {"PermissionRequest": [{"hooks": [{"type": "zzz"}, %s]}]}}', "file", 1, 1),
    "another type after a tool": ('{"hooks": {"PostToolUse": [{"hooks": [{"type": "zzz"}, %s]}]}}', "part", 1, 1),
}  # fmt: skip


@pytest.mark.parametrize("mistake", REFUSALS)
def test_entries_that_claude_code_refuses_load_here_with_a_report(mistake: str) -> None:
    text, program, runs, left_out = REFUSALS[mistake]
    hook = json.dumps(GUARD)
    inner = text.count("{") > text.count("}")  # the rest of a hook is written there
    loaded = load((text % (hook[1:] if inner else hook)).removeprefix("\ufeff"))
    assert not loaded.errors
    assert (len(loaded.specs), len(loaded.lost)) == (runs, left_out)
    assert bool(loaded.refused) == (program != "loads")
    assert bool(loaded.off_in_agent) == (program == "file")


def test_hooks_that_never_run_as_intended_are_doubted() -> None:
    for text in (
        '{"hooks": {"PreToolUze": [{"hooks": [{"type": "command", "command": "x"}]}]}}',
        '{"hooks": {"PreToolUse": [{"matcher": "Bash(x)", "hooks": [{"type": "command", "command": "x"}]}]}}',
        '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "if": "Bash"}]}]}}',
        '{"hooks": {"Setup": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]}}',
    ):
        loaded = load(text)
        assert loaded.strict_errors and not loaded.errors
        assert ClaudeCode().combine([loaded]).strict_errors == loaded.strict_errors


# -- several files ----------------------------------------------------------------------------------------------------

HOOK = '"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "%s"}]}]}'


def combined(*texts: tuple[str, str]) -> tuple[list[str], list[str]]:
    parts = [load("{" + text + "}", file) for file, text in texts]
    whole = ClaudeCode().combine(parts)
    return [spec.command for spec in whole.specs], [one.file for one in whole.diagnostics]


MANAGED = "/etc/claude-code/managed-settings.json"


@pytest.mark.parametrize(
    ("texts", "left", "told"),
    [
        ([("a", HOOK % "a"), ("b", HOOK % "b")], ["a", "b"], []),
        ([("a", HOOK % "a"), ("b", '"disableAllHooks": true')], [], ["a"]),
        ([("a", HOOK % "a"), ("b", '"disableAllHooks": false')], ["a"], []),
        ([("a", '"disableAllHooks": true'), (MANAGED, HOOK % "m")], ["m"], []),
        ([("a", HOOK % "a"), (MANAGED, '"allowManagedHooksOnly": true, ' + HOOK % "m")], ["m"], ["a"]),
        ([("a", HOOK % "a"), (MANAGED, '"disableAllHooks": true, ' + HOOK % "m")], [], ["a", MANAGED]),
        ([("a", '"allowManagedHooksOnly": true, ' + HOOK % "a"), (MANAGED, HOOK % "m")], ["a", "m"], ["a"]),
    ],
)
def test_switches(texts: list[tuple[str, str]], left: list[str], told: list[str]) -> None:
    assert combined(*texts) == (left, told)


def test_a_project_that_switches_off_the_persons_guards_is_a_doubt() -> None:
    guard, switch = "{" + HOOK % "a" + "}", '{"disableAllHooks": true}'
    for scope, doubts in (("project", 1), ("user", 0)):
        whole = ClaudeCode().combine([load(guard, "a", scope="user"), load(switch, "b", scope=scope)])
        assert whole.specs == [] and len(whole.strict_errors) == doubts and len(whole.diagnostics) == 1


@pytest.mark.parametrize(
    ("windows", "env", "expected"),
    [
        (
            False,
            {},
            ["/h/.claude/settings.json", "/w/.claude/settings.json", "/w/.claude/settings.local.json",
             "/w/a/.claude/settings.json", "/w/a/.claude/settings.local.json",
             "/etc/claude-code/managed-settings.json",
             "/Library/Application Support/ClaudeCode/managed-settings.json"],
        ),
        (
            True,
            {"CLAUDE_CONFIG_DIR": "D:/me"},
            ["D:/me/settings.json", "/w/.claude/settings.json", "/w/.claude/settings.local.json",
             "/w/a/.claude/settings.json", "/w/a/.claude/settings.local.json",
             "C:/ProgramData/ClaudeCode/managed-settings.json"],
        ),
    ],
)  # fmt: skip
def test_places(windows: bool, env: dict[str, str], expected: list[str]) -> None:
    found = ClaudeCode().places(HostContext("/w/a", env=env, home="/h", worktree="/w", windows=windows))
    assert [file.path for file in found] == expected
    scopes = [file.scope for file in found]
    assert scopes[0] == "user" and set(scopes[1:5]) == {"project"} and scopes[-1] == "system"


def test_home_is_not_read_twice() -> None:
    found = [file.path for file in ClaudeCode().places(HostContext("/h", env={}, home="/h"))]
    assert len(found) == len(set(found))


def test_watch_list() -> None:
    text = '{"hooks": {"FileChanged": [{"matcher": ".env|.envrc", "hooks": [%s]}, {"hooks": [%s]}], "Stop": [%s]}}'
    handler = '{"type": "command", "command": "x"}'
    loaded = load(text % (handler, handler, '{"matcher": "a", "hooks": []}'))
    assert ClaudeCode().watch_list(loaded.specs) == [".env", ".envrc"]


def test_added_hooks_are_the_same_as_those_of_files() -> None:
    dialect = ClaudeCode()
    added = dialect.added("before_tool", "x")
    assert added.event == "PreToolUse" and added.timeout == 600
    assert len(dialect.deduplicate([only_spec({"type": "command", "command": "x"}), added])) == 1
    with pytest.raises(UnknownEventError):
        dialect.added("nope", "x")


def test_older_clients_have_fewer_events() -> None:
    text = '{"hooks": {"PreModelSwitch": [{"hooks": [{"type": "command", "command": "x"}]}]}}'
    assert len(load(text).specs) == 1 and not load(text).diagnostics
    older = load(text, edition="v2.1.208")
    assert not older.specs and 'no event "PreModelSwitch"' in older.diagnostics[0].message


def test_tables_agree() -> None:
    assert set(tables.OWN_FIELDS) == set(tables.REQUIRED) == set(tables.TYPES)
