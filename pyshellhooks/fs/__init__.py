"""Files: the interface ``FileSystem`` and its implementations, each imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base import Entry, FileSystem

if TYPE_CHECKING:
    from .change import Change
    from .gated import GatedFS
    from .host import HostFS
    from .memory import MemoryFS
    from .mount import MountFS
    from .overlay import OverlayFS
    from .readonly import ReadOnly
    from .rooted import Rooted

__all__ = [
    "Change",
    "Entry",
    "FileSystem",
    "GatedFS",
    "HostFS",
    "MemoryFS",
    "MountFS",
    "OverlayFS",
    "ReadOnly",
    "Rooted",
]

_HOMES = {
    "Change": "change",
    "GatedFS": "gated",
    "HostFS": "host",
    "MemoryFS": "memory",
    "MountFS": "mount",
    "OverlayFS": "overlay",
    "ReadOnly": "readonly",
    "Rooted": "rooted",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    attribute: object = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = attribute
    return attribute
