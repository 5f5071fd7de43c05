"""The exception that ends a call of yq with an error."""

from __future__ import annotations


class Failure(Exception):
    """An error that ends yq, with its status; the message does not include the program's name.

    A filter can't catch it, since it is an error of the filter's input and not of the filter.
    """

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


def unreadable(error: Exception) -> Failure:
    """Return the failure for a parser's error, with Debian's message: the kind of error, and its place if known."""
    return Failure(f"Error running jq: {type(error).__name__}: {error}.")
