"""The new text of a settings file, and the text of the file with its moved hooks."""

from __future__ import annotations

import json
import math
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from ... import host
from ...hooks.dialect import GUARDED, Dialect, EventSpec
from ...hooks.installed import CLIENT, QUERY, WORD, is_entry
from ...hooks.model import HookSpec, Origin
from . import hooks as reading
from .hooks import AFTERWARDS, CAPS, LONGEST, MARGIN, NESTED, Element, Event
from .settings import Settings, joined
from .targets import Refused, Target

_FLAT = ("cursor", "firebender")  # systems whose entries are not in groups, and whose files have a version


class Stays(NamedTuple):
    """A hook that does not move, and the reason."""

    line: int
    event: str
    title: str
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.event}: {self.title[:60]!r} stays: {self.message}"


class Plan(NamedTuple):
    """The plan of ``--install`` for one settings file. If ``moved`` is 0, it changes nothing."""

    target: Target
    settings: Settings
    removed: str  # the old text of "hooks"
    written: str  # its new text
    after: bytes  # the whole settings file
    ours: bytes
    moved: int
    events: tuple[str, ...]  # native, of the hooks that move
    stays: tuple[Stays, ...]
    installed: bool = False  # whether it already has an entry of ours


class Entry(NamedTuple):
    """The form of the entry that runs the client."""

    program: str
    http: str = ""  # the base URL of an ``http`` entry
    absolute: bool = False


def program(absolute: bool) -> str:
    """Return the client's name if it is on PATH, otherwise or with ``absolute`` its path. Raises ``Refused``."""
    found = shutil.which(CLIENT)
    if found and not absolute:
        return CLIENT
    here = os.path.join(os.path.dirname(sys.executable), CLIENT)
    path = found or shutil.which(here)
    if path is None:
        raise Refused(f"{CLIENT} not found on PATH or beside {sys.executable}; install it, or add it to PATH")
    return os.path.abspath(path).replace(os.sep, "/")


def make(target: Target, settings: Settings, entry: Entry) -> Plan:
    """Return the plan for one file. Raises ``Refused``."""
    dialect = target.dialect
    member = settings.member("hooks")
    loaded = dialect.load(settings.text, Origin(target.path, target.scope))
    if member is None:
        return Plan(target, settings, "", "", settings.data, b"", 0, (), ())
    installed = any(is_entry(spec, dialect.name) for spec in loaded.specs)
    events = reading.read_events(settings, member.node, dialect, loaded)
    events = [_under_cap(event, target) for event in events]
    stays = _stays(settings, events)
    moving = [event for event in events if event.moved]
    removed = settings.slice(member.node)
    plan = Plan(target, settings, removed, removed, settings.data, b"", 0, (), tuple(stays), installed)
    if installed or not moving:
        return plan
    written = _settings_text(settings, events, entry, target)
    return plan._replace(
        written=written,
        after=settings.with_replacement(member.node, written),
        ours=_ours(settings, moving, target),
        moved=sum(len(event.moved) for event in moving),
        events=tuple(event.row.native for event in moving if event.row is not None),
    )


def _under_cap(event: Event, target: Target) -> Event:
    """Mark the hooks of an event to stay if its entry would need a longer timeout than the system allows."""
    if event.row is None or not event.moved:
        return event
    cap = CAPS.get((target.dialect.name, event.row.native), LONGEST)
    needed = _entry_seconds(client_seconds(target, event))
    if needed <= cap:
        return event
    why = (
        f"{target.dialect.title} limits the hooks of {event.row.native} to {cap:.0f} seconds, and the entry would "
        f"need {needed}; lower their timeouts to {cap - AFTERWARDS - MARGIN:.0f} seconds together"
    )
    elements = [Element(element.node, tuple(reading.all_stay(element.hooks, why))) for element in event.elements]
    return event._replace(elements=tuple(elements))


def _stays(settings: Settings, events: list[Event]) -> list[Stays]:
    staying: list[Stays] = []
    for event in events:
        if event.row is None:
            staying.append(Stays(settings.line(event.member.offset), event.member.key, "all", "unknown event"))
        for hook in event.all_hooks:
            if not hook.stays:
                continue
            if hook.spec is not None:
                title = hook.spec.title
            else:
                title = " ".join(settings.slice(hook.node).split())  # its text, on one line
            staying.append(Stays(settings.line(hook.node.offset), event.member.key, title, hook.stays))
    return staying


def client_seconds(target: Target, event: Event) -> float:
    """Return the seconds that the client gives all moved hooks of an event together."""
    assert event.row is not None
    return reading.total(target.dialect, event.row, event.moved) + AFTERWARDS


def _entry_seconds(client: float) -> int:
    return math.ceil(client + MARGIN)


def command(target: Target, entry: Entry, seconds: float) -> str:
    """Return the entry's command, quoted for the shell in which the system runs it. Raises ``Refused``.

    Crush has its own shell on every system. Others may use PowerShell on Windows (gemini 3, cursor 4, claude_code 2),
    in which a quoted path is a string and not a command: the client would not run.
    """
    words = [entry.program, target.dialect.name, WORD, target.named(entry.absolute), "--timeout", _number(seconds)]
    written = " ".join(map(shlex.quote, words))
    needs_quotes = written != " ".join(words)
    if not needs_quotes or target.dialect.name == "crush":
        return written
    if not host.current().windows:
        return written
    # & is PowerShell's call operator. It would read the quotes that shlex writes around a ' in another way.
    if target.dialect.name == "gemini" and not any("'" in word for word in words):
        return f"& {written}"
    raise Refused(f"{written}: can't be quoted safely for {target.dialect.title}'s shell; put {CLIENT} on PATH")


