"""``commandWindows`` of Codex: a review of trust shows its script too, and ``check`` parses it (codex 3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from trusting import GUARD, House

from pyshellhooks.engine.checks.checker import check_file
from pyshellhooks.engine.checks.trust_review import Survey


def config(**keys: str) -> str:
    handler = {"type": "command", "command": "sh hooks/unix.sh", **keys}
    return json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [handler]}]}})


@pytest.mark.parametrize("key", ["commandWindows", "command_windows"])
def test_the_scripts_of_both_commands_are_reviewed(key: str, tmp_path: Path) -> None:
    house = House(tmp_path)
    house.write(".codex/hooks.json", config(**{key: "sh hooks/windows.sh"}))
    for name in ("unix", "windows"):
        house.write(f"hooks/{name}.sh", GUARD)
    survey = Survey(str(house.project), house.env, "", {})
    assert {"hooks/unix.sh", "hooks/windows.sh"} <= survey.items.keys()


def test_a_command_for_windows_that_does_not_parse_is_a_hint(tmp_path: Path) -> None:
    house = House(tmp_path)
    path = house.write(".codex/hooks.json", config(commandWindows="if exist x (echo y)"))
    house.write("hooks/unix.sh", GUARD)
    (found,) = check_file(str(path), "codex", env=house.env).diagnostics
    assert (found.severity, found.code) == ("hint", "syntax-error")
    assert "can't parse it" in found.message


def test_a_command_for_windows_that_parses_is_silent(tmp_path: Path) -> None:
    house = House(tmp_path)
    path = house.write(".codex/hooks.json", config(commandWindows="sh hooks/windows.sh"))
    house.write("hooks/unix.sh", GUARD)
    assert check_file(str(path), "codex", env=house.env).diagnostics == []
