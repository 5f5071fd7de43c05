"""A project with one settings file, in which ``serve --install`` is tried."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pyshellhooks.hooks.installed import words_of
from pyshellhooks.resident.answering import HookReply, Request, answer
from pyshellhooks.resident.engines import Engines
from pyshellhooks.resident.install import apply
from pyshellhooks.resident.install.plan import Entry, Plan
from pyshellhooks.resident.install.targets import TAILS, Target, dialect_of
from pyshellhooks.resident.project import VARIABLES

ENTRY = Entry("pyshellhooks-hook")
DENY = "echo no >&2; exit 2"
GUARD = {"type": "command", "command": DENY}


def nested(*handlers: dict[str, Any], event: str = "PreToolUse", **group: Any) -> dict[str, Any]:
    return {"hooks": {event: [{**group, "hooks": list(handlers)}]}}


def flat(*entries: dict[str, Any], event: str = "preToolUse") -> dict[str, Any]:
    return {"version": 1, "hooks": {event: list(entries)}}


#: One deny for each system, and the payload that it denies.
DENIES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "claude_code": (nested(GUARD), {"hook_event_name": "PreToolUse", "tool_name": "Bash"}),
    "gemini": (nested(GUARD, event="BeforeTool"), {"hook_event_name": "BeforeTool", "tool_name": "run_shell_command"}),
    "codex": (nested(GUARD), {"hook_event_name": "PreToolUse", "tool_name": "Bash"}),
    "crush": ({"hooks": {"PreToolUse": [{"command": DENY}]}}, {"event": "PreToolUse", "tool_name": "bash"}),
    "cursor": (flat({"command": DENY}), {"hook_event_name": "preToolUse", "tool_name": "Shell"}),
    "firebender": (flat({"command": DENY}), {"hook_event_name": "preToolUse", "tool_name": "Shell"}),
}


class Project:
    """A directory with one settings file."""

    def __init__(self, path: Path, system: str = "claude_code", config: Any = None) -> None:
        self.path = path
        self.settings = path / TAILS[system][-1]
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        given = DENIES[system][0] if config is None else config
        self.settings.write_bytes(given if isinstance(given, bytes) else json.dumps(given, indent=2).encode())
        self.target = Target(dialect_of(system), self.settings.as_posix(), "project", path.as_posix())
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": f"{path.as_posix()}/home",
            "XDG_DATA_HOME": f"{path.as_posix()}/data",
        }

    def install(self, entry: Entry = ENTRY) -> Plan:
        plan = apply.plan_install(self.target, entry)
        if plan.moved:
            apply.install(plan, self.env)
        return plan

    def uninstall(self, *, force: bool = False) -> None:
        back = apply.plan_uninstall(self.target, force=force)
        assert back is not None
        apply.uninstall(back, self.env)

    def plain(self) -> Any:
        """Return the settings as values."""
        return self.target.dialect.load(self.settings.read_text("utf-8-sig"), origin()).specs

    def commands(self) -> list[str]:
        return [spec.command for spec in self.plain()]

    def send(self, payload: dict[str, Any], cwd: Path, engines: Engines | None = None, **env: str) -> HookReply:
        """Ask through the only entry."""
        (entry,) = [one for one in self.commands() if "pyshellhooks-hook" in one]
        name = VARIABLES.get(self.target.dialect.name)
        variable = {**({name: str(self.path)} if name else {}), **env}
        data = json.dumps({"cwd": str(cwd), "session_id": "s", "tool_input": {"command": "ls"}, **payload}).encode()
        given = {key: value for key, value in {**self.env, **variable}.items() if value}
        request = Request(tuple(words_of(entry)[1:]), data, given, str(cwd))
        if engines is not None:
            return answer(request, engines)
        with Engines() as own:
            return answer(request, own)


def origin() -> Any:
    from pyshellhooks.hooks.model import Origin

    return Origin("settings.json")


def everything(path: Path) -> dict[str, bytes]:
    return {one.relative_to(path).as_posix(): one.read_bytes() for one in path.rglob("*") if one.is_file()}


PRETTY = json.dumps(nested(GUARD), indent=2)
