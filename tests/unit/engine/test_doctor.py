"""doctor: what every command of a hook is on this machine."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.cli import main
from pyshellhooks.engine.checks.doctor import CommandLookup, examine


def found(tmp_path: Path, command: str, *, spawn: bool = True, **options: Any) -> dict[str, CommandLookup]:
    config = {"hooks": {"PreToolUse": [{"command": command}]}}
    with HookEngine.load(config, "crush", cwd=str(tmp_path), **options) as engine:
        return {finding.name: finding for finding in examine(engine, spawn=spawn)}


def test_kinds(tmp_path: Path) -> None:
    (tmp_path / "guard.sh").write_text("#!/bin/bash\ntest -f x\nsurely-missing\n")
    (tmp_path / "odd.sh").write_text("#!/usr/bin/env no-such-language\n")
    rows = found(tmp_path, "pwd && jq . | grep -q x; ./guard.sh; ./odd.sh; ./none.sh; not-there", env={"PATH": ""})
    assert {name: row.kind for name, row in rows.items()} == {
        "pwd": "builtin",
        "jq": "utility",
        "grep": "utility",
        "./guard.sh": "script",
        "test": "builtin",
        "surely-missing": "missing",
        "./odd.sh": "script",
        "no-such-language": "missing",
        "./none.sh": "missing",
        "not-there": "missing",
    }
    assert rows["surely-missing"].file.endswith("/guard.sh") and rows["surely-missing"].line == 3


def test_programs_need_permission(tmp_path: Path) -> None:
    python = Path(sys.executable)
    env = {"PATH": python.parent.as_posix()}
    assert found(tmp_path, f"{python.stem} -V", env=env)[python.stem].kind == "program"
    row = found(tmp_path, f"{python.stem} -V", env=env, spawn=False)[python.stem]
    assert (row.kind, row.fine) == ("unsupported", False)


def test_a_script_that_calls_itself(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("./b.sh\n")
    (tmp_path / "b.sh").write_text("./a.sh; missing-one\n")
    rows = found(tmp_path, "./a.sh", env={"PATH": ""})
    assert {name for name, row in rows.items() if not row.fine} == {"missing-one"}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "crush.json"
    path.write_text('{"hooks": {"PreToolUse": [{"command": "jq . | never-heard-of"}]}}')
    assert main(["doctor", "--config", str(path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in report["commands"] if row["kind"] == "missing"] == ["never-heard-of"]
    path.write_text('{"hooks": {"PreToolUse": [{"command": "jq . | grep x"}]}}')
    assert main(["doctor", "--config", str(path)]) == 0
    assert "0 will not run here" in capsys.readouterr().out
    for command in ("command -v no-such-x >/dev/null || exit 0; no-such-x", "no-such-x || true"):  # nothing needs it
        path.write_text(json.dumps({"hooks": {"PreToolUse": [{"command": command}]}}))
        assert main(["doctor", "--config", str(path)]) == 0
        assert "0 will not run here" in capsys.readouterr().out


def test_a_command_that_does_not_parse(tmp_path: Path) -> None:
    assert [row.kind for row in found(tmp_path, "echo )").values()] == ["unreadable"]
    assert [row.hint for row in found(tmp_path, "if true").values()] == ["`if` on line 1 has no `fi`; expected `then`"]


def test_without_processes_a_program_is_reported_at_load(tmp_path: Path) -> None:
    """An interpreter that can't start under spawn=False is told at load (decisions own failures)."""
    (tmp_path / "guard.py").write_text(f"#!{sys.executable}\nprint(1)\n")
    (tmp_path / "guard.sh").write_text("#!/bin/sh\njq .\nno-such-program-here\n")
    hooks = [{"command": "./guard.py"}, {"command": "./guard.sh"}, {"command": "grep x"}]
    (tmp_path / "crush.json").write_text(json.dumps({"hooks": {"PreToolUse": hooks}}))
    options: dict[str, Any] = {"cwd": str(tmp_path), "env": {"PATH": os.path.dirname(sys.executable)}}
    with HookEngine.load(str(tmp_path / "crush.json"), spawn=False, **options) as engine:
        (said,) = [str(one) for one in engine.diagnostics]
        assert "crush.json:1:" in said and "processes are not allowed" in said and "spawn=True" in said
        assert engine.fire("PreToolUse", tool_name="bash").decision == "deny"
    with HookEngine.load(str(tmp_path / "crush.json"), **options) as engine:
        assert engine.diagnostics == ()
