"""What all sittings of a log came to: hours, executions, and how coverage grew with the CPU seconds of a target."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

MOMENTS = (60, 600, 3600)  # CPU seconds at which the curve is told, between its begin and its end

NOW = float("inf")


class Sum:
    """One target over its sittings. ``curve`` goes on where the sitting before it ended."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cpu = 0.0
        self.executions = 0
        self.sittings = 0
        self.found: dict[str, None] = {}
        self.seeded = ""
        self.curve: list[tuple[float, int, int]] = []

    def add(self, row: dict[str, Any]) -> None:
        """Add a sitting."""
        self.seeded = self.seeded or "/".join(map(str, row["seeded"]))
        self.curve += [(self.cpu + cpu, cover, features) for cpu, _, cover, features, _ in row["curve"]]
        self.cpu += row["cpu"]
        self.executions += row["executions"]
        self.sittings += 1
        self.found.update(dict.fromkeys(row["found"]))

    def at(self, moment: float) -> str:
        """Return the most coverage and features that it had up to a moment."""
        reached = [(cover, features) for cpu, cover, features in self.curve if cpu <= moment]
        return "/".join(map(str, max(reached))) if reached and (moment <= self.cpu or moment == NOW) else "-"


def table(lines: Iterable[str]) -> str:
    """Return the table of a log: one line of JSON for each sitting."""
    sums: dict[str, Sum] = {}
    for line in lines:
        row = json.loads(line)
        sums.setdefault(row["target"], Sum(row["target"])).add(row)
    heads = [
        "target",
        "sittings",
        "CPU s",
        "executions",
        "a CPU s",
        "seeds cov/ft",
        *(f"at {moment} s" for moment in MOMENTS),
        "now",
        "findings",
    ]
    rows = [heads]
    for one in sums.values():
        speed = f"{one.executions / max(one.cpu, 0.1):.0f}"
        reached = [one.seeded, *(one.at(moment) for moment in (*MOMENTS, NOW))]
        rows.append(
            [one.name, str(one.sittings), f"{one.cpu:.0f}", str(one.executions), speed, *reached, str(len(one.found))]
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    text = [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    hours = sum(one.cpu for one in sums.values()) / 3600
    executions = sum(one.executions for one in sums.values())
    text.append(
        f"{hours:.2f} CPU hours, {executions} executions, {executions / max(hours * 3600, 0.1):.0f} a CPU second"
    )
    return "\n".join([*text, *(f"{one.name}: {found}" for one in sums.values() for found in one.found)])
