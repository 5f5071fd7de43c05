"""Programs below ``Microsoft\\WindowsApps``: Windows puts a ``python3`` there that only opens the Store.

On other systems the host knows such places as on Windows here.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pyshellhooks import HookEngine, Shell
from pyshellhooks.host import current, windows_text
from pyshellhooks.utilities._index import INDEX

IS_WINDOWS = sys.platform == "win32"
windows_only = pytest.mark.skipif(not IS_WINDOWS, reason="a batch file")
HOOK = "import sys\nsys.exit(2)\n"
CALL = {"tool_name": "bash", "tool_input": {"command": "ls"}}


class Place:
    """A directory with a hook in Python, and a PATH with a placeholder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.apps = root / "Microsoft" / "WindowsApps"
        self.apps.mkdir(parents=True)
        self.env = {"PATH": str(self.apps)}
        (root / "x.py").write_text(HOOK)
        (root / "shebang").write_bytes(f"#!/usr/bin/env python3\n{HOOK}".encode())
        (root / "shebang").chmod(0o755)

    def add(self, name: str, status: int = 49, directory: Path | None = None) -> None:
        file = (directory or self.apps) / (f"{name}.cmd" if IS_WINDOWS else name)
        file.write_bytes(f"@exit /b {status}\r\n".encode() if IS_WINDOWS else f"#!/bin/sh\nexit {status}\n".encode())
        file.chmod(0o755)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    if not IS_WINDOWS:
        monkeypatch.setattr(type(current()), "is_placeholder", lambda self, path: windows_text.is_placeholder(path))
    return Place(tmp_path)


@pytest.mark.parametrize("command", ["python3 x.py", "./shebang", "python x.py", "env python3 x.py"])
def test_the_hosts_own_python_runs_before_a_placeholder(place: Place, command: str) -> None:
    for name in ("python3", "python", "py"):
        place.add(name)
    engine = HookEngine.load(
        {"hooks": {"PreToolUse": [{"command": command}]}}, "crush", cwd=str(place.root), env=place.env
    )
    verdict = engine.fire("PreToolUse", **CALL)
    assert (verdict.decision, verdict.halt) == ("deny", False)
    assert "is not on PATH" in verdict.notices[0]


def test_an_own_command_runs_before_a_placeholder(place: Place) -> None:
    place.add("seq")
    assert "seq" in INDEX
    assert Shell(env=place.env, prefer_host=["seq"]).run("seq 1").stdout == b"1\n"


@windows_only
def test_a_placeholder_counts_after_all_of_path(place: Place) -> None:
    place.add("tool")
    other = place.root / "other"
    other.mkdir()
    place.add("tool", 3, other)
    path = f"{place.apps};{other}"
    assert Shell(env={"PATH": path}).run("tool").status == 3


@windows_only
@pytest.mark.parametrize("status", [49, 9009])
def test_a_placeholder_that_ran_nothing_is_a_missing_command(place: Place, status: int) -> None:
    place.add("tool", status)
    engine = HookEngine.load(
        {"hooks": {"PreToolUse": [{"command": "tool"}]}}, "crush", cwd=str(place.root), env=place.env
    )
    verdict = engine.fire("PreToolUse", **CALL)
    assert (verdict.decision, verdict.halt) == ("none", False)
    assert verdict.hooks[0].exit_code == 127
    assert "command not found; install it; " in verdict.notices[0]


@windows_only
def test_the_status_of_another_program_stays(place: Place) -> None:
    place.add("tool", 49, place.root)
    assert Shell(env=place.env, cwd=str(place.root)).run("./tool").status == 49
