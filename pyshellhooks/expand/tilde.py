"""Tilde expansion (POSIX XCU 2.6.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..fs.identity import identity
from ..regexes import lazy_pattern
from ..state import variables
from ..text import parse_digits

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx


def tilde_prefix(text: str) -> str | None:
    """Return the tilde-prefix at the start of unquoted text (``~``, ``~user``, ``~+``), or None."""
    match = _PREFIX.match(text)
    return None if match is None else match[0]


_PREFIX = lazy_pattern(r"~[^/:]*")
_DIRECTORIES = {"+": "PWD", "-": "OLDPWD"}


def expand_tilde(ctx: Ctx, prefix: str) -> str:
    """Return the directory of a tilde-prefix, or the prefix itself if it has none."""
    name = prefix[1:]
    if not name:
        home = variables.get(ctx, "HOME")
        if home is not None:  # an empty one counts, too
            return home
        return identity(ctx.run.fs).home("") or "~"
    if name in _DIRECTORIES:
        # ``~-`` before the first ``cd`` stays as it is.
        return variables.get(ctx, _DIRECTORIES[name]) or prefix
    number = name[1:] if name[0] in "+-" else name
    if number.isdecimal():
        entry = _from_stack(ctx, parse_digits(number), name[0] == "-")
        return prefix if entry is None else entry
    return identity(ctx.run.fs).home(name) or prefix


def _from_stack(ctx: Ctx, index: int, from_end: bool) -> str | None:
    """Return an entry of the directory stack, as ``dirs +N`` and ``dirs -N`` count them."""
    stack = [ctx.cwd, *ctx.directories]
    if from_end:
        index = len(stack) - 1 - index
    return stack[index] if 0 <= index < len(stack) else None
