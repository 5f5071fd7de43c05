"""The ``--hook-*`` flags: hooks on the command line in addition to those of the config files (docker_agent 6)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from ..errors import UnknownEventError

if TYPE_CHECKING:
    from ..engine import HookEngine

#: Flag -> a name of its event that every system with such an event accepts. The first five are Docker Agent's own.
EVENTS: dict[str, str] = {
    "--hook-pre-tool-use": "before_tool",
    "--hook-post-tool-use": "after_tool",
    "--hook-session-start": "session_start",
    "--hook-session-end": "session_end",
    "--hook-on-user-input": "on_user_input",
    "--hook-stop": "after_agent",
    "--hook-notification": "notification",
}
DIALECT = "docker_agent"  # the system of the flags' hooks without any config


class HookFlagError(OSError):
    """The system does not have a flag's event."""


def add_hook_flags(command_parser: argparse.ArgumentParser) -> None:
    """Add the flags. Each may be repeated; a value is one whole command, commas included."""
    group = command_parser.add_argument_group(
        "flags of Docker Agent",
        "each adds a hook that runs after the config's own hooks, for every tool; they work with every hook system",
    )
    for flag in EVENTS:
        event = flag.removeprefix("--hook-").replace("-", "_")
        group.add_argument(flag, metavar="COMMAND", action="append", default=[], help=f"add a hook to {event}")


def parse_hooks(options: argparse.Namespace) -> list[tuple[str, str, str]]:
    """Return flag, event and command of each hook, in the order of the events; blank commands are skipped."""
    hooks = []
    for flag, event in EVENTS.items():
        commands = getattr(options, flag.removeprefix("--").replace("-", "_"), [])
        hooks += [(flag, event, command) for command in commands if command.strip()]
    return hooks


def engine(options: argparse.Namespace, settings: Mapping[str, Any], directory: str | None = None) -> HookEngine | None:
    """Load the engine with the flags' hooks; None without such flags. Raises ``HookFlagError``."""
    flags = parse_hooks(options)
    if not flags:
        return None
    from ..engine import HookEngine

    trust_project: bool | Literal["store"] = True if options.trust_project else "store"
    hooks = [(event, command) for _, event, command in flags]
    dialect = options.dialect
    try:
        if options.config:
            return HookEngine.load(options.config, dialect, hooks=hooks, **settings)
        # Without any config, the flags' hooks need a system: the one whose flags these are.
        if dialect is None:
            with HookEngine.discover(directory, None, trust_project=trust_project, **settings) as discovered:
                if not _has_configs(discovered):
                    dialect = DIALECT
        return HookEngine.discover(directory, dialect, trust_project=trust_project, hooks=hooks, **settings)
    except UnknownEventError as error:
        names = ", ".join(dict.fromkeys(flag for flag, _, _ in flags))
        raise HookFlagError(f"{names}: {error}") from None


def _has_configs(engine: HookEngine) -> bool:
    """Return whether discovery found hooks, or a file with a mistake; the diagnostic "no config" is of the directory."""
    return bool(engine.specs) or any(diagnostic.file != engine.cwd for diagnostic in engine.diagnostics)
