"""Writes docs/guards.md from the expectations: for people who want to know what happens when a guard is off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from .expectations import ROWS, Row
from .systems import EVENTS, TITLES, Event

FILE = Path(__file__).resolve().parents[3] / "docs" / "guards.md"

INTRO = """\
# When a guard is off

A guard that is not asked, or whose answer is lost, is worse than none, because its author trusts it. So each step from a
hook in a config file to its answer in the verdict either works, or the verdict says what failed and how to fix it. These
tables show what happens to a call that the guard would have denied. `python -m tests.contract.guard_matrix --write` generates
them from `tests/contract/guard_matrix/expectations.toml`. A test causes each failure with real config files, in every system,
on every event that can be denied, and fixes it.

| word | what it means |
|---|---|
| works | the guard was asked, and its answer counted |
| works, told | the same, and a notice names what stood in for what |
| told | the call goes ahead, as the system's own document says, and the verdict has a notice |
| denied | the call does not go ahead |
| denied, told | the same, and a notice says why |
| goes on | at the end of a turn: the agent goes back to work, as with exit status 2 |
| acts | events that guard something other than a call, a prompt or a result: a compaction, a task, a worktree, a setting, a model |
| told at start | it goes ahead; `engine.check_tools` and `engine.diagnostics` said so when the engine was made |
| not loaded | the engine refuses the file; the error has the line and the fix |
| TypeError | `fire` refuses the call, and says which name is wrong |

A notice names the hook, its position and the fix:

```
./guard.sh (.claude/settings.json:7:11): ./guard.sh: command not found; correct the path (status 127)
```

It is in `verdict.notices` and in the output of `pyshellhooks fire`. An observer gets it as `hook.warning`. Programs read its
fields: [notices](notices.md).

`strict=True` (`--strict`) denies wherever a cell says *told*, on every event that guards something: a call, a prompt, a
result, or an act such as a compaction. At the end of a turn there is nothing to hold back, so the column *at the end of a
turn* also holds for `strict`. `on_failure` and settings on the hook (`failClosed`, `onFailure`, `on_error`) override the
table for ordinary failures. `own_failures="vendor"` overrides it for failures that exist only here: limits, lost processes,
refused programs, arguments that are too large.
"""


def shown(cell: str) -> str:
    return {"not taken": "TypeError"}.get(cell, cell.replace(" + ", ", "))


def summary(cells: Iterable[tuple[str, str]]) -> str:
    """Say what holds for most of some named cells, and name the others."""
    found = list(cells)
    if not found:
        return "–"
    most = Counter(value for _, value in found).most_common(1)[0][0]
    others: dict[str, list[str]] = {}
    for name, value in found:
        if value != most:
            others.setdefault(value, []).append(name)
    rest = [f"{shown(value)}: {', '.join(dict.fromkeys(names))}" for value, names in others.items()]
    return "; ".join([shown(most), *rest])


def _guarding(row: Row, system: str) -> list[Event]:
    return [event for event in row.events(system) if event.guards != "stop"]


def _by_default(row: Row, system: str) -> str:
    events = _guarding(row, system)
    if events:
        acts = Counter(row.cell(event, "default") for event in events if event.guards == "act").most_common(1)
        usual = acts[0][0] if len(events) > 5 and acts else ""
        return summary((_named(event, row, usual), row.cell(event, "default")) for event in events)
    never = [one["why"] for one in row.never if system in one["where"]]
    return "– " + never[0] if never else "–"


def _named(event: Event, row: Row, usual: str) -> str:
    """Name an event; one that guards an act as most of them do is not named alone."""
    return "acts" if event.guards == "act" and row.cell(event, "default") == usual else f"`{event.native}`"


def _strict(row: Row) -> str:
    events = [event for system in EVENTS for event in _guarding(row, system)]
    return summary(_names((event, row.cell(event, "strict")) for event in events))


def _at_the_end(row: Row) -> str:
    events = [event for system in EVENTS for event in row.events(system) if event.guards == "stop"]
    return summary(
        _names((event, _GOES_ON.get(cell, cell)) for event in events if (cell := row.cell(event, "default")))
    )


_GOES_ON = {"denied": "goes on", "denied + told": "goes on + told"}


def _names(cells: Iterable[tuple[Event, str]]) -> list[tuple[str, str]]:
    """Name cells by their system, and by the event too where a system has several kinds of cells."""
    found = list(cells)
    values: dict[str, set[str]] = {}
    for event, value in found:
        values.setdefault(event.system, set()).add(value)
    return [
        (TITLES[event.system] + (f" `{event.native}`" if len(values[event.system]) > 1 else ""), value)
        for event, value in found
    ]


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def text() -> str:
    """Return the whole page."""
    parts = [INTRO]
    groups: dict[str, list[Row]] = {}
    for row in ROWS.values():
        groups.setdefault(row.group, []).append(row)
    for group, rows in groups.items():
        lines = [
            _line(["", *TITLES.values(), "under `strict`", "at the end of a turn"]),
            _line(["---"] * (len(TITLES) + 3)),
        ]
        lines += [
            _line([row.title, *(_by_default(row, system) for system in TITLES), _strict(row), _at_the_end(row)])
            for row in rows
        ]
        mends = [f"- {row.title}: {row.hint[0].lower()}{row.hint[1:]}" for row in rows if row.hint != "Nothing."]
        parts.append("\n".join([f"## {group}", "", *lines, "", "What to do:", "", *mends, ""]))
    return "\n".join(parts)
