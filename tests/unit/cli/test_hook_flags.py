"""The ``--hook-*`` flags: docker_agent 6, and what the seed says about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import cli

AGENT = """\
agents:
  root:
    hooks:
      pre_tool_use:
        - matcher: shell
          hooks:
            - {type: command, command: "echo file >&2; exit 2", timeout: 7}
  other:
    hooks: {}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a.yaml").write_text(AGENT, encoding="utf-8")
    (tmp_path / "call.json").write_text('{"tool_name": "shell", "tool_input": {"cmd": "ls"}}')
    return tmp_path


@pytest.fixture
def fire(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(event: str, *words: str) -> dict[str, Any]:
        status = cli.main(["fire", event, *words, "--input", "call.json", "--json"])
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err and "internal error" not in shown.err
        return {"status": status, "error": shown.err, **(json.loads(shown.out) if shown.out else {})}

    return run


def test_hooks_of_flags_run_after_those_of_files(fire: Any) -> None:
    flags = ["--hook-pre-tool-use", "echo one >&2; exit 2", "--hook-pre-tool-use", "echo two, three >&2; exit 2"]
    verdict = fire("pre_tool_use", "--config", "a.yaml", *flags)
    assert (verdict["status"], verdict["reason"]) == (2, "file\none\ntwo, three")


def test_flags_hold_for_every_agent_and_every_tool(fire: Any, here: Path) -> None:
    (here / "call.json").write_text('{"tool_name": "some_other_tool"}')
    verdict = fire("before_tool", "--config", "a.yaml", "--agent", "other", "--hook-pre-tool-use", "echo x >&2; exit 2")
    assert (verdict["status"], verdict["reason"]) == (2, "x")


@pytest.mark.parametrize(
    ("flag", "event"),
    [
        ("--hook-pre-tool-use", "pre_tool_use"),
        ("--hook-post-tool-use", "post_tool_use"),
        ("--hook-session-start", "session_start"),
        ("--hook-session-end", "session_end"),
        ("--hook-on-user-input", "on_user_input"),
        ("--hook-stop", "stop"),
        ("--hook-notification", "notification"),
    ],
)
def test_each_flag_has_its_event(fire: Any, here: Path, flag: str, event: str) -> None:
    verdict = fire(event, "--config", "a.yaml", "--agent", "other", flag, "cat > got")
    assert [hook["ended"] for hook in verdict["hooks"]] == ["ok"]
    assert json.loads((here / "got").read_text())["hook_event_name"] == event


def test_blank_values_are_dropped(fire: Any) -> None:
    verdict = fire("pre_tool_use", "--config", "a.yaml", "--hook-pre-tool-use", "", "--hook-pre-tool-use", "  \n ")
    assert len(verdict["hooks"]) == 1 and verdict["reason"] == "file"


def test_blank_values_alone_choose_no_system(fire: Any) -> None:
    # PreToolUse is Crush's own name: what discovery falls back to without flags
    assert fire("PreToolUse", "--hook-pre-tool-use", " ")["status"] == 0


def test_a_command_that_the_file_has_runs_once_with_the_files_time(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", "pre_tool_use", "--config", "a.yaml", "--input", "call.json", "--json"]
    assert cli.main([*words, "--hook-pre-tool-use", "echo file >&2; exit 2"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first["matches"] and first["origin"].startswith("a.yaml:")
    assert not second["matches"] and "same command" in second["reason"]


def test_a_config_of_another_system(fire: Any, here: Path) -> None:
    (here / "crush.json").write_text('{"hooks": {"PreToolUse": [{"command": "echo file >&2; exit 2"}]}}')
    verdict = fire("PreToolUse", "--config", "crush.json", "--hook-pre-tool-use", "echo flag >&2; exit 2")
    assert (verdict["status"], verdict["reason"]) == (2, "file\nflag")


@pytest.mark.parametrize("flag", ["--hook-on-user-input", "--hook-stop", "--hook-session-start"])
def test_an_event_that_the_system_lacks(fire: Any, here: Path, flag: str) -> None:
    (here / "crush.json").write_text("{}")
    verdict = fire("PreToolUse", "--config", "crush.json", flag, "x")
    assert verdict["status"] == 1 and f"{flag}: Crush has no event" in verdict["error"]
    assert len(verdict["error"].splitlines()) == 1


def test_discovery_gets_them(fire: Any, here: Path) -> None:
    (here / "crush.json").write_text('{"hooks": {"PreToolUse": [{"command": "echo file >&2; exit 2"}]}}')
    verdict = fire("PreToolUse", "--trust-project", "--hook-pre-tool-use", "echo flag >&2; exit 2")
    assert (verdict["status"], verdict["reason"]) == (2, "file\nflag")


def test_every_system_that_discovery_finds_gets_them(fire: Any, here: Path) -> None:
    (here / "crush.json").write_text('{"hooks": {"PreToolUse": [{"command": "true"}]}}')
    (here / "agent.yaml").write_text(AGENT.replace("echo file >&2; exit 2", "true"))
    for event in ("pre_tool_use", "PreToolUse", "before_tool"):
        assert fire(event, "--trust-project", "--hook-pre-tool-use", "exit 2")["status"] == 2
    assert fire("on_user_input", "--trust-project", "--hook-on-user-input", "echo x > waited")["status"] == 0
    assert (here / "waited").exists()


def test_without_any_config_they_are_docker_agents(fire: Any) -> None:
    verdict = fire("pre_tool_use", "--hook-pre-tool-use", "echo flag >&2; exit 2")
    assert (verdict["status"], verdict["reason"]) == (2, "flag")
    assert fire("on_user_input", "--hook-on-user-input", "true")["hooks"][0]["ended"] == "ok"


def test_without_any_config_a_dialect_can_be_named(fire: Any) -> None:
    assert fire("PreToolUse", "--dialect", "crush", "--hook-pre-tool-use", "exit 49")["status"] == 49
    assert fire("PreToolUse", "--dialect", "docker_agent", "--hook-pre-tool-use", "true")["status"] == 1
    assert fire("PreToolUse", "--dialect", "crush", "--hook-stop", "true")["status"] == 1


def test_a_wrong_file_stays_an_error(fire: Any, here: Path) -> None:
    (here / "bad.yaml").write_text("agents:\n  a:\n    hooks:\n      Stop: []\n")
    verdict = fire("pre_tool_use", "--config", "bad.yaml", "--dialect", "docker_agent", "--hook-pre-tool-use", "true")
    assert verdict["status"] == 1 and "bad.yaml:4:7" in verdict["error"]


def test_dry_run_shows_them(fire: Any, here: Path) -> None:
    verdict = fire("pre_tool_use", "--config", "a.yaml", "--hook-pre-tool-use", "echo x > made", "--dry-run")
    assert [row["matches"] for row in verdict["hooks"]] == [True, True] and not (here / "made").exists()


def test_a_flag_without_its_value_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["fire", "pre_tool_use", "--hook-pre-tool-use"])
    assert ended.value.code == 1 and "--hook-pre-tool-use" in capsys.readouterr().err
