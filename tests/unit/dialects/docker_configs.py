"""Docker Agent's files, read alone."""

from __future__ import annotations

from pyshellhooks.dialects.docker_agent import DockerAgent
from pyshellhooks.hooks.dialect import Loaded
from pyshellhooks.hooks.model import Origin


def load(text: str, agent: str = "", edition: str = "", scope: str = "given") -> Loaded:
    return DockerAgent(edition).load(text, Origin("a.yaml", scope), agent)


def diagnostic_texts(loaded: Loaded) -> list[str]:
    return [str(diagnostic) for diagnostic in loaded.diagnostics]


def pre(entry: str) -> str:
    """One group of pre_tool_use; its first line stands in line 3, column 7."""
    return f"hooks:\n  pre_tool_use:\n    - {entry}\n"


def start(entry: str) -> str:
    return f"hooks:\n  session_start:\n    - {entry}\n"


GOOD = "hooks: [{type: command, command: x}]"
ONE = "{type: command, command: x}"
