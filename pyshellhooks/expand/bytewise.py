"""Text with one character for each byte, for patterns if the script has set the locale to C.

A byte above ASCII becomes a character that Unicode has not assigned: it is in no class and has no other case.
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
    """Return whether the text must be matched by its bytes: the locale is C, and the text is not ASCII."""
    return not text.isascii() and variables.counts_bytes(ctx)


def narrow(text: str) -> str:
    """Return a text with one character for each byte of its encoding."""
    if text.isascii():
        return text
    return encode(text).decode("latin-1").translate(_UNASSIGNED)


def widen(text: str) -> str:
    """Return the text of a ``narrow`` result."""
    if text.isascii():
        return text
    return decode(text.translate(_BYTES).encode("latin-1"))
