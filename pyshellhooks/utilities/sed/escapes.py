"""The escapes that sed itself defines, in expressions, replacements and texts (GNU sed manual 5.8)."""

from __future__ import annotations

from ...patterns.flavors.posix import BRACKET_OPENERS as OPENERS
from ...text import decode, pause

_SIMPLE = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_NUMBERS = {"d": (10, 3), "o": (8, 3), "x": (16, 2)}
_DIGITS = "0123456789abcdef"


def read_escape(text: str, at: int) -> tuple[str, int] | None:
    """Parse ``t``, ``x41`` or ``cX`` after a backslash. Return its text and end, or None if it is not an escape."""
    char = text[at : at + 1]
    if not char:
        return None
    if char in _SIMPLE:
        return _SIMPLE[char], at + 1
    if char == "c" and at + 1 < len(text):
        control = text[at + 1]
        if control.isascii():
            control = chr(ord(control.upper()) ^ 0x40)
        return control, at + 2
    if char in _NUMBERS:
        base, most = _NUMBERS[char]
        end = at + 1
        while end < len(text) and end - at <= most and text[end].lower() in _DIGITS[:base]:
            end += 1
        if end > at + 1:
            # The number is that of a byte, not of a character.
            return decode(bytes([int(text[at + 1 : end], base) & 0xFF])), end
    return None


# With --posix a backslash before these has no meaning, in basic and in extended expressions.
BASIC, EXTENDED = "+?|wWsSbB<>`'", "wWsSbB<>`'"


def expression(text: str, plain: str = "") -> str:
    """Replace sed's escapes in an expression; ``\\x5e`` then is as special as ``^``, as in 4.9.

    ``plain``, for --posix: characters that lose a backslash before them; in brackets the backslash is itself a member
    then.
    """
    if "\\" not in text:
        return text
    out: list[str] = []
    at, size = 0, len(text)
    in_bracket = False
    while at < size:
        pause()
        char = text[at]
        if char == "[" and not in_bracket:
            in_bracket = True
            end = at + 1 + text.startswith("^", at + 1)
            end += text.startswith("]", end)
            out.append(text[at:end])
            at = end
            continue
        if in_bracket:
            closer = OPENERS.get(text[at : at + 2])  # [: [. [=
            end = text.find(closer, at + 2) if closer else -1
            if end > 0:
                out.append(text[at : end + 2])
                at = end + 2
                continue
            in_bracket = char != "]"
        if char == "\\" and at + 1 < size:
            escape = None
            if not (plain and in_bracket):
                escape = read_escape(text, at + 1)
            if escape is not None:
                escaped, at = escape
                out.append(escaped)
                continue
            if not in_bracket:
                following = text[at + 1]
                out.append(following if following in plain else char + following)
                at += 2
                continue
        out.append(char)
        at += 1
    return "".join(out)
