"""Text as its bytes, one character each: how patterns see it where the locale is C by the script's own word.

A byte above ASCII is a character that Unicode has not assigned: it is in no class and has no other case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..state import variables
from ..text import decode, encode

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx

_UNASSIGNED = {byte: 0xE0000 + byte for byte in range(0x80, 0x100)}
_BYTES = {code: byte for byte, code in _UNASSIGNED.items()}


def is_bytewise(ctx: Ctx, text: str) -> bool:
    """Say whether it makes a difference for this text: a pattern matches ASCII in one way only."""
    return not text.isascii() and variables.counts_bytes(ctx)


def narrow(text: str) -> str:
    """Return the bytes of a text as its characters."""
    return text if text.isascii() else encode(text).decode("latin-1").translate(_UNASSIGNED)


def widen(text: str) -> str:
    """Return the text that the bytes make."""
    return text if text.isascii() else decode(text.translate(_BYTES).encode("latin-1"))
