"""Permission rules of settings beside hooks (decisions permissions); conformance/cases/claude_code/permissions.toml has their grammar."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshellhooks import ConfigError, Decision, HookEngine, dialects
from pyshellhooks.notice import Notice
from pyshellhooks.resident.answering import Options
from pyshellhooks.resident.engines import Engines

TOUCH = {"tool_name": "Bash", "tool_input": {"command": "touch x"}}
RULES = {"deny": ["Bash(touch *)"], "ask": ["Bash(mkdir *)"], "allow": ["Bash(chmod *)"]}


def settings(rules: object = RULES) -> str:
    return json.dumps({"permissions": rules})


def project(root: Path, text: str) -> Path:
    (root / "home").mkdir()
    folder = root / "project" / ".claude"
    folder.mkdir(parents=True)
    (root / "project" / ".git").mkdir()
    (folder / "settings.json").write_text(text, encoding="utf-8")
    return root / "project"


def bash(engine: HookEngine, command: str) -> Decision:
    return engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": command}).decision


def discovered(root: Path, **options: object) -> HookEngine:
    env = {"HOME": str(root / "home"), "PATH": "/usr/bin:/bin"}
    return HookEngine.discover(str(root / "project"), "claude_code", env=env, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("command", "unknown_project", "trusted_project"),
    [("touch x", "deny", "deny"), ("mkdir x", "ask", "ask"), ("chmod 1 x", "none", "allow")],
)
def test_an_unknown_project_tightens_and_grants_nothing(
    tmp_path: Path, command: str, unknown_project: str, trusted_project: str
) -> None:
    project(tmp_path, settings())
    with discovered(tmp_path) as engine:
        assert bash(engine, command) == unknown_project
    with discovered(tmp_path, trust_project=True) as engine:
        assert bash(engine, command) == trusted_project


def test_rules_alone_make_an_event_worth_firing() -> None:
    with HookEngine.load(text=settings(), dialect="claude_code") as engine:
        assert engine.listens("PreToolUse")
        assert engine.listens("before_tool")
        assert not engine.listens("PostToolUse")
    with HookEngine.load(text=settings(), dialect="claude_code", permissions=False) as engine:
        assert not engine.listens("PreToolUse")
        assert engine.fire("PreToolUse", **TOUCH).decision is Decision.NONE  # type: ignore[arg-type]


def test_the_reason_names_the_rule_and_its_place(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{\n  "permissions": {\n    "deny": ["Bash(touch *)"]\n  }\n}\n')
    with HookEngine.load(str(file), "claude_code") as engine:
        verdict = engine.fire("PreToolUse", **TOUCH)  # type: ignore[arg-type]
    assert verdict.reason == f'permissions.deny has the rule "Bash(touch *)" ({file.as_posix()}:3:14)'
    assert verdict.user_message == ""


def test_a_person_reads_the_rule_that_asks() -> None:
    with HookEngine.load(text=settings(), dialect="claude_code", name="s.json") as engine:
        verdict = engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": "mkdir x"})
    assert verdict.needs_approval
    assert verdict.user_message == verdict.reason == 'permissions.ask has the rule "Bash(mkdir *)" (s.json:1:53)'


def test_ask_is_a_deny_where_nobody_can_be_asked() -> None:
    with HookEngine.load(text=settings(), dialect="claude_code", ask="deny") as engine:
        assert bash(engine, "mkdir x") is Decision.DENY


@pytest.mark.parametrize(
    ("command", "then"),
    [
        ("touch x", "the call is denied, whatever a hook answers"),
        ("mkdir x", "a person must approve the call, unless a hook denies it"),
        ("chmod 1 x", "the call is allowed, unless a hook objects"),
    ],
)
def test_explain_names_the_rule(command: str, then: str) -> None:
    with HookEngine.load(text=settings(), dialect="claude_code") as engine:
        plan = engine.explain("PreToolUse", tool_name="Bash", tool_input={"command": command})
    [notice] = plan.notices
    assert isinstance(notice, Notice)
    assert (notice.kind, notice.then, notice.fault) == ("permission-rule", then, None)


def test_one_notice_for_all_rules_that_are_unknown() -> None:
    rules = {"deny": ["Bash(a *)", "Bash(b *)"], "ask": ["Bash(c *)"], "allow": ["Bash"]}
    with HookEngine.load(text=settings(rules), dialect="claude_code") as engine:
        verdict = engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": "$x y"})
    assert verdict.decision is Decision.NONE  # a rule that may deny the call keeps it from being granted
    assert [notice.kind for notice in verdict.notices] == ["permission-unknown"]  # type: ignore[attr-defined]
    assert "(and of 2 more)" in verdict.notices[0]
    assert verdict.faults == verdict.notices


def test_a_host_tool_is_judged_in_the_systems_words() -> None:
    with HookEngine.load(text=settings(), dialect="claude_code", tools={"terminal": "shell"}) as engine:
        fired = engine.fire("before_tool", tool_name="terminal", tool_input={"command": "sudo touch x"})
        assert fired.decision is Decision.DENY
        granted = engine.fire("before_tool", tool_name="terminal", tool_input={"command": "chmod 1 x"})
        assert granted.decision is Decision.ALLOW


def test_a_rule_for_an_mcp_server_denies_its_tools() -> None:
    with HookEngine.load(text=settings({"deny": ["mcp__db__drop*"]}), dialect="claude_code") as engine:
        assert engine.fire("PreToolUse", tool_name="mcp__db__drop_table", tool_input={}).decision is Decision.DENY
        assert engine.fire("PreToolUse", tool_name="mcp__db__read", tool_input={}).decision is Decision.NONE


def test_only_managed_settings_grant_if_they_say_so(tmp_path: Path) -> None:
    managed = tmp_path / "managed-settings.json"
    managed.write_text(json.dumps({"allowManagedPermissionRulesOnly": True, "permissions": {"allow": ["Bash(ls *)"]}}))
    other = tmp_path / "settings.json"
    other.write_text(settings())
    with HookEngine.load([str(other), str(managed)], "claude_code") as engine:
        decisions = [bash(engine, command) for command in ("ls a", "chmod 1 x", "touch x", "mkdir x")]
    assert decisions == ["allow", "none", "deny", "ask"]


def test_the_entries_of_serve_leave_the_rules_to_the_agent(tmp_path: Path) -> None:
    root = project(tmp_path, settings())
    env = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    options = Options(dialects.get("claude_code"), trust_project=True)
    with Engines() as engines, engines.borrowed(options, str(root), env) as engine:
        assert bash(engine, "touch x") is Decision.NONE


def test_a_strict_engine_does_not_load_a_rule_that_the_agent_skips() -> None:
    with pytest.raises(ConfigError, match="begins with a capital"):
        HookEngine.load(text=settings({"deny": ["bash(touch *)"]}), dialect="claude_code", strict=True)


def test_a_wrong_type_of_the_option() -> None:
    with pytest.raises(TypeError, match="permissions must be True or False"):
        HookEngine.load(text=settings(), dialect="claude_code", permissions="no")  # type: ignore[arg-type]


def test_a_failure_of_a_rule_denies(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    with HookEngine.load(text=settings(), dialect="claude_code") as engine:
        monkeypatch.setattr(type(engine.dialect), "judge", fail)
        verdict = engine.fire("PreToolUse", **TOUCH)  # type: ignore[arg-type]
        plan = engine.explain("PreToolUse", **TOUCH)  # type: ignore[arg-type]
    assert verdict.decision is Decision.DENY
    assert "RuntimeError: broken" in verdict.reason
    assert "RuntimeError: broken" in plan.notices[0]
