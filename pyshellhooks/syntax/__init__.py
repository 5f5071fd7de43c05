"""Shell syntax: source text, lexer, parser, nodes, quoting and printing. Pure: no os, no file system."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .check import Problem


def check_text(text: str) -> list[Problem]:
    """Check a script's syntax and give what is wrong with it (see ``check.check``, which is loaded when needed)."""
    from .check import check

    return check(text)
