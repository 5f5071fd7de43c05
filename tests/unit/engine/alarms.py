"""A project with one hook of Claude Code, and what ``check`` tells of its script."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pyshellhooks.engine.checks.checker import check_file

HOOKS = ".claude/hooks"


PROGRAMS = ("bash", "curl", "dirname", "env", "git", "python3", "sleep", "wget")  # on PATH, whichever this machine has


def reported(root: Path, script: str, programs: Sequence[str] = PROGRAMS, **files: str) -> list[str]:
    """Return the warnings and errors about a script of a project with more files in HOOKS; ``a_l`` is ``a/l.sh``."""
    path = root / "programs"
    path.mkdir()
    for name in programs:
        (path / name).touch(0o755)
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
    env = {"PATH": str(path), "HOME": str(root / "home")}
    return [one.message for one in check_file(str(settings), env=env).diagnostics if one.severity != "hint"]


__all__ = ["HOOKS", "reported"]
