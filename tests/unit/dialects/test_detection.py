"""Which system a file belongs to: its name first, then its shape."""

from __future__ import annotations

import pytest

from pyshellhooks import dialects


@pytest.mark.parametrize("name", dialects.names())
def test_the_table_of_file_names_is_that_of_the_classes(name: str) -> None:
    assert dialects._FILE_NAMES[name] == dialects.dialect_class(name).file_names


@pytest.mark.parametrize("name", dialects.names())
def test_each_system_names_its_sources(name: str) -> None:
    assert dialects.dialect_class(name).basis


@pytest.mark.parametrize("name", dialects.names())
def test_a_file_name_tells_its_system(name: str) -> None:
    for file in dialects._FILE_NAMES[name]:
        for path in (file, f"/home/me/project/{file}", f"C:\\project\\{file}".replace("/", "\\")):
            found = dialects.detect(path, None)
            assert found is not None and found.name == name, path


def test_another_name_tells_nothing() -> None:
    assert dialects.detect("hooks.json", None) is None
    assert dialects.detect("mycrush.json", None) is None
    assert dialects.detect("settings.json", {"theme": "dark"}) is None


def test_flat_entries_with_a_version_are_not_crushs() -> None:
    found = dialects.detect("hooks.json", {"version": 1, "hooks": {"preToolUse": [{"command": "x"}]}})
    assert found is not None and found.name in ("firebender", "cursor")
    assert not dialects.get("crush").recognises({"version": 1, "hooks": {"preToolUse": [{"command": "x"}]}})


#: What lies at ``hooks/hooks.json`` of a plugin, the system, and the same without a ``.claude-plugin`` beside it.
PLUGINS = [
    ({"hooks": {"PreToolUse": [], "PostToolUse": []}}, "claude_code", "claude_code"),
    ({"hooks": {"PreToolUse": [{"command": "x"}]}}, "claude_code", "claude_code"),
    ({"hooks": {"PreToolUse": [], "session_end": {"trigger": "x"}}}, "claude_code", "claude_code"),
    ({"hooks": [{"event": "Stop", "command": ["echo", "x"]}]}, "claude_code", "claude_code"),
    ({"PreToolUse": [{"matcher": "Bash", "hooks": []}]}, "claude_code", "claude_code"),
    ({"PreToolUse": [], "description": "x"}, "claude_code", "claude_code"),
    ({"hooks": {"SessionStart": []}}, "claude_code", "claude_code"),
    ({"hooks": {}}, "claude_code", ""),
    ({"hooks": []}, "claude_code", "everruns"),
    ({}, "claude_code", ""),
    ({"hooks": {"preToolUze": []}}, "claude_code", ""),
    ({"hooks": [{"event": "pre_tool_use", "executor": {"type": "bash"}}]}, "everruns", "everruns"),
    ({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "x"}]}]}}, "gemini", "gemini"),
    ({"version": 1, "hooks": {"beforeShellExecution": [{"command": "x"}]}}, "firebender", "firebender"),
    ({"hooks": [{"event": ["Stop"]}]}, "claude_code", "everruns"),
]


@pytest.mark.parametrize(("root", "beside", "alone"), PLUGINS, ids=str)
def test_hooks_of_plugins(root: dict[str, object], beside: str, alone: str) -> None:
    """A plugin's hooks lie there (claude_code 1); a mistake in their shape makes them no other system's."""
    for plugin, expected in ((True, beside), (False, alone)):
        found = dialects.detect("/x/hooks/hooks.json", root, plugin=plugin)
        assert ("" if found is None else found.name) == expected


def test_another_place_is_told_by_its_shape() -> None:
    found = dialects.detect("/x/hooks.json", {"hooks": {"PreToolUse": [{"command": "x"}]}})
    assert found is not None and found.name == "crush"
