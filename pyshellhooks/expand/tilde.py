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
        return home if home is not None else identity(ctx.run.fs).home("") or "~"
    if name in _DIRECTORIES:
        return variables.get(ctx, _DIRECTORIES[name]) or prefix
    if name.isdecimal() or (name[0] in "+-" and name[1:].isdecimal()):
        stack = [ctx.cwd, *ctx.directories]
        index = parse_digits(name.lstrip("+-"))
        if name[0] == "-":
            index = len(stack) - 1 - index
        return stack[index] if 0 <= index < len(stack) else prefix
    return identity(ctx.run.fs).home(name) or prefix
