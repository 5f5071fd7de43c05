"""Failures of expansions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Protocol

    class Ctx(Protocol):
        """The part of ``ExecutionContext`` that a failure uses, without an import of it."""

        command_string: bool
        errexit: bool
        level: int

        def warn(self, message: str) -> None: ...


class ExpansionError(Exception):
    """An expansion or assignment that failed.

    ``fatal``: a non-interactive shell exits (``${x?}``, ``set -u``, a readonly assignment in posix mode); otherwise
    the command fails with ``status`` and, as in bash, the rest of the complete command is dropped.
    ``drop``: a builtin also drops the rest of the complete command (``break 1 2``).
    ``assignment``: an assignment to a readonly variable; in a builtin it is a failure of the builtin.
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
        self.reported = False
        self.discards = False  # in a file it drops the rest of the complete command, even from a builtin
        self.unnamed = False  # of a subscript: the message has no builtin's name in front (bash)
        self.mild = False  # bash drops the command, and set -e ignores it

    def report(self, ctx: Ctx, before: str = "") -> None:
        """Write the message once, to the stderr of the current redirections."""
        if not self.reported:
            self.reported = True
            ctx.warn(before + self.message)


def fatal_status(ctx: Ctx) -> int:
    """Return the exit status of a shell after a fatal expansion: 127 with ``-c``, 1 in a file or a subshell (bash)."""
    if not ctx.command_string or ctx.level or ctx.errexit:
        return 1
    return 127


def discarding(ctx: Ctx, error: ExpansionError) -> ExpansionError:
    """Mark the failed evaluation of a subscript or of an integer variable's value, and return it.

    bash discards the text that it is reading: with ``-c`` all of it, with status 1; in a file the command.
    """
    error.discards = True
    if ctx.command_string and not error.fatal:
        error.fatal = True
        error.status = 1
    return error


def unbound(ctx: Ctx, name: str) -> ExpansionError:
    """Return the failure of an unset variable under ``set -u``."""
    return ExpansionError(f"{name}: unbound variable", fatal=True, status=fatal_status(ctx))
