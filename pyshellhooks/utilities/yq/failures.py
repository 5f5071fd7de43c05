"""The end of one call of yq that could not do its work."""

from __future__ import annotations


class Failure(Exception):
    """Why yq ends, and its status; the message does not have the program's name yet.

    A filter can't catch it: it is no error of the filter, but of what the filter is run on.
    """

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


def unreadable(error: Exception) -> Failure:
    """Word what a reader or writer says, as Debian's yq does: with the kind of error, and the place if it has one."""
    return Failure(f"Error running jq: {type(error).__name__}: {error}.")
