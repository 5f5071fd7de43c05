"""Reads expectations.toml: what is expected of an event's cell, and why."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from .systems import EVENTS, Event

FILE = Path(__file__).with_name("expectations.toml")
CELLS = ("told", "denied", "denied + told", "works", "works + told", "told at start", "not loaded", "not taken")
COLUMNS = ("default", "strict")


class Row:
    """One mishap: what is expected of it where."""

    def __init__(self, table: dict[str, Any], policies: dict[str, Any]) -> None:
        policy = policies[table["policy"]] if "policy" in table else {}
        self.id: str = table["id"]
        self.group: str = table.get("group", "")
        self.title: str = table["title"]
        self.hint: str = table["hint"]
        self.notice: str = table["notice"]
        self.variants: list[str] = table.get("variants", [])
        self.about: str = table.get("about", "hook")  # what its notice names
        self.rule: dict[str, str] = {**policy, **table}
        self.source: str = self.rule["source"]
        # The row's own exceptions come first: they stand over the policy's.
        self.exceptions: list[dict[str, Any]] = [*table.get("but", []), *policy.get("but", [])]
        self.never: list[dict[str, Any]] = table.get("never", [])
        self.places: list[str] = table.get("for", [])

    def holds(self, event: Event) -> bool:
        """Say whether the row has a cell for an event."""
        if any(_names(one["where"], event) for one in self.never):
            return False
        return not self.places or _names(self.places, event)

    def events(self, system: str) -> list[Event]:
        return [event for event in EVENTS[system] if self.holds(event)]

    def cell(self, event: Event, column: str) -> str:
        """Return the expected cell."""
        wanted = ["stop"] if event.guards == "stop" else ["act", "default"] if event.guards == "act" else ["default"]
        if column == "strict":
            wanted = ["stop_strict", "stop"] if event.guards == "stop" else ["strict"]
        for rule in (*(one for one in self.exceptions if _names(one["where"], event)), self.rule):
            for name in wanted:
                if name in rule:
                    found: str = rule[name]
                    return found
        raise KeyError(f"{self.id}: nothing is expected of {event.name} by {column}")


def _names(patterns: list[str], event: Event) -> bool:
    return any(one in (event.system, event.name, f"@{event.guards}") for one in patterns)


def read() -> list[Row]:
    """Return all rows, in order."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    group, rows = "", []
    for one in table["row"]:
        row = Row(one, table["policy"])
        group = row.group = row.group or group
        rows.append(row)
    return rows


ROWS = {row.id: row for row in read()}
