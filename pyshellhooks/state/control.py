"""Control flow: small exceptions that carry a number, never output.

They are ``BaseException`` so that no utility's ``except Exception`` can eat one.
"""

from __future__ import annotations


class ControlFlow(BaseException):
    """Root of what leaves a construct early."""


class BreakLoop(ControlFlow):
    """``break n``. ``status`` is what the loop ends with."""

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
    """``set -n``: what is left of the text is read and not run. A subshell simply ends."""

    def __init__(self) -> None:
        super().__init__(0)


class Killed(ControlFlow):
    """The shell got a signal that it does not trap: ends the whole run, subshells and all.

    ``traps``: whether the EXIT trap still runs (not after KILL).
    """

    def __init__(self, number: int) -> None:
        self.number = number


class Died(ExitShell):
    """A subshell's own death by signal (a builtin that wrote to a pipe nobody reads): status 128 + n, no EXIT trap."""
