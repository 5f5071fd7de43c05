"""The public names are a promise; this list changes only together with CHANGELOG.md."""

from __future__ import annotations

import pytest

import pyshellhooks

NAMES = {
    "Abandoned", "Call", "CancelScope", "Change", "ConfigError", "Decision", "Diagnostic", "Exited", "FileSystem", "Flag", "HookEngine", "HookSession",
    "HostFS", "Limits", "MemoryFS", "MountFS", "OverlayFS", "PyShellHooksError", "ReadOnly", "Result", "Rooted", "Script",
    "Session", "SessionBusyError", "Shell", "ShellTool", "Snapshot", "UntrackedFilesError", "UsageError", "Utility", "utility", "ShellSyntaxError", "Signaled", "Stopped", "UnknownDialectError", "UnknownEventError", "Verdict",
    "WireError", "WorkingDirectoryError", "__version__",
}  # fmt: skip


def test_the_list() -> None:
    assert set(pyshellhooks.__all__) == NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_each_is_there(name: str) -> None:
    value = getattr(pyshellhooks, name)
    assert isinstance(value, str) if name == "__version__" else callable(value)


#: The modules of ``pyshellhooks.types``: one a system, and the verdict's.
TYPES = {"claude_code", "crush", "cursor", "docker_agent", "everruns", "firebender", "gemini"}


def test_typed_models() -> None:
    from importlib import import_module

    from pyshellhooks import types

    assert types.__all__ == ["AnswerError"]
    for name in TYPES:
        module = import_module(f"pyshellhooks.types.{name}")
        assert callable(module.read) and set(module.EVENTS) == {kind.EVENT for kind in module.EVENTS.values()}
    assert import_module("pyshellhooks.types.verdict").Verdict


def test_dir_shows_them() -> None:
    assert set(dir(pyshellhooks)) >= NAMES


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nope"):
        _ = pyshellhooks.nope  # type: ignore[attr-defined]
