"""base64: encode and decode (GNU coreutils 9.1, RFC 4648)."""

from __future__ import annotations

import binascii

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..streams.base import Stream
from .support.bsd_forms import base64_words
from .support.kinds import Number
from .support.quoting import name_of, quote
from .support.records import blocks

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_UNWRAPPED = 2**63
_WRAP = Number("invalid wrap size: {q}", most=_UNWRAPPED, endless=True)
_GARBAGE = bytes(byte for byte in range(256) if byte not in _ALPHABET)


def _encode(call: Call, stream: Stream, width: int) -> None:
    buffer = line = b""
    write = call.out.write
    for chunk in blocks(call, stream):
        buffer += chunk
        cut = len(buffer) - len(buffer) % 3
        text = line + binascii.b2a_base64(buffer[:cut], newline=False)
        buffer = buffer[cut:]
        line = _wrapped(call, text, width)
    line += binascii.b2a_base64(buffer, newline=False)
    line = _wrapped(call, line, width)
    if line and width:
        line += b"\n"  # without wrapping GNU writes no newline at all
    if line:
        write(line)


def _wrapped(call: Call, text: bytes, width: int) -> bytes:
    """Write the complete lines of a text and return the rest, at most one line."""
    if not width:
        call.out.write(text)
        return b""
    at = 0
    while len(text) - at > width:
        call.out.write(text[at : at + width] + b"\n")
        at += width
    return text[at:]


def _decode(call: Call, stream: Stream, ignore: bool) -> None:
    """Decode a stream: padding may occur in the middle, and valid data before an error is written."""
    buffer = b""
    ignored = _GARBAGE if ignore else b"\n"
    for chunk in blocks(call, stream):
        buffer += chunk.translate(None, ignored)
        cut = len(buffer) - len(buffer) % 4
        _quanta(call, buffer[:cut])
        buffer = buffer[cut:]
    if buffer:
        # GNU writes the complete bytes of an incomplete quantum before the error.
        call.out.write(_complete_bytes(_digits(buffer)))
        raise UsageError("invalid input", hint=False)


def _digits(text: bytes) -> bytes:
    """Return the valid digits at the start of a text."""
    return text[: len(text) - len(text.lstrip(_ALPHABET[:64]))]


def _complete_bytes(digits: bytes) -> bytes:
    """Return the bytes that two or three digits contain completely; one digit has only six bits."""
    if len(digits) < 2:
        return b""
    return binascii.a2b_base64(digits + b"A" * (4 - len(digits)))[: len(digits) * 6 // 8]


def _quanta(call: Call, text: bytes) -> None:
    try:
        call.out.write(binascii.a2b_base64(text, strict_mode=True))
        return
    except binascii.Error:
        pass  # padding in the middle, or an error: now each quantum by itself
    for at in range(0, len(text), 4):
        four = text[at : at + 4]
        data = four.rstrip(b"=")
        digits = _digits(data)
        if len(digits) == 4:
            call.out.write(binascii.a2b_base64(four))
            continue
        call.out.write(_complete_bytes(digits))
        if len(digits) < max(2, len(data)):
            raise UsageError("invalid input", hint=False)


def _open(call: Call, name: str) -> Stream:
    try:
        return call.open_input(name)
    except IsADirectoryError as error:
        raise UsageError(f"read error: {reason(error)}", hint=False) from None
    except OSError as error:
        raise UsageError(f"{name_of(name)}: {reason(error)}", hint=False) from None


@utility(
    "base64",
    paths=True,
    summary="Base64 encode or decode FILE, or standard input, to standard output.",
    bsd=base64_words,
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]",
    flags=[
        Flag("-d", "--decode", help="decode data"),
        Flag("-i", "--ignore-garbage", help="when decoding, ignore non-alphabet characters"),
        Flag("-w", "--wrap", value="COLS", kind=_WRAP, help="wrap lines after COLS characters (76); 0: no wrapping"),
    ],
    filters=True,
)
def base64(call: Call) -> int:
    opts = call.opts
    width = opts.integer("wrap", 76)
    if width == _UNWRAPPED:
        width = 0
    if len(call.args) > 1:
        raise UsageError(f"extra operand {quote(call.args[1], call.env)}")
    stream = _open(call, call.args[0] if call.args else "-")
    try:
        if opts.decode:
            _decode(call, stream, opts.ignore_garbage)
        else:
            _encode(call, stream, width)
    finally:
        stream.release()
    return 0
