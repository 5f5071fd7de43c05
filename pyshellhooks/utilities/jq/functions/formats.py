"""Format strings: ``@csv``, ``@sh``, ``@base64`` and so on, also as ``format("csv")``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..compiler.registry import Family
from ..errors import JqError
from ..json.numbers import Literal, spell_number
from ..json.values import describe
from ..json.writer import compact

if TYPE_CHECKING:
    from ..running import Run

function = Family()

_PIECE = 1 << 18  # characters that one call in C processes
_CELLS = 4096  # elements between two checks of the run
# ``re`` compiles and caches these at their first use, so that the module loads fast.
_RESERVED = rb"[^A-Za-z0-9_.~-]+"
_ESCAPES = rb"(?:%[0-9A-Fa-f]{2})+"
_NO_ESCAPE = rb"%(?![0-9A-Fa-f]{2})"
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class _Text:
    """A text that is built from pieces, and ends the run if it gets too long."""

    __slots__ = ("pieces", "run", "size", "reported")

    def __init__(self, run: Run) -> None:
        self.run = run
        self.pieces: list[str] = []
        self.size = self.reported = 0

    def add(self, piece: str) -> None:
        self.pieces.append(piece)
        self.size += len(piece)
        self.run.check()
        if self.size - self.reported >= _PIECE:
            self.reported = self.size
            self.run.text(self.size)

    def whole(self) -> str:
        return "".join(self.pieces)


def _changed(run: Run, text: str, change: Callable[[str], str]) -> str:
    """Return ``change(text)``, computed in pieces, as each character is changed independently."""
    if len(text) <= _PIECE:
        return change(text)
    out = _Text(run)
    for at in range(0, len(text), _PIECE):
        out.add(change(text[at : at + _PIECE]))
    return out.whole()


def _text(run: Run, value: Any) -> str:
    """``@text``, which is ``tostring``."""
    return value if type(value) is str else compact(run, value)


def _row(run: Run, items: list[Any], separator: str, cell: Callable[[Run, Any], str]) -> str:
    """Return an array's elements, rendered by ``cell``, with a separator between them."""
    out = _Text(run)
    cells: list[str] = []
    size = 0
    for item in items:
        written = cell(run, item)
        cells.append(written)
        size += len(written)
        if len(cells) >= _CELLS or size >= _PIECE:
            out.add(separator.join(cells))
            cells = [""]  # gives the separator between the two pieces
            size = 0
    out.add(separator.join(cells))
    return out.whole() if len(out.pieces) > 1 else out.pieces[0]


def _quoted(text: str) -> str:
    return text.replace('"', '""').replace("\0", "\\0")


