"""Text as its bytes, one character each: how patterns see it where the locale is C by the script's own word.

A byte above ASCII is a character of Unicode's private use, which is no letter and has no other case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..state import variables
from ..text import decode, encode

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx

_PRIVATE = {byte: 0xE000 + byte for byte in range(0x80, 0x100)}
_BYTES = {private: byte for byte, private in _PRIVATE.items()}


def is_bytewise(ctx: Ctx, text: str) -> bool:
    """Say whether it makes a difference for this text: a pattern matches ASCII in one way only."""
    return not text.isascii() and variables.counts_bytes(ctx)


def narrow(text: str) -> str:
    """Return the bytes of a text as its characters."""
    return text if text.isascii() else encode(text).decode("latin-1").translate(_PRIVATE)


def widen(text: str) -> str:
    """Return the text that the bytes make."""
    return text if text.isascii() else decode(text.translate(_BYTES).encode("latin-1"))
