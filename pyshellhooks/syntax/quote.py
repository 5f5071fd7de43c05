"""Quote text so that the shell reads it back, in the four ways of bash.

``printf %q`` uses backslashes, ``${x@Q}`` single quotes, ``declare -p`` double quotes, and ``set`` and ``set -x`` quote
only if needed. All fall back to ``$'…'`` for unprintable characters (bash manual 3.1.2.4). Compared with
bash 5.2 in a UTF-8 locale.
"""

from __future__ import annotations

from ..regexes import lazy_pattern
from ..text import PIECE, Spelling, characters, encode, pause, translated

_BACKSLASHED = {ord(char): "\\" + char for char in " !\"$&'()*,;<>?[\\]^`{|}"}
_DOUBLE = {ord(char): "\\" + char for char in '"$`\\'}
_META = lazy_pattern(r"[ \t\n'\"\\|&;()<>!{}*\[?\]^$`]|(?:^|(?<=[:=]))~|(?:^|(?<=[ \t]))#")
_ESCAPES = {
    "\x07": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\x0b": "\\v",
    "\x0c": "\\f",
    "\r": "\\r",
    "\x1b": "\\E",
    "\\": "\\\\",
    "'": "\\'",
}


def quote(text: str) -> str:
    """Quote as ``printf %q`` does: backslashes, or ``$'…'``."""
    if not text:
        return "''"
    if needs_escapes(text):
        return quote_ansi(text)
    quoted = translated(text, _BACKSLASHED).replace(":~", ":\\~").replace("=~", "=\\~")
    if quoted[0] in "#~":  # a comment or a home directory, only at the beginning of a word
        return "\\" + quoted
    return quoted


def quote_word(text: str) -> str:
    """Quote as ``${x@Q}`` does: always, ``'…'`` or ``$'…'``."""
    return quote_ansi(text) if needs_escapes(text) else quote_single(text)


def _has_meta(text: str) -> bool:
    for at in range(0, len(text), PIECE):
        pause()
        if _META.search(text, at, at + PIECE):
            return True
    return False


def quote_assign(text: str) -> str:
    """Quote a value as ``declare -p`` does: always, ``"…"`` or ``$'…'``."""
    if needs_escapes(text):
        return quote_ansi(text)
    return '"' + translated(text, _DOUBLE) + '"'


def quote_key(text: str) -> str:
    """Quote a key of an associative array as ``declare -p`` does: only if needed."""
    plain = text not in ("", "@", "*") and not needs_escapes(text) and not _has_meta(text)
    return text if plain else quote_assign(text)


def quote_set(text: str) -> str:
    """Quote a value as ``set`` lists it: only if needed."""
    if needs_escapes(text):
        return quote_ansi(text)
    return quote_single(text) if _has_meta(text) else text


def quote_trace(text: str) -> str:
    """Quote a word as ``set -x`` shows it: only if needed, with newlines unchanged."""
    if not text:
        return "''"
    if _has_meta(text):
        return quote_single(text)
    return quote_ansi(text) if needs_escapes(text) else text


def quote_ansi(text: str) -> str:
    """Quote as ``$'…'``: unprintable characters become escapes."""
    return "$'" + translated(text, _ANSI) + "'"


def _escaped(char: str) -> str:
    escape = _ESCAPES.get(char)
    if escape is not None:
        return escape
    if _printable(char):
        return char
    return "".join([f"\\{byte:03o}" for byte in encode(char)])


_ANSI = Spelling(_escaped)


def needs_escapes(text: str) -> bool:
    """Return whether a text has an unprintable character."""
    return not text.isprintable() and not all(map(_printable, characters(text)))


def _printable(char: str) -> bool:
    # As the C library's iswprint, which accepts more than Python's isprintable (no-break space, joiners, private use).
    if char.isprintable():
        return True
    if char < "\xa0":
        return False
    import unicodedata

    return unicodedata.category(char) in ("Cf", "Co", "Zs")


def quote_single(text: str) -> str:
    """Quote between single quotes, needed or not."""
    if text == "'":
        return "\\'"
    return "'" + text.replace("'", "'\\''") + "'"
