"""Conversion of Python values to JSON: one rule for every value of an agent that JSON cannot represent.

A host passes its own values: a message of its SDK, a path, a set, a NaN. A guard that receives ``{}`` instead allows
everything, and an event whose firing raises is worse still; so every value is converted to something.

| value | JSON |
|---|---|
| an enum's member | its value |
| a pydantic model | an object of its values, without its serializers, which may leave out or rewrite some |
| a secret (``SecretStr``) | its value |
| a dataclass, a named tuple | an object of its fields |
| any mapping | an object; keys other than strings as JSON spells them, else their ``str()`` |
| a tuple, a set (sorted), a deque, any sequence; an array with ``tolist`` | an array |
| a path | its text |
| a date, time or both | ``isoformat()`` |
| bytes | their text, U+FFFD for bytes that are not UTF-8 |
| NaN, Infinity | null |
| an int of more than 4200 digits | a string, in hexadecimal |
| an exception | ``TypeName: message`` |
| any other object | its public attributes and slots, else ``str()`` (UUID, Decimal); a fault if that is an address |
| an iterator, an awaitable | its ``str()``, and a fault: reading it would take it from the agent |
| a container inside itself | the string ``(itself)`` there |

Duck-typed: no library is imported to recognize a value. Any depth is possible, and no exception of a value's methods
leaves this module.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from datetime import datetime
from enum import Enum
from itertools import islice
from math import isfinite
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from ..notice import STRICT, Notice
from .chunks import joined
from .compact import JSON, LARGEST, JsonText, encode_string

_EXACT = frozenset([str, bytes, bool, type(None), int, float, list])
_CHAIN = 64  # steps from a value to the one that represents it: an enum's member whose value is a path
_MOST = 1_000_000  # values; an object's attributes may reach half of a program's objects
_BITS = 14_000  # of an int that str() always accepts
_SHOWN = 3  # losses that a notice names
_LONG = 120  # characters of a place

Place = tuple[Any, Any]  # the enclosing place and the key in it; for the whole field: None and the field's name


def to_json(value: object, name: str) -> tuple[JSON, list[Notice], list[Notice]]:
    """Convert a field's value by the rule above: to a scalar, or to JSON text.

    Returns also notices of partial losses, and faults for values that cannot be converted. Raises no ``Exception``.
    """
    writer = _Writer(name)
    text = writer.write(value)
    converted: JSON = JsonText(text) if text[0] in "{[" else writer.scalar
    return converted, _loss_notices(name, writer.losses, None), _loss_notices(name, writer.faults, STRICT)


def _loss_notices(name: str, losses: Sequence[tuple[Place, str]], fault: str | None) -> list[Notice]:
    if not losses:
        return []
    shown = "; ".join(f"{_spelled(place)} {what}" for place, what in losses[:_SHOWN])
    if len(losses) > _SHOWN:
        shown += f"; and {len(losses) - _SHOWN} more"
    what = f'field "{name}" holds values that JSON can\'t express: {shown}'
    return [Notice(what, "field-wrong", hint="use values that JSON has", fault=fault)]


def _spelled(place: Place) -> str:
    """Write a place as ``tool_input.files[2]``."""
    keys: list[str] = []
    length = 0
    inner: Any = place
    while inner is not None:
        inner, key = inner
        keys.append(f"[{key}]" if isinstance(key, int) else f".{key}")
        length += len(keys[-1])
        if length > _LONG:
            keys.append("...")
            break
    return "".join(reversed(keys)).removeprefix(".")


class _Writer:
    """A writer of one value as JSON text, with its own stack instead of recursion."""

    __slots__ = ("faults", "left", "losses", "name", "open", "parts", "scalar", "todo")

    def __init__(self, name: str) -> None:
        self.name = name
        self.parts: list[str] = []
        self.losses: list[tuple[Place, str]] = []
        self.faults: list[tuple[Place, str]] = []
        self.open: set[int] = set()  # the ids of the containers around the current value
        self.left = _MOST
        self.scalar: JSON = None  # the last scalar
        # The stack: a text to write, (value, place), or (container,) at the container's end. It keeps the open
        # containers alive, because Python reuses the ids of deleted objects.
        self.todo: list[str | tuple[Any, ...]] = []

    def write(self, value: object) -> str:
        """Return the text."""
        todo = self.todo
        todo.append((value, (None, self.name)))
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                self.parts.append(item)
            elif len(item) == 1:
                self.open.discard(id(item[0]))
            else:
                self.left -= 1
                self._value(*item)
        return joined("", self.parts)

    def _value(self, value: object, place: Place) -> None:
        if self.left < 0:
            if self.left == -1:
                self.faults.append((place, f"comes after {_MOST} values; hooks see null from here on"))
            self.parts.append("null")
            return
        if id(value) in self.open:
            self.losses.append((place, "contains itself"))
            self._scalar("(itself)", place)
            return
        try:
            simple = _simple(value)
            if isinstance(value, _READ_ONCE):
                self.faults.append((place, "can be read only once: hooks see only its type"))
            elif isinstance(simple, str) and _hides(value):
                self.faults.append((place, "has no readable content: hooks see only its type"))
        except Exception as error:
            self.faults.append((place, f"can't be read ({_type_name(error)}): hooks see its type"))
            simple = f"({_type_name(value)})"
        if isinstance(simple, (_Pairs, list)):
            self.open.add(id(value))
            self.todo.append((value,))
            self._container(simple, place)
        else:
            self._scalar(simple, place)

    def _container(self, simple: _Pairs | list[Any], place: Place) -> None:
        members = self._array(simple, place) if isinstance(simple, list) else self._object(simple, place)
        members.reverse()
        self.todo += members

    def _array(self, items: list[Any], place: Place) -> list[str | tuple[Any, ...]]:
        self.parts.append("[")
        members: list[str | tuple[Any, ...]] = []
        for index, item in enumerate(items):
            if index:
                members.append(",")
            members.append((item, (place, index)))
        members.append("]")
        return members

    def _object(self, pairs: _Pairs, place: Place) -> list[str | tuple[Any, ...]]:
        self.parts.append("{")
        members: list[str | tuple[Any, ...]] = []
        seen: set[str] = set()
        for key, item in pairs.items:
            word = self._key(key, place)
            if word in seen:
                self.losses.append(((place, word), "occurs twice: the keys are equal in JSON"))
            if seen:
                members.append(",")
            members.append(f"{encode_string(word)}:")
            seen.add(word)
            members.append((item, (place, word)))
        members.append("}")
        return members

    def _key(self, key: object, place: Place) -> str:
        if type(key) is str:
            return key
        try:
            simple = _simple(key)
            if isinstance(simple, str):
                return simple
            if isinstance(simple, bytes):
                return simple.decode("utf-8", "replace")
            if isinstance(simple, (_Pairs, list)):
                return _text(key)
            return _number_or_word(simple)
        except Exception as error:
            self.faults.append((place, f"has a key that can't be read ({_type_name(error)})"))
            return f"({_type_name(key)})"

    def _scalar(self, value: JSON, place: Place) -> None:
        if isinstance(value, bytes):
            text = value.decode("utf-8", "replace")
            if "\ufffd" in text and text.encode() != value:
                self.losses.append((place, "is not UTF-8: hooks see U+FFFD"))
            value = text
        elif isinstance(value, float) and not isfinite(value):
            self.losses.append((place, f"is {value}: hooks see null"))
            value = None
        elif isinstance(value, int) and not -LARGEST < value < LARGEST:
            value = _digits(value)
        self.scalar = value
        if isinstance(value, str):
            self.parts.append(encode_string(value))
        else:
            self.parts.append(_number_or_word(value))


class _Pairs:
    """The members of a future JSON object."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[tuple[Any, Any]]) -> None:
        self.items = [(key, item) for key, item in islice(items, _MOST)]


