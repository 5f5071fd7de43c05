"""What another system can't express: each part with its place, and an error for every weaker guard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conversions import DENY, claude, hook_of, losses, matcher_of, to

from pyshellhooks import ConfigError
from pyshellhooks.convert import convert
from pyshellhooks.dialects import get
from pyshellhooks.engine.config.loading import Source
from pyshellhooks.errors import UsageError
from pyshellhooks.hooks.dialect import Dialect


def kinds(conversion: Any) -> list[tuple[str, str]]:
    return [loss[:2] for loss in losses(conversion)]


def test_a_loss_has_its_place() -> None:
    text = json.dumps(claude(matcher="Bash", statusMessage="checking"), indent=1)
    conversion = to("gemini", text)
    (loss,) = conversion.losses
    line = next(number for number, row in enumerate(text.split("\n"), 1) if "statusMessage" in row)
    assert (loss.diagnostic.file, loss.diagnostic.line, loss.diagnostic.severity) == (
        "/nowhere/.claude/settings.json",
        line,
        "warning",
    )
    assert loss.as_json() == {
        "about": "field",
        "file": "/nowhere/.claude/settings.json",
        "line": line,
        "column": loss.diagnostic.column,
        "severity": "warning",
        "message": '"statusMessage" is left out: Gemini CLI has no such field',
        "hint": "",
    }


EVENTS = [
    ("Stop", DENY, "crush", "error"),  # it keeps the agent at work
    ("PostToolUse", DENY, "crush", "error"),
    ("PostToolUse", "npx prettier --write .", "crush", "warning"),  # it decides nothing
    ("Notification", "echo hello", "codex", "warning"),
    ("SubagentStop", DENY, "gemini", "error"),
]


@pytest.mark.parametrize(("event", "command", "target", "severity"), EVENTS)
def test_a_missing_event(event: str, command: str, target: str, severity: str) -> None:
    conversion = to(target, claude(command, event=event))
    title = conversion.target.title
    assert losses(conversion) == [(severity, "event", f"{title} has no event for {event}: the hook is left out")]
    assert conversion.hooks == 0


ASK = """jq -nc '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "ask"}}'"""
REWRITE = "jq -c '{hookSpecificOutput: {hookEventName: \"PreToolUse\", updatedInput: .tool_input}}'"
HALT = """echo '{"continue": false, "stopReason": "enough"}'"""
CONTEXT = """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "x"}}'"""
DECISIONS = [
    (ASK, "codex", [("error", "decision")], [("hint", "decision")]),
    (ASK, "gemini", [("error", "decision")], []),
    (ASK, "crush", [("error", "decision")], [("hint", "decision")]),
    (REWRITE, "codex", [("error", "decision")], []),  # Codex wants an allow beside it
    (REWRITE, "cursor", [("error", "decision")], []),
    (HALT, "codex", [("error", "decision")], [("hint", "decision")]),
    (CONTEXT, "gemini", [("warning", "decision")], [("warning", "decision")]),
    (DENY, "codex", [], []),
    (DENY, "gemini", [], []),
]


@pytest.mark.parametrize(("command", "target", "plain", "wrapped"), DECISIONS)
def test_weaker_decisions(command: str, target: str, plain: Any, wrapped: Any) -> None:
    config = claude(command, "Bash")
    found = [one for one in kinds(to(target, config)) if one[1] == "decision"]
    assert found == plain
    assert [one for one in kinds(to(target, config, wrap=True)) if one[1] == "decision"] == wrapped


def test_a_deny_in_the_words_of_one_system() -> None:
    deny = """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}'"""
    assert kinds(to("codex", claude(deny))) in ([], [("error", "decision")])
    assert kinds(to("docker_agent", claude(deny))) == [("error", "decision")]
    assert "--written-for claude_code" in hook_of(to("docker_agent", claude(deny), wrap=True))["command"]


def test_words_of_the_payload(tmp_path: Path) -> None:
    (tmp_path / "guard.sh").write_text("jq -r .tool_input.command | grep -q force && exit 2\n")
    config = claude("sh guard.sh", "Bash")
    for target in ("codex", "gemini", "crush", "cursor"):
        assert losses(to(target, config, at=tmp_path)) == []
    message = "the script reads words that Docker Agent has under other names: command (cmd)"
    assert losses(to("docker_agent", config, at=tmp_path)) == [("error", "script", message)]
    assert losses(to("docker_agent", config, at=tmp_path, wrap=True)) == []


def test_a_script_that_is_not_there_may_do_all() -> None:
    found = losses(to("codex", claude("./gone.sh", "Bash")))
    (message,) = [message for _, about, message in found if about == "decision"]
    assert message.startswith("the script can't be read here as a whole, and may answer with an ask, a halt")


def test_patches() -> None:
    """Codex has the file's name inside the text of a patch, where no translation finds it."""
    config = claude("""case $(jq -r .tool_input.file_path) in *.env) exit 2 ;; esac""", "Edit|Write")
    for wrap in (False, True):
        conversion = to("codex", config, wrap=wrap)
        assert ("error", "script", "Codex edits files by patches: the script finds no file_path there") in losses(
            conversion
        )


