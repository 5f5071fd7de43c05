"""Exceptions of jq programs and their inputs."""

from __future__ import annotations

from typing import Any


class JqError(Exception):
    """An error that ``try`` and ``?`` can catch; ``value``, mostly a message, is the input of ``catch``."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class InvalidPath(JqError):
    """A path step from a value that is off the path; ``.a?`` does not catch it."""


class InputError(Exception):
    """The input is not JSON; the message is jq's."""


class CompileError(Exception):
    """The program does not compile. The text is jq's output, from ``jq: error: ...`` to ``jq: N compile errors``."""


class Halt(Exception):
    """The program called ``halt`` (``message`` is None) or ``halt_error`` (bytes for stderr)."""

    def __init__(self, status: int, message: bytes | None = None) -> None:
        super().__init__(status)
        self.status = status
        self.message = message
