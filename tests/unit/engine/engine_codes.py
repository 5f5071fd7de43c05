"""What is told when an engine is made: each code, and what tells it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mistakes import claude, crush
from trusting import House

from pyshellhooks import HookEngine
from pyshellhooks.agent import AgentHooks
from pyshellhooks.errors import ConfigError, Diagnostic

PROMPT = '{"hooks": {"Stop": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]}}'


def diagnostics_of(engine: HookEngine) -> list[Diagnostic]:
    with engine:
        return list(engine.diagnostics)


def refused(made: Callable[[], object]) -> list[Diagnostic]:
    try:
        made()
    except ConfigError as error:
        return list(error.diagnostics)
    raise AssertionError


def unread(root: Path) -> list[Diagnostic]:
    house = House(root)
    house.write("crushrc", "hook add PreToolUse --command true")
    return diagnostics_of(house.engine())


def changed(root: Path) -> list[Diagnostic]:
    house = House(root).guarded().trust()
    house.write(".claude/settings.json", "{}")
    return diagnostics_of(house.engine())


def not_installed(root: Path) -> list[Diagnostic]:
    house = House(root)
    house.write(".claude/settings.json", '{"enabledPlugins": {"p@m": true}}')
    return diagnostics_of(house.engine(trust_project=True))


def reach() -> object:
    return AgentHooks(HookEngine.load(crush("true"), "crush", strict=True)).check_reach("a tool of the provider")


OF_ENGINES: dict[str, Callable[[Path], list[Diagnostic]]] = {
    "config-missing": lambda root: diagnostics_of(House(root).engine()),
    "config-unsupported": unread,
    "plugin-missing": not_installed,
    "hook-left-out": lambda root: diagnostics_of(House(root).guarded().engine()),
    "not-trusted": changed,
    "handler-missing": lambda root: diagnostics_of(HookEngine.load(PROMPT, "claude_code")),
    "hook-unknown": lambda root: diagnostics_of(HookEngine.load(crush("true"), "crush", disabled=["gone"])),
    "setting-invalid": lambda root: diagnostics_of(
        HookEngine.load(claude("true"), "claude_code", settings={"remote": "yes"})
    ),
    "setting-unknown": lambda root: diagnostics_of(
        HookEngine.load(claude("true"), "claude_code", settings={"remoet": True})
    ),
    "not-asked": lambda root: refused(reach),
}
