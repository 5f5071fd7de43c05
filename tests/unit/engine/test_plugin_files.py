"""What ``check`` makes of a plugin's ``hooks/hooks.json`` with a mistake in its shape: it speaks of Claude Code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyshellhooks.engine.checks.checker import check_file


@pytest.mark.parametrize(
    ("config", "messages"),
    [
        ({"hooks": {"PreToolUse": [], "PostToolUse": []}}, []),
        ({"hooks": {}}, []),
        (
            {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}]},
            ['the event "PreToolUse" is at the top level of the file'],
        ),
        (
            {"hooks": [{"event": "Stop", "command": ["echo", "x"]}]},
            ["hooks must be an object of events, not an array"],
        ),
        (
            {"hooks": {"PreToolUse": [{"command": "true"}]}},
            [
                "PreToolUse[0]: a handler is directly under the event; put it into a group:"
                " Claude Code does not load this file"
            ],
        ),
    ],
)
def test_it_is_claude_codes(config: object, messages: list[str], tmp_path: Path) -> None:
    (tmp_path / ".claude-plugin").mkdir()
    file = tmp_path / "hooks" / "hooks.json"
    file.parent.mkdir()
    file.write_text(json.dumps(config))
    checked = check_file(str(file))
    assert checked.configuration is not None and checked.configuration.dialect.name == "claude_code"
    assert [one.message for one in checked.diagnostics] == messages
    assert all(one.severity == "error" for one in checked.diagnostics)


@pytest.mark.parametrize(("command", "codes"), [("${user_config.node}", []), ("${PLUGIN_NODE}", ["program-missing"])])
def test_options_that_a_person_sets_for_a_plugin(command: str, codes: list[str], tmp_path: Path) -> None:
    """``${user_config.*}`` is filled in where the hook has ``args`` (claude_code 2, placeholders)."""
    file = tmp_path / "hooks" / "hooks.json"
    file.parent.mkdir()
    hook = {"type": "command", "command": command, "args": ["--version"]}
    file.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    assert [one.code for one in check_file(str(file)).diagnostics] == codes
