"""Shell syntax: source text, lexer, parser, nodes, quoting and printing. Pure: no os, no file system."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .check import SyntaxDiagnostic


def check_text(text: str) -> list[SyntaxDiagnostic]:
    """Return the diagnostics of a script's syntax (see ``check.check``, which is imported when needed)."""
    from .check import check

    return check(text)
