"""A project with guards, a home, and what trust says of them: what the tests of trust share."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pyshellhooks import HookEngine, Verdict
from pyshellhooks.engine.checks.trust_review import Survey
from pyshellhooks.engine.trust.store import Store

GUARD = "#!/bin/sh\necho no >&2\nexit 2\n"
SETTINGS = ".claude/settings.json"
SCRIPT = ".claude/guard.sh"
CALL = {"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}, "session_id": "s"}


def groups(**commands: str) -> str:
    """Write Claude Code's settings: event -> command."""
    hooks = {event: [{"hooks": [{"type": "command", "command": command}]}] for event, command in commands.items()}
    return json.dumps({"hooks": hooks})


#: An event of each kind, by what its deny holds back, and its fields.
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "call": ("PreToolUse", CALL),
    "prompt": ("UserPromptSubmit", {"prompt": "x", "session_id": "s"}),
    "result": ("PostToolUse", {**CALL, "tool_response": {"stdout": "x"}}),
    "act": ("PreCompact", {"trigger": "auto", "session_id": "s"}),
    "stop": ("Stop", {"session_id": "s"}),
    "nothing": ("SessionEnd", {"reason": "other", "session_id": "s"}),
}


class House:
    """A directory with a project ``w`` (a worktree) and a home."""

    def __init__(self, root: Path, name: str = "w") -> None:
        self.root = root
        self.home = root / "home"
        self.project = root / name
        self.home.mkdir(exist_ok=True)
        (self.project / ".git").mkdir(parents=True)
        self.env = {"HOME": str(self.home), "USERPROFILE": str(self.home), "PATH": os.environ.get("PATH", "")}
        if os.name == "nt":
            self.env["LOCALAPPDATA"] = str(self.home)

    def write(self, name: str, text: str | bytes, mode: int = 0o755) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        path.chmod(mode)
        return path

    def guarded(self) -> House:
        """Write one script and a config in which it guards an event of each kind."""
        command = '"$CLAUDE_PROJECT_DIR"/.claude/guard.sh'
        self.write(SETTINGS, groups(**{event: command for event, _ in KINDS.values()}))
        self.write(SCRIPT, GUARD)
        return self

    def survey(self, cwd: Path | None = None, mounts: Mapping[str, Any] | None = None) -> Survey:
        return Survey(str(cwd or self.project), self.env, "", mounts or {})

    def trust(self, cwd: Path | None = None) -> House:
        self.survey(cwd).keep()
        return self

    @property
    def store(self) -> Store:
        return Store.of(self.env)

    @property
    def record(self) -> Path:
        return Path(self.store.file_of(os.path.realpath(self.project).replace("\\", "/")))

    def engine(self, cwd: Path | None = None, **options: Any) -> HookEngine:
        return HookEngine.discover(str(cwd or self.project), env=self.env, user=False, **options)

    def fire(self, kind: str = "call", cwd: Path | None = None, **options: Any) -> Verdict:
        event, fields = KINDS[kind]
        with self.engine(cwd, **options) as engine:
            return engine.fire(event, **fields)


def appended(path: str) -> Callable[[House], object]:
    def change(house: House) -> None:
        with open(house.project / path, "ab") as file:
            file.write(b"\n")

    return change


def gone(path: str) -> Callable[[House], object]:
    return lambda house: (house.project / path).unlink()
