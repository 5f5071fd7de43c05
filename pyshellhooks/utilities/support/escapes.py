"""Backslash escapes of ``echo -e``, ``printf %b`` and printf's format (bash manual, "Bash Builtin Commands").

The three differ in details, so each has its own rules here; ``$'...'`` is parsed by the lexer and differs again.
"""

from __future__ import annotations

from ...text import encode, pause

_SINGLE = {
    ord("a"): b"\a",
    ord("b"): b"\b",
    ord("e"): b"\x1b",
    ord("E"): b"\x1b",
    ord("f"): b"\f",
    ord("n"): b"\n",
    ord("r"): b"\r",
    ord("t"): b"\t",
    ord("v"): b"\v",
    ord("\\"): b"\\",
}
_HEX = frozenset(b"0123456789abcdefABCDEF")
_OCTAL = frozenset(b"01234567")
_X, _C, _ZERO, _BACKSLASH = b"xc0\\"
_WIDEST = {_X: 2, ord("u"): 4, ord("U"): 8}
_DIGIT_KINDS = {_X: "hex", ord("u"): "unicode", ord("U"): "unicode"}

ECHO, PERCENT_B, FORMAT = "echo", "%b", "format"


def expand(data: bytes, rules: str) -> tuple[bytes, bool, list[str]]:
    """Replace the escapes. Return the bytes, whether ``\\c`` ended the output, and the messages.

    ``ECHO``: octal needs its ``\\0``. ``PERCENT_B``: ``\\nnn`` too. ``FORMAT``: ``\\nnn`` has at most three digits,
    quotes and ``?`` lose their backslash, and ``\\c`` has no meaning.
    """
    at = data.find(b"\\")
    if at < 0:
        return data, False, []
    out = bytearray(data[:at])
    messages: list[str] = []
    end = len(data)
    while at < end:
        pause()
        if at + 1 >= end:
            out += b"\\"
            break
        char = data[at + 1]
        at += 2
        single = _SINGLE.get(char)
        if single is not None:
            out += single
        elif char in _OCTAL and (char == _ZERO or rules != ECHO):
            # \0 and three more digits; in a format the 0 is one of the three.
            start = at - 1
            if char == _ZERO and rules != FORMAT:
                start = at
            at = _digits_end(data, start, 3, _OCTAL)
            out.append(int(data[start:at] or b"0", 8) & 255)
        elif char in _WIDEST:
            start, at = at, _digits_end(data, at, _WIDEST[char], _HEX)
            if at == start:
                messages.append(f"missing {_DIGIT_KINDS[char]} digit for \\{chr(char)}")
            out += _coded(char, data[start:at])
        elif char == _C and rules != FORMAT:
            return bytes(out), True, messages
        elif rules == FORMAT and char in b"\"'?":
            out.append(char)
        else:
            out += data[at - 2 : at]  # bash keeps the backslash of an unknown escape
        following = data.find(b"\\", at)
        if following < 0:
            following = end
        out += data[at:following]
        at = following
    return bytes(out), False, messages


def _digits_end(data: bytes, start: int, most: int, digits: frozenset[int]) -> int:
    at = start
    stop = min(len(data), start + most)
    while at < stop and data[at] in digits:
        at += 1
    return at


def _coded(char: int, digits: bytes) -> bytes:
    """Return the value of ``\\x``, ``\\u`` or ``\\U``; without digits the escape stays."""
    if not digits:
        return bytes((_BACKSLASH, char))
    value = int(digits, 16)
    return bytes((value,)) if char == _X else _character(value)


def _character(value: int) -> bytes:
    """Encode as bash's u32toutf8 does, values above U+10FFFF in the old forms of four to six bytes."""
    if 0xDC80 <= value <= 0xDCFF:
        # ``encode`` would take these for the bytes 80 to ff, which undecodable input is kept as.
        return chr(value).encode("utf-8", "surrogatepass")
    if value <= 0x10FFFF:
        return encode(chr(value))
    if value > 0x7FFFFFFF:
        return b""
    if value < 0x200000:
        length = 4
    elif value < 0x4000000:
        length = 5
    else:
        length = 6
    tail = bytes(0x80 | (value >> shift) & 0x3F for shift in range(6 * (length - 2), -1, -6))
    lead = (0xF0, 0xF8, 0xFC)[length - 4] | value >> 6 * (length - 1)
    return bytes((lead,)) + tail
