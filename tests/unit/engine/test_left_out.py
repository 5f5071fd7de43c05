"""What missing trust leaves out is told where it would have counted (decisions left out).

Rows: systems x events x default and ``strict``; the expected cell is the contract's: a notice with the hook's place
and a mend, a deny under ``strict`` where a call, a prompt or a result is guarded, never one on a stop.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.model import HookRun


def groups(*events: str, matcher: str = "") -> str:
    hook = {"matcher": matcher, "hooks": [{"type": "command", "command": "exit 2"}]}
    return json.dumps({"hooks": {event: [hook] for event in events}})


def entries(*events: str) -> str:
    return json.dumps({"version": 1, "hooks": {event: [{"command": "exit 2"}] for event in events}})


def listed(*events: str) -> str:
    return json.dumps({"hooks": [{"event": e, "executor": {"type": "bash", "command": "exit 2"}} for e in events]})


def agent(event: str) -> str:
    hook = "{type: command, command: exit 2}"
    return f"agents: {{root: {{hooks: {{{event}: [{'{hooks: [' + hook + ']}' if 'tool' in event else hook}]}}}}}}"


# system -> where a project has its file, its text for an event, and its events: native name -> what it guards
SYSTEMS: dict[str, tuple[str, Any, dict[str, str]]] = {
    "crush": (
        "crush.json",
        lambda event: json.dumps({"hooks": {event: [{"command": "exit 2"}]}}),
        {"PreToolUse": "guarded"},
    ),
    "gemini": (
        ".gemini/settings.json",
        groups,
        {
            "BeforeTool": "guarded",
            "AfterTool": "guarded",
            "BeforeAgent": "guarded",
            "BeforeModel": "guarded",
            "AfterAgent": "stop",
            "SessionStart": "",
        },
    ),
    "docker_agent": ("agent.yaml", agent, {"pre_tool_use": "guarded", "session_start": "", "stop": ""}),
    "everruns": (
        ".agents/hooks.json",
        listed,
        {"pre_tool_use": "guarded", "user_prompt_submit": "guarded", "turn_end": ""},
    ),
    "firebender": (
        ".firebender/hooks.json",
        entries,
        {"preToolUse": "guarded", "beforeReadFile": "guarded", "stop": "stop", "sessionEnd": ""},
    ),
    "claude_code": (
        ".claude/settings.json",
        groups,
        {
            "PreToolUse": "guarded",
            "UserPromptSubmit": "guarded",
            "PostToolUse": "guarded",
            "Stop": "stop",
            "SubagentStop": "stop",
        },
    ),
    "cursor": (
        ".cursor/hooks.json",
        entries,
        {"preToolUse": "guarded", "beforeSubmitPrompt": "guarded", "stop": "stop"},
    ),
}
CELLS = [(system, event) for system, (_, _, events) in SYSTEMS.items() for event in events]
FIELDS = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "prompt": "x", "session_id": "s"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "w").mkdir()
    return tmp_path / "w"


def write(project: Path, name: str, text: str) -> Path:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def env(project: Path) -> dict[str, str]:
    home = str(project.parent / "home")
    return {"HOME": home, "USERPROFILE": home}


def found(project: Path, system: str | None = None, **options: Any) -> HookEngine:
    recorded = options.pop("executor", None) or RecordedExecutor({"exit 2": HookRun(status=2, stderr=b"no")})
    return HookEngine.discover(str(project), system, env=env(project), executor=recorded, **options)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("system", "event"), CELLS)
def test_an_untrusted_hook_is_reported(project: Path, system: str, event: str, strict: bool) -> None:
    name, text, events = SYSTEMS[system]
    path = write(project, name, text(event))
    with found(project, strict=strict) as engine:  # every system is looked for
        assert not engine.specs
        verdict = engine.fire(event, **FIELDS)
        assert engine.listens(event)
        assert not engine.executor.jobs  # type: ignore[attr-defined]
    notices = [notice for notice in verdict.notices if "skipped: " in notice]
    assert len(notices) == 1
    assert f"({path.as_posix()}:" in notices[0]
    assert "this file is not trusted; look at it, then let a person run `pyshellhooks trust`" in notices[0]
    guarded = events[event] == "guarded"
    assert verdict.decision == ("deny" if strict and guarded else "none")
    assert (notices[0] in verdict.reason) is (strict and guarded)
    assert verdict.followup is None


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("system", "event"), CELLS)
def test_a_file_that_is_left_out_and_broken_is_reported(project: Path, system: str, event: str, strict: bool) -> None:
    """Nobody knows what it guards, so each guarding event says so, and no other does."""
    name, _, events = SYSTEMS[system]
    write(project, name, "{ : [")
    with found(project, system, strict=strict) as engine:
        verdict = engine.fire(event, **FIELDS)
    guarded = events[event] == "guarded"
    assert any("it can't be read, so its skipped hooks are unknown" in notice for notice in verdict.notices) is guarded
    assert verdict.decision == ("deny" if strict and guarded else "none")


@pytest.mark.parametrize(("system", "event"), CELLS)
def test_the_hint_fixes_it(project: Path, system: str, event: str) -> None:
    name, text, _ = SYSTEMS[system]
    write(project, name, text(event))
    with found(project, trust_project=True, strict=True) as engine:
        verdict = engine.fire(event, **FIELDS)
    assert not [notice for notice in verdict.notices if "skipped: " in notice]
    assert len(verdict.hooks) == 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_load_leaves_out_by_the_same_rule(project: Path, system: str) -> None:
    name, text, events = SYSTEMS[system]
    event = next(iter(events))
    path = write(project, name, text(event))
    for strict, decision in ((False, "none"), (True, "deny")):
        with HookEngine.load(path, system, trust_project=False, strict=strict, executor=RecordedExecutor()) as engine:
            verdict = engine.fire(event, **FIELDS)
            assert (verdict.decision, len(verdict.notices)) == (decision, 1)
            assert "not trusted" in engine.diagnostics[0].message and "trust_project=True" in engine.diagnostics[0].hint


def test_only_matching_hooks_are_reported(project: Path) -> None:
    write(project, ".claude/settings.json", groups("PreToolUse", matcher="Write"))
    with found(project, strict=True) as engine:
        assert engine.fire("PreToolUse", **FIELDS).decision == "none"
        assert engine.fire("PreToolUse", **{**FIELDS, "tool_name": "Write"}).decision == "deny"
        assert not engine.fire("PostToolUse", **FIELDS).notices


def test_hooks_that_are_left_out_do_not_change_those_that_run(project: Path) -> None:
    """Neither a switch nor a budget nor an entry of a file that nobody vouches for counts."""
    write(project.parent / "home", ".claude/settings.json", groups("PreToolUse"))
    off = json.loads(groups("PostToolUse")) | {"disableAllHooks": True}
    write(project, ".claude/settings.json", json.dumps(off))
    write(project, ".claude/settings.local.json", groups("PreToolUse", matcher="Write"))
    with found(project) as engine:
        verdict = engine.fire("PreToolUse", **FIELDS)
    assert (verdict.decision, verdict.notices) == ("deny", ())


def test_a_command_that_runs_anyway_is_not_reported_as_left_out(project: Path) -> None:
    write(project.parent / "home", ".config/crush/crush.json", '{"hooks": {"PreToolUse": [{"command": "exit 2"}]}}')
    write(project, "crush.json", '{"hooks": {"PreToolUse": [{"command": "exit 2"}, {"command": "other"}]}}')
    with found(project, "crush") as engine:
        (notice,) = engine.fire("PreToolUse", **FIELDS).notices
    assert "crush.json:1:50): skipped" in notice


def test_hooks_that_a_person_switched_off_are_not_reported_as_left_out(project: Path) -> None:
    write(project.parent / "home", ".claude/settings.json", '{"disableAllHooks": true}')
    write(project, ".claude/settings.json", groups("PreToolUse"))
    with found(project, "claude_code", strict=True) as engine:
        verdict = engine.fire("PreToolUse", **FIELDS)
    assert (verdict.decision, verdict.notices) == ("none", ())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_files_of_another_user(project: Path) -> None:
    path = write(project, "crush.json", '{"hooks": {"PreToolUse": [{"command": "exit 2"}]}}')
    os.chown(path, 12345, 12345)
    with found(project, "crush", trust_project=True, strict=True) as engine:
        verdict = engine.fire("PreToolUse", **FIELDS)
    assert verdict.decision == "deny" and "belongs neither to this user, nor to root" in verdict.notices[0]
    assert "chown it, or load it by name" in verdict.notices[0]
    with HookEngine.load(path, executor=RecordedExecutor()) as engine:
        assert not engine.fire("PreToolUse", **FIELDS).notices


@pytest.mark.parametrize(
    "text",
    ['{"hooks": {"PreToolUse": [{"command": ""}, {"command": "x"}]}}', "x" * ((1 << 20) + 1), "[" * 100_000, "\0"],
    ids=["one wrong", "too large", "deep", "NUL"],
)
def test_a_file_of_a_stranger_is_reported_and_harmless(project: Path, text: str) -> None:
    write(project, "crush.json", text)
    with found(project, "crush") as engine:
        assert any("it can't be read" in notice for notice in engine.fire("PreToolUse", **FIELDS).notices)


# -- what was switched off on purpose ---------------------------------------------------------------------------------

OFF = [
    ("claude_code", ".claude/settings.json", json.dumps({"disableAllHooks": True} | json.loads(groups("PreToolUse"))), "disableAllHooks of "),
    ("gemini", ".gemini/settings.json", json.dumps({"hooksConfig": {"enabled": False}} | json.loads(groups("BeforeTool"))), "hooksConfig.enabled of "),
    ("gemini", ".gemini/settings.json", json.dumps({"hooksConfig": {"disabled": ["exit 2"]}} | json.loads(groups("BeforeTool"))), "hooksConfig.disabled of "),
]  # fmt: skip


@pytest.mark.parametrize(("system", "name", "text", "reason"), OFF)
def test_hooks_that_are_off_on_purpose_are_reported_once_and_explained(
    project: Path, system: str, name: str, text: str, reason: str
) -> None:
    write(project, name, text)
    with found(project, system, trust_project=True, strict=False) as engine:
        verdict = engine.fire("before_tool", **FIELDS)
        assert (verdict.decision, verdict.notices, verdict.hooks) == ("none", (), ())
        assert sum("switche" in d.message or "no hook runs" in d.message for d in engine.diagnostics) == 1
        (why,) = engine.explain("before_tool", **FIELDS)
        assert not why.matches and why.reason.startswith(f"skipped: {reason}")


def test_disabled_ids_are_reported_once_and_explained() -> None:
    config = {"hooks": {"PreToolUse": [{"command": "exit 2"}]}}
    id = HookEngine.load(config, "crush").specs[0].id
    with HookEngine.load(config, "crush", disabled=[id], strict=True) as engine:
        assert [d.message for d in engine.diagnostics] == [f'disabled switches off "{id}"']
        assert engine.explain("PreToolUse")[0].reason == "skipped: it is disabled"
        verdict = engine.fire("PreToolUse")
        assert (verdict.decision, verdict.notices) == ("none", ())
        assert not engine.listens("PreToolUse")


def test_an_untrusted_hook_that_a_person_disabled_is_not_reported(project: Path) -> None:
    write(project, "crush.json", '{"hooks": {"PreToolUse": [{"command": "exit 2"}]}}')
    with found(project, "crush") as engine:
        (why,) = engine.explain("PreToolUse")
    with found(project, "crush", disabled=[why.id], strict=True) as engine:
        assert not any("no hook has the id" in d.message for d in engine.diagnostics)
        assert engine.fire("PreToolUse", **FIELDS).decision == "none"


def test_a_guard_is_left_out_in_its_own_words(project: Path) -> None:
    """The agent calls its shell ``execute``; the guard that is left out is for ``Bash``."""
    write(project, ".claude/settings.json", groups("PreToolUse", matcher="Bash"))
    with found(project, strict=True, tools={"execute": "shell"}) as engine:
        assert engine.fire("before_tool", tool_name="execute", tool_input={"command": "ls"}).decision == "deny"
        assert engine.fire("before_tool", tool_name="other", tool_input={"x": 1}).decision == "none"


def test_explain_has_the_reason_why_a_hook_is_left_out(project: Path) -> None:
    path = write(project, "crush.json", '{"hooks": {"PreToolUse": [{"command": "exit 2"}]}}')
    with found(project, "crush") as engine:
        (why,) = engine.explain("PreToolUse", **FIELDS)
    assert not why.matches
    assert (
        why.reason
        == "skipped: this file is not trusted; look at it, then let a person run `pyshellhooks trust` in the project"
    )
    assert why.origin == f"{path.as_posix()}:1:27" and why.id.startswith("project:PreToolUse:")


def test_an_engine_that_leaves_nothing_out_pays_nothing() -> None:
    with HookEngine.load({"hooks": {"PreToolUse": [{"command": "x"}]}}, "crush") as engine:
        assert [system.left_out for system in engine.systems] == [None]
