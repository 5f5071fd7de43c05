"""How an expansion fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Protocol

    class Ctx(Protocol):
        """What a failure asks of a shell (``ExecutionContext``, without importing it)."""

        command_string: bool
        errexit: bool
        level: int

        def warn(self, message: str) -> None: ...


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
        self.said = False
        self.discards = False  # in a file it drops the rest of the complete command, also out of a builtin
        self.unnamed = False  # of a subscript: no builtin's name stands before the message (bash)
        self.mild = False  # bash drops the command, and set -e does not look

    def say(self, ctx: Ctx, before: str = "") -> None:
        """Print the message, once: where the redirections of the moment send it."""
        if not self.said:
            self.said = True
            ctx.warn(before + self.message)


def fatal_status(ctx: Ctx) -> int:
    """Return the status of a shell that a failed expansion ends: 127 under ``-c``, 1 in a file and in a subshell (bash)."""
    return 127 if ctx.command_string and not ctx.level and not ctx.errexit else 1


def thrown_away(ctx: Ctx, error: ExpansionError) -> ExpansionError:
    """Return a failed evaluation of a subscript or an integer variable's value its consequence.

    bash throws away the text that it is reading: under ``-c`` all of it, with status 1; in a file the command.
    """
    error.discards = True
    if ctx.command_string and not error.fatal:
        error.fatal = True
        error.status = 1
    return error


def unbound(ctx: Ctx, name: str) -> ExpansionError:
    """Return the failure of ``set -u``."""
    return ExpansionError(f"{name}: unbound variable", fatal=True, status=fatal_status(ctx))