def _digits(value: int) -> int | str:
    """Return an int that ``str`` accepts, else its hexadecimal text, which takes time proportional to its length."""
    if value.bit_length() < _BITS:
        return value
    return hex(value)


def _number_or_word(value: JSON) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def _type_name(value: object) -> str:
    return type(value).__name__


def _simple(value: Any) -> Any:
    """Return a value as str, bytes, bool, None, int, float, a list or ``_Pairs``; items are not converted."""
    for _ in range(_CHAIN):
        kind = type(value)
        if kind in _EXACT or kind is _Pairs:
            return value
        if kind is dict:
            return _Pairs(value.copy().items())  # one call in C: another thread may be writing
        for wanted, change in _RULES:
            if isinstance(value, wanted):
                value = change(value)
                break
        else:
            value = _by_what_it_has(value)
    return f"({_type_name(value)})"


def _by_what_it_has(value: Any) -> Any:
    """Return a simpler value for a value of no known type of the standard library."""
    kind = type(value)
    if hasattr(kind, "__pydantic_root_model__"):
        return _model_values(kind, value)
    if hasattr(kind, "get_secret_value"):
        return value.get_secret_value()
    fields = getattr(kind, "__dataclass_fields__", None)
    if fields is not None:
        return _Pairs((name, getattr(value, name)) for name in fields if hasattr(value, name))
    for method in ("__fspath__", "isoformat", "tolist"):
        if hasattr(kind, method):
            return getattr(value, method)()
    return _attributes(value)


