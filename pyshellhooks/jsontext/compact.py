"""JSON on the wire: compact text that keeps key order, duplicate keys and the spelling of numbers.

A tool's input is the model's own JSON. Parsing it and writing it again would turn ``1.0`` into ``1`` and lose a
duplicate key, so text stays text here: it is validated, its white space is dropped, and patches are merged into its
top-level members. Python values are encoded once. Texts longer than ``LARGE`` are processed in pieces, so that no call
keeps the other threads waiting for longer than a piece takes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from json.decoder import scanstring  # type: ignore[attr-defined]
from sys import float_info
from typing import TYPE_CHECKING, Any

from . import chunks
from .chunks import LARGE, MANY
from .walk import skip

if TYPE_CHECKING:
    from .chunked_reader import Scan

JSON = Any  # a value as json.loads returns it


class JsonText(str):
    """A str that is JSON text already, and is written as it is."""

    __slots__ = ()


class WireError(ValueError):
    """Text that is not JSON, or a value that JSON cannot represent.

    ``HookEngine.fire`` raises it for a payload that is not a JSON object, ``dialect.read`` for one without an event.
    """


class NotAnObject(WireError):
    """JSON that is not an object."""


class TooDeep(WireError):
    """JSON, or its beginning, that nests deeper than the interpreter's stack."""

    def __init__(self, message: str = "it is nested too deeply") -> None:
        super().__init__(message)


def _refuse(name: str) -> JSON:
    raise WireError(f"{name} is not JSON")


def finite(value: float) -> float:
    """Return a number, or the largest float instead of an infinity, which JSON cannot represent, as jq does."""
    if -float_info.max <= value <= float_info.max:
        return value
    if value > 0:
        return float_info.max
    return -float_info.max


def _float(text: str) -> float:
    return finite(float(text))


def _integer(text: str) -> int | float:
    # int() refuses more than 4300 digits; the document stays readable all the same.
    if len(text) < 4000:
        return int(text)
    return _float(text)


_decoder = json.JSONDecoder(parse_constant=_refuse, parse_float=_float)
_careful = json.JSONDecoder(parse_constant=_refuse, parse_float=_float, parse_int=_integer)
_spelled = json.JSONDecoder(parse_constant=_refuse, parse_int=str, parse_float=str)
_string = json.encoder.encode_basestring
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False)
# Created once: ``JSONEncoder.encode`` creates one for each call, which takes longer than encoding a call's arguments.
_parts = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, _encoder.default, _string, None, ":", ",", False, False, False
)

# Keeps strings, drops blanks between tokens. Linear on valid JSON, the only text that it is used on.
_SPACE = re.compile(r'("(?:[^"\\]+|\\.)*")|[ \t\r\n]+')
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(
    r"\\(?:u(?P<high>[dD][89abAB][0-9a-fA-F]{2})(?P<low>\\u[dD][c-fC-F][0-9a-fA-F]{2})?"
    r"|(?P<lone>u[dD][c-fC-F][0-9a-fA-F]{2})|.)"
)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # the byte order marks
_HTML = re.compile("[<>&\u2028\u2029]")


def _encode(value: JSON) -> str:
    return "".join(_parts(value, 0))


def loads(text: str) -> JSON:
    """Parse strictly: no NaN or Infinity, nothing after the value. Raises ``WireError``, also for too much depth."""
    try:
        if len(text) > LARGE:
            return _decode_large(_decoder, text)
        return _decoder.decode(text)
    except WireError:
        raise
    except json.JSONDecodeError as error:
        raise _misread(error) from None
    except ValueError:
        return _again(text)
    except RecursionError:
        raise TooDeep from None


def _misread(error: json.JSONDecodeError) -> WireError:
    return WireError(f"{error.msg} at line {error.lineno} column {error.colno}")


def _again(text: str) -> JSON:
    try:
        if len(text) > LARGE:
            return _decode_large(_careful, text)
        return _careful.decode(text)
    except ValueError as error:
        raise WireError(str(error)) from None


def _decode_large(decoder: json.JSONDecoder, text: str) -> JSON:
    from .chunked_reader import read_all

    return read_all(_scan(decoder), text)


def _scan(decoder: json.JSONDecoder) -> Scan:
    found: Scan = decoder.scan_once  # type: ignore[attr-defined]
    return found


def check(text: str) -> None:
    """Raise the errors of ``loads``, except those of its numbers, without building the value."""
    from .chunked_reader import look_at_all

    try:
        look_at_all(_scan(_spelled), text)
    except json.JSONDecodeError as error:
        raise _misread(error) from None
    except RecursionError:
        raise TooDeep from None


