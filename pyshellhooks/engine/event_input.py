"""Checks of the arguments of ``fire``: the names of fields, and the conversion of their values to JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from ..errors import MisspeltFieldError
from ..hooks.dialect import Dialect
from ..hooks.fields import NEUTRAL, FieldProblems
from ..hooks.model import HookEvent
from ..hooks.suggest import misspelt
from ..jsontext.compact import JSON, JsonText, is_json, payload_fields, without_marks
from ..jsontext.repeated_keys import repeated_keys

Payload = Mapping[str, JSON] | str | bytes | None
_SHOWN = 80  # characters of a key in a notice


#: An event's fields as JSON values, and the problems of values that JSON can't express.
CheckedFields = tuple[Mapping[str, JSON], FieldProblems | None]


class FieldNames:
    """The names that fields may have. An unknown one is passed on, unless it is close to a known one."""

    __slots__ = ("_inputs", "_own", "known")

    def __init__(self, dialects: Iterable[Dialect]) -> None:
        every = list(dialects)
        self._own = NEUTRAL | _names(every)
        #: The fields that may be the model's own JSON text.
        self._inputs = {
            row.places.get("tool_input", "tool_input") for dialect in every for row in dialect.events.values()
        }
        self._inputs.add("tool_input")
        self.known = set(self._own)  # grows by the names of systems that are not loaded

    def merge(self, payload: Payload, fields: Mapping[str, JSON]) -> CheckedFields:
        """Merge and check payload and fields. Raises ``MisspeltFieldError``, and ``WireError`` for a bad payload."""
        texts = self._texts(payload, fields)
        fields, problems = self._merge(payload, fields)
        repeated = _repeated(texts)
        if repeated:
            problems = problems or FieldProblems()
            names = ", ".join(json.dumps(key)[:_SHOWN] for key in repeated[:3])
            message = f"duplicate key {names} in one object: guards see the last value, and the tool may use the first"
            problems.fault(message, hint="send each key once")
        return fields, problems

    def _texts(self, payload: Payload, fields: Mapping[str, JSON]) -> list[str]:
        """Return the parts that may be JSON text: the payload, or tool arguments as the model wrote them."""
        texts = [fields.get(name) for name in self._inputs]
        if isinstance(payload, Mapping):
            texts += [payload.get(name) for name in self._inputs]
        elif isinstance(payload, bytes):
            texts.append(without_marks(payload.decode(errors="replace")))
        elif isinstance(payload, str):
            texts.append(without_marks(payload))
        return [value for value in texts if isinstance(value, str)]

    def _merge(self, payload: Payload, fields: Mapping[str, JSON]) -> CheckedFields:
        if payload is not None:
            if not isinstance(payload, (Mapping, str, bytes)):
                return self._merge_object(payload, fields)
            fields = {**payload_fields(payload), **fields}
        if not self.known.issuperset(fields):
            self._check_names(fields)
        numbers = {name: value for name in self._inputs if (value := _with_constants(fields.get(name))) is not None}
        if numbers:
            return _converted({**fields, **numbers})
        try:
            for value in fields.values():
                if type(value) is not str and not is_json(value):
                    return _converted(fields)
        except RuntimeError:
            return _converted(fields)
        return fields, None

    def _merge_object(self, payload: object, fields: Mapping[str, JSON]) -> CheckedFields:
        """Merge and check the fields of a payload that is an object, such as a model or a dataclass."""
        from ..jsontext.from_python import to_json

        value, losses, faults = to_json(payload, "payload")
        merged, problems = self.merge(value if isinstance(value, str) else "null", fields)
        problems = problems or FieldProblems()
        problems.notices += losses + faults
        problems.faults += faults
        return merged, problems

    def _check_names(self, fields: Mapping[str, JSON]) -> None:
        from .. import dialects

        every = self._own | _names(dialects.dialect_class(name)() for name in dialects.names())
        for name in fields:
            if not isinstance(name, str):
                raise TypeError(f"a field's name must be a string, got {name!r}")
            if name in every:
                self.known.add(name)
                continue
            meant = misspelt(name, self._own) or misspelt(name, every)
            if meant:
                raise MisspeltFieldError(f'unknown field "{name}"; did you mean "{meant}"?')


def _repeated(texts: Iterable[str]) -> list[str]:
    """Return the keys that one object of a JSON text has twice."""
    keys: dict[str, None] = {}
    for value in texts:
        if "{" in value:
            try:
                keys.update(dict.fromkeys(repeated_keys(value)))
            except ValueError:
                pass  # not JSON, which the parser of the field reports
    return list(keys)


def _names(dialects: Iterable[Dialect]) -> frozenset[str]:
    names: set[str] = set()
    for dialect in dialects:
        for row in dialect.events.values():
            names.update(row.places)
    return frozenset(names)


def add_problems(event: HookEvent, problems: FieldProblems) -> None:
    """Add the problems of an event's fields to its notices and faults."""
    event.notices = (*problems.notices, *event.notices)
    event.faults = (*problems.faults, *event.faults)


def _with_constants(value: JSON) -> JSON:
    """Parse JSON text with NaN or Infinity as Python's ``json`` does, which the tool will use; None for any other text.

    JSON has no such numbers. A guard that got a string instead of the arguments would allow every call.
    """
    if not isinstance(value, str):
        return None
    if "NaN" not in value and "Infinity" not in value:
        return None
    constants: list[str] = []

    def constant(word: str) -> float:
        constants.append(word)
        return float(word)

    try:
        parsed = json.loads(value, parse_constant=constant)
    except (ValueError, RecursionError):
        return None
    # Arguments are an object or a list, never a plain number; text without such a constant was parsed before.
    if not constants or not isinstance(parsed, (dict, list)):
        return None
    return parsed


_SCALARS = frozenset([str, bool, type(None), JsonText])


def _converted(fields: Mapping[str, JSON]) -> CheckedFields:
    """Convert the values that are not JSON by the rule of ``jsontext.from_python``, and note the losses."""
    from ..jsontext.from_python import to_json

    problems = FieldProblems()
    converted: dict[str, JSON] = {}
    for name, value in fields.items():
        if type(value) in _SCALARS:
            converted[name] = value
            continue
        converted[name], losses, faults = to_json(value, name)
        problems.notices += losses + faults
        problems.faults += faults
    return converted, problems
