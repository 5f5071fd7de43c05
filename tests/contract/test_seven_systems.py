"""One neutral event, one guard written for each system: seven denials, each with the reason its document promises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine

CALL: dict[str, Any] = {"tool_name": "shell", "tool_input": {"command": "rm -rf /"}, "session_id": "s1"}
REASON = "rm -rf is not for agents"
FIND = "jq -r '.tool_input.command // .command' | grep -qE 'rm +-rf'"
EXIT_2 = f"if {FIND}; then echo '{REASON}' >&2; exit 2; fi"


def answer(value: dict[str, Any]) -> str:
    """Write a guard that answers in JSON."""
    return f"if {FIND}; then echo '{json.dumps(value)}'; fi"


def group(matcher: str, command: str) -> list[dict[str, Any]]:
    return [{"matcher": matcher, "hooks": [{"type": "command", "command": command}]}]


PERMISSION = {"permission": "deny", "user_message": "blocked", "agent_message": REASON}

CONFIGS: dict[str, tuple[str, str]] = {
    # crush 4: status 2 denies, stderr is the reason
    "crush": ("crush.json", json.dumps({"hooks": {"PreToolUse": [{"matcher": "^bash$", "command": EXIT_2}]}})),
    # decisions gemini: the same
    "gemini": (".gemini/settings.json", json.dumps({"hooks": {"BeforeTool": group("run_shell_command", EXIT_2)}})),
    # docker_agent 4: the same
    "docker_agent": (
        "agent.yaml",
        "agents:\n  root:\n    hooks:\n      pre_tool_use:\n        - matcher: shell\n          hooks:\n"
        f"            - type: command\n              command: |\n                {EXIT_2}\n",
    ),
    # everruns 5: a block says why
    "everruns": (
        "hooks.json",
        json.dumps(
            {
                "hooks": [
                    {
                        "id": "guard",
                        "event": "pre_tool_use",
                        "matcher": {"tool_name": "bash", "args_jsonpath": "$.command", "deny_regex": r"rm\s+-rf"},
                        "executor": {
                            "type": "bash",
                            "command": f"""echo '{{"decision":"block","reason":"{REASON}"}}'""",
                        },
                        "on_error": "block",
                    }
                ]
            }
        ),
    ),
    # firebender 5: agent_message goes to the model
    "firebender": (
        ".firebender/hooks.json",
        json.dumps(
            {
                "version": 1,
                "hooks": {"beforeShellExecution": [{"matcher": "rm ", "command": answer(PERMISSION)}]},
            }
        ),
    ),
    "cursor": (
        ".cursor/hooks.json",
        json.dumps({"version": 1, "hooks": {"beforeShellExecution": [{"command": answer(PERMISSION)}]}}),
    ),
    # claude_code 6
    "claude_code": (
        ".claude/settings.json",
        json.dumps(
            {
                "hooks": {
                    "PreToolUse": group(
                        "Bash",
                        answer(
                            {
                                "hookSpecificOutput": {
                                    "hookEventName": "PreToolUse",
                                    "permissionDecision": "deny",
                                    "permissionDecisionReason": REASON,
                                }
                            }
                        ),
                    )
                }
            }
        ),
    ),
}


def engine(tmp_path: Path, name: str, **options: Any) -> HookEngine:
    """Load the guard of a system by its file alone: no dialect is named, no program can be found."""
    file, text = CONFIGS[name]
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    loaded = HookEngine.load(path, cwd=str(tmp_path), env={"PATH": "", "HOME": str(tmp_path)}, spawn=False, **options)
    assert loaded.dialect.name == name
    return loaded


@pytest.mark.parametrize("name", CONFIGS)
def test_denied_with_the_promised_reason(tmp_path: Path, name: str) -> None:
    with engine(tmp_path, name) as loaded:
        verdict = loaded.fire("before_tool", **CALL)
    assert (verdict.decision, verdict.reason) == ("deny", REASON)
    assert verdict.updated_input is None
    assert not [diagnostic for diagnostic in loaded.diagnostics if diagnostic.severity == "error"]


@pytest.mark.parametrize("name", CONFIGS)
def test_another_call_goes_ahead(tmp_path: Path, name: str) -> None:
    # Everruns' bash takes "commands": a path to "command" is a warning there, and strict takes warnings for errors.
    with engine(tmp_path, name, strict=name != "everruns") as loaded:
        harmless = {**CALL, "tool_input": {"command": "ls"}}
        assert loaded.fire("before_tool", **harmless).proceeds
        assert loaded.fire("before_tool", **{**CALL, "tool_name": "read_file", "tool_input": {"path": "x"}}).proceeds


HOSTILE: dict[str, str] = {
    # What a model may send to hide a command from a guard: each is the text of a tool_input.
    "half a surrogate pair": r'{"command": "rm -rf /", "note": "\ud800"}',
    "half a pair in a key": r'{"\udfff": 1, "command": "rm -rf /"}',
    "deep nesting": '{"command": "rm -rf /", "note": ' + "[" * 400 + "]" * 400 + "}",
    "a huge neighbour": '{"command": "rm -rf /", "note": "' + "x" * 300_000 + '"}',
    "a huge command": '{"command": "rm -rf / ' + "x" * 300_000 + '"}',
    "a NUL": r'{"command": "rm -rf / \u0000", "\u0000": "\u0000"}',
    "a doubled key": '{"command": "ls", "command": "rm -rf /"}',
    "a long number": '{"n": ' + "9" * 5000 + ', "command": "rm -rf /"}',
    "an escaped name": r'{"\u0063ommand": "\u0072m -rf /"}',
    "line breaks": r'{"command": "ls\nrm -rf /\n"}',
}


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_an_odd_input_does_not_disarm_the_guard(tmp_path: Path, name: str, hostile: str) -> None:
    with engine(tmp_path, name) as loaded:
        verdict = loaded.fire("before_tool", json.dumps(CALL)[:-1] + f', "tool_input": {HOSTILE[hostile]}}}')
    assert verdict.decision == "deny", verdict.notices


@pytest.mark.parametrize("name", CONFIGS)
def test_an_input_that_jq_cannot_read_is_never_silent(tmp_path: Path, name: str) -> None:
    """Deeper than 500 our jq refuses: a limit, so the run ends, and the failure policy sees it (rule 1)."""
    deep = '{"command": "rm -rf /", "note": ' + "[" * 3000 + "]" * 3000 + "}"
    with engine(tmp_path, name) as loaded:
        verdict = loaded.fire("before_tool", json.dumps(CALL)[:-1] + f', "tool_input": {deep}}}')
        if verdict.decision != "deny":
            assert [result.ended for result in verdict.hooks] == ["stopped"]
            assert "nested" in verdict.notices[0]
    with engine(tmp_path, name, on_failure="closed") as loaded:
        assert loaded.fire("before_tool", json.dumps(CALL)[:-1] + f', "tool_input": {deep}}}').decision == "deny"


def test_all_of_them_at_once(tmp_path: Path) -> None:
    """Files of seven systems in one project: each system is found, and the first deny is the verdict."""
    for file, text in CONFIGS.values():
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    place = tmp_path / ".agents"
    place.mkdir()
    (tmp_path / "hooks.json").rename(place / "hooks.json")
    env = {"PATH": "", "HOME": str(tmp_path / "nobody")}
    with HookEngine.discover(str(tmp_path), trust_project=True, env=env, spawn=False) as found:
        assert {system.dialect.name for system in found.systems} == set(CONFIGS)
        verdict = found.fire("before_tool", **CALL)
        assert verdict.decision == "deny"
        assert len(found.explain("before_tool", **CALL)) == len(CONFIGS)
    with HookEngine.discover(str(tmp_path), trust_project=False, env=env, spawn=False) as found:
        assert found.specs == ()
        assert found.diagnostics
