"""The pages of the hook systems: events, fields, editions and quirks, from the tables in pyshellhooks/dialects."""

from __future__ import annotations

from collections.abc import Sequence

from pyshellhooks import dialects
from pyshellhooks.cli.dialects import ABILITIES, policy
from pyshellhooks.hooks.dialect import ABSENT, Dialect, EventSpec

from .utility_pages import cell

_ABILITIES = {
    "deny": "the hook can hold it back",
    "allow": "the hook can approve it, so that the agent does not ask",
    "ask": "the hook can require a confirmation by a person",
    "halt": "the hook can end the agent's turn",
    "rewrite": "the hook can change the input",
    "context": "the hook can add a text for the model",
    "output": "the hook can change the result",
    "followup": "the hook can send the agent back to work",
    "env": "the hook can set variables of the session",
    "plugins": "the hook can add plugins",
}

#: A value of ``EventSpec.guards`` -> the thing that a deny holds back.
_GUARDED = {
    "call": "a call",
    "prompt": "a prompt",
    "result": "a result",
    "act": "another act",
    "stop": "the end of a turn",
}


def _table(*rows: tuple[str, ...]) -> str:
    lines = [f"| {' | '.join(map(cell, row))} |\n" for row in rows]
    return lines[0] + f"|{'---|' * len(rows[0])}\n" + "".join(lines[1:]) + "\n"


def _may(row: EventSpec) -> str:
    return ", ".join(name for name in ABILITIES if name in row.can)


def _event(one: Dialect, row: EventSpec) -> str:
    facts = [f"{row.summary[:1].upper()}{row.summary[1:]}."]
    facts += [f"A matcher tests `{row.subject}`."] if row.subject else ["Matchers are ignored."]
    rows = [("key", "type", "by default", "neutral name")]
    for field in row.fields:
        absent = field.default is ABSENT
        values = f": {', '.join(f'`{value}`' for value in field.values)}" if field.values else ""
        default = "absent" if absent else f"`{field.default!r}`" if field.default not in ("", None) else ""
        neutral = f"`{field.neutral}`" if field.neutral != field.native else ""
        rows.append((f"`{field.native}`", f"{field.kind}{values}", default, neutral))
    return f"### {row.native}\n\n{' '.join(facts)}\n\n{_table(*rows)}"


def _editions(one: Dialect) -> str:
    text = f"`{one.name}` is `{one.name}@documented`: it follows the system's documents. "
    if not any(one.editions.values()):
        return text + "No difference between them and the program is known.\n\n"
    text += "The other editions differ from it:\n\n"
    for name, quirks in one.editions.items():
        if quirks:
            rows = [(f"`{q}`", one.quirks[q].summary, f"`{one.quirks[q].rule}`") for q in sorted(quirks)]
            text += f"### {one.name}@{name}\n\n" + _table(("quirk", "what it does", "section"), *rows)
    return text


def page(one: Dialect) -> str:
    """Return the text of a system's page."""
    text = [f"# {one.title}: tables\n\n"]
    text += [
        f"This page shows the tables that the engine uses. [{one.title}](../../dialects/{one.name}.md) explains them, "
    ]
    text += [f"and [the contract](../../contracts/{one.name}.md) has the sources.\n\n"]
    text += [
        f"- **Name**: `{one.name}`\n- **Files**: {_files(one)}\n- **Time of a hook**: {one.default_timeout:g} s\n\n"
    ]
    text += ["## Events\n\n"]
    head = ("event", "neutral name", "may", "timeout", "on failure")
    rows = [
        (
            f"[{row.native}](#{row.native.lower()})",
            ", ".join(f"`{name}`" for name in row.neutral),
            _may(row),
            f"{row.timeout or one.default_timeout:g} s",
            policy(row),
        )
        for row in one.events.values()
    ]
    text += [_table(head, *rows)]
    used = [name for name in ABILITIES if any(name in row.can for row in one.events.values())]
    text += [_table(("may", "meaning"), *((name, _ABILITIES[name]) for name in used))]
    text += ["*On failure*: `open` does not stop the event, and adds a notice; `closed` denies it.\n\n"]
    text += ["## Editions\n\n", _editions(one)]
    if one.settings:
        text += [
            "## Settings of the host\n\n",
            "Only the host knows these values: `HookEngine.load(…, settings={…})`.\n\n",
        ]
        text += [_table(("setting", "meaning"), *((f"`{name}`", s.summary) for name, s in one.settings.items()))]
    text += ["## Payloads\n\n", f"`pyshellhooks fire EVENT --dialect {one.name} --sample` prints fields to edit. "]
    text += [f"`pyshellhooks schema {one.name} input EVENT` prints the JSON Schema.\n\n"]
    text += [_event(one, row) for row in one.events.values()]
    return "".join(text).rstrip("\n") + "\n"


def _files(one: Dialect) -> str:
    return ", ".join(f"`{name}`" for name in one.file_names)


def _system(one: Dialect) -> tuple[str, ...]:
    editions = ", ".join(f"`{name}`" for name in one.editions)
    return f"[{one.title}](systems/{one.name}.md)", _files(one), str(len(one.events)), editions, one.basis


def _held_back(one: Dialect) -> tuple[str, ...]:
    """Return the row of a system: the events whose deny holds back each kind of thing."""
    cells = [one.title]
    for guarded in _GUARDED:
        names = [f"`{row.native}`" for row in one.events.values() if row.guards == guarded]
        cells.append(", ".join(names) or "none")
    return tuple(cells)


def index(systems: Sequence[Dialect]) -> str:
    """Return the text of the list of systems."""
    systems = sorted(systems, key=lambda one: one.title.lower())
    head = ("system", "files", "events", "editions", "rests on")
    guarded = ("system", *_GUARDED.values())
    return (
        "# Hook systems\n\nEach system has a page with its events, its editions, and what differs from its program.\n\n"
        + _table(head, *map(_system, systems))
        + "## What a hook can hold back\n\nThe events on which a deny counts. Other events observe, or add to the model's context.\n\n"
        + _table(guarded, *map(_held_back, systems))
        + "[A hook system of your own](../howto/hook-system.md) is a package with one file of tables.\n"
    )


def pages() -> dict[str, str]:
    """Return the texts of all pages, by their paths below docs/."""
    systems = [dialects.get(name) for name in dialects.built_in()]
    return {
        "reference/systems.md": index(systems),
        **{f"reference/systems/{one.name}.md": page(one) for one in systems},
    }
