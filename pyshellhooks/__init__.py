"""Run agent hooks in-process: an embedded POSIX shell, and an engine that speaks the hook formats of coding agents."""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers take the name for typing's, whose import costs each hook 5 ms
if TYPE_CHECKING:
    from .cancel import CancelScope
    from .command.call import Call
    from .command.flags import Flag
    from .command.utility import Utility, utility
    from .ended import Abandoned, Exited, Signaled, Stopped
    from .engine import HookEngine
    from .errors import (
        ConfigError,
        Diagnostic,
        PyShellHooksError,
        SessionBusyError,
        ShellSyntaxError,
        UnknownDialectError,
        UnknownEventError,
        UntrackedFilesError,
        UsageError,
        WorkingDirectoryError,
    )
    from .fs.base import FileSystem
    from .fs.change import Change
    from .fs.host import HostFS
    from .fs.memory import MemoryFS
    from .fs.mount import MountFS
    from .fs.overlay import OverlayFS
    from .fs.readonly import ReadOnly
    from .fs.rooted import Rooted
    from .hooks.model import Decision
    from .hooks.session import HookSession
    from .hooks.verdict import Verdict
    from .jsontext.compact import WireError
    from .limits import Limits
    from .shell import Result, Script, Session, Shell
    from .shell.snapshot import Snapshot
    from .tool import ShellTool

_HOMES = {
    "Abandoned": "ended",
    "Call": "command.call",
    "CancelScope": "cancel",
    "Change": "fs.change",
    "ConfigError": "errors",
    "Decision": "hooks.model",
    "Diagnostic": "errors",
    "Exited": "ended",
    "FileSystem": "fs.base",
    "Flag": "command.flags",
    "HookEngine": "engine",
    "HookSession": "hooks.session",
    "HostFS": "fs.host",
    "Limits": "limits",
    "MemoryFS": "fs.memory",
    "MountFS": "fs.mount",
    "OverlayFS": "fs.overlay",
    "PyShellHooksError": "errors",
    "ReadOnly": "fs.readonly",
    "Result": "shell",
    "Rooted": "fs.rooted",
    "Script": "shell",
    "Session": "shell",
    "SessionBusyError": "errors",
    "Shell": "shell",
    "ShellSyntaxError": "errors",
    "ShellTool": "tool",
    "Signaled": "ended",
    "Snapshot": "shell.snapshot",
    "Stopped": "ended",
    "UnknownDialectError": "errors",
    "UnknownEventError": "errors",
    "UntrackedFilesError": "errors",
    "UsageError": "errors",
    "Utility": "command.utility",
    "utility": "command.utility",
    "Verdict": "hooks.verdict",
    "WireError": "jsontext.compact",
    "WorkingDirectoryError": "errors",
}

__all__ = [
    "Abandoned",
    "Call",
    "CancelScope",
    "Change",
    "ConfigError",
    "Decision",
    "Diagnostic",
    "Exited",
    "FileSystem",
    "Flag",
    "HookEngine",
    "HookSession",
    "HostFS",
    "Limits",
    "MemoryFS",
    "MountFS",
    "OverlayFS",
    "PyShellHooksError",
    "ReadOnly",
    "Result",
    "Rooted",
    "Script",
    "Session",
    "SessionBusyError",
    "Shell",
    "ShellSyntaxError",
    "ShellTool",
    "Signaled",
    "Snapshot",
    "Stopped",
    "UnknownDialectError",
    "UnknownEventError",
    "UntrackedFilesError",
    "UsageError",
    "Utility",
    "utility",
    "Verdict",
    "WireError",
    "WorkingDirectoryError",
    "__version__",
]


def __getattr__(name: str) -> object:
    # Each name is imported when it is first used: `import pyshellhooks` costs nothing (rule 18).
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
