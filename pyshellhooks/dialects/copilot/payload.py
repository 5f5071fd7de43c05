"""The two spellings of a payload: camelCase and PascalCase keys of events (copilot 3.1, 3.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from ...hooks.dialect import EventSpec
from ...hooks.fields import timestamp
from ...hooks.model import HookEvent
from ...jsontext.compact import JSON, JsonText, TooDeep, WireError, loads
from .tables import ALIASES, NATIVE, OWN_NAME, PASCAL, VSCODE

_CAPITAL = re.compile("[A-Z]")
#: Native key -> its PascalCase form, if it is not the same words between underscores.
_OTHER_KEYS = {"toolArgs": "tool_input", "response": "last_assistant_message"}


def snake(key: str) -> str:
    """Return a key in the spelling under PascalCase events."""
    return _OTHER_KEYS.get(key) or _CAPITAL.sub(lambda match: "_" + match[0].lower(), key)


def spelled(event: HookEvent, key: str, quirks: frozenset[str]) -> dict[str, JSON]:
    """Return the payload of an event for a hook under a key of the config."""
    native, payload = event.row.native, event.payload
    if VSCODE not in quirks:
        payload = {name: value for name, value in payload.items() if name != "toolUseId"}
    is_pascal = key in NATIVE or VSCODE in quirks
    if native == "permissionRequest" and VSCODE not in quirks:
        return payload
    if native == "notification" or not is_pascal:
        return {**payload, "hook_event_name": key} if "hook_event_name" in payload else payload
    own = {snake(name): value for name, value in payload.items()}
    milliseconds = own.get("timestamp")
    if isinstance(milliseconds, (int, float)):
        own["timestamp"] = timestamp(milliseconds / 1000)
    tool = own.get("tool_name")
    if isinstance(tool, str) and VSCODE not in quirks:
        own["tool_name"] = ALIASES.get(tool, (tool,))[0]
    result = _parsed(own.get("tool_result"))
    if isinstance(result, dict):
        own["tool_result"] = {snake(name): value for name, value in result.items()}
    return {"hook_event_name": PASCAL[native], **own}


def native_fields(row: EventSpec, fields: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return fields under names that the row knows; those of a PascalCase payload have others."""
    own = {_OTHER_KEYS.get(name, snake(name)): name for name in row.named}
    found: dict[str, JSON] = {}
    for name, value in fields.items():
        known = name in row.places or name not in own
        found[name if known else own[name]] = value
    result, time = _parsed(found.get("toolResult")), found.get("timestamp")
    if isinstance(result, dict) and "result_type" in result:
        found["toolResult"] = {_camel(name): value for name, value in result.items()}
    if isinstance(time, str):
        try:
            found["timestamp"] = int(datetime.fromisoformat(time).timestamp() * 1000)
        except ValueError:
            pass
    return found


def _parsed(value: JSON) -> JSON:
    try:
        return loads(value) if isinstance(value, JsonText) else value
    except (WireError, TooDeep):
        return value


def _camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(word.capitalize() for word in others)


def own_tool(fields: dict[str, JSON]) -> dict[str, JSON]:
    """Return the fields of a PascalCase payload with Copilot's own name of the tool."""
    tool = fields.get("tool_name")
    return {**fields, "tool_name": OWN_NAME.get(tool, tool)} if isinstance(tool, str) else fields


def event_of_payload(fields: Mapping[str, JSON], rows: Mapping[str, EventSpec]) -> str:
    """Return the event of a camelCase payload, which does not name it; ``""`` if no event has such keys.

    It is the event with the most keys of its own that are all in the payload.
    """
    found, most = "", 0
    for native, row in rows.items():
        own = [name for name in row.defaults if name not in ("sessionId", "timestamp", "cwd")]
        if len(own) > most and fields.keys() >= set(own):
            found, most = native, len(own)
    return found