def validate(text: str) -> None:
    """Raise ``WireError`` unless the text is one JSON value, of any depth."""
    try:
        if len(text) <= LARGE:
            _spelled.decode(text)
        else:
            from .chunked_reader import look_at_all

            look_at_all(_scan(_spelled), text)
    except ValueError as error:
        raise WireError(str(error)) from None
    except RecursionError:
        end, valid = _skip_deep(text, 0)
        if not valid or chunks.blanks_end(text, end) < len(text):
            raise WireError(f"it is not JSON at character {end}") from None


def _skip_deep(text: str, at: int) -> tuple[int, bool]:
    """Return the end of the value that begins at ``at``, and whether it is JSON."""
    if len(text) - at > LARGE:
        from .chunked_reader import look_deep

        try:
            return look_deep(_scan(_spelled), text, chunks.blanks_end(text, at)), True
        except (ValueError, RecursionError):
            pass  # ``skip`` finds where it stops being JSON
    return skip(text, at)


_AS_THEY_ARE = frozenset([str, bool, type(None), JsonText])
LARGEST = 1e308
_DEEPEST = 64


def is_json(value: JSON, depth: int = 0) -> bool:
    """Return whether JSON represents a value exactly, in so few levels that any encoder can write it.

    Checks types only, for it runs on every value that is fired: a text of 17 MiB takes as long as a short one. Raises
    ``RuntimeError`` if another thread is writing into the value.
    """
    kind = type(value)
    if kind is dict:
        if depth == _DEEPEST:
            return False
        for key, item in value.items():
            if type(key) is not str:
                return False
            if type(item) is not str and not is_json(item, depth + 1):
                return False
        return True
    if kind in _AS_THEY_ARE:
        return True
    if kind is list:
        return depth < _DEEPEST and all([type(item) is str or is_json(item, depth + 1) for item in value])
    if kind is int or kind is float:
        in_range: bool = -LARGEST < value < LARGEST
        return in_range
    return False


def dumps(value: JSON) -> str:
    """Write compactly, characters unescaped. A ``JsonText`` is returned as it is; one inside a value is a string."""
    try:
        if isinstance(value, JsonText):
            return value
        if _is_large(value):
            return _write_large(value)
        return _encode(value)
    except (ValueError, TypeError) as error:
        raise WireError(f"not a JSON value: {error}") from None
    except RecursionError:
        raise TooDeep("it is nested too deeply, or contains itself") from None


def _is_large(value: JSON) -> bool:
    kind = type(value)
    if kind is str:
        return len(value) > LARGE
    if kind is not dict and kind is not list and kind is not tuple:
        return False
    try:
        return chunks.weighs_more(value, MANY)
    except RuntimeError:  # another thread is writing into it
        return False


def _write_large(value: JSON) -> str:
    from .chunked_writer import write

    return write(value, _encode)


def encode_string(text: str) -> str:
    """Write a string as JSON."""
    if len(text) > LARGE:
        return chunks.encoded_string(text)
    return _string(text)


def compact(text: str) -> str:
    """Drop white space outside strings. The text must be valid JSON."""
    if len(text) > LARGE:
        return chunks.compacted(text, compact)
    text = text.strip(" \t\r\n")
    if " " in text or "\n" in text or "\t" in text or "\r" in text:  # a search is much faster than the substitution
        return _SPACE.sub(r"\1", text)
    return text


def to_bytes(text: str) -> bytes:
    """Encode JSON text as UTF-8 without lone surrogates: jq refuses a whole text with one."""
    return replace_lone_surrogates(text).encode("utf-8")


def replace_lone_surrogates(text: str) -> str:
    """Replace lone surrogates in JSON text, escaped or not, by U+FFFD.

    jq (1.6 and 1.8) refuses a text with one, and a guard that reads no input allows everything.
    """
    if len(text) > LARGE:
        return chunks.escapes_changed(text, replace_lone_surrogates)
    if not text.isascii():
        text = well_formed(text)
    if "\\ud" in text or "\\uD" in text:
        return _ESCAPE.sub(_paired, text)
    return text


def _paired(match: re.Match[str]) -> str:
    has_no_low = match["high"] and not match["low"]
    if has_no_low or match["lone"]:
        return "\ufffd"
    return match[0]


