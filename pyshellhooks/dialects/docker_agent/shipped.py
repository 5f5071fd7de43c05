"""Behavior of the edition ``docker_agent@shipped`` only: payloads as Go encodes a ``map[string]any``."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from heapq import merge
from sys import float_info

from ...hooks.dialect import EventSpec
from ...jsontext.chunks import MANY
from ...jsontext.compact import JSON, JsonText, WireError, document, dumps, encode_string, html_safe, loads, well_formed

_PLAIN = 1e21  # from this on, and below 1e-6, Go writes numbers with an exponent


def as_shipped(row: EventSpec, payload: dict[str, JSON], quirks: frozenset[str]) -> None:
    """Change a payload to the one that the program writes (docker_agent 2)."""
    if "no_tool_response" in quirks:
        payload.pop("tool_response", None)
    if "stream_ended" in quirks and "reason" in payload:
        payload["reason"] = "stream_ended"
    if "input_as_map" in quirks and payload.get("tool_input") is not None:
        payload["tool_input"] = as_map(payload["tool_input"])


def as_map(text: str) -> JsonText | None:
    """Return an object as Go encodes a map: keys sorted, numbers as 64-bit floats; None if it is not an object."""
    try:
        value = loads(text)
        return JsonText(_written(value)) if isinstance(value, dict) else None
    except (WireError, OverflowError, RecursionError):
        return None


def escaped(payload: dict[str, JSON]) -> str:
    """Return a payload as JSON text, with HTML's characters escaped, and U+FFFD for a lone surrogate."""
    return html_safe(document({key: well_formed(v) if type(v) is str else v for key, v in payload.items()}))


def _ordered(items: list[tuple[str, JSON]]) -> Iterable[tuple[str, JSON]]:
    """Sort items by the bytes of their keys; sort very many in parts, so that other threads run in between."""
    if len(items) <= MANY:
        return sorted(items, key=_bytes_of)
    return merge(*[sorted(items[at : at + MANY], key=_bytes_of) for at in range(0, len(items), MANY)], key=_bytes_of)


def _bytes_of(item: tuple[str, JSON]) -> bytes:
    return item[0].encode("utf-8", "surrogatepass")


def _written(value: JSON) -> str:
    if isinstance(value, dict):
        items = _ordered(list(value.items()))
        return "{" + ",".join(f"{encode_string(well_formed(key))}:{_written(item)}" for key, item in items) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_written, value)) + "]"
    if isinstance(value, str):
        return dumps(well_formed(value))
    return dumps(value) if value is None or isinstance(value, bool) else _number(float(value))


def _number(value: float) -> str:
    if abs(value) >= float_info.max:  # our parser's value of a number that no float can hold; Go's parser refuses it
        raise OverflowError
    if value == 0 or 1e-6 <= abs(value) < _PLAIN:
        text = format(Decimal(repr(value)), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, _, exponent = format(Decimal(repr(value)).normalize(), "e").partition("e")
    return f"{mantissa}e{exponent[0]}{exponent[1:].lstrip('0')}"
