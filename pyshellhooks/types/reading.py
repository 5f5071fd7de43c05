"""What a hook in Python is given, as one of the events of its system."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from .. import dialects
from ..errors import UnknownEventError
from ..hooks.suggest import did_you_mean
from ..jsontext.compact import JSON, WireError, loads, payload_fields, replace_lone_surrogates
from . import ending

if TYPE_CHECKING:
    from ..hooks.dialect import Dialect, EventSpec
    from .event import Event

E = TypeVar("E", bound="Event")

_MARK = 8  # characters: Cursor on Windows has sent a few before the JSON (cursor 4)
_SHOWN = 3  # faults of a payload that are told


def read(system: str, classes: Mapping[str, type[E]]) -> E:
    """Read what the agent sent: one of the events that ``classes`` has, by their native names.

    From then on this process is a hook: what it can't read, and whatever nobody catches, ends it as ``ending.refused``
    says. Where one event is expected, that is a deny if the event guards something.
    """
    dialect = dialects.get(system)
    row = dialect.events[next(iter(classes))] if len(classes) == 1 else None
    ending.Held.begin()
    sys.excepthook = crash = ending.Crash(dialect, row)
    try:
        text = received(dialect)
        crash.row = row = _row(dialect, text) or row
        return _event(dialect, text, classes)
    except (WireError, UnknownEventError, OSError) as error:
        why = str(error).partition("\n")[0]
    except ValidationError as error:
        why = describe_errors(error)
    ending.end(ending.refused(dialect, row, f"the hook can't read its payload: {why}"))


def received(dialect: Dialect) -> str:
    """Return the payload as text: from a variable or a file, where the system puts it there, else from stdin."""
    for name, is_path in zip(dialect.payload_variables, (False, True), strict=False):
        value = os.environ.get(name, "")
        if value and is_path:
            with open(value, "rb") as file:
                return _text(file.read())
        if value:
            return _text(os.fsencode(value))
    if sys.stdin is None or sys.stdin.isatty():
        raise WireError("stdin is a terminal; to try the hook, pipe an event into it, or run `pyshellhooks fire`")
    buffer = getattr(sys.stdin, "buffer", None)
    return _text(sys.stdin.read().encode() if buffer is None else buffer.read())


def _text(data: bytes) -> str:
    text = data.decode("utf-8", "replace").strip()
    at = text.find("{", 0, _MARK)
    return replace_lone_surrogates(text[at:] if at > 0 else text)


def _row(dialect: Dialect, text: str) -> EventSpec | None:
    """Return the row of the event that a payload names; None where it names none that the system has."""
    try:
        return dialect.events[dialect.read(text)[0]]
    except (WireError, UnknownEventError):
        return None


def _native_and_fields(dialect: Dialect, text: str, classes: Collection[str]) -> tuple[str, dict[str, JSON]]:
    """Return the event of a payload and its fields. A payload without a name is that of the one expected event."""
    if not dialect.names_events and len(classes) == 1:
        fields = dict(payload_fields(text))
        row = dialect.events[next(iter(classes))]
        if dialect.event_key not in fields and not fields.keys().isdisjoint(row.places):
            return row.native, dialect.fields_of(row, fields)
    return dialect.read(text)


def _event(dialect: Dialect, text: str, classes: Mapping[str, type[E]]) -> E:
    """Make the event. Raises what ``Dialect.read`` raises, and ``ValidationError``."""
    if not text:
        raise WireError("stdin is empty")
    native, fields = _native_and_fields(dialect, text, classes)
    kind = classes.get(native)
    if kind is None:
        wanted = ", ".join(classes)
        raise UnknownEventError(
            f"the event is {native}, but the hook reads {wanted}; {did_you_mean(native, classes)}".rstrip("; ")
        )
    values = loads(text)
    assert isinstance(values, dict)
    own = values.get(dialect.data_key)
    if isinstance(own, dict):
        values = {**{name: value for name, value in values.items() if name != dialect.data_key}, **own}
    event = kind.model_validate(values)
    event._given = fields
    return event


def describe_errors(error: ValidationError) -> str:
    """Say what is wrong with a payload, in one line."""
    messages = [f"{'.'.join(map(str, one['loc']))}: {_lowered(one['msg'])}" for one in error.errors(include_url=False)]
    more = f" and {len(messages) - _SHOWN} more" if len(messages) > _SHOWN else ""
    return "; ".join(messages[:_SHOWN]) + more


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def given(fields: Mapping[str, JSON] | None, dumped: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Return an event's fields: as the agent spelled them, or those of one that was made by hand."""
    return dumped if fields is None else fields