def _number(seconds: float) -> str:
    if seconds == int(seconds):
        return str(int(seconds))
    return f"{seconds:.3f}".rstrip("0")


def _entry(target: Target, event: Event, entry: Entry) -> dict[str, Any]:
    """Return the entry of one event in the system's own form."""
    row, dialect, specs = event.row, target.dialect, event.moved
    assert row is not None
    seconds = client_seconds(target, event)
    nested = dialect.name in NESTED
    handler: dict[str, Any] = {}
    if entry.http:
        handler = {
            "type": "http",
            "url": f"{entry.http}{QUERY}{quote(target.named(entry.absolute))}",
            "headers": _HEADERS,
            "allowedEnvVars": [TOKEN],
        }
    else:
        if nested:
            handler["type"] = "command"
        handler["command"] = command(target, entry, seconds)
    key, unit = dialect.timeout_key
    limit = _entry_seconds(seconds)
    handler[key] = limit * 1000 if unit == "milliseconds" else limit
    handler.update(_other_fields(dialect, row, specs))
    matcher = reading.matcher(dialect, row, specs)
    group = {"matcher": matcher} if matcher else {}
    if nested:
        return {**group, "hooks": [handler]}
    return {**group, **handler}


TOKEN = "PYSHELLHOOKS_TOKEN"
_HEADERS: Mapping[str, str] = {"Authorization": f"Bearer ${TOKEN}"}


def _settings_text(settings: Settings, events: list[Event], entry: Entry, target: Target) -> str:
    """Return the new text of ``hooks``. An event without moved hooks keeps its text."""
    member = settings.member("hooks")
    assert member is not None
    indent, step = settings.indents(member)
    newline = settings.newline
    members: list[tuple[str, str]] = []
    for event in events:
        if not event.moved:
            members.append(("", settings.text[event.member.offset : event.member.node.end]))
            continue
        items: list[tuple[str, str]] = []
        has_entry = False
        for element in event.elements:
            if element.any_moves and not has_entry:
                # The entry replaces the first hook that moves, so that it runs at its place.
                text = json.dumps(_entry(target, event, entry), indent=step, ensure_ascii=False)
                items.append(("", text.replace("\n", newline + indent + 2 * step)))
                has_entry = True
            if not element.any_moves:
                items.append(("", settings.slice(element.node)))
            elif not element.all_move:
                items.append(("", _part_of(settings, element, indent + 2 * step, step, stays=True)))
        value = joined(items, "[", indent + step, step, newline)
        members.append((f"{json.dumps(event.member.key)}: ", value))
    return joined(members, "{", indent, step, newline)


def _other_fields(dialect: Dialect, row: EventSpec, specs: Sequence[HookSpec]) -> dict[str, Any]:
    """Return the fields with which a client that can't be started denies, and the limit of loops."""
    fields: dict[str, Any] = {}
    if dialect.name == "claude_code" and row.guards in GUARDED:
        fields["onFailure"] = "block"
    elif dialect.name in _FLAT:
        if "deny" in row.can:
            fields["failClosed"] = True
        if "followup" in row.can:
            fields.update(reading.loop_limit(specs))
    return fields


def _part_of(settings: Settings, element: Element, indent: str, step: str, *, stays: bool) -> str:
    """Return the text of a group with only those of its hooks that stay, or that move."""
    newline = settings.newline
    chosen = [("", settings.slice(hook.node)) for hook in element.hooks if bool(hook.stays) is stays]
    members: list[tuple[str, str]] = []
    for item in element.node.value:
        if item.key == "hooks":
            members.append(('"hooks": ', joined(chosen, "[", indent + step, step, newline)))
        else:
            members.append((f"{json.dumps(item.key)}: ", settings.slice(item.node)))
    return joined(members, "{", indent, step, newline)


def _ours(settings: Settings, events: list[Event], target: Target) -> bytes:
    """Return the content of the file of hooks, in the same format. Moved hooks keep their text."""
    member = settings.member("hooks")
    assert member is not None
    indent, step = settings.indents(member)
    indent, newline = indent or step, settings.newline
    moved: list[tuple[str, str]] = []
    for event in events:
        if all(element.all_move for element in event.elements):
            value = settings.slice(event.member.node)  # with the comments between its hooks
        else:
            value = _moved_of(settings, event, indent, step)
        moved.append((f"{json.dumps(event.member.key)}: ", value))
    members = [('"hooks": ', joined(moved, "{", indent, step, newline))]
    if target.dialect.name in _FLAT:
        members.insert(0, ('"version": ', "1"))
    if target.dialect.name == "gemini":
        security = settings.member("security")
        redaction = security.node.get("environmentVariableRedaction") if security is not None else None
        if redaction is not None:  # which secrets its hooks may see
            value = joined(
                [('"environmentVariableRedaction": ', settings.slice(redaction))], "{", indent, step, newline
            )
            members.append(('"security": ', value))
    return (joined(members, "{", "", indent, newline) + newline).encode()


def _moved_of(settings: Settings, event: Event, indent: str, step: str) -> str:
    """Return the text of an event's array without the hooks that stay."""
    items: list[tuple[str, str]] = []
    for element in event.elements:
        if element.all_move:
            items.append(("", settings.slice(element.node)))
        elif element.any_moves:
            items.append(("", _part_of(settings, element, indent + 2 * step, step, stays=False)))
    return joined(items, "[", indent + step, step, settings.newline)
