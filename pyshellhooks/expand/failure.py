"""How an expansion fails."""

from __future__ import annotations


class ExpansionError(Exception):
    """An expansion or assignment that cannot be done.

    ``fatal``: a non-interactive shell exits (``${x?}``, ``set -u``, a readonly assignment in posix mode); otherwise
    the command fails with ``status`` and, as in bash, the rest of the complete command is dropped.
    """

    def __init__(self, message: str, *, status: int = 1, fatal: bool = False, prefix: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.fatal = fatal
        self.prefix = prefix
