"""Values on the way out: the layout, colors and spelling of jq 1.8.

A value comes from libjq as compact JSON text, never as Python data: only so are numbers spelled as jq spells them.
``compact`` writes what Python has read itself, with its numbers as they were spelled.
"""

from __future__ import annotations

import re
from json import JSONDecoder, JSONEncoder
from typing import Any

from ...errors import Stop
from .lexer import Number

_PIECES = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]|[^"\[\]{},:]+')
_decode_spelled = JSONDecoder(parse_int=Number, parse_float=Number, strict=False).decode
_encode_text = JSONEncoder(ensure_ascii=False).encode
_encode_ascii = JSONEncoder(ensure_ascii=True).encode
_decode = JSONDecoder(strict=False).decode

# What JQ_COLORS changes: null, false, true, numbers, strings, arrays, objects, object keys.
DEFAULT_COLORS = ("0;90", "0;39", "0;39", "0;39", "0;32", "1;39", "1;39", "1;34")
_RESET = "\x1b[0m"


class Decline(Exception):
    """Python can't surely give what jq would: libjq must."""


# decNumber writes these as they are; an exponent or many decimals it would rewrite.
plain_number = re.compile(r"-?(?:0|[1-9][0-9]{0,999})(?:\.[0-9]{1,6})?").fullmatch


def compact(value: Any) -> str:
    """Write a value as jq -c does, or decline."""
    kind = type(value)
    if kind is str:
        return _encode_text(value).replace("\x7f", "\\u007f")
    if kind is Number:
        if plain_number(value) is None:
            raise Decline
        return str(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is dict:
        return "{" + ",".join([f"{compact(key)}:{compact(item)}" for key, item in value.items()]) + "}"
    return "[" + ",".join([compact(item) for item in value]) + "]"


def read_colors(setting: str | None) -> tuple[str, ...] | None:
    """Give the colors that JQ_COLORS sets (the rest stay), or None for one that jq refuses."""
    if setting is None:
        return DEFAULT_COLORS
    fields = setting.split(":")[:8]
    for position, field in enumerate(fields):
        if field.strip("0123456789;"):
            # The eighth color ends where its digits end; before it a wrong character spoils all.
            if position < 7:
                return None
            fields[position] = field[: len(field) - len(field.lstrip("0123456789;"))]
    if fields[-1] == "":
        fields.pop()
    return tuple(fields) + DEFAULT_COLORS[len(fields) :]


def spell(text: str) -> str:
    """Give a string as JSON, as jq writes it: DEL is escaped, all else beyond ASCII is not."""
    return _encode_text(text).replace("\x7f", "\\u007f")


def unspell(text: str) -> str:
    """Give the string that a JSON text is."""
    value = _decode(text)
    assert isinstance(value, str)
    return value


def sort_keys(text: str) -> str:
    """Give compact JSON with the keys of every object in the order of their code points."""
    return _sorted(_decode_spelled(text))


def _sorted(value: object) -> str:
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return spell(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{spell(key)}:{_sorted(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_sorted, value)) + "]"
    return {True: "true", False: "false", None: "null"}[value]  # type: ignore[index]


def to_ascii(text: str) -> str:
    """Escape in compact JSON whatever is not ASCII."""
    if text.isascii():
        return text
    return "".join(c if c < "\x80" else _encode_ascii(c)[1:-1] for c in text)


def bound(text: str, indent: str, limit: int) -> None:
    """End the run where deep nesting would make more indentation than ``limit``: it grows with the depth squared."""
    depth = text.count("[") + text.count("{")
    if depth * len(text) * len(indent) <= limit:
        return
    size = level = 0
    for piece in _PIECES.findall(text):
        level += (piece in ("[", "{")) - (piece in ("]", "}"))
        if piece in ("[", "{", "]", "}", ","):
            size += level * len(indent)
            if size > limit:
                raise Stop("limit", f"jq: an output is larger than {limit} characters", "string")


def lay_out(text: str, indent: str) -> str:
    """Spread compact JSON over lines."""
    if text[0] not in "[{" or len(text) == 2:
        return text
    out: list[str] = []
    level = 0
    previous = ""
    for piece in _PIECES.findall(text):
        if piece == "]" or piece == "}":
            level -= 1
            if previous not in ("[", "{"):
                out.append("\n" + indent * level)
            out.append(piece)
        else:
            if previous in ("[", "{"):
                out.append("\n" + indent * level)
            out.append(piece)
            if piece == "[" or piece == "{":
                level += 1
            elif piece == ",":
                out.append("\n" + indent * level)
            elif piece == ":":
                out.append(" ")
        previous = piece
    return "".join(out)


def paint(text: str, indent: str | None, codes: tuple[str, ...]) -> str:
    """Lay out compact JSON in color; ``indent`` of None keeps it on one line."""
    null, false, true, number, string, array, object_, key = (f"\x1b[{code}m" for code in codes)
    literals = {"null": null, "false": false, "true": true}
    out: list[str] = []

    def line() -> str:
        return "" if indent is None else "\n" + indent * len(open_)

    open_: list[str] = []  # the colors of what is open, and whether it is an object
    objects: list[bool] = []
    wants_key = False
    pieces = _PIECES.findall(text)
    pieces.append("")
    for position, piece in enumerate(pieces[:-1]):
        previous = pieces[position - 1] if position else ""
        if piece in ("]", "}"):
            color = open_.pop()
            objects.pop()
            if previous not in ("[", "{"):
                out.append(line() + color)
            out.append(piece + _RESET)
            wants_key = False
            continue
        if previous in ("[", "{"):
            out.append(_RESET + line())
        if piece in ("[", "{"):
            open_.append(array if piece == "[" else object_)
            objects.append(piece == "{")
            out.append(open_[-1] + piece)
            wants_key = piece == "{"
        elif piece == ",":
            out.append(f"{open_[-1]},{_RESET}{line()}")
            wants_key = objects[-1]
        elif piece == ":":
            out.append(f"{open_[-1]}:{_RESET}" + ("" if indent is None else " "))
            wants_key = False
        elif wants_key:
            out.append(key + piece + _RESET)
        else:
            out.append((string if piece[0] == '"' else literals.get(piece, number)) + piece + _RESET)
    return "".join(out)
