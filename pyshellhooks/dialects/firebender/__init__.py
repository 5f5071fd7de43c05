"""Firebender: ``.firebender/hooks.json`` of the project and of the user (docs/contracts/firebender.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...hooks.dialect import EventSpec, Quirk, Setting
from ...jsontext.compact import JSON
from ..flat_events.dialect import FlatEvents
from ..flat_events.places import is_flat, mentions
from ..flat_events.vendor import CURSOR_ONLY, Vendor
from .tables import ARGUMENTS, EDITIONS, EVENTS, QUIRKS, SETTINGS, TOOLS, VENDOR


class Firebender(FlatEvents):
    """Firebender's events; MCP calls and file reads fail closed, everything else open."""

    name: ClassVar[str] = "firebender"
    title: ClassVar[str] = "Firebender"
    basis: ClassVar[str] = "its documents; the program is closed"
    vendor: ClassVar[Vendor] = VENDOR
    variables: ClassVar[tuple[str, ...]] = VENDOR.variable_names
    others: ClassVar[Mapping[str, str]] = dict.fromkeys(CURSOR_ONLY, "Cursor")
    events: ClassVar[Mapping[str, EventSpec]] = EVENTS
    quirks: ClassVar[Mapping[str, Quirk]] = QUIRKS
    editions: ClassVar[Mapping[str, frozenset[str]]] = EDITIONS
    file_names: ClassVar[tuple[str, ...]] = (".firebender/hooks.json",)
    tools: ClassVar[Mapping[str, tuple[str, ...]]] = TOOLS
    arguments: ClassVar[Mapping[str, Mapping[str, str]]] = ARGUMENTS
    settings: ClassVar[Mapping[str, Setting]] = SETTINGS

    def recognises(self, root: Mapping[str, JSON]) -> bool:
        """Return whether it is the flat form, without an event that only Cursor fires or a path in Cursor's folder."""
        if not is_flat(root, self.vendor):
            return False
        return mentions(root, ".firebender") or not (CURSOR_ONLY & root["hooks"].keys() or mentions(root, ".cursor"))


__all__ = ["Firebender"]
