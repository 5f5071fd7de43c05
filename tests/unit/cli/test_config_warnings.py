"""What is odd in a config is told by ``fire`` and ``explain`` once, in a line each; ``check`` tells all of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine, cli
from pyshellhooks.engine.checks.codes import brief


def nested(event: str, matcher: str, misnamed: str, timeout: float) -> dict[str, Any]:
    group = {"matcher": matcher, "hooks": [{"type": "command", "command": "true", "timout": 3, "timeout": timeout}]}
    lost = [{"hooks": [{"type": "command", "command": "false"}]}]
    return {"hooks": {event: [group], misnamed: lost}}


def flat(event: str, matcher: str, misnamed: str, **top: Any) -> dict[str, Any]:
    entry = {"matcher": matcher, "command": "true", "timout": 3, "timeout": 60000}
    return {**top, "hooks": {event: [entry, entry], misnamed: [{"command": "false"}]}}


# The file, what is in it, the event, and how many hooks a mistake keeps from ever running there.
EVERRUNS = [
    {
        "event": "pre_tool_use",
        "matcher": {"tool_name": "Bash"},
        "executor": {"type": "bash", "command": "true", "x": 1},
    },
    {"event": "pre_tool", "executor": {"type": "bash", "command": "false"}},
]
DOCKER = {"matcher": "Bash", "hooks": [{"type": "command", "command": "true", "timeout": 60000}]}
ODD: dict[str, tuple[str, Any, str, int]] = {
    "claude_code": (".claude/settings.json", nested("PreToolUse", "run_shell_command", "PreToolUses", 60000), "PreToolUse", 1),
    "gemini": (".gemini/settings.json", nested("BeforeTool", "Bash", "BeforeTol", 5), "BeforeTool", 1),
    "crush": ("crush.json", flat("PreToolUse", "Bash", "PreToolUses"), "PreToolUse", 1),
    "docker_agent": ("agent.yaml", {"agents": {"root": {"model": "any/model", "hooks": {"pre_tool_use": [DOCKER, DOCKER]}}}}, "pre_tool_use", 0),
    "everruns": (".agents/hooks.json", {"hooks": EVERRUNS}, "pre_tool_use", 1),
    "firebender": (".firebender/hooks.json", flat("preToolUse", "bash", "preToolUses", version=1), "preToolUse", 1),
    "cursor": (".cursor/hooks.json", flat("preToolUse", "bash", "preToolUses", version=1), "preToolUse", 1),
}  # fmt: skip
CALL = '{"tool_name": "a_tool", "tool_input": {"command": "ls"}}'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    (tmp_path / "project" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    Path("call.json").write_text(CALL)
    return tmp_path / "project"


def put(system: str) -> str:
    name, config, _, _ = ODD[system]
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(json.dumps(config, indent=1))
    return name


@pytest.mark.parametrize("words", [["fire"], ["fire", "--dry-run"], ["explain"], ["fire", "--json"]], ids=" ".join)
@pytest.mark.parametrize("system", ODD)
def test_once_and_in_a_line(system: str, words: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = put(system)
    _, _, event, lost = ODD[system]
    with HookEngine.load(name, system) as engine:
        odd = engine.diagnostics
    assert len(odd) >= 2 and len({one.code for one in odd}) >= 2 and all(one.code for one in odd)
    cli.main([words[0], event, "--config", name, "--input", "call.json", *words[1:]])
    output = capsys.readouterr()
    *lines, last = output.err.splitlines()
    assert last == f"  details: pyshellhooks check {name}"
    assert len(lines) == len(odd) - lost
    assert set(lines) < {brief(one) for one in odd} if lost else set(lines) == {brief(one) for one in odd}
    assert all(f"[{one.code}]" in brief(one) for one in odd)
    if words[0] == "fire" and "--dry-run" not in words:
        assert output.out.count("skipped: ") == lost * (2 if "--json" in words else 1)  # notices and faults
    else:
        assert output.out.count("skipped: ") == lost


@pytest.mark.parametrize("system", ODD)
def test_the_command_reports_all_of_it(system: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = put(system)
    with HookEngine.load(name, system) as engine:
        odd = engine.diagnostics
    cli.main(["check", name])
    shown = capsys.readouterr().out
    assert all(one.message in shown and one.hint in shown for one in odd)


def test_seven_systems_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody has trusted is told once for all files, and not of each hook again."""
    names = [put(system) for system in ODD]
    Path("call.json").write_text(CALL.replace("a_tool", "Bash"))
    assert cli.main(["fire", "before_tool", "--input", "call.json"]) == 1
    output = capsys.readouterr()
    assert all(output.err.count(name) == 1 for name in names) and output.err.count("\n") == 2
    assert "notice" not in output.out
    assert cli.main(["fire", "before_tool", "--input", "call.json", "--json"]) == 1
    assert sum("this file is not trusted" in one for one in json.loads(capsys.readouterr().out)["notices"]) >= 5
    assert cli.main(["explain", "before_tool", "--input", "call.json"]) == 0
    rows = capsys.readouterr().out
    assert all(name in rows for name in names), rows


def test_a_config_that_does_not_load_is_reported_first(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [put("crush"), put("gemini")]
    Path("crush.json").write_text(Path("crush.json").read_text().replace('"matcher": "Bash"', '"matcher": "("', 1))
    assert cli.main(["fire", "before_tool", "--trust-project", "--json"]) == 1
    output = capsys.readouterr()
    first, second, *rest = output.err.splitlines()
    assert first == "pyshellhooks fire: the hooks can't be loaded"
    assert second.startswith("crush.json:5:16: error: ") and rest[0].strip() == '"matcher": "(",'
    assert rest[-1].partition(": ")[2] in {f"pyshellhooks check {' '.join(order)}" for order in (names, names[::-1])}
    assert json.loads(output.out)["status"] == 1


def test_a_warning_that_check_does_not_report_has_its_hint_in_the_line(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hooks = {"stop": [{"type": "prompt", "prompt": "is it done?"}]}
    Path("hooks.json").write_text(json.dumps({"version": 1, "hooks": hooks}))
    given = ["--config", "hooks.json", "--dialect", "cursor", "--input", "call.json"]
    cli.main(["fire", "preToolUse", *given])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("hooks.json:1:") and line.endswith('; pass handlers={"prompt": ...} to the engine')
    cli.main(["fire", "stop", *given])
    output = capsys.readouterr()
    assert "handlers=" not in output.err and " ".join(output.out.split()).count("handlers=") == 1


@pytest.mark.parametrize("words", [["check", "crush.json"], ["doctor", "crush.json"], ["fire", "before_tool", "-v"], ["explain", "before_tool"]])  # fmt: skip
def test_nothing_of_a_config_acts_on_the_terminal(
    words: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = "\x1b[2J\x9b\u202e\r"
    entry = {"command": f"printf '{odd}'; {odd}", "matcher": f"x{odd}|bash", "name": f"name{odd}", f"key{odd}": 1}
    Path("crush.json").write_text(json.dumps({"hooks": {"PreToolUse": [entry], f"Event{odd}": [entry]}}))
    more = [] if words[0] in ("check", "doctor") else ["--config", "crush.json"]
    Path("call.json").write_text(json.dumps({"tool_name": f"bash{odd}", "tool_input": {"command": odd}}))
    cli.main([*words, *more, *(["--input", "call.json"] if more else [])])
    said = "".join(capsys.readouterr())
    assert "\\x1b[2J" in said and not set(odd) & set(said) - set("[2J"), repr(said)
