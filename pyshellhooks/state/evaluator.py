"""Interface of the interpreter for state and expansion, which can't import it: ``Run`` has an instance."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .context import ExecutionContext as Ctx


class Evaluator(Protocol):
    """Runs and expands text in a shell. Failures are ``ExpansionError``, ``Stop`` or a status, as for a script."""

    def run_text(self, ctx: Ctx, text: str, name: str, line: int = 1, *, kind: str = "") -> int:
        """Run text in this environment (``eval``, traps) and return its status."""

    def run_main(self, ctx: Ctx, text: str, name: str) -> int:
        """Run the main text of a shell and return its status."""

    def command_substitution(self, ctx: Ctx, body: Callable[[Ctx], int], /) -> str:
        """Run ``$( )`` and return its text (POSIX XCU 2.6.3)."""

    def broken_substitution(self, ctx: Ctx, text: str, /) -> str:
        """Run backquotes whose text does not parse, up to the error."""

    def process_substitution(self, ctx: Ctx, op: str, body: Callable[[Ctx], int], /) -> str:
        """Start ``<( )`` or ``>( )`` and return its path."""

    def read_file(self, ctx: Ctx, name: str, /) -> str:
        """Return the text of ``$(< file)``."""

    def arithmetic(self, ctx: Ctx, text: str, /) -> int:
        """Evaluate text as an arithmetic expression."""

    def expression(self, text: str, /) -> Callable[[Ctx, int], int]:
        """Return the compiled form of an expression known only at run time; its second argument is the depth."""

    def subscript_number(self, ctx: Ctx, text: str, /) -> int:
        """Expand and evaluate the text of an indexed array's subscript."""

    def expand_subscript(self, ctx: Ctx, text: str, /) -> str:
        """Expand the text of an associative array's subscript, with quote removal."""

    def expand_prompt(self, ctx: Ctx, text: str, /) -> str:
        """Expand text as a prompt string (``${x@P}``, PS1, PS4)."""
