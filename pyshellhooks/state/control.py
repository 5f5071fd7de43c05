"""Exceptions for control flow.

They are ``BaseException`` so that no ``except Exception`` of a utility can catch one.
"""

from __future__ import annotations


class ControlFlow(BaseException):
    """Base class of the exceptions that leave a construct early."""


class BreakLoop(ControlFlow):
    """``break n``. ``status`` is the exit status of the loop."""

    def __init__(self, levels: int, status: int = 0) -> None:
        self.levels = levels
        self.status = status


class ContinueLoop(ControlFlow):
    """``continue n``."""

    status = 0

    def __init__(self, levels: int) -> None:
        self.levels = levels


class ReturnFrom(ControlFlow):
    """``return n``, out of a function or a sourced file."""

    def __init__(self, status: int) -> None:
        self.status = status


class ExitShell(ControlFlow):
    """``exit n``, ``set -e`` or a fatal error: ends the (sub)shell."""

    def __init__(self, status: int) -> None:
        self.status = status


class NoExecution(ExitShell):
    """``set -n``: the rest of the text is parsed and not run. A subshell ends."""

    def __init__(self) -> None:
        super().__init__(0)


class Killed(ControlFlow):
    """The shell got a signal (``number``) that it does not trap, which ends the whole run with all subshells.

    The EXIT trap still runs, except after KILL.
    """

    def __init__(self, number: int) -> None:
        self.number = number


class Died(ExitShell):
    """A subshell's death by signal (a builtin that wrote to a pipe without a reader): status 128 + n, no EXIT trap."""
