"""Which files are Firebender's, which Cursor's, and which of another system: by name, by shape (firebender 1, cursor 1)."""

from __future__ import annotations

from typing import Any

import pytest
from shapes_of_all import SHAPES

from pyshellhooks import dialects


@pytest.mark.parametrize(("system", "root"), SHAPES)
@pytest.mark.parametrize("name", ["firebender", "cursor"])
def test_only_its_own_files_are_taken(name: str, system: str, root: dict[str, Any]) -> None:
    assert dialects.get(name).recognises(root) is (system == name)


@pytest.mark.parametrize(("system", "root"), [row for row in SHAPES if row[0] in ("firebender", "cursor")])
def test_a_shape_alone_decides(system: str, root: dict[str, Any]) -> None:
    found = dialects.detect("x.json", root)
    assert found is not None and found.name == system


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("/w/.firebender/hooks.json", "firebender"),
        (".firebender/hooks.json", "firebender"),
        ("C:\\w\\.firebender\\hooks.json", "firebender"),
        ("/w/.cursor/hooks.json", "cursor"),
        ("/etc/cursor/hooks.json", "cursor"),
        ("/Library/Application Support/Cursor/hooks.json", "cursor"),
        ("C:\\ProgramData\\Cursor\\hooks.json", "cursor"),
        ("/w/xfirebender/hooks.json", None),
        ("/w/hooks.json", None),
    ],
)
def test_a_name_alone_decides(file: str, name: str | None) -> None:
    found = dialects.detect(file, None)
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    "root",
    [
        {"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "./x.sh", "timeoutSec": 5}]}},  # Copilot
        {"name": "a", "hooks": {"preToolUse": [{"matcher": "fs_write", "command": "x"}]}},  # Kiro
        {"hooks": {"preToolUse": [{"matcher": "x", "hooks": []}]}},
        {"hooks": {"preToolUse": {"command": "x"}}},
        {"hooks": {"preToolUse": ["x"]}},
        {"hooks": {"stop": [{"type": "command", "command": "x"}]}},  # Docker Agent
        {"hooks": {}},
        {"version": 1},
        {},
    ],
)
def test_files_of_neither_system(root: dict[str, Any]) -> None:
    assert not dialects.get("firebender").recognises(root)
    assert not dialects.get("cursor").recognises(root)


def test_groups_by_mistake_are_distinguished_by_the_version() -> None:
    root = {"version": 1, "hooks": {"preToolUse": [{"matcher": "x", "hooks": [{"type": "command", "command": "x"}]}]}}
    assert dialects.get("firebender").recognises(root)


def test_paths_in_commands_decide_and_firebenders_precede_cursors_events() -> None:
    both = {"hooks": {"beforeSubmitPrompt": [{"command": "x"}], "stop": [{"command": ".firebender/hooks/x.sh"}]}}
    assert dialects.get("firebender").recognises(both) and not dialects.get("cursor").recognises(both)
