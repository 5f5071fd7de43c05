"""Cursor: ``.cursor/hooks.json`` of the computer's owner, the project and the user (docs/contracts/cursor.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...hooks.dialect import EventSpec, Quirk, Setting
from ...jsontext.compact import JSON
from ..flat_events.dialect import FlatEvents
from ..flat_events.places import is_flat, mentions
from ..flat_events.vendor import CURSOR_ONLY, Vendor
from .tables import ARGUMENTS, EDITIONS, EVENTS, QUIRKS, SETTINGS, TOOLS, VENDOR


class Cursor(FlatEvents):
    """Cursor's events; hooks fail open, except those with ``failClosed``."""

    name: ClassVar[str] = "cursor"
    title: ClassVar[str] = "Cursor"
    basis: ClassVar[str] = "its documents; the program is closed"
    vendor: ClassVar[Vendor] = VENDOR
    variables: ClassVar[tuple[str, ...]] = VENDOR.variable_names
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (".cursor/hooks.json", "Cursor/hooks.json", "etc/cursor/hooks.json")
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    settings: ClassVar[Mapping[str, Setting]] = SETTINGS

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether it is the flat form with an event that only Cursor fires, or a path in its folder."""
        if not is_flat(root, self.vendor) or mentions(root, ".firebender"):
            return False
        return bool(CURSOR_ONLY & root["hooks"].keys()) or mentions(root, ".cursor")


__all__ = ["Cursor"]
