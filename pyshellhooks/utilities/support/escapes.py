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
_WIDEST = {ord("x"): 2, ord("u"): 4, ord("U"): 8}

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
        elif char in _OCTAL and (char == 48 or rules != ECHO):
            # \0 and three more digits; in a format the 0 is one of the three.
            start = at if char == 48 and rules != FORMAT else at - 1
            at = _digits_end(data, start, 3, _OCTAL)
            out.append(int(data[start:at] or b"0", 8) & 255)
        elif char in _WIDEST:
            start, at = at, _digits_end(data, at, _WIDEST[char], _HEX)
            if at == start:
                out += b"\\" + data[start - 1 : start]
                kind = "hex" if char == 120 else "unicode"
                messages.append(f"missing {kind} digit for \\{chr(char)}")
            else:
                value = int(data[start:at], 16)
                out += bytes((value,)) if char == 120 else _character(value)
        elif char == 99 and rules != FORMAT:
            return bytes(out), True, messages
        elif rules == FORMAT and char in b"\"'?":
            out.append(char)
        else:
            out += data[at - 2 : at]
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


def _character(value: int) -> bytes:
    """Encode as bash's u32toutf8 does, values above U+10FFFF in the old forms of four to six bytes."""
    if value <= 0x10FFFF:
        return encode(chr(value)) if not 0xDC80 <= value <= 0xDCFF else chr(value).encode("utf-8", "surrogatepass")
    if value > 0x7FFFFFFF:
        return b""
    length = 4 if value < 0x200000 else 5 if value < 0x4000000 else 6
    tail = bytes(0x80 | (value >> shift) & 0x3F for shift in range(6 * (length - 2), -1, -6))
    lead = (0xF0, 0xF8, 0xFC)[length - 4] | value >> 6 * (length - 1)
    return bytes((lead,)) + tail
