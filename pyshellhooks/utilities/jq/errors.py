"""What can go wrong in a jq program, and how it travels."""

from __future__ import annotations

from typing import Any


class JqError(Exception):
    """An error that ``try`` and ``?`` can catch; ``value`` is what ``catch`` gets, most often a message."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class InvalidPath(JqError):
    """A step from a value that is on no path; ``.a?`` does not catch it."""


class InputError(Exception):
    """The input is no JSON; the message is jq's."""


class CompileError(Exception):
    """The program does not compile. The text is what jq prints, ``jq: error: ...`` to ``jq: N compile errors``."""


class Halt(Exception):
    """The program called ``halt`` (``message`` is None) or ``halt_error`` (bytes for stderr)."""

    def __init__(self, status: int, message: bytes | None = None) -> None:
        super().__init__(status)
        self.status = status
        self.message = message
