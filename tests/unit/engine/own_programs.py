"""Hooks on a PATH of their own: a directory that holds the programs which a test chooses, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyshellhooks import HookEngine, Verdict
from tests import oracles

RM = {"tool_name": "bash", "tool_input": {"command": "rm -rf /"}}


class Place:
    """A directory with hook scripts, and a PATH."""

    def __init__(self, root: Path, *programs: str) -> None:
        self.root = root
        self.path = root / "path"
        self.path.mkdir()
        for program in programs:
            self.install(program)

    def install(self, program: str) -> None:
        """Put a program of this machine on the PATH."""
        (self.path / program).symlink_to(oracles.native(program))

    def write(self, name: str, data: str | bytes, mode: int = 0o755) -> Path:
        """Write a file."""
        path = self.root / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        path.chmod(mode)
        return path

    def fire(self, command: str, **options: Any) -> Verdict:
        """Ask one hook whether it lets ``rm -rf /`` pass."""
        config = {"hooks": {"PreToolUse": [{"command": command}]}}
        env = {"PATH": str(self.path), **options.pop("env", {})}
        with HookEngine.load(config, "crush", cwd=str(self.root), env=env, **options) as engine:
            return engine.fire("PreToolUse", **RM)