def test_failing_closed() -> None:
    config = claude("true", "Bash", onFailure="block")
    assert hook_of(to("cursor", config))["failClosed"] is True
    assert hook_of(to("everruns", config)) and '"on_error": "block"' in to("everruns", config).text
    assert kinds(to("codex", config)) == [("error", "failure")]
    wrapped = to("codex", config, wrap=True)
    assert not wrapped.weaker and "--strict" in hook_of(wrapped)["command"]
    back = to("claude_code", {"version": 1, "hooks": {"preToolUse": [{"command": "x", "failClosed": True}]}}, "cursor")
    assert hook_of(back)["onFailure"] == "block"


TIMEOUTS = [
    ("gemini", 10, 10_000),
    ("codex", 600, None),  # the same by default
    ("gemini", None, 600_000),
    ("crush", 1.5, 2),
    ("everruns", 20, 20_000),
    ("everruns", 90, 30_000),
]


@pytest.mark.parametrize(("target", "seconds", "written"), TIMEOUTS)
def test_timeouts(target: str, seconds: float | None, written: int | None) -> None:
    conversion = to(target, claude("true") if seconds is None else claude("true", timeout=seconds))
    key = get(target).timeout_key[0]
    spec = json.loads(conversion.text)
    assert (f'"{key}": {written}' in conversion.text) is (written is not None), spec
    limited = [loss for loss in losses(conversion) if loss[1] == "timeout"]
    assert bool(limited) is (seconds == 90)


VARIABLES = [
    ("crush", '"${CRUSH_PROJECT_DIR}"/x.sh', []),
    ("gemini", '"$CLAUDE_PROJECT_DIR"/x.sh', []),  # Gemini CLI sets it too
    ("docker_agent", '"."/x.sh', []),
    ("codex", '"$(git rev-parse --show-toplevel)"/x.sh', ["hint"]),
]


@pytest.mark.parametrize(("target", "command", "severities"), VARIABLES)
def test_the_project_s_directory(target: str, command: str, severities: list[str]) -> None:
    conversion = to(target, claude('"$CLAUDE_PROJECT_DIR"/x.sh'))
    assert hook_of(conversion)["command"] == command
    assert [severity for severity, about, _ in losses(conversion) if about == "variable"] == severities


def test_a_variable_that_the_other_system_lacks() -> None:
    found = losses(to("codex", claude("echo >> $CLAUDE_ENV_FILE; exit 2")))
    assert ("error", "variable", "the command reads $CLAUDE_ENV_FILE, which Codex does not set") in found


def test_other_types_of_hooks() -> None:
    config = {"hooks": {"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "may it?", "model": "m"}]}]}}
    written = to("cursor", config)
    assert '"prompt": "may it?"' in written.text and '"type": "prompt"' in written.text and not written.weaker
    assert losses(to("gemini", config)) == [
        ("error", "field", "Gemini CLI runs no hooks of type prompt on BeforeTool: the hook is left out")
    ]


def test_a_command_with_arguments() -> None:
    config = claude("python3", args=["${CLAUDE_PROJECT_DIR}/x.py", "a b"])
    assert hook_of(to("crush", config))["command"].endswith("'a b'")


def test_equal_keys_are_kept() -> None:
    assert hook_of(to("codex", claude("true", statusMessage="checking")))["statusMessage"] == "checking"
    everruns = to("everruns", {"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "true", "description": "d", "env": {"A": "1"}}]}]}}, "gemini")  # fmt: skip
    assert '"description": "d"' in everruns.text and '"A": "1"' in everruns.text


def test_hooks_that_do_not_run_are_listed() -> None:
    hook = {"type": "command", "command": "true"}
    off = {"hooksConfig": {"enabled": False}, "hooks": {"BeforeTool": [{"hooks": [hook]}]}}
    conversion = to("codex", off, "gemini")
    assert conversion.hooks == 0 and kinds(conversion) == [("warning", "event")]
    lost = to("codex", {"hooks": {"Notification": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]}})
    assert lost.hooks == 0 and kinds(lost) == [("warning", "event")]
    variables = to("codex", {"env": {"A": "1"}, **claude()})
    assert kinds(variables) == [("warning", "variable")]


def test_groups_stay_together() -> None:
    hooks = [{"type": "command", "command": name} for name in ("one", "two")]
    conversion = to("codex", {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": hooks}]}})
    (group,) = conversion.config["hooks"]["PreToolUse"]
    assert [hook["command"] for hook in group["hooks"]] == ["one", "two"] and matcher_of(conversion) == "Bash"


def test_a_file_with_a_mistake_is_not_converted() -> None:
    with pytest.raises(ConfigError, match="invalid JSON"):
        to("codex", '{"hooks": {"PreToolUse": [')


def test_a_system_without_a_form() -> None:
    class Other(type(get("gemini"))):  # type: ignore[misc]
        config_form = None

    other: Dialect = Other()
    with pytest.raises(UsageError, match="not supported"):
        convert(Source("x", "{}"), get("codex"), other)
