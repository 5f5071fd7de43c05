"""How an expansion fails."""

from __future__ import annotations


class ExpansionError(Exception):
    """An expansion or assignment that cannot be done.

    ``fatal``: a non-interactive shell exits (``${x?}``, ``set -u``, a readonly assignment in posix mode); otherwise
    the command fails with ``status`` and, as in bash, the rest of the complete command is dropped.
    ``drop``: of a builtin that drops the rest of the command itself (``break 1 2``).
    ``assignment``: a readonly variable was to be set; in a builtin that is the builtin's failure.
    """

    def __init__(self, message: str, *, status: int = 1, fatal: bool = False, assignment: bool = False, drop: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.fatal = fatal
        self.assignment = assignment
        self.drop = drop
