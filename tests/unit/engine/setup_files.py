"""Files of setups of Claude Code, and a project and a home that hold them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SWITCH = 'test -n "$OFF" && exit 0; exit 2'
MARKS = 'echo "$CLAUDE_PLUGIN_ROOT" >&2; exit 2'


def events(command: str = MARKS, event: str = "PreToolUse", kind: str = "command") -> dict[str, Any]:
    return {event: [{"matcher": "Bash", "hooks": [{"type": kind, "command": command}]}]}


def wrapped(command: str = MARKS, event: str = "PreToolUse") -> str:
    return json.dumps({"hooks": events(command, event)})


def manifest(**more: Any) -> str:
    return json.dumps({"name": "p", **more})


def enabled(value: Any = True) -> str:
    return json.dumps({"enabledPlugins": {"p@m": value}})


FRONT = "---\nname: x\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: exit 2\n---\n"
CATALOG = json.dumps({"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "p", "source": "./p"}]})
REGISTERED = json.dumps({"m": {"source": {"source": "directory", "path": "@/market"}}})
FETCHED = json.dumps({"m": {"source": {"source": "github", "repo": "a/b"}}})
USER = "home/.claude"
CACHE = f"{USER}/plugins/cache/m/p/1"


def installed(*entries: Mapping[str, Any]) -> str:
    return json.dumps({"version": 2, "plugins": {"p@m": [{"installPath": f"@/{CACHE}", **one} for one in entries]}})


MARKET = {
    f"{USER}/plugins/known_marketplaces.json": REGISTERED,
    "market/.claude-plugin/marketplace.json": CATALOG,
    "market/p/hooks/hooks.json": wrapped(),
}
IN_CACHE = {f"{USER}/plugins/known_marketplaces.json": FETCHED, f"{CACHE}/hooks/hooks.json": wrapped()}
OWN = {"projectPath": "@/w"}


def build(root: Path, files: Mapping[str, str]) -> dict[str, str]:
    """Write files, ``@`` standing for the root, and return an environment with a home."""
    (root / "w" / ".git").mkdir(parents=True)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("@/", f"{root.as_posix()}/"), encoding="utf-8")
    home = str(root / "home")
    return {"HOME": home, "USERPROFILE": home, "PATH": os.environ.get("PATH", "")}