def html_safe(text: str) -> str:
    """Escape ``< > &`` and the two line separators as Go's encoder does. They occur inside strings only."""
    if len(text) > LARGE:
        return chunks.changed(text, html_safe)
    return _HTML.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def well_formed(text: str) -> str:
    """Replace lone surrogates by U+FFFD, as Go does with invalid UTF-8."""
    if len(text) > LARGE:
        return chunks.changed(text, well_formed)
    return _SURROGATE.sub("\ufffd", text)


def raw_decode(text: str, start: int) -> tuple[JSON, int]:
    """Parse the value that begins at ``start`` and return it and its end. Raises ValueError or RecursionError."""
    try:
        return _decoder.raw_decode(text, start)
    except (WireError, json.JSONDecodeError):
        raise
    except ValueError:
        return _careful.raw_decode(text, start)


def value_end(text: str, start: int) -> int:
    """Return the end of the value that begins at ``start`` of a large text. Raises as ``raw_decode`` does."""
    from .chunked_reader import look

    return look(_scan(_spelled), text, start)


def _skip(text: str, at: int) -> int:
    while text[at] in " \t\r\n":
        at += 1
    return at


def members(text: str) -> list[tuple[str, str]]:
    """Return the top-level (key, raw value text) pairs of a valid JSON object, duplicates and order kept."""
    if len(text) > LARGE:
        return _members_large(text)
    result: list[tuple[str, str]] = []
    at = _skip(text, 0)
    if text[at] != "{":
        raise NotAnObject("not a JSON object")
    at = _skip(text, at + 1)
    if text[at] == "}":
        return result
    while True:
        key, at = scanstring(text, at + 1, True)
        at = _skip(text, _skip(text, at) + 1)
        try:
            _, end = _spelled.raw_decode(text, at)
        except RecursionError:
            end, _ = skip(text, at)
        result.append((key, text[at:end]))
        at = _skip(text, end)
        if text[at] == "}":
            return result
        at = _skip(text, at + 1)


def _members_large(text: str) -> list[tuple[str, str]]:
    from .chunked_reader import members

    at = chunks.blanks_end(text, 0)
    if text[at] != "{":
        raise NotAnObject("not a JSON object")
    at = chunks.blanks_end(text, at + 1)
    if text[at] == "}":
        return []
    return list(members(_scan(_spelled), text, at))


def fields_of(text: str) -> dict[str, JSON]:
    """Parse a JSON object, but keep its objects and arrays as JSON text, of any depth. Raises ``WireError``."""
    validate(text)
    fields: dict[str, JSON] = {}
    for key, raw in members(text):
        fields[key] = JsonText(compact(raw)) if raw[0] in "{[" else loads(raw)
    return fields


def loads_member(raw: str) -> JSON:
    """Parse a member's raw text; None if it is nested too deeply."""
    try:
        return loads(raw)
    except TooDeep:
        return None


def join(pairs: Iterable[tuple[str, str]]) -> str:
    """Build an object text from (key, raw value text) pairs."""
    parts = [f"{_string(key)}:{raw}" for key, raw in pairs]
    inside = ",".join(parts) if len(parts) <= MANY else chunks.joined(",", parts)
    return "{" + inside + "}"


def document(fields: Mapping[str, JSON]) -> str:
    """Write an object whose values may be ``JsonText``."""
    parts = []
    for key, value in fields.items():
        kind = type(value)
        if kind is JsonText:
            raw = value
        elif kind is str and len(value) <= LARGE:
            raw = _string(value)
        elif kind is str:
            raw = chunks.encoded_string(value)
        else:
            raw = dumps(value)
        parts.append(f"{_string(key)}:{raw}")
    return "{" + ",".join(parts) + "}"


def without_marks(text: str) -> str:
    """Return a payload without leading byte order marks: Cursor writes up to two on Windows."""
    return text.lstrip("\ufeff")


def payload_fields(payload: Mapping[str, JSON] | str | bytes) -> Mapping[str, JSON]:
    """Return the fields of a payload; objects and arrays of JSON text keep their spelling."""
    if isinstance(payload, Mapping):
        return payload
    if isinstance(payload, bytes) and payload.startswith(_UTF_16):
        raise WireError("the payload is not a JSON object: it is UTF-16; send it as UTF-8")
    try:
        text = payload.decode("utf-8") if isinstance(payload, bytes) else payload
        text = without_marks(text)
        return fields_of(text)
    except UnicodeDecodeError as error:
        raise WireError(f"the payload is not a JSON object: {error}") from None
    except WireError as error:
        from .document import mistake

        try:
            why = str(mistake(text, "payload", error))
        except RecursionError:  # to find the place takes more stack than to decode
            why = str(error)
        raise WireError(f"the payload is not a JSON object: {why}") from None
