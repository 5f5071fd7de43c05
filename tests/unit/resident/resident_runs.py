"""A resident engine in a thread, and a project with one guard."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from pyshellhooks.resident import address
from pyshellhooks.resident.server import Server

GUARD = "jq -r .tool_input.command | grep -q rm && { echo 'no rm' >&2; exit 2; }; echo asked >> count; exit 0"


def payload(command: str, cwd: str | Path = "", event: str = "PreToolUse", **more: Any) -> bytes:
    """Return what Claude Code gives a hook."""
    fields = {"session_id": "s", "cwd": str(cwd), "hook_event_name": event, "tool_name": "Bash"}
    return json.dumps({**fields, "tool_input": {"command": command}, **more}).encode()


class Project:
    """A directory with a guard for Claude Code, which nobody has trusted: requests say ``--trust-project``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings = path / ".claude" / "settings.json"
        self.settings.parent.mkdir(parents=True)
        self.write(GUARD)

    def write(self, command: str, **more: Any) -> None:
        """Write the settings with one hook for each event that the tests fire."""
        groups = [{"hooks": [{"type": "command", "command": command, **more}]}]
        self.settings.write_text(json.dumps({"hooks": {"PreToolUse": groups, "Stop": groups}}), encoding="utf-8")

    @property
    def allowed_calls(self) -> int:
        """How often the guard let a call through."""
        count = self.path / "count"
        return len(count.read_text().splitlines()) if count.exists() else 0


class Running:
    """A server in a thread."""

    def __init__(self, **options: Any) -> None:
        self.server = Server(**options)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        assert self.server.listening.wait(30)

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *exc: object) -> None:
        self.server.stop()
        self.thread.join(30)
        assert not self.thread.is_alive()


def usual(place: str, **options: Any) -> Running:
    """Start the engine that ``pyshellhooks-hook`` finds."""
    if address.has_users():
        return Running(socket=address.socket_path(place), **options)
    return Running(port=0, port_file=address.port_path(place), **options)