def _tab_escaped(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
    return escaped.replace("\0", "\\0")


def _scalar(value: Any) -> str | None:
    """Return the text of a number or a boolean, None for other kinds."""
    kind = type(value)
    if kind is int or kind is float or kind is Literal:
        return spell_number(value)
    if kind is bool:
        return "true" if value else "false"
    return None


def _csv_cell(run: Run, value: Any) -> str:
    if type(value) is str:
        return f'"{_changed(run, value, _quoted)}"'
    return _plain_cell(value)


def _tsv_cell(run: Run, value: Any) -> str:
    if type(value) is str:
        return _changed(run, value, _tab_escaped)
    return _plain_cell(value)


def _plain_cell(value: Any) -> str:
    if value is None or value != value:  # nan
        return ""
    written = _scalar(value)
    if written is None:
        raise JqError(f"{describe(value)} is not valid in a csv row")
    return written


def _csv(run: Run, value: Any) -> str:
    if type(value) is not list:
        raise JqError(f"{describe(value)} cannot be csv-formatted, only array")
    return _row(run, value, ",", _csv_cell)


def _tsv(run: Run, value: Any) -> str:
    if type(value) is not list:
        raise JqError(f"{describe(value)} cannot be tsv-formatted, only array")
    return _row(run, value, "\t", _tsv_cell)


def _sh_escaped(text: str) -> str:
    return text.replace("'", "'\\''").replace("\0", "\\0")


def _sh_word(run: Run, value: Any) -> str:
    if type(value) is str:
        return f"'{_changed(run, value, _sh_escaped)}'"
    if value is None:
        return "null"
    written = _scalar(value)
    if written is None:
        raise JqError(f"{describe(value)} can not be escaped for shell")
    return written


def _sh(run: Run, value: Any) -> str:
    if type(value) is list:
        return _row(run, value, " ", _sh_word)
    return _sh_word(run, value)


def _html_escaped(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace("'", "&apos;").replace('"', "&quot;").replace("\0", "\\0")


def _html(run: Run, value: Any) -> str:
    return _changed(run, _text(run, value), _html_escaped)


def _percent(match: re.Match[bytes]) -> bytes:
    return b"%" + match.group().hex("%").upper().encode()


def _uri(run: Run, value: Any) -> str:
    return _changed(run, _text(run, value), lambda piece: re.sub(_RESERVED, _percent, piece.encode()).decode())


def _bytes(match: re.Match[bytes]) -> bytes:
    return bytes.fromhex(match.group().replace(b"%", b"").decode())


def _urid(run: Run, value: Any) -> str:
    source = _text(run, value)
    if "%" not in source:
        return source
    pieces = []
    data = source.encode()
    at = 0
    while at < len(data):
        run.check()
        end = at + _PIECE
        cut = data.find(b"%", end - 2, end)
        if cut >= 0 and end < len(data):
            end = cut  # do not cut an escape
        piece = data[at:end]
        if re.search(_NO_ESCAPE, piece):
            raise JqError(f"{describe(source)} is not a valid uri encoding")
        pieces.append(re.sub(_ESCAPES, _bytes, piece))
        at = end
    try:
        return b"".join(pieces).decode()
    except UnicodeDecodeError:
        raise JqError(f"{describe(source)} is not a valid uri encoding") from None


def _base64(run: Run, value: Any) -> str:
    from binascii import b2a_base64

    data = _text(run, value).encode()
    if len(data) <= _PIECE:
        return b2a_base64(data, newline=False).decode()
    run.text(len(data) * 4 // 3)
    out = _Text(run)
    step = _PIECE // 3 * 3
    for at in range(0, len(data), step):
        out.add(b2a_base64(data[at : at + step], newline=False).decode())
    return out.whole()


def _base64d(run: Run, value: Any) -> str:
    from binascii import a2b_base64

    source = _text(run, value)
    data = source.encode()
    data = data[: data.find(b"=")] if b"=" in data else data
    step = _PIECE // 4 * 4
    pieces = []
    for at in range(0, len(data), step):
        run.check()
        piece = data[at : at + step]
        if piece.translate(None, _BASE64):
            raise JqError(f"{describe(source)} is not valid base64 data")
        if len(piece) % 4 == 1:
            raise JqError(f"{describe(source)} trailing base64 byte found")
        pieces.append(a2b_base64(piece + b"=" * (-len(piece) % 4)))
    return _decoded(run, b"".join(pieces))


def _decoded(run: Run, data: bytes) -> str:
    """Decode UTF-8 as jq does, in pieces that end between characters or invalid sequences."""
    from ..json.utf8 import decode

    out = []
    at, end = 0, len(data)
    while at < end:
        run.check()
        stop = at + _PIECE
        if stop + 4 > end:
            out.append(decode(data[at:]))
            break
        for back in range(4):
            if data[stop - back] & 0xC0 != 0x80:
                stop -= back
                break
        # Only the very end of the data can have a truncated character.
        out.append(decode(data[at:stop] + b"\0\0\0")[:-3])
        at = stop
    return "".join(out)


_FORMATS: dict[str, Callable[[Run, Any], str]] = {
    "base64": _base64,
    "base64d": _base64d,
    "csv": _csv,
    "html": _html,
    "json": compact,
    "sh": _sh,
    "text": _text,
    "tsv": _tsv,
    "uri": _uri,
    "urid": _urid,
}


def format_value(run: Run, name: str, value: Any) -> str:
    """Return the text of a value by the format string ``@name``."""
    written = _FORMATS.get(name)
    if written is None:
        raise JqError(f"{name} is not a valid format")
    return written(run, value)


@function("format")
def format(run: Run, value: Any, name: Any) -> str:
    if type(name) is not str:
        raise JqError(f"{describe(name)} is not a valid format")
    until_nul = name.partition("\0")[0]  # the part that C compares
    return format_value(run, until_nul if until_nul in _FORMATS else name, value)
