"""The only border between bytes and str.

Shell words, variables and paths are ``str``; streams carry ``bytes``. UTF-8 with
``surrogateescape`` lets every byte make the round trip, valid or not.
"""

from __future__ import annotations


def decode(data: bytes) -> str:
    """Turn bytes from outside into the shell's text; never fails."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Turn the shell's text into the bytes it came from.

    A lone surrogate that no byte stands behind (from JSON's ``"\\ud800"``) becomes
    the three bytes that WTF-8 gives it, so that this never fails either.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return b"".join(_encode_one(char) for char in text)


def _encode_one(char: str) -> bytes:
    try:
        return char.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return char.encode("utf-8", "surrogatepass")
