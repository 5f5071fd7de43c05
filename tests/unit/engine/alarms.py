"""A project with one hook of Claude Code, and what ``check`` tells of its script."""

from __future__ import annotations

import json
from pathlib import Path

from pyshellhooks.engine.checking import check_file

HOOKS = ".claude/hooks"


def told(root: Path, script: str, path: str = "/usr/bin:/bin", **files: str) -> list[str]:
    """Return the messages about a script of a project with more files in HOOKS; ``a_l`` is ``a/l.sh``."""
    texts = {name.replace("_", "/") + ".sh": text for name, text in files.items()}
    for name, text in {"g.sh": f"#!/bin/bash\n{script}\nexit 0\n", **texts}.items():
        file = root / HOOKS / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    (root / ".git").mkdir()
    hook = {"type": "command", "command": f'"$CLAUDE_PROJECT_DIR"/{HOOKS}/g.sh'}
    config = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}}
    settings = root / ".claude" / "settings.json"
    settings.write_text(json.dumps(config))
    env = {"PATH": path, "HOME": str(root / "home")}
    return [one.message for one in check_file(str(settings), env=env).diagnostics]


__all__ = ["HOOKS", "told"]
