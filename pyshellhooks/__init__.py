"""Run agent hooks in-process: an embedded POSIX shell, and an engine that speaks the hook formats of coding agents."""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers take the name for typing's, whose import costs each hook 5 ms
if TYPE_CHECKING:
    from .cancel import CancelScope
    from .ended import Abandoned, Exited, Signaled, Stopped
    from .engine import HookEngine
    from .errors import (
        ConfigError,
        Diagnostic,
        PyShellHooksError,
        ShellSyntaxError,
        UnknownDialectError,
        UnknownEventError,
        WorkingDirectoryError,
    )
    from .fs.base import FileSystem
    from .fs.host import HostFS
    from .fs.memory import MemoryFS
    from .fs.mount import MountFS
    from .fs.overlay import OverlayFS
    from .fs.readonly import ReadOnly
    from .fs.rooted import Rooted
    from .hooks.model import Decision
    from .hooks.session import HookSession
    from .hooks.verdict import Verdict
    from .hooks.wire import WireError
    from .limits import Limits
    from .shell import Result, Script, Session, Shell

_HOMES = {
    "Abandoned": "ended",
    "CancelScope": "cancel",
    "ConfigError": "errors",
    "Decision": "hooks.model",
    "Diagnostic": "errors",
    "Exited": "ended",
    "FileSystem": "fs.base",
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
    "Shell": "shell",
    "ShellSyntaxError": "errors",
    "Signaled": "ended",
    "Stopped": "ended",
    "UnknownDialectError": "errors",
    "UnknownEventError": "errors",
    "WorkingDirectoryError": "errors",
    "Verdict": "hooks.verdict",
    "WireError": "hooks.wire",
}

__all__ = [
    "Abandoned",
    "CancelScope",
    "ConfigError",
    "Decision",
    "Diagnostic",
    "Exited",
    "FileSystem",
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
    "Shell",
    "ShellSyntaxError",
    "Signaled",
    "Stopped",
    "UnknownDialectError",
    "UnknownEventError",
    "WorkingDirectoryError",
    "Verdict",
    "WireError",
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
