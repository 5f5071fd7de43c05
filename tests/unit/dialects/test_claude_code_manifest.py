"""Manifests of plugins: for which of them Claude Code 2.1.332 refuses the plugin. Each row was put to the program."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks.dialects.claude_code import ClaudeCode
from pyshellhooks.hooks.model import Origin

TEXT = {"type": "string", "title": "t", "description": "d"}
GROUP = [{"hooks": [{"type": "command", "command": "exit 2"}]}]
#: What a manifest has beside its name, and the key that the program names when it refuses the plugin; "" if it does not.
MANIFESTS: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({"skills": "skills"}, "skills"),
    ({"skills": ["skills"]}, "skills"),
    ({"skills": 3}, "skills"),
    ({"skills": {"a": 1}}, "skills"),
    ({"skills": "../x"}, "skills"),
    ({"skills": None}, "skills"),
    ({"skills": "./skills"}, ""),
    ({"skills": "."}, ""),
    ({"commands": "commands/x.md"}, "commands"),
    ({"commands": ["c.md"]}, "commands"),
    ({"commands": 3}, "commands"),
    ({"commands": {"a": {"source": "c.md"}}}, "commands"),
    ({"commands": "./commands/x.md"}, ""),
    ({"commands": {"a": {"content": "x"}}}, ""),
    ({"agents": "agents"}, "agents"),
    ({"agents": "./agents/"}, "agents"),
    ({"agents": ["a.md"]}, "agents"),
    ({"agents": 3}, "agents"),
    ({"agents": "./agents/a.md"}, ""),
    ({"outputStyles": "s"}, "outputStyles"),
    ({"outputStyles": 3}, "outputStyles"),
    ({"mcpServers": "m.json"}, "mcpServers"),
    ({"mcpServers": 3}, "mcpServers"),
    ({"mcpServers": "./m.json"}, ""),
    ({"mcpServers": {"a": {"command": "x"}}}, ""),
    ({"lspServers": 3}, "lspServers"),
    ({"lspServers": "x.json"}, "lspServers"),
    ({"version": 3}, "version"),
    ({"version": "x"}, ""),
    ({"dependencies": 3}, "dependencies"),
    ({"settings": 3}, "settings"),
    ({"settings": {"agent": 1}}, ""),
    ({"channels": 3}, "channels"),
    ({"channels": [{"server": "x"}]}, ""),
    ({"themes": "x"}, "themes"),
    ({"workflows": "x"}, "workflows"),
    ({"monitors": "x"}, "monitors"),
    ({"types": "x"}, "types"),
    ({"defaultEnabled": "x"}, "defaultEnabled"),
    ({"defaultEnabled": False}, ""),
    ({"userConfig": 3}, "userConfig"),
    ({"userConfig": {"a": {"type": "string"}}}, "userConfig.a"),
    ({"userConfig": {"a": TEXT}}, ""),
    ({"userConfig": {"a": {**TEXT, "zzz": 1}}}, "userConfig.a"),
    ({"userConfig": {"a-b": TEXT}}, "userConfig"),
    ({"userConfig": {"a": {**TEXT, "type": "zz"}}}, "userConfig.a"),
    ({"userConfig": {"a": {**TEXT, "required": True, "default": ["x"]}}}, ""),
    ({"PreToolUse": GROUP}, "PreToolUse"),
    ({"zzz": {"PreToolUse": GROUP}}, "zzz"),
    ({"zzz": {"PostToolUse": GROUP}}, ""),
    ({"metadata": 3, "experimental": 3, "engines": 3, "zzz": 1}, ""),
    # Parts that only a catalog displays: the program ignores a wrong one.
    ({"description": 3, "displayName": 3, "license": 3, "homepage": "x", "keywords": "x", "author": "me"}, ""),
    ({"repository": {"type": "git"}, "$schema": 3}, ""),
    ({"name": "my p"}, "a plugin needs a name"),
    ({"name": ""}, "a plugin needs a name"),
    ({"name": "a@b/../ü:c"}, ""),
]


@pytest.mark.parametrize(("more", "named"), MANIFESTS, ids=[json.dumps(more)[:60] for more, _ in MANIFESTS])
def test_a_manifest(more: dict[str, Any], named: str) -> None:
    text = json.dumps({"name": "p", **more})
    loaded = ClaudeCode().load(text, Origin("/p/.claude-plugin/plugin.json", plugin="/p"))
    refused = [one.message for one in loaded.refused]
    assert all("Claude Code refuses the plugin" in one and one == loaded.diagnostics[0].message for one in refused[:1])
    assert [named in one for one in refused[:1]] == ([True] if named else [])
    assert all(one.hint for one in loaded.refused)
