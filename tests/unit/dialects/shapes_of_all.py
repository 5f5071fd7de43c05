"""Configurations as people write them, of every system: none may be taken for another's.

Each dialect's own test asks ``recognises`` about all of them. Extend it with what your system's people write.
"""

from __future__ import annotations

from typing import Any

SHAPES: list[tuple[str, dict[str, Any]]] = [
    ("crush", {"hooks": {"PreToolUse": [{"command": "x", "matcher": "^bash$"}]}}),
    ("crush", {"hooks": {"pre_tool_use": [{"command": "x"}]}}),
    ("crush", {"$schema": "https://charm.land/crush.json", "lsp": {}}),
    ("claude_code", {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]}}),
    ("claude_code", {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}),
    ("claude_code", {"description": "d", "hooks": {"PostToolUse": [{"matcher": "Edit|Write", "hooks": []}]}}),
    ("claude_code", {"disableAllHooks": True}),
    ("claude_code", {"hooks": {"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "p"}]}], "Nope": []}}),
    ("codex", {"hooks": {"Interrupt": [{"hooks": [{"type": "command", "command": "x"}]}], "PreToolUse": []}}),
    ("gemini", {"hooks": {"BeforeTool": [{"matcher": "x", "hooks": [{"type": "command", "command": "x"}]}]}}),
    ("gemini", {"hooks": {"SessionStart": [{"sequential": True, "hooks": [{"type": "command", "command": "x"}]}]}}),
    ("gemini", {"hooks": {"BeforeTool": [{"type": "command", "command": "x"}]}}),
    # What both systems of this form have is Firebender's, unless a file's name says otherwise.
    ("cursor", {"version": 1, "hooks": {"beforeSubmitPrompt": [{"command": "x"}], "stop": [{"command": "x"}]}}),
    ("cursor", {"version": 1, "hooks": {"preToolUse": [{"command": ".cursor/hooks/x.sh"}]}}),
    ("firebender", {"version": 1, "hooks": {"preToolUse": [{"command": "x", "matcher": "Shell"}]}}),
    ("firebender", {"version": 1, "hooks": {"stop": [{"command": "x", "type": "command"}]}}),
    ("firebender", {"version": 1, "hooks": {"preToolUse": [{"command": ".firebender/hooks/x.sh"}]}}),
    ("firebender", {"hooks": {"beforeShellExecution": [{"command": "x", "timeout": 30, "matcher": "curl|wget|nc"}]}}),
    ("firebender", {"hooks": {"stop": [{"command": "x", "loop_limit": None}]}}),
    ("everruns", {"hooks": [{"event": "pre_tool_use", "executor": {"type": "bash", "command": "x"}}]}),
    ("everruns", {"capabilities": [{"ref": "hooks", "config": {"hooks": []}}]}),
    ("everruns", {"capabilities": ["user_hooks"]}),
    ("everruns", {"disabled_contributions": ["pack:x"]}),
    ("everruns", {"hooks": [], "disabled": ["x"]}),
    (
        "docker_agent",
        {"agents": {"root": {"hooks": {"pre_tool_use": [{"hooks": [{"type": "command", "command": "x"}]}]}}}},
    ),
    ("docker_agent", {"version": "2", "agents": {"root": {"model": "m", "instruction": "i"}}}),
    ("docker_agent", {"hooks": {"pre_tool_use": [{"matcher": "*", "hooks": [{"type": "command", "command": "x"}]}]}}),
    ("docker_agent", {"hooks": {"stop": [{"type": "command", "command": "x"}]}}),
]
