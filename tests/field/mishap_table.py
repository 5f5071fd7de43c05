"""The rows of ``mishaps_*.toml``: setups with one mistake each, and how each is written to a directory.

A row is the table ``[kind.name]``. Its keys:

``settings``  the text of the config file; ``@guard`` stands for a handler whose guard always blocks, ``@group`` for a
              group that holds it, ``@other`` for a handler that does nothing
``command``   instead of ``settings``: the shell text of one handler
``script``    the text of ``.../hooks/guard.sh``, of mode ``mode``; without ``command``, the handler runs it by its path
``handler``, ``group``, ``event``  further keys of that handler and its group, and the event
``at``        the config file, where it is not the system's usual one
``encoding``  of the config file, where it is not UTF-8
``files``     further files; ``links`` symbolic links
``place``     the name of the project's directory
``inside``    the directory below the project where the agent starts
``moved``     the directory below the project to which an earlier call of the agent has moved
``gone``      behind that call, a hook of the row removes this directory
``call``      the beginning of the call that the guard is to stop, in front of its ``touch``
``env``       variables that differ; ``""`` for one that is not set
``plugin``    the directory below the project that the agent loads as a plugin

``test_mishaps.py`` explains the further keys: the demands on our reports.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
SETUP = (
    *("settings", "command", "script", "mode", "handler", "group", "event", "at", "encoding", "files", "links"),
    *("place", "inside", "moved", "gone", "call", "env", "plugin"),
)
DEMANDS = ("cause", "check", "doctor", "fire", "because", "decided", "shipped")
GUARD = "echo no >&2; exit 2"


class Agent(NamedTuple):
    """The common part of one system's rows: its config file, its event before a shell call, and that call."""

    config: str
    folder: str
    event: str
    tool: str
    project: str


AGENTS = {
    "claude_code": Agent(".claude/settings.json", ".claude", "PreToolUse", "Bash", "$CLAUDE_PROJECT_DIR"),
    "gemini": Agent(".gemini/settings.json", ".gemini", "BeforeTool", "run_shell_command", "$GEMINI_PROJECT_DIR"),
}


class Mishap(NamedTuple):
    """One row. The agent reads ``setup``; ``demands`` are those on our reports."""

    system: str
    kind: str
    name: str
    setup: Mapping[str, Any]
    demands: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.kind}-{self.name}"

    @property
    def agent(self) -> Agent:
        """Return the common part of its system's rows."""
        return AGENTS[self.system]

    @property
    def event(self) -> str:
        """Return the event whose hooks are to stop the call."""
        return str(self.setup.get("event", self.agent.event))

    @property
    def digest(self) -> str:
        """Return a digest of all that the agent reads: an answer that was recorded for another setup does not count."""
        text = json.dumps([self.system, dict(self.setup)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def config_text(self) -> str:
        """Return the text of the config file."""
        text: str = self.setup.get("settings", "")
        if "settings" not in self.setup:
            by_path = f'"{self.agent.project}"/{self.agent.folder}/hooks/guard.sh'
            handler = {"type": "command", "command": self.setup.get("command", by_path)}
            group = {**self.setup.get("group", {}), "hooks": [{**handler, **self.setup.get("handler", {})}]}
            text = json.dumps({"hooks": {self.event: [group]}}, ensure_ascii=False)
        guard = json.dumps({"type": "command", "command": GUARD})
        other = json.dumps({"type": "command", "command": "true"})
        return text.replace("@group", '{"hooks": [@guard]}').replace("@guard", guard).replace("@other", other)

    def project(self, root: Path) -> Path:
        """Return the project's directory below ``root``."""
        return root / str(self.setup.get("place", "project"))

    def write(self, root: Path) -> Path:
        """Write the project below ``root``, and return its config file."""
        project = self.project(root)
        for name in ("objects", "refs"):
            (project / ".git" / name).mkdir(parents=True)
        (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        config: Path = project / self.setup.get("at", self.agent.config)
        _put(config, self.config_text().encode(self.setup.get("encoding", "utf-8")))
        if "script" in self.setup:
            script = project / self.agent.folder / "hooks" / "guard.sh"
            _put(script, self.setup["script"].encode())
            script.chmod(int(self.setup.get("mode", "755"), 8))
        for name, text in self.setup.get("files", {}).items():
            _put(project / name, self._filled(text).encode())
        for name, target in self.setup.get("links", {}).items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(target)
        for name in (self.setup.get("moved"), self.setup.get("inside")):
            if name:
                (project / name).mkdir(parents=True, exist_ok=True)
        return config

    def _filled(self, text: str) -> str:
        guard = json.dumps({"type": "command", "command": GUARD})
        return text.replace("@group", '{"hooks": [@guard]}').replace("@guard", guard)

    def environment(self, usual: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of the agent."""
        changed = {**usual, **self.setup.get("env", {})}
        return {name: value for name, value in changed.items() if value}


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if path.suffix in (".sh", ".py", ""):
        os.chmod(path, 0o755)


@cache
def mishaps(system: str) -> tuple[Mishap, ...]:
    """Read the rows of one system."""
    table = tomllib.loads((FOLDER / f"mishaps_{system}.toml").read_text(encoding="utf-8"))
    return tuple(_row(system, kind, name, row) for kind, rows in table.items() for name, row in rows.items())


def _row(system: str, kind: str, name: str, row: Mapping[str, Any]) -> Mishap:
    unknown = set(row) - {*SETUP, *DEMANDS}
    if unknown:
        raise ValueError(f"{kind}.{name}: there is no key {sorted(unknown)}")
    setup = {key: value for key, value in row.items() if key in SETUP}
    return Mishap(system, kind, name, setup, {key: value for key, value in row.items() if key in DEMANDS})
