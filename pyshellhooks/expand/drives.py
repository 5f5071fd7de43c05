"""The pattern ``/*``, by which scripts recognize and shorten absolute paths, for paths that begin with a drive (ADR 17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx

_ABSOLUTE = "/*"


def is_absolute_path(ctx: Ctx, pattern: str, text: str) -> bool:
    """Return whether a pattern is ``/*`` and a text is ``C:/…`` on Windows.

    So ``case $p in /*)`` takes a path for an absolute one: as elsewhere, a guard holds, and ``*) p=$PWD/$p`` is left out.
    """
    if pattern != _ABSOLUTE or text[1:3] != ":/":
        return False
    return text[0].isalpha() and ctx.fs.has_drives()


def is_last_part(ctx: Ctx, pattern: str, text: str) -> bool:
    """Return whether a pattern is ``/*`` and a text is a drive alone, ``C:``, which ``${d%/*}`` empties as it empties ``/x``.

    So ``while [ -n "$d" ]; do …; d=${d%/*}; done`` ends on Windows too.
    """
    if pattern != _ABSOLUTE or text[1:] != ":":
        return False
    return text[0].isalpha() and ctx.fs.has_drives()