def _model_values(kind: Any, value: Any) -> Any:
    """Return the values of a pydantic model. ``model_dump`` would leave some out and rewrite others."""
    values = {**value.__dict__, **(getattr(value, "__pydantic_extra__", None) or {})}
    if kind.__pydantic_root_model__:
        return values.get("root")
    for name in kind.__pydantic_decorators__.computed_fields:
        try:
            values[name] = getattr(value, name)
        except Exception:  # the tool gets no value for it either
            continue
    return _Pairs((name, _dated(item)) for name, item in values.items())


def _dated(value: Any) -> Any:
    """Return a time in UTC as pydantic writes it, and any other value as it is."""
    if type(value) is not datetime:
        return value
    text = value.isoformat()
    if text.endswith("+00:00"):
        return text[:-6] + "Z"
    return text


def _attributes(value: Any) -> Any:
    public = [(name, item) for name, item in _members(value) if not name.startswith("_")]
    if public:
        return _Pairs(public)
    if hasattr(type(value), "model_dump"):
        return type(value).model_dump(value, mode="json")
    return _text(value)


def _members(value: Any) -> list[tuple[str, Any]]:
    """Return an object's attributes and slots, except the slots of types of the standard library."""
    names: list[str] = []
    for kind in type(value).__mro__:
        if kind.__module__.partition(".")[0] not in sys.stdlib_module_names:
            slots = kind.__dict__.get("__slots__", kind.__dict__.get("__struct_fields__", ()))
            if isinstance(slots, str):  # ``__slots__ = "name"`` is one name, not its letters
                slots = [slots]
            names += slots
    members: dict[str, Any] = {}
    for name in names:
        if not name.startswith("__") and hasattr(value, name):  # a slot may have no value
            members[name] = getattr(value, name)
    attributes = getattr(value, "__dict__", None)
    if isinstance(attributes, dict):
        members = members | attributes
    return list(members.items())


def _hides(value: Any) -> bool:
    """Return whether an object has members, and its text is only its type and its address."""
    kind: Any = type(value)
    has_text = kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__
    return not has_text and bool(_members(value))


def _sorted(values: Set[Any]) -> list[Any]:
    try:
        return sorted(values, key=lambda value: (_type_name(value), str(value)))
    except (Exception, RecursionError):
        return list(values)


def _text(value: Any) -> str:
    return str.__str__(str(value))


def _named(value: Any) -> Any:
    if hasattr(type(value), "_fields"):  # a named tuple
        return _Pairs(zip(value._fields, value, strict=True))
    return list(value)


def _listed(values: Iterable[Any]) -> list[Any]:
    return list(islice(values, _MOST))


#: Values that can be read only once: reading one here would take it from the agent.
_READ_ONCE = (Iterator, AsyncIterator, Awaitable)

#: The first type that matches a value decides.
_RULES: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (Enum, lambda one: one.value),
    (JsonText, str.__str__),
    (str, str.__str__),
    (int, int),
    (float, float),
    ((bytearray, memoryview), bytes),
    (bytes, bytes),
    (BaseException, lambda one: f"{_type_name(one)}: {one}"),
    (Mapping, lambda one: _Pairs(one.items())),
    ((Iterator, type, ModuleType, FunctionType, BuiltinFunctionType, MethodType), _text),
    (tuple, _named),
    (list, list),
    (Set, _sorted),
    ((Sequence, deque, ValuesView), _listed),
)
