"""``pyshellhooks convert``: its statuses, its files, and what it prints."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import cli

DENY = "echo no >&2; exit 2"
ASK = """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}'"""


def claude(*commands: str) -> str:
    hooks = [{"type": "command", "command": command} for command in commands]
    return json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": hooks}]}}, indent=1)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text(claude(DENY), encoding="utf-8")
    return tmp_path


def convert(*words: str) -> int:
    return cli.main(["convert", *words, ".claude/settings.json"])


def test_the_config_is_on_stdout(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert convert("--to", "gemini") == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["hooks"]["BeforeTool"][0]["matcher"] == "^run_shell_command$"
    assert err == ""


def test_a_weaker_guard_is_an_error(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / ".claude" / "settings.json").write_text(claude(DENY, ASK), encoding="utf-8")
    assert convert("--to", "codex", "-o", "hooks.json") == 1
    out, err = capfd.readouterr()
    assert out == "" and not (project / "hooks.json").exists()
    assert err.startswith(".claude/settings.json:11:6: error: the script answers with an ask: Codex does not take that")
    assert err.endswith(
        "nothing written: Codex would guard less (1 error); try --wrap; --force writes it all the same\n"
    )
    assert convert("--to", "codex", "-o", "hooks.json", "--force") == 0
    assert len(json.loads((project / "hooks.json").read_text())["hooks"]["PreToolUse"][0]["hooks"]) == 2
    (project / "hooks.json").unlink()
    assert convert("--to", "codex", "-o", "hooks.json", "--wrap") == 0
    assert "--written-for claude_code" in (project / "hooks.json").read_text()


def test_json(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / ".claude" / "settings.json").write_text(claude(ASK), encoding="utf-8")
    assert convert("--to", "codex", "--json") == 1
    row: dict[str, Any] = json.loads(capfd.readouterr().out)
    assert (row["from"], row["to"], row["written"], row["weaker"]) == (
        "claude_code@documented",
        "codex@documented",
        False,
        True,
    )
    assert row["config"] is None and [loss["severity"] for loss in row["losses"]] == ["error"]
    assert convert("--to", "codex", "--json", "--force") == 0
    assert "PreToolUse" in json.loads(json.loads(capfd.readouterr().out)["config"])["hooks"]


def test_each_agent_of_the_project(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert convert("--to", "all") == 1
    assert "no other agent is found" in capfd.readouterr().err
    (project / ".codex").mkdir()
    (project / ".cursor").mkdir()
    (project / ".gemini").mkdir()
    (project / ".gemini" / "settings.json").write_text('{"theme": "dark"}', encoding="utf-8")
    assert convert("--to", "all") == 0
    named = sorted(line.partition(":")[0] for line in capfd.readouterr().out.splitlines())
    assert named == [".codex/hooks.json", ".cursor/hooks.json", ".gemini/settings.json"]
    settings = json.loads((project / ".gemini" / "settings.json").read_text())
    assert list(settings) == ["theme", "hooks"]
    assert cli.main(["check", *named]) == 0
    # the files have hooks now, and nothing is overwritten
    (project / ".claude" / "settings.json").write_text(claude(DENY, "true"), encoding="utf-8")
    before = (project / ".cursor" / "hooks.json").read_bytes()
    assert convert("--to", "all") == 1
    assert "it has hooks already" in capfd.readouterr().err
    assert (project / ".cursor" / "hooks.json").read_bytes() == before


def test_all_or_nothing(project: Path) -> None:
    """A guard that is weaker in one agent leaves the files of the others unwritten."""
    (project / ".claude" / "settings.json").write_text(claude(ASK), encoding="utf-8")
    (project / ".codex").mkdir()
    (project / ".firebender").mkdir()
    assert convert("--to", "all") == 1
    assert not list((project / ".codex").iterdir()) and not list((project / ".firebender").iterdir())


def test_the_form_of_a_file_by_its_name(project: Path) -> None:
    assert convert("--to", "codex", "-o", "config.toml") == 0
    assert '[[hooks.PreToolUse]]\nmatcher = "Bash"' in (project / "config.toml").read_text()
    assert convert("--to", "docker_agent", "-o", "agent.yaml") == 0
    assert (project / "agent.yaml").read_text().startswith("agents:\n  root:\n    hooks:\n")


def test_a_file_that_is_no_json_is_not_replaced(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "agent.yaml").write_text("agents: {root: {model: x}}\n")
    assert convert("--to", "docker_agent", "-o", "agent.yaml") == 1
    assert "agent.yaml: it exists" in capfd.readouterr().err
    assert (project / "agent.yaml").read_text() == "agents: {root: {model: x}}\n"


def test_stdin(project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    class Stdin(io.StringIO):
        buffer = io.BytesIO(claude(DENY).encode())

    monkeypatch.setattr("sys.stdin", Stdin())
    assert cli.main(["convert", "--from", "claude_code", "--to", "crush", "-"]) == 0
    assert json.loads(capfd.readouterr().out)["hooks"]["PreToolUse"] == [
        {"command": DENY, "timeout": 600, "matcher": "^bash$"}
    ]


WRONG = [
    (("--to", "claude_code"), "the config is Claude Code's already"),
    (("--to", "claude_cod"), "unknown hook system"),
    (("--to", "all", "-o", "x.json"), "-o names one file"),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_wrong_calls(project: Path, words: tuple[str, ...], message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert convert(*words) == 1
    assert message in capfd.readouterr().err
