"""The new text of a settings file, and the text of the file with its moved hooks."""

from __future__ import annotations

import json
import math
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from ... import host
from ...hooks.dialect import GUARDED
from ...hooks.installed import CLIENT, QUERY, WORD, is_entry
from ...hooks.model import Origin
from . import hooks as reading
from .hooks import AFTERWARDS, CAPS, LONGEST, MARGIN, NESTED, Element, Event
from .settings import Settings, joined
from .targets import Refused, Target


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
    elements = [
        Element(element.node, tuple(hook._replace(stays=hook.stays or why) for hook in element.hooks))
        for element in event.elements
    ]
    return event._replace(elements=tuple(elements))


def _stays(settings: Settings, events: list[Event]) -> list[Stays]:
    staying: list[Stays] = []
    for event in events:
        if event.row is None:
            staying.append(Stays(settings.line(event.member.offset), event.member.key, "all", "unknown event"))
        for hook in event.all_hooks:
            if hook.stays:
                title = hook.spec.title if hook.spec is not None else " ".join(settings.slice(hook.node).split())
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
    if not host.current().windows or written == " ".join(words) or target.dialect.name == "crush":
        return written
    if target.dialect.name == "gemini" and not any("'" in word for word in words):
        return f"& {written}"
    raise Refused(f"{written}: can't be quoted safely for {target.dialect.title}'s shell; put {CLIENT} on PATH")


def _number(seconds: float) -> str:
    return str(int(seconds)) if seconds == int(seconds) else f"{seconds:.3f}".rstrip("0")


def _entry(target: Target, event: Event, entry: Entry) -> dict[str, Any]:
    """Return the entry of one event in the system's own form."""
    row, dialect, specs = event.row, target.dialect, event.moved
    assert row is not None
    seconds = client_seconds(target, event)
    key, unit = dialect.timeout_key
    limit = _entry_seconds(seconds) * (1000 if unit == "milliseconds" else 1)
    handler: dict[str, Any] = {"type": "command"} if dialect.name in NESTED else {}
    if entry.http:
        handler = {
            "type": "http",
            "url": f"{entry.http}{QUERY}{quote(target.named(entry.absolute))}",
            "headers": _HEADERS,
            "allowedEnvVars": [TOKEN],
        }
    else:
        handler["command"] = command(target, entry, seconds)
    handler[key] = limit
    matcher = reading.matcher(dialect, row, specs)
    if dialect.name == "claude_code" and row.guards in GUARDED:
        handler["onFailure"] = "block"  # so that a client that can't be started denies; older versions ignore the key
    elif dialect.name in ("cursor", "firebender") and "deny" in row.can:
        handler["failClosed"] = True
    if "followup" in row.can and dialect.name in ("cursor", "firebender"):
        handler.update(reading.loop_limit(specs))
    if dialect.name in NESTED:
        return {"matcher": matcher, "hooks": [handler]} if matcher else {"hooks": [handler]}
    return {"matcher": matcher, **handler} if matcher else handler


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
        with_project_variable = False
        for element in event.elements:
            if element.any_moves and not with_project_variable:
                text = json.dumps(_entry(target, event, entry), indent=step, ensure_ascii=False)
                items.append(("", text.replace("\n", newline + indent + 2 * step)))
                with_project_variable = True
            if not element.any_moves:
                items.append(("", settings.slice(element.node)))
            elif not element.all_move:
                items.append(("", _part_of(settings, element, indent + 2 * step, step, stays=True)))
        value = joined(items, "[", indent + step, step, newline)
        members.append((f"{json.dumps(event.member.key)}: ", value))
    return joined(members, "{", indent, step, newline)


def _part_of(settings: Settings, element: Element, indent: str, step: str, *, stays: bool) -> str:
    """Return the text of a group with only those of its hooks that stay, or that move."""
    newline = settings.newline
    chosen = [("", settings.slice(hook.node)) for hook in element.hooks if bool(hook.stays) is stays]
    members = [
        (f"{json.dumps(item.key)}: ", settings.slice(item.node))
        if item.key != "hooks"
        else ('"hooks": ', joined(chosen, "[", indent + step, step, newline))
        for item in element.node.value
    ]
    return joined(members, "{", indent, step, newline)


def _ours(settings: Settings, events: list[Event], target: Target) -> bytes:
    """Return the content of the file of hooks, in the same format. Moved hooks keep their text."""
    member = settings.member("hooks")
    assert member is not None
    indent, step = settings.indents(member)
    indent, newline = indent or step, settings.newline
    found: list[tuple[str, str]] = []
    for event in events:
        if all(element.all_move for element in event.elements):
            value = settings.slice(event.member.node)  # with the comments between its hooks
        else:
            items = [
                settings.slice(element.node)
                if element.all_move
                else _part_of(settings, element, indent + 2 * step, step, stays=False)
                for element in event.elements
                if element.any_moves
            ]
            value = joined([("", item) for item in items], "[", indent + step, step, newline)
        found.append((f"{json.dumps(event.member.key)}: ", value))
    members = [('"hooks": ', joined(found, "{", indent, step, newline))]
    if target.dialect.name in ("cursor", "firebender"):
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
