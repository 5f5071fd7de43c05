"""How an expansion fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..interp.context import ExecutionContext as Ctx


class ExpansionError(Exception):
    """An expansion or assignment that cannot be done.

    ``fatal``: a non-interactive shell exits (``${x?}``, ``set -u``, a readonly assignment in posix mode); otherwise
    the command fails with ``status`` and, as in bash, the rest of the complete command is dropped.
    ``drop``: of a builtin that drops the rest of the command itself (``break 1 2``).
    ``assignment``: a readonly variable was to be set; in a builtin that is the builtin's failure.
    """

    def __init__(
        self, message: str, *, status: int = 1, fatal: bool = False, assignment: bool = False, drop: bool = False
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.fatal = fatal
        self.assignment = assignment
        self.drop = drop


def fatal_status(ctx: Ctx) -> int:
    """Give the status of a shell that a failed expansion ends: 127 under ``-c``, 1 in a file and in a subshell (bash)."""
    return 127 if ctx.command_string and not ctx.level else 1


def unbound(ctx: Ctx, name: str) -> ExpansionError:
    """Give the failure of ``set -u``."""
    return ExpansionError(f"{name}: unbound variable", fatal=True, status=fatal_status(ctx))
