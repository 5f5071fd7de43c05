"""A matcher that names a system's own tool is no other system's: ``check`` has nothing to say of it."""

from __future__ import annotations

import json

import pytest

from pyshellhooks import dialects
from pyshellhooks.engine.config import loading

GROUPS = {"claude_code": "PreToolUse", "gemini": "BeforeTool", "docker_agent": "pre_tool_use"}
FLAT = {"crush": "PreToolUse", "cursor": "preToolUse", "firebender": "preToolUse"}
TOOLS = [(name, tool) for name in {**GROUPS, **FLAT} for kind in dialects.get(name).tools.values() for tool in kind]


@pytest.mark.parametrize(("system", "tool"), TOOLS)
def test_an_own_tool_is_no_other_systems(system: str, tool: str) -> None:
    if system in GROUPS:
        hooks = {GROUPS[system]: [{"matcher": tool, "hooks": [{"type": "command", "command": "true"}]}]}
    else:
        hooks = {FLAT[system]: [{"matcher": tool, "command": "true"}]}
    config = {"agents": {"root": {"hooks": hooks}}} if system == "docker_agent" else {"version": 1, "hooks": hooks}
    found = loading.load(dialects.get(system), [loading.Source("x.json", json.dumps(config))])
    assert [one.message for one in found.diagnostics if one.code == "matcher-other-system"] == []
    assert found.specs


@pytest.mark.parametrize("system", dialects.names())
def test_own_tools_are_those_of_a_kind_and_the_others(system: str) -> None:
    dialect = dialects.get(system)
    named = [name for names in dialect.tools.values() for name in names]
    assert set(dialect.own_tools) == {*named, *dialect.other_tools}
    assert len(dialect.own_tools) == len(set(dialect.own_tools))
